package inspector

import (
	"strconv"
	"strings"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// link tells of the process, or of what else leads to the server: what was
// started, since when, how it ended.
func (s *serverTale) link() ServerSection {
	head := "LINK"
	if s.isProcess() {
		head = "PROCESS"
	}
	lines := s.started()
	if m, ok := s.log.FirstLandmark(timeline.LinkUp, s.b.Conn, s.b.Index); ok {
		if f, err := s.log.Frame(m.Index); err == nil {
			if pid := scalar(f.Data, "pid"); pid != "" {
				lines = append(lines, labelled("pid", m.Index, plain(oneLine(pid))))
			}
			l := labelled("since", m.Index, plain(Clock(f.T)))
			l.Right = "frame " + seq(f.Seq)
			lines = append(lines, l)
		}
	} else {
		lines = append(lines, labelled("since", -1, plain(Clock(s.b.Link.Started)), quiet("   no note says that it was made")))
	}
	lines = append(lines, s.web()...)
	end, words := s.ended()
	for _, l := range lines { // what was run, or asked for
		switch strings.TrimSpace(l.Spans[0].Text) {
		case "command", "address", "target":
			words += "   " + l.Spans[1].Text
		case "folder":
			words += " in " + l.Spans[1].Text
		}
	}
	return section(KeyLink, head, words, append(lines, end...))
}

// isProcess reports whether the server is a process that was started for the
// session.
func (s *serverTale) isProcess() bool {
	if s.target.Kind != "" {
		return s.target.Kind == "stdio"
	}
	return isProcess(s.log, s.b)
}

// started says what was run or asked for: as the note "connect" has it, else
// as the user gave it. Of variables only the names are known.
func (s *serverTale) started() []ServerLine {
	var data []byte
	index := -1
	if m, ok := s.log.FirstLandmark(timeline.ConnBegan, s.b.Conn, s.b.Index); ok {
		index = m.Index
		if f, err := s.log.Frame(index); err == nil && f.Dir == timeline.Note && f.Name == "connect" {
			data = f.Data
		}
	}
	var out []ServerLine
	add := func(label, text string) {
		if text != "" {
			out = append(out, labelled(label, index, plain(oneLine(text))))
		}
	}
	command, dir, env := stringsOf(wire.Member(data, "command")), member(data, "cwd"), stringsOf(wire.Member(data, "env"))
	if len(command) == 0 {
		command = s.target.Command
	}
	if wire.Member(data, "env") == nil {
		env = s.target.Env
	}
	add("command", strings.Join(command, " "))
	add("folder", orElse(dir, s.target.Dir))
	add("address", member(data, "url"))
	if len(out) == 0 {
		add("target", s.target.Title)
	}
	if len(env) > 0 {
		l := labelled("variables", index, plain(list(env)), quiet("   values are never kept"))
		out = append(out, l)
	}
	if names := stringsOf(wire.Member(data, "headers")); len(names) > 0 {
		out = append(out, labelled("headers", index, plain(list(names)), quiet("   values are never kept")))
	}
	if string(wire.Member(data, "token")) == "true" {
		out = append(out, labelled("token", index, plain("sent"), quiet("   never kept")))
	}
	if via := s.via(); via != "" {
		add("messages", via)
	}
	return out
}

// via says how messages travel, by the first one of the connection.
func (s *serverTale) via() string {
	via, _, _ := strings.Cut(s.init.sent.Via, ":")
	switch via {
	case "stdio":
		return "over stdin and stdout, one a line"
	case "http":
		return "over Streamable HTTP, on several streams"
	case "sse":
		return "over HTTP with server-sent events"
	case "ws":
		return "over a WebSocket"
	case "inproc":
		return "within this program"
	}
	return oneLine(via)
}

// ended says how the connection ended, or that it goes on.
func (s *serverTale) ended() (lines []ServerLine, words string) {
	c := s.b.Link.Closed
	if c == nil {
		words = "open"
		if s.isProcess() {
			words = "running"
		}
		return []ServerLine{labelled("state", -1, Span{Text: words, Tone: Good})}, words
	}
	words = endWords(c, s.isProcess())
	l := labelled("ended", c.Index, loud(words), plain(", "+Clock(c.T)))
	l.Right = "frame " + seq(s.log.Entry(c.Index).Seq)
	lines = append(lines, l)
	if c.Reason != "" {
		lines = append(lines, labelled("reason", c.Index, peer(oneLine(c.Reason))))
	}
	if n := len(s.b.Calls); n > 0 {
		text := Count(n, "request") + " without an answer: "
		var methods []string
		for _, call := range s.b.Calls {
			methods = append(methods, call.Method)
		}
		lines = append(lines, labelled("left open", s.b.Calls[0].Index, plain(text+list(methods))))
	}
	return lines, words
}

// endWords tells in a few words how a connection ended: "exit code 137, by
// the server".
func endWords(c *timeline.Closing, process bool) string {
	var parts []string
	if c.Code != nil && (process || c.Via != "") {
		parts = append(parts, c.CodeWords())
	} else if c.Code != nil {
		parts = append(parts, "code "+strconv.Itoa(*c.Code))
	}
	if c.Signal != "" {
		parts = append(parts, "signal "+oneLine(c.Signal))
	}
	switch c.By {
	case "host":
		parts = append(parts, "closed from here")
	case "server":
		parts = append(parts, "by the server")
	case "link":
		parts = append(parts, "the link broke")
	}
	if len(parts) == 0 {
		return "closed"
	}
	return strings.Join(parts, ", ")
}

// maxConns is how many connections are told.
const maxConns = 40

// connections lists the connections of the session with their time, newest
// last, and how each ended.
func (s *serverTale) connections() ServerSection {
	conns, earlier := s.log.Conns(s.b.Index, maxConns)
	var lines []ServerLine
	if earlier > 0 {
		lines = append(lines, empty("… "+strconv.Itoa(earlier)+" earlier"))
	}
	for _, n := range conns {
		lines = append(lines, s.connection(n))
	}
	note := strconv.Itoa(len(conns) + earlier)
	if s.b.Conn > 0 && len(conns)+earlier > 1 {
		note += ", this is " + strconv.Itoa(s.b.Conn)
	}
	return section(KeyConnections, "CONNECTIONS", note, lines)
}

func (s *serverTale) connection(n int) ServerLine {
	l := ServerLine{Index: -1, Hang: labelWidth}
	l.Wrap = true
	from, frames := time.Duration(0), ""
	if m, ok := s.log.FirstLandmark(timeline.ConnBegan, n, s.b.Index); ok {
		e := s.log.Entry(m.Index)
		l.Index, from, frames = m.Index, e.T, "from frame "+seq(e.Seq)
	}
	tone := Plain
	if n == s.b.Conn {
		tone = Loud
	}
	to, words := "", "no end is recorded so far"
	if m, _ := s.log.Landmarks(timeline.LinkDown, n, s.b.Index, 1); len(m) == 1 {
		e := s.log.Entry(m[0].Index)
		to, frames = Clock(e.T), strings.Replace(frames, "from frame", "frames", 1)+" to "+seq(e.Seq)
		l.Index = m[0].Index
		words = "ended"
		if f, err := s.log.Frame(m[0].Index); err == nil {
			c := timeline.DecodeClosing(f.Data)
			words = endWords(c, s.isProcess())
			if c.Reason != "" {
				words += ": " + oneLine(c.Reason)
			}
		}
	} else if n == s.b.Conn {
		to, words = "here", "open"
	}
	span := Clock(from)
	if to != "" {
		span += " to " + to
	}
	l.Spans = []Span{{Text: pad(strconv.Itoa(n), 3), Tone: tone}, quiet(span + "   "), {Text: words, Tone: tone}}
	l.Right = frames
	return l
}
