package inspector

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// The bounds of an explanation: how many rows it looks back at for what spoke
// of a tool, how many of them it reduces again, how long a message it reads.
const (
	rowsBack    = 256
	maxVerified = 4
	maxRead     = 1 << 20
)

// said is one row that spoke of a tool, or of the place that it stands in.
type said struct {
	row     int
	rev     string // "39", "2.7"
	cause   cause
	did     string
	dropped []timeline.Dropped // its entries for the tool that were ignored
	waits   bool               // it is held: it may change the tool yet
	lost    bool               // its hints, all of them, had no effect
}

// vain: it said something of the tool that had no effect, or none yet.
func (s *said) vain() bool { return len(s.dropped) > 0 || s.waits || s.lost }

// spokeOf returns the rows, oldest first, that opened or closed the place of
// a tool, stated its flag, and, since then, said something of it that was
// ignored or is held. Rows are looked at by their frames alone; only one that
// seems to have an ignored entry is reduced again, to be told by which rule.
func spokeOf(log *timeline.Log, b *timeline.Board, p spot) []said {
	var out []said
	add := func(s said) {
		if s.row >= 0 && !slices.ContainsFunc(out, func(o said) bool { return o.row == s.row }) {
			out = append(out, s)
		}
	}
	from := 0
	stated := func(by timeline.By) {
		k, row := causeOf(log, b.Conn, by)
		add(said{row: row, rev: revNumber(b.Conn, by.Rev), cause: k, did: didTo(log, b, p, by, k)})
		from = max(from, by.Index)
	}
	if p.inst != nil {
		stated(p.inst.OpenedBy)
	}
	switch {
	case p.set != nil && p.closed():
		if !p.set.HasInstances {
			stated(p.set.OpenedBy)
		}
		stated(p.closedBy(log, b))
	case p.cell != nil && p.cell.Stated && b.ToolHints:
		stated(p.cell.FlagBy)
	}
	for _, s := range inVain(log, b, p, from) {
		if i := slices.IndexFunc(out, func(o said) bool { return o.row == s.row }); i >= 0 {
			out[i].dropped = s.dropped // one row said both
			continue
		}
		add(s)
	}
	slices.SortFunc(out, func(a, b said) int { return a.row - b.row })
	return out
}

// inVain looks back from the playhead, as far as the frame at position from,
// for rows that spoke of a tool without effect.
func inVain(log *timeline.Log, b *timeline.Board, p spot, from int) []said {
	var out []said
	var seem []int // rows that seem to have an ignored entry, newest first
	last := log.RowAt(b.Index)
	for n := last; n >= 0 && n > last-rowsBack && len(out) < maxListed; n-- {
		h := log.RowHead(n)
		if h.Index < from {
			break
		}
		if h.Conn != b.Conn || log.Entry(h.Index).Size > maxRead {
			continue
		}
		e := entriesFor(hintsOfRow(log, n), p)
		if e.none() {
			continue
		}
		s := said{row: n, rev: revNumber(h.Conn, h.Rev)}
		switch {
		case h.Taken > b.Index || h.Taken < 0 && h.Status == timeline.Held:
			s.waits, s.did = true, "held until the revs before it come: "+e.words()
		case h.Taken < 0 || h.Status == timeline.DuplicateEvent:
			s.lost, s.did = true, lostWords(h.Status)
		default:
			if len(seem) < maxVerified && mayDrop(b, p, h, e) {
				seem = append(seem, n)
			}
			continue
		}
		s.cause = causeOfRow(log, n)
		out = append(out, s)
	}
	return append(out, verified(log, p, seem)...)
}

// verified reduces rows again, the oldest first, as the log does it best, and
// returns those of which an entry for the tool was ignored.
func verified(log *timeline.Log, p spot, newestFirst []int) []said {
	var out []said
	for i := len(newestFirst) - 1; i >= 0; i-- {
		n := newestFirst[i]
		rows, err := log.Rows(n, n+1)
		if err != nil || len(rows) == 0 {
			continue
		}
		dropped := ignored(&rows[0], p)
		if len(dropped) == 0 {
			continue
		}
		out = append(out, said{
			row: n, rev: revNumber(rows[0].Conn, rows[0].Rev), cause: causeOfRow(log, n), dropped: dropped,
			did: ignoredWords(dropped[0]) + ", so was ignored",
		})
	}
	return out
}

func lostWords(s timeline.Status) string {
	switch s {
	case timeline.Stale:
		return "stale: came after later revs, so was not applied"
	case timeline.Repeat:
		return "a repeat: not applied again"
	case timeline.Ignored:
		return "ignored: hints are not negotiated"
	case timeline.DuplicateEvent:
		return "its event was seen before, so its hints count as empty"
	}
	return "names no rev, so was not applied"
}

// entries are the parts of a message's hints that speak of a tool or of its
// place.
type entries struct {
	Tools    []mcpl.ToolHint
	Toolsets []mcpl.ToolsetHint
}

func (e *entries) none() bool { return len(e.Tools)+len(e.Toolsets) == 0 }

func entriesFor(hints []byte, p spot) entries {
	var e entries
	if hints == nil {
		return e
	}
	instances := p.set != nil && p.set.HasInstances
	h := mcpl.DecodeHints(hints)
	for _, t := range h.Tools {
		if t.Name == p.tool.Name && (!instances || t.Instance == "" || t.Instance == p.instance) {
			e.Tools = append(e.Tools, t)
		}
	}
	for _, t := range h.Toolsets {
		if p.set != nil && t.Toolset == p.set.Name && (!instances || t.Instance == p.instance && t.Instance != "") {
			e.Toolsets = append(e.Toolsets, t)
		}
	}
	return e
}

// words says what entries would do.
func (e *entries) words() string {
	var parts []string
	for _, t := range e.Toolsets {
		switch t.State {
		case "open":
			parts = append(parts, "opens it")
		case "closed":
			parts = append(parts, "closes it")
		}
	}
	for _, t := range e.Tools {
		if t.HasVisible {
			parts = append(parts, fmt.Sprintf("says visible: %v", t.Visible))
		}
		if t.Definition != nil {
			parts = append(parts, "redefines it")
		}
		if t.Presence != "" {
			parts = append(parts, "makes it "+t.Presence)
		}
	}
	if len(parts) > 4 {
		parts = append(parts[:4], "…")
	}
	return orElse(strings.Join(parts, ", "), "names it")
}

// mayDrop: an entry looks as one that is ignored (state.md, "Hint entries").
// Whether it was is told by the row.
func mayDrop(b *timeline.Board, p spot, h timeline.RowHead, e entries) bool {
	for _, t := range e.Tools {
		switch {
		case h.Taken <= b.ListAt: // the tool may not have been listed
			return true
		case p.set != nil && p.set.HasInstances && (t.Instance == "" || p.inst == nil || h.Taken <= p.inst.OpenedBy.Index):
			return true
		case t.Definition != nil && p.set == nil:
			return true
		}
	}
	return false
}

// ignored returns a row's ignored entries for the tool that name its place,
// or none at all.
func ignored(r *timeline.Row, p spot) []timeline.Dropped {
	var out []timeline.Dropped
	for _, d := range r.Dropped {
		in := member(d.Entry, "instance")
		if d.Tool == p.tool.Name && (in == "" || in == p.instance || p.set == nil || !p.set.HasInstances) && len(out) < maxListed {
			out = append(out, d)
		}
	}
	return out
}

// ignoredIn tells which entries for a tool were ignored, in a sentence each.
func ignoredIn(s *said) []Line {
	var out []Line
	for _, d := range s.dropped {
		what := "it"
		if v := scalar(d.Entry, "visible"); v != "" {
			what = "its visible: " + v
		}
		l := say("rev " + s.rev + " " + ignoredWords(d) + ", so " + what + " was ignored")
		l.Right = "✗ " + d.Rule
		out = append(out, l)
	}
	return out
}

func ignoredWords(d timeline.Dropped) string {
	switch d.Rule {
	case "hints-instance-missing":
		return "named no instance"
	case "hints-unknown-instance":
		return "named an instance that is not open"
	case "hints-unknown-tool":
		return "named a tool that is not listed"
	case "hints-static-definition":
		return "redefined a static tool"
	}
	return "broke " + d.Rule
}

// history lists rows with what each did to the place of the tool: the oldest,
// which opened it, and the newest.
func history(rows []said) []Line {
	const most = 12
	width, digits := 0, 0
	for i := range rows {
		width = max(width, len([]rune(rows[i].cause.short())))
		digits = max(digits, len(rows[i].rev))
	}
	var out []Line
	for i := range rows {
		s := &rows[i]
		if skip := len(rows) - most; skip > 0 && i > 0 && i <= skip {
			if i == skip {
				out = append(out, more(skip))
			}
			continue
		}
		rev := "rev " + fmt.Sprintf("%*s", digits, s.rev)
		out = append(out, spans(quiet(rev+"  "), plain(pad(s.cause.short(), min(width, 28))+"   "), plain(s.did)))
	}
	return out
}

// didTo says what the message behind a By did to the place of the tool, as
// its lanes tell it.
func didTo(log *timeline.Log, b *timeline.Board, p spot, by timeline.By, k cause) string {
	if by.Index < 0 {
		return ""
	}
	of := func(tool string) timeline.LaneKey {
		key := timeline.LaneKey{Conn: b.Conn, Instance: p.instance, Tool: tool}
		if p.set != nil {
			key.Toolset = p.set.Name
		}
		return key
	}
	has := func(tool string, kind timeline.ChangeKind) bool {
		for _, e := range log.Lane(of(tool), by.Index, by.Index+1) {
			if e.Kind == kind && (by.Rev == 0 || e.Row >= 0 && log.RowHead(e.Row).Rev == by.Rev) {
				return true
			}
		}
		return false
	}
	switch {
	case p.set != nil && has("", timeline.ClosedIt):
		return "closed it"
	case has(p.tool.Name, timeline.Hidden):
		return "said visible: false"
	}
	shown := []string{}
	tools := []timeline.Tool{*p.tool}
	if p.set != nil {
		tools = p.set.Tools
	}
	for i := range tools {
		if i < maxListed && has(tools[i].Name, timeline.Shown) {
			shown = append(shown, oneLine(tools[i].Name))
		}
	}
	switch {
	case len(shown) > 6:
		return strings.Join(shown[:6], ", ") + ", … made visible"
	case len(shown) > 0:
		return strings.Join(shown, ", ") + " made visible"
	case p.set != nil && has("", timeline.Opened):
		return "opened it, and made no tool visible"
	case k.who == byList:
		return "a full statement"
	}
	return "said nothing new of it"
}

// lastDropped shows the newest ignored entries for the tool as they were sent
// and, where the rule leaves no doubt, as they would have been understood.
func lastDropped(rows []said, p spot) []Line {
	var out []Line
	for i := len(rows) - 1; i >= 0; i-- {
		for _, d := range rows[i].dropped {
			out = append(out, Line{
				Sign: "✗", Diff: true, Wrap: true,
				Spans: []Span{{Text: d.Rule, Tone: Bad}, plain("   " + reason(d))},
			})
			out = append(out, spans(quiet("sent    "), peer(string(d.Entry))))
			if d.Rule == "hints-instance-missing" && p.instance != "" {
				out = append(out, spans(quiet("needed  "), peer(withInstance(d.Entry, p.instance))))
			}
		}
		if len(out) > 0 {
			break
		}
	}
	return out
}
