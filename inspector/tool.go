package inspector

import (
	"bytes"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// Tool explains a tool on a board: whether it is usable in the instance, why
// or why not, what its definition is in effect, and what touched it. instance
// is "" for a tool outside of toolsets with instances, and where none is
// chosen.
func Tool(log *timeline.Log, b *timeline.Board, toolset, instance, tool string) Doc {
	d := Doc{Title: oneLine(at(tool, instance, true))}
	p, ok := find(b, tool, instance)
	if !ok || (toolset != "" && (p.set == nil || p.set.Name != toolset)) {
		d.Note = "not listed"
		d.Add(Block{Body: []Line{say("At this point the server lists no such tool.")}})
		return d
	}
	if p.usable() {
		d.Note = "usable"
		d.Add(Block{Head: "WHY", Body: why(log, b, p)})
	} else {
		d.Note = "not usable"
		d.Add(Block{Head: "WHY NOT", Body: whyNot(log, b, p, true)})
	}
	d.definition(log, b, p)
	d.track(log, b, p)
	d.source(log, b, p)
	return d
}

// source shows the definition as JSON: what is in effect, and what was listed.
func (d *Doc) source(log *timeline.Log, b *timeline.Board, p spot) {
	if p.cell != nil && p.cell.Redefined {
		d.Add(Block{Head: "IN EFFECT", Note: "listed, with what hints replaced", JSON: p.cell.Definition, Fold: true, Flow: true})
	}
	d.Add(Block{
		Head: "LISTED", Note: "as in " + orElse(byWords(log, timeline.By{Index: b.ListAt}), "no list"),
		JSON: p.tool.Declared, Fold: true, Flow: true,
	})
}

// definition shows what a tool is: its description as declared, what revs
// made of it, its arguments, annotations and _meta as they are in effect.
func (d *Doc) definition(log *timeline.Log, b *timeline.Board, p spot) {
	def := p.tool.Declared
	d.describe("DECLARED", oneLine(member(def, "annotations", "title")), def)
	if p.cell != nil && p.cell.Redefined {
		now := p.cell.Definition
		note := ""
		if w := byFrame(log, b, p.cell.DefBy); w != "" {
			note = "redefined by " + w
		}
		block := Block{Sign: "~", Head: "NOW", Note: note, Body: Compare(def, now)}
		if keys := ignoredMembers(log, b, p); len(keys) > 0 {
			block.add(ignoredMembersLine(keys))
		}
		d.Add(block)
		def = now
	}
	args := arguments(wire.Member(def, "inputSchema"))
	if len(args) == 0 {
		args = []Line{spans(plain("none"))}
	}
	notes := wire.Member(def, "annotations")
	d.Add(Block{Head: "ARGUMENTS", Note: annotationWords(notes), Body: args})
	if out := wire.Member(def, "outputSchema"); out != nil {
		d.Add(Block{Head: "RESULT", Note: "structuredContent", Body: orNone(arguments(out)), Extra: true})
	}
	if lines := annotations(notes); len(lines) > 0 {
		d.Add(Block{Head: "ANNOTATIONS", Note: "the server's hints, not promises", Body: lines, Extra: true})
	}
	if lines := metaLines(wire.Member(def, "_meta")); len(lines) > 0 {
		d.Add(Block{Head: "_META", Body: lines, Extra: true})
	}
}

func orNone(lines []Line) []Line {
	if len(lines) == 0 {
		return []Line{spans(plain("any object"))}
	}
	return lines
}

// describe shows a description: whole where it is long, else as a line.
func (d *Doc) describe(head, note string, def []byte) {
	raw := wire.Member(def, "description")
	switch {
	case raw == nil:
		d.Add(Block{Head: head, Note: note, Body: []Line{spans(quiet("no description"))}})
	case len(raw) > maxShort || bytes.Contains(raw, []byte(`\n`)):
		d.Add(Block{Head: head, Note: note, Text: orBlank([]byte(wire.StringOf(raw)))})
	default:
		l := spans(peer(oneLine(wire.StringOf(raw))))
		l.Wrap = true
		d.Add(Block{Head: head, Note: note, Body: []Line{l}})
	}
}

// setLine is a toolset in one line: its name, title, and whether it is open.
func setLine(log *timeline.Log, b *timeline.Board, s *timeline.Toolset) Line {
	l := spans(plain(oneLine(s.Name)))
	if s.Title != "" {
		l.Spans = append(l.Spans, peer("   "+oneLine(s.Title)))
	}
	l.Right = openWords(log, b, s)
	return l
}

func openWords(log *timeline.Log, b *timeline.Board, s *timeline.Toolset) string {
	switch {
	case s.HasInstances && len(s.Instances) > 0:
		return Count(len(s.Instances), "instance") + " open"
	case s.Open && s.DefaultOpen && s.OpenedBy.Rev == 0:
		return "open by default"
	case s.Open:
		return strings.TrimSpace("open since " + byFrame(log, b, s.OpenedBy))
	case s.ClosedBy.Index >= 0:
		return strings.TrimSpace("closed by " + byFrame(log, b, s.ClosedBy))
	}
	return "never open"
}
