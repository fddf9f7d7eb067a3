package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"github.com/mcpl-tui/mcpl-tui/ui"
)

// screenFlags are the flags of every command that shows a screen.
type screenFlags struct {
	theme   string
	ascii   bool
	unicode bool
	stage   bool
	watch   []string // of the command that connects
}

func (f *screenFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.theme, "theme", ui.ThemeAuto, "colours: auto, dark, light or none")
	c.Flags().BoolVar(&f.ascii, "ascii", false, "draw with ASCII alone")
	c.Flags().BoolVar(&f.unicode, "unicode", false, "draw with all glyphs, whatever the locale says")
	c.Flags().BoolVar(&f.stage, "stage", false, "draw for a room: no dim text, wide cells, the last key echoed; PgDn and PgUp go from mark to mark")
	c.MarkFlagsMutuallyExclusive("ascii", "unicode")
	c.RegisterFlagCompletionFunc("theme", cobra.FixedCompletions(
		[]string{ui.ThemeAuto, ui.ThemeDark, ui.ThemeLight, ui.ThemeNone}, cobra.ShellCompDirectiveNoFileComp))
}

// options turns the flags into the screen's settings, or says what is wrong:
// a flag, or that there is no terminal.
func (f *screenFlags) options(std stdio) (ui.Options, error) {
	switch f.theme {
	case ui.ThemeAuto, ui.ThemeDark, ui.ThemeLight, ui.ThemeNone:
	default:
		return ui.Options{}, fmt.Errorf("--theme %s: give auto, dark, light or none", f.theme)
	}
	if !onTerminal(std) {
		return ui.Options{}, errors.New("the screen needs a terminal; without one use mcpl-tui do, state or revs")
	}
	return ui.Options{Theme: f.theme, ASCII: f.ascii, Unicode: f.unicode, Stage: f.stage}, nil
}

func onTerminal(std stdio) bool {
	out, ok := std.out.(*os.File)
	return ok && term.IsTerminal(out.Fd())
}

// show runs the screen until the user leaves, closes what is behind it, and
// says where the session was kept.
func show(ctx context.Context, d *desk, opt ui.Options, std stdio) error {
	readyForScreen()
	err := ui.Run(d.ctx, d, d, opt)
	if crash := context.Cause(d.ctx); errors.Is(crash, errCrashed) {
		err = crash
	}
	status := exitFailed
	if s := signalOf(ctx); s != nil && errors.Is(err, context.Canceled) {
		status, err = s.status(), s
		if _, live := d.current().(*liveOnDesk); live {
			err = fmt.Errorf("%w; the connection was closed", s)
		}
	}
	kept := d.kept()
	closeErr := d.close()
	for _, line := range kept {
		fmt.Fprintln(std.out, oneLine(line))
	}
	if closeErr != nil {
		err = errors.Join(err, fmt.Errorf("not all was kept: %w", closeErr))
	}
	if err == nil {
		return nil
	}
	return &exitError{status: status, err: err}
}
