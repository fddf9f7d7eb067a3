package conform_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcpl-tui/mcpl-tui/inspector/conform"
	"github.com/mcpl-tui/mcpl-tui/session"
	"github.com/mcpl-tui/mcpl-tui/session/demo"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// sink keeps the frames of a session, and judges them as they come.
type sink struct {
	mu     sync.Mutex
	frames tape
	live   *conform.Run
}

func newSink() *sink { return &sink{live: conform.NewRun(conform.Options{})} }

func (s *sink) Append(f wire.Frame) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.frames = append(s.frames, f)
	s.live.Frame(f)
}

func (s *sink) all() tape {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.frames)
}

// host is a session with a server in this process, over real pipes.
type host struct {
	t    *testing.T
	s    *session.Session
	sink *sink
}

type option func(*session.Config)

func dial(t *testing.T, serve session.Serve, opts ...option) *host {
	t.Helper()
	h := &host{t: t, sink: newSink()}
	cfg := session.Config{
		Target: session.Target{Kind: session.KindDemo}, InProc: serve, ToolHints: true,
		ClientName: "test", ClientVersion: "1", Sink: h.sink,
	}
	for _, o := range opts {
		o(&cfg)
	}
	h.s = session.New(cfg)
	h.s.Start(context.Background())
	if err := h.s.WaitReady(context.Background()); err != nil {
		t.Fatal(err)
	}
	return h
}

// do runs a line; what comes of it is the rules' business.
func (h *host) do(format string, args ...any) session.Outcome {
	return h.s.Run(context.Background(), fmt.Sprintf(format, args...))
}

// hangUp closes the session and returns its frames, once it has seen that
// they were judged alike live, at once and piece by piece.
func (h *host) hangUp() tape {
	h.t.Helper()
	h.s.Close(context.Background())
	frames := h.sink.all()
	h.sink.live.End()
	live, after := h.sink.live.Findings(), judged(frames, conform.Options{}).Findings()
	if !reflect.DeepEqual(live, after) {
		h.t.Errorf("live it gave\n%s\nand afterwards\n%s", lines(live), lines(after))
	}
	log := timeline.NewLog(frames)
	r := conform.Attend(log, conform.Options{})
	for {
		n, err := log.Advance(7)
		if err != nil {
			h.t.Fatal(err)
		}
		if n == 0 {
			break
		}
	}
	r.End()
	if pieces := r.Findings(); !reflect.DeepEqual(pieces, after) {
		h.t.Errorf("piece by piece it gave\n%s\nand at once\n%s", lines(pieces), lines(after))
	}
	return frames
}

// silent fails where a sound session gives an error or a warning.
func silent(t *testing.T, what string, frames tape) {
	t.Helper()
	run := judged(frames, conform.Options{})
	if bad := worse(run.Findings(), conform.Warning); len(bad) > 0 {
		t.Errorf("%s, %d frames:\n%s", what, len(frames), lines(bad))
		for _, f := range bad {
			for _, x := range frames[max(0, f.Index-3):min(len(frames), f.Index+2)] {
				t.Logf("%d %v %s %s %s%s %.400s", x.Seq, x.T, x.Dir, x.Via, x.Name, x.Data, x.Body)
			}
		}
	}
}

// arcade serves the demo to one principal.
func arcade(o demo.Options) session.Serve {
	return func(ctx context.Context, r io.Reader, w io.Writer) error { return demo.Serve(ctx, r, w, o) }
}

// wander does one thing at random, likely or not.
func (h *host) wander(rng *rand.Rand) {
	pick := func(of ...string) string { return of[rng.IntN(len(of))] }
	game := pick("one", "two", "one", "nobody")
	switch rng.IntN(22) {
	case 0, 1, 2:
		h.do(`open game as %s {"opponent":%q,"size":%s,"color":%q}`, pick("one", "two"), pick("ada", "bot", "kai"), pick("5", "5", "7"), pick("black", "white"))
	case 3:
		h.do(`open game {"opponent":%q,"size":5}`, pick("eve", "nobody"))
	case 4:
		h.do("close game %s", game)
	case 5:
		h.do("%s %s", pick("open", "close"), pick("chat", "radio", "debug"))
	case 6, 7, 8, 9, 10:
		h.do(`call play@%s {"at":%q}`, game, pick("A1", "B2", "C3", "D4", "E5", "A5", "C1", "B4", "Z9"))
	case 11:
		h.do("call %s@%s", pick("pass", "undo", "score", "board", "resign"), game)
	case 12:
		h.do("call %s", pick("pass", "board", "status", "lobby", "rematch", "advice", "nothing"))
	case 13:
		h.do(`call think {"seconds":%d} &`, 1+rng.IntN(9))
		h.do("%s", pick("cancel last", "wait 1s", "wait calls"))
	case 14:
		h.do(`call say {"text":"hello"}`)
		h.do(`call react {"with":"smile"}`)
	case 15:
		h.do(`call tune {"station":%q}`, pick("jazz", "folk", "none"))
	case 16:
		h.do(`call seed_game {"position":%q,"game":%q}`, pick("capture", "endgame"), game)
	case 17:
		h.do(`call pin_tool {"tool":%q,"pinned":%t}`, pick("rematch", "advice"), rng.IntN(2) == 0)
	case 18:
		h.do("%s", pick("tools", "toolsets"))
	case 19:
		h.do("push %s", pick("accept", "refuse not now", "accept"))
	case 20:
		h.do("%s pushEvents", pick("grant", "deny", "grant"))
	case 21:
		if rng.IntN(4) == 0 {
			h.do("reconnect")
		}
	}
	h.do("wait %dms", rng.IntN(4000))
}

func TestTheDemoIsSoundWhateverIsDone(t *testing.T) {
	for seed := range uint64(12) {
		synctest.Test(t, func(t *testing.T) {
			p := demo.NewPrincipal(demo.Options{Seed: seed + 1})
			defer p.Close()
			hosts := []*host{dial(t, arcade(demo.Options{Principal: p})), dial(t, arcade(demo.Options{Principal: p}))}
			var all sync.WaitGroup
			for i, h := range hosts {
				all.Go(func() {
					rng := rand.New(rand.NewPCG(seed, uint64(i)))
					for range 150 {
						h.wander(rng)
					}
				})
			}
			all.Wait()
			for i, h := range hosts {
				frames := h.hangUp()
				if last := frames[len(frames)-1].T; last < 2*time.Minute {
					t.Errorf("the session lasted %v only", last)
				}
				silent(t, fmt.Sprintf("seed %d, host %d", seed, i), frames)
			}
		})
	}
}

func TestTheDemoIsSoundToHostsOfEveryKind(t *testing.T) {
	for name, opt := range map[string]option{
		"without toolHints": func(c *session.Config) { c.ToolHints = false },
		"plain MCP":         func(c *session.Config) { c.ToolHints, c.Plain = false, true },
		"nothing granted":   func(c *session.Config) { c.Deny = []string{"pushEvents", "tools"} },
		"refusing pushes":   func(c *session.Config) { c.Push = session.Refuse },
		"asking a person":   func(c *session.Config) { c.Push, c.Elicit, c.Sampling = session.Ask, session.Ask, session.Ask },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := dial(t, arcade(demo.Options{Seed: 3}), opt)
				rng := rand.New(rand.NewPCG(5, 5))
				h.do(`call toolset_open {"toolset":"game","instance":"one","options":{"opponent":"ada","size":5}}`)
				for range 60 {
					h.wander(rng)
				}
				silent(t, name, h.hangUp())
			})
		})
	}
}

// lines of a server are changed by a fault on their way to the host.
type fault func(msg []byte) [][]byte

// faulty puts a fault between the demo and the host.
func faulty(serve session.Serve, f fault) session.Serve {
	return func(ctx context.Context, r io.Reader, w io.Writer) error {
		pr, pw := io.Pipe()
		done := make(chan struct{})
		go func() {
			defer close(done)
			lines := bufio.NewReader(pr)
			for {
				line, err := lines.ReadBytes('\n')
				if err != nil {
					return
				}
				for _, out := range f(bytes.TrimSuffix(line, []byte("\n"))) {
					if _, err := w.Write(append(out, '\n')); err != nil {
						_ = pr.CloseWithError(err)
						return
					}
				}
			}
		}()
		err := serve(ctx, r, pw)
		_ = pw.Close()
		<-done
		return err
	}
}
