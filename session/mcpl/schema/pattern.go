package schema

import (
	"regexp"

	"github.com/dlclark/regexp2/v2"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// anything is a pattern that is one, but not for Go: what it matches is not
// judged.
type anything string

func (a anything) MatchString(string) bool { return true }
func (a anything) String() string          { return string(a) }

// ecma compiles a pattern. Schemas are written for ECMA 262, which knows more
// than Go does.
func ecma(s string) (jsonschema.Regexp, error) {
	re, err := regexp.Compile(s)
	if err == nil {
		return re, nil
	}
	for _, o := range []regexp2.RegexOptions{regexp2.ECMAScript | regexp2.Unicode, regexp2.ECMAScript} {
		if _, err := regexp2.Compile(s, o); err == nil {
			return anything(s), nil
		}
	}
	return nil, err
}
