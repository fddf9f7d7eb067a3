package ui

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// keyGroup is a group of keys on the page of keys.
type keyGroup struct {
	title, note string
	keys        []view.Help
}

// The keys that mean the same everywhere. A verb of several lines is broken
// where it is to be broken.
var keyGroups = [2][]keyGroup{
	{
		{"ACT", "may change the server", []view.Help{
			{Key: "c", Verb: "call a tool"},
			{Key: "o", Verb: "open a toolset"},
			{Key: "x", Verb: "close; asks first"},
			{Key: "a", Verb: "answer what waits for you"},
			{Key: "r", Verb: "send the last call again"},
			{Key: "R", Verb: "read both lists again"},
			{Key: "ctrl-c", Verb: "cancel a call; twice quits"},
		}},
		{"FIND", "", []view.Help{
			{Key: "/", Verb: "filter; in text: search"}, {Key: "n  N", Verb: "next, previous match"},
		}},
	},
	{
		{"TIME", "", []view.Help{
			{Key: "[  ]", Verb: "one rev back, on   (or K J)"},
			{Key: "g  G", Verb: "the first; the newest, live"},
			{Key: "space", Verb: "freeze, go on; replay: play"},
			{Key: "<  >", Verb: "replay slower, faster"},
			{Key: "e  E", Verb: "next, previous finding"},
			{Key: "m", Verb: "mark this point, with a note"},
			{Key: "d", Verb: "compare: before, declared,\nyour mark"},
		}},
		{"MOVE", "", []view.Help{
			{Key: "j k ↓ ↑  ctrl-d ctrl-u  PgDn PgUp"},
			{Key: "tab", Verb: "the next pane"},
			{Key: "1 to 6", Verb: "the views"},
			{Key: "z", Verb: "this pane alone, and back"},
			{Key: "%", Verb: "from request to answer"},
			{Key: "esc", Verb: "back; never quits"},
			{Key: "t", Verb: "another target"},
			{Key: "s", Verb: "the other of two connections"},
		}},
	},
}

// restKeys are the keys of the forms and of the prompt, on the page of all
// keys.
var restKeys = []keyGroup{
	{"IN A FORM", "", []view.Help{
		{Key: "enter", Verb: "send"},
		{Key: "tab ↓ ↑", Verb: "another field"},
		{Key: "← →", Verb: "choose"},
		{Key: "ctrl-t", Verb: "as JSON, and back"},
		{Key: "ctrl-o", Verb: "in $EDITOR"},
		{Key: "ctrl-p ctrl-n", Verb: "earlier values"},
		{Key: "ctrl-y", Verb: "copy as a command"},
		{Key: "ctrl-s", Verb: "send although invalid"},
		{Key: "esc", Verb: "back, values are kept"},
	}},
	{"AFTER :", "the command language", []view.Help{
		{Key: "tab", Verb: "complete"},
		{Key: "↑ ↓", Verb: "earlier lines"},
		{Key: "goto", Verb: "SEQ, rev N or 1:23.5"},
		{Key: "save", Verb: "FILE"},
		{Key: "theme", Verb: "auto dark light none"},
		{Key: "esc", Verb: "back"},
	}},
	{"ANYWHERE", "", []view.Help{
		{Key: "A", Verb: "list all that waits for you"},
		{Key: "y  Y", Verb: "copy; copy as a command"},
		{Key: "h l ← →", Verb: "instance, fold, sideways"},
		{Key: "v", Verb: "INSPECT: text as JSON"},
		{Key: ":", Verb: "a command"},
		{Key: "?", Verb: "this page"},
		{Key: "q", Verb: "quit"},
		{Key: "ctrl-z", Verb: "to the shell; fg comes back"},
	}},
}

// longVerbs says on the page of keys what the help line says in a word.
var longVerbs = map[string]string{
	"call…":        "call it: opens the form",
	"call anyway…": "call it anyway: opens the form",
	"open…":        "open it: opens the form",
	"close…":       "close it: asks first",
	"instance":     "the other instance; fold",
	"inspect":      "inspect it",
	"text as JSON": "a text that is JSON as JSON",
	"text as sent": "the text as it was sent",
}

// keysPage is the page of keys: the ones of this row first.
type keysPage struct {
	place  string
	here   keyGroup
	replay bool // nothing can be sent
	stage  bool // PgDn and PgUp go from mark to mark
	all    bool // every key, as a list
	top    int
	find   edit
	typed  bool // the word is being typed
	back   overlay
}

func newKeysPage(m *Model) *keysPage {
	p := &keysPage{place: m.view().Where(&m.cx), here: keyGroup{title: "HERE"}, replay: m.cx.Replay, stage: m.opt.Stage}
	if m.opt.Stage {
		p.here.keys = []view.Help{{Key: "PgDn", Verb: "next mark; PgUp goes back"}}
	}
	for _, g := range grouped(m.view().Help(m.moment())) {
		for _, h := range g {
			if long := longVerbs[h.Verb]; long != "" {
				h.Verb = long
			}
			if h.Verb != "" && !everywhere(h.Key) && !strings.EqualFold(h.Key, "y") && (len(p.here.keys) < 4 || h.Key == "v") {
				p.here.keys = append(p.here.keys, h)
			}
		}
	}
	p.here.keys = append(p.here.keys, view.Help{Key: "y  Y", Verb: "copy; copy as a command"})
	return p
}

// newStartKeys is the page of keys for the one on which one chooses what to
// look at.
func newStartKeys(m *Model, back *startPage) *keysPage {
	return &keysPage{place: "what to look at", back: back, here: keyGroup{"HERE", "typing goes into the line", []view.Help{
		{Key: "enter", Verb: "go to what is chosen"},
		{Key: "↑ ↓", Verb: "choose"},
		{Key: "tab", Verb: "complete names, files"},
		{Key: "→", Verb: "put it into the line"},
		{Key: "ctrl-x", Verb: "forget a recent one"},
	}}}
}

// everywhere reports whether the page names a key among those that mean the
// same in every view.
func everywhere(key string) bool {
	key = strings.ReplaceAll(key, " ", "")
	for _, column := range keyGroups {
		for _, g := range column {
			for _, h := range g.keys {
				if strings.ReplaceAll(h.Key, " ", "") == key {
					return true
				}
			}
		}
	}
	return false
}

// acts are the keys that act, and those that find. In a recording nothing can
// be sent.
func (p *keysPage) acts() []keyGroup {
	if !p.replay {
		return keyGroups[0]
	}
	acts := keyGroup{"ACT", "a recording: nothing is sent", []view.Help{
		{Key: "t", Verb: "connect to a server"},
		{Key: "ctrl-c", Verb: "twice quits"},
	}}
	return append([]keyGroup{acts}, keyGroups[0][1:]...)
}

// moves are the keys that move through time and the screen.
func (p *keysPage) moves() []keyGroup {
	if !p.stage {
		return keyGroups[1]
	}
	groups := slices.Clone(keyGroups[1])
	move := &groups[len(groups)-1]
	move.keys = slices.Clone(move.keys)
	move.keys[0].Key = strings.TrimSuffix(move.keys[0].Key, "  PgDn PgUp")
	return groups
}

func (p *keysPage) press(m *Model, s stroke) tea.Cmd {
	if p.typed {
		p.findKey(s)
		return nil
	}
	switch s.key {
	case "esc":
		if p.find.text != "" {
			p.find.set("")
			return nil
		}
		m.over = p.back
	case "/":
		p.typed, p.all, p.top = true, true, 0
	case "?":
		p.all, p.top = !p.all, 0
	case "j", "down":
		p.top++
	case "k", "up":
		p.top--
	case "pgdown", "ctrl+d", " ":
		p.top += 10
	case "pgup", "ctrl+u":
		p.top -= 10
	case "g", "home":
		p.top = 0
	case "q":
		m.over = nil
		return m.quit()
	case ":":
		m.openPrompt("")
	}
	return nil
}

// findKey handles a key while the word to find is typed.
func (p *keysPage) findKey(s stroke) {
	switch {
	case s.paste != "":
		p.find.insert(s.paste)
	case s.key == "esc":
		p.typed = false
		p.find.set("")
	case s.key == "enter":
		p.typed = false
	default:
		p.find.key(s.key)
	}
	p.top = 0
}

func (p *keysPage) click(_ *Model, _, _, wheel int) tea.Cmd {
	p.top += 3 * wheel
	return nil
}

func (p *keysPage) help(*Model) []view.Help {
	if p.typed {
		return []view.Help{{Key: "enter", Verb: "keep it"}, {Key: "esc", Verb: "all keys"}}
	}
	return []view.Help{{Key: "esc", Verb: "back"}, {Key: "/", Verb: "find a key"}}
}

func (p *keysPage) title(*Model) string { return "KEYS" }

// draw draws the page: two columns where they fit and nothing is looked for,
// else a list that scrolls.
func (p *keysPage) draw(_ *Model, r kit.Region) {
	r.Fill(0, 0, r.W, kit.As(kit.Rule), "━")
	r.Put(1, 0, kit.As(kit.Title), " KEYS ")
	head := "here: " + p.place
	if p.find.text != "" || p.typed {
		head = "/" + p.find.text
		if p.typed {
			head += "_"
		}
	}
	head = kit.Cut(kit.Clean(head), max(r.W-12, 0))
	r.Put(r.W-3-kit.Width(head), 0, kit.As(kit.Title), " "+head+" ")
	body := r.Sub(0, 1, r.W, r.H-1)
	if !p.all && r.W >= 78 && body.H >= 18 {
		p.columns(body)
		return
	}
	p.list(body)
}

// columns draws the whole map on one page.
func (p *keysPage) columns(r kit.Region) {
	mid := min(r.W/2-1, 45)
	left := append([]keyGroup{p.here}, p.acts()...)
	drawKeys(r.Sub(1, 0, mid-2, r.H), left, 9)
	drawKeys(r.Sub(mid+2, 0, r.W-mid-2, r.H), p.moves(), 9)
	for y := 0; y < r.H; y++ {
		r.Put(mid, y, kit.As(kit.Rule), "│")
	}
}

func drawKeys(r kit.Region, groups []keyGroup, at int) {
	y := 0
	for i, g := range groups {
		if i > 0 {
			y++
		}
		x := r.Put(0, y, kit.As(kit.Title), g.title)
		if g.note != "" {
			r.Put(max(x+2, at), y, kit.As(kit.Dim), g.note)
		}
		y++
		for _, h := range g.keys {
			r.Put(0, y, kit.As(kit.Key), h.Key)
			for k, line := range strings.Split(h.Verb, "\n") {
				if k > 0 {
					y++
				}
				r.Put(at, y, kit.As(kit.Normal), line)
			}
			y++
		}
	}
}

// list draws all keys one below the other, or those that the word finds.
func (p *keysPage) list(r kit.Region) {
	var lines []view.Help
	groups := append([]keyGroup{p.here}, p.acts()...)
	groups = append(append(groups, p.moves()...), restKeys...)
	for _, g := range groups {
		var found []view.Help
		for _, h := range g.keys {
			h.Verb = strings.ReplaceAll(h.Verb, "\n", " ")
			if p.finds(h, g) {
				found = append(found, h)
			}
		}
		if len(found) > 0 {
			lines = append(append(lines, view.Help{Key: g.title, Verb: "\x00" + g.note}), found...)
		}
	}
	if len(lines) == 0 {
		r.Put(1, 1, kit.As(kit.Normal), "no key is named so; esc shows all")
		return
	}
	p.top = max(min(p.top, len(lines)-r.H), 0)
	col := size(r.W, 18, 18, 18, 11)
	for y := 0; y < r.H && p.top+y < len(lines); y++ {
		h := lines[p.top+y]
		if note, isTitle := strings.CutPrefix(h.Verb, "\x00"); isTitle {
			r.Put(col-2, y, kit.As(kit.Dim), note)
			r.Put(1, y, kit.As(kit.Title), h.Key)
			continue
		}
		x := r.Put(3, y, kit.As(kit.Key), h.Key)
		r.Put(max(x+2, col), y, kit.As(kit.Normal), h.Verb)
	}
	if below := len(lines) - p.top - r.H; below > 0 {
		r.PutRight(r.W-1, r.H-1, kit.As(kit.Dim), "↓"+itoa(below))
	}
}

func (p *keysPage) finds(h view.Help, g keyGroup) bool {
	word := strings.ToLower(strings.TrimSpace(p.find.text))
	return word == "" || strings.ToLower(h.Key) == word ||
		strings.Contains(strings.ToLower(h.Key+" "+h.Verb+" "+g.title), word)
}

// drawFoot draws the legend above the help.
func (p *keysPage) drawFoot(m *Model, r kit.Region) bool {
	top := r.Sub(0, 0, r.W, 1)
	top.Fill(0, 0, r.W, kit.As(kit.Rule), "─")
	if r.W >= 78 {
		top.Put(1, 0, kit.As(kit.Normal), " ● usable  ○ not now  + - ~ by this rev  ≠ not as declared ")
		top.Put(r.W-12, 0, kit.As(kit.Normal), " ✗ finding ")
	} else {
		top.Put(1, 0, kit.As(kit.Normal), " ● usable ○ not now + - ~ ≠ ✗ finding ")
	}
	m.drawHelp(r.Sub(0, 1, r.W, 1))
	return true
}
