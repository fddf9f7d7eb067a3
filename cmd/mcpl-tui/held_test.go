package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// overtaker is an MCPL server over Streamable HTTP whose revs overtake each
// other: what a call brings on its own stream comes before what the listening
// stream brought late.
type overtaker struct {
	mu     sync.Mutex
	listen chan string // messages for the listening stream
	lists  int         // readings of toolsets/list
	rev    int         // that toolsets/list states
}

func (o *overtaker) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	if r.Method == http.MethodGet {
		w.Header().Set("Content-Type", "text/event-stream")
		w.WriteHeader(http.StatusOK)
		w.(http.Flusher).Flush()
		for {
			select {
			case msg := <-o.listen:
				_, _ = fmt.Fprintf(w, "data: %s\n\n", msg)
				w.(http.Flusher).Flush()
			case <-r.Context().Done():
				return
			}
		}
	}
	h := wire.Peek(body)
	if r.Method != http.MethodPost || h.Kind != wire.Request {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, h.ID, o.result(h))
}

func (o *overtaker) result(h wire.Head) string {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch h.Method {
	case "initialize":
		return `{"protocolVersion":"2025-11-25","serverInfo":{"name":"overtaker","version":"1"},"capabilities":{"tools":{},` +
			`"experimental":{"mcpl":{"version":"0.5","toolHints":true}}}}`
	case "featureSets/update":
		return `{"accepted":true}`
	case "tools/list":
		return fmt.Sprintf(`{"tools":[{"name":"a","_meta":{"mcpl/dynamic":true}},{"name":"jump"}],"_meta":{"mcpl/rev":%d}}`, o.rev)
	case "toolsets/list":
		o.lists++
		return fmt.Sprintf(`{"open":[],"_meta":{"mcpl/hints":{"rev":%d}}}`, o.rev)
	case "tools/call":
		rev := wire.Path(h.Params, "arguments", "rev")
		if string(rev) == "5" {
			o.rev = 5
		}
		return fmt.Sprintf(`{"content":[],"_meta":{"mcpl/hints":{"rev":%s}}}`, rev)
	}
	return `{}`
}

func overtaken(t *testing.T) (*overtaker, *live) {
	t.Helper()
	o := &overtaker{listen: make(chan string, 8), rev: 1}
	srv := httptest.NewServer(o)
	t.Cleanup(srv.Close)
	t.Cleanup(srv.CloseClientConnections)
	target := session.Target{Kind: session.KindHTTP, URL: srv.URL + "/mcp"}
	rec, err := newRecording(target, "", filepath.Join(t.TempDir(), "held.mcpl.jsonl"), true)
	if err != nil {
		t.Fatal(err)
	}
	flags := connectFlags{timeout: defaultTimeout, hostFlags: quietHost()}
	cfg, err := flags.config(target)
	if err != nil {
		t.Fatal(err)
	}
	l := connect(context.Background(), cfg, rec)
	t.Cleanup(func() {
		if err := l.close(); err != nil {
			t.Error(err)
		}
	})
	if err := l.sess.WaitReady(t.Context()); err != nil {
		t.Fatal(err)
	}
	return o, l
}

func (l *live) mustRun(t *testing.T, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if o := l.sess.Run(t.Context(), line); !o.OK {
			t.Fatalf("%s: %v", line, o.Err)
		}
	}
}

// revs tells the rows as "rev status", in the order of arrival.
func (l *live) revs(t *testing.T) string {
	t.Helper()
	rows, err := l.log.Rows(0, l.log.RowCount())
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, r := range rows {
		out = append(out, fmt.Sprintf("%d %v", r.Rev, r.Status))
	}
	return strings.Join(out, ", ")
}

func TestRevsThatOvertakeEachOtherAreHeldAndAppliedInOrder(t *testing.T) {
	o, l := overtaken(t)
	l.mustRun(t, `call jump {"rev":3}`)
	o.listen <- `{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":2,"tools":[{"name":"a","visible":false}]}}`
	l.mustRun(t, "wait rev 3")
	if got := l.revs(t); got != "1 applied, 3 held, 2 applied" {
		t.Errorf("the revs: %s", got)
	}
	if n := l.log.Gaps(1); n != 0 {
		t.Errorf("%d gaps", n)
	}
}

func TestARevThatIsLostEndsTheHoldInAGapAndTheListsAreReadAgain(t *testing.T) {
	o, l := overtaken(t)
	before := o.read()
	l.mustRun(t, `call jump {"rev":4}`, "wait rev 4")
	if got := l.revs(t); !strings.HasPrefix(got, "1 applied, 4 gap") {
		t.Errorf("the revs: %s", got)
	}
	expired := false
	for i := range l.log.Len() {
		f, err := l.log.Frame(i)
		if err != nil {
			t.Fatal(err)
		}
		expired = expired || f.Dir == timeline.Note && f.Name == "hold-expired"
	}
	if !expired {
		t.Error("no note says that the hold is over")
	}
	for deadline := time.Now().Add(time.Minute); o.read() == before; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("toolsets/list was not read again")
		}
	}
}

func (o *overtaker) read() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.lists
}
