package demo

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// errorTo sends a line and returns the error that answers it, which stands for
// no request.
func (h *host) errorTo(line string) string {
	h.t.Helper()
	h.mu.Lock()
	n := len(h.lines)
	h.mu.Unlock()
	h.send(line)
	synctest.Wait()
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.lines) != n+1 {
		h.t.Fatalf("%.40q is answered by %d messages", line, len(h.lines)-n)
	}
	return h.lines[n]
}

func TestGarbageIsAnsweredAndSkipped(t *testing.T) {
	show(t, func(t *testing.T) {
		h := gamers(t, Options{Seed: 1})
		for line, code := range map[string]string{
			`hello`:                    `-32700`,
			`{"jsonrpc":"2.0"`:         `-32700`,
			"{\"a\":\"\xff\"}":         `-32700`,
			`{"a":1}{"b":2}`:           `-32700`,
			"\xef\xbb\xbf{}":           `-32700`,
			strings.Repeat("[", 20000): `-32700`,
			`7`:                        `-32600`,
			`"ping"`:                   `-32600`,
			`{}`:                       `-32600`,
			`[]`:                       `-32600`,
			`{"jsonrpc":"2.0","id":1}`: `-32600`,
			`{"jsonrpc":"2.0","id":null,"method":"ping"}`: `-32600`,
			`{"jsonrpc":"2.0","id":{},"method":"ping"}`:   `-32600`,
			`{"jsonrpc":"2.0","id":true,"method":"ping"}`: `-32600`,
		} {
			got := h.errorTo(line)
			if !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":null,"error":{"code":`+code+`,`) {
				t.Errorf("%.40q is answered %s", line, got)
			}
		}
		if got := h.errorTo(`{"jsonrpc":"1.0","id":"v","method":"ping"}`); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":"v","error":{"code":-32600,`) {
			t.Errorf("a wrong version is answered %s", got)
		}
		h.send("")
		h.send("   ")
		h.send("\t{\"jsonrpc\":\"2.0\",\"method\":\"no/such/notification\"}  \r")
		h.lists()
		h.hangUp()
	})
}

func TestAnswersToNothingAreIgnored(t *testing.T) {
	show(t, func(t *testing.T) {
		h := gamers(t, Options{Seed: 1})
		for _, line := range []string{
			`{"jsonrpc":"2.0","id":"s99","result":{"accepted":true}}`,
			`{"jsonrpc":"2.0","id":7,"result":null}`,
			`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"what?"}}`,
			`{"jsonrpc":"2.0","id":[],"error":{}}`,
		} {
			h.send(line)
		}
		synctest.Wait()
		n := len(h.lines)
		h.lists()
		if got := len(h.lines) - n; got != 2 {
			t.Errorf("%d messages for two requests", got)
		}
		h.hangUp()
	})
}

func TestAMessageOfABatchIsAnsweredLikeAnyOther(t *testing.T) {
	show(t, func(t *testing.T) {
		h := gamers(t, Options{Seed: 1})
		h.send(`[{"jsonrpc":"2.0","id":"a","method":"ping"},{"jsonrpc":"2.0","method":"notifications/x"},` +
			`{"jsonrpc":"2.0","id":"b","method":"toolsets/open","params":{"toolset":"chat"}},7,` +
			`{"jsonrpc":"2.0","id":"c","method":"tools/call","params":{"name":"say","arguments":{"text":"hi"}}}]`)
		synctest.Wait()
		h.mu.Lock()
		last := strings.Join(h.lines[len(h.lines)-4:], "\n")
		h.mu.Unlock()
		has(t, last, `"id":"a","result":{}`, `"id":"b","result":`, `"id":null,"error":`, `"id":"c","result":{"content"`)
		h.lists()
		h.hangUp()
	})
}

func TestDuplicateKeysCountAsTheLast(t *testing.T) {
	show(t, func(t *testing.T) {
		h := gamers(t, Options{Seed: 1})
		r := h.result("tools/call", `{"name":"nothing","name":"help","arguments":{"topic":"rules","topic":"coordinates"}}`)
		has(t, said(r), "C3")
		h.refused("toolsets/open", `{"Toolset":"chat"}`, -32602, `no parameter "Toolset"`) // names are exact
		h.hangUp()
	})
}

func TestHugeLinesAreSkippedAndTheNextIsRead(t *testing.T) {
	h := dial(t, Options{Seed: 1, Pace: time.Hour}).greet(hintsHost, "pushEvents")
	huge := `{"jsonrpc":"2.0","id":1000,"method":"ping","params":{"x":"` + strings.Repeat("x", maxLine+maxLine/2) + `"}}`
	h.out <- []byte(huge) // past the reference: nobody can answer it by its id
	h.result("ping", `{}`)
	h.mu.Lock()
	line := h.lines[len(h.lines)-2]
	h.mu.Unlock()
	if line != `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"a message of more than 8 MiB is not read"}}` {
		t.Errorf("answered by %s", line)
	}
	h.lists()
	h.hangUp()
}

func TestALastLineWithoutAnEndIsTaken(t *testing.T) {
	var out strings.Builder
	in := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	if err := Serve(context.Background(), in, &out, Options{Seed: 1}); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); got != `{"jsonrpc":"2.0","id":1,"result":{}}`+"\n" {
		t.Errorf("%q", got)
	}
}

func TestServeEndsWithTheContext(t *testing.T) {
	for name, streams := range map[string]func() (io.Reader, io.Writer){
		"a pipe": func() (io.Reader, io.Writer) { a, _ := net.Pipe(); return a, a },
		"two pipes": func() (io.Reader, io.Writer) {
			r, _ := io.Pipe()
			_, w := io.Pipe()
			return r, w
		},
	} {
		t.Run(name, func(t *testing.T) {
			show(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(context.Background())
				done := make(chan error)
				r, w := streams()
				go func() { done <- Serve(ctx, r, w, Options{Seed: 1}) }()
				synctest.Wait()
				cancel()
				if err := <-done; !errors.Is(err, context.Canceled) {
					t.Errorf("Serve: %v", err)
				}
			})
		})
	}
}

// stubborn is a stream that cannot be closed and never moves.
type stubborn struct{ gate chan struct{} }

func (s stubborn) Read([]byte) (int, error)    { <-s.gate; return 0, io.EOF }
func (s stubborn) Write(b []byte) (int, error) { <-s.gate; return len(b), nil }

func TestServeEndsWithTheContextThoughTheStreamDoesNotNotice(t *testing.T) {
	show(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		s := stubborn{make(chan struct{})}
		done := make(chan error)
		go func() { done <- Serve(ctx, s, s, Options{Seed: 1}) }()
		synctest.Wait()
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("Serve: %v", err)
		}
		close(s.gate)
	})
}

// deaf is a client that writes and never reads.
func deaf(t *testing.T, opts Options, line func(n int) string) (served chan error, written *int) {
	t.Helper()
	ours, theirs := net.Pipe()
	served, written = make(chan error, 1), new(int)
	go func() { served <- Serve(context.Background(), theirs, theirs, opts) }()
	go func() {
		defer ours.Close()
		for n := 1; ; n++ {
			if _, err := io.WriteString(ours, line(n)+"\n"); err != nil {
				return
			}
			*written = n
		}
	}()
	return served, written
}

func TestAClientThatStopsReadingEndsTheConnection(t *testing.T) {
	show(t, func(t *testing.T) {
		start := time.Now()
		served, written := deaf(t, Options{Seed: 1}, func(n int) string {
			if n == 1 {
				return `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":` + hintsHost + `}}`
			}
			return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/list"}`, n)
		})
		if err := <-served; !errors.Is(err, ErrStalled) {
			t.Errorf("Serve: %v", err)
		}
		if got := time.Since(start); got != 30*time.Second {
			t.Errorf("given up after %v", got)
		}
		synctest.Wait()
		if *written > 200 {
			t.Errorf("%d requests were taken from a client that reads nothing", *written)
		}
	})
}

func TestWhatTheServerSaysByItselfIsBoundedToo(t *testing.T) {
	ours, theirs := net.Pipe()
	defer ours.Close()
	s := newStream(newLineCarrier(theirs, theirs), time.Hour)
	for range hardBytes/1000 + 1 {
		s.put(make([]byte, 1000))
	}
	if err := s.failure(); !errors.Is(err, ErrStalled) {
		t.Errorf("%v", err)
	}
	if s.next() != nil || len(s.queue) != 0 {
		t.Error("the queue is kept")
	}
	s.put([]byte("more"))
	if len(s.queue) != 0 {
		t.Error("the queue of a failed stream grows")
	}
}

func TestASlowClientGetsEverythingInOrder(t *testing.T) {
	show(t, func(t *testing.T) {
		ours, theirs := net.Pipe()
		served := make(chan error, 1)
		go func() { served <- Serve(context.Background(), theirs, theirs, Options{Seed: 1}) }()
		const n = 5000
		go func() {
			for i := range n {
				if _, err := fmt.Fprintf(ours, `{"jsonrpc":"2.0","id":%d,"method":"ping"}`+"\n", i); err != nil {
					return
				}
			}
		}()
		lines := wire.NewLines(ours, 0)
		for i := range n {
			if i%500 == 0 {
				time.Sleep(20 * time.Second) // slow, and still alive
			}
			line, err := lines.Next()
			if err != nil {
				t.Fatal(err)
			}
			if want := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{}}`, i); string(line) != want {
				t.Fatalf("%s, want %s", line, want)
			}
		}
		_ = ours.Close()
		if err := <-served; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
}

// broke fails with an error of its own.
type broke struct{ io.Reader }

var errDisk = errors.New("disk on fire")

func (broke) Read([]byte) (int, error)  { return 0, errDisk }
func (broke) Write([]byte) (int, error) { return 0, errDisk }

func TestServeSaysWhatFailed(t *testing.T) {
	var out strings.Builder
	if err := Serve(context.Background(), broke{}, &out, Options{Seed: 1}); !errors.Is(err, errDisk) || !strings.Contains(err.Error(), "reading") {
		t.Errorf("%v", err)
	}
	r, w := io.Pipe()
	go func() { _, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n") }()
	if err := Serve(context.Background(), r, broke{}, Options{Seed: 1}); !errors.Is(err, errDisk) || !strings.Contains(err.Error(), "writing") {
		t.Errorf("%v", err)
	}
}

func TestNoGoroutineStaysBehind(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 20 {
		ours, theirs := net.Pipe()
		served := make(chan error, 1)
		go func() {
			served <- Serve(context.Background(), theirs, theirs, Options{Seed: 1, Pace: time.Millisecond})
		}()
		lines := bufio.NewScanner(ours)
		lines.Buffer(nil, 1<<20)
		for _, line := range []string{
			`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":` + hintsHost + `}}`,
			`{"jsonrpc":"2.0","id":2,"method":"toolsets/open","params":` + adaOn5 + `}`,
			`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"play","arguments":{"at":"C3"}}}`,
		} {
			_, _ = io.WriteString(ours, line+"\n")
			if !lines.Scan() {
				t.Fatal("no answer")
			}
		}
		_, _ = io.WriteString(ours, `{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"think","arguments":{"seconds":30}}}`+"\n")
		_ = ours.Close()
		if err := <-served; err != nil {
			t.Errorf("Serve: %v", err)
		}
	}
	// A goroutine that has done its work may take a moment to be gone.
	for range 1000 {
		if runtime.NumGoroutine() <= before {
			return
		}
		runtime.Gosched()
		time.Sleep(time.Millisecond)
	}
	stacks := make([]byte, 1<<16)
	t.Fatalf("%d goroutines, %d before\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
}
