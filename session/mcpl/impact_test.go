package mcpl

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestImpactsAreWhatAnotherManifestMeansForAConnection(t *testing.T) {
	const before = `{"toolHints":true,"pushEvents":true,"modelInfo":true,"channels":{"publish":true},` +
		`"featureSets":{"push":{"uses":["pushEvents"]},"both":{"uses":["pushEvents","modelInfo"]},"gone":{"uses":["modelInfo"]},` +
		`"later":{"uses":["channels.incoming"]},"bad":{"uses":[]}},` +
		`"tagOntology":{"tags":{}},"toolsets":{"game":{"instances":true},"radio":{},"same":{}},"surface":{"title":"a"}}`
	const after = `{"modelInfo":true,"channels":{"publish":true,"incoming":true,"typing":true},` +
		`"featureSets":[{"name":"push","uses":["pushEvents"]},{"name":"both","uses":["modelInfo"]},` +
		`{"name":"later","uses":["channels.incoming"]},{"name":"new","uses":["modelInfo"]}],` +
		`"toolsets":{"radio":{"default":"open"},"same":{ },"polls":{}},"surface":{"title":"a"}}`
	host := []string{"tools", "pushEvents", "modelInfo", "channels.publish", "channels.incoming"}
	for _, c := range []struct {
		name, before, after string
		terms               Terms
		want                string
	}{
		{"nothing", before, before, Terms{Host: host, Told: []string{"tools", "pushEvents"}}, ""},
		{
			"all of it, not told so far", before, after,
			Terms{Host: host, Told: []string{"tools", "pushEvents", "modelInfo", "channels.publish"}},
			"capability-revoked pushEvents; capability-expansion-pending channels.incoming; feature-degraded push -pushEvents; feature-degraded gone gone; " +
				"feature-restored later; ontology-acceptance-invalidated; surface-changed toolHints gone; surface-changed game gone; surface-changed radio; surface-changed polls new",
		},
		{
			"what was not granted is not taken away", before, after,
			Terms{Host: host, Told: []string{"tools"}, Next: []string{"tools"}},
			"capability-expansion-pending channels.incoming; ontology-acceptance-invalidated; " +
				"surface-changed toolHints gone; surface-changed game gone; surface-changed radio; surface-changed polls new",
		},
		{
			"what the host disabled is not degraded", before, `{"featureSets":{}}`,
			Terms{Host: host, Told: []string{"modelInfo"}, Off: map[string]bool{"gone": true}},
			"capability-revoked modelInfo; ontology-acceptance-invalidated; surface-changed toolHints gone; " +
				"surface-changed game gone; surface-changed radio gone; surface-changed same gone; surface-changed surface gone",
		},
		{"absent and empty differ", `{}`, `{"surface":{},"tagOntology":{}}`, Terms{}, "surface-changed surface new"},
		{"no manifests at all", `7`, `null`, Terms{Told: []string{"tools"}}, ""},
	} {
		var got []string
		for _, i := range Impacts([]byte(c.before), []byte(c.after), c.terms) {
			s := strings.TrimSpace(i.Kind + " " + i.Name)
			if i.Gone {
				s += " gone"
			}
			if i.New {
				s += " new"
			}
			for _, l := range i.Lacks {
				s += " -" + l
			}
			got = append(got, s)
		}
		if text := strings.Join(got, "; "); text != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, text, c.want)
		}
	}
}

func TestEachMemberOfAManifestHasItsDomain(t *testing.T) {
	for member, want := range map[string]string{
		"pushEvents": DomainCapabilities, "channels": DomainCapabilities, "contextHooks": DomainCapabilities, "inference": "", "chan": "",
		"featureSets": DomainFeatureSets, "coreTags": DomainTagOntology, "tagOntology": DomainTagOntology,
		"toolHints": DomainToolsets, "toolsets": DomainToolsets, "surface": DomainToolsets, "version": "", "": "",
	} {
		if got := DomainOf(member); got != want {
			t.Errorf("%q is of %q, want %q", member, got, want)
		}
	}
}

func TestImpactsOfManyFeatureSetsTakeTimeByTheirNumberAlone(t *testing.T) {
	var b strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&b, `"s%d":{"uses":["pushEvents"]},`, i)
	}
	sets := strings.TrimSuffix(b.String(), ",")
	got := Impacts([]byte(`{"pushEvents":true,"featureSets":{`+sets+`}}`), []byte(`{"featureSets":{`+sets+`}}`), Terms{Told: []string{"pushEvents"}})
	if len(got) != 20_001 || !slices.Equal(got[20_000].Lacks, []string{"pushEvents"}) {
		t.Errorf("%d impacts", len(got))
	}
}
