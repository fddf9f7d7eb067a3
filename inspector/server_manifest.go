package inspector

import (
	"errors"
	"strconv"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// plainServer is what stands where a server without MCPL has nothing.
const plainServer = "none: a plain MCP server"

// manifest tells the manifest in force, and whether its revision is its
// digest (mcpl-host.md, "Manifest").
func (s *serverTale) manifest() ServerSection {
	const head = "MANIFEST"
	switch {
	case s.serverSaid == nil && !s.init.ok():
		return section(KeyManifest, head, "not known", []ServerLine{empty("It comes with the answer to initialize.")})
	case s.serverSaid == nil:
		return section(KeyManifest, head, plainServer, []ServerLine{
			empty("The answer to initialize has no capabilities.experimental.mcpl: the server speaks MCP alone."),
		})
	}
	index := s.b.ManifestAt
	first := labelled("version", index, plain("MCPL "+oneLine(orElse(scalar(s.serverSaid, "version"), "of no version"))))
	if index >= 0 && index < s.log.Len() {
		first.Right = bytesWord(len(s.serverSaid)) + ", frame " + seq(s.log.Entry(index).Seq)
	}
	lines := []ServerLine{first, labelled("toolHints", index, s.hintsWords())}
	lines = append(lines, labelled("asks for", index, plain(orElse(list(s.serverOffers()), "no capability"))))
	lines = append(lines, surface(wire.Member(s.serverSaid, "surface"), index)...)
	lines = append(lines, others(s.serverSaid, index, toldMembers()...)...)
	d := s.digestOf(index, s.serverSaid)
	lines = append(lines, d.lines(index)...)
	version := orElse(oneLine(scalar(s.serverSaid, "version")), "of no version")
	return section(KeyManifest, head, "MCPL "+version+", "+d.words(), lines)
}

// toldMembers are the members of a manifest that are told in words.
func toldMembers() []string {
	known := []string{"version", "toolHints", "toolsets", "featureSets", "surface", "revision"}
	for _, c := range mcpl.Capabilities {
		top, _, _ := strings.Cut(c, ".")
		known = append(known, top)
	}
	return known
}

// hintsWords says whether hints count (toolhints.md §2).
func (s *serverTale) hintsWords() Span {
	switch {
	case s.b.ToolHints:
		return Span{Text: "agreed: both sides say so", Tone: Good}
	case s.b.ServerHints:
		return loud("offered, but this host did not say so: hints are ignored")
	case string(wire.Member(s.hostSaid, "toolHints")) == "true":
		return plain("not offered: all tools stand in STATIC")
	}
	return plain("not offered")
}

func surface(raw []byte, index int) []ServerLine {
	if raw == nil {
		return nil
	}
	if raw[0] != '{' {
		return []ServerLine{labelled("surface", index, peer(scalarText(raw)))}
	}
	l := labelled("surface", index, peer(oneLine(member(raw, "title"))))
	if text := member(raw, "summary"); text != "" {
		l.Spans = append(l.Spans, peer("   "+oneLine(text)))
	}
	return append([]ServerLine{l}, others(raw, index, "title", "summary")...)
}

// digest is the revision that a manifest names, beside the one that it ought
// to have.
type digest struct {
	named   string
	has     bool
	digest  string
	problem string
}

// digestOf computes a manifest's digest, once for each manifest.
func (s *serverTale) digestOf(index int, raw []byte) digest {
	place := messagePlace{index, 0}
	if d, ok := s.t.digests[place]; ok {
		return d
	}
	v := wire.Member(raw, "revision")
	d := digest{named: oneLine(scalarText(orNull(v))), has: v != nil}
	if len(raw) > maxRead {
		d.problem = "the manifest is larger than " + Size(maxRead) + ", so its digest is not computed"
	} else if sum, err := mcpl.Digest(raw); err != nil {
		d.problem = "no digest can be computed: " + short(unwrapped(err))
	} else {
		d.digest = sum
	}
	s.t.digests[place] = d
	return d
}

func orNull(v []byte) []byte {
	if len(v) == 0 {
		return []byte("null")
	}
	return v
}

func unwrapped(err error) string {
	for e := errors.Unwrap(err); e != nil; e = errors.Unwrap(err) {
		err = e
	}
	return err.Error()
}

func (d *digest) matches() bool { return d.has && d.digest != "" && d.named == d.digest }

// words says in a few words how revision and digest agree.
func (d *digest) words() string {
	switch {
	case !d.has:
		return "no revision"
	case d.problem != "":
		return "digest not computed"
	case d.matches():
		return "revision ✓"
	}
	return "✗ revision differs"
}

func (d *digest) lines(index int) []ServerLine {
	named := labelled("revision", index, peer(d.named))
	if !d.has {
		named = labelled("revision", index, plain("none is named"))
	}
	computed := labelled("digest", index, plain(d.digest))
	switch {
	case d.problem != "":
		computed = labelled("digest", index, plain(d.problem))
	case d.matches():
		computed.Sign = "✓"
	case d.has:
		computed.Sign = "✗"
		why := below(index, Span{Text: "manifest-digest: the revision is not the digest", Tone: Bad})
		return []ServerLine{named, computed, why}
	}
	return []ServerLine{named, computed}
}

// toolsets tells each toolset that the manifest declares (toolhints.md §4).
func (s *serverTale) toolsets() ServerSection {
	const head = "TOOLSETS"
	m := mcpl.DecodeManifest(s.serverSaid)
	raw := wire.Member(s.serverSaid, "toolsets")
	var lines []ServerLine
	names := make([]string, 0, len(m.Toolsets))
	for i, d := range m.Toolsets {
		names = append(names, d.Name)
		if i == maxListed {
			lines = append(lines, empty("… "+strconv.Itoa(len(m.Toolsets)-i)+" more; the frame has them all"))
		}
		if i < maxListed {
			lines = append(lines, s.toolset(d, wire.Member(raw, d.Name))...)
		}
	}
	switch {
	case len(lines) > 0:
		return section(KeyToolsets, head, list(names), lines)
	case s.serverSaid == nil:
		return section(KeyToolsets, head, "none", []ServerLine{empty("Toolsets are declared in a manifest.")})
	}
	return section(KeyToolsets, head, "none declared", []ServerLine{empty("The manifest declares no toolset.")})
}

func (s *serverTale) toolset(d mcpl.ToolsetDecl, raw []byte) []ServerLine {
	index := s.b.ManifestAt
	first := ServerLine{Index: index, Hang: labelWidth}
	first.Spans = []Span{loud(pad(oneLine(cutBytes(d.Name, 80)), labelWidth-2) + "  "), peer(oneLine(d.Title))}
	first.Right = "no instances"
	if d.Instances {
		first.Right = "instances"
	}
	switch {
	case d.DefaultOpen && d.Instances: // toolhints.md §4
		first.Right += ", closed at the start, though it says open"
	case d.DefaultOpen:
		first.Right += ", open at the start"
	default:
		first.Right += ", closed at the start"
	}
	lines := []ServerLine{first}
	if d.Summary != "" {
		lines = append(lines, below(index, peer(oneLine(d.Summary))))
	}
	options := arguments(d.Options)
	for i, o := range options {
		label := ""
		if i == 0 {
			label = "  options"
		}
		l := labelled(label, index, append([]Span{plain(strings.Repeat("  ", o.Indent))}, o.Spans...)...)
		l.Wrap = false
		lines = append(lines, l)
	}
	if d.Options != nil && len(options) == 0 {
		lines = append(lines, labelled("  options", index, peer(scalarText(d.Options))))
	}
	return append(lines, others(raw, index, "title", "summary", "default", "instances", "options")...)
}

// features tells each feature set, what it uses, and whether the grant leaves
// it that (mcpl-host.md, "Grants").
func (s *serverTale) features() ServerSection {
	const head = "FEATURE SETS"
	sets := mcpl.FeatureSets(s.serverSaid)
	raw := wire.Member(s.serverSaid, "featureSets")
	var lines []ServerLine
	enabled := 0
	for i, f := range sets {
		if f.Enabled(s.active) && !s.off(f.Name) {
			enabled++
		}
		if i == maxListed {
			lines = append(lines, empty("… "+strconv.Itoa(len(sets)-i)+" more; the frame has them all"))
		}
		if i < maxListed {
			lines = append(lines, s.feature(f, featureOf(raw, f.Name))...)
		}
	}
	if len(sets) == 0 {
		return section(KeyFeatures, head, "none declared", []ServerLine{empty("The manifest declares no feature set.")})
	}
	note := strconv.Itoa(enabled) + " of " + strconv.Itoa(len(sets)) + " enabled"
	return section(KeyFeatures, head, note, lines)
}

// featureOf finds a feature set by its name, in an object or in the array of
// sets that 0.4 servers send.
func featureOf(raw []byte, name string) []byte {
	if v := wire.Member(raw, name); v != nil {
		return v
	}
	var out []byte
	wire.EachElement(raw, func(v []byte) bool {
		if wire.StringOf(wire.Member(v, "name")) == name {
			out = v
		}
		return out == nil
	})
	return out
}

func (s *serverTale) feature(f mcpl.FeatureSet, raw []byte) []ServerLine {
	index := s.b.ManifestAt
	first := ServerLine{Index: index, Hang: labelWidth}
	first.Wrap = true
	first.Spans = []Span{loud(pad(oneLine(cutBytes(f.Name, 80)), labelWidth-2) + "  "), peer(oneLine(member(raw, "description")))}
	first.Grants = f.Name
	state := Span{Text: "enabled", Tone: Good}
	switch {
	case !f.Valid:
		state = loud("! disabled: invalid_uses, a path in it is none, or there is none")
	case !f.Enabled(s.active):
		lacks := declaredSet{f}.lacks(s.active)
		state = loud("! disabled: " + list(lacks) + " " + isAre(len(lacks)) + " not granted")
	case s.off(f.Name):
		state = loud("! disabled: by this host, though all that it uses is granted")
	}
	uses := orElse(list(f.Uses), "nothing")
	lines := []ServerLine{first, labelled("  uses", index, plain(uses+"   "), state)}
	lines = append(lines, s.unavailable(f.Name)...)
	return append(lines, others(raw, index, "name", "description", "uses")...)
}

// off reports whether the last update disables a feature set.
func (s *serverTale) off(name string) bool {
	if len(s.turns) == 0 {
		return false
	}
	if s.disables == nil {
		s.disables = map[string]bool{}
		wire.EachElement(wire.Member(s.turns[len(s.turns)-1].question.Params, "disabled"), func(v []byte) bool {
			s.disables[wire.StringOf(v)] = true
			return true
		})
	}
	return s.disables[name]
}

// unavailable is what the last receipt says of a feature set.
func (s *serverTale) unavailable(name string) []ServerLine {
	for i := len(s.turns) - 1; i >= 0; i-- {
		t := &s.turns[i]
		if !t.ok() {
			continue
		}
		var out []ServerLine
		wire.EachElement(wire.Member(t.reply.Result, "unavailableFeatures"), func(v []byte) bool {
			if wire.StringOf(wire.Member(v, "featureSet")) == name {
				l := labelled("  server", t.answerAt.index, plain(unavailableWords(v)))
				l.Right = "frame " + seq(t.came.Seq)
				out = append(out, l)
			}
			return len(out) < 4
		})
		return out
	}
	return nil
}

// unavailableWords tells an entry of unavailableFeatures: "lacks tools,
// effect: no chat".
func unavailableWords(v []byte) string {
	words := "cannot be had"
	if missing := stringsOf(wire.Member(v, "missingCapabilities")); len(missing) > 0 {
		words = "lacks " + list(missing)
	}
	if e := wire.Member(v, "effect"); e != nil {
		words += ", effect: " + scalarText(e)
	}
	return words
}

// hasManifest reports whether an answer brought a manifest, and which.
func hasManifest(m timeline.Landmark, h wire.Head) (raw []byte, ok bool) {
	if h.Kind != wire.Result {
		return nil, false
	}
	if m.Kind == timeline.InitAnswered {
		raw = wire.Path(h.Result, "capabilities", "experimental", "mcpl")
		if raw == nil || string(raw) == "null" {
			return nil, true // a plain server
		}
		return raw, true
	}
	return h.Result, len(h.Result) > 0 && h.Result[0] == '{'
}
