package lanes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/label"
)

// mostCounted is how many events of a lane are counted. Of lanes with more
// CHANGES lists those around the playhead without saying how many there are.
const mostCounted = 20_000

// changes lists the changes of the lane around the playhead in h lines.
func (t *teller) changes(h int) {
	head := &t.tale.head
	head.text = "CHANGES OF THIS LANE"
	if n, ok := t.count(); ok {
		head.text += fmt.Sprintf(", %d of %s", n, t.m.revs())
	}
	switch t.s.kind {
	case onTool:
		head.right = "enter: the board at this rev, on " + t.s.name()
	default:
		head.right = "enter folds and unfolds it"
	}
	if t.s.many > 0 {
		head.text = fmt.Sprintf("CHANGES OF THIS LANE: not listed, it stands for %d lanes", t.s.many)
		return
	}
	at := t.nearest(t.around(h), h)
	here := t.s.touchedBefore(t.m.c.At)
	for _, i := range at {
		c := t.change(i)
		c.here, c.later = i == here, i > t.m.c.At
		t.tale.changes = append(t.tale.changes, c)
	}
	if len(at) == 0 {
		head.text = "CHANGES OF THIS LANE: none on this connection"
	}
}

// count counts the frames that changed the lane. ok is false where they are
// too many to be counted for a drawing.
func (t *teller) count() (n int, ok bool) {
	keys := slices.Clone(t.s.members)
	for i, src := range t.s.sources {
		if i > 0 && src.class == timeline.Flips {
			keys = append(keys, src.key)
		}
	}
	sum := 0
	for _, k := range keys {
		sum += t.m.c.Log.LaneLen(k)
	}
	if sum > mostCounted || len(keys) == 0 {
		return 0, false
	}
	frames := make([]int, 0, sum)
	for i, k := range keys {
		for _, e := range t.m.c.Log.Lane(k, 0, t.m.c.Len) {
			if i < len(t.s.members) || e.Kind == timeline.Opened || e.Kind == timeline.ClosedIt {
				frames = append(frames, e.Index)
			}
		}
	}
	slices.Sort(frames)
	// What the handshake set up changed nothing.
	first := t.firstRev()
	frames = slices.DeleteFunc(slices.Compact(frames), func(i int) bool { return i < first })
	return len(frames), true
}

// firstRev is the position of the frame with the connection's first rev.
func (t *teller) firstRev() int {
	i := t.m.axis.sectionOf(t.m.b.Conn)
	if i < 0 || t.m.axis.sections[i].first == 0 {
		return 0
	}
	return t.m.axis.taken(&t.m.axis.sections[i], t.m.axis.sections[i].first)
}

// around returns the positions of the frames that changed the lane, up to n
// at or before the playhead and up to n after it.
func (t *teller) around(n int) []int {
	first := t.firstRev()
	var out []int
	for i := t.m.c.At; len(out) < n; i-- {
		if i = t.s.touchedBefore(i); i < first {
			break
		}
		out = append(out, i)
	}
	slices.Reverse(out)
	past := len(out)
	for i := t.m.c.At; len(out) < past+n; {
		if i = t.s.touchedAfter(i); i < 0 {
			break
		}
		out = append(out, i)
	}
	return out
}

// nearest leaves n of the frames: those before the playhead, with some of the
// later ones below them.
func (t *teller) nearest(frames []int, n int) []int {
	past, _ := slices.BinarySearch(frames, t.m.c.At+1)
	if len(frames) <= n {
		return frames
	}
	ahead := min(len(frames)-past, max(n-past, n/3))
	return frames[max(past+ahead-n, 0) : past+ahead]
}

// change tells what one frame did to the lane.
func (t *teller) change(i int) change {
	events := t.s.events(i)
	e := timeline.Event{Index: i, Row: -1}
	for _, ev := range events {
		if ev.Row >= e.Row {
			e = ev
		}
	}
	c := change{index: i, rev: "-", time: inspector.Clock(t.m.c.Log.Entry(i).T)}
	if e.Row >= 0 {
		if h := t.m.c.Log.RowHead(e.Row); h.Taken >= 0 {
			c.rev = label.Rev(h.Conn, h.Rev)
		}
	}
	by := t.carrier(e)
	c.cause = strings.TrimSpace(fmt.Sprintf("%s %-5s %s", by.arrow, by.word, by.text))
	c.signs = signs(events)
	if t.s.sources != nil {
		c.state = t.s.word(i)
	}
	return c
}

// signs counts what events did: "◆", "+1 ~1".
func signs(events []timeline.Event) string {
	counts := map[string]int{}
	for _, e := range events {
		switch e.Kind {
		case timeline.Listed:
			counts["listed"]++
		case timeline.Unlisted:
			counts["unlisted"]++
		default:
			counts[inspector.ChangeSign(e.Kind)]++
		}
	}
	var out []string
	for _, sign := range []string{"◆", "◇", "+", "-", "~", "?", "listed", "unlisted"} {
		switch n := counts[sign]; {
		case n == 0:
		case len(sign) == 1 && sign != "?":
			out = append(out, fmt.Sprintf("%s%d", sign, n))
		default:
			out = append(out, sign)
		}
	}
	return strings.Join(out, " ")
}

// drawChanges draws the list from row y on, in columns.
func drawChanges(r kit.Region, y int, changes []change) {
	num, cause, sign := 2, 0, 0
	for i := range changes {
		c := &changes[i]
		num = max(num, kit.Width(c.rev))
		cause = max(cause, kit.Width(c.cause))
		sign = max(sign, kit.Width(c.signs))
	}
	numEnd := max(7, num+1)
	timeX := numEnd + 3
	causeX := timeX + 11
	signX := causeX + cause + 3
	stateX := signX + max(sign, 1) + 4
	if sign < 2 {
		stateX++
	}
	for i := range changes {
		c := &changes[i]
		st, dim := kit.As(kit.Normal), kit.As(kit.Dim)
		if c.here {
			st = kit.As(kit.Bright)
			r.Fill(0, y+i, 1, st, "▏")
		}
		if c.later {
			st = kit.As(kit.Dim)
		}
		r.PutRight(numEnd, y+i, dim, c.rev)
		r.Put(timeX, y+i, dim, c.time)
		r.Put(causeX, y+i, st, c.cause)
		r.Put(signX, y+i, st, c.signs)
		r.Put(stateX, y+i, st, c.state)
	}
}
