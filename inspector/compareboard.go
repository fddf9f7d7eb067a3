package inspector

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// BoardComparison is what differs between two boards, the earlier one first.
type BoardComparison struct {
	From, To Point
	Notes    []Line  // what has to be known to read it: another connection began
	Groups   []Group // only those with items
	Differ   int     // how many items there are
	Usable   string  // "5 of 14 then, 8 of 14 here"
}

// Group is one kind of difference.
type Group struct {
	Head, Note string
	Items      []Item
	More       int // items that are not listed
}

// Item is one thing that differs.
type Item struct {
	Sign   string
	Name   string // "play @ vs-ada", "game vs-ada"
	Words  string // "description, annotations", "Go 9x9: play, pass usable"
	By     string // "rev 31, frame 75"; "" where it is not known
	Index  int    // the frame that did it, -1: not known
	Target Target // the tool in its place; Tool is "" for a toolset or an instance
}

// maxItems bounds the items of a group.
const maxItems = 500

// CompareBoards compares two boards: what opened and closed, which tools came
// and went, which were redefined, listed or moved. Boards of two connections
// are compared by names.
func CompareBoards(log *timeline.Log, from, to *timeline.Board) BoardComparison {
	c := boardComparer{log: log, a: from, b: to, then: "then", here: "here"}
	return c.compare(pointOf(log, from, "BEFORE", "before"), pointOf(log, to, "HERE", "here"))
}

func (c *boardComparer) compare(from, to Point) BoardComparison {
	c.out.From, c.out.To = from, to
	if c.a.Conn != c.b.Conn && c.a.Conn > 0 && c.b.Conn > 0 {
		c.out.Notes = append(c.out.Notes, say(
			"Two connections are compared, by names: revs count from 1 again on each, and what was open on one may be open on the other.",
		))
	}
	if c.a.ToolHints != c.b.ToolHints && c.a.ListAt >= 0 && c.b.ListAt >= 0 {
		words := "toolHints were negotiated at the first point and are not at the second: there every tool stands as it is listed."
		if c.b.ToolHints {
			words = "toolHints were not negotiated at the first point: there every tool stands as it is listed."
		}
		c.out.Notes = append(c.out.Notes, say(words))
	}
	c.out.Usable = usableOn(c.a) + " " + c.then + ", " + usableOn(c.b) + " " + c.here
	c.places()
	c.tools()
	c.ends()
	c.suggestions()
	for _, g := range c.groups {
		if len(g.Items) > 0 {
			c.out.Differ += len(g.Items) + g.More
			c.out.Groups = append(c.out.Groups, *g)
		}
	}
	return c.out
}

// usableOn counts the tools of a board that are usable somewhere.
func usableOn(b *timeline.Board) string {
	n := 0
	_, tools := listedTools(b)
	for _, l := range tools {
		if usableIn(l.tool, -1) {
			n++
		}
	}
	return strconv.Itoa(n) + " of " + strconv.Itoa(len(tools))
}

type boardComparer struct {
	log        *timeline.Log
	a, b       *timeline.Board
	then, here string // what the two points are called
	out        BoardComparison
	groups     []*Group
}

// group returns the group of a heading. Groups stand in the order in which
// they are first asked for.
func (c *boardComparer) group(head, note string) *Group {
	for _, g := range c.groups {
		if g.Head == head {
			return g
		}
	}
	g := &Group{Head: head, Note: note}
	c.groups = append(c.groups, g)
	return g
}

func (g *Group) add(it Item) {
	if len(g.Items) >= maxItems {
		g.More++
		return
	}
	g.Items = append(g.Items, it)
}

// item fills in who did it: of the later board, in words with its connection.
func (c *boardComparer) item(sign, name, words string, t Target, by timeline.By) Item {
	it := Item{Sign: sign, Name: oneLine(name), Words: words, Target: t, Index: -1}
	if by.Index > c.a.Index && by.Index <= c.b.Index { // what was before is not the reason
		it.By, it.Index = byFrame(c.log, c.b, by), by.Index
	}
	return it
}

// openPlace is a toolset or an instance that is open on a board.
type openPlace struct {
	toolset, instance, title string
	by                       timeline.By
	usable                   []string
}

func openPlaces(b *timeline.Board) (out []openPlace) {
	for i := range b.Toolsets {
		s := &b.Toolsets[i]
		if !s.HasInstances {
			if s.Open {
				out = append(out, openPlace{s.Name, "", s.Title, s.OpenedBy, usableNames(s, 0)})
			}
			continue
		}
		for k := range s.Instances {
			in := &s.Instances[k]
			out = append(out, openPlace{s.Name, in.Name, in.Title, in.OpenedBy, usableNames(s, k)})
		}
	}
	return out
}

func usableNames(s *timeline.Toolset, k int) []string {
	var out []string
	for i := range s.Tools {
		if t := &s.Tools[i]; k < len(t.Cells) && t.Cells[k].Visible {
			out = append(out, oneLine(t.Name))
		}
	}
	return out
}

// places compares what is open.
func (c *boardComparer) places() {
	opened, closed := c.group("OPENED", "open "+c.here+", not "+c.then), c.group("CLOSED", "open "+c.then+", not "+c.here)
	titles := c.group("RETITLED", "")
	type key struct{ toolset, instance string }
	before := map[key]openPlace{}
	for _, p := range openPlaces(c.a) {
		before[key{p.toolset, p.instance}] = p
	}
	now := map[key]bool{}
	for _, p := range openPlaces(c.b) {
		k := key{p.toolset, p.instance}
		now[k] = true
		was, both := before[k]
		t := Target{Toolset: p.toolset, Instance: p.instance}
		name := place(p.toolset, p.instance)
		switch {
		case !both:
			opened.add(c.item("◆", name, placeWords(p, ""), t, p.by))
		case was.by != p.by && c.a.Conn == c.b.Conn:
			opened.add(c.item("◆", name, "closed and opened again"+placeWords(p, ": "), t, p.by))
		case was.title != p.title:
			titles.add(c.item("~", name, Quote(was.title)+" is now "+Quote(p.title), t, c.lastIn(t, timeline.Retitled)))
		}
	}
	for _, p := range openPlaces(c.a) {
		if k := (key{p.toolset, p.instance}); !now[k] {
			closed.add(c.item("◇", place(p.toolset, p.instance), placeWords(p, ""), Target{Toolset: p.toolset, Instance: p.instance}, c.closedBy(p)))
		}
	}
}

func placeWords(p openPlace, lead string) string {
	var parts []string
	if p.title != "" {
		parts = append(parts, oneLine(p.title))
	}
	if names := p.usable; len(names) > 0 {
		if len(names) > 8 {
			names = append(names[:8:8], "…")
		}
		parts = append(parts, strings.Join(names, ", ")+" usable")
	}
	if len(parts) == 0 {
		return ""
	}
	return lead + strings.Join(parts, ": ")
}

// closedBy is who closed a place, on the later board's connection.
func (c *boardComparer) closedBy(p openPlace) timeline.By {
	if c.a.Conn != c.b.Conn {
		return timeline.By{Index: -1}
	}
	return c.lastIn(Target{Toolset: p.toolset, Instance: p.instance}, timeline.ClosedIt)
}

// lastIn is who last did something of a kind to a thing.
func (c *boardComparer) lastIn(t Target, kind timeline.ChangeKind) timeline.By {
	k := timeline.LaneKey{Conn: c.b.Conn, Toolset: t.Toolset, Instance: t.Instance, Tool: t.Tool}
	if e, ok := c.log.LaneBefore(k, c.b.Index, kind); ok {
		return byEvent(c.log, e)
	}
	return timeline.By{Index: -1}
}

// listedTool is a tool of a board with the place that it stands in.
type listedTool struct {
	tool *timeline.Tool
	set  *timeline.Toolset
}

func listedTools(b *timeline.Board) (order []string, tools map[string]listedTool) {
	tools = map[string]listedTool{}
	add := func(t *timeline.Tool, s *timeline.Toolset) {
		if _, twice := tools[t.Name]; !twice {
			order = append(order, t.Name)
		}
		tools[t.Name] = listedTool{t, s}
	}
	for _, list := range [][]timeline.Tool{b.Static, b.Loose} {
		for i := range list {
			add(&list[i], nil)
		}
	}
	for i := range b.Toolsets {
		for k := range b.Toolsets[i].Tools {
			add(&b.Toolsets[i].Tools[k], &b.Toolsets[i])
		}
	}
	return order, tools
}

func (l listedTool) spot(instance string) spot {
	if l.set == nil {
		return spot{tool: l.tool, cell: firstCell(l.tool)}
	}
	return within(l.set, l.tool, instance)
}

func (l listedTool) where() string {
	if l.set != nil {
		return "toolset " + oneLine(l.set.Name)
	}
	return l.tool.Presence
}

// tools compares which tools there are, which are usable where, and what they
// are defined to be.
func (c *boardComparer) tools() {
	for _, head := range [...][2]string{
		{"CAME", "usable " + c.here + ", not " + c.then},
		{"WENT", "usable " + c.then + ", not " + c.here},
		{"REDEFINED", "enter compares it member by member"},
		{"MOVED", ""},
		{"LISTED", "by tools/list, new"},
		{"LISTED NO MORE", ""},
	} {
		c.group(head[0], head[1])
	}
	before, was := listedTools(c.a)
	after, is := listedTools(c.b)
	list := timeline.By{Index: c.b.ListAt}
	for _, name := range after {
		l := is[name]
		o, both := was[name]
		t := Target{Tool: name}
		if l.set != nil {
			t.Toolset = l.set.Name
		}
		if !both {
			c.group("LISTED", "").add(c.item("+", name, l.where(), t, list))
			continue
		}
		if o.where() != l.where() {
			c.group("MOVED", "").add(c.item("~", name, o.where()+" is now "+l.where(), t, c.lastIn(t, timeline.Moved)))
		}
		c.cells(name, o, l)
	}
	for _, name := range before {
		if _, both := is[name]; !both {
			c.group("LISTED NO MORE", "").add(c.item("-", name, was[name].where(), Target{Tool: name}, list))
		}
	}
}

// cells compares a tool in each place that is open at both points.
func (c *boardComparer) cells(name string, o, l listedTool) {
	places := []string{""}
	if l.set != nil && l.set.HasInstances {
		places = places[:0]
		for i := range l.set.Instances {
			places = append(places, l.set.Instances[i].Name)
		}
		if !sameValues(o.tool.Declared, l.tool.Declared) && len(places) == 0 {
			c.redefined(Target{l.set.Name, "", name}, o.tool.Declared, l.tool.Declared, timeline.By{Index: c.b.ListAt})
		}
	}
	for _, in := range places {
		p, q := o.spot(in), l.spot(in)
		if p.cell == nil || q.cell == nil || (p.inst == nil) != (q.inst == nil) {
			continue // it is told by what opened and closed
		}
		t := Target{Tool: name, Instance: in}
		if l.set != nil {
			t.Toolset = l.set.Name
		}
		stays := !p.closed() && !q.closed()
		switch {
		case stays && q.usable() && !p.usable():
			c.group("CAME", "").add(c.item("+", at(name, in, true), "", t, q.cell.FlagBy))
		case stays && p.usable() && !q.usable():
			c.group("WENT", "").add(c.item("-", at(name, in, true), "", t, q.cell.FlagBy))
		}
		c.redefined(t, p.cell.Definition, q.cell.Definition, c.defBy(t, q))
	}
}

// defBy is who made a definition what it is: a rev, or the list.
func (c *boardComparer) defBy(t Target, q spot) timeline.By {
	if by := c.lastIn(t, timeline.Redefined); by.Index >= 0 {
		return by
	}
	return q.cell.DefBy
}

func (c *boardComparer) redefined(t Target, a, b []byte, by timeline.By) {
	if bytes.Equal(a, b) || sameDefinition(a, b) {
		return
	}
	words := strings.Join(changedMembers(a, b), ", ")
	c.group("REDEFINED", "").add(c.item("~", at(t.Tool, t.Instance, true), words, t, by))
}

// ends lists what ended by itself between the two.
func (c *boardComparer) ends() {
	g := c.group("ENDED", "by itself")
	known := map[string]bool{}
	for i := range c.a.Ended {
		known[c.a.Ended[i].ID] = true
	}
	for i := range c.b.Ended {
		e := &c.b.Ended[i]
		if known[e.ID] {
			continue
		}
		words := ""
		if e.Reason != "" {
			words = Quote(e.Reason)
		}
		g.add(c.item("◇", place(e.Toolset, e.Instance), words, Target{Toolset: e.Toolset, Instance: e.Instance}, e.By))
	}
}

// suggestions lists what was suggested between the two and still waits.
func (c *boardComparer) suggestions() {
	g := c.group("SUGGESTED", "and pending")
	type key struct{ toolset, instance, action string }
	pending := map[key]bool{}
	for i := range c.a.Suggestions {
		if s := &c.a.Suggestions[i]; !s.Taken {
			pending[key{s.Toolset, s.Instance, s.Action}] = true
		}
	}
	for i := range c.b.Suggestions {
		s := &c.b.Suggestions[i]
		if s.Taken || pending[key{s.Toolset, s.Instance, s.Action}] {
			continue
		}
		words := ""
		if s.Reason != "" {
			words = Quote(s.Reason)
		}
		g.add(c.item("?", suggestionWords(s), words, Target{Toolset: s.Toolset, Instance: s.Instance}, s.By))
	}
}
