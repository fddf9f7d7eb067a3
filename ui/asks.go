package ui

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// widestID is how many cells a request's id gets in the list of what waits.
const widestID = 16

// asksPage lists all that waits for the user, and lets one be chosen.
type asksPage struct {
	chosen waitKey // what the cursor is on
	at     int     // where that stood
	top    int
	rows   []waitRow // as they were drawn last
}

// waitKey tells one waiting thing from the others, as long as it waits.
type waitKey struct {
	index int // of the frame that brought it
	about string
}

// waitRow is one thing on the page.
type waitRow struct {
	waiting
	key  waitKey
	held bool // answered; the answer is held back
}

func keyOf(w waiting) waitKey {
	if w.ask != nil {
		return waitKey{w.ask.Index, w.ask.ID.Key()}
	}
	s := w.suggestion
	return waitKey{s.By.Index, s.Action + "\x00" + s.Toolset + "\x00" + s.Instance}
}

// list is what stands on the page: what waits, then what is answered and held
// back.
func (p *asksPage) list(m *Model) []waitRow {
	var out []waitRow
	for _, w := range m.waitsSince(0) {
		out = append(out, waitRow{waiting: w, key: keyOf(w)})
	}
	if !m.cx.Replay && !m.cx.Ended {
		for i := range m.cx.Newest.Asks {
			if a := &m.cx.Newest.Asks[i]; a.HeldBack {
				w := waiting{ask: a}
				out = append(out, waitRow{waiting: w, key: keyOf(w), held: true})
			}
		}
	}
	if i := slices.IndexFunc(out, func(r waitRow) bool { return r.key == p.chosen }); i >= 0 {
		p.at = i
	}
	p.at = max(min(p.at, len(out)-1), 0)
	if len(out) > 0 {
		p.chosen = out[p.at].key
	}
	return out
}

func (p *asksPage) move(m *Model, by int) {
	rows := p.list(m)
	if len(rows) == 0 {
		return
	}
	p.at = max(min(p.at+by, len(rows)-1), 0)
	p.chosen = rows[p.at].key
}

func (p *asksPage) press(m *Model, s stroke) tea.Cmd {
	switch s.key {
	case "esc", "A":
		m.over = nil
		m.settle()
	case "j", "down":
		p.move(m, 1)
	case "k", "up":
		p.move(m, -1)
	case "pgdown", "ctrl+d":
		p.move(m, 10)
	case "pgup", "ctrl+u":
		p.move(m, -10)
	case "g", "home":
		p.move(m, -len(p.list(m)))
	case "G", "end":
		p.move(m, len(p.list(m)))
	case "enter", "a":
		return p.open(m)
	case ":":
		m.openPrompt("")
	case "q":
		m.over = nil
		return m.quit()
	}
	return nil
}

// open opens the form of what the cursor is on.
func (p *asksPage) open(m *Model) tea.Cmd {
	rows := p.list(m)
	switch {
	case len(rows) == 0:
		m.say("nothing waits for you")
		return nil
	case rows[p.at].held:
		m.say("this is answered, and the answer is held back; :answers at once sends it")
		return nil
	}
	if text := m.cannot(); text != "" {
		m.say(text)
		return nil
	}
	m.over = nil
	return m.openWaiting(rows[p.at].waiting)
}

func (p *asksPage) click(m *Model, _, y, wheel int) tea.Cmd {
	if wheel != 0 {
		p.move(m, wheel)
		return nil
	}
	if i := p.top + y - 1; y >= 1 && i < len(p.rows) {
		again := p.rows[i].key == p.chosen
		p.chosen = p.rows[i].key
		if again {
			return p.open(m)
		}
	}
	return nil
}

func (p *asksPage) help(m *Model) []view.Help {
	out := []view.Help{{Key: "enter", Verb: "answer"}, {Key: "esc", Verb: "back"}, {Key: "j k", Verb: "move"}}
	if len(p.list(m)) == 0 {
		return out[1:2]
	}
	return out
}

func (p *asksPage) title(*Model) string { return "WAITS" }

// draw draws a row for each thing: since when it waits, what it is, and its
// own words.
func (p *asksPage) draw(m *Model, r kit.Region) {
	p.rows = p.list(m)
	r.Fill(0, 0, r.W, kit.As(kit.Rule), "━")
	r.Put(1, 0, kit.As(kit.Title), " WHAT WAITS FOR YOU ")
	if len(p.rows) == 0 {
		p.drawEmpty(m, r)
		return
	}
	count := " " + itoa(len(m.waitsSince(0))) + " "
	r.Put(r.W-2-kit.Width(count), 0, kit.As(kit.Title), count)
	h := r.H - 1
	p.top = max(min(p.top, p.at, len(p.rows)-h), 0)
	p.top = max(p.top, p.at-h+1)
	for y := 0; y < h && p.top+y < len(p.rows); y++ {
		p.drawRow(m, r.Sub(0, 1+y, r.W, 1), p.rows[p.top+y], p.top+y == p.at)
	}
	if below := len(p.rows) - p.top - h; below > 0 {
		r.PutRight(r.W-1, r.H-1, kit.As(kit.Dim), "↓"+itoa(below))
	}
}

func (p *asksPage) drawEmpty(m *Model, r kit.Region) {
	text := "Nothing waits. What the server asks of you, and what it suggests, stands here; :push ask and :channels ask ask about those, too."
	if m.cx.Replay {
		text = "Nothing can wait in a recording."
	}
	for y, t := range kit.Wrap(text, max(r.W-4, 8)) {
		r.Put(2, 2+y, kit.As(kit.Normal), t)
	}
}

func (p *asksPage) drawRow(m *Model, r kit.Region, row waitRow, here bool) {
	normal, dim := kit.As(kit.Normal), kit.As(kit.Dim)
	if here {
		r.Put(0, 0, kit.As(kit.Bright), "▌")
		normal = kit.As(kit.Bright)
	}
	since, what, words := m.waitWords(row.waiting)
	if row.held {
		since, normal = "held back", dim
	}
	end := size(r.W, 12, 12, 11, 9)
	r.PutRight(end, 0, dim, since)
	x := r.PutCut(end+2, 0, r.W-end-3, normal, what)
	if row.ask != nil && r.W >= narrowFrom && x+6 < r.W { // :answer and :decline name it so
		x = r.PutCut(x+1, 0, min(r.W-x-2, widestID), normal, kit.Clean(row.ask.ID.String()))
	}
	if words != "" && x+6 < r.W {
		r.PutCut(x+2, 0, r.W-x-3, dim, "“"+oneLine(words)+"”")
	}
}

// waitWords says of something that waits since when, what it is, and its own
// words.
func (m *Model) waitWords(w waiting) (since, what, words string) {
	if w.ask != nil {
		h := inspector.HeadlineOf(m.log(), w.ask.Index)
		return running(m.status.Now - w.ask.T), h.What, h.Words
	}
	s := w.suggestion
	if s.By.Index >= 0 && s.By.Index < m.cx.Len {
		since = running(m.status.Now - m.log().Entry(s.By.Index).T)
	}
	return since, "suggests: " + strings.TrimSpace(s.Action+" "+s.Toolset+" "+s.Instance), s.Reason
}

// asksSeen remembers which requests waited for the user at the last look.
type asksSeen struct {
	generation int
	waiting    map[waitKey]timeline.Call
}

// tellEnds says what became of a request that waited, and waits no more
// although the user did not answer it: so that no question just vanishes.
func (m *Model) tellEnds() {
	s := &m.asks
	if s.generation != m.pull.generation || s.waiting == nil {
		*s = asksSeen{generation: m.pull.generation, waiting: map[waitKey]timeline.Call{}}
	}
	now := map[waitKey]timeline.Call{}
	for _, w := range m.waits() {
		if w.ask != nil {
			now[keyOf(w)] = *w.ask
		}
	}
	var gone []timeline.Call
	for key, call := range s.waiting {
		if _, waits := now[key]; !waits && !m.answeredHere(call) {
			gone = append(gone, call)
		}
	}
	s.waiting = now
	switch n := len(gone); {
	case n == 0:
	case m.cx.Ended || m.log().Entry(gone[0].Index).Conn != m.cx.Newest.Conn:
		m.say("the connection is over: " + inspector.Count(n, "question") + " of the server stayed without an answer")
	case m.idAgain(gone[0]):
		m.say(gone[0].Method + " " + gone[0].ID.String() + ": the server asks with this id again, and the earlier question waits no more")
	case n == 1:
		m.say(gone[0].Method + " " + gone[0].ID.String() + ": the server withdrew it, and waits for no answer")
	default:
		m.say("the server withdrew " + inspector.Count(n, "question"))
	}
}

// answeredHere reports whether the host answered a request, or holds its
// answer back.
func (m *Model) answeredHere(call timeline.Call) bool {
	if call.Index >= m.cx.Len || m.log().Entry(call.Index).Pair >= 0 {
		return true
	}
	return slices.ContainsFunc(m.cx.Newest.Asks, func(a timeline.Call) bool {
		return a.Index == call.Index && a.ID.Key() == call.ID.Key() && a.HeldBack
	})
}

// heldWords says of an answer that was given and held back when it goes out,
// "" of any other outcome.
func heldWords(o Outcome) string {
	switch o.result("answers") {
	case "never":
		return "held back, for this host is silent; :answers at once sends it"
	case "late":
		return "held back, it goes out late; :answers at once sends it"
	}
	return ""
}
