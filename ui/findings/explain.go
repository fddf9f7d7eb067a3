package findings

import (
	"fmt"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/inspector/conform"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/label"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// docMemo is the explanation of what the cursor is on, made once.
type docMemo struct {
	log   *timeline.Log
	sel   sel
	found int
	n     int
	muted bool
	doc   inspector.Doc
}

// explain returns the explanation of what the cursor is on.
func (v *View) explain(c *view.Context) inspector.Doc {
	m := &v.doc
	if m.log == c.Log && m.sel == v.sel && m.found == v.book.version && m.n == c.Len && m.muted == v.muted {
		return m.doc
	}
	*m = docMemo{log: c.Log, sel: v.sel, found: v.book.version, n: c.Len, muted: v.muted}
	switch f := v.finding(); {
	case f != nil:
		m.doc = v.explainFinding(f)
	case v.sel.rule != "":
		m.doc = v.explainRule()
	case v.sel.chapter != "":
		m.doc = v.explainChapter()
	default:
		m.doc = inspector.Doc{Blocks: []inspector.Block{{Body: []inspector.Line{text("Nothing is selected.")}}}}
	}
	return m.doc
}

func text(s string) inspector.Line {
	return inspector.Line{Spans: []inspector.Span{{Text: s}}, Wrap: true}
}

// found is a finding as the inspector takes it.
func (v *View) found(f *conform.Finding) inspector.Found {
	r, _ := conform.RuleByID(f.Rule)
	out := inspector.Found{
		Rule: f.Rule, Level: f.Level.String(), Meaning: r.Meaning, Message: f.Message,
		Index: f.Index, Conn: f.Conn, Count: f.Count, Toolset: deref(f.Toolset), Instance: deref(f.Instance), Tool: deref(f.Tool),
		Expected: f.Expected, Seen: f.Seen, Mend: f.Mend,
	}
	if f.Rev != nil {
		out.Rev = *f.Rev
	}
	if v.Same != nil {
		out.Same = v.Same()
	}
	for _, m := range v.book.marks {
		if len(out.Again) > 8 || f.Count == 1 {
			break
		}
		if &v.book.all[m.Finding] == f && m.Index != f.Index {
			out.Again = append(out.Again, m.Index)
		}
	}
	return out
}

func (v *View) explainFinding(f *conform.Finding) inspector.Doc {
	of := v.found(f)
	doc := inspector.Finding(v.log, &of)
	kind := "finding" // infos are numbered by themselves: nothing else counts them
	if f.Level == conform.Info {
		kind = "info"
	}
	n, all := 0, 0
	for i := range v.rows {
		if k := v.rows[i].finding; k >= 0 && (v.book.all[k].Level == conform.Info) == (f.Level == conform.Info) {
			if all++; &v.book.all[k] == f {
				n = all
			}
		}
	}
	doc.Note = fmt.Sprintf("%s %d of %d", kind, n, all)
	return doc
}

// explainRule says what a rule asks for, and how often it was broken.
func (v *View) explainRule() inspector.Doc {
	r, _ := conform.RuleByID(v.sel.rule)
	level := r.Level.String()
	if r.Also != "" {
		level += "; " + r.Also
	}
	doc := inspector.Doc{Note: "rule of " + string(r.Chapter)}
	doc.Add(inspector.Block{Body: []inspector.Line{
		{Spans: []inspector.Span{{Text: r.ID, Tone: inspector.Loud}}},
		text(r.Meaning),
	}})
	things, times := 0, 0
	for i := range v.book.all {
		if f := &v.book.all[i]; f.Rule == r.ID {
			things, times = things+1, times+f.Count
		}
	}
	found := "none"
	if things > 0 {
		found = inspector.Count(things, "finding") + ", seen " + inspector.Count(times, "time")
	}
	for i, b := range []struct{ head, text string }{{"FOUND", found}, {"LEVEL", level}, {"TO MEND", r.Mend}, {"SOURCE", r.Source}} {
		doc.Add(inspector.Block{Head: b.head, Body: []inspector.Line{text(b.text)}, Beside: true, Joined: i == 1 || i == 3})
	}
	return doc
}

// explainChapter lists the rules of a chapter, and how often each was broken.
func (v *View) explainChapter() inspector.Doc {
	rules := chapters[v.sel.chapter]
	n := map[string]int{}
	for i := range v.book.all {
		n[v.book.all[i].Rule] += v.book.all[i].Count
	}
	doc := inspector.Doc{Note: inspector.Count(len(rules), "rule")}
	b := inspector.Block{Head: string(v.sel.chapter), Note: "level, seen"}
	for _, r := range rules {
		l := inspector.Line{Spans: []inspector.Span{{Text: r.ID}}, Right: fmt.Sprintf("%s  %4s", r.Level, none(n[r.ID]))}
		if n[r.ID] > 0 {
			l.Spans[0].Tone = inspector.Loud
		}
		b.Body = append(b.Body, l)
	}
	doc.Add(b)
	return doc
}

// mendText is how a finding is mended, as INSPECT says it.
func (v *View) mendText(f *conform.Finding) string {
	of := v.found(f)
	return inspector.Mend(v.log, &of)
}

// frameWords names the frame of a finding: "frame 91, rev 39, connection 1".
func frameWords(f *conform.Finding) string {
	s := fmt.Sprintf("frame %d", f.Seq)
	if f.Rev != nil {
		s += ", rev " + label.Rev(f.Conn, *f.Rev)
	}
	return s
}
