package timeline_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// tape is a recording in memory.
type tape []wire.Frame

func (t tape) Len() int                        { return len(t) }
func (t tape) Frame(i int) (wire.Frame, error) { return t[i], nil }

// readTape reads the frames of a well-formed recording.
func readTape(t testing.TB, raw []byte) tape {
	t.Helper()
	var out tape
	for i, line := range bytes.Split(bytes.TrimSpace(raw), []byte("\n")) {
		if i == 0 {
			continue // the header
		}
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
		}
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatalf("line %d: %v", i+1, err)
		}
		f := wire.Frame{Seq: v.Seq, Conn: v.Conn, Via: v.Via, Name: v.Note, Data: v.Data}
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
		out = append(out, f)
	}
	return out
}

func reduced(t testing.TB, frames timeline.Frames) *timeline.Log {
	t.Helper()
	l := timeline.NewLog(frames)
	for {
		n, err := l.Advance(100)
		if err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			return l
		}
	}
}

func TestCasesGiveTheStateAndTheRowsThatStandBesideThem(t *testing.T) {
	files, _ := filepath.Glob("testdata/cases/*.mcpl.jsonl")
	if len(files) == 0 {
		t.Fatal("no cases found")
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".mcpl.jsonl")
		t.Run(name, func(t *testing.T) {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			l := reduced(t, readTape(t, raw))
			board, err := l.Board(l.Len() - 1)
			if err != nil {
				t.Fatal(err)
			}
			compare(t, "state", strings.Replace(file, ".mcpl.jsonl", ".state.json", 1), board.Export())
			rows, err := l.Rows(0, l.RowCount())
			if err != nil {
				t.Fatal(err)
			}
			var out []timeline.RowJSON
			for i := range rows {
				out = append(out, rows[i].Export())
			}
			compare(t, "revs", strings.Replace(file, ".mcpl.jsonl", ".revs.json", 1), out)
		})
	}
}

func compare(t *testing.T, what, file string, got any) {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var want, have any
	if err := json.Unmarshal(raw, &want); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &have); err != nil {
		t.Fatal(err)
	}
	for _, d := range differences(what, want, have) {
		t.Error(d)
	}
}

// differences compares only the members that stand in want; changes are
// compared as a set.
func differences(path string, want, have any) []string {
	switch w := want.(type) {
	case map[string]any:
		h, ok := have.(map[string]any)
		if !ok {
			return []string{fmt.Sprintf("%s: want an object, have %v", path, have)}
		}
		var out []string
		for k, v := range w {
			out = append(out, differences(path+"."+k, v, h[k])...)
		}
		return out
	case []any:
		h, ok := have.([]any)
		if !ok && have != nil || len(h) != len(w) {
			return []string{fmt.Sprintf("%s: want %s\n have %s", path, short(want), short(have))}
		}
		if strings.HasSuffix(path, ".changes") {
			sortByText(w)
			sortByText(h)
		}
		var out []string
		for i := range w {
			out = append(out, differences(fmt.Sprintf("%s[%d]", path, i), w[i], h[i])...)
		}
		return out
	default:
		if want != have {
			return []string{fmt.Sprintf("%s: want %v, have %v", path, want, have)}
		}
		return nil
	}
}

func short(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

func sortByText(list []any) {
	slices.SortFunc(list, func(a, b any) int { return strings.Compare(short(a), short(b)) })
}
