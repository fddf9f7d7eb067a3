package ui

import (
	"strings"
	"time"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// atOnce is how long a request of the server may be open without being told:
// most are answered by the program itself before anyone could read of them.
// Who asks for what waits sees it at once.
const atOnce = 250 * time.Millisecond

// waiting is one thing that waits for the user: a suggestion, or a request of
// the server.
type waiting struct {
	suggestion *timeline.Suggestion
	ask        *timeline.Call
}

// waits lists what waits for the user and is told by itself, what has a time
// limit first.
func (m *Model) waits() []waiting { return m.waitsSince(atOnce) }

// waitsSince is waits of the requests that are open for at least that long, by
// the clock of the last tick.
func (m *Model) waitsSince(least time.Duration) []waiting {
	if m.cx.Replay || m.cx.Ended {
		return nil
	}
	var out []waiting
	b := m.cx.Newest
	for i := range b.Asks {
		if a := &b.Asks[i]; (least <= 0 || m.status.Now-a.T >= least) && !a.Cancelled && !a.HeldBack {
			out = append(out, waiting{ask: a})
		}
	}
	for i := range b.Suggestions {
		if s := &b.Suggestions[i]; !s.Taken {
			out = append(out, waiting{suggestion: s})
		}
	}
	return out
}

// drawWaits draws the row above the help: the inbox.
func (m *Model) drawWaits(r kit.Region) {
	r.Fill(0, 0, r.W, kit.As(kit.Rule), "─")
	if text := m.message.shown(m); text != "" {
		m.drawMessage(r, text)
		return
	}
	if m.cx.Replay {
		m.drawScrubber(r)
		return
	}
	if left, right := m.loginParts(r.W); len(left) > 0 {
		m.drawInbox(r, left, right)
		return
	}
	var left, right []inboxPart
	waits := m.waits()
	if call := m.openCall(); call != nil && m.live() {
		left = append(left, m.callPart(call, r.W, len(waits) > 0))
		right = append(right, inboxPart{key: "ctrl-c", text: "cancel", stroke: "ctrl+c"})
	}
	if len(waits) > 0 {
		left = append(left, m.waitPart(waits, r.W, len(left) > 0))
		p := inboxPart{key: "a", text: size(r.W, "look at it", "look", "look", "look"), stroke: "a"}
		if m.over != nil {
			p = inboxPart{text: "not now"}
		}
		right = append(right, p)
	}
	if r.W < narrowFrom && len(right) > 1 {
		for i := range right {
			right[i].text = ""
		}
	}
	if len(left) == 0 {
		left, right = m.retryParts(r.W)
	}
	if l, k := m.manifestPart(r.W); len(left) == 0 || r.W >= wideFrom {
		left, right = append(left, l...), append(right, k...)
	}
	if len(left) == 0 || r.W >= wideFrom {
		l, k := m.secondPart()
		left, right = append(left, l...), append(right, k...)
	}
	if len(left) == 0 && !m.live() {
		if text := m.firstFinding(); text != "" {
			left = append(left, inboxPart{bits: []part{{text: text, style: kit.As(kit.Bad)}}})
			right = append(right, inboxPart{key: "e", text: "go to it", stroke: "e"})
		}
	}
	m.drawInbox(r, left, right)
}

// inboxPart is one thing in the row: bits that are set between rules, the
// last ones of which may go; or a key with its verb.
type inboxPart struct {
	bits      []part
	key, text string
	stroke    string // what a click on it presses
}

// drawInbox sets what waits from the left, and its keys at the right.
func (m *Model) drawInbox(r kit.Region, left, right []inboxPart) {
	rw := 0
	for _, p := range right {
		rw += p.width() + 4
	}
	for dropBit(left, r.W-rw-3) {
	}
	x := 2
	for _, p := range left {
		for _, b := range p.bits {
			text := kit.Cut(kit.Clean(b.text), max(r.W-rw-x-2, 0))
			x = r.Put(x-1, 0, kit.Style{}, " ")
			x = r.Put(x, 0, b.style, text)
			x = r.Put(x, 0, kit.Style{}, " ") + 2 + 1
		}
	}
	x = r.W - 1
	for i := len(right) - 1; i >= 0; i-- {
		p := right[i]
		from := x - p.width() - 2
		at := r.Put(from, 0, kit.Style{}, " ")
		if p.key != "" {
			at = r.Put(at, 0, kit.As(kit.Key), p.key)
		}
		if p.key != "" && p.text != "" {
			at = r.Put(at, 0, kit.Style{}, "  ")
		}
		r.Put(r.Put(at, 0, kit.As(kit.Normal), p.text), 0, kit.Style{}, " ")
		if p.stroke != "" {
			m.screen.zone(from, m.layout().waits, p.width()+2, p.stroke)
		}
		x = from - 2
	}
}

func (p inboxPart) width() int {
	if p.key == "" || p.text == "" {
		return kit.Width(p.key + p.text)
	}
	return kit.Width(p.key) + 2 + kit.Width(p.text)
}

// dropBit takes away the bit with the highest rank while all do not fit.
func dropBit(parts []inboxPart, room int) bool {
	w, at, bit, rank := 0, -1, -1, 0
	for i, p := range parts {
		for k, b := range p.bits {
			w += kit.Width(kit.Clean(b.text)) + 4
			if b.rank > rank {
				at, bit, rank = i, k, b.rank
			}
		}
	}
	if w-2 <= room || at < 0 {
		return false
	}
	bits := parts[at].bits
	parts[at].bits = append(bits[:bit:bit], bits[bit+1:]...)
	return true
}

// waitPart tells what waits: how much, what first, and since when.
func (m *Model) waitPart(w []waiting, cols int, crowded bool) inboxPart {
	head := "? " + itoa(len(w)) + " WAIT"
	switch {
	case crowded && cols < narrowFrom:
		head = "? " + itoa(len(w))
	case len(w) == 1:
		head += "S"
	}
	if cols >= wideFrom && !crowded {
		head += " FOR YOU"
	}
	ask := kit.Style{Role: kit.Ask, Bold: true}
	p := inboxPart{bits: []part{{text: head, style: ask}}}
	first := w[0]
	if first.ask != nil {
		return m.askPart(p, first.ask, cols, crowded)
	}
	s := first.suggestion
	what := strings.TrimSpace(s.Action + " " + s.Toolset + " " + s.Instance)
	text := size(cols, "the server suggests: ", "suggests: ", "", "") + what
	if crowded {
		text = "suggests: " + what
	}
	if s.Reason != "" && cols >= narrowFrom && !crowded {
		text += ", “" + oneLine(s.Reason) + "”"
	}
	p.bits = append(p.bits, part{text: text, style: kit.As(kit.Normal), rank: 4 * b2i(crowded)})
	if since := m.since(s.By); since != "" && cols >= middleFrom && !crowded {
		if cols < wideFrom {
			since, _, _ = strings.Cut(since, ",")
		}
		p.bits = append(p.bits, part{text: since, style: kit.As(kit.Dim), rank: 9})
	}
	return p
}

// askPart tells of a question of the server. Beside an open call its words go
// before the call's progress does: a look at it has them all.
func (m *Model) askPart(p inboxPart, call *timeline.Call, cols int, crowded bool) inboxPart {
	text, words := inspector.AskWords(m.log(), *call)
	normal := kit.As(kit.Normal)
	asked := part{text: running(m.status.Now - call.T), style: normal, rank: 8}
	if crowded {
		p.bits = append(p.bits, part{text: "asks: " + text, style: normal, rank: 4})
		if words != "" {
			p.bits = append(p.bits, part{text: "“" + words + "”", style: normal, rank: 6})
		}
		p.bits = append(p.bits, asked)
		return p
	}
	if cols >= middleFrom {
		text = "the server asks: " + text
	}
	if words != "" && cols >= narrowFrom {
		text += ", “" + words + "”"
	}
	p.bits = append(p.bits, part{text: text, style: normal}, asked)
	return p
}

// since says by which rev something came, and how long ago.
func (m *Model) since(by timeline.By) string {
	if by.Index < 0 || by.Index >= m.cx.Len {
		return ""
	}
	age := ", " + age(m.status.Now-m.log().Entry(by.Index).T) + " ago"
	if by.Rev > 0 {
		return "rev " + itoa(by.Rev) + age
	}
	return "frame " + itoa(m.log().Entry(by.Index).Seq) + age
}

// leastName is what the smallest screens leave of the name of an open call
// while something waits for the user.
const leastName = 12

// callPart tells of the open calls: how many, and of the newest how long it
// runs, which is the one that ctrl-c cancels.
func (m *Model) callPart(call *timeline.Call, cols int, crowded bool) inboxPart {
	head := "⋯ " + strings.ToUpper(inspector.Count(len(m.cx.Newest.Waiting()), "call")) + " OPEN"
	text := callName(call) + ", " + running(m.status.Now-call.T)
	if crowded && cols < narrowFrom {
		text = kit.Cut(kit.Clean(callName(call)), leastName) // so that what waits is seen
	}
	limit := m.cx.Limit
	if call.Limit > 0 {
		limit = call.Limit
	}
	if limit > 0 && cols >= narrowFrom && !(crowded && cols < middleFrom) {
		text += " of " + limitText(limit)
	}
	t := m.progress.of(call)
	far, message := farText(t.Progress, cols)
	if far == "" && cols >= wideFrom {
		text += ", no progress yet"
	}
	var p inboxPart
	if cols < middleFrom || crowded && cols < wideFrom && far != "" { // row 2 counts them
		p.bits = []part{{text: "⋯ " + text, style: kit.As(kit.Bright)}}
	} else {
		p.bits = []part{{text: head, style: kit.As(kit.Bright)}, {text: text, style: kit.As(kit.Normal)}}
	}
	if far != "" {
		p.bits = append(p.bits, part{text: far, style: kit.As(kit.Bright), rank: 1})
	}
	if message != "" && !crowded {
		p.bits = append(p.bits, part{text: message, style: kit.As(kit.Normal), rank: 7})
	}
	if l := logged(t); l != "" {
		p.bits = append(p.bits, part{text: l, style: kit.As(kit.Normal), rank: 5 + 5*b2i(crowded)})
	}
	return p
}

// farText is how far a call has come, as a bar where its total is known, and
// the server's words to it.
func farText(p inspector.Progress, cols int) (far, message string) {
	if p.Count == 0 {
		return "", ""
	}
	w := 16
	switch {
	case cols < narrowFrom:
		w = 4
	case cols < middleFrom:
		w = 6
	case cols < wideFrom:
		w = 10
	}
	if p.Message != "" {
		message = inspector.Quote(p.Message)
	}
	return strings.TrimSpace(p.Bar(w) + " " + p.Words()), message
}

// callName names an open request: "#29 score @ vs-bot".
func callName(c *timeline.Call) string {
	name := "#" + c.ID.String() + " "
	switch {
	case c.Tool != "" && c.Instance != "":
		return name + c.Tool + " @ " + c.Instance
	case c.Tool != "":
		return name + c.Tool
	case c.Toolset != "":
		return name + strings.TrimSpace(strings.TrimPrefix(c.Method, "toolsets/")+" "+c.Toolset+" "+c.Instance)
	}
	return name + c.Method
}
