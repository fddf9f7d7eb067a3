package model

import (
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// driver presses keys on a view and does what it asks of the playhead.
type driver struct {
	t  testing.TB
	v  *View
	c  *view.Context
	do view.Intent // the last that was asked for
}

func drive(t testing.TB, c *view.Context) *driver {
	d := &driver{t: t, v: New(), c: c}
	uitest.Screen(d.v, c, 100, 25)
	return d
}

func (d *driver) press(keys ...string) *driver {
	d.t.Helper()
	for _, k := range keys {
		do, handled := d.v.Key(k, d.c)
		if d.do = do; !handled {
			d.do = view.Intent{Kind: view.Nothing, Text: "not handled"}
		}
		switch do.Kind {
		case view.GoTo, view.ShowAt:
			uitest.MovePlayhead(d.t, d.c, do.Index)
		case view.GoLive:
			uitest.MovePlayhead(d.t, d.c, d.c.Len-1)
		}
		uitest.Screen(d.v, d.c, 100, 25)
	}
	return d
}

// sees fails where the screen lacks words.
func (d *driver) sees(words ...string) *driver {
	d.t.Helper()
	s := uitest.Screen(d.v, d.c, 100, 25)
	for _, w := range words {
		if !strings.Contains(s, w) {
			d.t.Errorf("no %q in\n%s", w, s)
		}
	}
	return d
}
