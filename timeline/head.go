package timeline

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// What a prompt costs is estimated, in the same way everywhere: a token for
// four bytes. Of a tool count its name, title, description and inputSchema,
// as JSON without blanks: what a host sends to a model. Its annotations,
// outputSchema and _meta stay with the host.

// Tokens estimates the tokens of n bytes.
func Tokens(n int) int { return (n + 2) / 4 }

// HeadTokens estimates the tokens of n bytes of definitions, rounded to tens
// from a hundred on, as befits an estimate that is shown again and again.
func HeadTokens(n int) int {
	t := Tokens(n)
	if t >= 100 {
		t = (t + 5) / 10 * 10
	}
	return t
}

// About writes an estimate of tokens: "~1 896 tok".
func About(tokens int) string { return "~" + Grouped(tokens) + " tok" }

// Grouped writes a number with a blank between thousands.
func Grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}

// PromptBytes returns how many bytes of a tool, as tools/list gave it, stand
// in a prompt.
func PromptBytes(declared []byte) int {
	p := decodePromptTool(declared)
	return p.size()
}

// promptTool is what a model is given of a tool: raw JSON, nil where it is
// lacking.
type promptTool struct{ name, title, description, schema []byte }

func decodePromptTool(declared []byte) promptTool {
	var p promptTool
	wire.EachMember(declared, func(key string, v []byte) bool {
		switch key {
		case "name":
			p.name = v
		case "title":
			p.title = v
		case "description":
			p.description = v
		case "inputSchema":
			p.schema = v
		}
		return true
	})
	return p
}

func (p *promptTool) size() int {
	n := len("{}") - len(",")
	for _, m := range []struct {
		key string
		v   []byte
	}{{"name", p.name}, {"title", p.title}, {"description", p.description}, {"inputSchema", p.schema}} {
		if m.v != nil {
			n += len(`"":,`) + len(m.key) + compactLen(m.v)
		}
	}
	return max(n, len("{}"))
}

func (p *promptTool) same(q *promptTool) bool {
	return sameJSON(p.title, q.title) && sameJSON(p.description, q.description) && sameJSON(p.schema, q.schema)
}

// compactLen returns the length of a JSON value without the blanks between
// its parts.
func compactLen(v []byte) int {
	n, inString := 0, false
	for i := 0; i < len(v); i++ {
		switch c := v[i]; {
		case inString && c == '\\':
			n++
			i++
		case c == '"':
			inString = !inString
		case !inString && (c == ' ' || c == '\n' || c == '\r' || c == '\t'):
			continue
		}
		n++
	}
	return min(n, len(v))
}

// HeadCost is the stable head of the prompt at one point of a session: the
// static tools (without toolHints every tool is one), and what its changes
// cost so far.
type HeadCost struct {
	Tools  int `json:"tools"`  // of the newest connection with a list
	Tokens int `json:"tokens"` // estimated, see HeadTokens
	// Rebuilds is how often the head changed after the first list of a
	// connection, over all connections.
	Rebuilds int `json:"rebuilds"`
	// WithoutHints is how often it would have changed, had every change of
	// what is usable, or how it is defined, been told by list_changed.
	WithoutHints int `json:"without_hints"`
	// WithHints is how often it would have changed, had tools that come and go
	// or are redefined been dynamic: once for each list that names a tool for
	// the first time.
	WithHints int `json:"with_hints"`
}

// HeadChange is one change of the head.
type HeadChange struct {
	Seq       int64    `json:"seq"`
	Index     int      `json:"-"` // position of the frame at which it took effect
	Conn      int      `json:"conn"`
	Rev       int64    `json:"rev,omitempty"` // where a hint brought it about
	Added     []string `json:"added,omitempty"`
	Removed   []string `json:"removed,omitempty"`
	Redefined []string `json:"redefined,omitempty"`
	Reordered bool     `json:"reordered,omitempty"`
	Tools     int      `json:"tools"` // after it
	Tokens    int      `json:"tokens"`
}

// Words tells the change: "+ add, - remove, ~ find", the first names of many.
func (ch *HeadChange) Words() string {
	parts := slices.Concat(signed(ch.Added, "+"), signed(ch.Removed, "-"), signed(ch.Redefined, "~"))
	if ch.Reordered {
		parts = append(parts, "another order")
	}
	return strings.Join(parts, ", ")
}

// signed lists names with a sign, the first four.
func signed(names []string, sign string) []string {
	var out []string
	for i, n := range names {
		if i == 4 {
			return append(out, fmt.Sprintf("%s %d more", sign, len(names)-4))
		}
		out = append(out, sign+" "+Short(n, 64))
	}
	return out
}

// HeadMeter measures the head as a session goes on. It is fed beside a State,
// frame by frame, and is for one goroutine.
type HeadMeter struct {
	cost  HeadCost
	rows  []int // those that the last frame counted
	lists int   // of WithoutHints: those that no rev brought about
	conn  int   // the connection that Tools and Tokens are of
	ever  map[string]bool
	conns map[int]*connHead
	last  *connHead
}

// NewHeadMeter returns a meter that was fed nothing.
func NewHeadMeter() *HeadMeter {
	return &HeadMeter{ever: map[string]bool{}, conns: map[int]*connHead{}}
}

// connHead is the head of one connection.
type connHead struct {
	n          int
	tools      []headTool
	spare      []headTool // to be used again
	listed     bool       // its first list has come
	negotiated bool       // as it was when the head was looked at
	stated     bool       // toolsets/list has told the state
}

// headTool is a tool of the head. Its bytes are those that the State holds.
type headTool struct {
	name string
	raw  []byte
	size int
}

// maxEver bounds the names that are remembered.
const maxEver = 1 << 14

// Cost returns the head and its cost so far.
func (h *HeadMeter) Cost() HeadCost { return h.cost }

// After takes in the frame at position index, which was just applied to s
// with the effects e. It returns the change of the head, nil: there was none.
func (h *HeadMeter) After(index int, f *wire.Frame, s *State, e *Effects) *HeadChange {
	h.rows = h.rows[:0]
	c := s.conn(f.Conn)
	if c == nil {
		return nil
	}
	hc := h.of(f.Conn)
	moved := h.settled(hc, e.Settled)
	if moved == 0 && c.listAt != index && (!hc.listed || c.negotiated() == hc.negotiated) {
		return nil
	}
	was, first := hc.tools, !hc.listed
	hc.tools = c.head(hc.spare[:0], was)
	hc.spare, hc.listed, hc.negotiated = was, hc.listed || c.listAt >= 0, c.negotiated()
	size := 0
	for i := range hc.tools {
		size += hc.tools[i].size
	}
	if f.Conn >= h.conn {
		h.conn, h.cost.Tools, h.cost.Tokens = f.Conn, len(hc.tools), HeadTokens(size)
	}
	var ch *HeadChange
	if !first {
		ch = compareHeads(was, hc.tools)
	}
	if ch != nil {
		ch.Seq, ch.Index, ch.Conn, ch.Rev = f.Seq, index, f.Conn, moved
		ch.Tools, ch.Tokens = len(hc.tools), HeadTokens(size)
		h.rebuilt(ch)
	}
	if c.listAt == index {
		h.remember(c)
	}
	return ch
}

func (h *HeadMeter) of(n int) *connHead {
	if h.last != nil && h.last.n == n {
		return h.last
	}
	hc := h.conns[n]
	if hc == nil {
		hc = &connHead{n: n}
		h.conns[n] = hc
	}
	h.last = hc
	return hc
}

// settled counts the rows that changed what is usable, how it is defined, or
// the head itself. The first statement of a connection is its first list, and
// does not count. moved is the first rev that moved a tool into the head or
// out of it, 0 for none.
func (h *HeadMeter) settled(hc *connHead, settled []Settled) (moved int64) {
	for i := range settled {
		s := &settled[i]
		first := s.Carrier == CarrierList && !hc.stated
		hc.stated = hc.stated || s.Carrier == CarrierList
		counts := slices.ContainsFunc(s.Changes, func(ch Change) bool {
			return ch.Kind == Shown || ch.Kind == Hidden || ch.Kind == Redefined || ch.Kind == Moved || ch.Kind == ClosedIt
		})
		if counts && !first {
			h.cost.WithoutHints++
			h.rows = append(h.rows, s.N)
		}
		if moved == 0 && slices.ContainsFunc(s.Changes, func(ch Change) bool { return ch.Kind == Moved }) {
			moved = s.Rev
		}
	}
	return moved
}

// remember keeps the names of a list: a tool that comes into the head later,
// by a move or by another list, is no new one.
func (h *HeadMeter) remember(c *conn) {
	for _, t := range c.tools {
		if len(h.ever) >= maxEver {
			return
		}
		h.ever[t.name] = true
	}
}

func (h *HeadMeter) rebuilt(ch *HeadChange) {
	h.cost.Rebuilds++
	if ch.Rev == 0 {
		h.cost.WithoutHints++
		h.lists++
	}
	if slices.ContainsFunc(ch.Added, func(name string) bool { return !h.ever[name] }) {
		h.cost.WithHints++
	}
}

// head appends the tools of the head to into. What is known from before is
// not read again.
func (c *conn) head(into, before []headTool) []headTool {
	all := !c.negotiated()
	for _, t := range c.tools {
		if !all && !t.isStatic() {
			continue
		}
		raw := t.declared.raw
		n := len(into)
		if n < len(before) && before[n].name == t.name && bytes.Equal(before[n].raw, raw) {
			into = append(into, headTool{t.name, raw, before[n].size})
			continue
		}
		into = append(into, headTool{t.name, raw, PromptBytes(raw)})
	}
	return into
}

// compareHeads tells how a head differs from the one before, nil: not at all.
func compareHeads(was, now []headTool) *HeadChange {
	if slices.EqualFunc(was, now, func(a, b headTool) bool { return a.name == b.name && bytes.Equal(a.raw, b.raw) }) {
		return nil
	}
	ch := &HeadChange{}
	before := make(map[string]*headTool, len(was))
	for i := range was {
		before[was[i].name] = &was[i]
	}
	var order, kept []string
	for i := range now {
		old := before[now[i].name]
		if old == nil {
			ch.Added = append(ch.Added, now[i].name)
			continue
		}
		order = append(order, now[i].name)
		delete(before, now[i].name)
		if !bytes.Equal(old.raw, now[i].raw) {
			a, b := decodePromptTool(old.raw), decodePromptTool(now[i].raw)
			if !a.same(&b) {
				ch.Redefined = append(ch.Redefined, now[i].name)
			}
		}
	}
	for i := range was {
		if before[was[i].name] != nil {
			ch.Removed = append(ch.Removed, was[i].name)
		} else {
			kept = append(kept, was[i].name)
		}
	}
	ch.Reordered = !slices.Equal(order, kept)
	if len(ch.Added)+len(ch.Removed)+len(ch.Redefined) == 0 && !ch.Reordered {
		return nil
	}
	return ch
}
