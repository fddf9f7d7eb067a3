package mcpl

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// The capability paths that the host itself tests (mcpl-host.md, "Grants").
const (
	CapTools            = "tools"
	CapPush             = "pushEvents"
	CapModelInfo        = "modelInfo"
	CapInference        = "inferenceRequest"
	CapChannelsRegister = "channels.register"
	CapChannelsIncoming = "channels.incoming"
	CapLifecycle        = "inferenceLifecycle"
	CapObserve          = "contextHooks.beforeInference.observe"
	// CapInject and a position of an injection make the path that it needs.
	CapInject = "contextHooks.beforeInference.inject."
)

// Capabilities are all paths that a grant can hold, in the order of
// mcpl-host.md, "Grants".
var Capabilities = []string{
	CapTools, CapPush, CapModelInfo, CapInference, "inferenceRequest.streaming", "inferenceLifecycle",
	"contextHooks.beforeInference.observe",
	"contextHooks.beforeInference.inject.system",
	"contextHooks.beforeInference.inject.beforeUser",
	"contextHooks.beforeInference.inject.afterUser",
	CapChannelsRegister, "channels.lifecycle", "channels.publish", CapChannelsIncoming,
	"channels.streaming", "channels.acknowledge", "channels.typing",
}

// MatchPath reports whether a pattern names the path: segment by segment, `*`
// being any one segment. A parent names none of its leaves, and a leaf no
// other path (mcpl-host.md, "Grants").
func MatchPath(pattern, path string) bool {
	ps, segs := strings.Split(pattern, "."), strings.Split(path, ".")
	if len(ps) != len(segs) {
		return false
	}
	for i, p := range ps {
		if p != "*" && p != segs[i] {
			return false
		}
	}
	return true
}

// Subtree ends a pattern that names all that lies beneath a path:
// "channels.**". It is the host's own shorthand and never sent.
const Subtree = ".**"

// CheckPattern returns an error in words where no capability path matches the
// pattern, with what could be meant: a bare parent would deny, or grant,
// nothing at all. others are more words that the pattern may have been meant
// for.
func CheckPattern(pattern string, others ...string) error {
	if slices.ContainsFunc(Capabilities, func(c string) bool { return covers(pattern, c) }) {
		return nil
	}
	var below []string
	for _, c := range Capabilities {
		if strings.HasPrefix(c, pattern+".") {
			below = append(below, c)
		}
	}
	if len(below) > 0 {
		return fmt.Errorf("%q alone matches nothing below it; name the paths, or %s%s for all of them: %s", pattern, pattern, Subtree, strings.Join(below, ", "))
	}
	if meant := near(pattern, slices.Concat(Capabilities, others)); len(meant) > 0 {
		return fmt.Errorf("no capability path matches %q. Did you mean %s?", pattern, strings.Join(meant, " or "))
	}
	return fmt.Errorf("no capability path matches %q; they are: %s", pattern, strings.Join(Capabilities, ", "))
}

// Subtrees are the patterns that name all paths beneath another.
func Subtrees() []string {
	var out []string
	for _, c := range Capabilities {
		for i, r := range c {
			if p := c[:i] + Subtree; r == '.' && !slices.Contains(out, p) {
				out = append(out, p)
			}
		}
	}
	return out
}

// covers reports whether the pattern of a rule names the path.
func covers(pattern, path string) bool {
	if parent, ok := strings.CutSuffix(pattern, Subtree); ok {
		return strings.HasPrefix(path, parent+".")
	}
	return MatchPath(pattern, path)
}

// Advertised returns the capability paths that a manifest offers, in the
// order of Capabilities. `true` stands for every leaf beneath it; an object
// offers what its members offer, and itself where it is a path of its own.
func Advertised(manifest []byte) []string {
	var out []string
	for _, c := range Capabilities {
		if advertises(manifest, strings.Split(c, ".")) {
			out = append(out, c)
		}
	}
	return out
}

func advertises(node []byte, segs []string) bool {
	for _, s := range segs {
		if isTrue(node) {
			return true
		}
		if node = wire.Member(node, s); node == nil {
			return false
		}
	}
	return isTrue(node) || node[0] == '{'
}

// Rule allows or denies the capability paths that match a pattern, which may
// end in Subtree.
type Rule struct {
	Pattern string
	Allow   bool
}

// Grant computes the effective grant: what server and host both advertise,
// less what the rules deny. The last rule that matches a path decides; a path
// that no rule matches is allowed.
func Grant(server, host []string, rules []Rule) []string {
	out := []string{}
	for _, c := range server {
		if slices.Contains(host, c) && allowed(c, rules) {
			out = append(out, c)
		}
	}
	return out
}

func allowed(path string, rules []Rule) bool {
	for i := len(rules) - 1; i >= 0; i-- {
		if covers(rules[i].Pattern, path) {
			return rules[i].Allow
		}
	}
	return true
}

// FeatureSet is a feature set that a manifest declares.
type FeatureSet struct {
	Name string
	Uses []string
	// Valid is false where uses is absent, empty, or has a path that is not
	// one of Capabilities (invalid_uses).
	Valid bool
}

// FeatureSets reads the feature sets of a manifest, in the order of its
// bytes: an object by name, or the array of sets that 0.4 servers send.
func FeatureSets(manifest []byte) []FeatureSet {
	raw := wire.Member(manifest, "featureSets")
	var out []FeatureSet
	for _, m := range membersOnce(raw) {
		out = append(out, featureSet(m.name, m.value))
	}
	wire.EachElement(raw, func(v []byte) bool {
		if name := wire.StringOf(wire.Member(v, "name")); name != "" {
			out = append(out, featureSet(name, v))
		}
		return true
	})
	return out
}

func featureSet(name string, raw []byte) FeatureSet {
	f := FeatureSet{Name: name, Valid: true}
	wire.EachElement(wire.Member(raw, "uses"), func(v []byte) bool {
		path := wire.StringOf(v)
		f.Valid = f.Valid && slices.Contains(Capabilities, path)
		f.Uses = append(f.Uses, path)
		return true
	})
	f.Valid = f.Valid && len(f.Uses) > 0
	return f
}

// Enabled reports whether a grant leaves the feature set everything that it
// uses.
func (f FeatureSet) Enabled(grant []string) bool {
	return f.Valid && !slices.ContainsFunc(f.Uses, func(u string) bool { return !slices.Contains(grant, u) })
}
