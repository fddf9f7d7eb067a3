package wire

import (
	"bytes"
	"math/big"
	"strings"

	"github.com/tidwall/gjson"
)

// Kind is the kind of a JSON-RPC message.
type Kind uint8

// The kinds of a message.
const (
	Invalid      Kind = iota // JSON, but no JSON-RPC message
	Request                  // method and id
	Notification             // method without id
	Result                   // answer with result
	Error                    // answer with error
)

var kindNames = [...]string{"invalid", "request", "notification", "result", "error"}

// String returns the kind in words.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "invalid"
}

// ID is a request's id exactly as it stood on the wire: 7, "a", 1e2, null.
// The zero value means that there was none.
type ID string

// Key returns a form in which two ids are equal exactly if type and value
// are: 1e2 and 100 are one id, 100 and "100" are two.
func (id ID) Key() string {
	s := string(id)
	if s == "" || s == "null" {
		return s
	}
	if s[0] == '"' {
		if strings.IndexByte(s, '\\') < 0 {
			return s
		}
		return `"` + gjson.Parse(s).String() + `"`
	}
	if isPlainInt(s) {
		return s
	}
	return numberKey(s)
}

// String returns the id for people: without the quotes of a string.
func (id ID) String() string {
	if strings.HasPrefix(string(id), `"`) {
		return gjson.Parse(string(id)).String()
	}
	return string(id)
}

func isPlainInt(s string) bool {
	digits := strings.TrimPrefix(s, "-")
	if digits == "" || (digits[0] == '0' && s != "0") {
		return false
	}
	for i := range len(digits) {
		if digits[i]-'0' > 9 {
			return false
		}
	}
	return true
}

// numberKey writes a number by its value. Exponents beyond any sane id stay
// as they are written: 1e999999999 must not cost a gigabyte.
func numberKey(s string) string {
	if i := strings.IndexAny(s, "eE"); i >= 0 && len(strings.TrimLeft(s[i+1:], "+-0")) > 3 {
		return s
	}
	if len(s) > 4096 {
		return s
	}
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		return s
	}
	if r.IsInt() {
		return r.Num().String()
	}
	return r.RatString()
}

// Head is what Peek reads of a message. Params, Result and Error are the raw
// bytes of these members, or nil. All of it, Method and ID too, are views of
// the message: what is kept for longer than the message is copied.
type Head struct {
	Kind   Kind
	Method string
	ID     ID
	Raw    []byte // the whole message
	Params []byte
	Result []byte
	Error  []byte
	// Version is the raw value of "jsonrpc".
	Version []byte
}

// Peek reads kind, method and id of one JSON-RPC message without decoding
// anything below its first level. Of a member that stands twice the last
// counts. raw must be valid JSON; what is no JSON-RPC message has kind
// Invalid.
func Peek(raw []byte) Head {
	var h Head
	for m := MembersOf(raw); m.Next(); {
		h.Add(m.Key, m.Value)
	}
	h.Done(raw)
	return h
}

// Add takes a member of a message's first level, views of its bytes. It is for
// those who step through them anyway: Peek does all of it.
func (h *Head) Add(key, value []byte) {
	switch string(key) {
	case "method":
		if h.Kind, h.Method = Invalid, ""; value[0] == '"' {
			h.Kind, h.Method = Notification, TextOf(value)
		}
	case "id":
		h.ID = ID(view(value))
	case "params":
		h.Params = value
	case "result":
		h.Result = value
	case "error":
		h.Error = value
	case "jsonrpc":
		h.Version = value
	}
}

// Done tells the kind of the message raw, all of whose members were added.
func (h *Head) Done(raw []byte) {
	h.Raw = raw
	// So far the kind says whether there is a method.
	h.Kind = kindOf(h.Kind == Notification, h.ID != "", h.Result != nil, h.Error != nil, isNull(h.Error))
}

// kindOf tells the kind of a message by its members. A result beside an error
// that is null is a result.
func kindOf(method, id, result, err, nullErr bool) Kind {
	switch {
	case method && id:
		return Request
	case method:
		return Notification
	case id && err && (!result || !nullErr):
		return Error
	case id && result:
		return Result
	}
	return Invalid
}

func isNull(v []byte) bool { return string(v) == "null" }

func eachMessage(body []byte, yield func(Head) bool) {
	b := body[blank(body, 0):]
	if len(b) == 0 {
		return
	}
	if b[0] != '[' {
		yield(Peek(b))
		return
	}
	EachElement(b, func(v []byte) bool { return yield(Peek(v)) })
}

// EachMember calls yield with key (unescaped) and raw value of each member of
// the JSON object raw, in the order of the bytes, twice for a key that stands
// twice. It does nothing where raw is no object. The key is a view of raw, as
// the value is: what keeps it copies it.
func EachMember(raw []byte, yield func(key string, value []byte) bool) {
	for m := MembersOf(raw); m.Next() && yield(view(m.Key), m.Value); {
	}
}

// EachElement calls yield with the raw value of each element of the JSON
// array raw. It does nothing where raw is no array.
func EachElement(raw []byte, yield func(value []byte) bool) {
	for m := ElementsOf(raw); m.Next() && yield(m.Value); {
	}
}

// Member returns the raw value of a member of the JSON object raw, the last
// one where it stands twice, or nil.
func Member(raw []byte, key string) []byte {
	var out []byte
	for m := MembersOf(raw); m.Next(); {
		if string(m.Key) == key {
			out = m.Value
		}
	}
	return out
}

// Path returns the raw value that is reached through the named members, one
// below the other, or nil.
func Path(raw []byte, keys ...string) []byte {
	for _, k := range keys {
		if raw = Member(raw, k); raw == nil {
			return nil
		}
	}
	return raw
}

// StringOf returns the value of a raw JSON string, or "" for anything else.
func StringOf(raw []byte) string {
	if len(raw) < 2 || raw[0] != '"' {
		return ""
	}
	if in := raw[1 : len(raw)-1]; bytes.IndexByte(in, '\\') < 0 {
		return string(in)
	}
	return gjson.ParseBytes(raw).String()
}
