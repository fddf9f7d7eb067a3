package mcpl

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// The keys of toolHints in a _meta object.
const (
	MetaHints    = "mcpl/hints"    // on a result: the changes that the request caused (toolhints.md §5)
	MetaRev      = "mcpl/rev"      // on a tools/list result: the last rev taken (§3)
	MetaPresence = "mcpl/presence" // on a tool: static or dynamic (§3)
	MetaVisible  = "mcpl/visible"  // on a tool: usable now (§3)
	MetaToolset  = "mcpl/toolset"  // on a tool: its group (§3)
	MetaInstance = "mcpl/instance" // on a call: the instance it speaks to (§6)
)

// Hints is a HintChanges object (toolhints.md §7), read leniently: what has
// another type than it should is left out, what is not understood is kept in
// Raw. All of it are views of the bytes: what is kept for longer is copied.
type Hints struct {
	Raw      []byte
	RawRev   []byte // the rev's JSON value as sent, nil where it is missing
	Rev      int64  // 0 where it is missing, no integer, or below 1
	Toolsets []ToolsetHint
	Tools    []ToolHint
	Suggest  []SuggestHint
}

// ToolsetHint says that a toolset, or an instance of it, is open or closed.
type ToolsetHint struct {
	Raw      []byte
	Toolset  string
	Instance string // "" where none is named
	State    string // open, closed, or "" where only a title is given
	Title    string
	HasTitle bool
	Reason   string
}

// ToolHint states values of a tool.
type ToolHint struct {
	Raw        []byte
	Name       string
	Instance   string // "" where none is named
	Presence   string // static, dynamic, or ""
	HasVisible bool
	Visible    bool
	Definition []byte // nil where there is none
}

// SuggestHint is what the server suggests to open or to close.
type SuggestHint struct {
	Raw      []byte
	Toolset  string
	Instance string
	Action   string // open or close
	Options  []byte
	Reason   string
}

// DecodeHints reads a HintChanges object. Shapes that toolhints.md §7 leaves
// open are accepted: name for toolset, open: bool for state, close: true for
// action.
func DecodeHints(raw []byte) Hints {
	var h Hints
	h.Decode(raw)
	return h
}

// Decode is DecodeHints into h, whose memory is used again.
func (h *Hints) Decode(raw []byte) {
	*h = Hints{Raw: raw, Toolsets: h.Toolsets[:0], Tools: h.Tools[:0], Suggest: h.Suggest[:0]}
	for m := wire.MembersOf(raw); m.Next(); {
		switch v := m.Value; string(m.Key) {
		case "rev":
			h.RawRev, h.Rev = v, DecodeRev(v)
		case "toolsets":
			h.Toolsets = decodeEach(h.Toolsets[:0], v, DecodeToolsetHint)
		case "tools":
			h.Tools = decodeEach(h.Tools[:0], v, decodeToolHint)
		case "suggest":
			h.Suggest = decodeEach(h.Suggest[:0], v, decodeSuggestHint)
		}
	}
}

func decodeEach[T any](out []T, raw []byte, decode func([]byte) (T, bool)) []T {
	for m := wire.ElementsOf(raw); m.Next(); {
		if e, ok := decode(m.Value); ok {
			out = append(out, e)
		}
	}
	return out
}

// DecodeToolsetHint reads an entry of toolsets, or an item of the open member
// of a toolsets/list result; ok is false where it names no toolset.
func DecodeToolsetHint(raw []byte) (ToolsetHint, bool) {
	e := ToolsetHint{Raw: raw}
	var name, bent string
	for m := wire.MembersOf(raw); m.Next(); {
		switch v := m.Value; string(m.Key) {
		case "toolset":
			e.Toolset = wire.TextOf(v)
		case "name":
			name = wire.TextOf(v)
		case "instance":
			e.Instance = wire.TextOf(v)
		case "state":
			e.State = oneOf(wire.TextOf(v), "open", "closed")
		case "open":
			bent = first(onlyIf(v, "true", "open"), onlyIf(v, "false", "closed"))
		case "title":
			e.Title, e.HasTitle = wire.TextOf(v), len(v) > 0 && v[0] == '"'
		case "reason":
			e.Reason = wire.TextOf(v)
		}
	}
	e.Toolset, e.State = first(e.Toolset, name), first(e.State, bent)
	return e, e.Toolset != ""
}

func decodeToolHint(raw []byte) (ToolHint, bool) {
	e := ToolHint{Raw: raw}
	for m := wire.MembersOf(raw); m.Next(); {
		switch v := m.Value; string(m.Key) {
		case "name":
			e.Name = wire.TextOf(v)
		case "instance":
			e.Instance = wire.TextOf(v)
		case "presence":
			e.Presence = oneOf(wire.TextOf(v), "static", "dynamic")
		case "visible":
			e.HasVisible, e.Visible = string(v) == "true" || string(v) == "false", isTrue(v)
		case "definition":
			if e.Definition = v; v[0] != '{' {
				e.Definition = nil
			}
		}
	}
	return e, e.Name != ""
}

func decodeSuggestHint(raw []byte) (SuggestHint, bool) {
	e := SuggestHint{Raw: raw}
	var name, bent string
	for m := wire.MembersOf(raw); m.Next(); {
		switch v := m.Value; string(m.Key) {
		case "toolset":
			e.Toolset = wire.TextOf(v)
		case "name":
			name = wire.TextOf(v)
		case "instance":
			e.Instance = wire.TextOf(v)
		case "action":
			e.Action = oneOf(wire.TextOf(v), "open", "close")
		case "close":
			bent = onlyIf(v, "true", "close")
		case "options":
			e.Options = v
		case "reason":
			e.Reason = wire.TextOf(v)
		}
	}
	e.Toolset, e.Action = first(e.Toolset, name), first(e.Action, bent, "open")
	return e, e.Toolset != ""
}

func first(words ...string) string {
	for _, w := range words {
		if w != "" {
			return w
		}
	}
	return ""
}

// onlyIf returns word where the raw value is what it stands for, else "".
func onlyIf(raw []byte, value, word string) string {
	if string(raw) == value {
		return word
	}
	return ""
}

func oneOf(word string, allowed ...string) string {
	for _, a := range allowed {
		if word == a {
			return word
		}
	}
	return ""
}

// DecodeRev returns the rev that a JSON value names, or 0 where it names
// none: missing, no number, no integer, below 1, beyond 2⁶³. A number is what
// its value is: 1.0 is 1.
func DecodeRev(raw []byte) int64 {
	if n, ok := plainRev(raw); ok {
		return n
	}
	s := string(raw)
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return max(n, 0)
	}
	if len(s) == 0 || len(s) > 40 || s[0] == '"' || !strings.ContainsAny(s, ".eE") {
		return 0
	}
	if i := strings.IndexAny(s, "eE"); i >= 0 && len(strings.TrimLeft(s[i+1:], "+-0")) > 2 {
		return 0
	}
	r, ok := new(big.Rat).SetString(s)
	if !ok || !r.IsInt() || !r.Num().IsInt64() {
		return 0
	}
	return max(r.Num().Int64(), 0)
}

// plainRev reads what revs mostly are: a number of at most 18 digits.
func plainRev(raw []byte) (n int64, ok bool) {
	if len(raw) == 0 || len(raw) > 18 {
		return 0, false
	}
	for _, c := range raw {
		if c-'0' > 9 {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, true
}
