package inspector

import (
	"slices"
	"strconv"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// maxTurns is how many updates of the grant are looked at: any that is
// answered says all that is granted.
const maxTurns = 40

// grantTurn is one featureSets/update with its receipt.
type grantTurn struct {
	asked
	n         int // which of the connection's, from 1
	effective []string
}

func (t *grantTurn) accepted() bool {
	return t.ok() && string(wire.Member(t.reply.Result, "accepted")) == "true"
}

// refused: the server answered that it does not accept. An answer that says
// neither counts as accepted, as it does for the host that sent it.
func (t *grantTurn) refused() bool {
	return t.answered() && (!t.ok() || string(wire.Member(t.reply.Result, "accepted")) == "false")
}

// grants follows the grant of the connection. Narrowing takes effect at once,
// widening when the receipt arrives (mcpl-host.md, "Grants").
func (s *serverTale) grants() {
	all, earlier := s.exchanges(s.b.Conn, timeline.GrantAsked, timeline.GrantAnswered, maxTurns)
	s.earlier = earlier
	for i := range all {
		s.turns = append(s.turns, grantTurn{
			asked: all[i], n: earlier + i + 1,
			effective: stringsOf(wire.Member(all[i].question.Params, "effectiveCapabilities")),
		})
	}
	type event struct {
		index  int
		turn   int
		answer bool
	}
	var events []event
	for i := range s.turns {
		t := &s.turns[i]
		events = append(events, event{t.at.Index, i, false})
		if t.answered() {
			events = append(events, event{t.answerAt.index, i, true})
		}
	}
	slices.SortStableFunc(events, func(a, b event) int { return a.index - b.index })
	var told []string
	for _, e := range events {
		t := &s.turns[e.turn]
		switch {
		case !e.answer:
			told = t.effective
			s.active = both(s.active, told)
		case !t.refused():
			s.active = both(t.effective, told)
		}
	}
}

// both returns what of a stands in b too.
func both(a, b []string) []string {
	var out []string
	for _, p := range a {
		if slices.Contains(b, p) {
			out = append(out, p)
		}
	}
	return out
}

// grant tells path by path what each side advertises and what is granted.
func (s *serverTale) grant() ServerSection {
	const head = "GRANT"
	switch {
	case s.serverSaid == nil && len(s.turns) == 0:
		note := plainServer
		if !s.init.ok() {
			note = "nothing so far"
		}
		return section(KeyGrant, head, note, []ServerLine{empty("Grants are MCPL's: a server without it knows none.")})
	case len(s.turns) == 0:
		return section(KeyGrant, head, "not told", []ServerLine{empty("No featureSets/update was sent: nothing is granted.")})
	}
	last := &s.turns[len(s.turns)-1]
	server, host := s.serverOffers(), mcpl.HostPaths(s.hostSaid)
	denied := stringsOf(wire.Member(last.question.Params, "deniedCapabilities"))
	var lines []ServerLine
	width := 0
	paths := pathsOf(server, last.effective, denied, s.active)
	for _, p := range paths {
		width = max(width, len([]rune(oneLine(cutBytes(p, 60)))))
	}
	granted := 0
	for i, p := range paths {
		if slices.Contains(s.active, p) {
			granted++
		}
		if i < 4*maxListed {
			lines = append(lines, s.path(p, min(width, 36), last, server, host, denied))
		}
	}
	var rest []string
	for _, p := range host {
		if !slices.Contains(paths, p) {
			rest = append(rest, p)
		}
	}
	if len(rest) > 0 {
		l := ServerLine{Index: s.init.at.Index}
		l.Sign, l.Wrap = "·", true
		l.Spans = []Span{quiet("offered by this host alone: " + list(rest))}
		lines = append(lines, l)
	}
	note := strconv.Itoa(granted) + " of " + strconv.Itoa(len(paths)) + " granted"
	switch {
	case !last.answered():
		note = "◌ " + note + ", no receipt"
	case last.refused():
		note = "! " + note + ", refused"
	}
	return section(KeyGrant, head, note, lines)
}

// pathsOf are the paths of several lists, those of MCPL in its order, then
// others.
func pathsOf(lists ...[]string) []string {
	all := slices.Concat(lists...)
	var out []string
	for _, c := range mcpl.Capabilities {
		if slices.Contains(all, c) {
			out = append(out, c)
		}
	}
	seen := map[string]bool{}
	for _, p := range out {
		seen[p] = true
	}
	for _, p := range all {
		if !seen[p] {
			seen[p] = true
			out = append(out, p)
		}
	}
	return out
}

// path is one line of the grant.
func (s *serverTale) path(p string, width int, last *grantTurn, server, host, denied []string) ServerLine {
	l := ServerLine{Index: last.at.Index, Hang: width + 2}
	if slices.Contains(server, p) && slices.Contains(host, p) {
		l.Grants = p
	}
	l.Wrap = true
	name := pad(oneLine(cutBytes(p, 60)), width) + "  "
	told := slices.Contains(last.effective, p)
	words := ""
	switch {
	case slices.Contains(s.active, p):
		l.Sign = "✓"
		l.Spans = []Span{plain(name), {Text: "granted", Tone: Good}}
		if !slices.Contains(server, p) {
			l.Spans = append(l.Spans, loud("   ! the server does not ask for it"))
		}
		return l
	case told && last.refused():
		l.Sign, words = "!", "told, but the server did not accept: not granted"
	case told:
		l.Sign, words = "◌", "told: granted when the receipt arrives"
	case slices.Contains(denied, p) && slices.Contains(host, p):
		l.Sign, words = "-", "denied by this host"
	case slices.Contains(denied, p):
		l.Sign, words = "-", "denied: this host does not offer it"
	default:
		l.Sign, words = "-", "not told: what is absent is denied"
	}
	l.Spans = []Span{plain(name), loud(words)}
	if !slices.Contains(server, p) {
		l.Spans = append(l.Spans, quiet("   the server does not ask for it"))
	}
	if i := s.takenBy(p); i >= 0 {
		l.Spans = append(l.Spans, quiet("   since frame "+seq(s.turns[i].sent.Seq)))
		l.Index = s.turns[i].at.Index
	}
	return l
}

// takenBy is the turn that took away a path that was told before, -1 where
// none did.
func (s *serverTale) takenBy(p string) int {
	for i := len(s.turns) - 1; i > 0; i-- {
		if slices.Contains(s.turns[i].effective, p) {
			return -1
		}
		if slices.Contains(s.turns[i-1].effective, p) {
			return i
		}
	}
	return -1
}
