package conform_test

import (
	"bytes"
	"encoding/json"

	"github.com/mcpl-tui/mcpl-tui/session"
)

func none(*session.Config) {}

func faults() []built {
	list := slicesOf(revFaults(), hintFaults(), listFaults(), toolsetFaults(), pushFaults(), rpcFaults())
	for i := range list {
		if list[i].host == nil {
			list[i].host = none
		}
	}
	return list
}

func slicesOf(parts ...[]built) (all []built) {
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

func revFaults() []built {
	swapped := func() fault {
		var kept []byte
		n := 0
		return func(line []byte) [][]byte {
			var m msg
			if json.Unmarshal(line, &m) != nil || !isPush(m) {
				return [][]byte{line}
			}
			switch n++; n {
			case 1:
				kept = bytes.Clone(line)
				return nil
			case 2:
				return [][]byte{line, kept}
			}
			return [][]byte{line}
		}
	}
	// From some rev on, each is one less: two messages have the same.
	repeated := edit(func(m msg) bool { shift(m, 4, -1); return true })
	asText := edit(func(m msg) bool {
		if isPush(m) && revIn(m) == 5 {
			hintsIn(m)["rev"] = "5"
			return true
		}
		shift(m, 5, -1)
		return true
	})
	return []built{
		{rule: "rev-gap", name: "a push is dropped", fault: once(2, isPush, func(msg) bool { return false })},
		{rule: "rev-gap", name: "a counter jumps", fault: edit(func(m msg) bool { shift(m, 5, 2); return true })},
		{rule: "rev-start", ordered: true, fault: edit(func(m msg) bool { shift(m, 1, 1); return true })},
		{rule: "rev-reversal", ordered: true, fault: swapped()},
		{rule: "rev-repeat", fault: repeated},
		{rule: "rev-invalid", fault: asText},
		{rule: "rev-list-mismatch", ordered: true, fault: once(2, isList, func(m msg) bool { shift(m, 0, 3); return true })},
	}
}

func hintFaults() []built {
	// push adds something to the hints of the third push.
	push := func(key string, v any) fault {
		return once(3, isPush, func(m msg) bool { add(hintsIn(m), key, v); return true })
	}
	eachTool := func(spoil func(entry msg)) fault {
		return edit(func(m msg) bool {
			list, _ := hintsIn(m)["tools"].([]any)
			for _, e := range list {
				spoil(object(e))
			}
			return true
		})
	}
	noHints := func(c *session.Config) { c.ToolHints = false }
	return []built{
		{
			rule: "hints-not-negotiated", host: noHints, script: func(h *host) { h.do("call status"); h.do("wait 1s") },
			fault: after(1, isList, `{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":1,"tools":[{"name":"advice","visible":true}]}}`),
		},
		{rule: "hints-malformed", name: "visible is a string", fault: once(2, isPush, func(m msg) bool {
			object(hintsIn(m)["tools"].([]any)[0])["visible"] = "yes"
			return true
		})},
		{rule: "hints-malformed", name: "no name", fault: push("tools", msg{"visible": true})},
		{rule: "hints-unknown-tool", fault: push("tools", msg{"name": "ghost", "visible": true})},
		{rule: "hints-unknown-toolset", fault: push("suggest", msg{"toolset": "attic", "action": "open"})},
		{rule: "hints-unknown-instance", fault: push("tools", msg{"name": "play", "instance": "ghost", "visible": true})},
		{rule: "hints-instance-missing", fault: once(2, isPush, func(m msg) bool {
			for _, e := range hintsIn(m)["tools"].([]any) {
				delete(object(e), "instance")
			}
			return true
		})},
		{rule: "hints-instance-extra", fault: push("tools", msg{"name": "tune", "instance": "one", "visible": true})},
		{rule: "hints-static-definition", fault: push("tools", msg{"name": "status", "definition": msg{"description": "else"}})},
		{rule: "hints-definition-field", fault: eachTool(func(e msg) {
			if d := object(e["definition"]); d != nil {
				d["_meta"] = msg{"mcpl/class": []string{"shell"}}
			}
		})},
		{rule: "hints-toolset-static", name: "in the list", fault: edit(func(m msg) bool {
			list, _ := in(m, "result", "tools").([]any)
			for _, e := range list {
				if meta := object(in(e, "_meta")); meta["mcpl/toolset"] == "game" {
					meta["mcpl/presence"] = "static"
				}
			}
			return true
		})},
		{rule: "hints-toolset-static", name: "in hints", fault: push("tools", msg{"name": "say", "presence": "static"})},
		{rule: "hints-visible-on-static", fault: edit(func(m msg) bool {
			if list, _ := in(m, "result", "tools").([]any); list != nil {
				object(list[0])["_meta"] = msg{"mcpl/visible": false}
			}
			return true
		}), script: func(h *host) { h.do("wait 1s") }},
	}
}

// bare spoils the first toolsets/list so that it has no hints: it takes no rev
// then.
func bare(spoil func(m msg)) fault {
	first := true
	return edit(func(m msg) bool {
		if isSets(m) && first {
			first = false
			spoil(m)
			return true
		}
		shift(m, 2, -1)
		return true
	})
}

// without takes something out of open of the n-th toolsets/list.
func without(n int, key, name string) fault {
	return once(n, isSets, func(m msg) bool {
		var kept []any
		for _, it := range in(m, "result", "open").([]any) {
			if in(it, key) != name {
				kept = append(kept, it)
			}
		}
		object(m["result"])["open"] = kept
		return true
	})
}

// both is two faults, one behind the other.
func both(a, b fault) fault {
	return func(line []byte) (out [][]byte) {
		for _, l := range a(line) {
			out = append(out, b(l)...)
		}
		return out
	}
}

func listFaults() []built {
	return append(setsFaults(), []built{
		{rule: "tools-list-hides", fault: once(2, isList, func(m msg) bool {
			r := object(m["result"])
			list := r["tools"].([]any)
			r["tools"] = list[1:]
			return true
		})},
		{rule: "tools-list-duplicate", fault: edit(func(m msg) bool {
			if isList(m) {
				list := in(m, "result", "tools").([]any)
				add(object(m["result"]), "tools", list[0])
			}
			return true
		})},
		{rule: "cache-churn", fault: churn(), script: func(h *host) {
			for range 7 {
				h.do("tools")
				h.do("wait 3s")
			}
		}},
	}...)
}

func setsFaults() []built {
	reread := func(h *host) { play(h); h.do("toolsets") }
	ended := func(n int, instance string) fault {
		return once(n, isSets, func(m msg) bool {
			add(object(m["result"]), "ended", msg{"id": "e-1", "toolset": "game", "instance": instance, "reason": "over"})
			return true
		})
	}
	return []built{
		{rule: "toolsets-list-no-hints", fault: bare(func(m msg) { delete(object(m["result"]), "_meta") })},
		{rule: "toolsets-list-missing", fault: bare(func(m msg) {
			delete(m, "result")
			m["error"] = msg{"code": -32601, "message": "no such method"}
		}), script: func(h *host) { h.do("wait 1s") }},
		{rule: "toolsets-list-incomplete", name: "lacks one", fault: without(2, "instance", "one")},
		{rule: "toolsets-list-incomplete", name: "lacks a toolset", ordered: true, fault: without(2, "toolset", "chat")},
		{rule: "toolsets-list-incomplete", name: "names what was closed", ordered: true, fault: once(3, isSets, func(m msg) bool {
			add(object(m["result"]), "open", msg{"toolset": "game", "instance": "two"})
			return true
		}), script: reread},
		{rule: "toolsets-default-open-missing", fault: without(1, "toolset", "radio")},
		{rule: "toolsets-default-instances", fault: edit(func(m msg) bool {
			if isInit(m) {
				object(in(manifestIn(m), "toolsets", "game"))["default"] = "open"
				withDigest(manifestIn(m))
			}
			return true
		})},
		{rule: "ended-id-reused", fault: both(ended(1, "old"), ended(2, "older")), script: reread},
	}
}

// churn announces a list, and drops a tool from every other one.
func churn() fault {
	n := 0
	spoil := edit(func(m msg) bool {
		if isInit(m) {
			object(in(m, "result", "capabilities", "tools"))["listChanged"] = true
		}
		if !isList(m) {
			return true
		}
		if n++; n%2 == 0 && n < 8 {
			r := object(m["result"])
			list := r["tools"].([]any)
			r["tools"] = list[1:]
		}
		return true
	})
	return func(line []byte) [][]byte {
		out := spoil(line)
		var m msg
		if json.Unmarshal(line, &m) == nil && isList(m) && n < 9 {
			out = append(out, []byte(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`))
		}
		return out
	}
}
