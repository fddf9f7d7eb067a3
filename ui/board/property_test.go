package board

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

var nastyNames = []string{
	"play", "vs-ada", "", " ", "a\x1b[31mred\x1b[0m", "対局者と話す囲碁", "👩‍👩‍👧‍👧🎲", "שולחן\u200f", "\u202egnp.exe", "e\u0301\u0301\u0301",
	"line\nbreak\ttab", "\xff\xfe broken", strings.Repeat("long-", 40), strings.Repeat("囲", 700), "\u0301", "🇦🇶🇦", "x@y", "ﷺ",
}

func genName(t *rapid.T) string { return rapid.SampledFrom(nastyNames).Draw(t, "name") }

func genBy(t *rapid.T) timeline.By {
	return timeline.By{Rev: rapid.Int64Range(0, 60).Draw(t, "rev"), Index: rapid.IntRange(-1, 200).Draw(t, "index")}
}

func genTools(t *rapid.T, cells int) []timeline.Tool {
	out := make([]timeline.Tool, rapid.IntRange(0, 6).Draw(t, "tools"))
	for i := range out {
		out[i] = timeline.Tool{Name: genName(t), Declared: []byte(`{"title":"` + genName(t) + `"}`)}
		for range cells {
			out[i].Cells = append(out[i].Cells, timeline.Cell{
				Visible: rapid.Bool().Draw(t, "visible"), Redefined: rapid.Bool().Draw(t, "redefined"), DefBy: genBy(t),
			})
		}
	}
	return out
}

func genSet(t *rapid.T) timeline.Toolset {
	set := timeline.Toolset{
		Name: genName(t), Title: genName(t), Declared: rapid.Bool().Draw(t, "declared"), HasInstances: rapid.Bool().Draw(t, "instances"),
		DefaultOpen: rapid.Bool().Draw(t, "default"), OpenedBy: genBy(t), ClosedBy: genBy(t), Changed: genBy(t),
	}
	cells := 1
	if set.HasInstances {
		cells = rapid.IntRange(0, 7).Draw(t, "cells")
		for range cells {
			set.Instances = append(set.Instances, timeline.Instance{
				Name: genName(t), Title: genName(t), OpenedBy: genBy(t), Changed: genBy(t), Redefined: rapid.Bool().Draw(t, "redefined"),
			})
		}
		set.Open = cells > 0
	} else {
		set.Open = rapid.Bool().Draw(t, "open")
	}
	set.Tools = genTools(t, cells)
	return set
}

func genBoard(t *rapid.T) *timeline.Board {
	b := &timeline.Board{
		Index: 99, Seq: 100, Conn: rapid.IntRange(1, 3).Draw(t, "conn"), ListAt: rapid.IntRange(-1, 20).Draw(t, "listAt"),
		ToolHints: rapid.Bool().Draw(t, "hints"), ServerHints: rapid.Bool().Draw(t, "serverHints"), MCPL: genName(t), LastRev: 50,
	}
	b.Link.Phase = rapid.SampledFrom([]timeline.Phase{timeline.Connecting, timeline.Handshake, timeline.Live, timeline.Closed}).Draw(t, "phase")
	for range rapid.IntRange(0, 3).Draw(t, "steps") {
		b.Link.Steps = append(b.Link.Steps, timeline.Step{Name: genName(t), Answered: rapid.IntRange(-1, 3).Draw(t, "answered"), Note: genName(t)})
	}
	b.Static, b.Loose = genTools(t, 1), genTools(t, 1)
	for range rapid.IntRange(0, 4).Draw(t, "sets") {
		b.Toolsets = append(b.Toolsets, genSet(t))
	}
	for range rapid.IntRange(0, 3).Draw(t, "ended") {
		b.Ended = append(b.Ended, timeline.Ended{ID: genName(t), Toolset: genName(t), Instance: genName(t), Reason: genName(t), By: genBy(t)})
	}
	for range rapid.IntRange(0, 3).Draw(t, "suggestions") {
		b.Suggestions = append(b.Suggestions, timeline.Suggestion{
			Toolset: genName(t), Instance: genName(t), Action: rapid.SampledFrom([]string{"open", "close"}).Draw(t, "action"),
			Reason: genName(t), By: genBy(t), Taken: rapid.Bool().Draw(t, "taken"), TakenBy: genBy(t),
		})
	}
	return b
}

func genRows(t *rapid.T) []timeline.Row {
	rows := revRows(rapid.IntRange(0, 80).Draw(t, "rows"))
	for i := range rows {
		if rapid.IntRange(0, 3).Draw(t, "odd") > 0 {
			continue
		}
		r := &rows[i]
		r.Carrier = timeline.Carrier(rapid.IntRange(1, 6).Draw(t, "carrier"))
		r.Status = timeline.Status(rapid.IntRange(1, 8).Draw(t, "status"))
		r.Rev = rapid.SampledFrom([]int64{0, 7, 1 << 53}).Draw(t, "rev")
		r.RawRev = rapid.SampledFrom([][]byte{nil, []byte(`"x\u001b"`), []byte(`1e999`)}).Draw(t, "raw")
		r.Conn = rapid.IntRange(1, 3).Draw(t, "conn")
		r.T = time.Duration(rapid.Int64Range(-5, 400000).Draw(t, "t")) * time.Second
		r.Text, r.Reason, r.Cause.Tool, r.Cause.Instance, r.Cause.Toolset = genName(t), genName(t), genName(t), genName(t), genName(t)
		n := func() uint16 { return uint16(rapid.SampledFrom([]int{0, 1, 12, 65535}).Draw(t, "n")) }
		r.Counts = timeline.Counts{Opened: n(), Closed: n(), Shown: n(), Hidden: n(), Redefined: n(), Suggested: n()}
		r.Changes = []timeline.Change{{Kind: timeline.Shown, Tool: genName(t), Instance: genName(t)}}
		r.Dropped = []timeline.Dropped{{Rule: "hints-instance-missing", Tool: genName(t)}}
		if i > 0 && rapid.Bool().Draw(t, "batch") {
			r.Index = rows[i-1].Index
		}
	}
	return rows
}

var allKeys = []string{
	"j", "k", "h", "l", "g", "G", "tab", "shift+tab", "enter", "esc", "i", "z", "/", "c", "o", "x", "a", "y", "Y", "r", "[", "]",
	"ctrl+d", "ctrl+u", "pgup", "pgdown", "home", "end", "é", "backspace", "ctrl+c", "f1",
}

// paper is an INSPECT that fills its region, so that one that is too large is
// seen.
type paper struct{}

func (paper) Draw(r kit.Region, _ inspector.Doc, _ bool) {
	for y := range r.H {
		r.Fill(0, y, r.W, kit.Style{}, "i")
	}
}
func (paper) Key(key string) bool { return key == "down" }
func (paper) Wheel(int)           {}
func (paper) Typing() bool        { return false }
func (paper) Paste(string) bool   { return false }

// At no size, with no state, after no keys does a board panic, draw outside
// its region, or let a control character through.
func TestABoardStaysInItsPlace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := genRows(t)
		b, c := hand(genBoard(t), rows, rapid.IntRange(-1, len(rows)).Draw(t, "cur"), 170)
		b.Inspect = paper{}
		b.Explain = func(_ *view.Context, sel Selection) inspector.Doc {
			return inspector.Doc{Title: nameOf(sel), Note: nastyNames[len(sel.Tool)%len(nastyNames)]}
		}
		c.Replay, c.Ended = rapid.Bool().Draw(t, "replay"), rapid.Bool().Draw(t, "ended")
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			w, h := uitest.AnySize(t)
			uitest.InPlace(t, b, c, w, h)
			if rapid.Bool().Draw(t, "mouse") {
				b.Click(rapid.IntRange(-2, w+2).Draw(t, "x"), rapid.IntRange(-2, h+2).Draw(t, "y"), rapid.IntRange(-1, 1).Draw(t, "wheel"), c)
			} else {
				b.Key(rapid.SampledFrom(allKeys).Draw(t, "key"), c)
			}
			if rapid.IntRange(0, 4).Draw(t, "other") == 0 {
				c.Board = genBoard(t)
				c.Newest = c.Board
			}
			b.Help(c)
			b.Where(c)
			b.Narrow(c, w, h)
			uitest.InPlace(t, b, c, w, h)
		}
	})
}

// The cursor of the pane with the focus is in sight, wherever it is moved.
func TestTheCursorOfToolsIsAlwaysInSight(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		state := genBoard(t)
		state.ListAt, state.Link.Phase, state.ToolHints = 3, timeline.Live, true
		b, c := hand(state, revRows(3), 2, 170)
		w, h := rapid.IntRange(20, 170).Draw(t, "w"), rapid.IntRange(3, 50).Draw(t, "h")
		uitest.Screen(b, c, w, h)
		for range 8 {
			b.Key(rapid.SampledFrom([]string{"j", "k", "h", "l", "pgdown", "pgup", "end", "home"}).Draw(t, "key"), c)
			text := uitest.Screen(b, c, w, h)
			if b.sel.Kind != OnNothing && !strings.Contains(text, "▌") {
				t.Fatalf("%d×%d: %+v is out of sight:\n%s", w, h, b.sel, text)
			}
			if b.sel.Instance != "" && b.sel.Kind == OnTool && b.sel.Instance != " " && !strings.Contains(text, "[") {
				t.Fatalf("%d×%d: the column of %+v is out of sight:\n%s", w, h, b.sel, text)
			}
		}
	})
}
