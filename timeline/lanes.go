package timeline

import "slices"

// A lane is the history of one thing: a toolset, an instance, a tool by
// itself, or a tool in an instance.

// LaneKey names a lane. Empty strings mean that there is no such part.
type LaneKey struct {
	Conn     int
	Toolset  string
	Instance string
	Tool     string
}

// Event is one change of a lane.
type Event struct {
	Index int // the frame at which it took effect
	Row   int // the row that brought it, -1: no rev did
	Kind  ChangeKind

	nth uint32
}

// event is an Event as it is kept.
type event struct {
	index uint32
	row   int32
	nth   uint32 // of all events: one frame can let go several revs, each of which changes what the one before did
	kind  ChangeKind
}

func (e event) public() Event { return Event{int(e.index), int(e.row), e.kind, e.nth} }

// lanes keeps what happened to each thing, for good: 16 bytes a change.
type lanes struct {
	order  []LaneKey // by first event
	events map[LaneKey][]event
	n      uint32 // events so far
}

func (ls *lanes) add(conn, index, row int, changes []Change) {
	if ls.events == nil {
		ls.events = map[LaneKey][]event{}
	}
	for _, ch := range changes {
		k := LaneKey{conn, ch.Toolset, ch.Instance, ch.Tool}
		list, known := ls.events[k]
		if !known {
			ls.order = append(ls.order, k)
		}
		ls.events[k] = append(list, event{uint32(index), int32(row), ls.n, ch.Kind})
		ls.n++
	}
}

// Lanes returns the keys of all lanes of a connection to which anything ever
// happened, in the order in which that first was so.
func (l *Log) Lanes(connection int) []LaneKey {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []LaneKey
	for _, k := range l.lanes.order {
		if k.Conn == connection {
			out = append(out, k)
		}
	}
	return out
}

// LaneLen returns how many events a lane has.
func (l *Log) LaneLen(k LaneKey) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.lanes.events[k])
}

// Lane returns the events of a lane in the order of their frames, those with
// from ≤ Index < to.
func (l *Log) Lane(k LaneKey, from, to int) []Event {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := l.lanes.events[k]
	a := sortSearch(list, from)
	b := sortSearch(list, to)
	out := make([]Event, 0, max(b-a, 0))
	for _, e := range list[a:max(a, b)] {
		out = append(out, e.public())
	}
	return out
}

// LaneBefore returns the last event of the lane at or before the frame at
// position i that is of one of the kinds (of any, where none is given).
func (l *Log) LaneBefore(k LaneKey, i int, kinds ...ChangeKind) (Event, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lanes.before(k, i, kinds...)
}

func (ls *lanes) before(k LaneKey, i int, kinds ...ChangeKind) (Event, bool) {
	list := ls.events[k]
	for n := sortSearch(list, i+1) - 1; n >= 0; n-- {
		if len(kinds) == 0 || slices.Contains(kinds, list[n].kind) {
			return list[n].public(), true
		}
	}
	return Event{}, false
}

// LaneAfter is the counterpart of LaneBefore: the first event after the frame
// at position i.
func (l *Log) LaneAfter(k LaneKey, i int, kinds ...ChangeKind) (Event, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := l.lanes.events[k]
	for n := sortSearch(list, i+1); n < len(list); n++ {
		if len(kinds) == 0 || slices.Contains(kinds, list[n].kind) {
			return list[n].public(), true
		}
	}
	return Event{}, false
}

// sortSearch returns the first event whose frame is at or after i.
func sortSearch(list []event, i int) int {
	n, _ := slices.BinarySearchFunc(list, i, func(e event, i int) int { return int(e.index) - i })
	return n
}

// laneState is what a lane can be at one moment.
type laneState struct {
	open, listed, visible, static bool
	title                         string
	def                           definition
}

// laneStates looks at everything. It is for the rare frames that can change
// anything: lists, manifests, opens and closes without hints.
func (c *conn) laneStates() ([]LaneKey, map[LaneKey]laneState) {
	var order []LaneKey
	states := map[LaneKey]laneState{}
	put := func(k LaneKey, s laneState) {
		if _, twice := states[k]; !twice {
			order = append(order, k)
		}
		states[k] = s
	}
	names := make([]string, 0, len(c.sets))
	for name := range c.sets {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if !c.hasInstances(name) {
			open, title := c.openAndTitle(name, "")
			put(LaneKey{Toolset: name}, laneState{open: open, title: title})
			continue
		}
		for _, in := range c.instancesOf(name) {
			put(LaneKey{Toolset: name, Instance: in.name}, laneState{open: true, title: in.title})
		}
	}
	for _, t := range c.tools {
		own := laneState{listed: true, static: t.isStatic(), visible: c.visible(t, nil), def: c.effective(t, nil)}
		put(LaneKey{Toolset: t.toolset, Tool: t.name}, own)
		for _, in := range c.instancesOf(t.toolset) {
			s := own
			s.visible, s.def = c.visible(t, in), c.effective(t, in)
			put(LaneKey{Toolset: t.toolset, Instance: in.name, Tool: t.name}, s)
		}
	}
	return order, states
}

// whole runs a change that may touch anything and adds what it changed to the
// frame's effects.
func (c *conn) whole(st *step, change func()) {
	orderBefore, before := c.laneStates()
	change()
	orderAfter, after := c.laneStates()
	var out []Change
	add := func(kind ChangeKind, k LaneKey) {
		out = append(out, Change{kind, k.Toolset, k.Instance, k.Tool})
	}
	for _, k := range orderBefore {
		a, b := before[k], after[k]
		switch {
		case k.Tool == "" && a.open && !b.open:
			add(ClosedIt, k)
		case k.Tool != "" && k.Instance == "" && !b.listed:
			add(Unlisted, k)
		}
	}
	for _, k := range orderAfter {
		a, b := before[k], after[k]
		if k.Tool == "" {
			switch {
			case b.open && !a.open:
				add(Opened, k)
			case b.open && a.title != b.title:
				add(Retitled, k)
			}
			continue
		}
		if !a.listed {
			if k.Instance == "" {
				add(Listed, k)
			}
			a.static, a.def = b.static, b.def
		}
		if a.static != b.static {
			add(Moved, k)
		}
		if b.visible != a.visible {
			add(map[bool]ChangeKind{true: Shown, false: Hidden}[b.visible], k)
		}
		if !a.def.same(&b.def) {
			add(Redefined, k)
		}
	}
	st.s.effects.Changes = append(st.s.effects.Changes, out...)
	st.s.effects.turns = append(st.s.effects.turns, turn{-1, out})
}

// LaneState is a lane at one frame.
type LaneState struct {
	There  bool // the tool's toolset or instance is open, or it needs none; always so for a toolset's lane
	Usable bool // of a tool's lane
	Open   bool // of a toolset's or an instance's lane
}

// LaneAt returns what the lane was right after the frame at position i.
func (l *Log) LaneAt(k LaneKey, i int) LaneState {
	if k.Tool == "" {
		e, ok := l.LaneBefore(k, i, Opened, ClosedIt)
		return LaneState{There: true, Open: ok && e.Kind == Opened}
	}
	// A tool's flags end with what it stands in, which is told by the closing
	// alone, and with its being listed. Only what was said since counts.
	since, there := uint32(0), true
	if k.Toolset != "" {
		e, ok := l.LaneBefore(LaneKey{k.Conn, k.Toolset, k.Instance, ""}, i, Opened, ClosedIt)
		there, since = ok && e.Kind == Opened, e.nth
	}
	listed, ok := l.LaneBefore(LaneKey{k.Conn, k.Toolset, "", k.Tool}, i, Listed, Unlisted)
	if there = there && ok && listed.Kind == Listed; !there {
		return LaneState{}
	}
	said, ok := l.LaneBefore(k, i, Shown, Hidden)
	return LaneState{There: true, Usable: ok && said.Kind == Shown && said.nth >= max(since, listed.nth)}
}
