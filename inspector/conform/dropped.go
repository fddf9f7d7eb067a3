package conform

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// dropped is an entry that had no effect.
func (j *Judge) dropped(c *conn, d *timeline.Dropped, h held, wasHeld bool) {
	th := thing{toolset: d.Toolset, instance: wire.StringOf(wire.Member(d.Entry, "instance")), tool: d.Tool}
	switch d.Rule {
	case hintsUnknownTool.ID:
		th.instance = ""
		c.doubtTool(d.Tool) // the list that names it may be on its way
		j.unknownTool(c, th, d.Entry, h.at, wasHeld)
	case hintsInstanceMissing.ID:
		c.doubtTool(d.Tool)
		if raw := wire.Member(d.Entry, "instance"); raw != nil && raw[0] != '"' && raw[0] != 'n' {
			return // hints-malformed
		}
		if !c.manifestStale() {
			j.instanceMissing(th, d.Entry, h.at)
		}
	case hintsUnknownInstance.ID:
		c.doubtTool(d.Tool)
		if h.carrier != timeline.CarrierList && !j.closedWith(h, wasHeld, th) {
			j.unknownInstance(c, th, d.Entry, h.at)
		}
	case hintsStaticDefinition.ID:
		if c.doubt || c.listStale() {
			return
		}
		if f := j.found(hintsStaticDefinition, h.at, thing{tool: d.Tool}, ""); f != nil {
			f.Message = fmt.Sprintf("%s is a static tool, and a hint redefines it; the definition was ignored.", f.tool())
			f.Expected = "no definition for a static tool"
			f.Seen = quote(d.Entry)
		}
	}
}

// unknownTool: on HTTP the announcement of a new list may still be on its way.
func (j *Judge) unknownTool(c *conn, th thing, entry []byte, at spot, wasHeld bool) {
	if j.view.ListAt() < 0 || c.listStale() {
		return
	}
	seen := quote(entry)
	tell := func() {
		if f := j.found(hintsUnknownTool, at, th, ""); f != nil {
			f.Message = fmt.Sprintf("A hint names the tool %s, and tools/list does not; the entry was ignored.", f.tool())
			f.Expected = "the name of a listed tool"
			f.Seen = seen
		}
	}
	if wasHeld || j.unordered() {
		changed := c.changed
		j.later(pending{conn: c, until: j.now + grace, drop: func() bool { return c.changed > changed }, tell: tell})
		return
	}
	tell()
}

func (j *Judge) instanceMissing(th thing, entry []byte, at spot) {
	f := j.found(hintsInstanceMissing, at, th, "")
	if f == nil {
		return
	}
	open := j.view.InstanceNames(th.toolset)
	f.Message = fmt.Sprintf("A hint for %s of toolset %s must name its instance, and names none; the entry was ignored.", f.tool(), deref(f.Toolset))
	if th.tool == "" {
		f.Message = fmt.Sprintf("An entry opens toolset %s, which has instances, and names none; it opened nothing.", deref(f.Toolset))
	}
	f.Expected = `"instance" in this entry`
	if len(open) > 0 {
		f.Expected += ": " + oneOf(open)
	}
	switch len(open) {
	case 0:
	case 1:
		f.Mend = withMember(entry, "instance", open[0])
	default: // which of them is meant, only the server knows
		f.Mend = `Add "instance" to the entry, with the one that it speaks of: ` + oneOf(open) + "."
	}
	f.Seen = quote(entry)
}

// oneOf lists names: "vs-ada or vs-bot".
func oneOf(names []string) string {
	const most = 6
	if len(names) > most {
		return strings.Join(names[:most], ", ") + ", …"
	}
	for i := range names {
		names[i] = cut(names[i], 64)
	}
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " or " + names[n-1]
	}
	return strings.Join(names, "")
}

// withMember returns an entry with one more member, behind its first; "" where
// it has none.
func withMember(entry []byte, name, text string) string {
	var r reader
	root, ok := r.parse(entry)
	t := &r.tree
	first := t.First(root)
	if !ok || first == 0 {
		return ""
	}
	at := t.End(first)
	return quote(slices.Concat(entry[:at], []byte(`,"`+name+`":`+quoteJSON(text)), entry[at:]))
}

// quoteJSON writes a string as JSON does, as it stands.
func quoteJSON(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string always has a JSON form
	return strings.TrimSuffix(b.String(), "\n")
}

// closedWith reports whether the message itself, or the request that it
// answers, closed what an entry of it speaks of.
func (j *Judge) closedWith(h held, wasHeld bool, th thing) bool {
	at := thing{toolset: th.toolset, instance: th.instance}
	if wasHeld {
		return slices.Contains(h.closes, at)
	}
	for i := range j.msgs {
		if slices.Contains(j.closes(&j.msgs[i]), at) {
			return true
		}
	}
	return false
}

// closes returns what a message says is closed: by its own entries, or as the
// result of toolsets/close.
func (j *Judge) closes(m *message) []thing {
	t := j.tree
	var out []thing
	list := t.Get(m.carried, "toolsets")
	if !t.isArray(list) {
		list = 0
	}
	for v := t.First(list); v != 0; v = t.Next(v) {
		e, ok := mcpl.DecodeToolsetHint(t.Raw(v))
		if ok && e.State == "closed" {
			out = append(out, thing{toolset: e.Toolset, instance: e.Instance})
		}
	}
	if m.call != nil && m.call.method == toolsetsClose {
		out = append(out, thing{toolset: m.call.toolset, instance: m.call.instance})
	}
	return out
}

// unlisted is a finding that waits for the first toolsets/list.
type unlisted struct {
	th    thing
	entry []byte
	at    spot
}

// firstListed notes what the first toolsets/list explains: what it names as
// open or ended. On HTTP it may be held until hints that it stands behind have
// come.
func (j *Judge) firstListed(c *conn, m *message, ends []end) {
	c.first = setOf(j.openItems(m))
	for _, e := range ends {
		c.first[e.th] = true
	}
	if m.row == nil || m.row.Status > timeline.Gap {
		j.firstList(c, c.first) // it takes no effect with its hints
	}
}

// firstList decides what has waited for the first toolsets/list.
func (j *Judge) firstList(c *conn, open map[thing]bool) {
	waiting := c.unlisted
	c.unlisted, c.first, c.listedOnce = nil, nil, true
	for _, u := range waiting {
		if !open[u.instance()] {
			j.noInstance(u.th, u.entry, u.at)
		}
	}
}

// instance is the one that the finding is about.
func (u *unlisted) instance() thing { return thing{toolset: u.th.toolset, instance: u.th.instance} }

// closesUnlisted: what a message closes before the first toolsets/list was
// open, and the list does not name it.
func (j *Judge) closesUnlisted(c *conn, h held, wasHeld bool) {
	if len(c.unlisted) > 0 {
		c.unlisted = slices.DeleteFunc(c.unlisted, func(u unlisted) bool { return j.closedWith(h, wasHeld, u.instance()) })
	}
}

func (j *Judge) unknownInstance(c *conn, th thing, entry []byte, at spot) {
	if c.doubt || c.manifestStale() {
		return
	}
	if !c.listedOnce { // a server may keep what is open, whatever its link
		if len(c.unlisted) < maxSuspects {
			c.unlisted = append(c.unlisted, unlisted{th, entry, at})
		}
		return
	}
	j.noInstance(th, entry, at)
}

func (j *Judge) noInstance(th thing, entry []byte, at spot) {
	f := j.found(hintsUnknownInstance, at, th, "")
	if f == nil {
		return
	}
	f.Message = fmt.Sprintf("A hint speaks of %s, and no instance %s of %s is open; the entry was ignored.", th.cut().words(), deref(f.Instance), deref(f.Toolset))
	f.Expected = "an open instance"
	if open := j.view.InstanceNames(th.toolset); len(open) > 0 {
		f.Expected += ": " + oneOf(open)
	}
	f.Seen = quote(entry)
}
