package ui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// stroke is one key, or one paste.
type stroke struct {
	key   string // as bubbletea names it: "j", "enter", "ctrl+d"
	paste string // what was pasted; key is "" then
}

// strokes takes a message apart into the keys that were pressed. bubbletea
// joins letters that arrive together into one message, and esc with what
// follows it at once into alt and a key; here they are single keys again.
func strokes(msg tea.KeyMsg) []stroke {
	if msg.Paste {
		return []stroke{{paste: string(msg.Runes)}}
	}
	var out []stroke
	if msg.Alt {
		out = append(out, stroke{key: "esc"})
	}
	k := tea.Key{Type: msg.Type, Runes: msg.Runes}
	if k.Type != tea.KeyRunes || len(k.Runes) < 2 {
		return append(out, stroke{key: k.String()})
	}
	for _, r := range k.Runes {
		out = append(out, stroke{key: tea.Key{Type: tea.KeyRunes, Runes: []rune{r}}.String()})
	}
	return out
}

// press handles one key or paste: what lies over the view has it first, then
// the view, then the root.
func (m *Model) press(s stroke) tea.Cmd {
	m.screen.touch()
	m.lastKey = keyName(s.key)
	switch s.key {
	case "ctrl+c":
		return m.interrupt()
	case "ctrl+z":
		return tea.Suspend
	case "":
		if s.paste == "" {
			return nil
		}
	}
	m.quitAt = time.Time{}
	m.message.seen()
	if m.over != nil {
		return m.over.press(m, s)
	}
	if s.key == "" {
		return m.paste(s.paste)
	}
	if m.clicked(s.key) {
		return m.tick()
	}
	m.context()
	if do, handled := m.view().Key(s.key, m.moment()); handled {
		m.noteMuted()
		return m.intent(do)
	}
	if p, ok := m.view().(picker); ok && s.key == "enter" {
		return m.global(p.Pick(m.moment()))
	}
	return m.global(s.key)
}

// picker is a view with a list of keys to choose from: enter presses the one
// that is chosen.
type picker interface {
	Pick(c *view.Context) string
}

// paster is a view that can take text while something is typed into it.
type paster interface {
	// Paste takes pasted text, and reports whether it had a use for it.
	Paste(text string, c *view.Context) bool
}

// paste gives pasted text to the view. No key is ever made of it.
func (m *Model) paste(text string) tea.Cmd {
	if p, ok := m.view().(paster); ok && p.Paste(text, m.moment()) {
		return nil
	}
	m.say("nothing here takes pasted text; : takes a command")
	return nil
}

// context brings the parts of the moment up to date that change without the
// session: who has the keyboard.
func (m *Model) context() { m.cx.Focus = m.over == nil }

// global handles the keys that mean the same in every view.
func (m *Model) global(key string) tea.Cmd {
	if len(key) == 1 && key[0] >= '1' && key[0] <= '0'+numViews {
		m.show(int(key[0] - '0'))
		return nil
	}
	if key == "esc" && m.from != 0 {
		m.show(m.from)
		return nil
	}
	if do, ok := timeKeys[key]; ok {
		do(m)
		return m.tick()
	}
	if do, ok := rootKeys[key]; ok {
		return do(m)
	}
	return nil
}

// timeKeys move the playhead.
var timeKeys = map[string]func(m *Model){
	"[": func(m *Model) { m.stepRev(-1) },
	"K": func(m *Model) { m.stepRev(-1) },
	"]": func(m *Model) { m.stepRev(1) },
	"J": func(m *Model) { m.stepRev(1) },
	"g": func(m *Model) { m.goTo(0) },
	"G": (*Model).goLive,
	"e": func(m *Model) { m.stepFinding(1) },
	"E": func(m *Model) { m.stepFinding(-1) },
	"<": func(m *Model) { m.pacing(0.5) },
	">": func(m *Model) { m.pacing(2) },
	" ": func(m *Model) {
		if m.cx.Replay {
			m.play()
			return
		}
		m.freeze()
	},
}

// rootKeys do everything else.
var rootKeys map[string]func(m *Model) tea.Cmd

func init() {
	rootKeys = map[string]func(m *Model) tea.Cmd{
		"?": func(m *Model) tea.Cmd { m.over = newKeysPage(m); return nil },
		":": func(m *Model) tea.Cmd { m.openPrompt(""); return nil },
		"q": (*Model).quit,
		"m": func(m *Model) tea.Cmd { m.openMark(); return nil },
		"t": (*Model).openStart,
		"a": (*Model).answerFirst,
		"A": func(m *Model) tea.Cmd { m.over = &asksPage{}; return nil },
		"r": (*Model).again,
		"R": (*Model).reread,
		"s": (*Model).changeSide,
		"c": func(m *Model) tea.Cmd { return m.actOnBoard("c") },
		"o": func(m *Model) tea.Cmd { return m.actOnBoard("o") },
		"x": func(m *Model) tea.Cmd { return m.actOnBoard("x") },
		"d": (*Model).compareHere,
		"/": func(m *Model) tea.Cmd { m.say("no list to filter here"); return nil },
		"y": func(m *Model) tea.Cmd { m.say("nothing to copy here"); return nil },
		"Y": func(m *Model) tea.Cmd { m.say("no command to copy here"); return nil },
	}
}

// pacing changes the speed of a replay.
func (m *Model) pacing(by float64) {
	if !m.cx.Replay {
		m.say("a live session has the server's pace; space freezes the screen")
		return
	}
	m.faster(by)
}

// show changes the view.
func (m *Model) show(n int) {
	if n < 1 || n > numViews {
		return
	}
	m.cur, m.chosen, m.from = n, true, 0
	m.screen.dirty = true
}
