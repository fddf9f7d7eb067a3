package mcpl

import (
	"slices"
	"strings"
	"testing"
)

func TestAStarMatchesExactlyOneSegment(t *testing.T) {
	for _, c := range []struct {
		pattern, path string
		want          bool
	}{
		{"pushEvents", "pushEvents", true},
		{"channels.*", "channels.publish", true},
		{"*", "pushEvents", true},
		{"*", "channels.publish", false},
		{"channels", "channels.publish", false},
		{"channels.publish", "channels", false},
		{"contextHooks.*.inject.*", "contextHooks.beforeInference.inject.system", true},
		{"contextHooks.*", "contextHooks.beforeInference.inject.system", false},
		{"", "pushEvents", false},
	} {
		if got := MatchPath(c.pattern, c.path); got != c.want {
			t.Errorf("MatchPath(%q, %q) = %v", c.pattern, c.path, got)
		}
	}
}

func TestAPatternThatMatchesNothingIsRefusedWithWhatCouldBeMeant(t *testing.T) {
	for pattern, want := range map[string]string{
		"channels":   "channels.publish",
		"pushEvent":  "pushEvents",
		"channels.x": "they are: tools",
	} {
		err := CheckPattern(pattern)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("CheckPattern(%q) = %v, want something with %q", pattern, err, want)
		}
	}
	for _, good := range []string{"*", "channels.*", "inferenceRequest", "contextHooks.*.inject.*"} {
		if err := CheckPattern(good); err != nil {
			t.Errorf("CheckPattern(%q) = %v", good, err)
		}
	}
}

func TestTrueStandsForEveryLeafBeneathIt(t *testing.T) {
	for manifest, want := range map[string][]string{
		`{}`:                                {},
		`{"pushEvents":true}`:               {"pushEvents"},
		`{"pushEvents":false}`:              {},
		`{"inferenceRequest":true}`:         {"inferenceRequest", "inferenceRequest.streaming"},
		`{"inferenceRequest":{}}`:           {"inferenceRequest"},
		`{"channels":{"publish":true}}`:     {"channels.publish"},
		`{"channels":{}}`:                   {},
		`{"channels":"yes"}`:                {},
		`{"toolHints":true,"tools":"many"}`: {},
		`{"contextHooks":{"beforeInference":{"observe":false,"inject":true}}}`: {
			"contextHooks.beforeInference.inject.system",
			"contextHooks.beforeInference.inject.beforeUser",
			"contextHooks.beforeInference.inject.afterUser",
		},
		`null`: {}, `[]`: {}, ``: {},
	} {
		if got := Advertised([]byte(manifest)); !slices.Equal(got, want) {
			t.Errorf("%s advertises %q, want %q", manifest, got, want)
		}
	}
}

func TestTheGrantIsWhatBothAdvertiseLessWhatIsDenied(t *testing.T) {
	server := Advertised([]byte(`{"pushEvents":true,"channels":true}`))
	host := HostPaths(HostManifest(HostOptions{ToolHints: true}))
	got := Grant(server, host, []Rule{{Pattern: "channels.*"}, {Pattern: "channels.incoming", Allow: true}})
	if want := []string{"pushEvents", "channels.incoming"}; !slices.Equal(got, want) {
		t.Errorf("granted %q, want %q", got, want)
	}
	if got := Grant(server, host, []Rule{{Pattern: "channels"}}); !slices.Contains(got, "channels.publish") {
		t.Errorf("a bare parent denied a leaf: %q", got)
	}
	if got := Grant(server, host, nil); slices.Contains(got, "channels.streaming") {
		t.Errorf("granted what the host does not speak: %q", got)
	}
}

func TestAFeatureSetIsEnabledOnlyWithAllThatItUses(t *testing.T) {
	manifest := `{"featureSets":{
		"a":{"uses":["pushEvents"]},
		"b":{"uses":["pushEvents","channels.publish"]},
		"none":{"uses":[]}, "absent":{}, "unknown":{"uses":["pushEvents","teleport"]}}}`
	enabled := map[string]bool{}
	for _, f := range FeatureSets([]byte(manifest)) {
		enabled[f.Name] = f.Enabled([]string{"pushEvents", "teleport"})
	}
	for name, want := range map[string]bool{"a": true, "b": false, "none": false, "absent": false, "unknown": false} {
		if got, known := enabled[name]; !known || got != want {
			t.Errorf("feature set %s: enabled %v (known %v), want %v", name, got, known, want)
		}
	}
	old := FeatureSets([]byte(`{"featureSets":[{"name":"x","uses":["tools"]},{"uses":["tools"]}]}`))
	if len(old) != 1 || old[0].Name != "x" || !old[0].Enabled([]string{"tools"}) {
		t.Errorf("an array of sets reads as %+v", old)
	}
}

func TestTheHostAdvertisesInferenceOnlyWhereSomebodyAnswers(t *testing.T) {
	with, without := HostPaths(HostManifest(HostOptions{Inference: true})), HostPaths(HostManifest(HostOptions{}))
	if !slices.Contains(with, CapInference) || slices.Contains(without, CapInference) {
		t.Errorf("with %q, without %q", with, without)
	}
	if strings.Contains(string(HostManifest(HostOptions{})), "toolHints") {
		t.Error("toolHints is advertised although it is not wanted")
	}
}

func TestOfAFeatureSetThatIsDeclaredTwiceTheLastCounts(t *testing.T) {
	sets := FeatureSets([]byte(`{"featureSets":{"a":{},"b":{"uses":["tools"]},"\u0061":{"uses":["pushEvents"]}}}`))
	if len(sets) != 2 || sets[0].Name != "a" || !sets[0].Valid || sets[0].Uses[0] != "pushEvents" {
		t.Errorf("it has %+v", sets)
	}
}
