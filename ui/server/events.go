package server

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// Bounds on what is looked at to draw one page.
const (
	mostFrames = 4000 // of a connection, for what was heard
	mostStderr = 200  // lines
	mostBack   = 20000
)

// heard is what came from the server by stdout, and when stderr spoke last.
type heard struct {
	messages, lines int // lines are those that are no message
	bytes           int
	stderr          int
	lastErr         time.Duration
	more            bool // there was more than was looked at
}

// heard counts what the connection brought up to the playhead.
func (v *start) heard(c *view.Context) heard {
	var n heard
	from := v.start(c)
	if from < 0 {
		return n
	}
	for i := from; i <= c.At && i < c.Len; i++ {
		if i-from >= mostFrames {
			n.more = true
			break
		}
		switch e := c.Log.Entry(i); {
		case e.Conn != c.Board.Conn:
		case e.Dir == timeline.In && e.Kind == timeline.Invalid:
			n.lines, n.bytes = n.lines+1, n.bytes+e.Size
		case e.Dir == timeline.In:
			n.messages, n.bytes = n.messages+1, n.bytes+e.Size
		case e.Dir == timeline.Err:
			n.stderr, n.lastErr = n.stderr+1, e.T
		}
	}
	return n
}

// start is the position of the connection's first frame, -1 if there is none.
func (v *start) start(c *view.Context) int {
	b := c.Board
	if c.Log == nil || b.Index < 0 {
		return -1
	}
	if v.log == c.Log && v.conn == b.Conn && v.began >= 0 {
		return v.began
	}
	v.log, v.conn, v.began = c.Log, b.Conn, c.Log.FirstFrame(b.Conn)
	return v.began
}

// started says what was run, where, and with which variables.
func (v *start) started(c *view.Context) []line {
	f := v.connectNote(c)
	what := strings.Join(f.Command, " ")
	if what == "" {
		what = v.facts.Title
	}
	l := line{x: 3, text: "STARTED", style: kit.As(kit.Title), more: what, moreX: 14}
	if v.facts.Kind != "stdio" && len(f.Command) == 0 {
		l.text = "TARGET"
	}
	if f.Dir != "" {
		l.right = "in " + f.Dir
	}
	out := []line{l}
	if len(f.Env) > 0 {
		out = append(out, line{
			x: 14, text: "with " + strings.Join(f.Env, ", ") + " set (values are never kept)", style: kit.As(kit.Normal),
		})
	}
	b := c.Board
	if b.Server.Name != "" {
		text := strings.TrimSpace(b.Server.Name + " " + b.Server.Version)
		text += "   MCP " + b.Protocol
		if b.MCPL != "" {
			text += "   MCPL " + b.MCPL
		}
		switch {
		case b.ToolHints:
			text += "   toolHints ✓"
		case b.MCPL == "":
			text += "   no MCPL: a plain MCP server"
		case b.ServerHints:
			text += "   toolHints not offered by this host"
		default:
			text += "   no toolHints"
		}
		out = append(out, line{x: 3, text: "SERVER", style: kit.As(kit.Title), more: text, moreX: 14})
	}
	return out
}

// connect is what the note "connect" holds.
type connect struct {
	Command []string `json:"command"`
	Dir     string   `json:"cwd"`
	Env     []string `json:"env"`
}

func (v *start) connectNote(c *view.Context) connect {
	f := connect{Command: v.facts.Command, Dir: v.facts.Dir, Env: v.facts.EnvSet}
	i := v.start(c)
	if i < 0 {
		return f
	}
	frame, err := c.Log.Frame(i)
	if err != nil || frame.Dir != timeline.Note || frame.Name != "connect" || frame.Data == nil {
		return f
	}
	var noted connect
	if json.Unmarshal(frame.Data, &noted) == nil && len(noted.Command) > 0 {
		return noted
	}
	return f
}

// events tells the connection step by step, with the time since it began.
func (v *start) events(c *view.Context) []line {
	b := c.Board
	began := b.Link.Started
	at := func(t time.Duration, text string, style kit.Style) line {
		return line{x: 3, text: fmt.Sprintf("%.3f s", (t - began).Seconds()), style: kit.As(kit.Dim), more: text, moreX: 14}.with(style)
	}
	var out []line
	if t := b.Link.Connected; t > 0 && len(b.Link.Steps) > 0 {
		text := "connected"
		if v.facts.Kind == "http" {
			text = "ready; each message is an HTTP request of its own"
		}
		out = append(out, at(t, text, kit.As(kit.Normal)))
	}
	for _, s := range b.Link.Steps {
		out = append(out, at(s.SentAt, v.step(c, s), kit.As(kit.Normal)))
	}
	if b.ListAt < 0 {
		if n := v.heard(c); n.stderr+n.lines > 0 {
			text := fmt.Sprintf("┆ %s on stderr, %s on stdout", count(n.stderr, "line"), inspector.Size(int64(n.bytes)))
			if v.remote() {
				text = "← " + inspector.Size(int64(n.bytes)) + v.status(c)
			}
			if n.more {
				text += ", and more"
			}
			out = append(out, at(max(n.lastErr, began), text, kit.As(kit.Normal)))
		}
		out = append(out, v.strangers(c)...)
	}
	if cl := b.Link.Closed; cl != nil {
		out = append(out, at(cl.T, v.closing(b, cl), kit.As(kit.Bright)))
	}
	return out
}

// remote reports whether the server is at an address, not a process.
func (v *start) remote() bool {
	return v.facts.Kind == "http" || v.facts.Kind == "sse" || v.facts.Kind == "ws"
}

// status is the status of the last response of HTTP on the connection:
// ", status 502", "" where none is known.
func (v *start) status(c *view.Context) string {
	for i := min(c.At, c.Len-1); i >= max(v.start(c), 0); i-- {
		if e := c.Log.Entry(i); e.Conn != c.Board.Conn || e.Dir != timeline.In {
			continue
		}
		if f, err := c.Log.Frame(i); err == nil {
			if status := gjson.GetBytes(f.HTTP, "status"); status.Exists() {
				return ", status " + status.Raw
			}
		}
		return ""
	}
	return ""
}

func (l line) with(style kit.Style) line {
	l.dim = style.Role == kit.Dim
	return l
}

// step is one step of the handshake.
func (v *start) step(c *view.Context, s timeline.Step) string {
	text := "→ " + s.Name
	switch {
	case s.Answered >= 0 && s.OK:
		text = fmt.Sprintf("%-18s✓ %s", text, inspector.Took(s.Took))
	case s.Answered >= 0:
		text = fmt.Sprintf("%-18s! %s", text, inspector.Took(s.Took))
	case c.Board.Link.Phase == timeline.Closed:
		return text + ", " + inspector.Size(int64(c.Log.Entry(s.Sent).Size)) + ", written"
	default:
		return fmt.Sprintf("%-18s◌ %.1f s", text, max(c.Now-s.SentAt, 0).Seconds())
	}
	if s.Note != "" {
		text += "   " + s.Note
	}
	return text
}

// strangers are the first lines that came on stdout and are no messages.
func (v *start) strangers(c *view.Context) []line {
	const most = 3
	var out []line
	from := v.start(c)
	for i := max(from, 0); i <= c.At && i < c.Len && len(out) < most && i-from < mostFrames; i++ {
		e := c.Log.Entry(i)
		if e.Conn != c.Board.Conn || e.Dir != timeline.In || e.Kind != timeline.Invalid {
			continue
		}
		f, err := c.Log.Frame(i)
		if err != nil {
			continue
		}
		out = append(out, line{
			x: 14, text: "← " + string(f.Body[:min(len(f.Body), 200)]), style: kit.As(kit.Bright), right: "frame " + fmt.Sprint(e.Seq),
		})
	}
	return out
}

// closing says how the connection ended.
func (v *start) closing(b *timeline.Board, cl *timeline.Closing) string {
	sign := "✗ "
	if cl.By == "host" {
		sign = ""
	}
	var parts []string
	if notMade(b) && cl.By == "link" {
		if v.remote() {
			return sign + "no connection"
		}
		return sign + "not started" // why is the page's first sentence
	}
	switch {
	case cl.Code != nil:
		parts = append(parts, cl.CodeWords())
		if cl.Signal == "" && cl.Via == "" && b.ListAt < 0 {
			parts = append(parts, "no signal")
		}
	case cl.Signal != "":
		parts = append(parts, "ended by signal "+cl.Signal)
	case cl.By != "":
		parts = append(parts, "closed by the "+cl.By)
	}
	if cl.Reason != "" {
		parts = append(parts, cl.Reason)
	}
	if len(parts) == 0 {
		parts = append(parts, "closed")
	}
	return sign + strings.Join(parts, ", ")
}

// addStderr adds what the server said on stderr, the last lines of it.
func (v *start) addStderr(c *view.Context, p *page) {
	b := c.Board
	if b.Link.Stderr == 0 || c.Log == nil {
		return
	}
	var lines []line
	var seqs []int64
	from := v.start(c)
	for i, back := min(b.Link.LastErr, c.At), 0; i >= from && i >= 0 && len(lines) < mostStderr && back < mostBack; i, back = i-1, back+1 {
		e := c.Log.Entry(i)
		if e.Dir != timeline.Err || e.Conn != b.Conn {
			continue
		}
		f, err := c.Log.Frame(i)
		if err != nil {
			continue
		}
		lines = append(lines, stderrLine(string(f.Body[:min(len(f.Body), 1000)])))
		seqs = append(seqs, e.Seq)
	}
	for i, k := 0, len(lines)-1; i < k; i, k = i+1, k-1 {
		lines[i], lines[k] = lines[k], lines[i]
		seqs[i], seqs[k] = seqs[k], seqs[i]
	}
	p.stderr = lines
	p.said = func(from, shown int) line { return stderrHead(from, shown, b.Link.Stderr, seqs) }
}

// stderrLine is one line; the one that names the error is bright, those of a
// stack are dim.
func stderrLine(text string) line {
	text = strings.TrimRight(text, " \t\r")
	l := line{x: 3, text: "┆", style: kit.As(kit.Dim), more: text, moreX: 6, dim: true}
	if namesError(text) {
		l.dim = false
	}
	return l
}

// stderrHead says which lines stand below it: of those that are at hand shown
// ones from from on, of all that there were.
func stderrHead(from, shown, all int, seqs []int64) line {
	text := "all of it"
	switch {
	case shown < all && from+shown == len(seqs):
		text = fmt.Sprintf("the last %d of %d lines", shown, all)
	case shown < all:
		text = fmt.Sprintf("%d of %d lines, from the one that names the error", shown, all)
	}
	if len(seqs) > 0 && shown > 0 {
		first, last := seqs[from], seqs[from+shown-1]
		if shown == 1 {
			text += fmt.Sprintf(", frame %d", first)
		} else {
			text += fmt.Sprintf(", frames %d to %d", first, last)
		}
	}
	return line{x: 3, text: "STDERR", style: kit.As(kit.Title), more: text, moreX: 14}
}
