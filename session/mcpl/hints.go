package mcpl

import (
	"math/big"
	"slices"
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

// MetaClass is the key of a tool's classes in its _meta (RFC-008).
const MetaClass = "mcpl/class"

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
	// Plain tells that it speaks of tools alone, and that each of its entries
	// is a Plain one: nothing was left out.
	Plain bool
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
	// Plain tells that it states a flag and nothing else, all of it in the
	// types that it should have.
	Plain      bool
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
	c := wire.CursorOf(raw)
	h.Take(&c)
}

// Take is Decode of the value that the cursor stands before. It returns its
// bytes.
func (h *Hints) Take(c *wire.Cursor) (raw []byte) {
	*h = Hints{Toolsets: h.Toolsets[:0], Tools: h.Tools[:0], Suggest: h.Suggest[:0]}
	if !c.Enter('{') {
		h.Raw = c.Value()
		return h.Raw
	}
	start := c.Pos() - 1
	h.Plain = true
	for c.Key() {
		switch string(c.Name) {
		case "rev":
			h.RawRev = c.Value()
			h.Rev = DecodeRev(h.RawRev)
		case "toolsets":
			h.Toolsets, _ = decodeEach(h.Toolsets[:0], c, decodeToolsetHint)
			h.Plain = false
		case "tools":
			all := false
			h.Tools, all = decodeEach(h.Tools[:0], c, decodeToolHint)
			h.Plain = h.Plain && all && !slices.ContainsFunc(h.Tools, func(e ToolHint) bool { return !e.Plain })
		case "suggest":
			h.Suggest, _ = decodeEach(h.Suggest[:0], c, decodeSuggestHint)
			h.Plain = false
		default:
			c.Value()
		}
	}
	h.Raw = c.Since(start)
	return h.Raw
}

// decodeEach reads the entries of a list with the memory of out. What is no
// object, or names nothing, is left out, and all is false.
func decodeEach[T any](out []T, c *wire.Cursor, decode func(*wire.Cursor, *T) bool) (_ []T, all bool) {
	if !c.Enter('[') {
		c.Value()
		return out, false
	}
	var none T
	all = true
	for c.More() {
		if !c.Enter('{') {
			c.Value()
			all = false
			continue
		}
		out = append(out, none)
		if !decode(c, &out[len(out)-1]) {
			out = out[:len(out)-1]
			all = false
		}
	}
	return out, all
}

// DecodeToolsetHint reads an entry of toolsets, or an item of the open member
// of a toolsets/list result; ok is false where it names no toolset.
func DecodeToolsetHint(raw []byte) (e ToolsetHint, ok bool) {
	c := wire.CursorOf(raw)
	if !c.Enter('{') {
		return e, false
	}
	ok = decodeToolsetHint(&c, &e)
	return e, ok
}

// aim is what entries of toolsets and of suggest name, and why.
type aim struct{ toolset, name, instance, reason string }

// take reads the member that the cursor stands at, where it is one of these.
func (a *aim) take(c *wire.Cursor) bool {
	switch string(c.Name) {
	case "toolset":
		a.toolset = c.Text()
	case "name":
		a.name = c.Text()
	case "instance":
		a.instance = c.Text()
	case "reason":
		a.reason = c.Text()
	default:
		return false
	}
	return true
}

// decodeToolsetHint reads an object that was entered.
func decodeToolsetHint(c *wire.Cursor, e *ToolsetHint) bool {
	var at aim
	var bent string
	start := c.Pos() - 1
	for c.Key() {
		switch string(c.Name) {
		case "state":
			e.State = oneOf(c.Text(), "open", "closed")
		case "open":
			v := c.Value()
			bent = first(onlyIf(v, "true", "open"), onlyIf(v, "false", "closed"))
		case "title":
			v := c.Value()
			e.Title, e.HasTitle = wire.TextOf(v), len(v) > 0 && v[0] == '"'
		default:
			if !at.take(c) {
				c.Value()
			}
		}
	}
	e.Raw, e.State = c.Since(start), first(e.State, bent)
	e.Toolset, e.Instance, e.Reason = first(at.toolset, at.name), at.instance, at.reason
	return e.Toolset != ""
}

// decodeToolHint reads an object that was entered.
func decodeToolHint(c *wire.Cursor, e *ToolHint) bool {
	start := c.Pos() - 1
	e.Plain = true
	for c.Key() {
		switch string(c.Name) {
		case "name":
			e.Name = c.Text()
		case "instance":
			e.Instance = c.Text()
			e.Plain = e.Plain && e.Instance != ""
		case "presence":
			e.Presence, e.Plain = oneOf(c.Text(), "static", "dynamic"), false
		case "visible":
			v := c.Value()
			e.HasVisible, e.Visible = string(v) == "true" || string(v) == "false", isTrue(v)
			e.Plain = e.Plain && e.HasVisible
		case "definition":
			e.Plain = false
			if e.Definition = c.Value(); len(e.Definition) == 0 || e.Definition[0] != '{' {
				e.Definition = nil
			}
		default:
			c.Value()
		}
	}
	e.Raw = c.Since(start)
	return e.Name != ""
}

// decodeSuggestHint reads an object that was entered.
func decodeSuggestHint(c *wire.Cursor, e *SuggestHint) bool {
	var at aim
	var bent string
	start := c.Pos() - 1
	for c.Key() {
		switch string(c.Name) {
		case "action":
			e.Action = oneOf(c.Text(), "open", "close")
		case "close":
			bent = onlyIf(c.Value(), "true", "close")
		case "options":
			e.Options = c.Value()
		default:
			if !at.take(c) {
				c.Value()
			}
		}
	}
	e.Raw, e.Action = c.Since(start), first(e.Action, bent, "open")
	e.Toolset, e.Instance, e.Reason = first(at.toolset, at.name), at.instance, at.reason
	return e.Toolset != ""
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
