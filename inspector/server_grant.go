package inspector

import (
	"slices"
	"strconv"
	"strings"

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

// receipts tells each featureSets/update and what the server answered, the
// newest first.
func (s *serverTale) receipts() ServerSection {
	const head = "RECEIPTS"
	if len(s.turns) == 0 {
		return section(KeyReceipts, head, "none", []ServerLine{empty("The answer to featureSets/update is the receipt of a grant.")})
	}
	var lines []ServerLine
	for i := len(s.turns) - 1; i >= 0; i-- {
		lines = append(lines, s.turn(i)...)
	}
	if s.earlier > 0 {
		lines = append(lines, empty("… "+strconv.Itoa(s.earlier)+" earlier"))
	}
	last := &s.turns[len(s.turns)-1]
	_, word := s.turnWords(last)
	note := strconv.Itoa(len(s.turns)+s.earlier) + ", the last " + word
	if len(s.turns)+s.earlier == 1 {
		note = word
	}
	return section(KeyReceipts, head, note, lines)
}

func (s *serverTale) turnWords(t *grantTurn) (sign, words string) {
	switch {
	case !t.answered() && s.b.Link.Closed != nil:
		return "!", "without an answer"
	case !t.answered():
		return "◌", "not answered so far"
	case t.reply.Kind == wire.Error:
		return "!", "answered by an error"
	case t.refused():
		return "!", "refused"
	case t.accepted():
		return "✓", "accepted"
	}
	return "!", "neither accepted nor refused"
}

// turn tells one update of the grant.
func (s *serverTale) turn(i int) []ServerLine {
	t := &s.turns[i]
	sign, words := s.turnWords(t)
	first := ServerLine{Index: t.at.Index, Hang: 2}
	first.Sign, first.Wrap = sign, true
	first.Spans = []Span{loud("update " + strconv.Itoa(t.n)), quiet("   " + Clock(t.sent.T) + "   "), plain(words)}
	if t.answered() {
		first.Spans = append(first.Spans, quiet("   "+Took(t.came.T-t.sent.T)))
	}
	first.Right = t.frames()
	lines := []ServerLine{first}
	p := t.question.Params
	lines = append(lines, labelled("effective", t.at.Index, plain(orElse(list(t.effective), "nothing is granted"))))
	for _, k := range [...]struct{ key, label string }{
		{"deniedCapabilities", "denied"}, {"enabled", "enabled"}, {"disabled", "disabled"},
	} {
		if v := stringsOf(wire.Member(p, k.key)); len(v) > 0 {
			lines = append(lines, labelled(k.label, t.at.Index, plain(list(v))))
		}
	}
	if i > 0 {
		lines = append(lines, s.difference(i)...)
	}
	lines = append(lines, others(p, t.at.Index, "effectiveCapabilities", "deniedCapabilities", "enabled", "disabled", "_meta")...)
	return append(lines, t.receipt()...)
}

// difference says what an update took away and what it added.
func (s *serverTale) difference(i int) []ServerLine {
	before, after := s.turns[i-1].effective, s.turns[i].effective
	var spans []Span
	for _, p := range before {
		if !slices.Contains(after, p) {
			spans = append(spans, loud("- "+oneLine(cutBytes(p, 60))+"  "))
		}
	}
	for _, p := range after {
		if !slices.Contains(before, p) {
			spans = append(spans, Span{Text: "+ " + oneLine(cutBytes(p, 60)) + "  ", Tone: Good})
		}
	}
	if spans == nil {
		spans = []Span{quiet("nothing")}
	}
	return []ServerLine{labelled("changed", s.turns[i].at.Index, spans[:min(len(spans), maxListed)]...)}
}

// receipt tells what the server answered.
func (t *grantTurn) receipt() []ServerLine {
	if !t.answered() {
		return nil
	}
	index, r := t.answerAt.index, t.reply.Result
	if t.reply.Kind == wire.Error {
		return []ServerLine{labelled("answer", index, loud(errorWords(t.reply.Error)))}
	}
	var lines []ServerLine
	if t.refused() {
		lines = append(lines, labelled("answer", index, loud(refusalWords(r))))
	}
	if v := wire.Member(r, "mode"); v != nil {
		lines = append(lines, labelled("mode", index, peer(scalarText(v))))
	}
	wire.EachElement(wire.Member(r, "unavailableFeatures"), func(v []byte) bool {
		name := oneLine(member(v, "featureSet"))
		lines = append(lines, labelled("unavailable", index, loud(orElse(name, "a feature set without a name")), plain("   "+unavailableWords(v))))
		return len(lines) < maxListed
	})
	switch notes := wire.Member(r, "notes"); {
	case len(notes) > 0 && notes[0] == '[':
		for _, n := range stringsOf(notes)[:min(len(stringsOf(notes)), maxListed)] {
			lines = append(lines, labelled("notes", index, peer(Quote(n))))
		}
	case notes != nil:
		lines = append(lines, labelled("notes", index, peer(Quote(scalarText(notes)))))
	}
	return append(lines, others(r, index, "accepted", "mode", "unavailableFeatures", "notes", "fallback", "missingCapabilities", "reason", "_meta")...)
}

// refusalWords tells a refusal: "refused, goes on as mcp-only, lacks tools:
// “I need them”".
func refusalWords(r []byte) string {
	parts := []string{"refused"}
	switch string(wire.Member(r, "accepted")) {
	case "false":
	case "":
		parts[0] = "neither accepted nor refused"
	default:
		parts[0] = "accepted is " + scalarText(wire.Member(r, "accepted"))
	}
	switch f := scalar(r, "fallback"); f {
	case "":
		if parts[0] == "refused" {
			parts = append(parts, "without a fallback")
		}
	case "mcp-only":
		parts = append(parts, "falls back to plain MCP (mcp-only)")
	case "close":
		parts = append(parts, "and means to close")
	default:
		parts = append(parts, "fallback "+oneLine(f))
	}
	if missing := stringsOf(wire.Member(r, "missingCapabilities")); len(missing) > 0 {
		parts = append(parts, "lacks "+list(missing))
	}
	text := strings.Join(parts, ", ")
	if reason := member(r, "reason"); reason != "" {
		text += ": " + Quote(reason)
	}
	return text
}
