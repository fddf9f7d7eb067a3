package inspector

import (
	"strconv"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// SeamTale is what a connection found when it took the place of another:
// after a reconnect toolsets/list is the truth (toolhints.md §5), and this is
// the difference.
type SeamTale struct {
	Conn, Before int
	Changed      []string // files whose change was the reason
	Kept         []string // open before and still: "game vs-ada"
	Ended        []SeamEnd
	Lost         []string // open before, and neither open nor recorded as ended
	Opened       []string // not open before
	Came, Went   []string // tools that are listed, or are not any more
	NewSets      []string // toolsets that the manifest declares, or does not any more
	GoneSets     []string
	Redefined    []string // tools whose definition is another one: "play", "play @ vs-ada"
}

// SeamEnd is an end that is told for the first time in the session: each id
// is told once, however often one reconnects (toolhints.md §5, ended).
type SeamEnd struct{ Name, Reason string }

// maxSeamBack is how many connections are looked back over for the one before
// that had come to its lists, and for ends that were told already.
const maxSeamBack = 50

// SeamOf tells what connection conn found in the place of the one before it;
// false where it took nobody's place, or has not read its lists yet.
func SeamOf(log *timeline.Log, conn int) (SeamTale, bool) {
	t := SeamTale{Conn: conn}
	after := firstBoard(log, conn)
	if after == nil {
		return t, false
	}
	told := map[string]bool{}
	var before *timeline.Board
	last := conn
	for range maxSeamBack {
		n := log.ConnBefore(last)
		if n == 0 {
			break
		}
		b := lastBoard(log, n, last)
		last = n
		if b == nil {
			continue
		}
		if len(t.Changed) == 0 {
			t.Changed = b.Link.Changed
		}
		if before == nil && b.ListAt >= 0 {
			before = b
		}
		for _, e := range b.Ended {
			told[e.ID] = true
		}
	}
	if before == nil {
		return t, false
	}
	t.Before = before.Conn
	t.places(before, after, told)
	t.tools(before, after)
	return t, true
}

// firstBoard is the state of a connection when it had read its lists, nil: it
// has not.
func firstBoard(log *timeline.Log, conn int) *timeline.Board {
	b, err := log.BoardOf(conn, log.Len()-1)
	if err != nil || b.Link.Phase == timeline.Connecting || b.Link.Phase == timeline.Handshake {
		return nil
	}
	at := -1
	for _, s := range b.Link.Steps {
		if s.Name == "tools/list" || s.Name == "toolsets/list" {
			at = max(at, s.Answered)
		}
	}
	if at < 0 {
		return nil
	}
	if b, err = log.BoardOf(conn, at); err != nil || b.ListAt < 0 {
		return nil
	}
	return b
}

// lastBoard is the state of a connection right before the next one began, nil
// where that cannot be read.
func lastBoard(log *timeline.Log, conn, next int) *timeline.Board {
	m, ok := log.FirstLandmark(timeline.ConnBegan, next, log.Len())
	if !ok || m.Index == 0 {
		return nil
	}
	b, err := log.BoardOf(conn, m.Index-1)
	if err != nil {
		return nil
	}
	return b
}

func (t *SeamTale) places(before, after *timeline.Board, told map[string]bool) {
	open := map[string]bool{}
	for _, p := range openPlaces(after) {
		open[place(p.toolset, p.instance)] = true
	}
	was, ended := map[string]bool{}, map[string]bool{}
	for _, e := range after.Ended {
		name := place(e.Toolset, e.Instance)
		ended[name] = true
		if !told[e.ID] {
			t.Ended = append(t.Ended, SeamEnd{Name: oneLine(name), Reason: oneLine(e.Reason)})
		}
	}
	for _, p := range openPlaces(before) {
		name := place(p.toolset, p.instance)
		was[name] = true
		switch {
		case open[name]:
			t.Kept = append(t.Kept, oneLine(name))
		case !ended[name]:
			t.Lost = append(t.Lost, oneLine(name))
		}
	}
	for _, p := range openPlaces(after) {
		if name := place(p.toolset, p.instance); !was[name] {
			t.Opened = append(t.Opened, oneLine(name))
		}
	}
	sets := func(b *timeline.Board) (names []string, has map[string]bool) {
		has = map[string]bool{}
		for i := range b.Toolsets {
			if s := &b.Toolsets[i]; s.Declared {
				names, has[s.Name] = append(names, s.Name), true
			}
		}
		return names, has
	}
	old, had := sets(before)
	now, has := sets(after)
	t.NewSets, t.GoneSets = missing(now, had), missing(old, has)
}

func (t *SeamTale) tools(before, after *timeline.Board) {
	old, was := listedTools(before)
	now, is := listedTools(after)
	for _, name := range now {
		o, both := was[name]
		l := is[name]
		if !both {
			t.Came = append(t.Came, oneLine(name))
			continue
		}
		if !sameDefinition(o.tool.Declared, l.tool.Declared) {
			t.Redefined = append(t.Redefined, oneLine(name))
			continue
		}
		if l.set == nil || o.set == nil || !l.set.HasInstances {
			if a, b := firstCell(o.tool), firstCell(l.tool); a != nil && b != nil && !sameDefinition(a.Definition, b.Definition) {
				t.Redefined = append(t.Redefined, oneLine(name))
			}
			continue
		}
		for _, in := range l.set.Instances { // what is in an instance that was kept
			a, b := o.spot(in.Name), l.spot(in.Name)
			if a.cell != nil && b.cell != nil && !sameDefinition(a.cell.Definition, b.cell.Definition) {
				t.Redefined = append(t.Redefined, oneLine(at(name, in.Name, true)))
			}
		}
	}
	for _, name := range old {
		if _, both := is[name]; !both {
			t.Went = append(t.Went, oneLine(name))
		}
	}
}

func missing(names []string, from map[string]bool) (out []string) {
	for _, n := range names {
		if !from[n] {
			out = append(out, oneLine(n))
		}
	}
	return out
}

// Notes are the parts of a sentence: what survived, what ended, what is new.
func (t *SeamTale) Notes() []string {
	var out []string
	add := func(lead string, names []string, tail string) {
		if len(names) > 0 {
			out = append(out, lead+few(names)+tail)
		}
	}
	add("", t.Changed, " changed")
	add("", t.Kept, " survived")
	for i, e := range t.Ended {
		if i == 3 {
			out = append(out, strconv.Itoa(len(t.Ended)-3)+" more ended")
			break
		}
		text := e.Name + " ended"
		if e.Reason != "" {
			text += " " + Quote(e.Reason)
		}
		out = append(out, text)
	}
	add("", t.Lost, " gone without a word")
	add("opened: ", t.Opened, "")
	add("new tools: ", t.Came, "")
	add("tools gone: ", t.Went, "")
	add("new toolsets: ", t.NewSets, "")
	add("toolsets gone: ", t.GoneSets, "")
	add("redefined: ", t.Redefined, "")
	if len(out) == 0 || len(out) == 1 && len(t.Changed) > 0 {
		out = append(out, "all as before")
	}
	return out
}

// few names the first of several.
func few(names []string) string {
	const most = 3
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:most], ", ") + " and " + strconv.Itoa(len(names)-most) + " more"
}

// seam explains in a row, or at the note that a connection begins, what it
// found.
func (d *Doc) seam(log *timeline.Log, conn int) {
	t, ok := SeamOf(log, conn)
	if !ok {
		return
	}
	b := Block{Head: "SINCE CONNECTION " + strconv.Itoa(t.Before)}
	list := func(sign, label string, names []string) {
		for i, name := range names {
			if i == maxListed {
				b.add(more(len(names) - i))
				break
			}
			b.add(Line{Sign: sign, Spans: []Span{plain(pad(label, 11)), peer(name)}})
		}
	}
	list(" ", "changed", t.Changed)
	list(" ", "survived", t.Kept)
	for i, e := range t.Ended {
		if i == maxListed {
			b.add(more(len(t.Ended) - i))
			break
		}
		l := Line{Sign: "◇", Spans: []Span{plain(pad("ended", 11)), peer(e.Name)}}
		if e.Reason != "" {
			l.Spans = append(l.Spans, peer("  "+Quote(e.Reason)))
		}
		b.add(l)
	}
	list("◇", "gone", t.Lost)
	list("◆", "opened", t.Opened)
	list("+", "new tool", t.Came)
	list("-", "tool gone", t.Went)
	list("+", "new set", t.NewSets)
	list("-", "set gone", t.GoneSets)
	list("~", "redefined", t.Redefined)
	if len(b.Body) == 0 {
		b.add(say("All as before: what is open, which tools there are, and how they are defined."))
	}
	d.Add(b)
}
