package conform

import (
	"fmt"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/timeline"
)

var (
	cacheRebuild = &Rule{
		ID: "cache-rebuild", Level: Info, perConn: true,
		Meaning: "A change of the static tools changes the head of the prompt, so that a host rebuilds its cache.",
		Source:  "toolhints.md §1",
		Mend:    "Make what comes and goes dynamic, and tell of it by hints.",
	}
	cacheChurn = &Rule{
		ID: "cache-churn", Level: Warning, perConn: true,
		Meaning: "A tool that comes and goes is dynamic, and told of by hints, not by list_changed.",
		Source:  "toolhints.md §1, “each tools/list_changed makes the host rebuild its whole prompt cache”",
		Mend:    `List the tool always, with "mcpl/presence":"dynamic", and say by hints whether it is visible.`,
	}
)

var costRules = []*Rule{cacheRebuild, cacheChurn}

// Head is the stable head of the prompt: the static tools, and what their
// changes cost. Without toolHints every tool is static.
type Head struct {
	Tools  int `json:"tools"`  // of the newest connection with a list
	Tokens int `json:"tokens"` // estimated, see Tokens
	// Rebuilds is how often the head changed after the first list of a
	// connection, over all connections.
	Rebuilds int `json:"rebuilds"`
	// WithoutHints is how often it would have changed, had every change of
	// what is usable, or how it is defined, been told by list_changed.
	WithoutHints int `json:"without_hints"`
	// WithHints is how often it would have changed, had tools that come and go
	// or are redefined been dynamic: once for each list that names a tool for
	// the first time.
	WithHints int          `json:"with_hints"`
	Changes   []HeadChange `json:"changes,omitempty"` // the first ones
}

// HeadChange is one change of the head.
type HeadChange struct {
	Seq       int64    `json:"seq"`
	Index     int      `json:"-"`
	Conn      int      `json:"conn"`
	Rev       int64    `json:"rev,omitempty"` // where a hint brought it about
	Added     []string `json:"added,omitempty"`
	Removed   []string `json:"removed,omitempty"`
	Redefined []string `json:"redefined,omitempty"`
	Reordered bool     `json:"reordered,omitempty"`
	Tools     int      `json:"tools"` // after it
	Tokens    int      `json:"tokens"`
}

// maxHeadChanges is how many changes of the head are kept in full.
const maxHeadChanges = 256

// Tokens estimates how many tokens n bytes of definitions cost in a prompt: a
// token for four bytes.
func Tokens(n int) int { return (n + 2) / 4 }

// about is an estimate as it is shown: rounded to ten from a hundred on.
func about(tokens int) string {
	if tokens >= 100 {
		tokens = (tokens + 5) / 10 * 10
	}
	return fmt.Sprintf("~%d tok", tokens)
}

func tools(n int) string {
	if n == 1 {
		return "1 tool"
	}
	return fmt.Sprintf("%d tools", n)
}

// head follows the static tools.
type head struct {
	sum   Head
	conn  int // the connection that Tools and Tokens are of
	ever  map[string]bool
	conns map[int][]headTool
	// counted: the row at hand is counted in WithoutHints already.
	counted bool
}

type headTool struct {
	name string
	hash uint64
	size int
}

// row counts a row that changed what is usable or how it is defined. The
// first statement of a connection is its first list.
func (h *head) row(c *conn, s *timeline.Settled, of held) {
	h.counted = of.carrier == timeline.CarrierList && c.states <= 1
	if h.counted {
		return
	}
	if slices.ContainsFunc(s.Changes, func(ch timeline.Change) bool {
		switch ch.Kind {
		case timeline.Shown, timeline.Hidden, timeline.Redefined, timeline.ClosedIt:
			return true
		}
		return false
	}) {
		h.sum.WithoutHints++
		h.counted = true
	}
}

// headNow compares the head with what it was.
func (j *Judge) headNow(c *conn, at spot) {
	h := &j.head
	if h.conns == nil {
		h.conns, h.ever = map[int][]headTool{}, map[string]bool{}
	}
	was := h.conns[c.n]
	var now []headTool
	size, all := 0, !j.view.Negotiated()
	for t := range j.view.EachTool {
		if all || t.Static {
			now = append(now, headTool{t.Name, j.headHash(&t), len(t.Declared)})
			size += len(t.Declared)
		}
	}
	h.conns[c.n] = now
	if c.n >= h.conn {
		h.conn, h.sum.Tools, h.sum.Tokens = c.n, len(now), Tokens(size)
	}
	if c.lists > 1 || was != nil {
		j.rebuilt(c, was, now, at)
	}
	for i := range now {
		if len(h.ever) < maxTools {
			h.ever[now[i].name] = true
		}
	}
	if now == nil {
		h.conns[c.n] = []headTool{}
	}
}

// headHash is of what a model is given of a tool.
func (j *Judge) headHash(t *timeline.ToolState) uint64 {
	var h maphash.Hash
	h.SetSeed(j.schemas.seed)
	for _, part := range [][]byte{t.Description, t.InputSchema} {
		_, _ = h.Write(part) // never fails
		_ = h.WriteByte(0)
	}
	return h.Sum64()
}

// rebuilt notes a change of the head.
func (j *Judge) rebuilt(c *conn, was, now []headTool, at spot) {
	ch := HeadChange{Seq: at.seq, Index: at.index, Conn: c.n, Rev: at.rev, Tools: len(now)}
	before := make(map[string]uint64, len(was))
	for _, t := range was {
		before[t.name] = t.hash
	}
	size, fresh := 0, false
	var order []string
	for _, t := range now {
		size += t.size
		hash, known := before[t.name]
		switch {
		case !known:
			ch.Added = append(ch.Added, t.name)
			fresh = fresh || !j.head.ever[t.name]
		case hash != t.hash:
			ch.Redefined = append(ch.Redefined, t.name)
		}
		if known {
			order = append(order, t.name)
		}
		delete(before, t.name)
	}
	var kept []string
	for _, t := range was {
		if _, gone := before[t.name]; gone {
			ch.Removed = append(ch.Removed, t.name)
		} else {
			kept = append(kept, t.name)
		}
	}
	ch.Reordered = !slices.Equal(order, kept)
	if len(ch.Added)+len(ch.Removed)+len(ch.Redefined) == 0 && !ch.Reordered {
		return
	}
	ch.Tokens = Tokens(size)
	j.head.note(ch, fresh)
	if f := j.found(cacheRebuild, at, thing{}, ""); f != nil {
		f.Message = fmt.Sprintf("The head of the prompt changed (%s), so a host rebuilds its cache: %s now, %s.", ch.words(), tools(ch.Tools), about(ch.Tokens))
		f.Expected = "the same static tools as before"
		f.Seen = ch.words()
	}
	if at.rev == 0 {
		j.churn(c, &ch, at)
	}
}

func (h *head) note(ch HeadChange, fresh bool) {
	h.sum.Rebuilds++
	if ch.Rev == 0 || !h.counted {
		h.sum.WithoutHints++
	}
	if fresh {
		h.sum.WithHints++
	}
	if len(h.sum.Changes) < maxHeadChanges {
		h.sum.Changes = append(h.sum.Changes, ch)
	}
}

// words tells a change: "+ add, - remove, ~ find".
func (ch *HeadChange) words() string {
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
		out = append(out, sign+" "+cut(n, 64))
	}
	return out
}

// churning is how often a tool must have come and gone to be dynamic by
// nature.
const churning = 3

// churn counts the tools that come and go by list_changed.
func (j *Judge) churn(c *conn, ch *HeadChange, at spot) {
	for _, name := range ch.Added {
		if s := c.tools[name]; s != nil {
			s.came++
		}
	}
	for _, name := range ch.Removed {
		s := c.tools[name]
		if s == nil {
			continue
		}
		if s.came == 0 {
			s.first = true // it was there from the beginning
		}
		s.went++
		came := s.came
		if s.first {
			came++
		}
		if min(came, s.went) < churning {
			continue
		}
		th := thing{tool: name}
		f := j.found(cacheChurn, at, th, "")
		if f == nil {
			f = j.store.known(cacheChurn, cacheChurn.Level, at.conn, th, "")
		}
		if f == nil {
			continue
		}
		f.Message = fmt.Sprintf("%s came and went %d times by list_changed; as a dynamic tool with hints it would have saved %d rebuilds of the prompt cache, of %s each.",
			f.tool(), s.went, s.came+s.went, about(ch.Tokens))
		f.Expected = "a dynamic tool, shown and hidden by hints"
		f.Seen = ch.words()
	}
}

// Head returns the stable head of the prompt, and what its changes cost.
func (j *Judge) Head() Head {
	h := j.head.sum
	h.Changes = slices.Clone(h.Changes)
	return h
}
