package inspector

import (
	"strconv"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// ManifestNews is what another manifest means, in short.
type ManifestNews struct {
	Index int // position of the frame that brought it, -1: there is no news
	// Words are its impacts, each kind with its names: "capability-revoked
	// pushEvents"; one sentence where it has none.
	Words []string
	// Impacts is how many there are.
	Impacts int
	// Failed: none came, or what came is none.
	Failed bool
}

// ManifestTeller tells what later manifests mean. It remembers the last one
// that it told; the zero value is ready to use, for one goroutine.
type ManifestTeller struct {
	teller ServerTeller
	log    *timeline.Log
	marks  int
	news   ManifestNews
}

// follows are the messages that a new manifest leads to, and those that say
// nothing: while nothing else came, the manifest is what happened last.
var follows = map[string]bool{
	mcpl.MethodManifest: true, mcpl.MethodManifestChanged: true, mcpl.MethodFeatureSets: true,
	mcpl.MethodToolsList: true, mcpl.MethodToolsetsList: true, mcpl.MethodPing: true,
}

// Sentence is row 3 in the present, where a fetched manifest is what happened
// last in the first n frames of a log: no rev changed anything since, and
// nothing else was said.
func (t *ManifestTeller) Sentence(log *timeline.Log, n int) (Sentence, bool) {
	if n == 0 {
		return Sentence{}, false
	}
	conn := log.Entry(n - 1).Conn
	marks, _ := log.Landmarks(timeline.ManifestAnswered, conn, n-1, 1)
	if len(marks) == 0 || !onlyFollows(log, marks[0].Index, n) {
		return Sentence{}, false
	}
	return t.SentenceAt(log, marks[0].Index)
}

// onlyFollows reports whether nothing came after a manifest, among the first n
// frames, but what follows from it.
func onlyFollows(log *timeline.Log, at, n int) bool {
	const most = 24
	for i := n - 1; i > at && i > n-1-most; i-- {
		e := log.Entry(i)
		if e.Dir != timeline.In && e.Dir != timeline.Out {
			if e.Dir == timeline.Note {
				return false
			}
			continue
		}
		if !follows[HeadlineOf(log, i).Method] {
			return false
		}
		if e.Row >= 0 {
			rows, err := log.Rows(e.Row, e.Row+1)
			if err != nil || len(rows) == 0 || len(rows[0].Changes) > 0 || len(rows[0].Dropped) > 0 {
				return false
			}
		}
	}
	return true
}

// SentenceAt tells the answer to a mcpl/manifest at position i; ok is false
// where there is none.
func (t *ManifestTeller) SentenceAt(log *timeline.Log, i int) (Sentence, bool) {
	news := t.At(log, i)
	if news.Index < 0 {
		return Sentence{}, false
	}
	e := log.Entry(i)
	return Sentence{
		Kind: OfFrame, About: "frame " + seq(e.Seq), T: e.T, Arrow: ArrowIn, Carrier: "manifest", Notes: news.Words,
	}, true
}

// At is the news of the answer to a mcpl/manifest at position i.
func (t *ManifestTeller) At(log *timeline.Log, i int) ManifestNews {
	none := ManifestNews{Index: -1}
	if i < 0 || i >= log.Len() {
		return none
	}
	e := log.Entry(i)
	marks, _ := log.Landmarks(timeline.ManifestAnswered, e.Conn, i, 1)
	if len(marks) == 0 || marks[0].Index != i {
		return none
	}
	answered, earlier := log.Landmarks(timeline.GrantAnswered, e.Conn, log.Len()-1, 1)
	if grants := len(answered) + earlier; t.log != log || t.news.Index != i || t.marks != grants {
		t.log, t.marks, t.news = log, grants, t.tell(log, i)
	}
	return t.news
}

// tell works the news out. What became of the grant since counts: a board of
// the connection that is newer than the manifest is asked.
func (t *ManifestTeller) tell(log *timeline.Log, i int) ManifestNews {
	b, err := log.Board(log.Len() - 1)
	if err != nil || b.Conn != log.Entry(i).Conn {
		if b, err = log.Board(i); err != nil {
			return ManifestNews{Index: -1}
		}
	}
	t.teller.keep(log)
	s := &serverTale{t: &t.teller, log: log, b: b}
	s.introduced()
	s.grants()
	versions, _ := s.versions()
	for k := range versions {
		if v := &versions[k]; v.mark.Index == i {
			return s.news(v, beforeVersion(versions[:k]))
		}
	}
	return ManifestNews{Index: -1}
}

func (s *serverTale) news(v, before *manifestVersion) ManifestNews {
	n := ManifestNews{Index: v.mark.Index, Failed: v.failed != ""}
	switch {
	case n.Failed:
		n.Words = []string{"not read: " + v.failed}
		return n
	case before == nil || before.raw == nil:
		n.Words = []string{"the first manifest"}
		return n
	}
	m := s.impacts(before, v)
	n.Impacts = len(m.all)
	for at := 0; at < len(m.all); {
		kind, from := m.all[at].Kind, at
		for at < len(m.all) && m.all[at].Kind == kind {
			at++
		}
		n.Words = append(n.Words, impactWords(kind, m.all[from:at], m.closes))
	}
	if m.large {
		n.Words = []string{"too large for its impacts to be worked out"}
	}
	if len(n.Words) == 0 {
		n.Words = []string{"the same as before"}
		if members := s.diff(before, v).members; len(members) > 0 {
			n.Words[0] = list(members) + " " + differ(len(members)) + ", without impact"
		}
	}
	return n
}

// impactWords tell the impacts of one kind: "feature-degraded chat, polls".
func impactWords(kind string, all []mcpl.Impact, closes map[string][]string) string {
	const most = 3
	var names []string
	for k, i := range all {
		if k == most {
			names = append(names, "… "+strconv.Itoa(len(all)-k)+" more")
			break
		}
		name := oneLine(cutBytes(i.Name, 60))
		switch {
		case kind != mcpl.SurfaceChanged:
		case i.Name == "toolHints" && !i.Toolset && i.Gone:
			name = "hints end"
		case i.Name == "toolHints" && !i.Toolset:
			name = "hints begin"
		case i.Gone:
			name += " gone"
			if in := closes[i.Name]; len(in) > 0 && in[0] != "" {
				name += " (" + list(in) + ")"
			}
		case i.New:
			name += " new"
		}
		names = append(names, name)
	}
	return strings.TrimSpace(kind + " " + strings.Join(names, ", "))
}

// ReceiptWords tell in lines what a server answered to featureSets/update, as
// view 6 tells it (mcpl-host.md, "Handshake").
func ReceiptWords(result []byte) []Line {
	t := &grantTurn{asked: asked{answerAt: messagePlace{}}}
	t.reply = wire.Head{Kind: wire.Result, Result: result}
	s := &serverTale{b: &timeline.Board{}}
	first := Line{Sign: "✓", Spans: []Span{{Text: "accepted", Tone: Good}}}
	if !t.accepted() {
		first = Line{Sign: "!", Spans: []Span{loud("not accepted")}}
	}
	out := []Line{first}
	for _, l := range s.receipt(t) {
		out = append(out, l.Line)
	}
	return out
}
