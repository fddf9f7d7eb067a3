package demo

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// reference is a host that does nothing but keep account, by toolhints.md,
// and object to whatever the rules of a good server forbid. It is written
// apart from the server and shares none of its types.
type reference struct {
	object func(rule, message string)

	asked    map[string]wire.Head // the host's open requests
	pushed   map[string]bool      // the server's open requests
	atAsk    map[string]string    // state when a call was sent
	ids      map[string]bool      // ids of the server's requests
	manifest []byte
	host     []byte // the host's manifest
	hints    bool
	policy   bool
	granted  []string

	rev      int
	lists    int // toolsets/list results
	tools    map[string]*refTool
	order    []string
	toolsets map[string]refToolset
	open     map[[2]string]bool
	events   map[string]bool
	ended    map[string]string // outlives the connection
	carriers map[string]int    // how hints came, for tests that want to see all
	gone     map[string]bool   // requests that were cancelled
}

type refToolset struct{ declared, instances bool }

type refTool struct {
	toolset, presence string
	declared          map[string]string // description, inputSchema, annotations
	output            []byte
	flag              bool
	per               map[string]bool              // by instance
	defs              map[string]map[string]string // by instance, "" for all
}

func newReference(object func(rule, message string), ended map[string]string) *reference {
	return &reference{
		object: object, asked: map[string]wire.Head{}, pushed: map[string]bool{}, atAsk: map[string]string{},
		ids: map[string]bool{}, tools: map[string]*refTool{}, toolsets: map[string]refToolset{},
		open: map[[2]string]bool{}, events: map[string]bool{}, ended: ended, carriers: map[string]int{},
		gone: map[string]bool{},
	}
}

func (r *reference) bad(rule, format string, args ...any) {
	r.object(rule, fmt.Sprintf(format, args...))
}

// out takes a message of the host's, which may be no message at all.
func (r *reference) out(raw []byte) {
	if !wire.Valid(raw) || !utf8.Valid(raw) {
		return
	}
	r.each(raw, func(h wire.Head) {
		switch h.Kind {
		case wire.Request:
			if !strings.Contains(`"-0123456789`, string(h.ID[:1])) {
				return // no id: it cannot be answered by it
			}
			r.asked[h.ID.Key()] = h
			if h.Method == "tools/call" {
				r.atAsk[h.ID.Key()] = r.usable(h.Params)
			}
			if h.Method == "initialize" {
				r.host = wire.Path(h.Params, "capabilities", "experimental", "mcpl")
			}
		case wire.Notification:
			if h.Method == "notifications/cancelled" {
				r.gone[wire.ID(wire.Member(h.Params, "requestId")).Key()] = true
			}
		case wire.Result, wire.Error:
			delete(r.pushed, h.ID.Key())
		}
	})
}

func (r *reference) each(raw []byte, do func(wire.Head)) {
	if raw = bytes.TrimSpace(raw); len(raw) > 0 && raw[0] == '[' {
		wire.EachElement(raw, func(v []byte) bool {
			do(wire.Peek(v))
			return true
		})
		return
	}
	do(wire.Peek(raw))
}

// in takes a message of the server's.
func (r *reference) in(raw []byte) {
	if !wire.Valid(raw) || !utf8.Valid(raw) || raw[0] != '{' {
		r.bad("json-invalid", "%q", raw)
		return
	}
	r.lint(raw)
	h := wire.Peek(raw)
	if string(h.Version) != `"2.0"` {
		r.bad("json-invalid", "jsonrpc is %s", h.Version)
	}
	switch h.Kind {
	case wire.Request:
		if r.ids[h.ID.Key()] {
			r.bad("rpc-unknown-id", "the id %s is used again", h.ID)
		}
		r.ids[h.ID.Key()], r.pushed[h.ID.Key()] = true, true
		r.push(h)
	case wire.Notification:
		r.notified(h)
	case wire.Result, wire.Error:
		r.answered(h)
	default:
		r.bad("json-invalid", "%s", raw)
	}
}

func (r *reference) notified(h wire.Head) {
	switch h.Method {
	case "tools/hints":
		r.apply(h.Params, "standalone", false)
	case "notifications/progress":
		token := wire.Member(h.Params, "progressToken")
		for _, a := range r.asked {
			if bytes.Equal(wire.Path(a.Params, "_meta", "progressToken"), token) {
				return
			}
		}
		r.bad("rpc-unknown-id", "progress for no open call: %s", token)
	default:
		r.bad("rpc-method-unknown", "%s", h.Method)
	}
}

func (r *reference) push(h wire.Head) {
	if h.Method != "push/event" {
		r.bad("rpc-method-unknown", "%s", h.Method)
		return
	}
	set, event := wire.StringOf(wire.Member(h.Params, "featureSet")), wire.StringOf(wire.Member(h.Params, "eventId"))
	switch {
	case set == "" || event == "" || wire.Path(h.Params, "payload", "content") == nil:
		r.bad("push-malformed", "%s", h.Params)
	case !r.policy:
		r.bad("privileged-before-policy", "%s", h.Params)
	case !slices.Contains(r.granted, "pushEvents"):
		r.bad("push-not-granted", "%s", h.Params)
	case r.events[event]:
		r.bad("push-retried-hints", "%s again", event)
	case wire.Path(r.manifest, "featureSets", set) == nil:
		r.bad("push-malformed", "feature set %s is not declared", set)
	}
	r.events[event] = true
	if hints := wire.Member(h.Params, "hints"); hints != nil {
		r.apply(hints, "push", false)
	}
}

// answered takes an answer, each to one open request.
func (r *reference) answered(h wire.Head) {
	key := h.ID.Key()
	ask, ok := r.asked[key]
	if !ok {
		if h.ID != "null" {
			r.bad("rpc-unknown-id", "%s", h.Raw)
		}
		return
	}
	delete(r.asked, key)
	if r.gone[key] {
		r.bad("rpc-late", "%s was cancelled", h.ID)
	}
	if h.Kind == wire.Error {
		if ask.Method == "toolsets/list" && r.hints {
			r.bad("toolsets-list-missing", "%s", h.Error)
		}
		return
	}
	hints := wire.Path(h.Result, "_meta", "mcpl/hints")
	switch ask.Method {
	case "initialize":
		r.initialized(h.Result)
	case "mcpl/manifest":
		if !mcpl.SameJSON(h.Result, r.manifest) {
			r.bad("manifest-unannounced", "%s", h.Result)
		}
	case "featureSets/update":
		r.policy = string(wire.Member(h.Result, "accepted")) == "true"
		r.granted = nil
		_ = json.Unmarshal(wire.Member(ask.Params, "effectiveCapabilities"), &r.granted)
		if !r.policy {
			r.bad("policy-refused", "%s", h.Result)
		}
	case "tools/list":
		r.listed(h.Result)
	case "tools/call":
		r.called(ask, h.Result, r.atAsk[key], hints)
	case "toolsets/open":
		r.opened(ask.Params, h.Result, hints)
	case "toolsets/close":
		r.closed(ask.Params, hints)
	case "toolsets/list":
		r.toolsetsListed(h.Result, hints)
	}
}

func (r *reference) initialized(result []byte) {
	r.manifest = wire.Path(result, "capabilities", "experimental", "mcpl")
	r.hints = string(wire.Member(r.manifest, "toolHints")) == "true" && string(wire.Member(r.host, "toolHints")) == "true"
	if digest, err := mcpl.Digest(r.manifest); err != nil || digest != wire.StringOf(wire.Member(r.manifest, "revision")) {
		r.bad("manifest-digest", "%s, %v", digest, err)
	}
	for _, set := range mcpl.FeatureSets(r.manifest) {
		if !set.Valid {
			r.bad("uses-invalid", "%s", set.Name)
		}
	}
	wire.EachMember(wire.Member(r.manifest, "toolsets"), func(name string, v []byte) bool {
		ts := refToolset{declared: true, instances: string(wire.Member(v, "instances")) == "true"}
		r.toolsets[name] = ts
		if wire.StringOf(wire.Member(v, "default")) == "open" {
			if ts.instances {
				r.bad("toolsets-default-instances", "%s", name)
			}
			r.open[[2]string{name, ""}] = true
		}
		r.grammar(name)
		if o := wire.Member(v, "options"); o != nil {
			r.schema(name, o)
		}
		return true
	})
}

var grammar = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

func (r *reference) grammar(name string) {
	if !grammar.MatchString(name) {
		r.bad("name-grammar", "%q", name)
	}
}

// compiled keeps schemas that were compiled: most come again and again.
var compiled sync.Map

func (r *reference) schema(what string, raw []byte) *jsonschema.Schema {
	if s, ok := compiled.Load(string(raw)); ok {
		return s.(*jsonschema.Schema)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err == nil {
		c := jsonschema.NewCompiler()
		if err = c.AddResource("schema.json", doc); err == nil {
			var s *jsonschema.Schema
			if s, err = c.Compile("schema.json"); err == nil {
				compiled.Store(string(raw), s)
				return s
			}
		}
	}
	r.bad("schema-invalid", "%s: %v", what, err)
	return nil
}

// lint looks at the bytes: keys that stand twice, characters that a terminal
// would obey.
func (r *reference) lint(raw []byte) {
	var walk func([]byte)
	walk = func(v []byte) {
		keys := map[string]bool{}
		wire.EachMember(v, func(k string, m []byte) bool {
			if keys[k] {
				r.bad("json-duplicate-key", "%s", k)
			}
			keys[k] = true
			walk(m)
			return true
		})
		wire.EachElement(v, func(e []byte) bool {
			walk(e)
			return true
		})
		for _, c := range wire.StringOf(v) {
			if unicode.IsControl(c) && c != '\n' && c != '\t' || c >= 0x202a && c <= 0x202e || c >= 0x2066 && c <= 0x2069 {
				r.bad("text-control", "%q", v)
			}
		}
	}
	walk(raw)
}

func (r *reference) listed(result []byte) {
	rev := wire.Path(result, "_meta", "mcpl/rev")
	if r.hints && string(rev) != fmt.Sprint(r.rev) || !r.hints && rev != nil {
		r.bad("rev-list-mismatch", "%s, the last rev is %d", rev, r.rev)
	}
	before := r.state()
	known := len(r.tools) > 0
	var order []string
	wire.EachElement(wire.Member(result, "tools"), func(raw []byte) bool {
		order = append(order, r.listedTool(raw))
		return true
	})
	if slices.Sort(order); len(slices.Compact(slices.Clone(order))) != len(order) {
		r.bad("tools-list-duplicate", "%v", order)
	}
	if r.order != nil && !slices.Equal(order, r.order) {
		r.bad("tools-list-hides", "%v, before %v", order, r.order)
	}
	r.order = order
	if after := r.state(); r.hints && known && r.lists > 0 && before != after {
		r.bad("tools-list-differs", "what tools/list states is not what hints have told:\n%s", differ(before, after))
	}
}

func (r *reference) listedTool(raw []byte) string {
	name := wire.StringOf(wire.Member(raw, "name"))
	t := r.tools[name]
	if t == nil {
		t = &refTool{per: map[string]bool{}, defs: map[string]map[string]string{}}
		r.tools[name] = t
	}
	r.schema(name, wire.Member(raw, "inputSchema"))
	if t.output = wire.Member(raw, "outputSchema"); t.output != nil {
		r.schema(name, t.output)
	}
	t.declared = members(raw)
	meta := wire.Member(raw, "_meta")
	t.toolset = wire.StringOf(wire.Member(meta, mcpl.MetaToolset))
	said := wire.StringOf(wire.Member(meta, mcpl.MetaPresence))
	visible := wire.Member(meta, mcpl.MetaVisible)
	switch {
	case t.toolset != "" && said == "static":
		r.bad("hints-toolset-static", "%s", name)
	case !r.hints && (t.toolset != "" || said != "" || visible != nil):
		r.bad("hints-not-negotiated", "%s: %s", name, meta)
	}
	t.presence = "static"
	if said == "dynamic" || t.toolset != "" {
		t.presence = "dynamic"
	}
	if t.presence == "static" && string(visible) == "false" {
		r.bad("hints-visible-on-static", "%s", name)
	}
	flag := string(visible) != "false"
	if ts := r.toolsets[t.toolset]; !ts.instances {
		t.flag = flag
	} else if any := slices.Contains(slices.Collect(maps.Values(t.per)), true); r.lists > 0 && any != flag {
		r.bad("tools-list-differs", "%s: visible %t, in some instance %t", name, flag, any)
	}
	wire.EachMember(meta, func(k string, v []byte) bool {
		switch k {
		case mcpl.MetaToolset, mcpl.MetaPresence, mcpl.MetaVisible:
		case "mcpl/class":
			for _, c := range []string{"comms", "media"} {
				v = bytes.ReplaceAll(v, []byte(`"`+c+`"`), nil)
			}
			if string(v) != "[]" {
				r.bad("class-unknown", "%s: %s", name, v)
			}
		default:
			r.bad("meta-reserved", "%s: %s", name, k)
		}
		return true
	})
	return name
}

// members are the members of a tool that a definition may change.
func members(raw []byte) map[string]string {
	out := map[string]string{}
	for _, k := range []string{"description", "inputSchema", "annotations"} {
		if v := wire.Member(raw, k); v != nil {
			out[k] = string(v)
		}
	}
	return out
}

// finish objects to what is still open when everything should be answered.
func (r *reference) finish() {
	for key, h := range r.asked {
		if !r.gone[key] {
			r.bad("rpc-unanswered", "%s %s", h.Method, h.Raw)
		}
	}
}

func differ(before, after string) string {
	var out strings.Builder
	b, a := strings.Split(before, "\n"), strings.Split(after, "\n")
	for _, l := range b {
		if !slices.Contains(a, l) {
			fmt.Fprintf(&out, "- %s\n", l)
		}
	}
	for _, l := range a {
		if !slices.Contains(b, l) {
			fmt.Fprintf(&out, "+ %s\n", l)
		}
	}
	return out.String()
}
