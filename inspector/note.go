package inspector

import (
	"strings"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// note tells one of the debugger's own events (outputs.md, "note").
func (h *Headline) note(f timeline.Frame) {
	d := f.Data
	switch f.Name {
	case "connect":
		h.What = "connect" + connectWords(d)
	case "connected":
		h.What = "connected"
	case "closed":
		h.What, h.Words = "closed"+byWhom(d), oneLine(exitWords(d))
		if h.Words != "" {
			h.What, h.Words = h.What+", "+h.Words, ""
		}
		h.Words = oneLine(member(d, "reason"))
	case "hold-expired":
		h.What = "hold expired: what was held is applied"
	case "cancelled":
		h.What, h.ID = "cancelled", noteID(d)
	case "timeout":
		h.What, h.ID = "timed out", noteID(d)
		if after := scalar(d, "after"); after != "" {
			h.What += " after " + after + " s"
		}
	case "limit":
		h.What, h.ID = "an answer may take "+orElse(scalar(d, "seconds"), "?")+" s", noteID(d)
	case "failed":
		h.What, h.ID, h.Words = "failed", noteID(d), oneLine(member(d, "reason"))
	case "stream", "session", "redirect", "auth":
		h.What, h.Words = webNote(f.Name, d)
	case "group-open", "group-close":
		h.Toolset = member(d, "toolset")
		h.What = "group " + oneLine(h.Toolset) + " opened here"
		if f.Name == "group-close" {
			h.What = "group " + oneLine(h.Toolset) + " closed here"
		}
	case "binary":
		h.What = "binary frame of " + scalar(d, "bytes") + " bytes, ignored"
	case "mark":
		h.What, h.Words, h.Quoted = "mark", oneLine(member(d, "text")), true
	case "retry":
		h.What, h.Words = retryWords(d), oneLine(member(d, "reason"))
	case "host":
		h.What = "host: " + ModeWords(timeline.DecodeMode(d))
	case "input-answered":
		h.What, h.ID = "answered what it asks: "+oneLine(orElse(member(d, "key"), "input")), "#"+scalar(d, "of")
	case "input-dropped":
		h.What, h.ID, h.Words = "not sent again", "#"+scalar(d, "of"), oneLine(member(d, "reason"))
	case "held-back":
		h.What, h.ID = "answer held back"+heldFor(d), noteID(d)
	case "changed":
		h.What = "changed: " + changedWords(d)
	case "lost":
		h.What = "lost: " + scalar(d, "count") + " frames could not be kept"
	default:
		h.What, h.Words = oneLine(f.Name), oneLine(string(d[:min(len(d), maxShort)]))
	}
}

// connectWords says of a note "connect" how the connection stands to another.
func connectWords(data []byte) string {
	if n := scalar(data, "after"); n != "" {
		return " again, after connection " + oneLine(n)
	}
	if n := scalar(data, "beside"); n != "" {
		return " a second time, beside connection " + oneLine(n)
	}
	return ""
}

// retryWords tells a note "retry": when the next try is, or that there is
// none.
func retryWords(data []byte) string {
	in := scalar(data, "in")
	switch {
	case scalar(data, "stopped") == "true":
		return "no further try"
	case in == "0":
		return "connecting again at once"
	case in == "":
		return "connecting again"
	}
	text := "next try in " + oneLine(in) + " s"
	if n := scalar(data, "attempt"); n != "" {
		text = "try " + oneLine(n) + " in " + oneLine(in) + " s"
	}
	return text
}

// changedWords names the files of a note "changed".
func changedWords(data []byte) string {
	files := stringsOf(wire.Member(data, "files"))
	text := oneLine(list(files))
	if more := scalar(data, "more"); more != "" && more != "0" {
		text += " and " + oneLine(more) + " more"
	}
	return text
}

func noteID(data []byte) string {
	if id := scalar(data, "id"); id != "" {
		return "#" + oneLine(id)
	}
	return ""
}

func byWhom(data []byte) string {
	if by := oneLine(member(data, "by")); by != "" {
		return " by " + by
	}
	return ""
}

// exitWords tells exit code and signal of a closed note: "exit code 1",
// "signal SIGKILL".
func exitWords(data []byte) string {
	var parts []string
	c := timeline.DecodeClosing(data)
	if words := c.CodeWords(); words != "" {
		parts = append(parts, words)
	}
	if c.Signal != "" {
		parts = append(parts, "signal "+c.Signal)
	}
	return strings.Join(parts, ", ")
}

// noteSentence explains a note.
func noteSentence(f timeline.Frame) string {
	d := f.Data
	switch f.Name {
	case "connect":
		if scalar(d, "beside") != "" {
			return "The debugger began to make a second connection beside the first. Each has its own revs; what the server keeps for its user shows on both."
		}
		return "The debugger began to make a connection."
	case "connected":
		return "The link stands; nothing was said yet."
	case "closed":
		who := map[string]string{
			"host":   "The debugger closed the connection.",
			"server": "The server ended, or closed its side of the connection.",
			"link":   "The link broke.",
		}[member(d, "by")]
		if who == "" {
			who = "The connection was closed."
		}
		return who
	case "hold-expired":
		return "Revs that came early were held for two seconds. The ones before them did not come, so what was held is applied."
	case "cancelled":
		return "The debugger gave up this request on the user's word. An answer may still come, and its hints count."
	case "timeout":
		return "The time limit of this request is over. An answer may still come, and its hints count."
	case "limit":
		if noteID(d) == "" {
			return "The user set how long the answer to a request may take from here on."
		}
		return "The user set how long the answer to this request may take."
	case "failed":
		return "No answer to this request can come any more; the link says why. The connection goes on."
	case "stream":
		return "A stream of HTTP was opened, ended, or rests before it is taken up again."
	case "session":
		return "The server's session over HTTP: begun, or given back at the end."
	case "redirect":
		return "The server sent the host to another address. An address of another origin gets no credentials."
	case "auth":
		return "A step of OAuth. Codes and tokens are never kept."
	case "group-open", "group-close":
		return "A group that the manifest does not declare is opened and closed by the user alone. Nothing was sent."
	case "binary":
		return "A WebSocket frame of binary data. MCPL has no use for it, so it is no message; how it begins is kept here."
	case "mark":
		return "The user marked this point."
	case "retry":
		return "The connection was lost. The note says when the debugger tries again, or why it does not."
	case "changed":
		return "Files that are watched changed, so the debugger starts the server anew."
	case "host":
		return modeSentence(timeline.DecodeMode(d))
	case "input-answered":
		return "An answer to a question that the server's answer asked. When all are there, the request is sent again with them."
	case "input-dropped":
		return "The server's answer asked for input that it does not get, so the request is not sent again."
	case "held-back":
		return "The debugger has an answer to this request of the server, and holds it back on the user's word."
	case "lost":
		return "Frames could not be kept at this point. What follows may lack them."
	}
	return "A note that this version does not know."
}

// request returns the position of the open or closed request that a note
// speaks of, or -1. It looks back over at most lookBack frames.
func requestOf(log *timeline.Log, i int, data []byte) int {
	id := wire.ID(wire.Member(data, "id"))
	if id == "" {
		return -1
	}
	conn := log.Entry(i).Conn
	for k := i - 1; k >= 0 && k > i-lookBack; k-- {
		e := log.Entry(k)
		if e.Conn != conn || e.Dir != timeline.Out || e.Kind != timeline.Request {
			continue
		}
		f, err := log.Frame(k)
		if err != nil {
			continue
		}
		for m := range f.Messages {
			if m.Kind == wire.Request && m.ID.Key() == id.Key() {
				return k
			}
		}
	}
	return -1
}

// lookBack bounds how far an explanation looks for what belongs to it.
const lookBack = 2000
