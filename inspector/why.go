package inspector

import (
	"fmt"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// why says why a tool is usable: what is open, who said visible, and what was
// said of it since then without effect.
func why(log *timeline.Log, b *timeline.Board, p spot) []Line {
	var out []Line
	switch {
	case !b.ToolHints:
		out = append(out, say("toolHints are not negotiated: "+notNegotiated(b)+". Every tool stands as it is listed."))
		return append(out, history(spokeOf(log, b, p))...)
	case p.inst != nil:
		out = append(out, since(log, b, oneLine(p.inst.Name)+" is open", p.inst.OpenedBy))
	case p.set != nil && !p.set.Declared:
		out = append(out, since(log, b, "the group is open, here alone", p.set.OpenedBy))
	case p.set != nil:
		out = append(out, since(log, b, oneLine(p.set.Name)+" is open", p.set.OpenedBy))
	}
	out = append(out, flagLine(log, b, p.cell))
	var vain []said
	for _, s := range spokeOf(log, b, p) {
		if s.vain() {
			vain = append(vain, s)
		}
	}
	return append(append(out, history(vain)...), lastDropped(vain, p)...)
}

// notNegotiated says which side did not agree on hints (toolhints.md §2).
func notNegotiated(b *timeline.Board) string {
	switch {
	case b.Mode.IgnoresHints:
		return "this host ignores them"
	case b.Mode.Plain:
		return "this host is a plain MCP host"
	case b.MCPL == "" && !b.ServerHints:
		return "this server offers no MCPL"
	case !b.ServerHints && !b.HostHints:
		return "neither side offers them"
	case !b.ServerHints:
		return "the server's manifest does not say toolHints"
	default:
		return "this host did not offer them"
	}
}

// since is a line that says what is so, and since which rev and frame.
func since(log *timeline.Log, b *timeline.Board, text string, by timeline.By) Line {
	l := spans(plain(text))
	if w := byFrame(log, b, by); w != "" {
		l.Right = "since " + w
	}
	return l
}

// byFrame names a rev with its frame: "rev 2, frame 16", "rev 41, this frame".
func byFrame(log *timeline.Log, b *timeline.Board, by timeline.By) string {
	if by.Index < 0 || by.Index >= log.Len() {
		return ""
	}
	frame := "frame " + seq(log.Entry(by.Index).Seq)
	if by.Index == b.Index {
		frame = "this frame"
	}
	if by.Rev > 0 {
		return revText(b.Conn, by.Rev) + ", " + frame
	}
	return frame
}

// flagLine says what was last said of a tool's being visible, and by whom.
func flagLine(log *timeline.Log, b *timeline.Board, c *timeline.Cell) Line {
	if c == nil || !c.Stated {
		return spans(plain("never said to be visible"))
	}
	l := spans(plain(fmt.Sprintf("last said visible: %v", c.Flag)))
	if listedFlag(b, c) {
		l = spans(plain("listed as visible, no rev said otherwise"))
		if !c.Flag {
			l = spans(plain("listed with mcpl/visible false"))
		}
	}
	if w := byFrame(log, b, c.FlagBy); w != "" {
		l.Right = "by " + w
	}
	return l
}

// listedFlag: it was the list that stated the flag, and no rev since.
func listedFlag(b *timeline.Board, c *timeline.Cell) bool {
	return c.FlagBy.Rev == 0 && c.FlagBy.Index >= 0 && c.FlagBy.Index == b.ListAt
}

// whyNot says why a tool is not usable: in a sentence, then which rows spoke
// of it, then the entries that were ignored. full adds the last two.
func whyNot(log *timeline.Log, b *timeline.Board, p spot, full bool) []Line {
	spoke := spokeOf(log, b, p)
	if !full {
		var out []Line
		for i := range spoke {
			out = append(out, ignoredIn(&spoke[i])...)
		}
		if len(out) == 0 {
			out = []Line{say(hiddenBecause(log, b, p))}
		}
		return out
	}
	first := say(hiddenBecause(log, b, p))
	if by := p.closedBy(log, b); p.closed() && by.Index >= 0 && by.Index < log.Len() {
		first.Right = Clock(log.Entry(by.Index).T)
	}
	out := append([]Line{first}, history(spoke)...)
	if l, ok := onceOpen(log, b, p); ok {
		out = append(out, l)
	}
	return append(out, lastDropped(spoke, p)...)
}

// onceOpen says what will be of a tool when its toolset is opened, where that
// is known: the flag of a tool outside of instances stays (state.md, "Tools").
func onceOpen(log *timeline.Log, b *timeline.Board, p spot) (Line, bool) {
	if !p.closed() || p.set.HasInstances || p.cell == nil || !p.cell.Stated {
		return Line{}, false
	}
	text := "once it is open: usable, if no rev says otherwise"
	if !p.cell.Flag {
		text = "once it is open: usable as soon as a rev says so"
	}
	l := spans(quiet(text))
	if w := byFrame(log, b, p.cell.FlagBy); w != "" {
		l.Right = fmt.Sprintf("visible: %v by %s", p.cell.Flag, w)
	}
	return l, true
}

// hiddenBecause is the sentence of whyNot.
func hiddenBecause(log *timeline.Log, b *timeline.Board, p spot) string {
	name := oneLine(p.tool.Name)
	if p.closed() {
		return closedBecause(log, b, p)
	}
	where := ""
	if p.inst != nil {
		where = " in " + oneLine(p.inst.Name)
	}
	c := p.cell
	switch {
	case c == nil:
		return "nothing is known of " + name + where
	case !c.Stated:
		s := "no rev has made " + name + " visible" + where
		if p.inst != nil && p.inst.OpenedBy.Rev > 0 {
			s += ", open since " + revNumber(b.Conn, p.inst.OpenedBy.Rev)
		}
		return s
	case listedFlag(b, c):
		return "it is listed with mcpl/visible false, and no rev has made it visible"
	}
	by := byFrame(log, b, c.FlagBy)
	if by == "" {
		return "nothing says that " + name + " is visible" + where
	}
	if k, row := causeOf(log, b.Conn, c.FlagBy); row >= 0 {
		by = revText(b.Conn, c.FlagBy.Rev)
		if k.who == byList && !saysVisible(log, row, p) {
			return "the full statement of " + by + " does not say that " + name + " is visible" + where
		}
	}
	return by + " said visible: false" + where
}

// saysVisible: the hints of a row have an entry with a flag for the tool in
// its place.
func saysVisible(log *timeline.Log, row int, p spot) bool {
	for _, e := range entriesFor(hintsOfRow(log, row), p).Tools {
		if e.HasVisible {
			return true
		}
	}
	return false
}

// closedBecause says what would have to be open, since when it is not, and
// whose doing that was.
func closedBecause(log *timeline.Log, b *timeline.Board, p spot) string {
	set := oneLine(p.set.Name)
	closed := ""
	by := p.closedBy(log, b)
	if w := byFrame(log, b, by); w != "" {
		closed = " since " + w
		if k, _ := causeOf(log, b.Conn, by); k.who != unknown {
			closed += ", " + k.who.String()
		}
	}
	switch {
	case !p.set.Declared && closed != "":
		return "the manifest does not declare the group " + set + ", and it is not open here" + closed + ". Nothing is sent to open it"
	case !p.set.Declared:
		return "the manifest does not declare the group " + set + ", and it is not open here. The user opens it, nothing is sent"
	case p.set.HasInstances && p.instance != "" && closed != "":
		return oneLine(p.instance) + " is not open in " + set + closed + endedWords(b, p)
	case p.set.HasInstances && p.instance != "":
		return oneLine(p.instance) + " is not open in " + set + ", and never was"
	case p.set.HasInstances && len(p.set.Instances) > 0:
		return set + " has instances, and none is named: " + strings.Join(instanceNames(p.set), ", ")
	case p.set.HasInstances:
		return "no instance of " + set + " is open" + closed
	case closed == "":
		return "the toolset " + set + " is closed, and was never open"
	}
	return "the toolset " + set + " is closed" + closed
}

// closedBy is who closed the place of a tool last; Index is -1 where it never
// was open.
func (p spot) closedBy(log *timeline.Log, b *timeline.Board) timeline.By {
	if p.set == nil {
		return timeline.By{Index: -1}
	}
	if !p.set.HasInstances || p.instance == "" {
		return p.set.ClosedBy
	}
	e, ok := log.LaneBefore(timeline.LaneKey{Conn: b.Conn, Toolset: p.set.Name, Instance: p.instance}, b.Index, timeline.ClosedIt)
	if !ok {
		return timeline.By{Index: -1}
	}
	return byEvent(log, e)
}

// byEvent is the By of a lane's event.
func byEvent(log *timeline.Log, e timeline.Event) timeline.By {
	by := timeline.By{Index: e.Index}
	if e.Row >= 0 {
		by.Rev = log.RowHead(e.Row).Rev
	}
	return by
}

// endedWords is the reason that the server gave for the end of an instance.
func endedWords(b *timeline.Board, p spot) string {
	for i := len(b.Ended) - 1; i >= 0; i-- {
		if e := &b.Ended[i]; e.Toolset == p.set.Name && e.Instance == p.instance && e.Reason != "" {
			return ": " + Quote(e.Reason)
		}
	}
	return ""
}

func instanceNames(set *timeline.Toolset) []string {
	var out []string
	for i, in := range set.Instances {
		if i == maxListed {
			return append(out, "…")
		}
		out = append(out, oneLine(in.Name))
	}
	return out
}
