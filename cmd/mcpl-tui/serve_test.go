package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/inspector/conform"
	"github.com/mcpl-tui/mcpl-tui/record"
	"github.com/mcpl-tui/mcpl-tui/session"
	"github.com/mcpl-tui/mcpl-tui/session/demo"
)

// served serves the demo over its links on a real socket, as `demo --serve`
// does, and returns its address.
func served(t *testing.T) (addr string) {
	t.Helper()
	l, err := listenOnLoopback(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		done <- serveOn(ctx, l, demo.NewHandler(demo.Options{Seed: 3, Pace: 30 * time.Millisecond}))
	}()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return l.Addr().String()
}

// player is a recorded session with a target.
type player struct {
	t    *testing.T
	path string
	l    *live
}

func playerOf(t *testing.T, address string) *player {
	t.Helper()
	target, err := session.ParseTarget([]string{address}, -1)
	if err != nil {
		t.Fatal(err)
	}
	p := &player{t: t, path: filepath.Join(t.TempDir(), "served.mcpl.jsonl")}
	rec, err := newRecording(target, "", p.path, true)
	if err != nil {
		t.Fatal(err)
	}
	flags := connectFlags{timeout: defaultTimeout, hostFlags: quietHost()}
	cfg, err := flags.config(target)
	if err != nil {
		t.Fatal(err)
	}
	p.l = connect(context.Background(), cfg, rec)
	if err := p.l.sess.WaitReady(t.Context()); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *player) do(lines ...string) {
	p.t.Helper()
	for _, line := range lines {
		if o := p.l.sess.Run(p.t.Context(), line); !o.OK {
			p.t.Fatalf("%s: %+v", line, o.Err)
		}
	}
}

// judged closes the session and returns the findings of its recording above
// the level of info.
func (p *player) judged() (bad []string, frames int) {
	p.t.Helper()
	if err := p.l.close(); err != nil {
		p.t.Fatal(err)
	}
	rec, err := record.Open(p.path)
	if err != nil {
		p.t.Fatal(err)
	}
	defer rec.Close()
	v, err := judge(context.Background(), rec, conform.Options{})
	if err != nil {
		p.t.Fatal(err)
	}
	for _, f := range v.run.Findings() {
		if f.Level != conform.Info {
			bad = append(bad, fmt.Sprintf("%s at frame %d: %s", f.Rule, f.Seq, f.Message))
		}
	}
	return bad, v.frames
}

func TestTheServedDemoKeepsEveryRuleOverEachLink(t *testing.T) {
	for _, link := range demo.Links {
		t.Run(link, func(t *testing.T) {
			t.Parallel()
			address := demoTarget(link, served(t))
			one, two := playerOf(t, address), playerOf(t, address)
			var both sync.WaitGroup
			both.Go(func() {
				one.do(`open game as vs-ada {"opponent":"ada","size":5}`, `open chat`, `call play@vs-ada {"at":"C3"}`,
					`wait push`, `call think {"seconds":2} &`, `call say {"text":"hi"}`, `wait calls`, `call advice`,
					`call think {"seconds":30} &`, `cancel`, `reconnect`, `toolsets`, `call board@vs-ada`)
			})
			both.Go(func() {
				two.do(`open game as vs-eve {"opponent":"eve","size":7}`, `call play@vs-eve {"at":"D4"}`, `wait push`,
					`call seed_game {"position":"endgame","game":"vs-eve"}`, `call pass@vs-eve`, `wait push`,
					`call pin_tool {"tool":"advice","pinned":true}`, `tools`,
					`reconnect`, `toolsets`, `close radio`, `open radio`)
			})
			both.Wait()
			one.do(`close game vs-ada`) // not while the other one is away: nobody could tell it
			for i, p := range []*player{one, two} {
				bad, frames := p.judged()
				if len(bad) > 0 || frames < 50 {
					t.Errorf("session %d, of %d frames:\n%s", i+1, frames, strings.Join(bad, "\n"))
				}
			}
		})
	}
}

func TestWhatOneOpensTheOtherSeesOnItsOwnRevs(t *testing.T) {
	addr := served(t)
	over := map[string]*player{}
	for _, link := range demo.Links {
		over[link] = playerOf(t, demoTarget(link, addr))
	}
	over[demo.LinkWS].do(`open game as vs-kai {"opponent":"kai"}`)
	for link, p := range over {
		p.do(`wait rev 2`) // toolsets/list took the first
		if !openOn(p, "vs-kai") {
			t.Errorf("over %s vs-kai is not open", link)
		}
	}
	for link, p := range over {
		if bad, _ := p.judged(); len(bad) > 0 {
			t.Errorf("%s: %s", link, strings.Join(bad, "\n"))
		}
	}
}

func openOn(p *player, instance string) bool {
	for _, s := range p.l.log.Latest().Toolsets {
		for _, i := range s.Instances {
			if i.Name == instance {
				return true
			}
		}
	}
	return false
}

func TestTheDemoListensOnLoopbackAlone(t *testing.T) {
	for _, listen := range []string{":0", "0.0.0.0:0", "[::]:0", "192.0.2.1:80", "example.com:80", "8080"} {
		var out, errs bytes.Buffer
		status := run(t.Context(), []string{"demo", "--serve", "ws", "--listen", listen}, stdio{strings.NewReader(""), &out, &errs})
		if status != exitUsage || out.Len() > 0 || strings.Count(errs.String(), "\n") != 1 || !strings.Contains(errs.String(), "--listen "+listen) {
			t.Errorf("--listen %s: %d %q %q", listen, status, &out, &errs)
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var errs bytes.Buffer
	if run(t.Context(), []string{"demo", "--serve", "ws", "--listen", l.Addr().String()}, stdio{strings.NewReader(""), io.Discard, &errs}); !strings.Contains(errs.String(), "choose another port") {
		t.Errorf("a port that is taken: %q", &errs)
	}
}

func TestServingPrintsATargetALineAndEndsInOrder(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	r, w := io.Pipe()
	done := make(chan int, 1)
	go func() {
		done <- run(ctx, []string{"demo", "--serve", "http,sse,ws"}, stdio{strings.NewReader(""), w, io.Discard})
	}()
	for _, form := range []string{"http://127.0.0.1:%d/mcp", "sse+http://127.0.0.1:%d/sse", "ws://127.0.0.1:%d/ws"} {
		var port int
		if n, err := fmt.Fscanf(r, form+"\n", &port); n != 1 || err != nil || port == 0 {
			t.Fatalf("no line like %s: %v", form, err)
		}
	}
	stop()
	if status := <-done; status != exitOK {
		t.Errorf("status %d", status)
	}
}

func TestServeFlagsThatMakeNoSenseAreRefused(t *testing.T) {
	for want, args := range map[string][]string{
		"give stdio, or several of":        {"--serve", "http,smtp"},
		"--listen is for --serve http":     {"--serve", "stdio", "--listen", "127.0.0.1:0"},
		"--listen is for --serve: say":     {"--listen", "127.0.0.1:0"},
		"give stdio, or several of http, ": {"--serve", ","},
	} {
		var errs bytes.Buffer
		if status := run(t.Context(), append([]string{"demo"}, args...), stdio{strings.NewReader(""), io.Discard, &errs}); status != exitUsage || !strings.Contains(errs.String(), want) {
			t.Errorf("%v: %d %q", args, status, &errs)
		}
	}
}
