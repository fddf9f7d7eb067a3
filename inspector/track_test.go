package inspector_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

var cellSigns = map[inspector.CellState]string{
	inspector.CellAway: " ", inspector.CellHidden: "·", inspector.CellUsable: "●", inspector.CellGap: "░",
}

func trackText(tr inspector.Track) string {
	var b strings.Builder
	for _, c := range tr.Cells {
		if c.Redefined {
			b.WriteString("~")
		} else {
			b.WriteString(cellSigns[c.State])
		}
	}
	return b.String()
}

func TestATrackHasACellForEachRev(t *testing.T) {
	p := newTape(t)
	p.negotiated()
	p.openGame(4, "ada", 2)
	p.hint(3, `"tools":[{"name":"play","instance":"ada","visible":false}]`)
	p.hint(6, `"tools":[{"name":"play","instance":"ada","visible":true,"definition":{"description":"x"}}]`)
	p.hint(7, `"reason":"nothing"`)
	p.ask(8, "toolsets/close", `{"toolset":"game","instance":"ada"}`, `{"_meta":{"mcpl/hints":{"rev":8}}}`)
	log := p.log()
	newest := boardAt(t, log, log.Len()-1)
	here, err := log.BoardOfRev(1, 6)
	if err != nil {
		t.Fatal(err)
	}
	play := inspector.Target{Toolset: "game", Instance: "ada", Tool: "play"}
	for _, c := range []struct {
		width         int
		want          string
		from          int64
		here          int
		before, after int64
	}{
		{20, " ●·░░~● ", 1, 5, 0, 0},
		{8, " ●·░░~● ", 1, 5, 0, 0},
		{4, "·░░~", 3, 3, 2, 2},
		{1, "~", 6, 0, 5, 2},
		{0, "", 0, -1, 0, 0},
	} {
		tr := inspector.TrackOf(log, here, newest, play, c.width)
		if got := trackText(tr); got != c.want || tr.From != c.from || tr.Here != c.here || tr.Earlier != c.before || tr.Later != c.after {
			t.Errorf("%d cells: %q from %d, here %d, %d before, %d after; want %+v", c.width, got, tr.From, tr.Here, tr.Earlier, tr.Later, c)
		}
	}
}

// Each cell of a track is what the board says at its rev, wherever the
// playhead stands and however little of the track is shown.
func TestATrackSaysWhatTheBoardsSay(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := newSession(rt, newTape(t))
		for range rapid.IntRange(1, 25).Draw(rt, "steps") {
			s.step()
		}
		log := s.log()
		newest := boardAt(t, log, log.Len()-1)
		rows, err := log.Rows(0, log.RowCount())
		if err != nil {
			rt.Fatal(err)
		}
		for _, target := range []inspector.Target{
			{Toolset: "game", Instance: "ada", Tool: "play"},
			{Toolset: "game", Instance: "bob", Tool: "undo"},
			{Toolset: "chat", Tool: "say"},
			{Toolset: "debug", Tool: "dump"},
			{Tool: "rematch"},
			{Tool: "status"},
		} {
			b := boardAt(t, log, rapid.IntRange(5, log.Len()-1).Draw(rt, "at"))
			tr := inspector.TrackOf(log, b, newest, target, rapid.IntRange(1, 40).Draw(rt, "width"))
			for i, c := range tr.Cells {
				rev := tr.From + int64(i)
				row := log.RowOf(1, rev)
				if (row < 0) != (c.State == inspector.CellGap) {
					rt.Fatalf("rev %d: row %d, %+v", rev, row, c)
				}
				if row < 0 {
					continue
				}
				at, err := log.BoardOfRev(1, rev)
				if err != nil {
					rt.Fatal(err)
				}
				if want := cellOf(at, target); c.State != want {
					rt.Fatalf("%+v at rev %d (from %d): %q, want %q", target, rev, tr.From, cellSigns[c.State], cellSigns[want])
				}
				if want := redefines(&rows[row], target); c.Redefined != want {
					rt.Fatalf("%+v at rev %d: redefined %v, want %v", target, rev, c.Redefined, want)
				}
			}
		}
	})
}

func redefines(r *timeline.Row, t inspector.Target) bool {
	for _, ch := range r.Changes {
		if ch.Kind == timeline.Redefined && ch.Tool == t.Tool && ch.Instance == t.Instance {
			return true
		}
	}
	return false
}

// cellOf is what a board says of a tool in its place.
func cellOf(b *timeline.Board, t inspector.Target) inspector.CellState {
	state := func(c *timeline.Cell) inspector.CellState {
		if c.Visible {
			return inspector.CellUsable
		}
		return inspector.CellHidden
	}
	for _, list := range [][]timeline.Tool{b.Static, b.Loose} {
		for i := range list {
			if list[i].Name == t.Tool {
				return state(&list[i].Cells[0])
			}
		}
	}
	for i := range b.Toolsets {
		set := &b.Toolsets[i]
		for k := range set.Tools {
			tool := &set.Tools[k]
			switch {
			case tool.Name != t.Tool:
			case !set.HasInstances && set.Open:
				return state(&tool.Cells[0])
			default:
				for n := range set.Instances {
					if set.HasInstances && set.Instances[n].Name == t.Instance {
						return state(&tool.Cells[n])
					}
				}
			}
		}
	}
	return inspector.CellAway
}

func TestAToolIsComparedWithEachBaseline(t *testing.T) {
	p := newTape(t)
	p.negotiated()
	p.openGame(4, "ada", 2)
	p.ask(5, "tools/call", `{"name":"play","arguments":{"at":"A1"},"_meta":{"mcpl/instance":"ada"}}`, `{"content":[],"_meta":{"mcpl/hints":{"rev":3,"tools":[{"name":"play","instance":"ada","visible":false}]}}}`)
	p.push(1, "mv-1", "Your move.", `{"rev":4,"tools":[{"name":"play","instance":"ada","visible":true,"definition":{"name":"x","description":"Place, move 2"}}]}`)
	mark := p.note("mark", `{"text":"now"}`)
	p.ask(6, "tools/call", `{"name":"play","arguments":{"at":7},"_meta":{"mcpl/instance":"ada"}}`, `{"content":[]}`)
	p.out(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"play","_meta":{"mcpl/instance":"bob"}}}`)
	p.push(2, "mv-2", "Again.", `{"rev":5,"tools":[{"name":"play","instance":"ada","definition":{"description":"Place, move 3"}},{"name":"undo","instance":"ada","visible":true}]}`)
	p.hint(6, `"tools":[{"name":"play","instance":"ada","visible":false}]`)
	log := p.log()
	now := boardAt(t, log, log.Len()-1)
	play := inspector.Target{Toolset: "game", Instance: "ada", Tool: "play"}
	text := func(b *timeline.Board, t inspector.Target, against inspector.Baseline, mark int) string {
		c := inspector.CompareTool(log, b, t, against, mark)
		d := inspector.Doc{Title: c.Subject, Blocks: c.Blocks}
		out := fmt.Sprintf("%s %s (%s) / %s %s (%s)\n", c.From.Name, c.From.When, c.From.State, c.To.Name, c.To.When, c.To.State) + grid(c.Grid)
		for _, f := range c.Facts {
			out += f.Label + ": " + f.Line.Plain() + "\n"
		}
		return out + print(d)
	}
	got := text(now, play, inspector.AgainstBefore, mark)
	has(
		t, got, "before rev 4 (usable) / here rev 6 (hidden)", "1 differ", "±: Place, move 2 | Place, move 3",
		"CARRIED BY: ← push/event mv-2, frame 17: “Again.”", "APPLIED: next in order after 4, on stdio; nothing in the definition had to be ignored",
		"WHAT THE MODEL WAS TOLD    «about 19 tok, estimated, once; the head stays cached»", "game ada: undo usable; play redefined.     its description",
		"would have rebuilt the head: ~19 tok and all that follows", "CALLS MADE WITH THE ONE BEFORE, 1",
		`→ play {"at":7}   frames 14 and 15   ok, 10 ms        its arguments were not valid then: at is 7, must be string`,
	)
	got = text(now, play, inspector.AgainstDeclared, mark)
	has(
		t, got, "declared frame 4 () / here rev 6", "±: Place | Place, move 3", "CALLS MADE WITH IT AS DECLARED, 1",
		`→ play {"at":"A1"}   frames 9 and 10, rev 3   ok, 10 ms        its arguments were valid then`,
	)
	got = text(now, play, inspector.AgainstMark, mark)
	has(t, got, "your mark “now” 0:00, rev 4 (usable) / here rev 6 (hidden)", "±: Place, move 2 | Place, move 3", "CALLS MADE BETWEEN THE TWO, 1")
	rev4, err := log.BoardOfRev(1, 4)
	if err != nil {
		t.Fatal(err)
	}
	has(t, text(rev4, play, inspector.AgainstBefore, -1), "before rev 3 (hidden) / here rev 4 (usable)", "✗ ignored in the definition: name")
	has(t, text(rev4, play, inspector.AgainstMark, len(p.all)-1), "here rev 4 (usable) / your mark 0:00, rev 6 (hidden)", "±: Place, move 2 | Place, move 3")
	has(
		t, text(now, inspector.Target{Tool: "status"}, inspector.AgainstBefore, -1), "before rev 5 (usable) / here rev 6 (usable)", "0 differ",
		"CARRIED BY: never redefined: as declared in frame 4",
	)
	has(t, text(now, inspector.Target{Tool: "fly"}, inspector.AgainstBefore, -1), "(not listed)", "nothing: the server lists no such tool here")
	has(t, text(now, inspector.Target{Toolset: "game", Instance: "bob", Tool: "play"}, inspector.AgainstBefore, -1), "(not open) / here rev 6 (not open)", "0 differ")
}

func TestARedefinitionByTheListIsTold(t *testing.T) {
	p := newTape(t)
	p.negotiated()
	p.ask(5, "tools/list", `{}`, `{"tools":[{"name":"status","description":"Other","title":"New"}]}`)
	log := p.log()
	c := inspector.CompareTool(log, boardAt(t, log, log.Len()-1), inspector.Target{Tool: "status"}, inspector.AgainstBefore, -1)
	got := grid(c.Grid)
	has(t, got, "3 differ", "±: Who you are | Other", "+title: · | New", "-inputSchema:  | ·")
	if line := c.Facts[0].Line.Plain(); line != "→ tools/list, frame 8" || c.Index != 7 {
		t.Errorf("carried by %q, frame at %d", line, c.Index)
	}
}

func TestAModelIsToldInASentence(t *testing.T) {
	p := newTape(t)
	p.negotiated()
	p.openGame(4, "ada", 2)
	p.hint(3, `"tools":[{"name":"play","instance":"ada","visible":false},{"name":"undo","instance":"ada","visible":true},{"name":"rematch","visible":true}]`)
	p.hint(4, `"tools":[{"name":"play","instance":"ada","visible":true,"definition":{"description":"1234"}},{"name":"rematch","presence":"static"}],"suggest":[{"toolset":"chat","reason":"Say\nhello"}]`)
	p.hint(5, `"toolsets":[{"toolset":"game","instance":"ada","state":"closed"}]`)
	p.hint(6, `"reason":"nothing"`)
	p.via = "http:get:1"
	p.hint(8, `"tools":[{"name":"rematch","visible":false}]`)
	log := p.log()
	rows, err := log.Rows(0, log.RowCount())
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{
		"", "game ada opened: play usable.", "rematch usable. game ada: undo usable; play not usable.",
		"rematch moved between static and dynamic. game ada: play usable again; play redefined. The server suggests: open chat, “Say hello”",
		"game ada closed.", "", "",
	} {
		got := rows[i].Told
		if got.Text != want {
			t.Errorf("row %d: %q, want %q", i, got.Text, want)
		}
		bytes := len(want)
		if i == 3 {
			bytes += len("\n" + `play: {"description":"1234"}`)
			if len(got.Members) != 1 || got.Members[0] != "description" {
				t.Errorf("members %q", got.Members)
			}
		}
		if got.Bytes != bytes || got.Tokens() != (bytes+2)/4 {
			t.Errorf("row %d: %d bytes, %d tokens, want %d", i, got.Bytes, got.Tokens(), bytes)
		}
	}
}
