package ui

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"sync"

	tea "github.com/charmbracelet/bubbletea"
)

// ErrCrashed is what Run's error is when the screen broke down: a defect of
// this program. The terminal is restored, and the error's text is one line
// that names the file with the stack.
var ErrCrashed = errors.New("mcpl-tui broke down, which is a defect of it")

// crash keeps the first panic of a program.
type crash struct {
	mu    sync.Mutex
	value any
	stack []byte
}

func (c *crash) note(value any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stack == nil {
		c.value, c.stack = value, debug.Stack()
	}
}

// err returns what happened as an error, nil if nothing did. The stack goes
// to a file in dir; where none can be written it goes into the error.
func (c *crash) err(dir string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stack == nil {
		return nil
	}
	text := fmt.Sprintf("panic: %v\n\n%s", c.value, c.stack)
	if name, err := writeCrash(dir, text); err == nil {
		return fmt.Errorf("%w: %v; the stack is in %s", ErrCrashed, c.value, name)
	}
	return fmt.Errorf("%w: %s", ErrCrashed, text)
}

func writeCrash(dir, text string) (string, error) {
	f, err := os.CreateTemp(dir, "mcpl-tui-crash-*.txt")
	if err != nil {
		return "", fmt.Errorf("keeping the stack: %w", err)
	}
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Close()); err != nil {
		return "", fmt.Errorf("keeping the stack: %w", err)
	}
	return f.Name(), nil
}

// guarded is the model as bubbletea runs it. A panic in it, or in any of its
// commands, ends the program in the ordinary way, so that the terminal is
// restored, and is kept for the caller of Run.
type guarded struct {
	*Model
	crash *crash
	quit  func() // ends the program from where no command can be returned
}

// Init is Model.Init under the guard.
func (g guarded) Init() (cmd tea.Cmd) {
	defer g.recovered(&cmd)
	return g.wrap(g.Model.Init())
}

// Update is Model.Update under the guard.
func (g guarded) Update(msg tea.Msg) (m tea.Model, cmd tea.Cmd) {
	if _, broken := msg.(crashedMsg); broken {
		return g, tea.Quit
	}
	defer g.recovered(&cmd)
	m = g
	_, c := g.Model.Update(msg)
	return g, g.wrap(c)
}

// View is Model.View under the guard.
func (g guarded) View() (s string) {
	defer func() {
		if r := recover(); r != nil {
			g.crash.note(r)
			go g.quit()
		}
	}()
	return g.Model.View()
}

type crashedMsg struct{}

func (g guarded) recovered(cmd *tea.Cmd) {
	if r := recover(); r != nil {
		g.crash.note(r)
		*cmd = tea.Quit
	}
}

func (g guarded) wrap(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer func() {
			if r := recover(); r != nil {
				g.crash.note(r)
				msg = crashedMsg{}
			}
		}()
		msg = cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			for i, c := range batch {
				batch[i] = g.wrap(c)
			}
		}
		return msg
	}
}
