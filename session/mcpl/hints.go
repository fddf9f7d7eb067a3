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
// Raw.
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
	h := Hints{Raw: raw}
	wire.EachMember(raw, func(key string, v []byte) bool {
		switch key {
		case "rev":
			h.RawRev, h.Rev = v, DecodeRev(v)
		case "toolsets":
			h.Toolsets = decodeEach(v, DecodeToolsetHint)
		case "tools":
			h.Tools = decodeEach(v, decodeToolHint)
		case "suggest":
			h.Suggest = decodeEach(v, decodeSuggestHint)
		}
		return true
	})
	return h
}

func decodeEach[T any](raw []byte, decode func([]byte) (T, bool)) []T {
	var out []T
	wire.EachElement(raw, func(v []byte) bool {
		if e, ok := decode(v); ok {
			out = append(out, e)
		}
		return true
	})
	return out
}

// DecodeToolsetHint reads an entry of toolsets, or an item of the open member
// of a toolsets/list result; ok is false where it names no toolset.
func DecodeToolsetHint(raw []byte) (ToolsetHint, bool) {
	e := ToolsetHint{Raw: raw}
	var name, bent string
	wire.EachMember(raw, func(key string, v []byte) bool {
		switch key {
		case "toolset":
			e.Toolset = wire.StringOf(v)
		case "name":
			name = wire.StringOf(v)
		case "instance":
			e.Instance = wire.StringOf(v)
		case "state":
			e.State = oneOf(wire.StringOf(v), "open", "closed")
		case "open":
			bent = map[string]string{"true": "open", "false": "closed"}[string(v)]
		case "title":
			e.Title, e.HasTitle = wire.StringOf(v), len(v) > 0 && v[0] == '"'
		case "reason":
			e.Reason = wire.StringOf(v)
		}
		return true
	})
	e.Toolset, e.State = first(e.Toolset, name), first(e.State, bent)
	return e, e.Toolset != ""
}

func decodeToolHint(raw []byte) (ToolHint, bool) {
	e := ToolHint{Raw: raw}
	wire.EachMember(raw, func(key string, v []byte) bool {
		switch key {
		case "name":
			e.Name = wire.StringOf(v)
		case "instance":
			e.Instance = wire.StringOf(v)
		case "presence":
			e.Presence = oneOf(wire.StringOf(v), "static", "dynamic")
		case "visible":
			e.HasVisible, e.Visible = string(v) == "true" || string(v) == "false", isTrue(v)
		case "definition":
			if e.Definition = v; v[0] != '{' {
				e.Definition = nil
			}
		}
		return true
	})
	return e, e.Name != ""
}

func decodeSuggestHint(raw []byte) (SuggestHint, bool) {
	e := SuggestHint{Raw: raw}
	var name, bent string
	wire.EachMember(raw, func(key string, v []byte) bool {
		switch key {
		case "toolset":
			e.Toolset = wire.StringOf(v)
		case "name":
			name = wire.StringOf(v)
		case "instance":
			e.Instance = wire.StringOf(v)
		case "action":
			e.Action = oneOf(wire.StringOf(v), "open", "close")
		case "close":
			bent = map[string]string{"true": "close"}[string(v)]
		case "options":
			e.Options = v
		case "reason":
			e.Reason = wire.StringOf(v)
		}
		return true
	})
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
