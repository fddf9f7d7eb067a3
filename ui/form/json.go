package form

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// member is one member of a JSON object: its key unescaped, its value as it
// stands in the bytes.
type member struct {
	key string
	val []byte
}

// members returns the members of the JSON object raw in the order of the
// bytes, a key that stands twice twice. raw must be valid JSON; what is no
// object has none.
func members(raw []byte) []member {
	r := gjson.ParseBytes(raw)
	if !r.IsObject() {
		return nil
	}
	var out []member
	r.ForEach(func(k, v gjson.Result) bool {
		out = append(out, member{k.Str, []byte(v.Raw)})
		return true
	})
	return out
}

// elements returns the elements of the JSON array raw.
func elements(raw []byte) [][]byte {
	r := gjson.ParseBytes(raw)
	if !r.IsArray() {
		return nil
	}
	var out [][]byte
	r.ForEach(func(_, v gjson.Result) bool {
		out = append(out, []byte(v.Raw))
		return true
	})
	return out
}

// lookup returns a member of the object, or an element of the array, raw. Of
// a key that stands twice the last counts. It returns nil where there is none.
func lookup(raw []byte, key string) []byte {
	var out []byte
	switch first(raw) {
	case '{':
		for _, m := range members(raw) {
			if m.key == key {
				out = m.val
			}
		}
	case '[':
		for i, e := range elements(raw) {
			if itoa(i) == key {
				return e
			}
		}
	}
	return out
}

// walk follows a path of keys and indexes, and returns nil where it ends.
func walk(raw []byte, path []string) []byte {
	for _, key := range path {
		if raw = lookup(raw, key); raw == nil {
			return nil
		}
	}
	return raw
}

// first returns the first byte of a JSON value, 0 where there is none.
func first(raw []byte) byte {
	raw = bytes.TrimLeft(raw, " \t\r\n")
	if len(raw) == 0 {
		return 0
	}
	return raw[0]
}

// isObject reports whether raw is a valid JSON object.
func isObject(raw []byte) bool { return first(raw) == '{' && json.Valid(raw) }

// twice returns a key that stands twice in the object raw.
func twice(raw []byte) (key string, found bool) {
	seen := map[string]bool{}
	for _, m := range members(raw) {
		if seen[m.key] {
			return m.key, true
		}
		seen[m.key] = true
	}
	return "", false
}

// text returns the value of a raw JSON string; ok is false for anything else.
func text(raw []byte) (s string, ok bool) {
	if first(raw) != '"' {
		return "", false
	}
	return gjson.ParseBytes(raw).Str, true
}

// str is text without its ok.
func str(raw []byte) string {
	s, _ := text(raw)
	return s
}

// quote returns s as a JSON string. Nothing is escaped that need not be, so
// that <, > and & stay readable; bytes that are no UTF-8 become U+FFFD.
func quote(s string) []byte {
	const hex = "0123456789abcdef"
	b := make([]byte, 0, len(s)+2)
	b = append(b, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, '\\', 'n')
		case r == '\t':
			b = append(b, '\\', 't')
		case r == '\r':
			b = append(b, '\\', 'r')
		case r < ' ' || r == 0x7f:
			b = append(b, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return append(b, '"')
}

// oneLine takes the line breaks out of a JSON value, which stand between its
// tokens only. A value on one line is left byte for byte as it is.
func oneLine(raw []byte) []byte {
	raw = bytes.TrimSpace(raw)
	if !bytes.ContainsAny(raw, "\r\n\t") {
		return raw
	}
	return compact(raw)
}

// compact takes all blanks between tokens out of a JSON value. Numbers and
// strings stay byte for byte as they are.
func compact(raw []byte) []byte {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return raw
	}
	return b.Bytes()
}

// object writes an object of the given members.
func object(list []member) []byte {
	b := []byte{'{'}
	for i, m := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, quote(m.key)...), ':'), m.val...)
	}
	return append(b, '}')
}

// indent lays a JSON value out over several lines. Numbers and strings stay
// byte for byte as they are.
func indent(raw []byte) string {
	var b bytes.Buffer
	if json.Indent(&b, bytes.TrimSpace(raw), "", "  ") != nil {
		return string(raw)
	}
	return b.String()
}

// badJSON says where text stops to be JSON: "line 2, column 7: …".
func badJSON(s string) string {
	if json.Valid([]byte(s)) {
		return ""
	}
	var v any
	err := json.Unmarshal([]byte(s), &v)
	if err == nil {
		return ""
	}
	syntax, ok := err.(*json.SyntaxError)
	if !ok {
		return err.Error()
	}
	at := int(syntax.Offset)
	if syntax.Error() == "unexpected end of JSON input" {
		return "it ends too early"
	}
	before := s[:max(min(at, len(s))-1, 0)]
	row := strings.Count(before, "\n")
	col := utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
	if row == 0 && !strings.Contains(s, "\n") {
		return "column " + itoa(col+1) + ": " + syntax.Error()
	}
	return "line " + itoa(row+1) + ", column " + itoa(col+1) + ": " + syntax.Error()
}

// word writes a name for the command language: as it is where nothing in it
// could be taken for something else, else as a JSON string.
func word(s string) string {
	plain := s != ""
	for _, r := range s {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("._-/:", r) {
			plain = r >= 0xa1 && isLetter(r) && plain
		}
	}
	if plain {
		return s
	}
	return string(quote(s))
}

// shell quotes s for a POSIX shell.
func shell(s string) string {
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
