package conform

import (
	_ "embed" // the examples
	"encoding/json"
	"sync"
)

// Example is what a rule finds in a recording that breaks it.
type Example struct {
	Message  string `json:"message"`
	Seen     string `json:"seen,omitempty"`
	Expected string `json:"expected,omitempty"`
}

// The findings of the first failing recording of each rule's own tests, which
// also see that they are still those.
//
//go:embed examples.json
var examplesJSON []byte

var examples = sync.OnceValue(func() map[string]Example {
	m := map[string]Example{}
	_ = json.Unmarshal(examplesJSON, &m) // the tests read it
	return m
})

// ExampleOf returns an example of what a rule finds; false where there is
// none.
func ExampleOf(rule string) (Example, bool) {
	e, ok := examples()[rule]
	return e, ok
}
