package timeline

import (
	"slices"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// The bounds on what is told of what a server offers.
const (
	maxListDeals = 2200 // messages about lists
	maxOffered   = 2000 // items of a list
	maxReads     = 300  // messages about what was read
	maxUpdates   = 300  // notifications about what changed
	maxSubjects  = 500  // subscriptions
)

// Listing is a list of MCP as it was read last.
type Listing struct {
	Items []Offered
	More  int    // items beyond those
	At    int    // position of the answer that completed it, -1: never
	Stale int    // position of the last word that it has changed since, -1: none
	Open  bool   // it is being read
	Error string // why the last reading failed, "" where it did not
	ErrAt int    // position of that answer
	// Endless tells that the reading failed because a cursor came again: a host
	// stops there.
	Endless bool

	pages   []Offered // of the reading that goes on
	more    int
	cursors map[string]bool // that led to its pages
}

// Offered is a resource, a template or a prompt.
type Offered struct {
	Key   string // its URI, its template or its name
	Raw   []byte // as the server described it
	Index int    // position of the frame that says so
}

func newListing() Listing { return Listing{At: -1, Stale: -1, ErrAt: -1} }

// asked notes the request for a page: one without a cursor begins anew.
func (g *Listing) asked(params []byte) {
	if wire.StringOf(wire.Member(params, "cursor")) == "" {
		g.pages, g.more, g.cursors = nil, 0, nil
	}
	g.Open = true
}

// answered takes a page. The list takes effect with the last one.
func (g *Listing) answered(d *Dealing, list, key string) {
	g.Open, g.Endless = false, false
	if g.Error = d.failed(); g.Error != "" {
		g.ErrAt = d.Index
		return
	}
	wire.EachElement(wire.Member(d.Head.Result, list), func(v []byte) bool {
		if len(g.pages) < maxOffered {
			g.pages = append(g.pages, Offered{Key: wire.StringOf(wire.Member(v, key)), Raw: v, Index: d.Index})
		} else {
			g.more++
		}
		return true
	})
	if next := wire.StringOf(wire.Member(d.Head.Result, "nextCursor")); next != "" {
		if g.cursors[next] {
			g.Endless, g.Error, g.ErrAt = true, "the list does not end: a cursor comes again", d.Index
			return
		}
		if g.cursors == nil {
			g.cursors = map[string]bool{}
		}
		g.cursors[next] = true
		g.Open = true
		return
	}
	g.Items, g.More, g.At, g.Stale = g.pages, g.more, d.Index, -1
	g.pages, g.more, g.cursors = nil, 0, nil
}

// Resources is what a server offers to be read (MCP, resources).
type Resources struct {
	List, Templates Listing
	Subscriptions   []Subscription // in the order in which they were asked for
}

// Subscription is a resource whose changes the host wants to be told.
type Subscription struct {
	URI     string
	Index   int    // position of the request
	Open    bool   // it is not answered
	Error   string // why there is none, "" where there is
	Updates int    // how often the server told since that it changed
	Last    int    // position of the last time, -1: never
	Read    int    // position of the last request to read it since then, -1: none
}

// ResourcesAt tells of the resources of a connection at position upTo.
func (l *Log) ResourcesAt(conn, upTo int) *Resources {
	r := &Resources{List: newListing(), Templates: newListing()}
	deals, _ := l.Dealings(OnResources, conn, upTo, maxListDeals)
	for i := range deals {
		r.take(&deals[i])
	}
	updates, _ := l.Dealings(OnUpdates, conn, upTo, maxUpdates)
	for i := range updates {
		d := &updates[i]
		if s := r.subscription(wire.StringOf(wire.Member(d.Head.Params, "uri"))); s != nil && d.Index > s.Index {
			s.Updates++
			s.Last = d.Index
		}
	}
	reads, _ := l.Dealings(OnReads, conn, upTo, maxReads)
	for i := range reads {
		d := &reads[i]
		if d.Head.Method != mcpl.MethodResourcesRead {
			continue
		}
		if s := r.subscription(wire.StringOf(wire.Member(d.Head.Params, "uri"))); s != nil && s.Last >= 0 && d.Index > s.Last {
			s.Read = d.Index
		}
	}
	return r
}

func (r *Resources) take(d *Dealing) {
	uri := wire.StringOf(wire.Member(d.about(), "uri"))
	switch answer := d.Of >= 0; d.Method() {
	case mcpl.MethodResourcesList:
		if answer {
			r.List.answered(d, "resources", "uri")
		} else {
			r.List.asked(d.Head.Params)
		}
	case mcpl.MethodTemplatesList:
		if answer {
			r.Templates.answered(d, "resourceTemplates", "uriTemplate")
		} else {
			r.Templates.asked(d.Head.Params)
		}
	case mcpl.MethodResourcesChanged:
		r.List.Stale, r.Templates.Stale = d.Index, d.Index
	case mcpl.MethodSubscribe:
		r.subscribe(uri, d, answer)
	case mcpl.MethodUnsubscribe:
		if answer && d.failed() == "" {
			r.Subscriptions = slices.DeleteFunc(r.Subscriptions, func(s Subscription) bool { return s.URI == uri })
		}
	}
}

func (r *Resources) subscribe(uri string, d *Dealing, answer bool) {
	s := r.subscription(uri)
	switch {
	case answer && s != nil:
		s.Open, s.Error = false, d.failed()
	case !answer && s != nil:
		s.Open = true
	case !answer && len(r.Subscriptions) < maxSubjects:
		r.Subscriptions = append(r.Subscriptions, Subscription{URI: uri, Index: d.Index, Open: true, Last: -1, Read: -1})
	}
}

func (r *Resources) subscription(uri string) *Subscription {
	for i := range r.Subscriptions {
		if r.Subscriptions[i].URI == uri {
			return &r.Subscriptions[i]
		}
	}
	return nil
}

// PromptsAt tells of the prompts of a connection at position upTo (MCP,
// prompts).
func (l *Log) PromptsAt(conn, upTo int) *Listing {
	g := newListing()
	deals, _ := l.Dealings(OnPrompts, conn, upTo, maxListDeals)
	for i := range deals {
		switch d := &deals[i]; {
		case d.Method() == mcpl.MethodPromptsChanged:
			g.Stale = d.Index
		case d.Of >= 0:
			g.answered(d, "prompts", "name")
		default:
			g.asked(d.Head.Params)
		}
	}
	return &g
}

// Read is something that was read: a resource, a prompt filled in, or what a
// completion gave.
type Read struct {
	Method   string
	Params   []byte
	Index    int // position of the request
	Answered int // position of the answer, -1: none
	Error    string
	Result   []byte
}

// ReadsAt returns what was read on a connection up to position upTo, the
// newest of each subject, oldest first.
func (l *Log) ReadsAt(conn, upTo int) []Read {
	deals, _ := l.Dealings(OnReads, conn, upTo, maxReads)
	var out []Read
	for i := range deals {
		d := &deals[i]
		if d.Of < 0 {
			out = slices.DeleteFunc(out, func(r Read) bool { return sameSubject(r, d.Head) })
			out = append(out, Read{Method: d.Head.Method, Params: d.Head.Params, Index: d.Index, Answered: -1})
			continue
		}
		for k := range out {
			if out[k].Index == d.Of && out[k].Answered < 0 {
				out[k].Answered, out[k].Error, out[k].Result = d.Index, d.failed(), d.Head.Result
			}
		}
	}
	return out
}

// sameSubject reports whether a request asks for what was read before: the
// same resource, the same prompt, or an argument of the same.
func sameSubject(r Read, h Head) bool {
	if r.Method != h.Method {
		return false
	}
	switch h.Method {
	case mcpl.MethodResourcesRead:
		return string(wire.Member(r.Params, "uri")) == string(wire.Member(h.Params, "uri"))
	case mcpl.MethodPromptsGet:
		return string(wire.Member(r.Params, "name")) == string(wire.Member(h.Params, "name"))
	}
	return string(wire.Member(r.Params, "ref")) == string(wire.Member(h.Params, "ref")) &&
		string(wire.Path(r.Params, "argument", "name")) == string(wire.Path(h.Params, "argument", "name"))
}
