package conform

import (
	"fmt"
	"slices"

	"github.com/mcpl-tui/mcpl-tui/timeline"
)

var (
	hintsNotNegotiated = &Rule{
		ID: "hints-not-negotiated", Level: Error, whole: true,
		Meaning: "Hints are sent only where both sides advertised toolHints.",
		Source:  "toolhints.md §2, “A server sends no hint changes to a host that did not advertise it”",
		Mend:    "Send hints only to a host that has experimental.mcpl.toolHints, and advertise toolHints yourself.",
	}
	hintsMalformed = &Rule{
		ID: "hints-malformed", Level: Error,
		Meaning: "Hints and their entries have the shape of HintChanges.",
		Also:    "info for a shape that the text leaves open and that was bent",
		Source:  "toolhints.md §7, HintChanges",
		Mend:    "Write the entry as HintChanges has it.",
	}
	hintsUnknownTool = &Rule{
		ID: "hints-unknown-tool", Level: Warning, whole: true,
		Meaning: "An entry of tools names a tool that tools/list names.",
		Source:  "toolhints.md §3, “tools/list names every tool, visible or not”",
		Mend:    "List every tool always, and say by visible whether it is usable.",
	}
	hintsUnknownToolset = &Rule{
		ID: "hints-unknown-toolset", Level: Warning, whole: true,
		Meaning: "An entry of toolsets or suggest names a toolset that the manifest declares.",
		Source:  "toolhints.md §3, “undeclared group: the host opens and closes it alone”",
		Mend:    "Declare the toolset in the manifest, or leave the entry out.",
	}
	hintsUnknownInstance = &Rule{
		ID: "hints-unknown-instance", Level: Warning, whole: true,
		Meaning: "An entry names an instance that is open, or that the same message opens.",
		Source:  "toolhints.md §7, “one with an instance speaks of that instance alone”",
		Mend:    "Say in the same message that the instance is open, or leave the entry out.",
	}
	hintsInstanceMissing = &Rule{
		ID: "hints-instance-missing", Level: Error,
		Meaning: "A hint for a tool of a toolset with instances must name the instance it speaks of.",
		Source:  "toolhints.md §7, “must name the instance”",
		Mend:    `Add "instance" to the entry.`,
	}
	hintsInstanceExtra = &Rule{
		ID: "hints-instance-extra", Level: Warning, whole: true,
		Meaning: "Only an entry for a tool of a toolset with instances names an instance.",
		Source:  "toolhints.md §7, “An entry for a tool of a toolset with instances”; §4, instances",
		Mend:    `Leave "instance" out of the entry.`,
	}
	hintsStaticDefinition = &Rule{
		ID: "hints-static-definition", Level: Error, whole: true,
		Meaning: "Hints change the definition of dynamic tools only.",
		Source:  "toolhints.md §7, “A static tool's definition changes only through tools/list_changed”",
		Mend:    `Make the tool dynamic, or change tools/list and send notifications/tools/list_changed.`,
	}
	hintsDefinitionField = &Rule{
		ID: "hints-definition-field", Level: Error,
		Meaning: "A definition in hints changes description, inputSchema and annotations only.",
		Source:  "toolhints.md §7, “the host ignores any other member in it”",
		Mend:    "Leave the other members out, or as they are declared.",
	}
	hintsToolsetStatic = &Rule{
		ID: "hints-toolset-static", Level: Warning,
		Meaning: "A tool of a toolset is dynamic, whatever it says.",
		Source:  "toolhints.md §3, mcpl/toolset; §7, “A move to static for a toolset's tool is ignored”",
		Mend:    `Leave presence "static" out, or take the tool out of its toolset.`,
	}
	hintsPushedOwn = &Rule{
		ID: "hints-pushed-own-consequence", Level: Info,
		Meaning: "What a call causes rides in its result; nothing is pushed for it.",
		Source:  "toolhints.md §7, “what that call caused (nothing is pushed for it)”",
		Mend:    "Put the hints into the result of the call.",
	}
	hintsVisibleOnStatic = &Rule{
		ID: "hints-visible-on-static", Level: Info,
		Meaning: "A static tool is in every prompt, so hiding it helps no model.",
		Source:  "toolhints.md §1, §3, mcpl/visible",
		Mend:    `Give the tool "mcpl/presence":"dynamic".`,
	}
)

var hintRules = []*Rule{
	hintsNotNegotiated, hintsMalformed, hintsUnknownTool, hintsUnknownToolset, hintsUnknownInstance, hintsInstanceMissing,
	hintsInstanceExtra, hintsStaticDefinition, hintsDefinitionField, hintsToolsetStatic, hintsPushedOwn, hintsVisibleOnStatic,
}

// notNegotiated: hints that are ignored. Not where a manifest has just ended
// the negotiation, nor where one that the host has still to read may begin it.
func (j *Judge) notNegotiated(c *conn, r *timeline.Row, at spot) {
	if c.disowned >= 0 && j.now-c.disowned <= grace || c.manifestStale() && j.view.HostHints() {
		return
	}
	f := j.found(hintsNotNegotiated, at, thing{}, r.Carrier.String())
	if f == nil {
		return
	}
	who := "the server's manifest does not say so"
	if !j.view.HostHints() {
		who = "the host did not advertise it"
	}
	f.Message = fmt.Sprintf("Hints need toolHints on both sides, and %s; those in %s were ignored.", who, carrierWords(r.Carrier))
	f.Expected = "no hints"
	f.Seen = carrierWords(r.Carrier) + " with rev " + orNone(cut(string(r.RawRev), 60))
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

func (j *Judge) malformed(at spot, level Level, th thing, what string, raw []byte) {
	f := j.foundAs(hintsMalformed, level, at, th, what)
	if f == nil {
		return
	}
	f.Seen = quote(raw)
	if level == Info {
		f.Message = "An entry has a shape that the text leaves open: " + what + ". It was understood all the same."
		return
	}
	f.Message = "The hints cannot be read: " + what + naming(th) + "."
}

// naming names a thing in a sentence: ", of play @ vs-ada".
func naming(th thing) string {
	if s := th.words(); s != "" {
		return ", of " + s
	}
	return ""
}

// words names a thing: "play @ vs-ada", "game @ vs-ada", "game".
func (t thing) words() string {
	s := t.tool
	if s == "" {
		s = t.toolset
	}
	if t.instance != "" {
		if s != "" {
			s += " @ "
		}
		s += t.instance
	}
	return s
}

// settled judges what became of a message's entries when it took effect.
func (j *Judge) settled(c *conn, s *timeline.Settled, h held, wasHeld bool) {
	for i := range s.Dropped {
		j.dropped(c, &s.Dropped[i], h, wasHeld)
	}
	if h.carrier == timeline.CarrierList {
		j.stated(c, s)
	} else {
		j.closesUnlisted(c, h, wasHeld)
		j.track(c, s.Changes)
	}
	if len(s.Changes) == 0 {
		return
	}
	if h.carrier == timeline.CarrierPush || h.carrier == timeline.CarrierStandalone {
		c.pushedInto(s.Changes)
	}
}

// stated: toolsets/list has told the whole state, but for entries of it that
// were ignored.
func (j *Judge) stated(c *conn, s *timeline.Settled) {
	if !c.listedOnce {
		if c.doubt {
			c.unlisted = nil // what was lost may have closed it
		}
		j.firstList(c, c.first)
	}
	if c.trust(); c.badList {
		c.doubt = true
	}
	c.badList = false
	for i := range s.Dropped {
		c.doubtTool(s.Dropped[i].Tool)
	}
}

// track remembers what was closed, for toolsets-list-incomplete.
func (j *Judge) track(c *conn, changes []timeline.Change) {
	for i := range changes {
		ch := &changes[i]
		switch ch.Kind {
		case timeline.Opened:
			delete(c.shut, thing{toolset: ch.Toolset, instance: ch.Instance})
		case timeline.ClosedIt:
			if c.shut == nil {
				c.shut = map[thing]bool{}
			}
			if len(c.shut) < maxRecent {
				c.shut[thing{toolset: ch.Toolset, instance: ch.Instance}] = true
			}
		}
	}
}

// tool names the tool of a finding in its message.
func (f *Finding) tool() string { return deref(f.Tool) }

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// pushedInto notes which open calls name an instance that a push, or
// tools/hints, has just changed.
func (c *conn) pushedInto(changes []timeline.Change) {
	if c.naming == 0 || c.naming > maxSuspects {
		return
	}
	for call := range c.calls.each {
		if call.method != toolsCall || call.instance == "" || call.pushed {
			continue
		}
		call.pushed = slices.ContainsFunc(changes, func(ch timeline.Change) bool {
			return ch.Instance == call.instance && ch.Toolset == call.toolset
		})
	}
}

func (j *Judge) pushedOwn(m *message, at spot) {
	if f := j.found(hintsPushedOwn, at, m.call.about(), ""); f != nil {
		f.Message = fmt.Sprintf("While %s was open, a push changed %s, and the result carries no hints: what a call causes rides in its result.", m.call.called(), deref(f.Instance))
		f.Expected = `"_meta":{"mcpl/hints":…} in the result`
		f.Seen = quote(j.tree.Raw(m.Result))
	}
}
