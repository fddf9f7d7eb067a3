package inspector

import (
	"slices"
	"strconv"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// The bounds of what is told of a manifest's history.
const (
	maxVersions = 12
	maxDiffRows = 40 // of one change
)

// manifestVersion is an answer that brought a manifest, or failed to.
type manifestVersion struct {
	mark   timeline.Landmark
	seq    int64
	t      time.Duration
	raw    []byte // nil: a plain server, or none came
	known  bool   // raw says what the manifest is from here on
	failed string // why none came
}

// manifestDiff is how one manifest became another.
type manifestDiff struct {
	members []string // the members that differ, without revision
	lines   []Line
}

// changes tells the later manifests, each compared with the one before, the
// newest first, and how each was announced (mcpl-host.md, "Manifest").
func (s *serverTale) changes() ServerSection {
	const head = "CHANGES"
	versions, earlier := s.versions()
	lines := s.unread()
	waiting, told, differing := len(lines) > 0, 0, 0
	for i := len(versions) - 1; i >= 0 && told < maxVersions; i-- {
		v, before := &versions[i], beforeVersion(versions[:i])
		if before == nil && v.known && earlier == 0 {
			continue // the first manifest is no change
		}
		told++
		if v.failed == "" && (before == nil || len(s.diff(before, v).members) > 0) {
			differing++
		}
		lines = append(lines, s.change(v, before)...)
	}
	if earlier > 0 {
		lines = append(lines, empty("… "+strconv.Itoa(earlier)+" earlier"))
	}
	if told == 0 {
		text := "No later manifest so far; mcpl/manifestChanged announces one."
		if s.serverSaid == nil {
			text = "A plain MCP server has no manifest that could change."
		}
		lines = append(lines, empty(text))
	}
	return section(KeyChanges, head, changesNote(versions, differing, told+earlier, waiting), lines)
}

// changesNote sums the history of a manifest up.
func changesNote(versions []manifestVersion, differing, later int, waiting bool) string {
	switch {
	case waiting:
		return "◌ announced, not read so far"
	case later == 0:
		return "none"
	case versions[len(versions)-1].failed != "":
		return "! the last could not be read"
	case differing == 0 && later == 1:
		return "none, read again once"
	case differing == 0:
		return "none, read again " + strconv.Itoa(later) + " times"
	}
	return Count(differing, "change") + ", the last read at " + ClockShort(versions[len(versions)-1].t)
}

// versions are the last manifests of the session up to the board, oldest
// first, and how many came before those. One more than is told is read, for
// what the oldest is compared with.
func (s *serverTale) versions() (out []manifestVersion, earlier int) {
	const most = maxVersions + 1
	conns, _ := s.log.Conns(s.b.Index, 1<<20)
	var marks []timeline.Landmark
	for i := len(conns) - 1; i >= 0; i-- {
		a, n := s.log.Landmarks(timeline.InitAnswered, conns[i], s.b.Index, most)
		b, k := s.log.Landmarks(timeline.ManifestAnswered, conns[i], s.b.Index, most)
		earlier += n + k
		if len(marks) < most {
			marks = append(marks, a...)
			marks = append(marks, b...)
		} else {
			earlier += len(a) + len(b)
		}
	}
	slices.SortStableFunc(marks, func(a, b timeline.Landmark) int {
		if a.Index != b.Index {
			return a.Index - b.Index
		}
		return a.Message - b.Message
	})
	if cut := len(marks) - most; cut > 0 {
		earlier += cut
		marks = marks[cut:]
	}
	for _, m := range marks {
		f, h, ok := s.read(placeAt(m))
		if !ok {
			continue
		}
		v := manifestVersion{mark: m, seq: f.Seq, t: f.T}
		if v.raw, v.known = hasManifest(m, h); !v.known {
			if m.Kind == timeline.InitAnswered {
				continue // the handshake tells of it
			}
			v.failed = errorWords(h.Error)
		}
		out = append(out, v)
	}
	return out, earlier
}

// beforeVersion is the manifest that was in force before, nil where none is
// known.
func beforeVersion(versions []manifestVersion) *manifestVersion {
	for i := len(versions) - 1; i >= 0; i-- {
		if versions[i].known {
			return &versions[i]
		}
	}
	return nil
}

// change tells one manifest and how it differs from the one before.
func (s *serverTale) change(v, before *manifestVersion) []ServerLine {
	first := ServerLine{Index: v.mark.Index, Hang: 2}
	first.Wrap = true
	what := "mcpl/manifest"
	if v.mark.Kind == timeline.InitAnswered {
		what = "initialize of connection " + strconv.Itoa(v.mark.Conn)
	}
	first.Spans = []Span{loud(what), quiet("   " + Clock(v.t) + "   ")}
	first.Right = "frame " + seq(v.seq)
	var d manifestDiff
	switch {
	case v.failed != "":
		first.Sign = "!"
		first.Spans = append(first.Spans, plain("not read: "+v.failed))
	case before == nil:
		first.Sign = "~"
		first.Spans = append(first.Spans, quiet("what was before is further back"))
	default:
		d = s.diff(before, v)
		first.Sign = "~"
		if first.Spans = append(first.Spans, d.words(v, before)); len(d.lines) == 0 {
			first.Sign = "·"
		}
	}
	lines := []ServerLine{first}
	if v.mark.Kind == timeline.ManifestAnswered {
		lines = append(lines, s.announced(v)...)
	}
	for i, l := range d.lines {
		if i == maxDiffRows {
			lines = append(lines, ServerLine{Line: spans(quiet("… " + strconv.Itoa(len(d.lines)-i) + " more lines; enter shows the frame")), Index: v.mark.Index})
			break
		}
		l.Indent++
		lines = append(lines, ServerLine{Line: l, Index: v.mark.Index})
	}
	return lines
}

func (d *manifestDiff) words(v, before *manifestVersion) Span {
	switch {
	case v.raw == nil && before.raw == nil:
		return plain("no manifest, as before")
	case v.raw == nil:
		return loud("no manifest any more: a plain server")
	case before.raw == nil:
		return loud("the first manifest: it was a plain server before")
	case len(d.lines) == 0:
		return plain("the same as in frame " + seq(before.seq))
	}
	return plain("against frame " + seq(before.seq) + ": " + list(d.members) + " " + differ(len(d.members)))
}

func differ(n int) string {
	if n == 1 {
		return "differs"
	}
	return "differ"
}

// diff compares two manifests, member by member. The revision is left out:
// it differs whenever anything does.
func (s *serverTale) diff(before, after *manifestVersion) manifestDiff {
	key := [2]messagePlace{placeAt(before.mark), placeAt(after.mark)}
	if d, ok := s.t.diffs[key]; ok {
		return d
	}
	var d manifestDiff
	if len(before.raw) > maxRead || len(after.raw) > maxRead {
		d.lines = []Line{spans(quiet("too large to be compared"))}
		d.members = []string{"a manifest of more than " + Size(maxRead)}
	} else if before.raw != nil && after.raw != nil {
		x, inA := membersOf(before.raw)
		y, inB := membersOf(after.raw)
		for _, k := range merged(x, y) {
			a, b := inA[k], inB[k]
			if k == "revision" || (a != nil && b != nil && mcpl.SameJSON(a, b)) {
				continue
			}
			c := comparison{}
			c.value(cutBytes(k, 60), a, b, 0)
			if len(c.lines) > 0 && len(d.members) < maxListed {
				d.members = append(d.members, oneLine(cutBytes(k, 60)))
				d.lines = append(d.lines, c.lines...)
			}
		}
	}
	s.t.diffs[key] = d
	return d
}

// announced tells by which notification a manifest that was read had been
// announced.
func (s *serverTale) announced(v *manifestVersion) []ServerLine {
	marks, n := s.announcements(v.mark.Conn, v.mark.Of, v.mark.Of-1)
	if len(marks) == 0 {
		return []ServerLine{labelled("announced", -1, plain("by nothing: it was read all the same"))}
	}
	m := marks[len(marks)-1]
	l := s.announcement(m)
	if n > 1 {
		l.Spans = append(l.Spans, quiet("   the last of "+strconv.Itoa(n)))
	}
	if _, h, ok := s.read(placeAt(m)); ok && v.failed == "" {
		named, has := scalar(h.Params, "revision"), scalar(v.raw, "revision")
		switch {
		case named == "":
		case named == has:
			l.Spans = append(l.Spans, quiet("   its revision is the one that was announced"))
		default:
			l.Spans = append(l.Spans, loud("   ! its revision is not the one that was announced, "+oneLine(named)))
		}
	}
	return []ServerLine{l}
}

// announcements returns the last announcement up to a frame, where that came
// after the last request for the manifest up to another; n counts all those
// that did.
func (s *serverTale) announcements(conn, upTo, askedUpTo int) (marks []timeline.Landmark, n int) {
	all, earlier := s.log.Landmarks(timeline.ManifestAnnounced, conn, upTo, 1)
	if len(all) == 0 {
		return nil, 0
	}
	since := -1
	if asked, _ := s.log.Landmarks(timeline.ManifestAsked, conn, askedUpTo, 1); len(asked) == 1 {
		since = asked[0].Index
	}
	if all[0].Index <= since {
		return nil, 0
	}
	old, k := s.log.Landmarks(timeline.ManifestAnnounced, conn, since, 1)
	return all, earlier + 1 - (len(old) + k)
}

// announcement is a mcpl/manifestChanged: its frame, and the domains that it
// names.
func (s *serverTale) announcement(m timeline.Landmark) ServerLine {
	l := labelled("announced", m.Index)
	f, h, ok := s.read(placeAt(m))
	if !ok {
		return l
	}
	words := "at " + Clock(f.T)
	if domains := stringsOf(wire.Member(h.Params, "domains")); len(domains) > 0 {
		words += ", for " + list(domains)
	}
	l.Spans = append(l.Spans, plain(words))
	for _, o := range others(h.Params, m.Index, "revision", "domains", "_meta") {
		l.Spans = append(l.Spans, quiet("   "+oneLine(o.Plain())))
		if len(l.Spans) > 8 {
			break
		}
	}
	l.Right = "frame " + seq(f.Seq)
	return l
}

// unread tells of announcements after which no manifest was asked for yet.
func (s *serverTale) unread() []ServerLine {
	marks, n := s.announcements(s.b.Conn, s.b.Index, s.b.Index)
	if len(marks) == 0 {
		return nil
	}
	m := marks[len(marks)-1]
	l := s.announcement(m)
	l.Spans = append(l.Spans, loud("   ◌ not read so far"))
	if n > 1 {
		l.Spans = append(l.Spans, quiet(", the last of "+strconv.Itoa(n)))
	}
	return []ServerLine{l}
}
