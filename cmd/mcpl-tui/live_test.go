package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/record"
	"github.com/mcpl-tui/mcpl-tui/session"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// TestWhatALiveSessionShowedIsWhatItsRecordingSays plays on the demo and
// compares, at every frame, the live board with the one of the recording.
func TestWhatALiveSessionShowedIsWhatItsRecordingSays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "live.mcpl.jsonl")
	target := session.Target{Kind: session.KindDemo}
	rec, err := newRecording(target, "", path, true)
	if err != nil {
		t.Fatal(err)
	}
	flags := connectFlags{timeout: defaultTimeout, hostFlags: quietHost()}
	cfg, err := flags.config(target)
	if err != nil {
		t.Fatal(err)
	}
	l := connect(context.Background(), cfg, rec)
	if err := l.sess.WaitReady(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		`open game as vs-ada {"opponent":"ada","size":5}`, `open chat`, `call play@vs-ada {"at":"C3"}`, `call say {"text":"hi"}`,
		`open debug`, `call undo@vs-ada`, `reconnect`, `toolsets`, `close game vs-ada`, `mark the end`,
	} {
		if o := l.sess.Run(t.Context(), line); !o.OK {
			t.Fatalf("%s: %v", line, o.Err)
		}
	}
	l.sess.Close(t.Context())
	l.stop()
	<-l.fed
	if _, err := l.log.Advance(1 << 20); err != nil {
		t.Fatal(err)
	}
	var live [][]byte
	for i := range l.log.Len() {
		live = append(live, exported(t, &loaded{rec: rec, log: l.log}, i))
	}
	if err := rec.Close(); err != nil {
		t.Fatal(err)
	}
	var warnings bytes.Buffer
	file, err := load(t.Context(), path, &warnings)
	if err != nil {
		t.Fatal(err)
	}
	defer file.rec.Close()
	if warnings.Len() > 0 {
		t.Errorf("the recording is not whole: %s", &warnings)
	}
	if file.log.Len() != len(live) || len(live) < 30 {
		t.Fatalf("live %d frames, recorded %d", len(live), file.log.Len())
	}
	for i := range live {
		if got := exported(t, file, i); !bytes.Equal(got, live[i]) {
			t.Errorf("frame %d: live %s\nrecorded %s", i+1, live[i], got)
		}
	}
}

func exported(t *testing.T, l *loaded, i int) []byte {
	t.Helper()
	b, err := l.log.Board(i)
	if err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(b.Export())
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestRecordingsAreNamedAfterWhatIsStarted(t *testing.T) {
	for want, command := range map[string][]string{
		"goban":             {"node", "dist/server.js"},
		"server-everything": {"npx", "-y", "@modelcontextprotocol/server-everything", "stdio"},
		"play":              {"python3", "-u", "/opt/play.py"},
		"my-server":         {"./my-server", "--fast"},
		"node":              {"node"},
	} {
		if got := nameOf(session.Target{Kind: session.KindStdio, Command: command}, "/home/dev/goban"); got != want {
			t.Errorf("%v is called %q, want %q", command, got, want)
		}
	}
}

func TestARecordingSaysWhatWasStartedAndNoSecret(t *testing.T) {
	path := filepath.Join(t.TempDir(), "started.mcpl.jsonl")
	target := session.Target{Kind: session.KindStdio, Command: []string{"true", "--token=s3cr3tXYZ-99887766"}}
	rec, err := newRecording(target, "", path, true)
	if err != nil {
		t.Fatal(err)
	}
	flags := connectFlags{timeout: defaultTimeout, hostFlags: quietHost(), env: []string{"GOBAN_TOKEN=hunter2hunter2"}}
	cfg, err := flags.config(target)
	if err != nil {
		t.Fatal(err)
	}
	l := connect(t.Context(), cfg, rec)
	_ = l.sess.WaitReady(t.Context()) // true is no server; how it ends does not matter
	if err := l.close(); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(raw, []byte(`"note":"connect","data":{"command":["true",`)) || !bytes.Contains(raw, []byte(`"env":["GOBAN_TOKEN"]`)) {
		t.Errorf("it does not say what was started: %.600s", raw)
	}
	for _, secret := range []string{"s3cr3t", "hunter2"} {
		if bytes.Contains(raw, []byte(secret)) {
			t.Errorf("it tells %q", secret)
		}
	}
}

func TestWhoLeavesBehindAFloodDoesNotWaitForIt(t *testing.T) {
	const frames = 100 * atOnce
	for _, left := range []bool{false, true} {
		rec, err := record.CreateSpool(record.Header{Version: record.Version})
		if err != nil {
			t.Fatal(err)
		}
		for i := range frames {
			rec.Append(wire.Frame{
				Seq: int64(i + 1), Conn: 1, Dir: wire.In, Via: "stdio", Form: wire.Msg,
				Body: fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":%d}}`, i+1),
			})
		}
		l := &live{rec: rec, log: timeline.NewLog(rec), dirty: make(chan struct{}, 1), fed: make(chan struct{})}
		l.view = newView(l.log)
		l.left.Store(left)
		ctx, stop := context.WithCancel(t.Context())
		stop()
		l.feed(ctx)
		if n := l.log.Len(); (n == frames) == left {
			t.Errorf("left is %v, and %d of %d frames are reduced", left, n, frames)
		}
		if err := rec.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
