package mcpl

import (
	"slices"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// The domains of a manifest (mcpl-host.md, "Manifest").
const (
	DomainCapabilities = "capabilities"
	DomainFeatureSets  = "featureSets"
	DomainTagOntology  = "tagOntology"
	DomainToolsets     = "toolsets"
)

// DomainOf returns the domain that a member of a manifest belongs to, "" for
// none.
func DomainOf(member string) string {
	switch member {
	case "featureSets", "tagOntology":
		return member
	case "coreTags":
		return DomainTagOntology
	case "toolHints", "toolsets", "surface":
		return DomainToolsets
	}
	for _, c := range Capabilities {
		if c == member || len(c) > len(member) && c[:len(member)] == member && c[len(member)] == '.' {
			return DomainCapabilities
		}
	}
	return ""
}

// The impacts that another manifest has (mcpl-host.md, "Manifest").
const (
	CapabilityRevoked   = "capability-revoked"
	CapabilityExpansion = "capability-expansion-pending"
	FeatureDegraded     = "feature-degraded"
	FeatureRestored     = "feature-restored"
	OntologyInvalidated = "ontology-acceptance-invalidated"
	SurfaceChanged      = "surface-changed"
)

// Impact is one consequence that another manifest has for a connection.
type Impact struct {
	Kind string
	// Name is the capability path, the feature set or, of a changed surface,
	// what of it: toolHints, surface, or a toolset.
	Name string
	// Toolset: Name is that of a toolset. Gone and New: it was there before
	// alone, or is there now alone.
	Toolset, Gone, New bool
	// Lacks are the paths that a degraded feature set uses and has not.
	Lacks []string
}

// Terms are what an impact is judged by, beside the two manifests.
type Terms struct {
	Host []string        // the paths that the host advertises
	Told []string        // the grant in force before
	Off  map[string]bool // the feature sets that the host disabled before
	// Next is the grant that was told next, nil where none was so far. What it
	// does not hold was not restored; what it takes away beyond the manifest is
	// no impact of that.
	Next []string
}

// Impacts compares two manifests by what the later one means for the grant,
// the feature sets, the accepted tags and the tools.
func Impacts(before, after []byte, t Terms) []Impact {
	var out []Impact
	was, is := Advertised(before), Advertised(after)
	left := []string{}
	for _, p := range t.Told {
		if p == CapTools || slices.Contains(is, p) { // tools is MCP's own too
			left = append(left, p)
		} else if slices.Contains(was, p) {
			out = append(out, Impact{Kind: CapabilityRevoked, Name: p})
		}
	}
	for _, p := range is {
		if p != CapTools && !slices.Contains(was, p) && slices.Contains(t.Host, p) {
			out = append(out, Impact{Kind: CapabilityExpansion, Name: p})
			left = append(left, p)
		}
	}
	out = append(out, featureImpacts(before, after, t, left)...)
	old, now := wire.Member(before, "tagOntology"), wire.Member(after, "tagOntology")
	if old != nil && (now == nil || !SameJSON(old, now)) {
		out = append(out, Impact{Kind: OntologyInvalidated})
	}
	return append(out, surfaceImpacts(before, after)...)
}

// featureImpacts are the feature sets that were enabled and are no more, or
// the other way round. grant is what is left of the grant, with what the host
// could add.
func featureImpacts(before, after []byte, t Terms, grant []string) []Impact {
	restored := grant
	if t.Next != nil {
		restored = t.Next
	}
	now := map[string]FeatureSet{}
	for _, f := range FeatureSets(after) {
		if _, twice := now[f.Name]; !twice {
			now[f.Name] = f
		}
	}
	var out []Impact
	seen := map[string]bool{}
	for _, old := range FeatureSets(before) {
		if seen[old.Name] {
			continue
		}
		seen[old.Name] = true
		f, declared := now[old.Name]
		had := old.Enabled(t.Told)
		switch {
		case t.Off[old.Name]: // the host's own doing, before and after
		case had && !(declared && f.Enabled(grant)):
			i := Impact{Kind: FeatureDegraded, Name: old.Name, Gone: !declared}
			for _, p := range f.Uses {
				if f.Valid && !slices.Contains(grant, p) {
					i.Lacks = append(i.Lacks, p)
				}
			}
			out = append(out, i)
		case !had && declared && f.Enabled(restored):
			out = append(out, Impact{Kind: FeatureRestored, Name: old.Name})
		}
	}
	return out
}

// surfaceImpacts are the changes of the domain toolsets (toolhints.md §4).
func surfaceImpacts(before, after []byte) []Impact {
	var out []Impact
	a, b := DecodeManifest(before), DecodeManifest(after)
	if a.ToolHints != b.ToolHints {
		out = append(out, Impact{Kind: SurfaceChanged, Name: "toolHints", Gone: a.ToolHints, New: b.ToolHints})
	}
	old, now := wire.Member(before, "toolsets"), wire.Member(after, "toolsets")
	was, is := membersByName(old), membersByName(now)
	for _, d := range a.Toolsets {
		v, declared := is[d.Name]
		if !declared || !SameJSON(was[d.Name], v) {
			out = append(out, Impact{Kind: SurfaceChanged, Name: d.Name, Toolset: true, Gone: !declared})
		}
	}
	for _, d := range b.Toolsets {
		if _, declared := was[d.Name]; !declared {
			out = append(out, Impact{Kind: SurfaceChanged, Name: d.Name, Toolset: true, New: true})
		}
	}
	old, now = wire.Member(before, "surface"), wire.Member(after, "surface")
	if (old == nil) != (now == nil) || !SameJSON(old, now) {
		out = append(out, Impact{Kind: SurfaceChanged, Name: "surface", Gone: now == nil, New: old == nil})
	}
	return out
}

func membersByName(raw []byte) map[string][]byte {
	out := map[string][]byte{}
	wire.EachMember(raw, func(name string, v []byte) bool {
		out[name] = v
		return true
	})
	return out
}
