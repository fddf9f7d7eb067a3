package timeline

import (
	"bytes"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// Reading is what the reducer needs of the bytes of one message. It depends on
// nothing but the message, so that messages can be read ahead, on other cores
// than the one that reduces them. Its memory is used again with each Read, and
// what is in it are views of the message.
type Reading struct {
	c *wire.Cursor // one for many, so that reading needs no memory of its own
	// hints are what the message carries, if it carries any (toolhints.md §7);
	// raw is their value, nil or null where there are none.
	raw   []byte
	hints hints
	// Of a request, or a push.
	tool, instance, toolset, eventText string
	event                              []byte // eventId, as eventKey has it
	state                              []byte // of a result: the state that it brings, nil for none
}

// keepEntries is how many entries of hints are kept memory for.
const keepEntries = 64

// Read reads the message with the head h from its bytes.
func (r *Reading) Read(h *wire.Head) {
	r.reset()
	*r.c = wire.CursorOf(orEmpty(h.Params))
	switch {
	case h.Kind == wire.Result:
		*r.c = wire.CursorOf(h.Result)
		r.result()
	case h.Method == mcpl.MethodToolsHints:
		r.carried()
	case h.Method == mcpl.MethodPush, h.Method == mcpl.MethodToolsetsOpen, h.Method == mcpl.MethodToolsetsClose:
		r.params()
	case h.Method == mcpl.MethodToolsCall:
		r.call()
	}
}

// Outlined is a message that has been taken apart.
type Outlined struct {
	Tree    *wire.Tree // the message is its root
	Outline *mcpl.Outline
}

// ReadOutlined is Read of a message that has been taken apart: it reads the
// same.
func (r *Reading) ReadOutlined(h *wire.Head, of Outlined) {
	r.reset()
	t, o := of.Tree, of.Outline
	switch {
	case h.Kind == wire.Result:
		if t.Kind(o.State) == '{' {
			r.state = t.Raw(o.State)
		}
		r.carriedIn(t, o.Hints)
	case h.Method == mcpl.MethodToolsHints && t.Top.Params == 0:
		*r.c = wire.CursorOf(orEmpty(nil))
		r.carried()
	case h.Method == mcpl.MethodToolsHints:
		r.carriedIn(t, t.Top.Params)
	case h.Method == mcpl.MethodPush, h.Method == mcpl.MethodToolsetsOpen, h.Method == mcpl.MethodToolsetsClose:
		r.toolset, r.instance = t.View(o.Toolset), t.View(o.Instance)
		if raw := t.Raw(o.EventID); raw != nil {
			r.event, r.eventText = eventKey(raw), eventText(raw)
		}
		r.carriedIn(t, o.Hints)
	case h.Method == mcpl.MethodToolsCall:
		r.tool, r.instance = t.View(o.Name), t.View(o.Called)
	}
}

// carriedIn reads the hints that stand in a tree, 0: there are none.
func (r *Reading) carriedIn(t *wire.Tree, hints wire.Value) {
	if hints != 0 {
		r.c.Before(t, hints)
		r.carried()
	}
}

func (r *Reading) reset() {
	if r.c == nil {
		r.c = &wire.Cursor{}
	}
	h := &r.hints
	if len(h.Tools)+len(h.Toolsets)+len(h.Suggest) > keepEntries {
		*h = hints{}
	}
	h.copied = h.copied[:0]
	r.raw, r.event, r.state = nil, nil, nil
	r.tool, r.instance, r.toolset, r.eventText = "", "", "", ""
}

// carried reads the hints that the cursor stands before.
func (r *Reading) carried() { r.raw = r.hints.Take(r.c) }

// carries reports whether the message carries hints, whatever is in them.
func (r *Reading) carries() bool { return r.raw != nil && string(r.raw) != "null" }

// result reads the hints in the _meta of a result. Of a member that stands
// twice the last counts, here and below.
func (r *Reading) result() {
	c := r.c
	if !c.Enter('{') {
		return
	}
	for c.Key() {
		if string(c.Name) != "_meta" {
			isState := string(c.Name) == "state"
			v := c.Value()
			if isState {
				r.state = nil
				if len(v) > 0 && v[0] == '{' {
					r.state = v
				}
			}
			continue
		}
		if r.raw = nil; !c.Enter('{') {
			c.Value()
			continue
		}
		for c.Key() {
			if string(c.Name) == mcpl.MetaHints {
				r.carried()
			} else {
				c.Value()
			}
		}
	}
}

// params reads the members of a push, or of an open or a close.
func (r *Reading) params() {
	c := r.c
	if !c.Enter('{') {
		return
	}
	for c.Key() {
		switch string(c.Name) {
		case "toolset":
			r.toolset = c.Text()
		case "instance":
			r.instance = c.Text()
		case "eventId":
			raw := c.Value()
			r.event, r.eventText = eventKey(raw), eventText(raw)
		case "hints":
			r.carried()
		default:
			c.Value()
		}
	}
}

// eventKey returns a form of a raw eventId in which two are equal exactly if
// type and value are; nil where there is none.
func eventKey(raw []byte) []byte {
	switch {
	case len(raw) == 0 || raw[0] == 'n':
		return nil
	case raw[0] == '"' && bytes.IndexByte(raw, '\\') < 0:
		return raw
	}
	return []byte(wire.ID(raw).Key())
}

// eventText is a raw eventId for people: a string's text, or a number, which
// it should not be, as it is written.
func eventText(raw []byte) string {
	if len(raw) > 0 && (raw[0] == '-' || raw[0]-'0' <= 9) {
		return string(raw)
	}
	return wire.TextOf(raw)
}

// call reads which tool is called, and in which instance.
func (r *Reading) call() {
	c := r.c
	if !c.Enter('{') {
		return
	}
	for c.Key() {
		switch string(c.Name) {
		case "name":
			r.tool = c.Text()
		case "_meta":
			r.instance = wire.TextOf(wire.Member(c.Value(), mcpl.MetaInstance))
		default:
			c.Value()
		}
	}
}

// fill notes what is to be remembered of the request, or the push, at hand.
func (c *conn) fill(q *request, st *step) {
	h, r := st.head, st.read
	a := about{method: mcpl.MethodName(h.Method), tool: r.tool, instance: r.instance, toolset: r.toolset}
	if a.method == "" {
		a.method = c.history.name(h.Method)
	}
	switch a.method {
	case mcpl.MethodToolsList:
		a.cursor = cursorKey(wire.StringOf(wire.Member(h.Params, "cursor")))
	case mcpl.MethodDiscover:
		a.cursor = cursorKey(wire.StringOf(wire.Path(h.Params, "_meta", mcpl.MetaProtocol)))
	}
	q.id, q.about, q.event = cloneID(h.ID), c.history.about(a), strings.Clone(r.eventText)
	q.frame, q.message, q.seq, q.t = int32(st.at.frame), int32(st.at.message), st.f.Seq, st.f.T
}

// PlainTools returns the entries of the hints that the message carries, where
// all of them state nothing but flags of tools, and no entry is odd; ok is
// false otherwise. They are views of the message.
func (r *Reading) PlainTools() (entries []mcpl.ToolHint, ok bool) {
	if r.raw == nil || !r.hints.Plain {
		return nil, false
	}
	return r.hints.Tools, true
}

// Ahead reads the messages of a run of frames, so that State.ApplyRead need
// not. It is for a source of frames that works on several cores.
type Ahead struct {
	readings []Reading
	cursor   wire.Cursor
}

// Inspect is wire.Inspect: nothing more is needed of a body.
func (a *Ahead) Inspect(_ int, body []byte, head *wire.Head) (form wire.Form, valid, one bool) {
	return wire.Inspect(body, head)
}

// Ready reads all frames that are one message each, and whose head is known.
func (a *Ahead) Ready(frames []wire.Frame) {
	a.ReadyWith(frames, func(int) (_ Outlined, taken bool) { return })
}

// ReadyWith is Ready where messages have been taken apart: outlined returns
// that of frame i, and whether it was.
func (a *Ahead) ReadyWith(frames []wire.Frame, outlined func(i int) (_ Outlined, taken bool)) {
	if len(a.readings) < len(frames) {
		a.readings = append(a.readings, make([]Reading, len(frames)-len(a.readings))...)
	}
	for i := range frames {
		h := frames[i].Head()
		if h == nil {
			continue
		}
		r := &a.readings[i]
		r.c = &a.cursor
		if of, taken := outlined(i); taken {
			r.ReadOutlined(h, of)
		} else {
			r.Read(h)
		}
		if r.raw != nil {
			r.hints.copyDefinitions()
		}
	}
}

// Of returns what was read of frame i, nil where nothing was.
func (a *Ahead) Of(i int, f *wire.Frame) *Reading {
	if f.Head() == nil || i >= len(a.readings) {
		return nil
	}
	return &a.readings[i]
}
