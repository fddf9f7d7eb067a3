package model

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

var update = flag.Bool("update", false, "write the goldens")

func screen(v *View, c *view.Context, w, h int) string {
	canvas := kit.NewCanvas(w, h)
	v.Draw(canvas.All(), c)
	return canvas.Plain()
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".txt")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	wants := strings.Split(string(want), "\n")
	for i, line := range strings.Split(got, "\n") {
		if i >= len(wants) || line != wants[i] {
			t.Errorf("%s, line %d (-update writes what is drawn now):\n%q\nwant\n%q", name, i+1, line, append(wants, "")[min(i, len(wants))])
			return
		}
	}
}

// contextAt is the moment at which the playhead stands at frame position at
// of a log; at the last one it follows, as in a live session.
func contextAt(t testing.TB, log *timeline.Log, at int, now time.Duration) *view.Context {
	t.Helper()
	c := &view.Context{Log: log, Mark: -1, Focus: true, Limit: 30 * time.Second, Now: now}
	move(t, c, at)
	return c
}

// move puts the playhead of a moment elsewhere.
func move(t testing.TB, c *view.Context, at int) {
	t.Helper()
	log := c.Log
	c.Len, c.Rows = log.Len(), log.RowCount()
	c.At = max(min(at, c.Len-1), min(0, c.Len-1))
	c.Follow = c.At == c.Len-1
	var err error
	if c.Board, err = log.Board(c.At); err != nil {
		t.Fatal(err)
	}
	if c.Newest, err = log.Board(c.Len - 1); err != nil {
		t.Fatal(err)
	}
	c.Row = nil
	if n := log.RowAt(c.At); n >= 0 {
		rows, err := log.Rows(n, n+1)
		if err != nil {
			t.Fatal(err)
		}
		c.Row = &rows[0]
	}
}

// recorded is the moment after the first n frames of a recording (0: all), at
// position at (-1: the last).
func recorded(t testing.TB, name string, n, at int) *view.Context {
	t.Helper()
	tape := uitest.Frames(uitest.Recordings()[name])
	if n > 0 {
		tape = tape.Cut(n)
	}
	log := uitest.NewSource(t, tape).Log()
	if at < 0 {
		at = log.Len() - 1
	}
	return contextAt(t, log, at, log.Entry(max(at, 0)).T)
}

// gobanLive is the moment of the drawn screens: 96 frames, 3:12.
func gobanLive(t testing.TB) *view.Context {
	t.Helper()
	c := recorded(t, "goban", uitest.BoardFrames, -1)
	c.Now = uitest.BoardAt
	return c
}

// driver presses keys on a view and does what it asks of the playhead.
type driver struct {
	t  testing.TB
	v  *View
	c  *view.Context
	do view.Intent // the last that was asked for
}

func drive(t testing.TB, c *view.Context) *driver {
	d := &driver{t: t, v: New(), c: c}
	screen(d.v, c, 100, 25)
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
			move(d.t, d.c, do.Index)
		case view.GoLive:
			move(d.t, d.c, d.c.Len-1)
		}
		screen(d.v, d.c, 100, 25)
	}
	return d
}

// sees fails where the screen lacks words.
func (d *driver) sees(words ...string) *driver {
	d.t.Helper()
	s := screen(d.v, d.c, 100, 25)
	for _, w := range words {
		if !strings.Contains(s, w) {
			d.t.Errorf("no %q in\n%s", w, s)
		}
	}
	return d
}
