package ui

import (
	"bytes"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/term"
	"github.com/muesli/termenv"

	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// askBackground asks a terminal for the colour of its background (OSC 11).
const askBackground = "\x1b]11;?\x1b\\"

// backgroundMsg is the terminal's answer, whenever it comes.
type backgroundMsg struct{ dark bool }

// terminal is what the environment says of the terminal.
type terminal struct {
	profile termenv.Profile
	plain   bool // no escape sequences for colours or attributes
	mono    bool // attributes, but no colours
	dark    bool // what the background is taken for until the terminal says
	known   bool // dark is not a guess
	asks    bool // it can be asked for its background
	ascii   bool // glyphs beyond ASCII would be misdrawn
}

// look reads what the environment says of the terminal (NO_COLOR, TERM,
// COLORTERM, COLORFGBG and the locale).
func look(env func(string) string) terminal {
	name := env("TERM")
	t := terminal{dark: true, ascii: isCJK(env)}
	t.profile = termenv.NewOutput(io.Discard, termenv.WithTTY(true),
		termenv.WithEnvironment(environ(env))).EnvColorProfile()
	if name == "dumb" {
		t.plain, t.ascii = true, true
	}
	if env("NO_COLOR") != "" || t.profile == termenv.Ascii {
		t.mono = true
	}
	if bg := lastField(env("COLORFGBG"), ";"); bg != "" {
		if n, err := strconv.Atoi(bg); err == nil {
			t.dark, t.known = n != 7 && n < 9, true
		}
	}
	for _, mute := range []string{"dumb", "screen", "tmux", "linux"} {
		if name == "" || strings.HasPrefix(name, mute) {
			return t
		}
	}
	t.asks = !t.known && runtime.GOOS != "windows"
	return t
}

func lastField(s, sep string) string {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return ""
	}
	return s[i+len(sep):]
}

// isCJK reports whether the locale draws characters of ambiguous width, as
// most of the glyphs are, two cells wide.
func isCJK(env func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := env(name); v != "" {
			return strings.HasPrefix(v, "ja") || strings.HasPrefix(v, "ko") || strings.HasPrefix(v, "zh")
		}
	}
	return false
}

// environ makes an environment of one that can only be asked by name.
type environ func(string) string

// Environ returns nothing: names are asked for one by one.
func (environ) Environ() []string { return nil }

// Getenv returns the value of a variable.
func (e environ) Getenv(name string) string { return e(name) }

// theme returns the theme that was chosen, for the terminal that there is.
func (t terminal) theme(choice string, o Options) *kit.Theme {
	dark := t.dark
	switch choice {
	case ThemeDark:
		dark = true
	case ThemeLight:
		dark = false
	}
	var th *kit.Theme
	switch {
	case t.plain:
		th = kit.NewTheme(termenv.Ascii, dark)
	case t.mono || choice == ThemeNone:
		th = kit.NewMono()
	default:
		th = kit.NewTheme(t.profile, dark)
	}
	th.NoDim = o.Stage
	th.ASCII = o.ASCII || (t.ascii && !o.Unicode)
	return th
}

// question returns the command that asks the terminal for its background, or
// nil where it need not or cannot be asked. Nobody waits for the answer.
func (m *Model) question() tea.Cmd {
	if m.opt.Theme != ThemeAuto || !m.canAsk || !m.term.asks || m.term.mono {
		return nil
	}
	out := m.out
	return func() tea.Msg {
		_, _ = io.WriteString(out, askBackground)
		return nil
	}
}

func isTerminal(f any) bool {
	t, ok := f.(term.File)
	return ok && term.IsTerminal(t.Fd())
}

// inputFilter takes the terminal's answer out of what is typed. It is still
// the file that it reads from, so that reading it can be cancelled.
type inputFilter struct {
	*os.File
	strip answerStripper
}

func filterInput(in io.Reader, found func(dark bool)) (filtered io.Reader, can bool) {
	f, ok := in.(*os.File)
	if !ok || runtime.GOOS == "windows" {
		return in, false
	}
	return &inputFilter{File: f, strip: answerStripper{found: found}}, true
}

// Read reads what was typed.
func (f *inputFilter) Read(p []byte) (int, error) {
	// What was held back must fit in front of what comes.
	n, err := f.File.Read(p[:max(len(p)-len(f.strip.held), 1)])
	return copy(p, f.strip.take(p[:n])), err
}

// answerStripper cuts “ESC ] 11 ; rgb:… ST” out of a stream.
type answerStripper struct {
	found func(dark bool)
	held  []byte // an answer that has begun and not ended
}

const (
	answerStart = "\x1b]11;"
	answerMost  = 64 // bytes; anything longer is no answer
)

func (s *answerStripper) take(p []byte) []byte {
	if s.held == nil && !bytes.Contains(p, []byte(answerStart)) {
		return p
	}
	b := append(s.held, p...)
	s.held = nil
	i := bytes.Index(b, []byte(answerStart))
	end, after := answerEnd(b[i:])
	if end < 0 {
		if len(b)-i > answerMost {
			return b
		}
		s.held = bytes.Clone(b[i:])
		return b[:i]
	}
	if dark, ok := isDark(string(b[i+len(answerStart) : i+end])); ok {
		s.found(dark)
	}
	return append(b[:i:i], b[i+after:]...)
}

// answerEnd returns where the answer's text ends and what comes after it, or
// -1 where its end has not come.
func answerEnd(b []byte) (end, after int) {
	if i := bytes.IndexByte(b, '\a'); i >= 0 {
		return i, i + 1
	}
	if i := bytes.Index(b[1:], []byte("\x1b\\")); i >= 0 {
		return i + 1, i + 3
	}
	return -1, -1
}

// isDark judges a colour as X11 writes it: rgb:ffff/ffff/ffff, with one to
// four digits a part.
func isDark(colour string) (dark, ok bool) {
	parts := strings.Split(strings.TrimPrefix(strings.TrimPrefix(colour, "rgba:"), "rgb:"), "/")
	if len(parts) < 3 {
		return false, false
	}
	var sum float64
	for i, weight := range []float64{0.299, 0.587, 0.114} {
		v, err := strconv.ParseUint(parts[i], 16, 16)
		if err != nil {
			return false, false
		}
		most := uint64(1)<<(4*len(parts[i])) - 1
		sum += weight * float64(v) / float64(most)
	}
	return sum < 0.5, true
}

// setTheme changes the theme while the screen runs.
func (m *Model) setTheme(choice string) {
	m.choice = choice
	m.theme = m.term.theme(choice, m.opt)
	m.screen.dirty = true
}
