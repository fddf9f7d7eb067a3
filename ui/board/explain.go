package board

import (
	"fmt"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// docKey tells whether an explanation is still the one that would be given.
type docKey struct {
	sel     Selection
	log     *timeline.Log
	board   *timeline.Board
	at, len int
	found   int
}

// explain returns the explanation of the selection. Explaining reads frames,
// so it is asked for again only when something moved.
func (b *Board) explain(m *moment) inspector.Doc {
	key := docKey{b.selected(m), m.c.Log, m.c.Board, m.c.At, m.c.Len, m.c.Found}
	if key != b.docKey {
		b.doc, b.docKey = b.Explain(m.c, key.sel), key
	}
	return b.doc
}

// Explain is what a Board made by New explains its selection with.
func Explain(c *view.Context, sel Selection) inspector.Doc {
	if c.Log == nil || c.Board == nil {
		return inspector.Doc{}
	}
	b := c.Board
	switch sel.Kind {
	case OnRow:
		return inspector.Row(c.Log, sel.Row)
	case OnTool:
		return inspector.Tool(c.Log, b, sel.Toolset, sel.Instance, sel.Tool)
	case OnToolset:
		return inspector.Toolset(c.Log, b, sel.Toolset)
	case OnInstance:
		if sel.Instance == "" {
			return inspector.Toolset(c.Log, b, sel.Toolset)
		}
		return inspector.Instance(c.Log, b, sel.Toolset, sel.Instance)
	case OnEnded:
		for _, e := range b.Ends() {
			if e.ID == sel.ID {
				return inspector.Ended(c.Log, b, e)
			}
		}
	case OnSuggestion:
		m := (&Board{}).moment(c)
		if s := m.find(sel); s != nil {
			return inspector.Suggestion(c.Log, b, *s)
		}
	case OnStatic:
		return headDoc("STATIC", b.Static,
			"Tools that stand at the head of every prompt. They stay the same bytes until tools/list changes.",
			"DEFINITIONS  "+inspector.HeadTokens(b)+", an estimate: a token for four bytes of name, title, description and inputSchema.")
	case OnLoose:
		return headDoc("LOOSE", b.Loose,
			"Dynamic tools that belong to no toolset. Hints say one by one whether they are usable.")
	case OnDynamic:
		return headDoc("DYNAMIC", dynamicTools(b),
			"Tools that come and go. A model is told of them rev by rev, so the head of its prompt stays as it is.")
	}
	return inspector.Doc{}
}

func dynamicTools(b *timeline.Board) []timeline.Tool {
	out := append([]timeline.Tool(nil), b.Loose...)
	for i := range b.Toolsets {
		out = append(out, b.Toolsets[i].Tools...)
	}
	return out
}

// docTools is how many tools the explanation of a head lists.
const docTools = 200

// headDoc explains the head of a part of TOOLS: what belongs to it, and its
// tools.
func headDoc(title string, tools []timeline.Tool, text ...string) inspector.Doc {
	n, all := usableOf(tools)
	doc := inspector.Doc{Title: title, Note: fmt.Sprintf("%d of %d usable", n, all)}
	about := inspector.Block{}
	for _, t := range text {
		about.Body = append(about.Body, inspector.Line{Spans: []inspector.Span{{Text: t}}, Wrap: true})
	}
	list := inspector.Block{Head: "TOOLS"}
	for i := range tools {
		if i == docTools {
			list.Body = append(list.Body, inspector.Line{Spans: []inspector.Span{
				{Text: fmt.Sprintf("… %d more", all-i), Tone: inspector.Quiet},
			}})
			break
		}
		n, _ := usableOf(tools[i : i+1])
		dot := inspector.Span{Text: "○  ", Tone: inspector.Quiet}
		if n > 0 {
			dot = inspector.Span{Text: "●  ", Tone: inspector.Good}
		}
		list.Body = append(list.Body, inspector.Line{Spans: []inspector.Span{
			dot, {Text: peer(tools[i].Name)}, {Text: "   " + description(&tools[i]), Tone: inspector.Quiet},
		}})
	}
	doc.Blocks = []inspector.Block{about, list}
	return doc
}
