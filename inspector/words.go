package inspector

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// Outcome is how an answer turned out.
type Outcome uint8

// The outcomes.
const (
	NoOutcome Outcome = iota // not an answer
	OK
	ToolError // a tool's result with isError
	RPCError  // a JSON-RPC error
	Refused   // a push or question that was declined
	Broken    // no JSON-RPC message
)

// String returns the outcome in words.
func (o Outcome) String() string {
	return [...]string{"", "ok", "tool error", "error", "refused", "no message"}[o]
}

// stringHead returns the first part of the value of a raw JSON string, about
// n bytes of it, without decoding the rest.
func stringHead(raw []byte, n int) string {
	if len(raw) < 2 || raw[0] != '"' {
		return ""
	}
	if len(raw) <= n+2 {
		return wire.StringOf(raw)
	}
	// Cut between two units, never inside of an escape or a letter.
	i := 1
	for i < n {
		i += unitLen(raw[i:])
	}
	head := append(bytes.Clone(raw[:min(i, len(raw)-1)]), '"')
	return wire.StringOf(head) + "…"
}

// unitLen returns how many bytes of a raw JSON string belong together: an
// escape, a pair of escapes that makes one letter, or a letter.
func unitLen(s []byte) int {
	if s[0] != '\\' {
		_, n := utf8.DecodeRune(s)
		return n
	}
	if len(s) < 2 || s[1] != 'u' {
		return 2
	}
	if len(s) >= 12 && (s[2] == 'd' || s[2] == 'D') && s[6] == '\\' && s[7] == 'u' {
		return 12
	}
	return 6
}

// member returns the text of a string member, bounded.
func member(raw []byte, keys ...string) string {
	return stringHead(wire.Path(raw, keys...), maxShort)
}

// scalar returns a string or number member as text, bounded.
func scalar(raw []byte, keys ...string) string {
	v := wire.Path(raw, keys...)
	if len(v) > 0 && v[0] == '"' {
		return stringHead(v, maxShort)
	}
	if len(v) == 0 || v[0] == '{' || v[0] == '[' || string(v) == "null" {
		return ""
	}
	return short(string(v))
}

// contentText returns the first text of MCP content: an array of blocks, one
// block, or a string. Content without text gives its types in brackets.
func contentText(raw []byte) string {
	if len(raw) == 0 {
		return ""
	}
	switch raw[0] {
	case '"':
		return stringHead(raw, maxShort)
	case '{':
		return blockText(raw)
	}
	var text string
	var kinds []string
	wire.EachElement(raw, func(v []byte) bool {
		if t := wire.Member(v, "text"); t != nil {
			text = stringHead(t, maxShort)
			return text == ""
		}
		kinds = append(kinds, blockText(v))
		return len(kinds) < 4
	})
	if text != "" {
		return text
	}
	return strings.Join(kinds, " ")
}

func blockText(v []byte) string {
	if t := wire.Member(v, "text"); t != nil {
		return stringHead(t, maxShort)
	}
	kind := member(v, "type")
	if kind == "" {
		return ""
	}
	if data := wire.Member(v, "data"); len(data) > 2 {
		return "[" + kind + ", " + Size(base64Size(data)) + "]"
	}
	return "[" + kind + "]"
}

// maxFullText bounds the text that is shown as such: of more, the first part.
// All of it stands in the message.
const maxFullText = 4 << 20

// fullText returns the text of MCP content, its parts on lines of their own.
func fullText(raw []byte) []byte {
	if len(raw) > 0 && raw[0] == '"' {
		return []byte(stringHead(raw, maxFullText))
	}
	var out []byte
	one := func(v []byte) bool {
		if t := wire.Member(v, "text"); t != nil {
			if len(out) > 0 {
				out = append(out, '\n')
			}
			out = append(out, stringHead(t, maxFullText-len(out))...)
		}
		return len(out) < maxFullText
	}
	if len(raw) > 0 && raw[0] == '{' {
		one(raw)
		return out
	}
	wire.EachElement(raw, one)
	return out
}

// subject tells a request or notification in a few words: the method with
// what it is about, and the sender's own words.
func subject(h wire.Head) (what, words string) {
	what = oneLine(h.Method)
	p := h.Params
	switch h.Method {
	case "tools/call":
		return what + " " + at(oneLine(member(p, "name")), oneLine(instanceOf(p)), false), ""
	case "toolsets/open", "toolsets/close":
		return strings.TrimSpace(what + " " + oneLine(place(member(p, "toolset"), member(p, "instance")))), ""
	case "push/event":
		return what + " " + oneLine(member(p, "eventId")), contentText(wire.Path(p, "payload", "content"))
	case "notifications/progress":
		done := scalar(p, "progress")
		if total := scalar(p, "total"); total != "" {
			done += " of " + total
		}
		return what + " " + done, member(p, "message")
	case "notifications/message":
		words = member(p, "data")
		if words == "" {
			words = short(string(wire.Member(p, "data")))
		}
		return what + " " + scalar(p, "level"), words
	case "notifications/cancelled":
		return what + " #" + scalar(p, "requestId"), member(p, "reason")
	case "elicitation/create":
		if member(p, "mode") == "url" {
			what += " url"
		}
		return what, member(p, "message")
	case "notifications/elicitation/complete":
		return what + " " + oneLine(member(p, "elicitationId")), ""
	case "sampling/createMessage", "inference/request":
		return what, lastSaid(wire.Member(p, "messages"))
	case "channels/register", "channels/changed":
		return what, channelNames(p)
	case "mcpl/manifestChanged":
		return what, ""
	}
	for _, key := range []string{"uri", "name", "level", "cursor", "channelId"} {
		if v := scalar(p, key); v != "" {
			return what + " " + oneLine(v), ""
		}
	}
	return what, ""
}

// lastSaid is what the last of some messages to a model says.
func lastSaid(messages []byte) string {
	var content []byte
	wire.EachElement(messages, func(m []byte) bool {
		content = wire.Member(m, "content")
		return true
	})
	switch {
	case len(content) == 0:
		return ""
	case content[0] == '"':
		return wire.StringOf(content)
	case content[0] == '[':
		return contentText(content)
	}
	return member(content, "text")
}

// channelNames names the channels that a request adds, the first few.
func channelNames(params []byte) string {
	const most = 5
	var names []string
	for _, key := range []string{"channels", "added", "updated"} {
		wire.EachElement(wire.Member(params, key), func(c []byte) bool {
			if name := member(c, "id"); name != "" {
				names = append(names, name)
			}
			return len(names) <= most
		})
	}
	if len(names) > most {
		names = append(names[:most], "…")
	}
	return strings.Join(names, ", ")
}

func instanceOf(params []byte) string { return member(params, "_meta", "mcpl/instance") }

// answer tells an answer in a few words: how it turned out, and the words of
// who answered. asked is the request, or the zero Head.
func answer(h, asked wire.Head) (o Outcome, lead, words string) {
	if h.Kind == wire.Error {
		return RPCError, strings.TrimSpace("! error " + scalar(h.Error, "code")), member(h.Error, "message")
	}
	r := h.Result
	if questions, asks := mcpl.Questions(h); asks {
		return OK, "asks for input", inputWords(questions)
	}
	of := onePass(r)
	if string(of["isError"]) == "true" {
		return ToolError, strings.TrimSpace("! tool error " + ErrorWord(r)), contentText(of["content"])
	}
	switch string(of["accepted"]) {
	case "true":
		return OK, "accepted", ""
	case "false":
		return Refused, "refused", member(r, "reason")
	}
	switch asked.Method {
	case "server/discover":
		return OK, "ok", strings.TrimSpace(member(r, "_meta", mcpl.MetaServer, "name") + " " + member(r, "_meta", mcpl.MetaServer, "version"))
	case "initialize":
		return OK, "ok", strings.TrimSpace(member(r, "serverInfo", "name") + " " + member(r, "serverInfo", "version"))
	case "elicitation/create":
		if a := member(r, "action"); a != "" && a != "accept" {
			return Refused, oneLine(a), ""
		}
		return OK, "ok", member(r, "action")
	case "toolsets/open":
		words = member(r, "instance")
		if string(wire.Member(r, "adopted")) == "true" {
			words = strings.TrimSpace(words + " adopted")
		}
		return OK, "ok", words
	}
	for _, list := range [...]struct{ key, noun string }{
		{"tools", "tool"},
		{"resources", "resource"},
		{"prompts", "prompt"},
		{"resourceTemplates", "template"},
		{"roots", "root"},
	} {
		if v := of[list.key]; len(v) > 0 && v[0] == '[' && asked.Method != "tools/call" {
			return OK, "ok", Count(elements(v), list.noun)
		}
	}
	if asked.Method == "toolsets/list" {
		return OK, "ok", strconv.Itoa(elements(wire.Member(r, "open"))) + " open"
	}
	words = contentText(of["content"])
	if words == "" && asked.Method == "tools/call" {
		words = stringOrRaw(of["structuredContent"])
	}
	return OK, "ok", words
}

// stringOrRaw is the head of a raw value.
func stringOrRaw(raw []byte) string { return short(string(raw[:min(len(raw), maxShort+1)])) }

// onePass returns the members of an object, read in one pass, for a result
// may be large: the first of each name, up to a bound.
func onePass(raw []byte) map[string][]byte {
	out := map[string][]byte{}
	wire.EachMember(raw, func(key string, v []byte) bool {
		if _, twice := out[key]; !twice {
			out[key] = v
		}
		return len(out) < maxMembers
	})
	return out
}

// maxMembers is how many members of an object are looked at by onePass.
const maxMembers = 1000

func elements(raw []byte) int {
	n := 0
	wire.EachElement(raw, func([]byte) bool { n++; return true })
	return n
}
