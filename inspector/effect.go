package inspector

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// mend is how the finding is mended: the server's own bytes, corrected, where
// the rule leaves no doubt, else what to do. Which of several instances was
// meant is never guessed: a line of stderr may say so.
func (x *finder) mend() []Line {
	f := x.f
	if f.Rule != "hints-instance-missing" || !json.Valid([]byte(f.Seen)) {
		if f.Mend == "" {
			return nil
		}
		return []Line{textLine(f.Mend, Plain)}
	}
	set := x.set()
	if set == nil || len(set.Instances) == 0 || wire.Member([]byte(f.Seen), "name") == nil {
		return []Line{say(f.Mend)}
	}
	named, line, at := x.stderrNames(set)
	if named == "" {
		named = set.Instances[0].Name
	}
	out := []Line{textLine(withInstance([]byte(f.Seen), named), Plain)}
	switch {
	case line != "":
		out = append(out, say("stderr, frame "+seq(x.log.Entry(at).Seq)+", says which was meant:"),
			Line{Spans: []Span{{Text: line, Tone: Peer}}, Wrap: true})
	case len(set.Instances) > 1:
		out = append(out, say("or another of these, whichever was meant: nothing here says which"))
	}
	return out
}

// stderrBack is how many frames before a finding a line of stderr may stand
// that is taken to speak of it.
const stderrBack = 3

// stderrNames returns the one instance that the lines of stderr right before
// the finding name, with the line and its position.
func (x *finder) stderrNames(set *timeline.Toolset) (name, line string, at int) {
	for i := x.f.Index - 1; i >= max(x.f.Index-stderrBack, 0) && x.log.Entry(i).Dir == timeline.Err; i-- {
		f, err := x.log.Frame(i)
		if err != nil || len(f.Body) > maxShort {
			return "", "", 0
		}
		for k := range set.Instances {
			in := set.Instances[k].Name
			if !hasWord(f.Body, in) {
				continue
			}
			if name != "" && name != in {
				return "", "", 0 // several are named
			}
			name, line, at = in, oneLine(string(f.Body)), i
		}
		if name != "" {
			return name, line, at
		}
	}
	return "", "", 0
}

// hasWord reports whether a text has a word that is not a part of another.
func hasWord(text []byte, word string) bool {
	for rest, from := text, 0; word != ""; {
		i := bytes.Index(rest, []byte(word))
		if i < 0 {
			return false
		}
		start, end := from+i, from+i+len(word)
		if (start == 0 || !wordByte(text[start-1])) && (end == len(text) || !wordByte(text[end])) {
			return true
		}
		from, rest = end, text[end:]
	}
	return false
}

func wordByte(c byte) bool {
	return c == '-' || c == '_' || c >= 0x80 || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// effects are what this program made of a message that broke a rule, where
// that is always the same (state.md).
var effects = map[string]string{
	"json-invalid":             "It was skipped: it is no message.",
	"rpc-unknown-id":           "It answered nothing.",
	"rpc-method-unknown":       "It was answered with -32601.",
	"text-control":             "It is shown escaped.",
	"hints-definition-field":   "The member was ignored.",
	"hints-toolset-static":     "It was ignored: the tool stays dynamic.",
	"hints-instance-extra":     "The instance was left out of account.",
	"hints-not-negotiated":     "They were ignored.",
	"push-retried-hints":       "Its hints count as empty, its rev counts.",
	"toolsets-list-incomplete": "The list holds: what it does not name is closed.",
}

// noted reports whether it is a note that shows the finding.
func (x *finder) noted() bool {
	i := x.f.Index
	return i >= 0 && i < x.log.Len() && x.log.Entry(i).Dir == timeline.Note
}

// effect says what became of what broke the rule, as far as the log goes.
func (x *finder) effect() []Line {
	var parts []string
	row, ignored := x.row()
	switch {
	case ignored > 1:
		parts = append(parts, strconv.Itoa(ignored)+" entries were ignored.")
	case ignored == 1:
		parts = append(parts, "The entry was ignored.")
	case x.f.Rule == "json-invalid" && x.noted(): // it was cut, and can be read
		parts = append(parts, "It was taken as it came.")
	case effects[x.f.Rule] != "":
		parts = append(parts, effects[x.f.Rule])
	case row != nil:
		parts = append(parts, rowEffect(row))
	}
	if ignored > 0 && x.f.Tool != "" {
		parts = append(parts, x.since()...)
	}
	if text := strings.TrimSpace(strings.Join(parts, " ")); text != "" {
		return []Line{say(text)}
	}
	return nil
}

// row is the message with hints that shows the finding, and how many of its
// entries were ignored by the rule.
func (x *finder) row() (row *timeline.Row, ignored int) {
	e := x.log.Entry(x.f.Index)
	if e.Row < 0 {
		return nil, 0
	}
	rows, err := x.log.Rows(e.Row, e.Row+min(e.Rows, maxListed))
	if err != nil || len(rows) == 0 {
		return nil, 0
	}
	row = &rows[0]
	for i := range rows {
		if x.f.Rev > 0 && rows[i].Rev == x.f.Rev {
			row = &rows[i]
		}
	}
	for _, d := range row.Dropped {
		if d.Rule == x.f.Rule && (x.f.Tool == "" || d.Tool == x.f.Tool) {
			ignored++
		}
	}
	return row, ignored
}

// rowEffect says what became of a rev that was not simply applied.
func rowEffect(r *timeline.Row) string {
	switch r.Status {
	case timeline.Gap:
		return "It was applied all the same; the lists are read again."
	case timeline.Stale, timeline.Repeat, timeline.BadRev, timeline.Ignored:
		return "Its hints were not applied."
	case timeline.DuplicateEvent:
		return "Its hints count as empty, its rev counts."
	case timeline.Held:
		if r.Taken >= 0 {
			return "It was held, and applied in its place."
		}
	}
	return ""
}

// since says whether the tool that an ignored entry spoke of is usable since,
// and whether it was called.
func (x *finder) since() []string {
	end, ok := x.end()
	if !ok {
		return nil
	}
	p, ok := find(end, x.f.Tool, x.f.Instance)
	if !ok {
		return nil
	}
	name, upTo := oneLine(x.f.Tool), ""
	if end.LastRev > 0 {
		upTo = ", up to " + revText(end.Conn, end.LastRev)
	}
	var out []string
	if p.set != nil && p.set.HasInstances {
		out = append(out, name+usableWhere(p.set, x.f.Tool)+upTo+".")
	} else if p.usable() {
		out = append(out, name+" is usable"+upTo+".")
	} else {
		out = append(out, name+" is not usable"+upTo+".")
	}
	c := comparer{log: x.log, b: end, t: Target{Tool: x.f.Tool}}
	switch calls, cut := c.findCalls(x.f.Index, x.log.Len()); {
	case len(calls) == 1:
		out = append(out, "It was called once, in frame "+seq(x.log.Entry(calls[0]).Seq)+".")
	case len(calls) > 1 && !cut:
		out = append(out, "It was called "+times(len(calls))+", first in frame "+seq(x.log.Entry(calls[len(calls)-1]).Seq)+".")
	case len(calls) == 0 && !cut:
		out = append(out, "Nothing called it.")
	}
	return out
}

// end is the last state of the finding's connection.
func (x *finder) end() (*timeline.Board, bool) {
	b := x.log.Latest()
	if b.Conn != x.f.Conn {
		var err error
		if b, err = x.log.BoardOfRev(x.f.Conn, 0); err != nil {
			return nil, false
		}
	}
	return b, b != nil
}

// usableWhere says in which of a toolset's instances a tool is usable.
func usableWhere(set *timeline.Toolset, tool string) string {
	var in []string
	for i := range set.Tools {
		if set.Tools[i].Name != tool {
			continue
		}
		for k := range set.Tools[i].Cells {
			if set.Tools[i].Cells[k].Visible && k < len(set.Instances) && len(in) < maxListed {
				in = append(in, oneLine(set.Instances[k].Name))
			}
		}
	}
	switch {
	case len(in) > 0:
		return " is usable in " + strings.Join(in, ", ")
	case len(set.Instances) == 1:
		return " is not usable in " + oneLine(set.Instances[0].Name)
	case len(set.Instances) == 2:
		return " is not usable in either " + oneLine(set.Name)
	case len(set.Instances) == 0:
		return " is in no open instance"
	}
	return " is not usable in any " + oneLine(set.Name)
}

// Mend is how a finding is mended, as Finding says it, on one line.
func Mend(log *timeline.Log, f *Found) string {
	x := finder{log: log, f: f}
	x.board, _ = log.Board(f.Index) // nil where the file cannot be read
	if lines := x.mend(); len(lines) > 0 {
		return lines[0].Plain()
	}
	return ""
}
