package ui

import (
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// later stands in the place of a view that this version does not draw. It
// says what the view shows, and what answers the same question now.
type later struct {
	name, title string
	what        string
	now         func() string
	keys        []view.Help
}

var _ view.View = (*later)(nil)

// Draw draws the page.
func (v *later) Draw(r kit.Region, _ *view.Context) {
	r.Fill(0, 0, r.W, kit.As(kit.Rule), "━")
	r.Put(1, 0, kit.As(kit.Title), " "+v.title+" ")
	w := min(r.W-4, 76)
	y := 2
	for _, p := range []struct {
		text  string
		style kit.Style
	}{{v.what, kit.As(kit.Bright)}, {v.now(), kit.As(kit.Normal)}} {
		for _, line := range kit.Wrap(p.text, w) {
			r.Put(2, y, p.style, line)
			y++
		}
		y++
	}
	for _, h := range v.keys {
		r.Put(2, y, kit.As(kit.Key), h.Key)
		r.Put(7, y, kit.As(kit.Normal), h.Verb)
		y++
	}
}

// Key has no use for any key: those it names are the root's.
func (v *later) Key(string, *view.Context) (view.Intent, bool) { return view.Intent{}, false }

// Click does nothing.
func (v *later) Click(int, int, int, *view.Context) view.Intent { return view.Intent{} }

// Help returns the keys that lead to what answers now.
func (v *later) Help(*view.Context) []view.Help { return v.keys }

// Where names the place.
func (v *later) Where(*view.Context) string { return v.name }
