package inspector

import (
	"strconv"
	"time"

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
			if told > 0 {
				lines = append(lines, s.firstVersion(v))
			}
			continue // the first manifest is no change
		}
		told++
		if v.failed == "" && (before == nil || len(s.diff(before, v).members) > 0) {
			differing++
		}
		lines = append(lines, s.change(v, before, s.base(before))...)
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

// firstVersion tells the manifest that the session began with.
func (s *serverTale) firstVersion(v *manifestVersion) ServerLine {
	l := v.line()
	l.Sign = "·"
	l.Spans = append(l.Spans, quiet("the first of the session"))
	return l
}

// line is the head of what is told of a manifest: where it came, and when.
func (v *manifestVersion) line() ServerLine {
	l := ServerLine{Index: v.mark.Index, Hang: 2}
	l.Wrap = true
	what := "mcpl/manifest"
	if v.mark.Kind == timeline.InitAnswered {
		what = "initialize of connection " + strconv.Itoa(v.mark.Conn)
	}
	l.Spans = []Span{loud(what), quiet("   " + Clock(v.t) + "   ")}
	l.Right = "frame " + seq(v.seq)
	return l
}

// change tells one manifest, how it differs from another, and what it means
// after the one before.
func (s *serverTale) change(v, before, base *manifestVersion) []ServerLine {
	first := v.line()
	var d manifestDiff
	switch {
	case v.failed != "":
		first.Sign = "!"
		first.Spans = append(first.Spans, plain("not read: "+v.failed))
	case base == nil:
		first.Sign = "~"
		first.Spans = append(first.Spans, quiet("what it is compared with is further back"))
	default:
		d = s.diff(base, v)
		first.Sign = "~"
		if first.Spans = append(first.Spans, d.words(v, base)...); len(d.lines) == 0 {
			first.Sign = "·"
		}
	}
	lines := []ServerLine{first}
	if v.mark.Kind == timeline.ManifestAnswered {
		lines = append(lines, s.announced(v, before)...)
		if before != nil && before.raw != nil && v.failed == "" {
			lines = append(lines, s.impactLines(before, v)...)
		}
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

func (d *manifestDiff) words(v, base *manifestVersion) []Span {
	switch {
	case v.raw == nil && base.raw == nil:
		return []Span{plain("no manifest, as before")}
	case v.raw == nil:
		return []Span{loud("no manifest any more: a plain server")}
	case base.raw == nil:
		return []Span{loud("the first manifest: it was a plain server before")}
	case len(d.lines) == 0:
		return []Span{plain("the same as in frame " + seq(base.seq))}
	}
	out := []Span{plain("against frame " + seq(base.seq) + ": " + list(d.members) + " " + differ(len(d.members)))}
	if domains, _ := domainsOf(d.members, nil); len(domains) > 0 {
		out = append(out, quiet("   domains: "+list(domains)))
	}
	return out
}

func differ(n int) string {
	if n == 1 {
		return "differs"
	}
	return "differ"
}

// announced tells by which notification a manifest that was read had been
// announced.
func (s *serverTale) announced(v, before *manifestVersion) []ServerLine {
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
		if before != nil && before.raw != nil {
			_, untold := domainsOf(s.diff(before, v).members, s.announcedDomains(v, n))
			if len(untold) > 0 {
				l.Spans = append(l.Spans, loud("   ! "+list(untold)+" changed too, unannounced"))
			}
		}
	}
	return []ServerLine{l}
}

// announcedDomains are all domains that the last n announcements before a
// manifest named; none where they are too many, or one of them named none.
func (s *serverTale) announcedDomains(v *manifestVersion, n int) []string {
	const most = 64
	if n > most {
		return nil
	}
	marks, _ := s.log.Landmarks(timeline.ManifestAnnounced, v.mark.Conn, v.mark.Of-1, n)
	var out []string
	for _, m := range marks {
		_, h, ok := s.read(placeAt(m))
		domains := stringsOf(wire.Member(h.Params, "domains"))
		if !ok || len(domains) == 0 {
			return nil
		}
		out = append(out, domains...)
	}
	return out
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
