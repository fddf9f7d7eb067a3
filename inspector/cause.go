package inspector

import (
	"strings"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// cause is what brought something about, told from its frame alone: nothing
// has to be reduced again for it, however far back it lies.
type cause struct {
	index int
	seq   int64
	arrow string // as CarrierArrow: → for what a request of ours caused, ← for the server's own doing, "" for a note
	words string // "call play@vs-ada", "open game vs-ada", "push mv-0088", "tools/list"
	where string // the instance, or else the toolset, that was opened or closed
	verb  string // open, close, "" for anything else
	text  string // the server's own words
	who   author
}

// author is whose doing a cause was.
type author uint8

const (
	unknown author = iota
	byYou
	byServer
	byList     // a toolsets/list result, which states all
	byManifest // an initialize or manifest result
	byNote     // the user, here alone
)

func (a author) String() string {
	return [...]string{
		"", "by you", "by the server", "by a full list, which does not name it", "by the manifest, which no longer declares it so",
		"by you, here alone",
	}[a]
}

// short is a cause with its arrow, in a place whose toolset is understood:
// "→ open vs-ada".
func (c cause) short() string {
	words := c.words
	if c.verb != "" {
		words = c.verb + " " + oneLine(c.where)
	}
	return strings.TrimSpace(c.arrow + " " + words)
}

// causeAt tells what the frame at position i brought; row is the row that is
// meant, -1 for none.
func causeAt(log *timeline.Log, i, row int) cause {
	c := cause{index: i}
	if i < 0 || i >= log.Len() {
		return c
	}
	c.seq = log.Entry(i).Seq
	f, err := log.Frame(i)
	if err != nil {
		c.words = "a frame that cannot be read"
		return c
	}
	switch f.Dir {
	case timeline.Note:
		h := HeadlineOf(log, i)
		c.words = h.Text()
		if f.Name == "group-open" || f.Name == "group-close" {
			c.who = byNote
		}
		return c
	case timeline.Err:
		c.arrow, c.words = ArrowErr, "stderr"
		return c
	}
	m, ok := carrying(log, f, i, row)
	if !ok {
		c.words = "no message"
		return c
	}
	c.message(log, m)
	return c
}

// carrying returns the message of the frame at position i that gave a row,
// or, for row -1, the first of all. Of a batch it is the one with the row's
// rev; where a rev stands twice, the one in its place.
func carrying(log *timeline.Log, f timeline.Frame, i, row int) (m wire.Head, ok bool) {
	var rev int64
	skip := 0
	if row >= 0 {
		rev = log.RowHead(row).Rev
		for n := max(log.Entry(i).Row, 0); n < row; n++ {
			if log.RowHead(n).Rev == rev {
				skip++
			}
		}
	}
	for h := range f.Messages {
		if !ok {
			m, ok = h, true
		}
		if row < 0 {
			break
		}
		if raw := hintsIn(h); raw == nil || mcpl.DecodeRev(wire.Member(raw, "rev")) != rev {
			continue
		}
		if skip == 0 {
			return h, true
		}
		skip--
	}
	return m, ok
}

func (c *cause) message(log *timeline.Log, m wire.Head) {
	switch {
	case m.Method == "push/event":
		c.arrow, c.who = ArrowIn, byServer
		c.words = strings.TrimSpace("push " + oneLine(member(m.Params, "eventId")))
		c.text = contentText(wire.Path(m.Params, "payload", "content"))
	case m.Method == "tools/hints":
		c.arrow, c.words, c.who = ArrowIn, "hints", byServer
		c.text = member(m.Params, "reason")
	case m.Method != "":
		c.words = oneLine(m.Method)
	default:
		c.arrow, c.who = ArrowOut, byYou
		c.words = "an answer"
		if p := log.Entry(c.index).Pair; p >= 0 {
			if g, err := log.Frame(p); err == nil {
				if q, ok := partner(g, m); ok {
					c.answer(q, m)
				}
			}
		}
	}
}

// answer tells the request that brought it about.
func (c *cause) answer(q, m wire.Head) {
	switch q.Method {
	case "tools/call":
		c.words, c.who = "call "+oneLine(at(member(q.Params, "name"), instanceOf(q.Params), false)), byServer
		c.text = contentText(wire.Member(m.Result, "content"))
	case "toolsets/open", "toolsets/close":
		set, in := member(q.Params, "toolset"), orElse(member(q.Params, "instance"), member(m.Result, "instance"))
		c.verb, c.where = strings.TrimPrefix(q.Method, "toolsets/"), orElse(in, set)
		c.words = c.verb + " " + oneLine(place(set, in))
		c.text = contentText(wire.Member(m.Result, "content"))
	case "toolsets/list":
		c.words, c.who = "list", byList
	case "initialize", "mcpl/manifest":
		c.words, c.who = oneLine(q.Method), byManifest
	default:
		c.words = oneLine(q.Method)
	}
}

// causeOf tells what brought a By about, and the row that it was, -1 for
// none. A rev that was held is told by its own frame, not by the one that let
// it go.
func causeOf(log *timeline.Log, conn int, by timeline.By) (c cause, row int) {
	if by.Index < 0 || by.Index >= log.Len() {
		return cause{index: -1}, -1
	}
	if by.Rev > 0 {
		if n := log.RowOf(conn, by.Rev); n >= 0 {
			return causeOfRow(log, n), n
		}
	}
	return causeAt(log, by.Index, -1), -1
}

func causeOfRow(log *timeline.Log, n int) cause {
	return causeAt(log, log.RowHead(n).Index, n)
}

// hintsOfRow returns the hints of row n as they were sent, nil where its
// frame cannot be read.
func hintsOfRow(log *timeline.Log, n int) []byte {
	i := log.RowHead(n).Index
	f, err := log.Frame(i)
	if err != nil {
		return nil
	}
	m, ok := carrying(log, f, i, n)
	if !ok {
		return nil
	}
	return hintsIn(m)
}
