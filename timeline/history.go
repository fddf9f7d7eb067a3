package timeline

import (
	"strings"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// history is what frames said of ids, kept once for all States of a session,
// and the names that they have in common. A place is the position of a frame
// and of the message within it.
type history struct {
	conns  map[int]*connHistory
	names  map[string]string
	abouts map[about]*about
	recent [4]*about // of them, those that were asked for last
	oldest int
	slab   []request // requests are kept for good, so they are made many at once
}

// connHistory is the history of one connection.
type connHistory struct {
	hosts, servers ids // the requests of either side
	events         numbered[mark]
}

type place struct{ frame, message int }

func (p place) before(q place) bool {
	return p.frame < q.frame || p.frame == q.frame && p.message < q.message
}

// mark is a place as it is kept of each event, the message counted from 1.
type mark struct{ frame, message int32 }

func (p place) mark() mark { return mark{int32(p.frame), int32(p.message) + 1} }

func (m mark) place() place { return place{int(m.frame), int(m.message) - 1} }

// request is a request of either side. Answers refer to it also after it was
// cancelled or timed out (state.md, "Messages"), and what comes after the
// first is shown beside it. There may be millions, so what they have in common
// is kept once.
type request struct {
	id             wire.ID
	*about                // never nil
	event          string // of push/event
	frame, message int32  // its place
	seq            int64  // of its frame
	t              time.Duration
	earlier        *request // an earlier request with the same id
}

// about is what many requests have in common: which of them is never asked,
// so that equal ones are one.
type about struct {
	method, tool, instance, toolset string
	cursor                          string // of tools/list; of server/discover the version of MCP that it is of
}

func (r *request) at() place { return place{int(r.frame), int(r.message)} }

// call returns what is shown of the request.
func (r *request) call() Call {
	return Call{
		ID: r.id, Method: r.method, Tool: r.tool, Instance: r.instance, Toolset: r.toolset, EventID: r.event,
		Index: int(r.frame), Seq: r.seq, T: r.t,
	}
}

func newHistory() *history {
	return &history{conns: map[int]*connHistory{}, names: map[string]string{}, abouts: map[about]*about{}}
}

func (h *history) of(n int) *connHistory {
	c := h.conns[n]
	if c == nil {
		c = &connHistory{}
		h.conns[n] = c
	}
	return c
}

// Bounds of the memory for names: those of a server that makes up ever new
// ones are forgotten, and cost their bytes each time, as long texts do.
const (
	maxNames = 1 << 14
	maxName  = 64
)

// name returns a name that may be kept, given a view of a message: the same
// one for the same name.
func (h *history) name(view string) string {
	if view == "" {
		return ""
	}
	if s, known := h.names[view]; known {
		return s
	}
	s := strings.Clone(view)
	if len(s) > maxName {
		return s
	}
	if len(h.names) >= maxNames {
		clear(h.names)
	}
	h.names[s] = s
	return s
}

// slabSize is how many requests are made at once.
const slabSize = 64

// about returns the one that equals a, which may be of views of a message.
func (h *history) about(a about) *about {
	for _, r := range h.recent {
		if r != nil && *r == a {
			return r
		}
	}
	a.tool, a.instance, a.toolset = h.name(a.tool), h.name(a.instance), h.name(a.toolset)
	known := h.anyAbout(a)
	h.recent[h.oldest] = known
	h.oldest = (h.oldest + 1) % len(h.recent)
	return known
}

func (h *history) anyAbout(a about) *about {
	if known := h.abouts[a]; known != nil {
		return known
	}
	if len(h.abouts) >= maxNames {
		clear(h.abouts)
	}
	h.abouts[a] = &a
	return &a
}

// newRequest returns a request to be filled in, with its place.
func (h *history) newRequest(at place) *request {
	if len(h.slab) == cap(h.slab) {
		h.slab = make([]request, 0, slabSize)
	}
	h.slab = append(h.slab, request{frame: int32(at.frame), message: int32(at.message)})
	return &h.slab[len(h.slab)-1]
}

// ids is the latest request of each id.
type ids struct{ numbered[*request] }

// before returns the latest request with that id before a place, nil for none.
func (x *ids) before(id string, at place) *request {
	r := x.get(id)
	for r != nil && !r.at().before(at) {
		r = r.earlier
	}
	return r
}

// at returns the request with that id at that very place, nil for none: a copy
// of the state meets its frames again. last is the latest with that id.
func (x *ids) at(id string, at place) (r, last *request) {
	last = x.get(id)
	for r = last; r != nil && at.before(r.at()); {
		r = r.earlier
	}
	if r != nil && r.at() != at {
		r = nil
	}
	return r, last
}

// seen reports whether the event came before this place, and notes it.
func (h *connHistory) seen(id []byte, at place) bool {
	m := h.events.get(string(id))
	first := m.place()
	if m == (mark{}) || at.before(first) {
		h.events.put(string(id), at.mark())
		return false
	}
	return first.before(at)
}
