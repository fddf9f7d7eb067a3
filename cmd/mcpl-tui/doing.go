package main

import (
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/charmbracelet/x/term"

	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// doing is a line at the end of a terminal that says what goes on, until
// something else is written there. nil, where there is no terminal, says nothing.
type doing struct {
	to    *os.File
	mu    sync.Mutex
	shown bool
}

func doingOn(w io.Writer) *doing {
	if f, ok := w.(*os.File); ok && term.IsTerminal(f.Fd()) {
		return &doing{to: f}
	}
	return nil
}

// say replaces the line. It never takes more than one.
func (d *doing) say(format string, args ...any) {
	if d == nil {
		return
	}
	text := kit.Clean(fmt.Sprintf(format, args...))
	if w, _, err := term.GetSize(d.to.Fd()); err == nil && w > 1 {
		text = kit.Cut(text, w-1)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	fmt.Fprint(d.to, "\r\x1b[K", text)
	d.shown = true
}

// done takes the line away.
func (d *doing) done() {
	if d == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.shown {
		fmt.Fprint(d.to, "\r\x1b[K")
		d.shown = false
	}
}
