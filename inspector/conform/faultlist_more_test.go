package conform_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session"
)

func toolsetFaults() []built {
	isOpen := func(m msg) bool { return in(m, "result", "instance") != nil && hintsIn(m) != nil }
	adopted := func(m msg) bool { return in(m, "result", "adopted") == true }
	isError := func(m msg) bool { return in(m, "result", "isError") == true }
	succeed := func(m msg) bool { delete(object(m["result"]), "isError"); return true }
	twice := func(h *host) {
		h.do(`open game as one {"opponent":"ada","size":5}`)
		h.do("wait push")
		h.do(`open game as one {"opponent":"ada","size":7}`)
		h.do("wait 1s")
	}
	renamed := func(line []byte) [][]byte {
		return [][]byte{bytes.ReplaceAll(line, []byte(`"one"`), []byte(`"one-2"`))}
	}
	return []built{
		{rule: "open-renamed", fault: renamed, script: func(h *host) { h.do(`open game as one {"opponent":"ada","size":5}`); h.do("wait push") }},
		{rule: "open-no-name", fault: once(1, isOpen, func(m msg) bool { delete(object(m["result"]), "instance"); return true }), script: func(h *host) {
			h.do(`open game {"opponent":"ada","size":5}`)
			h.do("wait push")
		}},
		{rule: "open-no-name", name: "although proposed", fault: once(1, isOpen, func(m msg) bool { delete(object(m["result"]), "instance"); return true })},
		{rule: "open-not-adopted", fault: once(1, adopted, func(m msg) bool { delete(object(m["result"]), "adopted"); return true }), script: twice},
		{rule: "open-options-silent", fault: once(1, adopted, func(m msg) bool { object(m["result"])["content"] = []any{}; return true }), script: twice},
		{rule: "open-no-hints", name: "of an open", fault: bareOpen(), script: func(h *host) { h.do("open chat"); h.do("wait 1s") }},
		{rule: "call-closed-toolset", fault: once(1, isError, succeed), script: func(h *host) { h.do(`call say {"text":"hello"}`) }},
		{rule: "call-closed-toolset", name: "by an error", script: func(h *host) { h.do(`call play@nobody {"at":"C3"}`) }, fault: once(1, isError, func(m msg) bool {
			delete(m, "result")
			m["error"] = msg{"code": -32000, "message": "not open"}
			return true
		})},
		{rule: "call-invisible", fault: once(1, isError, succeed), script: func(h *host) { h.do("call rematch") }},
		{rule: "call-ambiguous", fault: once(1, isError, succeed), script: twoGames},
		{rule: "call-ambiguous", name: "which is not said", script: twoGames, fault: once(1, isError, func(m msg) bool {
			object(m["result"])["content"] = []any{msg{"type": "text", "text": "which game?"}}
			return true
		})},
		{rule: "manifest-drop-open", fault: dropped(), script: func(h *host) { h.do("open chat"); h.do("wait 4s") }},
		{rule: "ended-unexplained", link: "ws", fault: forgets(), script: func(h *host) {
			h.do(`open game as one {"opponent":"ada","size":5}`)
			h.do("reconnect")
		}},
		{rule: "hints-pushed-own-consequence", fault: pushesOwn(), script: func(h *host) {
			h.do(`open game as one {"opponent":"ada","size":5}`)
			h.do("wait push")
			h.do(`call play@one {"at":"C3"}`)
		}},
		{rule: "name-grammar", fault: edit(func(m msg) bool {
			if isInit(m) {
				object(in(manifestIn(m), "toolsets"))["a b"] = msg{"title": "A"}
				withDigest(manifestIn(m))
			}
			return true
		})},
	}
}

// dropped announces, after the chat was opened, a manifest without it, and
// keeps naming it as open.
func dropped() fault {
	isChat := func(m msg) bool {
		return bytes.Contains(encode(hintsIn(m)), []byte(`"chat"`)) && m["result"] != nil && !isSets(m)
	}
	return both(edit(func(m msg) bool {
		if sets := object(in(m, "result", "toolsets")); sets != nil {
			delete(sets, "chat")
			withDigest(object(m["result"]))
		}
		return true
	}), after(1, isChat, `{"jsonrpc":"2.0","method":"mcpl/manifestChanged","params":{"revision":"x","domains":["toolsets"]}}`))
}

// forgets drops an instance at the second toolsets/list, and has no record.
func forgets() fault {
	return once(2, isSets, func(m msg) bool {
		object(m["result"])["open"] = []any{msg{"toolset": "radio"}}
		h := hintsIn(m)
		h["tools"], h["toolsets"] = nil, nil
		return true
	})
}

// pushesOwn pushes what a call on an instance changes, before its result.
func pushesOwn() fault {
	from := int64(0)
	return func(line []byte) [][]byte {
		var m msg
		d := json.NewDecoder(bytes.NewReader(line))
		d.UseNumber()
		if d.Decode(&m) != nil || m["result"] == nil || in(m, "result", "content") == nil || isSets(m) || hintsIn(m) == nil || from > 0 {
			return [][]byte{line}
		}
		if in(m, "result", "instance") != nil {
			return [][]byte{line}
		}
		from = revIn(m)
		own := encode(msg{"jsonrpc": "2.0", "method": "tools/hints", "params": hintsIn(m)})
		delete(object(m["result"]), "_meta")
		return [][]byte{own, encode(m)}
	}
}

func twoGames(h *host) {
	h.do(`open game as g-1 {"opponent":"ada","size":5}`)
	h.do(`open game as g-2 {"opponent":"bot","size":5}`)
	h.do("wait push")
	h.do("call board")
}

// bareOpen takes the hints off the open of the chat, and its rev with them.
func bareOpen() fault {
	bared := int64(0)
	return edit(func(m msg) bool {
		if bared > 0 {
			shift(m, bared, -1)
			return true
		}
		if h := hintsIn(m); h != nil && m["result"] != nil && strings.Contains(string(encode(h)), `"chat"`) && !isSets(m) {
			bared = revIn(m)
			delete(object(m["result"]), "_meta")
		}
		return true
	})
}

func pushFaults() []built {
	event := `{"jsonrpc":"2.0","id":"x1","method":"push/event","params":{"featureSet":"game.moves","eventId":"x-1","timestamp":"2026-11-29T10:00:00Z","payload":{"content":[]}}}`
	quiet := func(h *host) { h.do("wait 1s") }
	manifest := func(spoil func(m msg)) fault {
		return edit(func(m msg) bool {
			if isInit(m) {
				spoil(manifestIn(m))
			}
			return true
		})
	}
	inList := func(meta msg) fault {
		return edit(func(m msg) bool {
			if list, _ := in(m, "result", "tools").([]any); list != nil {
				object(list[0])["_meta"] = meta
			}
			return true
		})
	}
	isReceipt := func(m msg) bool { return in(m, "result", "accepted") != nil }
	changed := `{"jsonrpc":"2.0","method":"mcpl/manifestChanged","params":{"domains":["toolsets"]}}`
	return []built{
		{rule: "privileged-before-policy", ordered: true, fault: after(1, isInit, event)},
		{rule: "push-not-granted", fault: after(1, isList, event), host: func(c *session.Config) { c.Deny = []string{"pushEvents"} }},
		{rule: "push-retried-hints", fault: retried()},
		{rule: "push-malformed", fault: once(2, isPush, func(m msg) bool { delete(object(m["params"]), "featureSet"); return true })},
		{rule: "push-malformed", name: "no content", fault: once(2, isPush, func(m msg) bool { delete(object(m["params"]), "payload"); return true })},
		{rule: "policy-refused", script: quiet, fault: once(1, isReceipt, func(m msg) bool {
			m["result"] = msg{"accepted": false, "fallback": "mcp-only"}
			return true
		})},
		{rule: "uses-invalid", fault: manifest(func(m msg) {
			object(m["featureSets"])["more"] = msg{"description": "More", "uses": []string{"everything"}}
			withDigest(m)
		})},
		{rule: "manifest-digest", fault: manifest(func(m msg) { m["surface"] = msg{"title": "else"} })},
		{rule: "manifest-flood", fault: after(1, isSets, changed, changed, changed, changed, changed, changed, changed), script: quiet},
		{rule: "manifest-unannounced", script: func(h *host) { h.do("raw mcpl/manifest") }, fault: edit(func(m msg) bool {
			if in(m, "result", "toolHints") != nil {
				object(m["result"])["surface"] = msg{"title": "else"}
				withDigest(object(m["result"]))
			}
			return true
		})},
		{rule: "class-unknown", fault: inList(msg{"mcpl/class": []string{"magic"}})},
		{rule: "meta-reserved", fault: inList(msg{"mcpl/cost": 3})},
	}
}

// retried sends a push with hints again, under the next rev.
func retried() fault {
	n, from := 0, int64(0)
	return func(line []byte) [][]byte {
		var m msg
		d := json.NewDecoder(bytes.NewReader(line))
		d.UseNumber()
		if d.Decode(&m) != nil {
			return [][]byte{line}
		}
		if from > 0 {
			shift(m, from, 1)
			return [][]byte{encode(m)}
		}
		out := [][]byte{encode(m)}
		if isPush(m) {
			if n++; n == 3 {
				from = revIn(m) + 1
				shift(m, 0, 1)
				m["id"] = "again"
				out = append(out, encode(m))
			}
		}
		return out
	}
}

func rpcFaults() []built {
	status := calls("Your games")
	isStatus := func(m msg) bool { return in(m, "result", "structuredContent") != nil || status(m) }
	twice := func(line []byte) [][]byte {
		var m msg
		if json.Unmarshal(line, &m) == nil && isStatus(m) {
			return [][]byte{line, line}
		}
		return [][]byte{line}
	}
	cutShort := func(line []byte) [][]byte {
		var m msg
		if json.Unmarshal(line, &m) == nil && isStatus(m) {
			return [][]byte{line[:len(line)/2]}
		}
		return [][]byte{line}
	}
	raw := func(old, now string) fault {
		return func(line []byte) [][]byte {
			return [][]byte{bytes.Replace(line, []byte(old), []byte(now), 1)}
		}
	}
	quick := func(c *session.Config) { c.Timeout = 5 * time.Second }
	text := func(s string) fault {
		return once(1, isStatus, func(m msg) bool {
			object(m["result"])["content"] = []any{msg{"type": "text", "text": s}}
			return true
		})
	}
	return []built{
		{rule: "json-invalid", name: "a log line", fault: after(1, isList, "listening on stdio")},
		{rule: "json-invalid", name: "an answer is cut", host: quick, fault: cutShort},
		{rule: "json-invalid", name: "another version", fault: raw(`"jsonrpc":"2.0"`, `"jsonrpc":"2"`)},
		{rule: "json-duplicate-key", fault: raw(`"jsonrpc":"2.0"`, `"jsonrpc":"2.0","jsonrpc":"2.0"`)},
		{rule: "json-utf8", fault: after(1, isList, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"data\":\"caf\xe9\"}}")},
		{rule: "rpc-unanswered", host: quick, fault: once(1, isStatus, func(msg) bool { return false })},
		{rule: "rpc-unknown-id", fault: twice},
		{rule: "rpc-late", script: func(h *host) {
			h.do(`call think {"seconds":9} &`)
			h.do("cancel last")
			h.do("call status")
			h.do("wait 1s")
		}, fault: after(1, isStatus, `{"jsonrpc":"2.0","id":5,"result":{"content":[]}}`)},
		{rule: "rpc-method-unknown", fault: after(1, isList, `{"jsonrpc":"2.0","id":"x","method":"vendor/ask"}`)},
		{rule: "schema-invalid", name: "of arguments", fault: edit(func(m msg) bool {
			if list, _ := in(m, "result", "tools").([]any); list != nil {
				object(object(list[2])["inputSchema"])["properties"] = 7
			}
			return true
		})},
		{rule: "schema-invalid", name: "by a result", fault: once(1, isStatus, func(m msg) bool {
			object(m["result"])["structuredContent"] = msg{"games": "none"}
			return true
		})},
		{rule: "list-changed-undeclared", fault: after(1, isSets, `{"jsonrpc":"2.0","method":"notifications/resources/list_changed"}`)},
		{rule: "secret-exposed", fault: text("the key is sk-proj-a8F3kL09zXcVbN12mQwErT45")},
		{rule: "text-control", fault: text("\x1b[2Jgone")},
		{rule: "server-exit", serve: stopping(`"think"`), script: func(h *host) { h.do(`call think {"seconds":5}`) }},
	}
}
