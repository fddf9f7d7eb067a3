package server

import (
	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// baseWords name what manifests are compared with.
var baseWords = map[inspector.ManifestBase]string{
	inspector.WithBefore: "the one before", inspector.WithFirst: "the first", inspector.WithMark: "your mark",
}

// compare is d: the manifests are compared with the one before, then with the
// first of the session, then, where there is a mark, with the one in force
// there.
func (v *View) compare(c *view.Context) view.Intent {
	if !v.inChanges(c) {
		return view.Intent{Kind: view.Say, Text: "d compares manifests: put the cursor into CHANGES"}
	}
	t := &v.sheet.teller
	t.Against = v.nextBase(c)
	if t.Mark = c.Mark; c.Mark < 0 {
		t.Mark = 0
	}
	v.sheet.told = nil
	v.sheet.take(v, c)
	return view.Intent{Kind: view.Say, Text: "each manifest is compared with " + baseWords[t.Against]}
}

// nextBase is what d compares with next.
func (v *View) nextBase(c *view.Context) inspector.ManifestBase {
	switch v.sheet.teller.Against {
	case inspector.WithBefore:
		return inspector.WithFirst
	case inspector.WithFirst:
		if c.Mark >= 0 {
			return inspector.WithMark
		}
	}
	return inspector.WithBefore
}

// inChanges reports whether the cursor is in the history of manifests.
func (v *View) inChanges(c *view.Context) bool {
	p := v.column()
	if p == nil {
		return false
	}
	at, _ := p.selected(v, c)
	return at.key == inspector.KeyChanges
}
