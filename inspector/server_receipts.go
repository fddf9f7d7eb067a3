package inspector

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

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
	for _, k := range [...]struct{ key, label string }{{"deniedCapabilities", "denied"}, {"enabled", "enabled"}} {
		if v := stringsOf(wire.Member(p, k.key)); len(v) > 0 {
			lines = append(lines, labelled(k.label, t.at.Index, plain(list(v))))
		}
	}
	lines = append(lines, s.disabled(t)...)
	if i > 0 {
		lines = append(lines, s.difference(i)...)
	}
	lines = append(lines, others(p, t.at.Index, "effectiveCapabilities", "deniedCapabilities", "enabled", "disabled", "_meta")...)
	return append(lines, s.receipt(t)...)
}

// disabled tells the feature sets that an update disables, each with why: by
// the manifest in force (mcpl-host.md, "Grants").
func (s *serverTale) disabled(t *grantTurn) []ServerLine {
	names := stringsOf(wire.Member(t.question.Params, "disabled"))
	var lines []ServerLine
	for i, name := range names {
		label := ""
		if i == 0 {
			label = "disabled"
		}
		if i == maxListed {
			return append(lines, below(t.at.Index, quiet("… "+strconv.Itoa(elements(wire.Member(t.question.Params, "disabled"))-i)+" more")))
		}
		l := labelled(label, t.at.Index, plain(oneLine(cutBytes(name, 80))))
		if why := s.whyDisabled(name, t.effective); why != "" {
			l.Spans = append(l.Spans, quiet("   "+why))
		}
		lines = append(lines, l)
	}
	return lines
}

// whyDisabled says why a feature set is disabled under a grant, "" where the
// manifest in force does not tell.
func (s *serverTale) whyDisabled(name string, grant []string) string {
	f, declared := s.featureSets()[name]
	switch {
	case !declared:
		return ""
	case !f.Valid:
		return "invalid_uses"
	case f.Enabled(grant):
		return "by the user: all that it uses is granted"
	}
	return "lacks " + list(f.lacks(grant))
}

// declaredSet is a feature set of the manifest in force.
type declaredSet struct{ mcpl.FeatureSet }

// lacks are the paths that the set uses and a grant does not have.
func (f declaredSet) lacks(grant []string) []string {
	return slices.DeleteFunc(slices.Clone(f.Uses), func(u string) bool { return slices.Contains(grant, u) })
}

// featureSets are the feature sets of the manifest in force, by name.
func (s *serverTale) featureSets() map[string]declaredSet {
	if s.sets == nil {
		s.sets = map[string]declaredSet{}
		for _, f := range mcpl.FeatureSets(s.serverSaid) {
			if _, twice := s.sets[f.Name]; !twice {
				s.sets[f.Name] = declaredSet{f}
			}
		}
	}
	return s.sets
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
func (s *serverTale) receipt(t *grantTurn) []ServerLine {
	if !t.answered() {
		return nil
	}
	index, r := t.answerAt.index, t.reply.Result
	if t.reply.Kind == wire.Error {
		return []ServerLine{labelled("answer", index, loud(errorWords(t.reply.Error)))}
	}
	var lines []ServerLine
	if t.refused() {
		lines = append(lines, labelled("answer", index, loud(refusalWords(r))), labelled("then", index, plain(s.afterRefusal(r))))
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

// afterRefusal says what follows a refusal: it widens nothing, and names by
// itself whether the connection goes on (mcpl-host.md, "Handshake").
func (s *serverTale) afterRefusal(r []byte) string {
	const nothing = "nothing is granted that was not before"
	switch closed := s.b.Link.Closed; {
	case scalar(r, "fallback") != "close":
		return nothing + "; tools go on as in plain MCP"
	case closed != nil && closed.By == "host":
		return "the host closed the connection"
	case closed != nil:
		return "the connection was closed"
	}
	return nothing + "; the connection is to be closed"
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
		parts = append(parts, "asks to close (close)")
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
