package schema

import "testing"

func TestNumbersInTextAreNoHugeNumbers(t *testing.T) {
	for raw, want := range map[string]bool{
		`"5e12345"`: false, `{"a":"1e99999","b":1e2}`: false, `"\"1e99999"`: false,
		`1e999`: false, `1e0999`: false, `1e1000`: true, `[1,-2.5E+10000]`: true, `1e-4000`: true, `12345678`: false,
		`{"a":"\\","b":1e99999}`: true, `[1e9,10000]`: false,
	} {
		if got := hugeExponent([]byte(raw)); got != want {
			t.Errorf("%s: %v", raw, got)
		}
	}
}
