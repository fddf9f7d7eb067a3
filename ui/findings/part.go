package findings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/inspector/conform"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/label"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// Explained returns an explanation with what findings say of its subject: as
// its second part where there are any, near its end where there are none. What
// the explanation says of a rule by itself is kept, and not said twice; its ✗
// goes where the judge says nothing. Where none is "", nothing is said of there
// being none.
func (b *Book) Explained(c *view.Context, doc inspector.Doc, of []*conform.Finding, none string) inspector.Doc {
	if len(doc.Blocks) == 0 {
		return doc
	}
	doc.Blocks = slices.Clone(doc.Blocks)
	said := map[string]bool{}
	for i := range doc.Blocks {
		doc.Blocks[i].Body = b.settled(doc.Blocks[i].Body, said)
	}
	was := len(of)
	of = slices.DeleteFunc(slices.Clone(of), func(f *conform.Finding) bool { return said[f.Rule] })
	switch {
	case len(of) > 0:
		doc.Blocks = slices.Insert(doc.Blocks, 1, b.block(c, of, none))
	case was == 0 && none != "":
		at := slices.IndexFunc(doc.Blocks, func(x inspector.Block) bool { return slices.Contains(raw, x.Head) })
		if at < 0 {
			at = len(doc.Blocks)
		}
		doc.Blocks = slices.Insert(doc.Blocks, at, b.block(c, nil, none))
	}
	return doc
}

// raw are the parts of an explanation that show bytes as they are: they come
// last.
var raw = []string{"RAW", "LISTED", "IN EFFECT"}

// settled takes ✗ from lines about rules that nothing was found of, and notes
// the others.
func (b *Book) settled(lines []inspector.Line, said map[string]bool) []inspector.Line {
	var out []inspector.Line
	for i := range lines {
		l := &lines[i]
		rule, right := "", strings.HasPrefix(l.Right, "✗ ")
		switch {
		case l.Sign == "✗" && len(l.Spans) > 0:
			rule = strings.TrimSpace(l.Spans[0].Text)
		case right:
			rule = strings.TrimPrefix(l.Right, "✗ ")
		}
		if rule == "" {
			continue
		}
		if b.rules[rule] {
			said[rule] = true
			continue
		}
		if out == nil {
			out = slices.Clone(lines)
		}
		if right {
			out[i].Right = rule
			continue
		}
		out[i].Sign, out[i].Spans = "!", slices.Clone(l.Spans)
		out[i].Spans[0].Tone = inspector.Plain
	}
	if out == nil {
		return lines
	}
	return out
}

// maxNamed is how many findings the part of an explanation names.
const maxNamed = 8

// block is the part FINDINGS of the explanation of something that findings
// speak of. none says that there are none; from there on it leads to the
// nearest.
func (b *Book) block(c *view.Context, of []*conform.Finding, none string) inspector.Block {
	out := inspector.Block{Head: "FINDINGS", Beside: true}
	if len(of) == 0 {
		out.Extra = true
		l := text(none)
		l.Wrap, l.Right = false, b.nearest(c)
		out.Body = []inspector.Line{l}
		return out
	}
	for i, f := range of {
		if i == maxNamed {
			out.Body = append(out.Body, text(fmt.Sprintf("… %d more; 4 lists them", len(of)-i)))
			break
		}
		out.Body = append(out.Body, inspector.Line{
			Sign: "✗", Wrap: true,
			Spans: []inspector.Span{{Text: f.Rule + "  ", Tone: inspector.Bad}, {Text: f.Message}},
		})
	}
	return out
}

// nearest says where the nearest finding is, and which key goes there.
func (b *Book) nearest(c *view.Context) string {
	before, after := b.Next(c.At, -1), b.Next(c.At, 1)
	switch {
	case before >= 0:
		return fmt.Sprintf("✗ %d at %s: E goes to it", len(b.At(before)), Place(c.Log, before))
	case after >= 0:
		return fmt.Sprintf("✗ %d at %s: e goes to it", len(b.At(after)), Place(c.Log, after))
	}
	return ""
}

// Place names a frame by its rev, where it has one.
func Place(log *timeline.Log, i int) string {
	if log == nil || i < 0 || i >= log.Len() {
		return "a later frame"
	}
	e := log.Entry(i)
	if e.Row >= 0 {
		if h := log.RowHead(e.Row); h.Rev > 0 {
			return "rev " + label.Rev(h.Conn, h.Rev)
		}
	}
	return fmt.Sprintf("frame %d", e.Seq)
}
