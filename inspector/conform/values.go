package conform

import (
	"bytes"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// tree is one body, read once.
type tree struct {
	wire.Tree
	odd   bool    // there is something in its bytes that is to be judged (see bytesOf)
	batch bool    // it is an array of messages
	top   outline // of the message that it is
}

// look sees what of a message can be seen without knowing of others.
func (t *tree) look() {
	t.outline(&t.Top, &t.top)
	t.batch = t.isArray(t.Root())
	t.odd = t.Twice != nil || t.Control >= 0 || hasURL(t.Bytes)
	for i := 0; i < len(t.Long) && !t.odd; i++ {
		what, _ := token(t.Bytes[t.Long[i].Start:t.Long[i].End])
		t.odd = what != ""
	}
}

// reader makes one tree at a time, which is valid until the next.
type reader struct {
	wire.Reader
	tree tree
}

// parse reads a body. It returns the root, and false where the bytes are no
// JSON.
func (r *reader) parse(b []byte) (root value, ok bool) {
	r.Reset()
	return r.Read(b, &r.tree.Tree)
}

// value is a place in a tree; 0 stands for no value.
type value = wire.Value

// Reading values of a tree. Every method takes 0, no value, and finds
// nothing there.

func (t *tree) isObject(v value) bool { return t.Kind(v) == '{' }
func (t *tree) isArray(v value) bool  { return t.Kind(v) == '[' }
func (t *tree) isString(v value) bool { return t.Kind(v) == '"' }
func (t *tree) isNull(v value) bool   { return t.Kind(v) == 'n' }
func (t *tree) isTrue(v value) bool   { return t.Kind(v) == 't' }
func (t *tree) isBool(v value) bool   { k := t.Kind(v); return k == 't' || k == 'f' }

// kids returns how many members or elements there are.
func (t *tree) kids(v value) int {
	n := 0
	for m := t.First(v); m != 0; m = t.Next(m) {
		n++
	}
	return n
}

// path returns what is reached through the named members.
func (t *tree) path(v value, keys ...string) value {
	for _, k := range keys {
		if v = t.Get(v, k); v == 0 {
			return 0
		}
	}
	return v
}

// str is text in memory of its own.
func (t *tree) str(v value) string { return string(t.Text(v)) }

// memberStr returns the text of a member that is a string, "" otherwise.
func (t *tree) memberStr(v value, key string) string { return t.str(t.Get(v, key)) }

// is reports whether a value is that very string.
func (t *tree) is(v value, s string) bool { return t.isString(v) && string(t.Text(v)) == s }

// anyText reports whether a string within v has a part that ok likes. It
// stops at the first.
func (t *tree) anyText(v value, ok func([]byte) bool) bool {
	switch t.Kind(v) {
	case '"':
		return ok(t.Text(v))
	case '{', '[':
		for m := t.First(v); m != 0; m = t.Next(m) {
			if t.anyText(m, ok) {
				return true
			}
		}
	}
	return false
}

// mentions reports whether a string within v has the word in it.
func (t *tree) mentions(v value, word string) bool {
	return t.anyText(v, func(s []byte) bool { return bytes.Contains(s, []byte(word)) })
}
