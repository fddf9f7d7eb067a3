package schema

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// inOrder puts what is wrong with a value in order: by where it stands in the
// value, then by where the schema says so. The validator steps through maps, so
// that it finds the same in another order each time.
func inOrder(e *jsonschema.ValidationError) {
	if k, ok := e.ErrorKind.(*kind.AdditionalProperties); ok {
		slices.Sort(k.Properties)
	}
	for _, c := range e.Causes {
		inOrder(c)
	}
	slices.SortStableFunc(e.Causes, func(a, b *jsonschema.ValidationError) int {
		if n := slices.CompareFunc(a.InstanceLocation, b.InstanceLocation, compareStep); n != 0 {
			return n
		}
		if a.SchemaURL != b.SchemaURL {
			return slices.CompareFunc(strings.Split(a.SchemaURL, "/"), strings.Split(b.SchemaURL, "/"), compareStep)
		}
		return strings.Compare(fmt.Sprintf("%T %[1]v", a.ErrorKind), fmt.Sprintf("%T %[1]v", b.ErrorKind))
	})
}

// compareStep compares two steps of a path: places in an array as numbers.
func compareStep(a, b string) int {
	n, errN := strconv.Atoi(a)
	m, errM := strconv.Atoi(b)
	if errN == nil && errM == nil {
		return cmp.Compare(n, m)
	}
	return strings.Compare(a, b)
}

// firstLost returns the first of the references within a schema, in the order
// of their text, that leads nowhere; "" where each leads somewhere. The
// validator names any of them.
func firstLost(doc any) (first string) {
	var look func(v any)
	look = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			if ref, ok := v["$ref"].(string); ok && strings.HasPrefix(ref, "#/") && (first == "" || ref < first) && !leads(doc, ref) {
				first = ref
			}
			for _, in := range v {
				look(in)
			}
		case []any:
			for _, in := range v {
				look(in)
			}
		}
	}
	look(doc)
	return first
}

// leads reports whether there is something at a reference such as "#/$defs/a".
func leads(doc any, ref string) bool {
	pointer, err := url.PathUnescape(ref[len("#/"):])
	return err == nil && pointed(doc, pointer) != nil
}
