package lanes

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// drawSession makes a session by chance: sound messages and broken ones,
// holes, revs that come early and late, reconnects. Nothing is held for long
// enough to be let go by time.
func drawSession(t *rapid.T, most int) *session {
	s := &session{step: time.Millisecond}
	via := rapid.SampledFrom([]string{"stdio", "http:post:1"}).Draw(t, "via")
	s.connect(via)
	rev := int64(0)
	for range rapid.IntRange(0, most).Draw(t, "moves") {
		in := rapid.SampledFrom([]string{"a", "b", "c", ""}).Draw(t, "instance")
		rev++
		at := max(rev+rapid.SampledFrom([]int64{0, 0, 0, 0, 0, 0, 1, 3, -1, 60}).Draw(t, "skew"), 1)
		rev = max(rev, at)
		tool := rapid.SampledFrom([]string{"move", "undo", "say", "loose", "status", "dump", "ghost"}).Draw(t, "tool")
		switch rapid.IntRange(0, 15).Draw(t, "move") {
		case 0:
			s.hints(at, opened(in)+visible(tool, in, true))
		case 1:
			s.hints(at, fmt.Sprintf(`,"toolsets":[{"toolset":"game","instance":%q,"state":"closed"}]`, in))
		case 2:
			s.hints(at, fmt.Sprintf(`,"toolsets":[{"toolset":"chat","state":%q}]`, rapid.SampledFrom([]string{"open", "closed"}).Draw(t, "chat")))
		case 3, 4, 5, 6:
			s.hints(at, visible(tool, in, rapid.Bool().Draw(t, "on")))
		case 7, 8:
			s.hints(at, fmt.Sprintf(`,"tools":[{"name":%q,"instance":%q,"definition":{"description":"now %d"}}]`, tool, in, at%3))
		case 9:
			s.hints(at, fmt.Sprintf(`,"suggest":[{"toolset":"game","instance":%q,"action":"close"}]`, in))
		case 10:
			s.ask("toolsets/open", fmt.Sprintf(`{"toolset":"game","instance":%q}`, in), fmt.Sprintf(`{"instance":%q,"_meta":{"mcpl/hints":{"rev":%d}}}`, in, at))
		case 11:
			s.ask("tools/call", fmt.Sprintf(`{"name":%q,"_meta":{"mcpl/instance":%q}}`, tool, in), fmt.Sprintf(`{"_meta":{"mcpl/hints":{"rev":%d}}}`, at))
		default:
			switch rapid.IntRange(0, 7).Draw(t, "rare") {
			case 0:
				s.connect(via)
				rev = 0
			case 1, 2:
				s.list(rapid.Permutation([]string{"status", "loose", "move", "undo", "say", "dump"}).Draw(t, "list")[:4]...)
			default:
				name := rapid.SampledFrom([]string{"group-open", "group-close"}).Draw(t, "group")
				s.frames = append(s.frames, timeline.Frame{
					Seq: int64(len(s.frames) + 1), T: s.at, Conn: s.conn, Dir: timeline.Note, Name: name, Data: []byte(`{"toolset":"debug"}`),
				})
			}
		}
	}
	return s
}

// The label column is the board: at any frame the cell beside a tool's lane
// is that of TOOLS, and the marked column says the same.
func TestLabelsAndTheMarkedColumnAgreeWithTheBoard(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		log := drawSession(rt, 60).log(t)
		at := rapid.IntRange(0, log.Len()-1).Draw(rt, "at")
		c := uitest.MomentOf(t, log, at, log.Entry(log.Len()-1).T)
		v := New()
		v.zoom = zoom{revs: 1, cols: 1}
		v.folds = map[string]bool{}
		w := rapid.SampledFrom([]int{60, 160}).Draw(rt, "w")
		uitest.Screen(v, c, w, 100)
		for i := range v.rows { // all of it
			v.folds[v.lane(&v.rows[i]).foldKey()] = false
		}
		lines := strings.Split(uitest.Screen(v, c, w, 100), "\n")
		m := v.look(c)
		for i := range v.rows {
			r := &v.rows[i]
			l := v.lane(r)
			if r.kind != onTool {
				continue
			}
			cell := cellOnBoard(c.Board, l)
			checkLabel(rt, m, l, []rune(lines[m.at.lanes.y+i]), cell)
			checkColumn(rt, v, m, r, cell)
		}
	})
}

// cellOnBoard looks a cell up in its own way.
func cellOnBoard(b *timeline.Board, l lane) *timeline.Cell {
	find := func(tools []timeline.Tool, k int) *timeline.Cell {
		for i := range tools {
			if tools[i].Name == l.tool && k < len(tools[i].Cells) {
				return &tools[i].Cells[k]
			}
		}
		return nil
	}
	if l.toolset == "" {
		if c := find(b.Static, 0); c != nil {
			return c
		}
		return find(b.Loose, 0)
	}
	for i := range b.Toolsets {
		ts := &b.Toolsets[i]
		if ts.Name != l.toolset {
			continue
		}
		if !ts.HasInstances {
			return find(ts.Tools, 0)
		}
		for k := range ts.Instances {
			if ts.Instances[k].Name == l.instance {
				return find(ts.Tools, k)
			}
		}
	}
	return nil
}

func checkLabel(rt *rapid.T, m *moment, l lane, line []rune, cell *timeline.Cell) {
	dot := line[m.cellX()+2]
	want := ' '
	if cell != nil {
		want = '○'
		if cell.Visible {
			want = '●'
		}
	}
	if dot != want {
		rt.Fatalf("%s: %q beside the lane, the board says %+v:\n%s", l.name(), dot, cell, string(line))
	}
	if sign := line[m.cellX()+1]; cell != nil && (sign == '≠' || sign == '~') != cell.Redefined && sign != '~' {
		rt.Fatalf("%s: %q beside the lane, redefined is %v:\n%s", l.name(), sign, cell.Redefined, string(line))
	}
}

func checkColumn(rt *rapid.T, v *View, m *moment, r *row, cell *timeline.Cell) {
	for i := range m.strips {
		sums, _ := v.sums(r, &m.strips[i])
		for k := range sums {
			if !m.strips[i].cells[k].here {
				continue
			}
			usable := cell != nil && cell.Visible
			if sums[k].usable != usable {
				rt.Fatalf("frame %d, %s: the marked column says usable %v, the board %v", m.b.Seq, v.lane(r).name(), sums[k].usable, usable)
			}
		}
	}
}

// Zoomed out, a cell shows the state after its last rev, and nothing that
// happened in it is lost.
func TestACellOfSeveralRevsTellsWhatTheyDid(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		log := drawSession(rt, 60).log(t)
		c := uitest.MomentOf(t, log, rapid.IntRange(0, log.Len()-1).Draw(rt, "at"), log.Entry(log.Len()-1).T)
		v := New()
		v.zoom = zoom{revs: 1, cols: 1}
		v.w, v.h = 4000, 100 // all of it in sight
		one := v.look(c)
		for v.marks.behind(c) {
			v.marks.work(v, one)
		}
		per := rapid.Int64Range(2, 9).Draw(rt, "per")
		v.zoom = zoom{revs: per}
		many := v.look(c)
		if len(one.strips) != len(many.strips) {
			rt.Fatalf("%d sections became %d", len(one.strips), len(many.strips))
		}
		for i := range v.rows {
			r := &v.rows[i]
			lists := v.covered(r)
			for k := range many.strips {
				s1, _ := v.sums(r, &one.strips[k])
				fine := append([]sum(nil), s1...)
				coarse, _ := v.sums(r, &many.strips[k])
				for n := range coarse {
					from, to := n*int(per), min((n+1)*int(per), len(fine))
					checkSum(rt, v.lane(r), &coarse[n], fine[from:to])
					flagged := false
					for j := from; j < to; j++ {
						flagged = flagged || one.axis.flagged(lists, &one.strips[k], j)
					}
					if got := many.axis.flagged(lists, &many.strips[k], n); got != flagged {
						rt.Fatalf("%s, cell %d: flagged %v, its revs say %v", v.lane(r).name(), n, got, flagged)
					}
				}
			}
		}
	})
}

func checkSum(rt *rapid.T, l lane, got *sum, fine []sum) {
	messages := map[timeline.MessageID]bool{}
	asked := false
	for i := range fine {
		for _, id := range []timeline.MessageID{fine[i].first, fine[i].last} {
			if id != 0 {
				messages[id] = true
			}
		}
		asked = asked || (fine[i].own | fine[i].kinds).Has(timeline.Suggested)
	}
	last := &fine[len(fine)-1]
	if got.usable != last.usable || got.there != last.there || got.open != last.open {
		rt.Fatalf("%s: %+v, its last rev says %+v", l.name(), got, last)
	}
	n := 0
	if got.first != 0 {
		n++
	}
	if got.first != got.last {
		n++
	}
	if n != min(len(messages), 2) || (got.own|got.kinds).Has(timeline.Suggested) != asked {
		rt.Fatalf("%s: %+v, its revs say %d messages, asked %v: %+v", l.name(), got, len(messages), asked, fine)
	}
}

var allKeys = []string{
	"j", "k", "h", "l", "g", "G", "tab", "shift+tab", "enter", "esc", "i", "z", "/", "c", "o", "x", "a", "y", "[", "]", "K", "J", "e", "E",
	"ctrl+d", "ctrl+u", "pgup", "pgdown", "home", "end", "é", "m", "backspace", "ctrl+c", "f1", " ",
}

// At no size, in no session, after no keys do the lanes panic, draw outside
// their region, let a control character through, or lose the cursor.
func TestTheLanesStayInTheirPlace(t *testing.T) {
	recordings := uitest.Recordings()
	rapid.Check(t, func(rt *rapid.T) {
		var log *timeline.Log
		if name := rapid.SampledFrom([]string{"", "", "goban", "many", "reconnect", "nohints", "plain", "failed", "silent", "empty"}).Draw(rt, "recording"); name == "" {
			log = drawSession(rt, 30).log(t)
		} else {
			log = uitest.NewSource(t, uitest.Frames(recordings[name])).Log()
		}
		v := New()
		v.SetTime(rapid.IntRange(0, 3).Draw(rt, "by time") == 0)
		if rapid.Bool().Draw(rt, "zoomed") {
			v.SetZoom(rapid.IntRange(-1, 40).Draw(rt, "zoom"))
		}
		c := uitest.MomentOf(t, log, log.Len()-1, log.Entry(log.Len()-1).T)
		for range rapid.IntRange(1, 10).Draw(rt, "steps") {
			w, h := uitest.AnySize(rt)
			check(rt, v, c, w, h)
			var do view.Intent
			if rapid.IntRange(0, 2).Draw(rt, "mouse") == 0 {
				do = v.Click(rapid.IntRange(-2, w+2).Draw(rt, "x"), rapid.IntRange(-2, h+2).Draw(rt, "y"), rapid.IntRange(-1, 1).Draw(rt, "wheel"), c)
			} else {
				do, _ = v.Key(rapid.SampledFrom(allKeys).Draw(rt, "key"), c)
			}
			switch do.Kind {
			case view.GoTo:
				if do.Index < 0 || do.Index >= log.Len() {
					rt.Fatalf("the playhead is to stand at %d of %d frames", do.Index, log.Len())
				}
				c = uitest.MomentOf(t, log, do.Index, c.Now)
				c.Follow = false
			case view.GoLive:
				c = uitest.MomentOf(t, log, log.Len()-1, c.Now)
			}
			c.Replay, c.Ended = rapid.Bool().Draw(rt, "replay"), rapid.IntRange(0, 4).Draw(rt, "ended") == 0
			v.Help(c)
			v.Where(c)
			v.Narrow(c, w, h)
			check(rt, v, c, w, h)
		}
	})
}

// check looks whether the lanes stay in their place, and whether the cursor
// and the playhead are in sight.
func check(t *rapid.T, v *View, c *view.Context, w, h int) {
	text := uitest.InPlace(t, v, c, w, h)
	if w < narrowColumns/2 || h < smallBody || len(v.rows) == 0 {
		return
	}
	if !v.free && !strings.Contains(text, "▌") {
		t.Fatalf("%d×%d: %+v is out of sight:\n%s", w, h, v.sel, text)
	}
	m := v.look(c)
	if x := m.here.col - v.track.left; m.here.col >= 0 && m.at.track.w > 3 && (x < 0 || x >= int64(m.at.track.w)) || len(m.axis.sections) > 0 && !strings.Contains(text, "▼") {
		t.Fatalf("%d×%d: the playhead is out of sight, at column %d:\n%s", w, h, x, text)
	}
}
