package wireview

import (
	"strconv"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

func itoa(n int) string { return strconv.Itoa(n) }

// docMemo is the explanation of the selected frame, made once.
type docMemo struct {
	key docKey
	doc inspector.Doc
}

// docKey is what an explanation is made from.
type docKey struct {
	log    *timeline.Log
	i      int
	pair   int
	fate   uint8 // of a request without answer
	replay bool
	target string
	held   [2]heldKey
	found  int
}

// explain returns the explanation of the frame at the playhead.
func (v *View) explain(c *view.Context) inspector.Doc {
	if c.At < 0 || c.At >= c.Len {
		d := inspector.Doc{}
		d.Add(inspector.Block{Body: []inspector.Line{{Spans: []inspector.Span{{Text: "Nothing is selected yet."}}}}})
		return d
	}
	e := c.Log.Entry(c.At)
	k := docKey{log: c.Log, i: c.At, pair: e.Pair, fate: fateOf(c, e), replay: c.Replay, held: v.memo.held, found: c.Found}
	if v.Target != nil {
		k.target = v.Target()
	}
	if v.doc.key != k {
		d := inspector.Frame(c.Log, c.At)
		if b, ok := v.againBlock(c, k.target); ok {
			d.Add(b)
		}
		if v.Findings != nil {
			d = v.Findings(c, d)
		}
		v.doc = docMemo{key: k, doc: d}
	}
	return v.doc.doc
}

// fateOf changes when what can be said of an open request does.
func fateOf(c *view.Context, e timeline.Entry) uint8 {
	if e.Kind != timeline.Request || e.Pair >= 0 || c.Newest == nil {
		return 0
	}
	b := c.NewestOf(e.Conn)
	if b == nil || b.Link.Closed != nil {
		return 1
	}
	for k := range b.Calls {
		if call := &b.Calls[k]; call.Index == c.At {
			switch {
			case call.Cancelled:
				return 2
			case call.TimedOut:
				return 3
			case call.Failed:
				return 5
			}
		}
	}
	return 4
}

// requestMemo is what was asked in the selected frame, or what it answers.
type requestMemo struct {
	log     *timeline.Log
	i, pair int
	request inspector.Request
	ok      bool
}

// request returns what the selected frame asked of the server, or what was
// asked where it is the answer.
func (v *View) request(c *view.Context) (inspector.Request, bool) {
	m := &v.asked
	if pair := c.Log.Entry(c.At).Pair; m.log != c.Log || m.i != c.At || m.pair != pair {
		*m = requestMemo{log: c.Log, i: c.At, pair: pair}
		m.request, m.ok = inspector.RequestOf(c.Log, c.At)
	}
	return m.request, m.ok
}

// againBlock says how a request is sent again: edited in a form, or as a command.
func (v *View) againBlock(c *view.Context, target string) (inspector.Block, bool) {
	r, ok := v.request(c)
	if !ok || r.Line == "" {
		return inspector.Block{}, false
	}
	b := inspector.Block{Head: "AGAIN"}
	line := func(sign, text string, indent int) {
		b.Body = append(b.Body, inspector.Line{Sign: sign, Indent: indent, Spans: []inspector.Span{{Text: text}}})
	}
	if !c.Replay && !c.Ended && (r.Tool != "" || r.Method == "toolsets/open") {
		line("r ", "send it again, edited first", 0)
	}
	line("Y ", "copy as a command:", 0)
	line("", kit.Cut(command(r, target), 400), 2)
	return b, true
}

func command(r inspector.Request, target string) string {
	if target == "" {
		target = "TARGET"
	}
	return r.DoCommand(target)
}
