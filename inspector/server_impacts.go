package inspector

import (
	"slices"
	"strconv"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// maxJudged is the size of a manifest, in bytes, up to which its impacts are
// worked out.
const maxJudged = 8 << 20

// manifestImpacts are what one manifest means after another.
type manifestImpacts struct {
	all    []mcpl.Impact
	closes map[string][]string // the open instances of toolsets that are gone
	large  bool                // not worked out
}

// impactKey is what the impacts depend on: the two manifests, and the grant
// that was told next (index -1: none).
type impactKey struct{ before, after, next messagePlace }

// impacts are what a fetched manifest means for its connection, by the grant
// that was in force and the one that followed.
func (s *serverTale) impacts(before, v *manifestVersion) *manifestImpacts {
	old, next := s.grantsAround(v)
	key := impactKey{placeAt(before.mark), placeAt(v.mark), messagePlace{index: -1}}
	if next != nil {
		key.next = placeAt(next.at)
	}
	if m, ok := s.t.impacts[key]; ok {
		return m
	}
	m := &manifestImpacts{large: len(before.raw) > maxJudged || len(v.raw) > maxJudged}
	s.t.impacts[key] = m
	if m.large {
		return m
	}
	t := mcpl.Terms{Host: mcpl.HostPaths(s.hostSaid), Off: map[string]bool{}}
	if old != nil {
		t.Told = old.effective
		off := wire.Member(old.question.Params, "disabled")
		wire.EachElement(off, func(name []byte) bool { t.Off[wire.StringOf(name)] = true; return true })
		t.Off = disabledByHand(before.raw, t)
	}
	if next != nil {
		t.Next = next.effective
	}
	m.all = mcpl.Impacts(before.raw, v.raw, t)
	m.closes = s.closedBy(v, m.all)
	return m
}

// disabledByHand leaves of the feature sets that an update disables those
// that its grant would have left enabled.
func disabledByHand(manifest []byte, t mcpl.Terms) map[string]bool {
	out := map[string]bool{}
	for _, f := range mcpl.FeatureSets(manifest) {
		if t.Off[f.Name] && f.Enabled(t.Told) {
			out[f.Name] = true
		}
	}
	return out
}

// grantsAround are the last update of the grant before a manifest, and the
// first one after it; after the next manifest there is none.
func (s *serverTale) grantsAround(v *manifestVersion) (old, next *grantTurn) {
	until := s.b.Index
	if later, _ := s.log.Landmarks(timeline.ManifestAnswered, v.mark.Conn, s.b.Index, maxVersions); len(later) > 0 {
		for _, m := range later {
			if m.Index > v.mark.Index {
				until = min(until, m.Index)
			}
		}
	}
	for i := range s.turns {
		switch t := &s.turns[i]; {
		case t.at.Index < v.mark.Index:
			old = t
		case next == nil && t.at.Index <= until:
			next = t
		}
	}
	return old, next
}

// closedBy are the instances that were open of toolsets that a manifest drops,
// "" standing for a toolset without instances (toolhints.md §4).
func (s *serverTale) closedBy(v *manifestVersion, all []mcpl.Impact) map[string][]string {
	if !slices.ContainsFunc(all, func(i mcpl.Impact) bool { return i.Toolset && !i.New }) || v.mark.Index < 1 {
		return nil
	}
	old, err := s.log.Board(v.mark.Index - 1)
	if err != nil || old.Conn != v.mark.Conn {
		return nil
	}
	now, err := s.log.Board(v.mark.Index)
	if err != nil || now.Conn != v.mark.Conn {
		return nil
	}
	out := map[string][]string{}
	still := map[[2]string]bool{}
	eachOpen(now, func(toolset, instance string) { still[[2]string{toolset, instance}] = true })
	eachOpen(old, func(toolset, instance string) {
		if !still[[2]string{toolset, instance}] {
			out[toolset] = append(out[toolset], instance)
		}
	})
	return out
}

// eachOpen tells what is open: each instance, or a toolset without any.
func eachOpen(b *timeline.Board, tell func(toolset, instance string)) {
	for i := range b.Toolsets {
		t := &b.Toolsets[i]
		for _, in := range t.Instances {
			tell(t.Name, in.Name)
		}
		if !t.HasInstances && t.Open {
			tell(t.Name, "")
		}
	}
}

// impactLines tell the impacts of a manifest one by one.
func (s *serverTale) impactLines(before, v *manifestVersion) []ServerLine {
	m := s.impacts(before, v)
	if m.large {
		return []ServerLine{labelled("impacts", -1, quiet("too large to be worked out"))}
	}
	var out []ServerLine
	for n, i := range m.all {
		if n == maxListed {
			return append(out, empty("  … "+strconv.Itoa(len(m.all)-n)+" more impacts; enter shows the frame"))
		}
		out = append(out, s.impactLine(i, m, v))
	}
	return out
}

func (s *serverTale) impactLine(i mcpl.Impact, m *manifestImpacts, v *manifestVersion) ServerLine {
	l := ServerLine{Index: v.mark.Index, Hang: 4}
	l.Wrap = true
	sign, words := "~", ""
	switch i.Kind {
	case mcpl.CapabilityRevoked:
		sign, words = "-", "the server offers it no more"
	case mcpl.CapabilityExpansion:
		sign, words, l.Index = s.expansion(i.Name, v)
	case mcpl.FeatureDegraded:
		sign, words = "!", degradedWords(i)
	case mcpl.FeatureRestored:
		sign, words = "+", "has all that it uses"
	case mcpl.OntologyInvalidated:
		words = "what was accepted of its tags counts no more"
	case mcpl.SurfaceChanged:
		words = surfaceWords(i, m.closes[i.Name])
	}
	l.Sign = sign
	l.Spans = []Span{loud(i.Kind + "  ")}
	if i.Name != "" {
		l.Spans = append(l.Spans, peer(oneLine(cutBytes(i.Name, 60))+"  "))
	}
	l.Spans = append(l.Spans, plain(words))
	return l
}

// expansion says what became of a path that a manifest offers anew: what
// widens a grant is told, and counts with the receipt (mcpl-host.md,
// "Grants").
func (s *serverTale) expansion(path string, v *manifestVersion) (sign, words string, index int) {
	_, next := s.grantsAround(v)
	switch {
	case next == nil:
		return "◌", "offered now, not told so far", v.mark.Index
	case !slices.Contains(next.effective, path):
		return "-", "offered now, denied by this host, frame " + seq(next.sent.Seq), next.at.Index
	case !next.answered():
		return "◌", "told in frame " + seq(next.sent.Seq) + ", waits for the receipt", next.at.Index
	case next.refused():
		return "!", "told, and refused by the server, frame " + seq(next.came.Seq), next.answerAt.index
	}
	return "+", "granted with the receipt, frame " + seq(next.came.Seq), next.answerAt.index
}

func degradedWords(i mcpl.Impact) string {
	switch {
	case i.Gone:
		return "declared no more"
	case len(i.Lacks) > 0:
		return "lacks " + list(i.Lacks)
	}
	return "its uses are absent, empty or unknown (invalid_uses)"
}

// surfaceWords tell a change of the domain toolsets.
func surfaceWords(i mcpl.Impact, closes []string) string {
	words := "declared otherwise"
	switch {
	case i.Name == "toolHints" && !i.Toolset && i.Gone:
		return "hints end: all tools stand in STATIC, usable"
	case i.Name == "toolHints" && !i.Toolset:
		return "hints begin: the lists are read again"
	case i.Gone:
		words = "gone"
	case i.New:
		words = "new"
	}
	switch {
	case len(closes) == 1 && closes[0] == "":
		words += ", which closes it"
	case len(closes) > 0:
		words += ", which closes " + list(closes)
	}
	return words
}

// domainsOf are the domains in which two manifests differ, and those of them
// that an announcement did not name although it names some.
func domainsOf(members []string, named []string) (domains, untold []string) {
	for _, k := range members {
		d := mcpl.DomainOf(k)
		if d == "" || slices.Contains(domains, d) {
			continue
		}
		domains = append(domains, d)
		if len(named) > 0 && !slices.Contains(named, d) {
			untold = append(untold, d)
		}
	}
	return domains, untold
}
