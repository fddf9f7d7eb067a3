package record

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

const snoopLog = `{"session_id":"s-1","server_label":"goban","seq":0,"ts":"2026-11-29T10:00:00.5Z","direction":"meta","transport":"stdio","raw":{"command":["node","server.js","--token","abc"],"cwd":"/home/ada"}}
{"session_id":"s-1","server_label":"goban","seq":1,"ts":"2026-11-29T10:00:00.750001Z","direction":"c2s","transport":"stdio","raw":{"jsonrpc":"2.0", "id":1,"method":"initialize"}}
{"session_id":"s-1","server_label":"goban","seq":2,"ts":"2026-11-29T10:00:01Z","direction":"s2c","transport":"stdio","text":"Listening on \u001b[1mstdio\n"}
{"session_id":"s-2","server_label":"other","seq":1,"ts":"2026-11-29T10:00:00.9Z","direction":"s2c","transport":"http","raw":{"jsonrpc":"2.0","id":1,"result":{}},"status":200}
{"session_id":"s-1","server_label":"goban","seq":3,"ts":"2026-11-29T11:00:02+01:00","direction":"stderr","transport":"stdio","text":"warn"}
{"session_id":"s-1","server_label":"goban","seq":4,"ts":"nonsense","direction":"stderr","transport":"stdio"}
{"session_id":"s-1","server_label":"goban","seq":5,"ts":"2026-11-29T10:00:03Z","direction":"up","transport":"stdio","raw":{}}
{"session_id":"s-1","server_label":"goban","seq":6,"ts":"2026-1`

func TestAnMCPSnoopLogIsReadAsARecording(t *testing.T) {
	path := fileOf(t, snoopLog)
	r := open(t, path)
	ms := func(n int) time.Duration { return time.Duration(n) * time.Millisecond }
	want := []wire.Frame{
		{Seq: 1, Conn: 1, Dir: wire.Note, Name: "connect", Data: []byte(`{"command":["node","server.js","--token","abc"],"cwd":"/home/ada"}`)},
		{Seq: 2, T: ms(250) + time.Microsecond, Conn: 1, Dir: wire.Out, Via: "stdio", Form: wire.Msg, Body: []byte(`{"jsonrpc":"2.0", "id":1,"method":"initialize"}`)},
		{Seq: 3, T: ms(500), Conn: 1, Dir: wire.In, Via: "stdio", Form: wire.Text, Body: []byte("Listening on \x1b[1mstdio\n")},
		{Seq: 4, T: ms(500), Conn: 2, Dir: wire.In, Via: "http:post:0", Form: wire.Msg, Body: []byte(`{"jsonrpc":"2.0","id":1,"result":{}}`), HTTP: []byte(`{"status":200}`)},
		{Seq: 5, T: ms(1500), Conn: 1, Dir: wire.Err, Via: "stdio", Form: wire.Text, Body: []byte("warn")},
		{Seq: 6, T: ms(1500), Conn: 1, Dir: wire.Err, Via: "stdio", Form: wire.Text},
	}
	same(t, want, all(t, r))
	h := r.Header()
	if h.Tool != "mcpsnoop" || h.ID != "s-1" || !h.Started.Equal(begun.Add(ms(500))) || h.Target.Cwd != "/home/ada" ||
		strings.Join(h.Target.Command, " ") != "node server.js --token "+Mask {
		t.Errorf("header %+v", h)
	}
	s := r.Status()
	if !s.Cut || s.SkippedCount != 1 || s.Skipped[0].Line != 7 || !strings.Contains(s.Skipped[0].Why, `"up"`) {
		t.Errorf("status %+v", s)
	}
	saved := filepath.Join(t.TempDir(), "b.mcpl.jsonl")
	if err := r.Save(saved); err != nil {
		t.Fatal(err)
	}
	same(t, want, all(t, open(t, saved)))
}

func TestAnMCPSnoopLogWithoutItsFirstLinesIsRead(t *testing.T) {
	lines := strings.SplitAfter(snoopLog, "\n")
	r := open(t, fileOf(t, "{damaged\n"+lines[3]+lines[1]))
	got := all(t, r)
	if len(got) != 2 || got[0].Conn != 1 || got[1].Conn != 2 || got[1].T != 0 {
		t.Fatalf("frames %+v", got)
	}
	if h := r.Header(); h.Target.Kind != "http" || len(h.Target.Command) > 0 {
		t.Errorf("header %+v", h)
	}
	if s := r.Status(); s.SkippedCount != 1 || s.Skipped[0] != (Skipped{1, "it is no JSON"}) {
		t.Errorf("status %+v", s)
	}
	one := open(t, fileOf(t, lines[4])).Header()
	if one.Target.Kind != "stdio" || strings.Join(one.Target.Command, " ") != "goban" {
		t.Errorf("header %+v", one)
	}
}
