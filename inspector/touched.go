package inspector

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// The track of a tool: each rev that touched it, and by what. What is told is
// the newest around the playhead; each is found by its place in the lanes, so
// that the length of the session does not count.
const (
	touchesBefore = 10
	touchesAfter  = 3
)

// touch is one message that touched a tool, the place that it stands in, or
// its being listed.
type touch struct {
	index, row int
	kinds      []timeline.ChangeKind
}

// lanesOf returns the lanes that tell of a tool in its place.
func lanesOf(conn int, p spot) []timeline.LaneKey {
	k := timeline.LaneKey{Conn: conn, Instance: p.instance, Tool: p.tool.Name}
	if p.set == nil {
		return []timeline.LaneKey{k}
	}
	k.Toolset = p.set.Name
	out := []timeline.LaneKey{{Conn: conn, Toolset: p.set.Name, Instance: p.instance}, k}
	if p.instance != "" {
		out = append(out, timeline.LaneKey{Conn: conn, Toolset: p.set.Name, Tool: p.tool.Name})
	}
	return out
}

// touchesAt returns what one frame did to the lanes, a touch for each row.
func touchesAt(log *timeline.Log, lanes []timeline.LaneKey, index int) []touch {
	var out []touch
	for _, k := range lanes {
		for _, e := range log.Lane(k, index, index+1) {
			i := slices.IndexFunc(out, func(t touch) bool { return t.row == e.Row })
			if i < 0 {
				i = len(out)
				out = append(out, touch{index: index, row: e.Row})
			}
			out[i].kinds = append(out[i].kinds, e.Kind)
		}
	}
	slices.SortStableFunc(out, func(a, b touch) int { return a.row - b.row })
	return out
}

// touchesAround returns the last touches up to the frame at position at, and
// the first after it, oldest first.
func touchesAround(log *timeline.Log, lanes []timeline.LaneKey, at, before, after int) (out []touch, here int) {
	for i := at; len(out) < before; {
		index := -1
		for _, k := range lanes {
			if e, ok := log.LaneBefore(k, i); ok {
				index = max(index, e.Index)
			}
		}
		if index < 0 {
			break
		}
		out = append(touchesAt(log, lanes, index), out...)
		i = index - 1
	}
	out = out[max(len(out)-before, 0):]
	here = len(out)
	for i := at; len(out) < here+after; {
		index := -1
		for _, k := range lanes {
			if e, ok := log.LaneAfter(k, i); ok && (index < 0 || e.Index < index) {
				index = e.Index
			}
		}
		if index < 0 {
			break
		}
		out = append(out, touchesAt(log, lanes, index)...)
		i = index
	}
	return out[:min(len(out), here+after)], here
}

// track adds the track of a tool.
func (d *Doc) track(log *timeline.Log, b *timeline.Board, p spot) {
	d.trackOf(log, b, lanesOf(b.Conn, p))
}

// maxLanes is how many lanes the track of an instance looks at.
const maxLanes = 100

// placeTrack adds the track of an instance, or of a toolset without any: when
// it opened, and each rev that changed a tool in it.
func (d *Doc) placeTrack(log *timeline.Log, b *timeline.Board, s *timeline.Toolset, instance string) {
	lanes := []timeline.LaneKey{{Conn: b.Conn, Toolset: s.Name, Instance: instance}}
	for i := range s.Tools {
		if i == maxLanes {
			break
		}
		lanes = append(lanes, timeline.LaneKey{Conn: b.Conn, Toolset: s.Name, Instance: instance, Tool: s.Tools[i].Name})
	}
	d.trackOf(log, b, lanes)
}

// trackOf adds the track of what some lanes tell of.
func (d *Doc) trackOf(log *timeline.Log, b *timeline.Board, lanes []timeline.LaneKey) {
	touches, here := touchesAround(log, lanes, b.Index, touchesBefore, touchesAfter)
	if len(touches) == 0 {
		return
	}
	block := Block{Head: "TRACK", Extra: true, Note: "+ usable  - hidden  ~ redefined"}
	rest := 0
	for _, k := range lanes {
		rest += log.LaneLen(k)
	}
	for _, t := range touches {
		rest -= len(t.kinds)
	}
	if rest > 0 {
		block.add(spans(quiet("… " + strconv.Itoa(rest) + " more " + plural(rest, "change"))))
	}
	t := touchTable{log: log, b: b}
	for i := range touches {
		t.measure(&touches[i])
	}
	for i := range touches {
		block.add(t.line(&touches[i], i, i >= here))
	}
	d.Add(block)
}

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

// touchTable sets touches in columns.
type touchTable struct {
	log        *timeline.Log
	b          *timeline.Board
	causes     []cause
	whats      []string
	signs      []string
	what, time int // widths
	sign       int
	cause      int
}

func (t *touchTable) measure(x *touch) {
	what, c := "frame "+seq(t.log.Entry(x.index).Seq), cause{}
	if x.row >= 0 {
		h := t.log.RowHead(x.row)
		what, c = revText(h.Conn, h.Rev), causeOfRow(t.log, x.row)
	} else {
		c = causeAt(t.log, x.index, -1)
	}
	t.whats, t.causes = append(t.whats, what), append(t.causes, c)
	signs := signsOf(x.kinds)
	t.signs, t.sign = append(t.signs, signs), max(t.sign, len([]rune(signs)))
	t.what = max(t.what, len(what))
	t.time = max(t.time, len(ClockShort(t.log.Entry(x.index).T)))
	t.cause = min(max(t.cause, len([]rune(c.short()))), 24)
}

// line is one touch: its rev, time, the signs of the board, its cause, and
// the server's own words for it.
func (t *touchTable) line(x *touch, n int, later bool) Line {
	c := t.causes[n]
	words := ""
	for _, kind := range x.kinds {
		if w := touchWord(kind); w != "" && !strings.Contains(words, w) {
			words = strings.TrimPrefix(words+", "+w, ", ")
		}
	}
	if words == "" && c.text != "" {
		words = Quote(c.text)
	}
	l := spans(
		plain(pad(t.whats[n], t.what)+"  "), quiet(pad(ClockShort(t.log.Entry(x.index).T), t.time)+"  "),
		loud(pad(t.signs[n], t.sign)+"  "), plain(pad(c.short(), t.cause)+"  "), peer(words),
	)
	l.Sign = " "
	switch {
	case later:
		l.Sign = "·"
		for i := range l.Spans {
			l.Spans[i].Tone = Quiet
		}
	case x.index == t.b.Index:
		l.Sign = "▲"
	}
	return l
}

// signsOf writes the signs of changes in the order of REVS: each once and,
// where any stands for several, with numbers.
func signsOf(kinds []timeline.ChangeKind) string {
	count, several := map[string]int{}, false
	for _, k := range kinds {
		if k == timeline.Listed || k == timeline.Unlisted {
			continue
		}
		s := ChangeSign(k)
		count[s]++
		several = several || count[s] > 1
	}
	out := ""
	for _, s := range [...]string{"◆", "◇", "+", "-", "~", "?"} {
		if count[s] == 0 {
			continue
		}
		out += s
		if several && s != "◆" && s != "◇" {
			out += strconv.Itoa(count[s])
		}
	}
	return out
}

// touchWord says what has no sign, or one that says too little.
func touchWord(k timeline.ChangeKind) string {
	switch k {
	case timeline.Listed:
		return "listed"
	case timeline.Unlisted:
		return "listed no more"
	case timeline.Moved:
		return "moved between static and dynamic"
	case timeline.Retitled:
		return "has another title"
	}
	return ""
}
