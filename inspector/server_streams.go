package inspector

import (
	"strings"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// maxStreams is how many notes of streams are looked back over.
const maxStreams = 200

// web tells what only a link over HTTP has: its session, the version that is
// said with each request, and the streams that are open, each since when.
func (s *serverTale) web() []ServerLine {
	if !strings.HasPrefix(s.init.sent.Via, "http:") && s.init.sent.Via != "sse" {
		return nil
	}
	lines := s.webSession()
	asked := "initialize"
	if s.stateless {
		asked = "server/discover"
		if s.b.Protocol != "" {
			lines = append(lines, labelled("version", s.init.at.Index, plain(oneLine(s.b.Protocol)), quiet("   said with each request")))
		}
	}
	if v := wire.StringOf(wire.Member(s.init.reply.Result, "protocolVersion")); v != "" && s.init.ok() {
		lines = append(lines, labelled("version", s.init.answerAt.index, plain(oneLine(v)), quiet("   said with each request")))
	}
	if status := wire.Member(s.init.came.HTTP, "status"); status != nil && s.init.answered() {
		lines = append(lines, labelled("status", s.init.answerAt.index, plain(oneLine(string(status))), quiet("   of the answer to "+asked)))
	}
	return append(lines, s.streams()...)
}

// webSession tells how the session at the server began, and whether it was
// given back.
func (s *serverTale) webSession() []ServerLine {
	if s.stateless {
		return []ServerLine{labelled("session", s.init.at.Index, plain("none"), quiet("   this version of MCP has no sessions"))}
	}
	marks, _ := s.log.Landmarks(timeline.SessionNoted, s.b.Conn, s.b.Index, 2)
	if len(marks) == 0 {
		if s.init.ok() && wire.Member(s.init.came.HTTP, "headers") != nil && strings.HasPrefix(s.init.sent.Via, "http:") {
			return []ServerLine{labelled("session", s.init.answerAt.index, plain("none"), quiet("   the server gave no Mcp-Session-Id"))}
		}
		return nil
	}
	var lines []ServerLine
	for _, m := range marks {
		f, err := s.log.Frame(m.Index)
		if err != nil {
			continue
		}
		what, words := webNote("session", f.Data)
		l := labelled("session", m.Index, plain(strings.TrimPrefix(what, "session ")))
		if words != "" {
			l.Spans = append(l.Spans, quiet("   "+words))
		}
		l.Right = "frame " + seq(f.Seq)
		lines = append(lines, l)
	}
	return lines
}

// streams folds the notes of streams into those that are open or rest.
func (s *serverTale) streams() []ServerLine {
	marks, _ := s.log.Landmarks(timeline.StreamNoted, s.b.Conn, s.b.Index, maxStreams)
	type stream struct {
		via  string
		line ServerLine
	}
	var open []stream
	none := ServerLine{Index: -1}
	drop := func(via string) {
		for i := range open {
			if open[i].via == via {
				open = append(open[:i], open[i+1:]...)
				return
			}
		}
	}
	for _, m := range marks {
		f, err := s.log.Frame(m.Index)
		if err != nil {
			continue
		}
		via, state := member(f.Data, "via"), member(f.Data, "state")
		drop(via)
		drop(member(f.Data, "follows"))
		l := labelled("stream", m.Index, plain(oneLine(via)+"  "))
		l.Right = "frame " + seq(f.Seq)
		switch state {
		case "open", "resumed":
			l.Spans = append(l.Spans, Span{Text: "open", Tone: Good}, plain(" since "+Clock(f.T)))
		case "waiting":
			l.Spans = append(l.Spans, loud("rests"), plain(" since "+Clock(f.T)+", for "+oneLine(scalar(f.Data, "seconds"))+" s"))
		case "none":
			none = labelled("stream", m.Index, plain("no listening stream"), quiet("   status "+oneLine(string(wire.Path(f.Data, "http", "status")))))
			continue
		default:
			continue
		}
		if reason := member(f.Data, "reason"); reason != "" {
			l.Spans = append(l.Spans, quiet("   "+oneLine(reason)))
		}
		open = append(open, stream{via, l})
	}
	if s.b.Link.Closed != nil {
		return nil
	}
	var lines []ServerLine
	for _, o := range open {
		lines = append(lines, o.line)
	}
	if none.Index >= 0 {
		lines = append(lines, none)
	}
	return lines
}
