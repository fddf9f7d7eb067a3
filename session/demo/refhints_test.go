package demo

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// The reference's account of hints, opens, closes, calls and lists.

// apply takes hints, in the order of toolhints.md: toolsets, tools, suggest.
func (r *reference) apply(raw []byte, carrier string, statement bool) {
	r.carriers[carrier]++
	h := mcpl.DecodeHints(raw)
	switch {
	case !r.hints:
		r.bad("hints-not-negotiated", "%s", raw)
		return
	case h.Rev == 0:
		r.bad("rev-invalid", "%s", raw)
	case r.rev == 0 && h.Rev != 1:
		r.bad("rev-start", "%d", h.Rev)
	case int(h.Rev) > r.rev+1:
		r.bad("rev-gap", "%d after %d", h.Rev, r.rev)
	case int(h.Rev) <= r.rev:
		r.bad("rev-reversal", "%d after %d", h.Rev, r.rev)
	}
	r.rev = int(h.Rev)
	if !statement && len(h.Tools)+len(h.Toolsets)+len(h.Suggest) == 0 {
		r.bad("rev-without-changes", "%s", raw)
	}
	if statement {
		for _, t := range r.tools {
			if t.presence == "dynamic" {
				t.flag, t.per, t.defs = false, map[string]bool{}, map[string]map[string]string{}
			}
		}
	}
	closed := map[string]bool{}
	for _, e := range h.Toolsets {
		r.toolsetEntry(e, closed)
	}
	for _, e := range h.Tools {
		r.toolEntry(e, closed)
	}
	for _, e := range h.Suggest {
		if !r.toolsets[e.Toolset].declared {
			r.bad("hints-unknown-toolset", "%s", e.Raw)
		}
		if e.Action == "close" && !r.open[[2]string{e.Toolset, e.Instance}] {
			r.bad("hints-unknown-instance", "suggests to close what is not open: %s", e.Raw)
		}
	}
	r.strange(raw)
}

// strange objects to members that HintChanges does not have, or that have
// another type: what is decoded leniently must not hide them.
func (r *reference) strange(raw []byte) {
	allowed := map[string]string{
		"": " rev toolsets tools suggest ", "toolsets": " toolset instance state title reason ",
		"tools": " name instance presence visible definition ", "suggest": " toolset instance action options reason ",
	}
	check := func(where string, o []byte) {
		wire.EachMember(o, func(k string, v []byte) bool {
			if !strings.Contains(allowed[where], " "+k+" ") {
				r.bad("hints-malformed", "%s has %s", where, k)
			}
			if where != "" && k != "visible" && k != "definition" && k != "options" && v[0] != '"' {
				r.bad("hints-malformed", "%s.%s is %s", where, k, v)
			}
			return true
		})
	}
	check("", raw)
	for _, part := range []string{"toolsets", "tools", "suggest"} {
		wire.EachElement(wire.Member(raw, part), func(e []byte) bool {
			check(part, e)
			return true
		})
	}
}

func (r *reference) toolsetEntry(e mcpl.ToolsetHint, closed map[string]bool) {
	ts := r.toolsets[e.Toolset]
	key := [2]string{e.Toolset, e.Instance}
	switch {
	case !ts.declared:
		r.bad("hints-unknown-toolset", "%s", e.Raw)
	case ts.instances != (e.Instance != ""):
		r.bad("hints-instance-missing", "%s", e.Raw)
	case e.State == "open":
		r.open[key] = true
	case e.State == "closed":
		if closed[e.Instance] = true; !r.open[key] {
			r.bad("hints-unknown-instance", "closes what is not open: %s", e.Raw)
		}
		r.shut(key)
	default:
		r.bad("hints-malformed", "%s", e.Raw)
	}
}

func (r *reference) shut(key [2]string) {
	delete(r.open, key)
	for _, t := range r.tools {
		if key[1] != "" && t.toolset == key[0] {
			delete(t.per, key[1])
			delete(t.defs, key[1])
		}
	}
}

func (r *reference) toolEntry(e mcpl.ToolHint, closed map[string]bool) {
	t := r.tools[e.Name]
	if t == nil {
		if r.order != nil {
			r.bad("hints-unknown-tool", "%s", e.Raw)
		}
		return
	}
	ts := r.toolsets[t.toolset]
	switch {
	case ts.instances && e.Instance == "":
		r.bad("hints-instance-missing", "%s", e.Raw)
	case !ts.instances && e.Instance != "":
		r.bad("hints-instance-extra", "%s", e.Raw)
	case ts.instances && !r.open[[2]string{t.toolset, e.Instance}] && !closed[e.Instance]:
		r.bad("hints-unknown-instance", "%s", e.Raw)
	case t.toolset != "" && e.Presence == "static":
		r.bad("hints-toolset-static", "%s", e.Raw)
	}
	if e.Presence != "" && t.toolset == "" {
		if t.presence = e.Presence; e.Presence == "static" {
			t.defs = map[string]map[string]string{}
		}
	}
	if e.HasVisible {
		if ts.instances {
			t.per[e.Instance] = e.Visible
		} else {
			t.flag = e.Visible
		}
		if t.presence == "static" && !e.Visible {
			r.bad("hints-visible-on-static", "%s", e.Raw)
		}
	}
	if e.Definition == nil {
		return
	}
	if t.presence == "static" {
		r.bad("hints-static-definition", "%s", e.Raw)
		return
	}
	wire.EachMember(e.Definition, func(k string, v []byte) bool {
		switch {
		case k == "name" && wire.StringOf(v) == e.Name:
		case t.declared[k] == "" && k != "description" && k != "annotations":
			r.bad("hints-definition-field", "%s: %s", e.Name, k)
		}
		return true
	})
	if t.defs[e.Instance] = members(e.Definition); t.defs[e.Instance]["inputSchema"] == "" {
		r.bad("hints-malformed", "a definition without inputSchema: %s", e.Raw)
	} else {
		r.schema(e.Name, []byte(t.defs[e.Instance]["inputSchema"]))
	}
}

func (r *reference) visible(t *refTool, instance string) bool {
	ts := r.toolsets[t.toolset]
	switch {
	case ts.instances:
		return r.open[[2]string{t.toolset, instance}] && t.per[instance]
	case ts.declared:
		return r.open[[2]string{t.toolset, ""}] && t.flag
	}
	return t.flag
}

func (r *reference) instances(toolset string) []string {
	var out []string
	for k := range r.open {
		if k[0] == toolset {
			out = append(out, k[1])
		}
	}
	slices.Sort(out)
	return out
}

// state is everything that the board would show, in words.
func (r *reference) state() string {
	var lines []string
	for k := range r.open {
		lines = append(lines, fmt.Sprintf("open %s %s", k[0], k[1]))
	}
	for name, t := range r.tools {
		where := []string{""}
		if r.toolsets[t.toolset].instances {
			where = r.instances(t.toolset)
		}
		for _, i := range where {
			def := maps.Clone(t.declared)
			maps.Copy(def, t.defs[i])
			raw, _ := json.Marshal(def)
			lines = append(lines, fmt.Sprintf("%s@%s %s visible=%t %s", name, i, t.presence, r.visible(t, i), raw))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// usable says what must come of a call as things stand: ok, or why not.
func (r *reference) usable(params []byte) string {
	t := r.tools[wire.StringOf(wire.Member(params, "name"))]
	if t == nil || !r.hints {
		return "ok"
	}
	ts := r.toolsets[t.toolset]
	instance := wire.StringOf(wire.Path(params, "_meta", mcpl.MetaInstance))
	open := r.instances(t.toolset)
	switch {
	case ts.declared && len(open) == 0, ts.instances && instance != "" && !slices.Contains(open, instance):
		return "call-closed-toolset"
	case ts.instances && instance == "" && len(open) > 1:
		return "call-ambiguous"
	case ts.instances && instance == "":
		instance = open[0]
	}
	if !ts.instances {
		instance = ""
	}
	if !r.visible(t, instance) {
		return "call-invisible"
	}
	return "ok"
}

func (r *reference) called(ask wire.Head, result []byte, sent string, hints []byte) {
	name := wire.StringOf(wire.Member(ask.Params, "name"))
	now := r.usable(ask.Params)
	isError := string(wire.Member(result, "isError")) == "true"
	words := string(wire.Member(result, "content"))
	if now == sent && now != "ok" && !isError {
		r.bad(now, "%s succeeds: %s", ask.Raw, result)
	}
	if now == "call-ambiguous" && sent == now {
		for _, i := range r.instances(r.tools[name].toolset) {
			if !strings.Contains(words, i) {
				r.bad("call-ambiguous", "does not name %s: %s", i, words)
			}
		}
	}
	if isError && (hints != nil || len(said(result)) < 20) {
		r.bad("refusal", "a refusal must say why, and change nothing: %s", result)
	}
	if t := r.tools[name]; t != nil && t.output != nil && !isError {
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(wire.Member(result, "structuredContent")))
		if s := r.schema(name, t.output); err != nil || s == nil || s.Validate(doc) != nil {
			r.bad("schema-invalid", "%s: %s", name, result)
		}
	}
	if hints != nil {
		r.apply(hints, "call", false)
	}
}

func (r *reference) opened(params, result, hints []byte) {
	toolset := wire.StringOf(wire.Member(params, "toolset"))
	asked, got := wire.StringOf(wire.Member(params, "instance")), wire.StringOf(wire.Member(result, "instance"))
	adopted := string(wire.Member(result, "adopted")) == "true"
	words := string(wire.Member(result, "content"))
	switch {
	case asked != "" && got != asked:
		r.bad("open-renamed", "%s for %s", got, asked)
	case r.toolsets[toolset].instances && got == "":
		r.bad("open-no-name", "%s", result)
	case !r.toolsets[toolset].instances && got != "":
		r.bad("open-renamed", "%s has no instances: %s", toolset, result)
	}
	if got != "" {
		r.grammar(got)
	}
	key := [2]string{toolset, got}
	if r.open[key] != adopted && r.lists > 0 {
		r.bad("open-not-adopted", "open before: %t, adopted: %t", r.open[key], adopted)
	}
	if adopted {
		wire.EachMember(wire.Member(params, "options"), func(k string, _ []byte) bool {
			if !strings.Contains(words, k) {
				r.bad("open-options-silent", "%s is not named: %s", k, words)
			}
			return true
		})
	} else if hints == nil {
		r.bad("open-no-hints", "%s", result)
	}
	r.open[key] = true
	if hints != nil {
		r.apply(hints, "open", false)
	}
}

func (r *reference) closed(params, hints []byte) {
	key := [2]string{wire.StringOf(wire.Member(params, "toolset")), wire.StringOf(wire.Member(params, "instance"))}
	if hints == nil {
		r.bad("open-no-hints", "close of %v", key)
		return
	}
	r.apply(hints, "close", false)
	if r.open[key] {
		r.bad("close", "the hints of a close do not close %v", key)
	}
}

// toolsetsListed checks that the list says what hints have said, nothing
// more, and nothing less.
func (r *reference) toolsetsListed(result, hints []byte) {
	before, open := r.state(), map[[2]string]bool{}
	wire.EachElement(wire.Member(result, "open"), func(v []byte) bool {
		open[[2]string{wire.StringOf(wire.Member(v, "toolset")), wire.StringOf(wire.Member(v, "instance"))}] = true
		return true
	})
	if r.lists > 0 && !maps.Equal(open, r.open) {
		r.bad("toolsets-list-incomplete", "%v, hints said %v", open, r.open)
	}
	r.open = open
	if wire.Member(result, "ended") == nil {
		r.bad("toolsets-list-no-hints", "no ended member")
	}
	wire.EachElement(wire.Member(result, "ended"), func(v []byte) bool {
		id := wire.StringOf(wire.Member(v, "id"))
		if old, known := r.ended[id]; id == "" || known && old != string(v) {
			r.bad("ended-id-reused", "%s was %s", v, old)
		}
		r.ended[id] = string(v)
		return true
	})
	if hints == nil {
		r.bad("toolsets-list-no-hints", "%s", result)
		return
	}
	r.apply(hints, "list", true)
	if after := r.state(); r.lists > 0 && before != after {
		r.bad("toolsets-list-incomplete", "the statement is not what hints have told:\n%s", differ(before, after))
	}
	r.lists++
}
