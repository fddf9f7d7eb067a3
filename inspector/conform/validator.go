package conform

import (
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	english "golang.org/x/text/message"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl/schema"
)

// wrong says why a schema is none, "" where it is one, or is not judged.
func wrong(s *schema.Schema) string {
	switch f := s.Fault(); {
	case f == nil || !f.Invalid:
		return ""
	case f.At != nil:
		return leafText(f.At)
	default:
		return f.Text
	}
}

// breaks returns why a value does not fit a schema, "" where it does or that
// is not judged.
func breaks(s *schema.Schema, raw []byte) string {
	if at, _ := s.Check(raw); at != nil {
		return leafText(at)
	}
	return ""
}

var printer = english.NewPrinter(language.English)

// leafText is the first thing that is wrong, and where: "size: maximum: …".
func leafText(e *jsonschema.ValidationError) string {
	for len(e.Causes) > 0 {
		e = e.Causes[0]
	}
	text := e.ErrorKind.LocalizedString(printer)
	if at := strings.Join(e.InstanceLocation, "."); at != "" {
		return at + ": " + text
	}
	return text
}
