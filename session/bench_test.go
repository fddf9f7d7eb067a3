//go:build unix

package session

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// benchHints is how many hint notifications a child process sends in a run.
const benchHints = 100_000

// counter is a sink that only counts, and tells when the last hint is there.
type counter struct {
	left atomic.Int64
	done chan struct{}
}

func (c *counter) Append(f wire.Frame) {
	if f.Dir == wire.In && c.left.Add(-1) == 0 {
		close(c.done)
	}
}

// BenchmarkTap is what one message costs from the line to the sink and the
// decision that nobody has to act on it.
func BenchmarkTap(b *testing.B) {
	for name, line := range map[string]string{
		"hint":    fmt.Sprintf(hintLine, 12345, true),
		"message": `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"a line of a log that is as long as lines of logs mostly are"}}`,
	} {
		b.Run(name, func(b *testing.B) {
			sink := &counter{done: make(chan struct{})}
			s := New(Config{Sink: sink})
			c := newConn(s, 1, nil, nil)
			close(c.opened)
			body := []byte(line)
			b.SetBytes(int64(len(line)))
			b.ReportAllocs()
			for b.Loop() {
				c.Receive(Received{Via: viaStdio, Body: body})
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "msgs/s")
		})
	}
}

// BenchmarkChildFlood is a child process that sends hints at full speed
// through link, tap and classification; BenchmarkChildFloor is the same child
// with a program that does nothing but copy its lines.
func BenchmarkChildFlood(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		sink := &counter{done: make(chan struct{})}
		// What the handshake adds: four answers.
		sink.left.Store(benchHints + 4)
		cfg := Config{Sink: sink, ToolHints: true, Grace: time.Second}
		child(fmt.Sprintf("flood:%d", benchHints))(&cfg)
		s := New(cfg)
		b.StartTimer()
		s.Start(context.Background())
		<-sink.done
		b.StopTimer()
		s.Close(context.Background())
		b.StartTimer()
	}
	b.ReportAllocs()
	b.ReportMetric(float64(b.N)*benchHints/b.Elapsed().Seconds(), "msgs/s")
}

// BenchmarkChildFloor is the floor of BenchmarkChildFlood.
func BenchmarkChildFloor(b *testing.B) {
	for b.Loop() {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), fmt.Sprintf("%s=justflood:%d", serverEnv, benchHints))
		out, err := cmd.StdoutPipe()
		if err != nil {
			b.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			b.Fatal(err)
		}
		lines, n := bufio.NewReaderSize(out, 64<<10), 0
		for {
			line, err := lines.ReadSlice('\n')
			if err == io.EOF {
				break
			}
			n++
			_, _ = io.Discard.Write(line)
		}
		if err := cmd.Wait(); err != nil || n != benchHints {
			b.Fatal(err, n)
		}
	}
	b.ReportAllocs()
	b.ReportMetric(float64(b.N)*benchHints/b.Elapsed().Seconds(), "msgs/s")
}
