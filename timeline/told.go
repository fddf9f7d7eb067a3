package timeline

import (
	"strings"
	"unicode/utf8"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
)

// Told is what a model is told of a row (toolhints.md §8): the tools that
// changed, in a sentence or two, and with them the definitions that did. The
// head of its prompt is not touched by it.
type Told struct {
	Text string // "game vs-ada: play, pass usable again; play redefined."; "" for nothing
	// Definitions are the definitions that come with it, as the server sent
	// them, a line for each tool: "\nplay: {"description":…}".
	Definitions string
	// Members are the parts that they have: description, inputSchema,
	// annotations.
	Members []string
	Bytes   int // the size of all of it, Text and Definitions
}

// Tokens estimates the size in tokens.
func (t Told) Tokens() int { return Tokens(t.Bytes) }

// Bounds of an announcement.
const (
	maxToldPlaces  = 40
	maxToldNames   = 12
	maxToldSuggest = 8
)

// teller puts into words what a row changed. It is used again and again, and
// keeps its scratch.
type teller struct {
	buf    []byte
	again  []bool // of each change: the tool was usable there before
	places []int  // the first change of each place
}

// tell makes the announcement of a row that took effect at the frame at
// position at: all of it, until the next one, in t.buf, the first text bytes
// of which are its sentences.
func (t *teller) tell(ls *lanes, at int, s *Settled) (text int, members uint8) {
	t.buf = t.buf[:0]
	if len(s.Changes) == 0 {
		return 0, 0
	}
	t.look(ls, at, s)
	for n, first := range t.places {
		if n == maxToldPlaces {
			t.blank()
			t.buf = append(t.buf, "…"...)
			break
		}
		t.place(s.Changes, first)
	}
	var h mcpl.Hints
	suggested, redefined := has(s.Changes, Suggested), has(s.Changes, Redefined)
	if suggested || redefined {
		h = mcpl.DecodeHints(s.raw)
	}
	if suggested {
		t.suggest(h.Suggest)
	}
	text = len(t.buf)
	if text > 0 && redefined {
		members = t.definitions(s.Changes, h.Tools)
	}
	return text, members
}

func has(changes []Change, kind ChangeKind) bool {
	for i := range changes {
		if changes[i].Kind == kind {
			return true
		}
	}
	return false
}

// look finds the places that a row speaks of, in order, and what was usable
// before.
func (t *teller) look(ls *lanes, at int, s *Settled) {
	t.again, t.places = t.again[:0], t.places[:0]
	for i := range s.Changes {
		ch := &s.Changes[i]
		again := false
		if ch.Kind == Shown {
			_, again = ls.before(LaneKey{s.Conn, ch.Toolset, ch.Instance, ch.Tool}, at-1, Shown)
		}
		t.again = append(t.again, again)
		known := false
		for _, first := range t.places {
			known = known || s.Changes[first].samePlace(ch)
		}
		if !known && len(t.places) <= maxToldPlaces {
			t.places = append(t.places, i)
		}
	}
}

func (ch *Change) samePlace(o *Change) bool {
	return ch.Toolset == o.Toolset && ch.Instance == o.Instance
}

// toldParts are what is said of the tools of a place, in this order.
var toldParts = [...]struct {
	kind  ChangeKind
	again bool
	words string
}{
	{Shown, false, " usable"},
	{Shown, true, " usable again"},
	{Hidden, false, " not usable"},
	{Redefined, false, " redefined"},
	{Moved, false, " moved between static and dynamic"},
}

// place tells what changed in the place of a change: "game vs-ada: play, pass
// usable again; play redefined."
func (t *teller) place(changes []Change, first int) {
	of := &changes[first]
	start := len(t.buf)
	t.blank()
	from := len(t.buf)
	t.where(of.Toolset, of.Instance)
	opened := false
	for i := first; i < len(changes); i++ {
		ch := &changes[i]
		switch {
		case !ch.samePlace(of):
		case ch.Kind == Opened:
			opened = true
			t.buf = append(t.buf, " opened"...)
		case ch.Kind == ClosedIt:
			opened = true
			t.buf = append(t.buf, " closed"...)
		}
	}
	if len(t.buf) > from {
		t.buf = append(t.buf, ": "...)
	}
	said := false
	for p := range toldParts {
		said = t.part(changes, first, p, said) || said
	}
	switch {
	case said:
	case opened:
		t.buf = t.buf[:len(t.buf)-len(": ")]
	default:
		t.buf = t.buf[:start]
		return
	}
	t.buf = append(t.buf, '.')
}

// part tells one kind of change of the tools of a place; joined: another was
// told before.
func (t *teller) part(changes []Change, first, p int, joined bool) bool {
	part := &toldParts[p]
	n := 0
	for i := first; i < len(changes); i++ {
		ch := &changes[i]
		if ch.Kind != part.kind || t.again[i] != part.again || !ch.samePlace(&changes[first]) {
			continue
		}
		switch {
		case n > 0:
			t.buf = append(t.buf, ", "...)
		case joined:
			t.buf = append(t.buf, "; "...)
		}
		if n++; n > maxToldNames {
			t.buf = append(t.buf, "…"...)
			break
		}
		t.buf = append(t.buf, OneLine(ch.Tool)...)
	}
	if n > 0 {
		t.buf = append(t.buf, part.words...)
	}
	return n > 0
}

// suggest tells what the server suggests, in its own words.
func (t *teller) suggest(all []mcpl.SuggestHint) {
	for i := range all {
		if i == maxToldSuggest {
			return
		}
		e := &all[i]
		t.blank()
		t.buf = append(t.buf, "The server suggests: "+OneLine(e.Action)+" "...)
		t.where(e.Toolset, e.Instance)
		if e.Reason != "" {
			t.buf = append(t.buf, ", “"+OneLine(e.Reason)+"”"...)
		}
	}
}

// where names a place.
func (t *teller) where(toolset, instance string) {
	t.buf = append(t.buf, OneLine(toolset)...)
	if toolset != "" && instance != "" {
		t.buf = append(t.buf, ' ')
	}
	t.buf = append(t.buf, OneLine(instance)...)
}

// blank parts a sentence from the one before.
func (t *teller) blank() {
	if len(t.buf) > 0 {
		t.buf = append(t.buf, ' ')
	}
}

// The members of a definition that hints may change (toolhints.md §7), in the
// order in which they are named.
var definitionMembers = [...]string{"description", "inputSchema", "annotations"}

// definitions adds the definitions that a row changed, as the server sent
// them, and says which members they have, a bit for each.
func (t *teller) definitions(changes []Change, tools []mcpl.ToolHint) (members uint8) {
	for i := range tools {
		e := &tools[i]
		if e.Definition == nil || !redefines(changes, e) {
			continue
		}
		d := decodeDefinition(e.Definition)
		t.buf = append(append(append(t.buf, '\n'), OneLine(e.Name)...), ": {"...)
		sep := ""
		for n, m := range [...][]byte{d.description, d.schema, d.annotations} {
			if m == nil {
				continue
			}
			t.buf = append(append(append(append(t.buf, sep...), '"'), definitionMembers[n]...), `":`...)
			t.buf = append(t.buf, m...)
			members |= 1 << n
			sep = ","
		}
		t.buf = append(t.buf, '}')
	}
	return members
}

func redefines(changes []Change, e *mcpl.ToolHint) bool {
	for i := range changes {
		ch := &changes[i]
		if ch.Kind == Redefined && ch.Tool == e.Name && (ch.Instance == e.Instance || ch.Instance == "") {
			return true
		}
	}
	return false
}

// told is what tell says, to be kept.
func (t *teller) told(ls *lanes, at int, s *Settled) Told {
	text, members := t.tell(ls, at, s)
	told := Told{Text: string(t.buf[:text]), Definitions: string(t.buf[text:]), Bytes: len(t.buf)}
	for i, name := range definitionMembers {
		if members>>i&1 == 1 {
			told.Members = append(told.Members, name)
		}
	}
	return told
}

// MaxShort is how many bytes of a peer's text stand in one line at most.
const MaxShort = 600

// Short bounds a text to n bytes; what is cut off is marked.
func Short(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

// OneLine bounds a text and puts it on one line: line breaks and runs of
// blanks become one blank.
func OneLine(s string) string {
	s = Short(s, MaxShort)
	if !strings.ContainsAny(s, "\n\r\t") && !strings.Contains(s, "  ") {
		return strings.TrimSpace(s)
	}
	return strings.Join(strings.Fields(s), " ")
}
