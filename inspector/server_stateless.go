package inspector

import (
	"strings"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// discoveredServer tells what the server said of itself in its answer to
// server/discover (MCP 2026-07-28).
func (s *serverTale) discoveredServer() ServerSection {
	r, index := s.init.reply.Result, s.init.answerAt.index
	name := strings.TrimSpace(s.b.Server.Name + " " + s.b.Server.Version)
	first := labelled("name", index, Span{Text: oneLine(orElse(name, "none")), Tone: Peer})
	if title := member(r, "_meta", mcpl.MetaServer, "title"); title != "" {
		first.Spans = append(first.Spans, peer("   "+Quote(title)))
	}
	first.Right = "frame " + seq(s.init.came.Seq)
	lines := []ServerLine{
		first,
		labelled("protocol", index, plain("MCP "+oneLine(orElse(s.b.Protocol, "of no version"))), quiet("   no handshake, no session: each request says it")),
		labelled("offers", index, plain(orElse(capabilityWords(wire.Member(r, "capabilities")), "nothing"))),
	}
	if text := member(r, "instructions"); text != "" {
		lines = append(lines, labelled("instructions", index, peer(oneLine(text))))
	}
	for _, call := range s.b.Listening {
		lines = append(lines, labelled("tells", call.Index, plain("by itself, as asked by subscriptions/listen"), quiet("   open since frame "+seq(call.Seq))))
	}
	lines = append(lines, others(r, index, "capabilities", "instructions", "_meta", "resultType")...)
	return section(KeyServer, "SERVER", strings.TrimPrefix(oneLine(name)+", MCP "+oneLine(s.b.Protocol), ", "), lines)
}

// statelessHost tells what this host says of itself with each request (MCP
// 2026-07-28, "_meta").
func (s *serverTale) statelessHost() ServerSection {
	meta, index := wire.Member(s.init.question.Params, "_meta"), s.init.at.Index
	name := strings.TrimSpace(member(meta, mcpl.MetaClient, "name") + " " + member(meta, mcpl.MetaClient, "version"))
	first := labelled("name", index, plain(oneLine(orElse(name, "none"))))
	first.Right = "frame " + seq(s.init.sent.Seq)
	lines := []ServerLine{
		first,
		labelled("protocol", index, plain("MCP "+oneLine(orElse(scalar(meta, mcpl.MetaProtocol), "of no version"))), quiet("   said with each request")),
		labelled("offers", index, plain(orElse(capabilityWords(wire.Member(meta, mcpl.MetaCapabilities)), "nothing"))),
		labelled("manifest", index, plain("none: MCPL rides on initialize, which this version of MCP has not")),
	}
	return section(KeyHost, "HOST", oneLine(name)+", no MCPL", lines)
}
