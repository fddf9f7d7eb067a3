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
	trees []aheadTree
}

type aheadTree struct {
	tree  tree
	read  bool // this time
	ready bool
}

// keepAhead is how many nodes a tree keeps the memory of: there are many.
const keepAhead = 192

// Inspect is wire.Inspect, and keeps the tree of the body for slot i.
func (a *Ahead) Inspect(i int, body []byte, head *wire.Head) (form wire.Form, valid, one bool) {
	for len(a.trees) <= i {
		a.trees = append(a.trees, aheadTree{})
	}
	e := &a.trees[i]
	if cap(e.tree.nodes) > keepAhead {
		e.tree = tree{}
	}
	root, ok := e.tree.parse(body)
	if e.read = ok; !ok {
		return wire.Inspect(body, head)
	}
	if form = wire.Msg; !utf8.Valid(body) {
		form = wire.Binary
	}
	t := &e.tree
	if one = t.isObject(root); one {
		*head = wire.Head{}
		for v := t.first(root); v != 0; v = t.next(v) {
			head.Add(t.keyOf(v), t.raw(v))
		}
		head.Done(body[t.nodes[root].start:])
	}
	return form, true, one
}

// Ready reads what else can be read of the frames.
func (a *Ahead) Ready(frames []wire.Frame) {
	for i := range a.trees {
		e := &a.trees[i]
		e.ready, e.read = e.read && i < len(frames), false
	}
	a.Ahead.Ready(frames)
}

// treeOf returns the tree of the body of a frame, nil where it was not read.
func (a *Ahead) treeOf(i int, f *wire.Frame) *tree {
	if i >= len(a.trees) || !a.trees[i].ready || f.Form != wire.Msg {
		return nil
	}
	t := &a.trees[i].tree
	if len(t.b) != len(f.Body) || &t.b[0] != &f.Body[0] {
		return nil
	}
	return t
}
