package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/creack/pty"

	"github.com/mcpl-tui/mcpl-tui/session"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// floodSize is how many hint messages a flood sends.
const floodSize = 20_000

// flood is a server that goes through the handshake and then sends n hints as
// fast as they are taken.
func flood(n int) session.Serve {
	return func(_ context.Context, r io.Reader, w io.Writer) error { return pour(n, r, w) }
}

func pour(n int, r io.Reader, w io.Writer) error {
	lines, out := wire.NewLines(r, 0), bufio.NewWriterSize(w, 1<<16)
	for {
		line, err := lines.Next()
		if err != nil {
			return nil
		}
		h := wire.Peek(line)
		answer := func(result string) {
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", h.ID, result)
		}
		switch h.Method {
		case "initialize":
			answer(`{"protocolVersion":"2025-06-18","serverInfo":{"name":"flood","version":"1"},"capabilities":{"tools":{},"experimental":{"mcpl":{"version":"0.5","toolHints":true}}}}`)
		case "featureSets/update":
			answer(`{"accepted":true}`)
		case "tools/list":
			answer(`{"tools":[{"name":"blink","inputSchema":{"type":"object"},"_meta":{"mcpl/presence":"dynamic"}}]}`)
		case "toolsets/list":
			answer(`{"open":[],"ended":[],"_meta":{"mcpl/hints":{"rev":1}}}`)
			for i := range n {
				fmt.Fprintf(out, `{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":%d,"tools":[{"name":"blink","visible":%t}]}}`+"\n", i+2, i%2 == 0)
			}
		}
		if err := out.Flush(); err != nil {
			return nil
		}
	}
}

// BenchmarkTapAndReduce is the whole way of a message: pipe, tap, recording
// (in a file), timeline. session has the tap alone, timeline the reducer.
func BenchmarkTapAndReduce(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		target := session.Target{Kind: session.KindDemo}
		rec, err := newRecording(target, "", filepath.Join(b.TempDir(), "flood.mcpl.jsonl"), true)
		if err != nil {
			b.Fatal(err)
		}
		flags := connectFlags{timeout: defaultTimeout, hostFlags: quietHost()}
		cfg, err := flags.config(target)
		if err != nil {
			b.Fatal(err)
		}
		l := connectTo(context.Background(), cfg, rec, flood(floodSize))
		if err := l.sess.WaitReady(b.Context()); err != nil {
			b.Fatal(err)
		}
		for !l.view.Applied(floodSize + 1) {
			<-l.view.Changed()
		}
		if err := l.close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N*floodSize)/b.Elapsed().Seconds(), "msgs/s")
}

// BenchmarkFirstScreen is the time from the start of the process to the first
// full screen, in a terminal: of the demo, and of a recording.
func BenchmarkFirstScreen(b *testing.B) {
	bin := filepath.Join(b.TempDir(), "mcpl-tui")
	if out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
		b.Fatalf("build: %v\n%s", err, out)
	}
	file := filepath.Join("..", "..", "ui", "uitest", "testdata", "goban.mcpl.jsonl")
	for name, args := range map[string][]string{
		"demo":   {"demo", "--no-record"},
		"replay": {"replay", file},
		"help":   {"--version"},
	} {
		b.Run(name, func(b *testing.B) {
			want := map[string]string{"demo": "LIVE", "replay": "REPLAY", "help": "mcpl-tui"}[name]
			for b.Loop() {
				firstScreen(b, bin, want, args...)
			}
			b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N), "ms/start")
		})
	}
}

func firstScreen(b *testing.B, bin, want string, args ...string) {
	b.Helper()
	cmd := exec.Command(bin, args...)
	cmd.Env = append(os.Environ(), "TERM=xterm-256color", "LC_ALL=C.UTF-8")
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: 100, Rows: 30})
	if err != nil {
		b.Fatal(err)
	}
	var seen []byte
	chunk := make([]byte, 1<<16)
	stop := time.AfterFunc(30*time.Second, func() { cmd.Process.Kill() })
	for !bytes.Contains(seen, []byte(want)) {
		n, err := tty.Read(chunk)
		if seen = append(seen, chunk[:n]...); err != nil && !bytes.Contains(seen, []byte(want)) {
			b.Fatalf("no screen: %v\n%s", err, seen)
		}
	}
	stop.Stop()
	b.StopTimer()
	cmd.Process.Kill()
	cmd.Wait()
	tty.Close()
	b.StartTimer()
}
