package inspector

import (
	"strings"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// server tells what the server said of itself in its answer to initialize.
func (s *serverTale) server() ServerSection {
	r := s.init.reply.Result
	if !s.init.ok() {
		return section(KeyServer, "SERVER", "not known", []ServerLine{empty("It says who it is in its answer to initialize.")})
	}
	if s.stateless {
		return s.discoveredServer()
	}
	index := s.init.answerAt.index
	name := strings.TrimSpace(s.b.Server.Name + " " + s.b.Server.Version)
	first := labelled("name", index, Span{Text: oneLine(orElse(name, "none")), Tone: Peer})
	if title := member(r, "serverInfo", "title"); title != "" {
		first.Spans = append(first.Spans, peer("   "+Quote(title)))
	}
	first.Right = "frame " + seq(s.init.came.Seq)
	lines := []ServerLine{first}
	asked, got := scalar(s.init.question.Params, "protocolVersion"), scalar(r, "protocolVersion")
	words := "as asked"
	if asked != got {
		words = "this host asked for " + oneLine(orElse(asked, "none"))
	}
	lines = append(lines, labelled("protocol", index, plain("MCP "+oneLine(orElse(got, "of no version"))), quiet("   "+words)))
	lines = append(lines, labelled("offers", index, plain(orElse(capabilityWords(wire.Member(r, "capabilities")), "nothing"))))
	if text := member(r, "instructions"); text != "" {
		lines = append(lines, labelled("instructions", index, peer(oneLine(text))))
	}
	lines = append(lines, others(r, index, "protocolVersion", "serverInfo", "capabilities", "instructions", "_meta")...)
	return section(KeyServer, "SERVER", strings.TrimPrefix(oneLine(name)+", MCP "+oneLine(got), ", "), lines)
}

// host tells what this host said of itself in initialize.
func (s *serverTale) host() ServerSection {
	p := s.init.question.Params
	if s.init.sent.Seq == 0 {
		return section(KeyHost, "HOST", "nothing was sent", []ServerLine{empty("initialize says who the host is, and what it can do.")})
	}
	if s.stateless {
		return s.statelessHost()
	}
	index := s.init.at.Index
	name := strings.TrimSpace(member(p, "clientInfo", "name") + " " + member(p, "clientInfo", "version"))
	first := labelled("name", index, plain(oneLine(orElse(name, "none"))))
	first.Right = "frame " + seq(s.init.sent.Seq)
	lines := []ServerLine{
		first,
		labelled("protocol", index, plain("MCP "+oneLine(orElse(scalar(p, "protocolVersion"), "of no version"))), quiet("   asked for")),
		labelled("offers", index, plain(orElse(capabilityWords(wire.Member(p, "capabilities")), "nothing"))),
	}
	if s.hostSaid == nil {
		lines = append(lines, labelled("manifest", index, plain("none: it connects as a plain MCP host")))
		return section(KeyHost, "HOST", oneLine(name)+", no MCPL", lines)
	}
	version := oneLine(scalar(s.hostSaid, "version"))
	lines = append(lines, labelled("MCPL", index, plain(orElse(version, "of no version"))))
	hints := "advertised"
	if string(wire.Member(s.hostSaid, "toolHints")) != "true" {
		hints = "not advertised: the server must send no hints"
	}
	lines = append(lines, labelled("toolHints", index, plain(hints)))
	lines = append(lines, labelled("grants", index, quiet("at most "), plain(orElse(list(mcpl.HostPaths(s.hostSaid)), "nothing"))))
	var rest []string
	for _, c := range mcpl.Capabilities {
		top, _, _ := strings.Cut(c, ".")
		rest = append(rest, top)
	}
	lines = append(lines, others(s.hostSaid, index, append(rest, "version", "toolHints", "featureSets")...)...)
	return section(KeyHost, "HOST", oneLine(name)+", MCPL "+version, lines)
}

// capabilityWords names the members of MCP's capabilities, each with what of
// it is on: "tools (listChanged), resources".
func capabilityWords(raw []byte) string {
	var out []string
	wire.EachMember(raw, func(key string, v []byte) bool {
		word := oneLine(cutBytes(key, 40))
		var on []string
		wire.EachMember(v, func(k string, w []byte) bool {
			if string(w) != "false" && string(w) != "null" {
				on = append(on, oneLine(cutBytes(k, 40)))
			}
			return len(on) < 8
		})
		if len(on) > 0 {
			word += " (" + strings.Join(on, ", ") + ")"
		}
		out = append(out, word)
		return len(out) < maxListed
	})
	return list(out)
}
