package inspector

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// revName names a row's rev: "rev 41", "rev 2.7" on a later connection, or
// what stood there instead of a rev.
func revName(r *timeline.Row) string {
	switch {
	case r.Rev > 0:
		return revText(r.Conn, r.Rev)
	case r.RawRev == nil:
		return "no rev"
	default:
		return "rev " + oneLine(string(r.RawRev))
	}
}

// revNumber is a rev as it is spoken of: "41", "2.7" on a later connection,
// "none" where a message named none.
func revNumber(conn int, rev int64) string {
	switch {
	case rev < 1:
		return "none"
	case conn > 1:
		return strconv.Itoa(conn) + "." + seq(rev)
	}
	return seq(rev)
}

func revText(conn int, rev int64) string { return "rev " + revNumber(conn, rev) }

// CarrierWord is how a row's carrier is called on a screen: list, open, call,
// push, close, hints.
func CarrierWord(c timeline.Carrier) string {
	if c == timeline.CarrierStandalone {
		return "hints"
	}
	return c.String()
}

// CarrierArrow is → for what a request of ours caused, ← for the server's own
// doing.
func CarrierArrow(c timeline.Carrier) string {
	if c == timeline.CarrierPush || c == timeline.CarrierStandalone {
		return ArrowIn
	}
	return ArrowOut
}

// RowFlag is the last sign of a row: "✗" where a finding says that its rev or
// an entry of it was not applied as sent, "?" where it suggests, else "".
func RowFlag(r *timeline.Row) string {
	switch r.Status {
	case timeline.Gap, timeline.Stale, timeline.Repeat, timeline.Ignored, timeline.BadRev:
		return "✗"
	}
	switch {
	case len(r.Dropped) > 0:
		return "✗"
	case r.Counts.Suggested > 0:
		return "?"
	}
	return ""
}

// statusWords says what became of a row's rev (state.md, "Revs").
func statusWords(log *timeline.Log, r *timeline.Row) string {
	rev := seq(r.Rev)
	switch r.Status {
	case timeline.Applied:
		if r.Rev == 1 {
			return "the first rev: applied"
		}
		return "next in order after " + seq(r.Rev-1) + ": applied"
	case timeline.Held:
		switch {
		case r.Taken < 0:
			return "came early: held, it waits for the revs before it"
		case r.Taken == r.Index:
			return "came early: held, then applied"
		default:
			return "came early: held, then applied with frame " + seq(log.Entry(r.Taken).Seq)
		}
	case timeline.Gap:
		return gapWords(log, r)
	case timeline.Stale:
		return "stale: later revs were applied already, and it came after them. Not applied"
	case timeline.Repeat:
		return "rev " + rev + " was here before: a repeat. Not applied again"
	case timeline.DuplicateEvent:
		return "event " + oneLine(r.Cause.EventID) + " was seen before: its hints count as empty, its rev counts"
	case timeline.Ignored:
		return "ignored: toolHints are not negotiated on this connection"
	default:
		if r.RawRev == nil {
			return "no rev is named, so its hints are not applied"
		}
		return "“" + oneLine(string(r.RawRev)) + "” is no rev, so its hints are not applied"
	}
}

func gapWords(log *timeline.Log, r *timeline.Row) string {
	before, err := log.Board(r.Taken - 1)
	if err != nil || r.Taken < 1 || before.Conn != r.Conn || before.LastRev >= r.Rev-1 {
		return "gap: revs before it never came. Applied all the same"
	}
	missing := "rev " + seq(r.Rev-1)
	if before.LastRev+1 < r.Rev-1 {
		missing = "revs " + seq(before.LastRev+1) + " to " + seq(r.Rev-1)
	}
	return "gap: " + missing + " never came. Applied all the same"
}

// Cause names what brought a row about, without its arrow: "call play@vs-ada",
// "push mv-0092", "open game vs-ada", "list", "hints".
func Cause(r *timeline.Row) string {
	c := r.Cause
	switch r.Carrier {
	case timeline.CarrierCall:
		return "call " + oneLine(at(c.Tool, c.Instance, false))
	case timeline.CarrierOpen, timeline.CarrierClose:
		return r.Carrier.String() + " " + oneLine(place(c.Toolset, opened(r)))
	case timeline.CarrierPush:
		return strings.TrimSpace("push " + oneLine(c.EventID))
	default:
		return CarrierWord(r.Carrier)
	}
}

// opened is the instance that a row opened or closed: the request may have
// left the name to the server.
func opened(r *timeline.Row) string {
	if r.Cause.Instance != "" {
		return r.Cause.Instance
	}
	for _, ch := range r.Changes {
		if (ch.Kind == timeline.Opened || ch.Kind == timeline.ClosedIt) && ch.Toolset == r.Cause.Toolset {
			return ch.Instance
		}
	}
	return ""
}

// changeLines says in words what a row changed, grouped by the place. words
// gives what a redefined tool's change was, nil: "redefined".
func changeLines(r *timeline.Row, words func(timeline.Change) string) []Line {
	if len(r.Changes) == 0 {
		text := "changes no tool"
		if r.Taken < 0 {
			text = "changed nothing"
		}
		return []Line{spans(quiet(text))}
	}
	one := onePlace(r.Changes)
	width := 0
	for _, ch := range r.Changes {
		width = max(width, len([]rune(changeSubject(ch))))
	}
	var out []Line
	for n, ch := range inOrder(r.Changes) {
		if n == maxListed {
			return append(out, more(len(r.Changes)-n))
		}
		l := changeLine(ch, max(6, min(width, 24)), words)
		if !one && ch.Tool != "" {
			l.Right = oneLine(place(ch.Toolset, ch.Instance))
		}
		out = append(out, l)
	}
	return out
}

// inOrder sorts changes for reading: what opened and closed, what came, what
// went, what was redefined, and what else. Within a kind they keep their order.
func inOrder(changes []timeline.Change) []timeline.Change {
	rank := map[timeline.ChangeKind]int{
		timeline.Opened: 0, timeline.ClosedIt: 0, timeline.Retitled: 1, timeline.Shown: 2, timeline.Hidden: 3,
		timeline.Redefined: 4, timeline.Moved: 5, timeline.Suggested: 6,
	}
	out := slices.Clone(changes)
	slices.SortStableFunc(out, func(a, b timeline.Change) int { return rank[a.Kind] - rank[b.Kind] })
	return out
}

// onePlace reports whether all changes of tools speak of the same place.
func onePlace(changes []timeline.Change) bool {
	_, ok := commonPlace(changes)
	return ok
}

func commonPlace(changes []timeline.Change) (string, bool) {
	where, have := "", false
	for _, ch := range changes {
		if ch.Tool == "" {
			continue
		}
		if p := place(ch.Toolset, ch.Instance); !have {
			where, have = p, true
		} else if p != where {
			return "", false
		}
	}
	return where, true
}

func changeSubject(ch timeline.Change) string {
	if ch.Tool != "" {
		return oneLine(ch.Tool)
	}
	return oneLine(place(ch.Toolset, ch.Instance))
}

// ChangeSign is the sign of a change on every screen.
func ChangeSign(k timeline.ChangeKind) string {
	switch k {
	case timeline.Shown:
		return "+"
	case timeline.Hidden:
		return "-"
	case timeline.Opened:
		return "◆"
	case timeline.ClosedIt:
		return "◇"
	case timeline.Suggested:
		return "?"
	default:
		return "~"
	}
}

func changeLine(ch timeline.Change, width int, words func(timeline.Change) string) Line {
	l := Line{Sign: ChangeSign(ch.Kind), Spans: []Span{loud(pad(changeSubject(ch), width+2) + "  ")}}
	text, tone := "", Plain
	switch ch.Kind {
	case timeline.Shown:
		text = "was hidden, usable now"
	case timeline.Hidden:
		text = "was usable, hidden now"
	case timeline.Redefined:
		text = "redefined"
		if words != nil {
			text = words(ch)
		}
	case timeline.Moved:
		text = "moved between static and dynamic"
	case timeline.Opened:
		text = "opened"
	case timeline.ClosedIt:
		text = "closed"
	case timeline.Retitled:
		text = "has another title"
	case timeline.Suggested:
		text = "suggested"
	}
	l.Spans = append(l.Spans, Span{Text: text, Tone: tone})
	return l
}

// reasons says by which rule an entry was ignored, as a part of a sentence.
var reasons = map[string]string{
	"hints-instance-missing": "a tool of %s needs an instance",
	"hints-unknown-instance": "that instance is not open",
	"hints-unknown-tool":     "the list names no such tool",
	"hints-unknown-toolset":  "the manifest declares no such toolset",
	"hints-static-definition": "a static tool's definition is changed by " +
		"tools/list_changed alone",
	"hints-toolset-static":   "a tool of a toolset stays dynamic",
	"hints-definition-field": "only description, inputSchema and annotations can change",
}

func reason(d timeline.Dropped) string {
	text := reasons[d.Rule]
	return strings.ReplaceAll(text, "%s", oneLine(orElse(d.Toolset, "this toolset")))
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// droppedLines lists the entries of a row that had no effect: those of one
// tool, or all.
func droppedLines(r *timeline.Row, tool string) []Line {
	var out []Line
	for _, d := range r.Dropped {
		if tool != "" && d.Tool != tool {
			continue
		}
		if len(out) >= maxListed {
			return append(out, more(len(r.Dropped)-len(out)/2))
		}
		out = append(out, Line{Sign: "✗", Diff: true, Spans: []Span{{Text: d.Rule + "   ", Tone: Bad}, plain(reason(d))}, Wrap: true})
		out = append(out, spans(quiet("sent    "), peer(string(d.Entry))))
	}
	return out
}

// byWords names a rev or frame that brought something about: "rev 41", "frame
// 10".
func byWords(log *timeline.Log, by timeline.By) string {
	switch {
	case by.Rev > 0:
		return "rev " + seq(by.Rev)
	case by.Index >= 0 && by.Index < log.Len():
		return "frame " + seq(log.Entry(by.Index).Seq)
	default:
		return ""
	}
}
