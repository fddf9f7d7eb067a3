package inspector

import (
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// Untold says why a rev says nothing to a model right after the frame at
// position i: "nothing: the entry was ignored". It is "" where it says
// something then.
func Untold(r *timeline.Row, i int) string {
	switch {
	case r.Taken > i, r.Taken < 0 && r.Status == timeline.Held:
		return "nothing yet: held for an earlier rev"
	case r.Told.Text != "":
		return ""
	case r.Status == timeline.Ignored:
		return "nothing: hints are not agreed"
	case r.Status == timeline.BadRev:
		return "nothing: its rev cannot be read"
	case r.Status == timeline.DuplicateEvent:
		return "nothing: the event came before"
	case r.Taken < 0:
		return "nothing: the rev was passed already"
	case len(r.Dropped) == 1:
		return "nothing: the entry was ignored"
	case len(r.Dropped) > 1:
		return "nothing: its entries were ignored"
	case r.Counts.Retitled > 0:
		return "nothing: a title alone"
	case r.Carrier == timeline.CarrierList:
		return "nothing: the list changed no tool"
	}
	return "nothing: no tool changed"
}

// Uncounted says in a word or two why a rev, had it been told by
// tools/list_changed, would not have changed the list. first: it is the first
// of its connection.
func Uncounted(r *timeline.Row, first bool) string {
	switch {
	case r.Taken < 0 && r.Status == timeline.Held:
		return "held"
	case r.Taken < 0, r.Status == timeline.DuplicateEvent:
		return r.Status.String()
	case first && r.Carrier == timeline.CarrierList:
		return "the first list"
	case len(r.Changes) == 0 && len(r.Dropped) > 0:
		return "ignored"
	case r.Counts.Opened > 0:
		return "an open without a usable tool"
	case r.Counts.Suggested > 0:
		return "a suggestion"
	case r.Counts.Retitled > 0:
		return "a title"
	}
	return "no change"
}

// HeadChange tells a change of the head: "+ radio, ~ find".
func HeadChange(ch *timeline.HeadChange) string { return short(oneLine(ch.Words())) }

// HeadCause names what brought a change of the head: "rev 7", "tools/list".
func HeadCause(ch *timeline.HeadChange) string {
	if ch.Rev > 0 {
		return revText(ch.Conn, ch.Rev)
	}
	return "tools/list"
}
