package schema

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"github.com/tidwall/gjson"
)

// leaves are the errors at the ends of a validation error's tree. Of
// alternatives it goes into the one that was meant, if only one can be.
func leaves(ve *jsonschema.ValidationError, out []*jsonschema.ValidationError) []*jsonschema.ValidationError {
	if len(out) >= maxProblems || len(ve.Causes) == 0 {
		return append(out, ve)
	}
	switch ve.ErrorKind.(type) {
	case *kind.AnyOf, *kind.OneOf:
		var meant []*jsonschema.ValidationError
		others := 0
		for _, c := range ve.Causes {
			l := leaves(c, nil)
			_, wrongType := l[0].ErrorKind.(*kind.Type)
			if len(l) == 1 && wrongType && len(l[0].InstanceLocation) == len(ve.InstanceLocation) {
				continue
			}
			meant = l
			others++
		}
		if others != 1 {
			return append(out, ve)
		}
		return append(out, meant...)
	}
	for _, c := range ve.Causes {
		out = leaves(c, out)
	}
	return out
}

// problems says what a leaf means: one problem for each value.
func problems(ve *jsonschema.ValidationError, raw []byte) []Problem {
	at := ve.InstanceLocation
	below := func(names []string, short, long string, missing bool) (out []Problem) {
		slices.Sort(names)
		for _, n := range names {
			p := append(slices.Clone(at), n)
			out = append(out, Problem{Path: p, Short: short, Long: pathText(p) + long, Missing: missing})
		}
		return out
	}
	switch k := ve.ErrorKind.(type) {
	case *kind.Required:
		return below(k.Missing, "required", " is missing", len(at) == 0)
	case *kind.DependentRequired:
		return below(k.Missing, "required with "+k.Prop, " is missing, "+cut(k.Prop, 60)+" needs it", true)
	case *kind.Dependency:
		return below(k.Missing, "required with "+k.Prop, " is missing, "+cut(k.Prop, 60)+" needs it", true)
	case *kind.AdditionalProperties:
		return below(k.Properties, "not in the schema", " is not in the schema", false)
	}
	where := pathText(at)
	if where == "" {
		where = "the whole"
	}
	short := shortText(ve.ErrorKind)
	return []Problem{{Path: at, Short: short, Long: where + " is " + cut(valueAt(raw, at), 24) + ", " + short}}
}

// pathText is a path of a peer's own keys, bounded.
func pathText(path []string) string {
	var parts []string
	for _, p := range path {
		if p == "" {
			p = `""` // a name that is empty would not be seen
		}
		parts = append(parts, cut(p, 60))
	}
	return cut(strings.Join(parts, "."), 120)
}

// valueAt returns the bytes of a value within raw.
func valueAt(raw []byte, path []string) string {
	v := gjson.ParseBytes(raw)
	for _, key := range path {
		next := gjson.Result{}
		i := 0
		v.ForEach(func(k, e gjson.Result) bool {
			if (v.IsArray() && strconv.Itoa(i) == key) || (v.IsObject() && k.Str == key) {
				next = e // of a key that stands twice the last counts
			}
			i++
			return true
		})
		v = next
	}
	return v.Raw
}

// cut shortens a text to n letters.
func cut(s string, n int) string {
	for i := range s {
		if n--; n < 0 {
			return s[:i] + "…"
		}
	}
	return s
}

// shortText says what a keyword asks for: "at most 9".
func shortText(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.Type:
		return "must be " + strings.Join(k.Want, " or ")
	case *kind.Maximum:
		return "at most " + ratText(k.Want)
	case *kind.Minimum:
		return "at least " + ratText(k.Want)
	case *kind.ExclusiveMaximum:
		return "must be below " + ratText(k.Want)
	case *kind.ExclusiveMinimum:
		return "must be above " + ratText(k.Want)
	case *kind.MultipleOf:
		return "must be a multiple of " + ratText(k.Want)
	case *kind.MaxLength:
		return "at most " + count(k.Want, "character")
	case *kind.MinLength:
		return "at least " + count(k.Want, "character")
	case *kind.MaxItems:
		return "at most " + count(k.Want, "item")
	case *kind.MinItems:
		return "at least " + count(k.Want, "item")
	case *kind.Pattern:
		return "must be like " + cut(k.Want, 60)
	case *kind.Enum:
		if len(k.Want) == 1 {
			return "must be " + cut(fmt.Sprint(k.Want[0]), 40)
		}
		return "none of the " + count(len(k.Want), "value")
	}
	return otherText(k)
}

func otherText(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.Const:
		return "must be " + cut(fmt.Sprint(k.Want), 40)
	case *kind.Format:
		return "no " + cut(k.Want, 40)
	case *kind.UniqueItems:
		return fmt.Sprintf("items %d and %d are equal", k.Duplicates[0]+1, k.Duplicates[1]+1)
	case *kind.MaxProperties:
		return "at most " + count(k.Want, "member")
	case *kind.MinProperties:
		return "at least " + count(k.Want, "member")
	case *kind.FalseSchema:
		return "nothing is allowed here"
	case *kind.AnyOf:
		return "fits none of the alternatives"
	case *kind.OneOf:
		if len(k.Subschemas) > 1 {
			return "fits more than one of the alternatives"
		}
		return "fits none of the alternatives"
	case *kind.Not:
		return "is what it must not be"
	}
	path := k.KeywordPath()
	if len(path) == 0 {
		return "breaks the schema"
	}
	return "breaks " + path[0]
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

func ratText(r *big.Rat) string {
	if r.IsInt() {
		return cut(r.Num().String(), 24)
	}
	s := strings.TrimRight(r.FloatString(12), "0")
	return strings.TrimSuffix(s, ".")
}
