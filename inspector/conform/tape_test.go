package conform_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/inspector/conform"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// tape is a recording in memory.
type tape []wire.Frame

func (t tape) Len() int                        { return len(t) }
func (t tape) Frame(i int) (wire.Frame, error) { return t[i], nil }

var _ timeline.Frames = tape{}

// readTape reads the frames of a recording. A line that is no JSON counts as
// skipped, a last one that is cut as the end, as a reader of files does it.
func readTape(t testing.TB, raw []byte) (frames tape, opt conform.Options) {
	t.Helper()
	lines := bytes.Split(bytes.TrimSuffix(raw, []byte("\n")), []byte("\n"))
	for i, line := range lines {
		if i == 0 {
			continue // the header
		}
		if !json.Valid(line) {
			if i == len(lines)-1 {
				opt.Cut = true
			} else {
				opt.Skipped++
			}
			continue
		}
		frames = append(frames, readFrame(t, line))
	}
	return frames, opt
}

func readFrame(t testing.TB, line []byte) wire.Frame {
	t.Helper()
	var v struct {
		Seq  int64
		T    json.Number
		Conn int
		Dir  string
		Via  string
		Msg  json.RawMessage
		Text *string
		B64  *string
		Note string
		Data json.RawMessage
		HTTP json.RawMessage
	}
	if err := json.Unmarshal(line, &v); err != nil {
		t.Fatalf("%v in %s", err, line)
	}
	f := wire.Frame{Seq: v.Seq, Conn: v.Conn, Via: v.Via, Name: v.Note, Data: v.Data, HTTP: v.HTTP}
	secs, _ := v.T.Float64()
	f.T = time.Duration(secs*1e6+0.5) * time.Microsecond
	f.Dir, _ = wire.ParseDir(v.Dir)
	switch {
	case v.Msg != nil:
		f.Form, f.Body = wire.Msg, wire.Member(line, "msg")
	case v.Text != nil:
		f.Form, f.Body = wire.Text, []byte(*v.Text)
	case v.B64 != nil:
		f.Form = wire.Binary
		f.Body, _ = base64.StdEncoding.DecodeString(*v.B64)
	}
	return f
}

// judged runs a judge over frames to their end.
func judged(frames tape, opt conform.Options) *conform.Run {
	r := conform.NewRun(opt)
	for _, f := range frames {
		r.Frame(f)
	}
	r.End()
	return r
}

// line writes a finding as the cases have it.
func line(f conform.Finding) string {
	s := fmt.Sprintf("%s %s seq %d conn %d", f.Level, f.Rule, f.Seq, f.Conn)
	if f.Rev != nil {
		s += fmt.Sprintf(" rev %d", *f.Rev)
	}
	for _, part := range []struct {
		name string
		v    *string
	}{{"toolset", f.Toolset}, {"instance", f.Instance}, {"tool", f.Tool}} {
		if part.v != nil {
			s += fmt.Sprintf(" %s %s", part.name, *part.v)
		}
	}
	if f.Count > 1 {
		s += fmt.Sprintf(" ×%d", f.Count)
	}
	return s + "\n  " + f.Message
}

// worse returns the findings at or above a level.
func worse(all []conform.Finding, level conform.Level) []conform.Finding {
	var out []conform.Finding
	for _, f := range all {
		if f.Level >= level {
			out = append(out, f)
		}
	}
	return out
}

func lines(all []conform.Finding) string {
	var b bytes.Buffer
	for _, f := range all {
		fmt.Fprintln(&b, line(f))
	}
	return b.String()
}
