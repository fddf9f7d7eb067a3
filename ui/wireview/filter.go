package wireview

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// query is a filter: terms that all must hold. A term is KEY:VALUE with one
// of the keys below, or a word that is looked for in what is shown of a frame
// and in its bytes. A term with - in front must not hold, "…" holds blanks.
type query struct {
	text  string
	terms []term
}

type term struct {
	key   string // "" for a word
	value string // small letters
	not   bool
}

var keys = []string{"tool", "toolset", "instance", "method", "kind", "dir", "id", "rev", "status"}

func parse(text string) query {
	q := query{text: text}
	for _, w := range split(text) {
		var t term
		w, t.not = strings.CutPrefix(w, "-")
		if w == "" {
			continue
		}
		t.value = strings.ToLower(w)
		if key, value, ok := strings.Cut(t.value, ":"); ok && known(key) {
			t.key, t.value = key, value
		}
		if t.key == "" && (t.value == "err" || t.value == "stderr") {
			t.key, t.value = "dir", "err"
		}
		t.value = strings.ReplaceAll(t.value, `"`, "")
		q.terms = append(q.terms, t)
	}
	return q
}

func known(key string) bool {
	for _, k := range keys {
		if k == key {
			return true
		}
	}
	return false
}

// split cuts a text at blanks that stand outside of quotation marks.
func split(text string) []string {
	quoted := false
	return strings.FieldsFunc(text, func(r rune) bool {
		if r == '"' {
			quoted = !quoted
		}
		return r == ' ' && !quoted
	})
}

func (q *query) empty() bool { return len(q.terms) == 0 }

// indexed reports whether the log's index alone decides the filter.
func (q *query) indexed() bool {
	for _, t := range q.terms {
		if t.key != "dir" && t.key != "kind" {
			return false
		}
	}
	return true
}

// judge decides a filter on one frame at a time, reading of it no more than
// the terms ask for.
type judge struct {
	log   *timeline.Log
	board *timeline.Board // to know which toolset a tool is of
	i     int
	entry timeline.Entry
	head  *inspector.Headline
	hints []inspector.Mention
	asked bool // hints were read
	read  int  // bytes that were read so far
}

// matches reports whether the frame at position i passes.
func (j *judge) matches(q *query, i int) bool {
	j.i, j.entry, j.head, j.hints, j.asked = i, j.log.Entry(i), nil, nil, false
	for _, t := range q.terms {
		if j.holds(t) == t.not {
			return false
		}
	}
	return true
}

func (j *judge) headline() *inspector.Headline {
	if j.head == nil {
		h := inspector.HeadlineOf(j.log, j.i)
		j.head = &h
		j.read += j.entry.Size + 200
		if j.entry.Pair >= 0 {
			j.read += j.log.Entry(j.entry.Pair).Size
		}
	}
	return j.head
}

func (j *judge) mentions() []inspector.Mention {
	if !j.asked {
		j.hints, j.asked = inspector.Mentions(j.log, j.i), true
		j.read += j.entry.Size
	}
	return j.hints
}

func (j *judge) holds(t term) bool {
	switch t.key {
	case "":
		return j.word(t.value)
	case "dir":
		return t.value != "" && strings.HasPrefix(j.entry.Dir.String(), t.value)
	case "kind":
		return t.value != "" && strings.HasPrefix(j.kind(), t.value)
	case "id":
		id := strings.ToLower(j.headline().ID)
		return t.value != "" && (id == t.value || strings.TrimPrefix(id, "#") == t.value)
	case "method":
		return has(j.headline().Method, t.value)
	case "status":
		return t.value != "" && strings.HasPrefix(j.status(), t.value)
	case "rev":
		return j.rev(t.value)
	default:
		return j.about(t)
	}
}

// has: an empty value holds for whatever there is.
func has(s, value string) bool {
	return s != "" && strings.Contains(strings.ToLower(s), value)
}

func (j *judge) kind() string {
	switch j.entry.Dir {
	case timeline.Err:
		return "stderr"
	case timeline.Note:
		return "note"
	}
	return j.entry.Kind.String()
}

func (j *judge) status() string {
	h := j.headline()
	if h.Open {
		return "open"
	}
	switch h.Outcome {
	case inspector.OK:
		return "ok"
	case inspector.ToolError:
		return "tool-error"
	case inspector.RPCError:
		return "error"
	case inspector.Refused:
		return "refused"
	case inspector.Broken:
		return "broken"
	}
	return ""
}

// rev: a number, or from-to, of the revs that a frame carried.
func (j *judge) rev(value string) bool {
	if j.entry.Row < 0 {
		return false
	}
	if value == "" {
		return true
	}
	from, to, isSpan := strings.Cut(value, "-")
	lo, err := strconv.ParseInt(from, 10, 64)
	if err != nil {
		return false
	}
	hi := lo
	if isSpan {
		if hi, err = strconv.ParseInt(to, 10, 64); err != nil {
			hi = 1<<63 - 1
		}
	}
	for _, r := range inspector.Revs(j.log, j.i) {
		if r >= lo && r <= hi {
			return true
		}
	}
	return false
}

// about: tool, toolset and instance, of a request, its answer, or of hints.
func (j *judge) about(t term) bool {
	h := j.headline()
	switch t.key {
	case "tool":
		if has(h.Tool, t.value) {
			return true
		}
	case "toolset":
		if has(h.Toolset, t.value) || has(j.toolsetOf(h.Tool), t.value) {
			return true
		}
	case "instance":
		if has(h.Instance, t.value) {
			return true
		}
	}
	for _, m := range j.mentions() {
		switch {
		case t.key == "tool" && has(m.Tool, t.value),
			t.key == "toolset" && (has(m.Toolset, t.value) || has(j.toolsetOf(m.Tool), t.value)),
			t.key == "instance" && has(m.Instance, t.value):
			return true
		}
	}
	return false
}

func (j *judge) toolsetOf(tool string) string {
	if tool == "" || j.board == nil {
		return ""
	}
	for i := range j.board.Toolsets {
		for k := range j.board.Toolsets[i].Tools {
			if j.board.Toolsets[i].Tools[k].Name == tool {
				return j.board.Toolsets[i].Name
			}
		}
	}
	return ""
}

// word looks for a word in a frame's line, and in its bytes.
func (j *judge) word(word string) bool {
	if has(j.headline().Text(), word) {
		return true
	}
	f, err := j.log.Frame(j.i)
	if err != nil {
		return false
	}
	body := f.Body
	if f.Dir == timeline.Note {
		body = f.Data
	}
	j.read += len(body)
	return containsFold(body, []byte(word))
}

// containsFold is bytes.Contains without regard to the case of ASCII letters;
// word is in small letters.
func containsFold(b, word []byte) bool {
	if len(word) == 0 {
		return true
	}
	first, upper := word[0], word[0]
	if first >= 'a' && first <= 'z' {
		upper = first - 32
	}
	for len(b) >= len(word) {
		near := b[:min(len(b), 4096)]
		k := bytes.IndexByte(near, first)
		if u := bytes.IndexByte(near, upper); u >= 0 && (k < 0 || u < k) {
			k = u
		}
		switch {
		case k < 0:
			b = b[len(near):]
			continue
		case len(b)-k < len(word):
			return false
		case equalLower(b[k:k+len(word)], word):
			return true
		}
		b = b[k+1:]
	}
	return false
}

func equalLower(b, word []byte) bool {
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			c += 32
		}
		if c != word[i] {
			return false
		}
	}
	return true
}
