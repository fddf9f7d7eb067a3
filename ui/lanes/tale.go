package lanes

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/label"
)

// tale is what LANE says. Telling reads frames, so that it is kept until
// something moved.
type tale struct {
	key     taleKey
	title   string
	note    string
	lines   []taleLine
	head    taleLine // CHANGES OF THIS LANE
	changes []change
	short   [2]string // LANE in two lines
	bad     bool      // the second of them tells a finding
}

type taleKey struct {
	sel      lane
	folded   bool
	log      *timeline.Log
	board    *timeline.Board
	at, len  int
	rows     int
	h        int
	marks    int
	calls    int
	follow   bool
	tellsAll bool
}

// taleLine is one line of LANE: its heading, what is so, and what caused it,
// in a column of its own.
type taleLine struct {
	head, text, cause string
	right             string
	bad               bool // it tells a finding
}

// change is one line of CHANGES OF THIS LANE.
type change struct {
	index int // position of its frame
	rev   string
	time  string
	cause string
	signs string
	state string
	here  bool
	later bool
}

// told returns what LANE says at this moment.
func (v *View) told(m *moment) *tale {
	if m.c.Log == nil || len(v.rows) == 0 {
		return &tale{}
	}
	full := m.at.paneHead.h > 0
	key := taleKey{
		sel: v.sel, folded: v.rows[v.lastAt].folded, log: m.c.Log, board: m.c.Board, at: m.c.At, len: m.c.Len, rows: m.c.Rows,
		h: m.at.pane.h, marks: len(v.marks.all), follow: m.c.Follow, tellsAll: full,
	}
	if full {
		key.calls = v.calls.seen
	}
	if v.tale.key == key && v.tale.title != "" {
		return &v.tale
	}
	v.tale = tale{key: key, title: v.sel.name()}
	t := teller{v: v, m: m, s: v.subject(m), tale: &v.tale}
	v.tale.note = t.note()
	if full {
		t.full()
	} else {
		t.brief()
	}
	return &v.tale
}

// teller makes a tale.
type teller struct {
	v    *View
	m    *moment
	s    subject
	tale *tale
	// The change that brought the lane's state, the one before it, and the
	// next.
	is, was, then     timeline.Event
	hasIs, hasWas, ok bool
}

// turns finds the changes of the lane's state around the playhead.
func (t *teller) turns() {
	at := t.m.c.At
	t.is, t.hasIs = t.s.changedBefore(at)
	if t.hasIs {
		t.was, t.hasWas = t.s.changedBefore(t.is.Index - 1)
	}
	t.then, t.ok = t.s.changedAfter(at)
}

// atRev names the playhead's rev, "" before the first.
func (t *teller) atRev() string {
	if t.m.b.LastRev == 0 {
		return ""
	}
	return " at rev " + label.Rev(t.m.b.Conn, t.m.b.LastRev)
}

// note is the right end of LANE's head line.
func (t *teller) note() string {
	if t.s.sources == nil {
		return t.counted() + t.atRev()
	}
	return t.s.word(t.m.c.At) + t.atRev()
}

// counted says how many of the tools of a lane that stands for several are
// usable.
func (t *teller) counted() string {
	n, all := 0, 0
	switch t.s.kind {
	case onStatic:
		n, all = label.Usable(t.m.b.Static)
	case onLoose:
		n, all = label.Usable(t.m.b.Loose)
	case onDynamic:
		n, all = label.Dynamic(t.m.b)
	default:
		if ts := label.Toolset(t.m.b, t.s.toolset); ts != nil {
			n, all = label.Usable(ts.Tools)
		}
	}
	return fmt.Sprintf("%d of %d usable", n, all)
}

// full tells all of it.
func (t *teller) full() {
	tl := t.tale
	if t.s.sources != nil {
		t.turns()
		tl.lines = append(tl.lines, t.wasLine(), t.isLine(), t.thenLine())
	} else {
		tl.lines = append(tl.lines, t.groupLines()...)
	}
	switch t.s.kind {
	case onTool:
		k := callKey{int32(t.s.key.Conn), t.s.tool, t.s.instance}
		tl.lines = append(tl.lines, taleLine{head: "REDEFINED", text: t.redefined()},
			taleLine{head: "CALLS", text: t.v.calls.tell(t.m.c, k)})
	case onInstance, onToolset:
		tl.lines = append(tl.lines, taleLine{head: "TOOLS", text: t.toolsOf()})
	}
	tl.lines = append(tl.lines, t.findings())
	t.changes(t.tale.key.h - len(tl.lines) - 2)
}

// by names what a change came with: "rev 36, 2:42", "frame 10, 0:00".
func (t *teller) by(e timeline.Event) string {
	return t.rev(e) + ", " + inspector.ClockShort(t.m.c.Log.Entry(e.Index).T)
}

// rev names a change's rev, or its frame where no rev brought it.
func (t *teller) rev(e timeline.Event) string {
	if e.Row >= 0 {
		if h := t.m.c.Log.RowHead(e.Row); h.Taken >= 0 {
			return "rev " + label.Rev(h.Conn, h.Rev)
		}
	}
	return "frame " + seqOf(t.m.c.Log.Entry(e.Index))
}

func seqOf(e timeline.Entry) string { return strconv.FormatInt(e.Seq, 10) }

func (t *teller) wasLine() taleLine {
	l := taleLine{head: "WAS"}
	if !t.hasIs {
		l.text = "the same, as far back as this connection goes"
		return l
	}
	before := t.is.Index - 1
	l.text = t.s.word(before)
	if t.hasWas {
		l.text += " from " + t.by(t.was)
		l.cause = t.cause(t.was)
		return l
	}
	l.text += " before"
	if why := t.s.why(before); why != "" {
		l.text += ": " + why
	}
	return l
}

func (t *teller) isLine() taleLine {
	l := taleLine{head: "IS", text: t.s.word(t.m.c.At)}
	if !t.hasIs {
		if why := t.s.why(t.m.c.At); why != "" {
			l.text += " so far: " + strings.Replace(why, "was", "is", 1)
		}
		return l
	}
	l.text += ", by " + t.by(t.is)
	l.cause = t.cause(t.is)
	return l
}

func (t *teller) thenLine() taleLine {
	l := taleLine{head: "THEN"}
	newest := t.m.newest
	switch {
	case t.ok:
		l.text = t.s.word(t.then.Index) + " by " + t.by(t.then)
		l.cause = t.cause(t.then)
	case newest.Conn != t.m.b.Conn:
		l.text = "no later change on this connection"
	case newest.LastRev > t.m.b.LastRev:
		l.text = "no later change: still " + t.s.word(t.m.c.Len-1) + " at rev " + label.Rev(newest.Conn, newest.LastRev)
	case t.m.b.LastRev > 0:
		l.text = "nothing yet: rev " + label.Rev(newest.Conn, newest.LastRev) + " is the newest"
	default:
		l.text = "nothing yet"
	}
	return l
}

// groupLines tells of a lane that stands for several: what is so, and when
// anything in it last changed, and next.
func (t *teller) groupLines() []taleLine {
	out := []taleLine{{head: "IS", text: t.counted()}}
	if t.s.kind == onToolset {
		if ts := label.Toolset(t.m.b, t.s.toolset); ts != nil {
			out[0].text = inspector.Count(len(ts.Instances), "instance") + " open, " + out[0].text
		}
	}
	if t.s.many > 0 {
		return out
	}
	last, next := t.s.touchedBefore(t.m.c.At), t.s.touchedAfter(t.m.c.At)
	event := func(i int) (e timeline.Event) {
		e = timeline.Event{Index: i, Row: -1}
		if events := t.s.events(i); len(events) > 0 {
			e = events[len(events)-1]
		}
		return e
	}
	if last >= 0 {
		e := event(last)
		out = append(out, taleLine{head: "LAST", text: "changed by " + t.by(e), cause: t.cause(e)})
	}
	if next >= 0 {
		e := event(next)
		out = append(out, taleLine{head: "THEN", text: "changed by " + t.by(e), cause: t.cause(e)})
	} else {
		out = append(out, taleLine{head: "THEN", text: "no later change"})
	}
	return out
}

// redefined says how often a tool was redefined up to the playhead, and how
// it differs from what was declared.
func (t *teller) redefined() string {
	at := t.m.c.At
	n := t.s.reader.Count(t.s.key, timeline.Edits, at)
	declared := ""
	if i := t.m.b.ListAt; i >= 0 {
		declared = " in frame " + seqOf(t.m.c.Log.Entry(i))
	}
	later := ""
	if more := t.s.reader.Count(t.s.key, timeline.Edits, t.m.c.Len) - n; more > 0 {
		later = fmt.Sprintf("; %d later", more)
	}
	if n == 0 {
		if later != "" {
			return "not yet: as declared" + declared + later
		}
		return "never: as declared" + declared
	}
	text := "once, by "
	if n > 1 {
		text = fmt.Sprintf("%d times, last by ", n)
	}
	if e, ok := t.s.reader.Last(t.s.key, timeline.Edits, at); ok {
		text += t.by(e)
	}
	if tool, c := t.m.toolCell(t.s.lane); c != nil {
		if members := edited(tool.Declared, c.Definition); len(members) > 0 {
			text += "; differs from what was declared" + declared + " in " + listed(members)
		} else {
			text += "; as declared" + declared + " again"
		}
	}
	return text + later
}

// toolsOf says what of a toolset or an instance is usable.
func (t *teller) toolsOf() string {
	ts := label.Toolset(t.m.b, t.s.toolset)
	if ts == nil {
		return "none on this connection"
	}
	var usable, not []string
	for i := range ts.Tools {
		tool := &ts.Tools[i]
		on := false
		for k := range tool.Cells {
			on = on || (tool.Cells[k].Visible && (t.s.instance == "" || !ts.HasInstances || ts.Instances[k].Name == t.s.instance))
		}
		if name := label.Peer(tool.Name); on {
			usable = append(usable, name)
		} else {
			not = append(not, name)
		}
	}
	text := fmt.Sprintf("%d of %d usable", len(usable), len(ts.Tools))
	if len(usable) > 0 {
		text += ": " + strings.Join(usable, ", ")
	}
	if len(usable) > 0 && len(not) > 0 {
		text += "; not: " + strings.Join(not, ", ")
	}
	return text
}

// drawTale draws LANE.
func (v *View) drawTale(r kit.Region, m *moment) {
	t := v.told(m)
	body := m.at.pane.of(r)
	if m.at.paneHead.h == 0 {
		v.drawBrief(body, t)
		return
	}
	title := "LANE"
	if t.title != "" {
		title += "  " + t.title
	}
	label.DrawHead(m.at.paneHead.of(r), title, t.note, false)
	causeX := 0
	for _, l := range t.lines {
		if l.cause != "" {
			causeX = max(causeX, taleX+kit.Width(l.text)+3)
		}
	}
	y := 0
	for _, l := range t.lines {
		l.draw(body, y, causeX)
		y++
	}
	if t.head.text == "" {
		return
	}
	y++
	x := body.Put(1, y, kit.As(kit.Normal), t.head.text)
	if w := kit.Width(t.head.right); x+3+w <= body.W-1 {
		body.PutRight(body.W-1, y, kit.As(kit.Dim), t.head.right)
	}
	drawChanges(body, y+1, t.changes)
}

// taleX is where what LANE says begins, after the headings.
const taleX = 11

func (l taleLine) draw(r kit.Region, y, causeX int) {
	r.Put(1, y, kit.As(kit.Dim), l.head)
	end := r.W - 1
	st := kit.As(kit.Normal)
	if l.head == "IS" {
		st = kit.As(kit.Bright)
	}
	x := r.PutCut(taleX, y, end-taleX, st, l.text)
	if l.bad {
		r.Fill(taleX, y, 1, kit.As(kit.Bad), "✗")
	}
	if l.cause != "" && causeX < end {
		x = r.PutCut(causeX, y, end-causeX, kit.As(kit.Normal), l.cause)
	}
	if w := kit.Width(l.right); l.right != "" && x+3+w <= end {
		r.PutRight(end, y, kit.As(kit.Dim), l.right)
	}
}
