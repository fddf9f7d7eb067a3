package conform

import "bytes"

// Reading values of a tree. Every method takes 0, no value, and finds
// nothing there.

func (t *tree) kind(v value) byte {
	if v <= 0 {
		return 0
	}
	return t.nodes[v].kind
}

func (t *tree) isObject(v value) bool { return t.kind(v) == '{' }
func (t *tree) isArray(v value) bool  { return t.kind(v) == '[' }
func (t *tree) isString(v value) bool { return t.kind(v) == '"' }
func (t *tree) isNull(v value) bool   { return t.kind(v) == 'n' }
func (t *tree) isTrue(v value) bool   { return t.kind(v) == 't' }
func (t *tree) isBool(v value) bool   { k := t.kind(v); return k == 't' || k == 'f' }

// first returns the first member or element, next the one after v.
func (t *tree) first(v value) value {
	if v <= 0 || t.nodes[v].empty || t.nodes[v].kind != '{' && t.nodes[v].kind != '[' || int(v)+1 >= len(t.nodes) {
		return 0
	}
	return v + 1
}

func (t *tree) next(v value) value { return value(t.nodes[v].next) }

// kids returns how many members or elements there are.
func (t *tree) kids(v value) int {
	n := 0
	for m := t.first(v); m != 0; m = t.next(m) {
		n++
	}
	return n
}

// keyOf returns the key of a member, unescaped.
func (t *tree) keyOf(v value) []byte {
	if n := &t.nodes[v]; !n.escdKey {
		return t.b[n.kstart:n.kend]
	}
	return t.unescaped(v)
}

func (t *tree) unescaped(v value) []byte {
	n := &t.nodes[v]
	return unescape(t.b[n.kstart:n.kend])
}

// get returns a member of an object: the last one where it stands twice.
func (t *tree) get(v value, key string) value {
	if !t.isObject(v) {
		return 0
	}
	var found value
	for m := t.first(v); m != 0; m = t.next(m) {
		if string(t.keyOf(m)) == key {
			found = m
		}
	}
	return found
}

// path returns what is reached through the named members.
func (t *tree) path(v value, keys ...string) value {
	for _, k := range keys {
		if v = t.get(v, k); v == 0 {
			return 0
		}
	}
	return v
}

// raw returns a value's bytes, nil for none.
func (t *tree) raw(v value) []byte {
	if v <= 0 {
		return nil
	}
	n := &t.nodes[v]
	return t.b[n.start:n.end:n.end]
}

// text returns the text of a string, nil for anything else.
func (t *tree) text(v value) []byte {
	if !t.isString(v) {
		return nil
	}
	n := &t.nodes[v]
	raw := t.b[n.start+1 : n.end-1]
	if n.escaped {
		return unescape(raw)
	}
	return raw
}

// str is text in memory of its own.
func (t *tree) str(v value) string { return string(t.text(v)) }

// memberStr returns the text of a member that is a string, "" otherwise.
func (t *tree) memberStr(v value, key string) string { return t.str(t.get(v, key)) }

// is reports whether a value is that very string.
func (t *tree) is(v value, s string) bool { return t.isString(v) && string(t.text(v)) == s }

// anyText reports whether a string within v has a part that ok likes. It
// stops at the first.
func (t *tree) anyText(v value, ok func([]byte) bool) bool {
	switch t.kind(v) {
	case '"':
		return ok(t.text(v))
	case '{', '[':
		for m := t.first(v); m != 0; m = t.next(m) {
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
