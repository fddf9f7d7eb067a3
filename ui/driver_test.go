package ui

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
)

// source is a session over a tape, with a status that a test sets.
type source struct {
	*uitest.Source
	mu     sync.Mutex
	status Status
}

func (s *source) Status() Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.status
}

func (s *source) set(change func(*Status)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(&s.status)
}

// gobanStatus is what is true of the goban session beside its frames.
func gobanStatus(live bool) Status {
	s := Status{
		Live: live, Title: "stdio: node dist/server.js", Kind: "stdio", Command: []string{"node", "dist/server.js"},
		Dir: "/home/dev/goban", EnvSet: uitest.EnvSet(), Timeout: 30 * time.Second, Now: uitest.BoardAt,
		Started: time.Date(2026, 11, 29, 10, 0, 0, 0, time.Local), DoArgs: "-- node dist/server.js",
		Recording: live, File: "goban-1129-1000.mcpl.jsonl", Loading: 1,
	}
	if !live {
		s.Title = s.File
	}
	return s
}

func newSource(t testing.TB, recording []byte, frames int, status Status) *source {
	tape := uitest.Frames(recording)
	if frames > 0 {
		tape = tape.Cut(frames)
	}
	return &source{Source: uitest.NewSource(t, tape), status: status}
}

// ran is a line that was run, and how a test answers it.
type actions struct {
	mu     sync.Mutex
	lines  []string
	answer func(line string) Outcome
	block  chan struct{} // Run waits for it, if there is one
}

func (a *actions) Run(ctx context.Context, line string) Outcome {
	a.mu.Lock()
	a.lines = append(a.lines, line)
	answer, block := a.answer, a.block
	a.mu.Unlock()
	if block != nil {
		select {
		case <-block:
		case <-ctx.Done():
			return Outcome{Message: "given up"}
		}
	}
	if answer != nil {
		return answer(line)
	}
	return Outcome{OK: true}
}

func (a *actions) Preview(line string) (json.RawMessage, error) {
	return json.RawMessage(`{"jsonrpc":"2.0","id":28,"method":"test","params":` + string(must(json.Marshal(line))) + `}`), nil
}

func (a *actions) Complete(line string) []Completion {
	var out []Completion
	for _, w := range languageWords {
		if strings.HasPrefix(w, line) {
			out = append(out, Completion{w + " ", "help of " + w})
		}
	}
	return out
}

func (a *actions) ran() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]string(nil), a.lines...)
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// driver drives a model as a user does: it presses keys and reads screens.
// Commands run when run is called; none of them waits.
type driver struct {
	t   testing.TB
	m   *Model
	src *source
	act *actions
	now time.Time
	cmd []tea.Cmd
}

func drive(t testing.TB, src *source, w, h int, options ...func(*Options)) *driver {
	t.Helper()
	d := &driver{t: t, src: src, act: &actions{}, now: time.Date(2026, 11, 29, 10, 3, 12, 0, time.UTC)}
	opt := Options{
		Theme: ThemeNone, Unicode: true, StartPaused: true,
		Now: func() time.Time { return d.now }, Env: func(string) string { return "" },
	}
	for _, o := range options {
		o(&opt)
	}
	d.m = New(src, d.act, opt)
	d.m.still = true
	t.Cleanup(d.m.Close)
	d.send(tea.WindowSizeMsg{Width: w, Height: h})
	d.findings()
	return d
}

// findings lets the judge say what it has found.
func (d *driver) findings() {
	d.m.judging.busy = false // what a test did not run is run here
	for cmd := d.m.judge(); cmd != nil; {
		cmd = d.m.judged(cmd().(judgedMsg))
	}
	d.m.update()
}

func (d *driver) send(msg tea.Msg) *driver {
	_, cmd := d.m.Update(msg)
	d.cmd = append(d.cmd, cmd)
	return d
}

var keyTypes = map[string]tea.KeyType{
	"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "shift+tab": tea.KeyShiftTab, "up": tea.KeyUp,
	"down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight, "ctrl+c": tea.KeyCtrlC, "ctrl+d": tea.KeyCtrlD,
	"ctrl+u": tea.KeyCtrlU, "ctrl+s": tea.KeyCtrlS, "ctrl+p": tea.KeyCtrlP, "ctrl+t": tea.KeyCtrlT, "ctrl+y": tea.KeyCtrlY,
	"backspace": tea.KeyBackspace, "pgdown": tea.KeyPgDown, "pgup": tea.KeyPgUp, "home": tea.KeyHome, "end": tea.KeyEnd,
	"ctrl+a": tea.KeyCtrlA, "ctrl+r": tea.KeyCtrlR, "ctrl+z": tea.KeyCtrlZ, "ctrl+w": tea.KeyCtrlW, "ctrl+k": tea.KeyCtrlK, "ctrl+x": tea.KeyCtrlX, "delete": tea.KeyDelete,
}

// press presses keys by their names, one after the other.
func (d *driver) press(keys ...string) *driver {
	for _, k := range keys {
		switch kt, named := keyTypes[k]; {
		case named:
			d.send(tea.KeyMsg{Type: kt})
		case k == " ":
			d.send(tea.KeyMsg{Type: tea.KeySpace, Runes: []rune(k)})
		default:
			d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(k)})
		}
	}
	return d
}

// typed types a text letter by letter.
func (d *driver) typed(text string) *driver {
	for _, r := range text {
		d.press(string(r))
	}
	return d
}

// run runs the commands so far, and those that they lead to.
func (d *driver) run() *driver {
	for len(d.cmd) > 0 {
		cmds := d.cmd
		d.cmd = nil
		for _, c := range cmds {
			d.runOne(c)
		}
	}
	return d
}

func (d *driver) runOne(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			d.runOne(c)
		}
	default:
		d.send(msg)
	}
}

// show lets the session grow to n frames.
func (d *driver) show(n int) *driver {
	d.src.Show(n)
	return d.changed()
}

func (d *driver) changed() *driver {
	d.send(changedMsg{d.m.pull.generation})
	d.findings()
	return d
}

// wait moves the clock on, the session's too if it is live.
func (d *driver) wait(by time.Duration) *driver {
	d.now = d.now.Add(by)
	d.src.set(func(s *Status) {
		if s.Live {
			s.Now += by
		}
	})
	d.m.clock.pace = 0
	return d.send(tickMsg{d.m.clock.n})
}

func (d *driver) size(w, h int) *driver { return d.send(tea.WindowSizeMsg{Width: w, Height: h}) }

func (d *driver) screen() string { return d.m.Draw().Plain() }

// row returns a row of the screen; negative ones count from the end.
func (d *driver) row(n int) string {
	rows := strings.Split(strings.TrimSuffix(d.screen(), "\n"), "\n")
	if n < 0 {
		n += len(rows)
	}
	return rows[n]
}

// sees fails the test where the screen does not hold all of these.
func (d *driver) sees(texts ...string) *driver {
	d.t.Helper()
	s := d.screen()
	for _, text := range texts {
		if !strings.Contains(s, text) {
			d.t.Fatalf("%q is not on the screen:\n%s", text, s)
		}
	}
	return d
}

func (d *driver) misses(texts ...string) *driver {
	d.t.Helper()
	s := d.screen()
	for _, text := range texts {
		if strings.Contains(s, text) {
			d.t.Fatalf("%q is on the screen:\n%s", text, s)
		}
	}
	return d
}

// golden compares the screen with a file.
func (d *driver) golden(name string) *driver {
	d.t.Helper()
	uitest.Golden(d.t, name, d.screen())
	return d
}
