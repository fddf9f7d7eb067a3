package conform

import (
	"unicode/utf8"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// Ahead reads the bodies of a run of frames before their turn, so that
// Run.FrameAhead need not. It is for a source of frames that works on several
// cores: what a body says depends on nothing but the body.
type Ahead struct {
	timeline.Ahead
	reader wire.Reader
	trees  []aheadTree
	run    int  // which one it is, from 1
	given  bool // the trees of this run: what is inspected now belongs to the next
}

type aheadTree struct {
	tree tree
	run  int // of which it is, 0: none
}

// How many messages a run has, mostly, and how many values these have together.
const (
	usualMessages = 128
	usualValues   = 1 << 12
)

// Inspect is wire.Inspect, and keeps the tree of the body for slot i.
func (a *Ahead) Inspect(i int, body []byte, head *wire.Head) (form wire.Form, valid, one bool) {
	switch {
	case a.given:
		a.reader.Reset()
		a.given = false
		a.run++
	case a.run == 0:
		a.reader.Reserve(usualValues)
		a.run++
	}
	for len(a.trees) <= i {
		a.trees = append(a.trees, make([]aheadTree, max(len(a.trees), usualMessages))...)
	}
	e := &a.trees[i]
	t := &e.tree
	root, ok := a.reader.Read(body, &t.Tree)
	if e.run = 0; !ok {
		return wire.Inspect(body, head)
	}
	e.run = a.run
	t.look()
	if t.Cut {
		return wire.Inspect(body, head)
	}
	if form = wire.Msg; t.High && !utf8.Valid(body) {
		form = wire.Binary
	}
	if one = t.isObject(root); one {
		t.Peek(head)
	}
	return form, true, one
}

// Ready reads what else can be read of the frames.
func (a *Ahead) Ready(frames []wire.Frame) {
	if a.given {
		a.run++ // none of these was inspected
	}
	a.given = true
	a.ReadyWith(frames, func(i int) (_ timeline.Outlined, taken bool) {
		if t := a.treeOf(i, &frames[i]); t != nil && !t.Cut {
			return t.outlined(), true
		}
		return
	})
}

// treeOf returns the tree of the body of a frame, nil where it was not read.
func (a *Ahead) treeOf(i int, f *wire.Frame) *tree {
	if i >= len(a.trees) || a.trees[i].run != a.run || f.Form != wire.Msg {
		return nil
	}
	t := &a.trees[i].tree
	if len(t.Bytes) != len(f.Body) || &t.Bytes[0] != &f.Body[0] {
		return nil
	}
	return t
}
