package inspector

import (
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// webNote tells a note of a link over HTTP: what happened to a stream, a
// session, or on the way to them.
func webNote(name string, d []byte) (what, words string) {
	words = oneLine(member(d, "reason"))
	switch name {
	case "stream":
		return streamWords(d), words
	case "session":
		switch {
		case member(d, "id") != "":
			return "session " + oneLine(member(d, "id")) + " begun by the server", ""
		case string(wire.Member(d, "ended")) == "true":
			return "session given back", ""
		default:
			return "session not given back" + withStatus(scalar(d, "status")), words
		}
	case "redirect":
		return "redirect" + withStatus(scalar(d, "status")), "to " + oneLine(member(d, "to"))
	default:
		if words == "" {
			words = oneLine(member(d, "url"))
		}
		return "OAuth: " + oneLine(member(d, "step")) + withStatus(scalar(d, "status")), words
	}
}

func withStatus(status string) string {
	if status == "" {
		return ""
	}
	return ", status " + oneLine(status)
}

// streamWords tells the state of a stream: "stream http:get:1 open".
func streamWords(d []byte) string {
	via := oneLine(member(d, "via"))
	switch state := member(d, "state"); state {
	case "waiting":
		return "stream " + via + " rests " + oneLine(scalar(d, "seconds")) + " s"
	case "none":
		return "no listening stream" + withStatus(string(wire.Path(d, "http", "status")))
	case "refused", "accepted":
		return "stream " + via + " " + state + withStatus(string(wire.Path(d, "http", "status")))
	default:
		return "stream " + via + " " + oneLine(state)
	}
}
