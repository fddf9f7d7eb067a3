package inspector

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// The keys of the sections of a server, in the order in which they are told.
const (
	KeyHandshake   = "handshake"
	KeyLink        = "link"
	KeyConnections = "connections"
	KeyServer      = "server"
	KeyManifest    = "manifest"
	KeyToolsets    = "toolsets"
	KeyFeatures    = "features"
	KeyChanges     = "changes"
	KeyGrant       = "grant"
	KeyReceipts    = "receipts"
	KeyHost        = "host"
)

// ServerSection is one part of what is known of a server. Like a Doc it is
// told without colours and widths.
type ServerSection struct {
	Key   string // names the section for good
	Head  string // "HANDSHAKE"
	Note  string // the whole of it in a few words, for who has it folded
	Lines []ServerLine
}

// ServerLine is one line of a section, and the frame that says so.
type ServerLine struct {
	Line
	// Hang is where, from the line's own beginning, the further rows of a
	// wrapped line begin, in cells.
	Hang  int
	Index int // position of the frame that it leads to, -1: none
	// Grants is the capability path or the feature set that the line is of,
	// where it can be granted or denied; "" for other lines.
	Grants string
	// Do is the line of the command language that goes with it, to be typed
	// but not sent; "" for none.
	Do string
	// Complete is one that asks the server how an argument of it can go on.
	Complete string
}

// ServerTarget is what is known of a server beside its frames: what a user
// asked to connect to. All of it may be empty.
type ServerTarget struct {
	Kind    string // stdio, http, sse, ws, demo
	Title   string // as a user would name it
	Command []string
	Dir     string
	Env     []string // names of the variables that were set for it, never values
}

// ServerTeller tells what is known of a server. It remembers what it made of
// manifests, which may be large. The zero value is ready to use; it is for
// one goroutine.
type ServerTeller struct {
	log     *timeline.Log
	digests map[messagePlace]digest
	diffs   map[[2]messagePlace]manifestDiff
	impacts map[impactKey]*manifestImpacts

	// Against is what later manifests are compared with; Mark is the position
	// of the mark where that is the user's.
	Against ManifestBase
	Mark    int
}

// ManifestBase says what a manifest is compared with.
type ManifestBase uint8

// What a manifest can be compared with.
const (
	WithBefore ManifestBase = iota // the one before it
	WithFirst                      // the first of the session
	WithMark                       // the one in force at the mark
)

// messagePlace is a message by its frame, and its place in that.
type messagePlace struct{ index, message int }

func placeAt(m timeline.Landmark) messagePlace { return messagePlace{m.Index, m.Message} }
func askedAt(m timeline.Landmark) messagePlace { return messagePlace{m.Of, m.OfMessage} }

// maxKept is how many results a ServerTeller remembers of each kind.
const maxKept = 64

// Sections tells what is known of the server of a board's connection, from the
// frames up to the board's.
func (t *ServerTeller) Sections(log *timeline.Log, b *timeline.Board, target ServerTarget) []ServerSection {
	t.keep(log)
	if b.Index < 0 || b.Index >= log.Len() {
		return nil
	}
	s := &serverTale{t: t, log: log, b: b, target: target}
	s.introduced()
	s.grants()
	return []ServerSection{
		s.handshake(), s.link(), s.connections(),
		s.server(), s.manifest(), s.toolsets(), s.features(), s.changes(), s.grant(), s.receipts(), s.host(),
	}
}

// keep makes ready what is remembered of a log, bounded.
func (t *ServerTeller) keep(log *timeline.Log) {
	if t.log != log || len(t.digests) > maxKept || len(t.diffs) > maxKept || len(t.impacts) > maxKept {
		t.log, t.digests, t.diffs = log, map[messagePlace]digest{}, map[[2]messagePlace]manifestDiff{}
		t.impacts = map[impactKey]*manifestImpacts{}
	}
}

// serverTale is what is told at one moment.
type serverTale struct {
	t      *ServerTeller
	log    *timeline.Log
	b      *timeline.Board
	target ServerTarget

	init       asked // the initialize that counts
	stateless  bool  // there is none: it is the server/discover in its place
	hostSaid   []byte
	serverSaid []byte
	turns      []grantTurn
	earlier    int // turns before those
	active     []string
	sets       map[string]declaredSet
	disables   map[string]bool // the feature sets that the last update disables
}

// asked is a request of the host with its answer, as far as there is one.
type asked struct {
	at       timeline.Landmark
	question wire.Head
	sent     timeline.Frame
	answerAt messagePlace // index -1: no answer up to the board
	reply    wire.Head
	came     timeline.Frame
}

func (a *asked) answered() bool { return a.answerAt.index >= 0 }
func (a *asked) ok() bool       { return a.answered() && a.reply.Kind == wire.Result }

// frames names the frames of the two: "frames 3, 4".
func (a *asked) frames() string {
	if !a.answered() {
		return "frame " + seq(a.sent.Seq)
	}
	return "frames " + seq(a.sent.Seq) + ", " + seq(a.came.Seq)
}

// read returns a message by its place; ok is false where it cannot be read.
func (s *serverTale) read(p messagePlace) (f timeline.Frame, h wire.Head, ok bool) {
	if p.index < 0 || p.index >= s.log.Len() {
		return f, h, false
	}
	f, err := s.log.Frame(p.index)
	if err != nil {
		return f, h, false
	}
	h, ok = timeline.MessageAt(f, p.message)
	return f, h, ok
}

// exchanges returns the last requests of a kind with their answers, oldest
// first, and how many came before those.
func (s *serverTale) exchanges(conn int, ask, answer timeline.LandmarkKind, most int) (out []asked, earlier int) {
	marks, earlier := s.log.Landmarks(ask, conn, s.b.Index, most)
	answers, _ := s.log.Landmarks(answer, conn, s.b.Index, 2*most)
	first := map[messagePlace]messagePlace{}
	for _, m := range answers {
		if _, twice := first[askedAt(m)]; !twice {
			first[askedAt(m)] = placeAt(m)
		}
	}
	for _, m := range marks {
		a := asked{at: m, answerAt: messagePlace{index: -1}}
		var ok bool
		if a.sent, a.question, ok = s.read(placeAt(m)); !ok {
			continue
		}
		if p, has := first[placeAt(m)]; has {
			if f, h, ok := s.read(p); ok {
				a.answerAt, a.came, a.reply = p, f, h
			}
		}
		out = append(out, a)
	}
	return out, earlier
}

// introduced finds the initialize that counts: the last one that was answered
// with a result, else the last one.
func (s *serverTale) introduced() {
	s.init.answerAt.index = -1
	all, _ := s.exchanges(s.b.Conn, timeline.InitAsked, timeline.InitAnswered, 4)
	for _, a := range all {
		if a.ok() || !s.init.ok() {
			s.init = a
		}
	}
	if !s.init.ok() {
		s.discovered()
	}
	s.hostSaid = wire.Path(s.init.question.Params, "capabilities", "experimental", "mcpl")
	s.serverSaid = s.b.Manifest
}

// discovered takes server/discover for what initialize says, where the
// connection goes on without one (MCP 2026-07-28).
func (s *serverTale) discovered() {
	all, _ := s.exchanges(s.b.Conn, timeline.DiscoverAsked, timeline.DiscoverAnswered, 1)
	for _, a := range all {
		if s.init.sent.Seq == 0 || a.ok() && s.b.Protocol != "" {
			s.init, s.stateless = a, true
		}
	}
}

// serverOffers are the capability paths that the server advertises, those of
// its manifest and MCP's own tools (mcpl-host.md, "Grants").
func (s *serverTale) serverOffers() []string {
	paths := mcpl.Advertised(s.serverSaid)
	if wire.Path(s.init.reply.Result, "capabilities", "tools") != nil && !slices.Contains(paths, mcpl.CapTools) {
		paths = append([]string{mcpl.CapTools}, paths...)
	}
	return paths
}

// labelWidth is the column of what stands behind a label.
const labelWidth = 14

// labelled is a line that begins with what it is about.
func labelled(label string, index int, s ...Span) ServerLine {
	l := ServerLine{Hang: labelWidth, Index: index}
	l.Spans = append([]Span{quiet(pad(label, labelWidth-2) + "  ")}, s...)
	l.Wrap = true
	return l
}

// below is a line that goes on under a line with a label.
func below(index int, s ...Span) ServerLine { return labelled("", index, s...) }

// empty is the only line of a section that has nothing to tell: what would
// fill it.
func empty(text string) ServerLine {
	return ServerLine{Line: Line{Spans: []Span{quiet(text)}, Wrap: true}, Index: -1}
}

// section makes a section of bounded length.
func section(key, head, note string, lines []ServerLine) ServerSection {
	if n := len(lines) - maxSection; n > 0 {
		lines = append(lines[:maxSection:maxSection], ServerLine{Line: spans(quiet("… " + Count(n, "more line"))), Index: -1})
	}
	return ServerSection{Key: key, Head: head, Note: note, Lines: lines}
}

// maxSection is how many lines a section has at most.
const maxSection = 300

// list writes words one after the other, the first few of many.
func list(words []string) string {
	const most = 24
	out := make([]string, 0, min(len(words), most))
	for i, w := range words {
		if i == most {
			return strings.Join(out, ", ") + ", … " + strconv.Itoa(len(words)-most) + " more"
		}
		out = append(out, oneLine(cutBytes(w, 80)))
	}
	return strings.Join(out, ", ")
}

// stringsOf returns the strings of a raw JSON array, the first few hundred.
func stringsOf(raw []byte) []string {
	var out []string
	wire.EachElement(raw, func(v []byte) bool {
		if len(v) > 0 && v[0] == '"' {
			out = append(out, cutBytes(wire.StringOf(v), maxShort))
		}
		return len(out) < 400
	})
	return out
}

// others tells the members of an object that are not told otherwise, as they
// were sent: what is not understood is kept.
func others(raw []byte, index int, known ...string) []ServerLine {
	var out []ServerLine
	wire.EachMember(raw, func(key string, v []byte) bool {
		if !slices.Contains(known, key) {
			out = append(out, labelled(oneLine(cutBytes(key, 40)), index, peer(scalarText(v))))
		}
		return len(out) < maxListed
	})
	return out
}
