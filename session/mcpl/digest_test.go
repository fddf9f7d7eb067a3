package mcpl

import "testing"

// vector is the check vector of mcpl-host.md, "Manifest".
const (
	vector    = `{"version":"0.5","pushEvents":true,"contextHooks":{"beforeInference":true},"inferenceLifecycle":true,"channels":{"register":true,"publish":true,"incoming":true},"featureSets":{"demo.messaging":{"description":"Demo","uses":["channels.publish","channels.incoming","pushEvents","tools"]}}}`
	vectorSum = "sha256:_YZTS0h1tqTAMZI6eElCszSQE2WNx3xhAhmgUvNI9H4"
)

func TestTheDigestIsThatOfTheCheckVector(t *testing.T) {
	for name, manifest := range map[string]string{
		"as it stands":              vector,
		"with a revision":           `{"revision":"sha256:other",` + vector[1:],
		"uses in another order":     `{"version":"0.5","pushEvents":true,"contextHooks":{"beforeInference":true},"inferenceLifecycle":true,"channels":{"incoming":true,"register":true,"publish":true},"featureSets":{"demo.messaging":{"uses":["tools","pushEvents","channels.incoming","channels.publish","tools"],"description":"Demo"}}}`,
		"with blanks":               " " + vector + "\n",
		"an escape that says Demo ": `{"version":"0.5","pushEvents":true,"contextHooks":{"beforeInference":true},"inferenceLifecycle":true,"channels":{"register":true,"publish":true,"incoming":true},"featureSets":{"demo.messaging":{"description":"\u0044emo","uses":["channels.publish","channels.incoming","pushEvents","tools"]}}}`,
	} {
		if got, err := Digest([]byte(manifest)); err != nil || got != vectorSum {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
}

func TestOnlyArraysOfStringsCountAsSets(t *testing.T) {
	same := func(a, b string) bool {
		t.Helper()
		x, err1 := Digest([]byte(a))
		y, err2 := Digest([]byte(b))
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		return x == y
	}
	if !same(`{"coreTags":["b","a","b"]}`, `{"coreTags":["a","b"]}`) {
		t.Error("coreTags keep their order")
	}
	if !same(`{"tagOntology":{"tags":{"x":{"implies":["b","a"]}}}}`, `{"tagOntology":{"tags":{"x":{"implies":["a","b"]}}}}`) {
		t.Error("implies keep their order")
	}
	if same(`{"coreTags":["b",1]}`, `{"coreTags":[1,"b"]}`) {
		t.Error("an array with a number was sorted")
	}
	if same(`{"other":["b","a"]}`, `{"other":["a","b"]}`) {
		t.Error("another array was sorted")
	}
	if same(`{"featureSets":{"x":{"revision":"1"}}}`, `{"featureSets":{"x":{}}}`) {
		t.Error("a revision below the root was left out")
	}
}

func TestWhatIsNoManifestHasNoDigest(t *testing.T) {
	for _, bad := range []string{``, `null`, `[]`, `{"a":`, `7`} {
		if got, err := Digest([]byte(bad)); err == nil {
			t.Errorf("%q has the digest %s", bad, got)
		}
	}
}
