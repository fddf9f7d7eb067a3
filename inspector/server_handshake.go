package inspector

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// steps are the steps of a handshake, gathered by kind and then set in order.
type steps struct {
	began time.Duration
	last  time.Duration // of the last answer
	lines []ServerLine  // Index is the frame of the step
	wrong string        // what went wrong, or is open, "" while nothing is
}

// handshake tells step by step how the connection was made (mcpl-host.md,
// "Handshake").
func (s *serverTale) handshake() ServerSection {
	h := steps{began: s.b.Link.Started, last: s.b.Link.Started}
	s.note(&h, timeline.ConnBegan, "connect")
	s.note(&h, timeline.LinkUp, "connected")
	s.note(&h, timeline.InitDone, "→ initialized")
	for i := range handshakeSteps {
		s.step(&h, &handshakeSteps[i])
	}
	slices.SortStableFunc(h.lines, func(a, b ServerLine) int { return a.Index - b.Index })
	summary := Count(len(h.lines), "step") + ", " + Took(h.last-h.began)
	if h.wrong != "" {
		summary = cutBytes(h.wrong, 80)
	}
	return section(KeyHandshake, "HANDSHAKE", summary, h.lines)
}

// add adds a step: its time, what it is, what came of it.
func (h *steps) add(index int, t time.Duration, what, sign, took, words, frames string) {
	l := ServerLine{Index: index, Hang: stepHang}
	tone := map[string]Tone{"✓": Good, "!": Loud, "◌": Loud}[sign]
	l.Spans = []Span{
		quiet(pad(fmt.Sprintf("%.3f s", (t-h.began).Seconds()), 7) + "  "), plain(pad(what, 15) + " "),
		{Text: pad(sign, 2), Tone: tone},
		quiet(pad(took, 6) + "  "), plain(words),
	}
	l.Right, l.Wrap = frames, true
	h.lines = append(h.lines, l)
}

// note adds a step that has no answer.
func (s *serverTale) note(h *steps, kind timeline.LandmarkKind, what string) {
	m, ok := s.log.FirstLandmark(kind, s.b.Conn, s.b.Index)
	if !ok {
		return
	}
	e, took := s.log.Entry(m.Index), ""
	if kind == timeline.LinkUp {
		took = Took(e.T - h.began)
	}
	h.add(m.Index, e.T, what, "", took, "", "frame "+seq(e.Seq))
}

// step adds a step that is a request, or each page of one.
func (s *serverTale) step(h *steps, k *handshakeStep) {
	all := s.exchangesOf(k)
	for i := range all {
		a := &all[i]
		name := k.name
		if len(all) > 1 {
			name += " " + strconv.Itoa(i+1)
		}
		sign, took, words := s.came(a, k.words)
		h.add(a.at.Index, a.sent.T, "→ "+name, sign, took, words, a.frames())
		switch {
		case sign == "!" && a.answered():
			h.wrong = "! " + name + ": " + words
		case !a.answered() && h.wrong == "":
			h.wrong = "◌ " + name + " has no answer"
		}
		if a.answered() {
			h.last = max(h.last, a.came.T)
		}
	}
}

// stepHang is the column of what came of a step.
const stepHang = 35

// exchangesOf returns the requests of a step: each page of a list, else the
// first alone.
func (s *serverTale) exchangesOf(k *handshakeStep) []asked {
	if !k.once {
		all, _ := s.exchanges(s.b.Conn, k.ask, k.answer, k.most)
		return all
	}
	m, ok := s.log.FirstLandmark(k.ask, s.b.Conn, s.b.Index)
	if !ok {
		return nil
	}
	a := asked{at: m, answerAt: messagePlace{index: -1}}
	if a.sent, a.question, ok = s.read(placeAt(m)); !ok {
		return nil
	}
	if p := s.log.Entry(m.Index).Pair; p >= 0 && p <= s.b.Index {
		if f, err := s.log.Frame(p); err == nil {
			if h, ok := partner(f, a.question); ok {
				a.answerAt, a.came, a.reply = messagePlace{index: p}, f, h
			}
		}
	}
	return []asked{a}
}

// handshakeStep is a step that is a request.
type handshakeStep struct {
	name        string
	ask, answer timeline.LandmarkKind
	most        int
	once        bool // only the first belongs to the handshake
	words       func(s *serverTale, result []byte) (sign, words string)
}

// maxPages is how many pages of a list are told one by one.
const maxPages = 40

var handshakeSteps = []handshakeStep{
	{"discover", timeline.DiscoverAsked, timeline.DiscoverAnswered, 2, false, func(_ *serverTale, r []byte) (string, string) {
		var versions []string
		wire.EachElement(wire.Member(r, "supportedVersions"), func(v []byte) bool {
			versions = append(versions, oneLine(cutBytes(wire.StringOf(v), 24)))
			return len(versions) < maxListed
		})
		name := strings.TrimSpace(member(r, "_meta", mcpl.MetaServer, "name") + " " + member(r, "_meta", mcpl.MetaServer, "version"))
		return "✓", oneLine(orElse(name, "a server without a name")) + ", speaks MCP " + orElse(strings.Join(versions, ", "), "of no version")
	}},
	{"initialize", timeline.InitAsked, timeline.InitAnswered, 4, false, func(_ *serverTale, r []byte) (string, string) {
		name := strings.TrimSpace(member(r, "serverInfo", "name") + " " + member(r, "serverInfo", "version"))
		words := oneLine(orElse(name, "a server without a name"))
		if v := wire.Path(r, "capabilities", "experimental", "mcpl"); v != nil && string(v) != "null" {
			return "✓", strings.TrimSpace(words + ", MCPL " + oneLine(scalar(v, "version")))
		}
		return "✓", words + ", no MCPL"
	}},
	{"policy", timeline.GrantAsked, timeline.GrantAnswered, 1, true, func(_ *serverTale, r []byte) (string, string) {
		if string(wire.Member(r, "accepted")) != "true" {
			return "!", refusalWords(r)
		}
		return "✓", "accepted"
	}},
	{"tools/list", timeline.PageAsked, timeline.PageAnswered, maxPages, false, func(_ *serverTale, r []byte) (string, string) {
		words := Count(elements(wire.Member(r, "tools")), "tool")
		if wire.StringOf(wire.Member(r, "nextCursor")) != "" {
			words += ", more follow"
		}
		return "✓", words
	}},
	{"toolsets/list", timeline.ListAsked, timeline.ListAnswered, 1, true, func(_ *serverTale, r []byte) (string, string) {
		words := "no rev"
		if rev := wire.Path(r, "_meta", "mcpl/hints", "rev"); rev != nil {
			words = "rev " + oneLine(cutBytes(string(rev), 24))
		}
		words += ", " + strconv.Itoa(elements(wire.Member(r, "open"))) + " open"
		if n := elements(wire.Member(r, "ended")); n > 0 {
			words += ", " + strconv.Itoa(n) + " ended"
		}
		return "✓", words
	}},
}

// came says what came of a request, and how long that took.
func (s *serverTale) came(a *asked, words func(*serverTale, []byte) (string, string)) (sign, took, text string) {
	if !a.answered() {
		if s.b.Link.Closed != nil {
			return "!", "", "no answer"
		}
		return "◌", "", "no answer so far"
	}
	took = Took(a.came.T - a.sent.T)
	if a.reply.Kind == wire.Error {
		return "!", took, errorWords(a.reply.Error)
	}
	sign, text = words(s, a.reply.Result)
	return sign, took, text
}

// errorWords tells a JSON-RPC error: "error -32601: unknown method".
func errorWords(raw []byte) string {
	return strings.TrimSuffix("error "+oneLine(scalar(raw, "code"))+": "+oneLine(member(raw, "message")), ": ")
}
