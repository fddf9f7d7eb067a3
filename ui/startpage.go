package ui

import (
	"context"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/mcpl-tui/mcpl-tui/ui/start"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// Places is an Actions that knows what there is to look at. Everything may
// read files, so all of it is called beside the screen.
type Places interface {
	Targeter
	// Places finds out what there is.
	Places(ctx context.Context) start.Places
	// Describe reads a recording to its end and returns its entry with what
	// is in it.
	Describe(ctx context.Context, e start.Entry) start.Entry
	// Understand says what Target would do with the line.
	Understand(ctx context.Context, line string) start.Meaning
	// Ways returns how the line can go on: files, names of servers.
	Ways(ctx context.Context, line string) []Completion
	// Forget takes a recent target out of the list.
	Forget(ctx context.Context, e start.Entry) error
}

// startPage is the page on which one chooses what to look at: alone while
// nothing is connected, else over the body. What is typed goes into its line
// at once.
type startPage struct {
	line    edit
	list    start.List
	ways    ways
	meaning start.Meaning
	given   bool   // the line was filled in and not touched since
	going   string // what is being connected to, "": nothing
	wrong   string // why the last one was not
}

type (
	placesMsg  struct{ places start.Places }
	entryMsg   struct{ entry start.Entry }
	meaningMsg struct {
		line    string
		meaning start.Meaning
		enter   bool // and enter was pressed on it
	}
	waysMsg struct {
		line string
		ways []Completion
	}
	targetMsg struct {
		line string
		err  error
	}
)

// home brings the page up where there is nothing else to see.
func (m *Model) home() {
	if m.status.Empty && m.over == nil {
		m.over = m.start
	}
}

// openStart is t: the page over the session that is looked at. Where the
// session is no use any more, and for a recording, its target stands in the
// line, to be changed.
func (m *Model) openStart() tea.Cmd {
	if _, ok := m.act.(Places); !ok {
		m.openPrompt("target " + m.targetLine())
		return nil
	}
	p := m.start
	p.going, p.wrong, p.ways = "", "", ways{}
	m.over = p
	fill := ""
	if !m.live() || m.failed() || m.starting() {
		fill = m.targetLine()
	}
	return tea.Batch(p.fill(m, fill), m.findPlaces())
}

// fill puts a text into the line that is not meant as a filter.
func (p *startPage) fill(m *Model, text string) tea.Cmd {
	p.line.set(text)
	p.given, p.meaning, p.ways = text != "", start.Meaning{}, ways{}
	p.list.Filter("", false)
	p.list.Bare(text != "" || !m.status.Empty)
	return m.understand(text, false)
}

// findPlaces finds out what there is, beside the screen.
func (m *Model) findPlaces() tea.Cmd {
	places, ok := m.act.(Places)
	if !ok {
		return nil
	}
	ctx := m.ctx
	return func() tea.Msg { return placesMsg{places.Places(ctx)} }
}

// describe reads the next recording of the list, one at a time, as long as
// the list is in sight.
func (m *Model) describe() tea.Cmd {
	places, ok := m.act.(Places)
	e, unread := m.start.list.Unread()
	if !ok || !unread || m.over != overlay(m.start) {
		return nil
	}
	ctx := m.ctx
	return func() tea.Msg { return entryMsg{places.Describe(ctx, e)} }
}

// understand asks what a line is.
func (m *Model) understand(line string, enter bool) tea.Cmd {
	places, ok := m.act.(Places)
	if !ok || strings.TrimSpace(line) == "" {
		return nil
	}
	ctx := m.ctx
	return func() tea.Msg { return meaningMsg{line, places.Understand(ctx, line), enter} }
}

// startUpdate takes what was found out beside the screen.
func (m *Model) startUpdate(msg tea.Msg) tea.Cmd {
	p := m.start
	m.screen.dirty = true
	switch msg := msg.(type) {
	case placesMsg:
		p.list.Set(msg.places)
		return m.describe()
	case entryMsg:
		p.list.Describe(msg.entry)
		return m.describe()
	case meaningMsg:
		return p.understood(m, msg)
	case waysMsg:
		return p.complete(m, msg)
	case targetMsg:
		return m.targeted(msg)
	}
	return nil
}

// press handles a key.
func (p *startPage) press(m *Model, s stroke) tea.Cmd {
	p.wrong = ""
	if s.paste != "" {
		p.line.insert(s.paste)
		return p.changed(m)
	}
	empty := p.line.text == ""
	switch s.key {
	case "enter":
		return p.enter(m)
	case "esc":
		return p.leave(m)
	case "up", "ctrl+p":
		p.list.Move(-1)
	case "down", "ctrl+n":
		p.list.Move(1)
	case "pgup":
		p.list.Move(-5)
	case "pgdown":
		p.list.Move(5)
	case "tab":
		return p.tab(m, 1)
	case "shift+tab":
		return p.tab(m, -1)
	case "ctrl+x":
		return p.forget(m)
	default:
		switch e, chosen := p.list.Chosen(); {
		case s.key == ":" && empty:
			m.openPrompt("")
		case s.key == "?" && empty:
			m.over = newStartKeys(m, p)
		case s.key == "right" && p.line.pos == len(p.line.text) && chosen:
			return p.change(m, e)
		case p.line.key(s.key) && !readlineMove(s.key):
			return p.changed(m)
		}
		return nil
	}
	return m.describe()
}

// readlineMove reports whether a key of the line moves its cursor alone.
func readlineMove(key string) bool {
	switch key {
	case "left", "ctrl+b", "right", "ctrl+f", "home", "ctrl+a", "end", "ctrl+e":
		return true
	}
	return false
}

// changed takes the line as a filter, and asks what else it is.
func (p *startPage) changed(m *Model) tea.Cmd {
	p.given, p.meaning, p.ways = false, start.Meaning{}, ways{}
	p.list.Filter(p.line.text, false)
	p.list.Bare(p.line.text == "" && !m.status.Empty)
	return tea.Batch(m.understand(p.line.text, false), m.describe())
}

// leave is esc: it empties the line, and then goes back to the session. It
// never quits.
func (p *startPage) leave(m *Model) tea.Cmd {
	if p.line.text != "" && (!p.given || m.status.Empty) {
		p.line.set("")
		return p.changed(m)
	}
	if !m.status.Empty {
		m.over = nil
		m.settle()
	}
	return nil
}

// change puts what is chosen into the line, to be changed.
func (p *startPage) change(m *Model, e start.Entry) tea.Cmd {
	text := e.Edit
	if text == "" {
		text = e.Line
	}
	return p.fill(m, text)
}

// forget takes a recent target out of the list.
func (p *startPage) forget(m *Model) tea.Cmd {
	places, ok := m.act.(Places)
	e, chosen := p.list.Chosen()
	if !ok || !chosen || e.Section != start.Recent {
		p.wrong = "only what stands under RECENT can be forgotten; files of others are left alone"
		return nil
	}
	ctx := m.ctx
	return func() tea.Msg {
		if err := places.Forget(ctx, e); err != nil {
			return doneMsg{"not forgotten: " + err.Error()}
		}
		return placesMsg{places.Places(ctx)}
	}
}

// tab completes: what is chosen while nothing is typed, else names and files.
func (p *startPage) tab(m *Model, by int) tea.Cmd {
	if len(p.ways.found) > 1 {
		p.ways.next(&p.line, by)
		p.meaning = start.Meaning{}
		return m.understand(p.line.text, false)
	}
	if p.line.text == "" || p.list.Moved() {
		if e, ok := p.list.Chosen(); ok {
			p.line.set(e.Line)
			return p.changed(m)
		}
		return nil
	}
	places, ok := m.act.(Places)
	if !ok {
		return nil
	}
	ctx, line := m.ctx, p.line.text
	return func() tea.Msg { return waysMsg{line, places.Ways(ctx, line)} }
}

// complete takes the one way to go on, or what all of them have in common;
// else they are listed. Where there is none, the best match is taken.
func (p *startPage) complete(m *Model, msg waysMsg) tea.Cmd {
	if msg.line != p.line.text {
		return nil
	}
	switch len(msg.ways) {
	case 0:
		if e, ok := p.list.Chosen(); ok && e.Line != p.line.text {
			p.line.set(e.Line)
			return p.changed(m)
		}
		return nil
	case 1:
		p.line.set(msg.ways[0].Text)
		return p.changed(m)
	}
	common := msg.ways[0].Text
	for _, w := range msg.ways[1:] {
		for !strings.HasPrefix(w.Text, common) {
			common = common[:len(common)-1]
		}
	}
	var cmd tea.Cmd
	if common = strings.ToValidUTF8(common, ""); len(common) > len(p.line.text) {
		p.line.set(common)
		cmd = p.changed(m)
	}
	p.ways.set(msg.ways, p.line.text)
	return cmd
}

// enter goes to what is chosen, or to what is typed.
func (p *startPage) enter(m *Model) tea.Cmd {
	if p.line.text != "" && !p.list.Moved() {
		return m.understand(p.line.text, true)
	}
	e, ok := p.list.Chosen()
	switch {
	case ok:
		return m.goAsking(e.Line)
	case p.list.Loaded():
		p.wrong = "nothing is chosen: ↑ and ↓ choose, or type a command, an address or a name"
	}
	return nil
}

// understood takes what the line is; where enter was pressed on it, that is
// what is gone to, else to the best match.
func (p *startPage) understood(m *Model, msg meaningMsg) tea.Cmd {
	if msg.line != p.line.text {
		return nil
	}
	p.meaning = msg.meaning
	if !p.given && !p.list.Moved() {
		_, named := p.list.Named(msg.line)
		p.list.Filter(p.line.text, msg.meaning.Sure && !named)
	}
	if !msg.enter {
		return nil
	}
	e, ok := p.list.Chosen()
	switch {
	case msg.meaning.Sure:
		return m.goAsking(msg.line)
	case ok && !p.given:
		return m.goAsking(e.Line)
	case msg.meaning.Maybe:
		return m.goAsking(msg.line)
	}
	p.wrong = msg.meaning.Text
	return nil
}

// click chooses what is clicked; a second click goes there.
func (p *startPage) click(m *Model, _, y, wheel int) tea.Cmd {
	if p.list.Click(y-p.listAt(m.layout().body.h), wheel) {
		return p.enter(m)
	}
	return m.describe()
}

// makeWay leaves the page for a key that is clicked and means something in the
// session below: it must not be typed.
func (p *startPage) makeWay(m *Model, key string) {
	if m.over == overlay(p) && !m.status.Empty && len(key) == 1 && !strings.Contains(":?", key) {
		m.over = nil
		m.settle()
	}
}

func (p *startPage) title(*Model) string { return "START" }

// help names the keys of this very place.
func (p *startPage) help(m *Model) []view.Help {
	e, ok := p.list.Chosen()
	verb := "connect"
	if ok && e.Section == start.Recordings || strings.HasPrefix(p.meaning.Text, "a recording") {
		verb = "replay"
	}
	out := []view.Help{{Key: "enter", Verb: verb}, {Key: "↑ ↓", Verb: "choose"}}
	if ok && e.Section == start.Recent {
		out = append(out, view.Help{Key: "ctrl-x", Verb: "forget"})
	}
	if ok && (e.Section == start.Recent || e.Section == start.Servers) {
		out = append(out, view.Help{Key: "→", Verb: "edit"})
	}
	out = append(out, view.Help{Key: "tab", Verb: "complete"})
	switch {
	case p.line.text != "" && (!p.given || m.status.Empty):
		out = append(out, view.Help{Key: "esc", Verb: "clear"})
	case !m.status.Empty:
		out = append(out, view.Help{Key: "esc", Verb: "back"})
	}
	return out
}
