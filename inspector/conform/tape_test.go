package conform_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/inspector/conform"
	"github.com/mcpl-tui/mcpl-tui/timeline/timelinetest"
)

// tape is a session in memory.
type tape = timelinetest.Tape

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
		f, err := timelinetest.ReadFrame(line)
		if err != nil {
			t.Fatal(err)
		}
		frames = append(frames, f)
	}
	return frames, opt
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
