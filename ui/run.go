package ui

import (
	"context"
	"errors"
	"fmt"
	"os"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/mcpl-tui/mcpl-tui/ui/noquery"
)

func init() { noquery.Done() }

// Run shows the session of src on the terminal until the user quits, or ctx
// ends, and gives the terminal back as it was. It returns nil when the user
// quit, ctx's error when ctx ended, and ErrCrashed after a panic.
func Run(ctx context.Context, src Source, act Actions, opt Options) error {
	opt = opt.filled()
	m := New(src, act, opt)
	defer m.Close()
	g := guarded{Model: m, crash: new(crash)}

	var prog *tea.Program
	background := func(dark bool) { prog.Send(backgroundMsg{dark}) }
	g.quit = func() { prog.Quit() }
	m.out = opt.Output
	if m.out == nil {
		m.out = os.Stdout
	}
	options := []tea.ProgramOption{
		tea.WithOutput(m.out), tea.WithAltScreen(),
		// Signals end ctx, which quits below: the library's own ways, by signal
		// or by context, leave its reader running while they close it.
		tea.WithoutSignalHandler(),
		tea.WithMouseCellMotion(), tea.WithFPS(60),
	}
	in := opt.Input
	if in == nil && isTerminal(os.Stdin) {
		in = os.Stdin
	}
	if in != nil { // where stdin is no terminal, bubbletea opens one
		filtered, can := filterInput(in, background)
		m.canAsk = can && isTerminal(m.out)
		options = append(options, tea.WithInput(filtered))
	}
	prog = tea.NewProgram(g, options...)
	defer context.AfterFunc(ctx, prog.Quit)()
	_, err := prog.Run()
	switch crashed := g.crash.err(opt.CrashDir); {
	case crashed != nil:
		return crashed
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, tea.ErrInterrupted):
		return nil
	case err != nil:
		return fmt.Errorf("showing the screen: %w", err)
	}
	return nil
}
