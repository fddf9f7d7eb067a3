package lanes

import (
	"math"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/label"
)

// source is where changes of a lane's state come from.
type source struct {
	key   timeline.LaneKey
	class timeline.LaneClass
}

// subject is the lane under the cursor, as LANE tells it: on the playhead's
// connection.
type subject struct {
	lane
	log    *timeline.Log
	reader *timeline.LaneReader
	key    timeline.LaneKey
	// sources are what its state hangs on, the nearest first; none for a lane
	// that stands for several, as STATIC.
	sources []source
	// members are the lanes whose events are listed as its changes; where it
	// stands for too many there are none, and many is their number.
	members []timeline.LaneKey
	many    int
}

// mostMembers is how many lanes LANE looks at for what stands for several.
const mostMembers = 512

// subject returns what LANE tells of.
func (v *View) subject(m *moment) subject {
	s := subject{lane: v.sel, log: m.c.Log, reader: v.reader}
	s.key = timeline.LaneKey{Conn: m.b.Conn, Toolset: s.toolset, Instance: s.instance, Tool: s.tool}
	switch {
	case s.kind == onTool:
		s.sources = []source{{s.key, timeline.Flips}}
		if s.toolset != "" {
			k := s.key
			k.Tool = ""
			s.sources = append(s.sources, source{k, timeline.Flips})
		}
		k := s.key
		k.Instance = ""
		s.sources = append(s.sources, source{k, timeline.Listings})
	case s.kind == onInstance, s.kind == onToolset && !v.things.groups[v.rows[v.lastAt].group].instances:
		s.sources = []source{{s.key, timeline.Flips}}
	}
	r := v.rows[v.lastAt]
	if r.kind != onTool && s.sources == nil {
		r.folded = true // it stands for all that is in it
	}
	members, many := v.members(&r, m.b.Conn)
	if s.many = many; len(members) > mostMembers {
		members, s.many = nil, len(members)
	}
	for i := range members {
		s.members = append(s.members, members[i].key)
	}
	return s
}

// state returns what the lane is right after the frame at position i.
func (s *subject) state(i int) timeline.LaneState {
	cuts := []timeline.LaneCut{{Index: -1}, {Index: i, Rev: timeline.AllRevs}}
	var one [1]timeline.LaneSpan
	return s.reader.Cells(s.key, timeline.LaneCut{Index: math.MaxInt}, cuts, one[:0])[0].LaneState
}

// mostSteps bounds how many events that change nothing are passed over.
const mostSteps = 64

// changedBefore returns the last event at or before the frame at position i
// by which the lane's state changed.
func (s *subject) changedBefore(i int) (timeline.Event, bool) {
	for range mostSteps {
		var best timeline.Event
		found := false
		for _, src := range s.sources {
			if e, ok := s.reader.Last(src.key, src.class, i); ok && (!found || e.Index > best.Index) {
				best, found = e, true
			}
		}
		if !found || s.state(best.Index) != s.state(best.Index-1) {
			return best, found
		}
		i = best.Index - 1
	}
	return timeline.Event{}, false
}

// changedAfter is the counterpart of changedBefore.
func (s *subject) changedAfter(i int) (timeline.Event, bool) {
	for range mostSteps {
		var best timeline.Event
		found := false
		for _, src := range s.sources {
			if e, ok := s.reader.Next(src.key, src.class, i); ok && (!found || e.Index < best.Index) {
				best, found = e, true
			}
		}
		if !found || s.state(best.Index) != s.state(best.Index-1) {
			return best, found
		}
		i = best.Index
	}
	return timeline.Event{}, false
}

// word says what the lane is right after the frame at position i.
func (s *subject) word(i int) string {
	st := s.state(i)
	switch {
	case s.kind == onTool && !st.There:
		return "not there"
	case s.kind == onTool && st.Usable:
		return "usable"
	case s.kind == onTool:
		return "not usable"
	case st.Open:
		return "open"
	case s.reader.Count(s.key, timeline.Flips, i) > 0:
		return "closed"
	}
	return "not open"
}

// why says why a tool is not there, "" for what needs no reason.
func (s *subject) why(i int) string {
	if s.kind != onTool || s.state(i).There {
		return ""
	}
	if s.toolset != "" {
		e, ok := s.reader.Last(s.sources[1].key, timeline.Flips, i)
		if !ok || e.Kind != timeline.Opened {
			name := s.instance
			if name == "" {
				name = s.toolset
			}
			return label.Peer(name) + " was not open"
		}
	}
	return "it was not listed"
}

// touchedBefore returns the position of the last frame at or before i that
// changed the lane in any way, -1: none. It also looks at what the lane's
// being there hangs on.
func (s *subject) touchedBefore(i int) int {
	last := -1
	for _, k := range s.members {
		if e, ok := s.log.LaneBefore(k, i); ok {
			last = max(last, e.Index)
		}
	}
	for _, src := range s.sources {
		if e, ok := s.reader.Last(src.key, src.class, i); ok {
			last = max(last, e.Index)
		}
	}
	return last
}

// touchedAfter is the counterpart of touchedBefore.
func (s *subject) touchedAfter(i int) int {
	next := math.MaxInt
	for _, k := range s.members {
		if e, ok := s.log.LaneAfter(k, i); ok {
			next = min(next, e.Index)
		}
	}
	for _, src := range s.sources {
		if e, ok := s.reader.Next(src.key, src.class, i); ok {
			next = min(next, e.Index)
		}
	}
	if next == math.MaxInt {
		return -1
	}
	return next
}

// events returns what the frame at position i did to the lane.
func (s *subject) events(i int) (out []timeline.Event) {
	for _, k := range s.members {
		out = append(out, s.log.Lane(k, i, i+1)...)
	}
	for n, src := range s.sources {
		if n == 0 {
			continue // it is a member
		}
		for _, e := range s.log.Lane(src.key, i, i+1) {
			if e.Kind == timeline.Opened || e.Kind == timeline.ClosedIt {
				out = append(out, e)
			}
		}
	}
	return out
}
