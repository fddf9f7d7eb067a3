package mcpl

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// ErrPatch is returned where a JSON Patch cannot be applied as a whole.
var ErrPatch = errors.New("the patch does not apply")

// The bounds of a patch: a peer writes it.
const (
	maxPatchOps  = 10_000
	maxPatchSize = 16 << 20 // bytes of the document after each step
	maxPatchWork = 64 << 20 // bytes written by all steps together
)

// Patch applies a JSON Patch (RFC 6902) to a document and returns the new one;
// values that it does not touch stay byte for byte as they are. It applies as
// a whole, or not at all (RFC 6902 §5).
func Patch(doc, patch []byte) ([]byte, error) {
	if len(patch) == 0 || patch[0] != '[' {
		return nil, fmt.Errorf("%w: it is no array of operations", ErrPatch)
	}
	if doc == nil {
		doc = []byte("null")
	}
	n, work := 0, 0
	var failed error
	wire.EachElement(patch, func(op []byte) bool {
		n++
		if n > maxPatchOps {
			failed = fmt.Errorf("%w: it has more than %d operations", ErrPatch, maxPatchOps)
			return false
		}
		next, err := apply(doc, op)
		if err == nil && (len(next) > maxPatchSize || work+len(next) > maxPatchWork) {
			err = errors.New("the document grows too large")
		}
		if err != nil {
			failed = fmt.Errorf("%w: operation %d: %w", ErrPatch, n, err)
			return false
		}
		work += len(next)
		doc = next
		return true
	})
	if failed != nil {
		return nil, failed
	}
	return bytes.Clone(doc), nil
}

// apply applies one operation.
func apply(doc, op []byte) ([]byte, error) {
	path, err := pointer(op, "path")
	if err != nil {
		return nil, err
	}
	value := wire.Member(op, "value")
	kind := wire.StringOf(wire.Member(op, "op"))
	switch kind {
	case "add", "replace", "test":
		if value == nil {
			return nil, fmt.Errorf("%s has no value", kind)
		}
	case "move", "copy":
		from, err := pointer(op, "from")
		if err != nil {
			return nil, err
		}
		if value, err = at(doc, from); err != nil {
			return nil, err
		}
		if kind == "move" {
			if len(from) < len(path) && slices.Equal(from, path[:len(from)]) {
				return nil, errors.New("a value cannot move into itself")
			}
			value = bytes.Clone(value)
			if doc, err = edit(doc, from, removing, nil); err != nil {
				return nil, err
			}
		}
	}
	switch kind {
	case "add", "move", "copy":
		return edit(doc, path, adding, value)
	case "remove":
		return edit(doc, path, removing, nil)
	case "replace":
		return edit(doc, path, replacing, value)
	case "test":
		there, err := at(doc, path)
		if err == nil && !SameJSON(there, value) {
			err = errors.New("the value at " + "/" + strings.Join(path, "/") + " is another one")
		}
		return doc, err
	}
	return nil, fmt.Errorf("%q is no operation", kind)
}

// pointer reads a JSON Pointer (RFC 6901): its steps, none for the whole
// document.
func pointer(op []byte, key string) ([]string, error) {
	raw := wire.Member(op, key)
	if len(raw) == 0 || raw[0] != '"' {
		return nil, fmt.Errorf("%s is missing", key)
	}
	text := wire.StringOf(raw)
	if text == "" {
		return nil, nil
	}
	if text[0] != '/' {
		return nil, fmt.Errorf("%s %q does not begin with /", key, text)
	}
	steps := strings.Split(text[1:], "/")
	for i, s := range steps {
		steps[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(s)
	}
	return steps, nil
}

// at returns the value at a path.
func at(doc []byte, path []string) ([]byte, error) {
	for i, step := range path {
		next := child(doc, step)
		if next == nil {
			return nil, missing(path[:i+1])
		}
		doc = next
	}
	return doc, nil
}

func missing(path []string) error {
	return fmt.Errorf("there is nothing at /%s", strings.Join(path, "/"))
}

func child(doc []byte, step string) []byte {
	if len(doc) > 0 && doc[0] == '{' {
		return wire.Member(doc, step)
	}
	if len(doc) == 0 || doc[0] != '[' {
		return nil
	}
	var found []byte
	n, want := 0, index(step)
	wire.EachElement(doc, func(v []byte) bool {
		if n == want {
			found = v
		}
		n++
		return found == nil
	})
	return found
}

// index is the place in an array that a step names, -1 where it names none:
// digits without leading zeros (RFC 6901 §4).
func index(step string) int {
	if step == "" || len(step) > 9 || len(step) > 1 && step[0] == '0' || strings.Trim(step, "0123456789") != "" {
		return -1
	}
	n, err := strconv.Atoi(step)
	if err != nil {
		return -1
	}
	return n
}

type editing uint8

const (
	adding editing = iota
	removing
	replacing
)

// edit changes the value at a path, and writes what is around it anew.
func edit(doc []byte, path []string, how editing, value []byte) ([]byte, error) {
	if len(path) == 0 {
		if how == removing {
			return []byte("null"), nil
		}
		return value, nil
	}
	var parents [][]byte
	for i := range path[:len(path)-1] {
		parents = append(parents, doc)
		if doc = child(doc, path[i]); doc == nil {
			return nil, missing(path[:i+1])
		}
	}
	out, err := editIn(doc, path[len(path)-1], how, value)
	if err != nil {
		return nil, err
	}
	for i := len(parents) - 1; i >= 0; i-- {
		if out, err = editIn(parents[i], path[i], replacing, out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func editIn(doc []byte, step string, how editing, value []byte) ([]byte, error) {
	switch {
	case len(doc) > 0 && doc[0] == '{':
		return editObject(doc, step, how, value)
	case len(doc) > 0 && doc[0] == '[':
		return editArray(doc, step, how, value)
	}
	return nil, fmt.Errorf("there is no place for %q in a plain value", step)
}

func editObject(doc []byte, key string, how editing, value []byte) ([]byte, error) {
	there := wire.Member(doc, key) != nil
	if !there && how != adding {
		return nil, missing([]string{key})
	}
	out := []byte{'{'}
	put := func(k string, v []byte) {
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, quoted(k)...), ':'), v...)
	}
	done := false
	wire.EachMember(doc, func(k string, v []byte) bool {
		switch {
		case k != key:
			put(k, v)
		case how != removing && !done:
			put(k, value)
			done = true
		}
		return true
	})
	if !there {
		put(key, value)
	}
	return append(out, '}'), nil
}

func quoted(s string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(s) != nil {
		return []byte(`""`)
	}
	return bytes.TrimSpace(b.Bytes())
}

func editArray(doc []byte, step string, how editing, value []byte) ([]byte, error) {
	n := 0
	wire.EachElement(doc, func([]byte) bool { n++; return true })
	i := index(step)
	if how == adding && step == "-" {
		i = n
	}
	if i < 0 || i > n || i == n && how != adding {
		return nil, missing([]string{step})
	}
	out := []byte{'['}
	put := func(v []byte) {
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(out, v...)
	}
	k := 0
	wire.EachElement(doc, func(v []byte) bool {
		if k == i && how != removing {
			put(value)
		}
		if k != i || how == adding {
			put(v)
		}
		k++
		return true
	})
	if i == n {
		put(value)
	}
	return append(out, ']'), nil
}
