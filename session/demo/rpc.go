package demo

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// codeNotNow is the error of what is right but cannot be done now.
const codeNotNow = -32000

// rpcError is the error member of an answer.
type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *rpcError) Error() string { return e.Message }

func errorf(code int, format string, args ...any) *rpcError {
	return &rpcError{Code: code, Message: fmt.Sprintf(format, args...)}
}

// refusal is an ordinary tool error, told to the model (isError).
type refusal string

func (r refusal) Error() string { return string(r) }

func refuse(format string, args ...any) error { return refusal(fmt.Sprintf(format, args...)) }

// message is a JSON-RPC message to the host.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"` // as it stood on the wire
	Method  string          `json:"method,omitempty"`
	Params  any             `json:"params,omitempty"`
	Result  any             `json:"result,omitempty"`
	Error   *rpcError       `json:"error,omitempty"`
}

// content is what results and pushes carry for people and models.
type content struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

func text(s string) []content { return []content{{Type: "text", Text: s}} }

// encode writes v without the HTML escapes of json.Marshal. It is given
// nothing but types of this package, which always encode.
func encode(v any) []byte {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(fmt.Sprintf("demo: a message does not encode: %v", err))
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte{'\n'})
}

// object is a JSON object of the peer's, by the exact names of its members.
type object map[string]json.RawMessage

// objectOf reads raw as an object; nothing is an empty one.
func objectOf(raw []byte) (object, bool) {
	o := object{}
	if len(raw) == 0 {
		return o, true
	}
	if raw[0] != '{' {
		return o, false
	}
	wire.EachMember(raw, func(k string, v []byte) bool {
		o[k] = v
		return true
	})
	return o, true
}

// text returns the string member key; has is false where it is absent, ok
// where it is something else than a string.
func (o object) text(key string) (value string, has, ok bool) {
	raw, has := o[key]
	if !has {
		return "", false, true
	}
	if raw[0] != '"' {
		return "", true, false
	}
	return wire.StringOf(raw), true, true
}

// number returns the number member key, or instead where it is absent.
func (o object) number(key string, instead float64) (float64, bool) {
	raw, has := o[key]
	if !has {
		return instead, true
	}
	var f float64
	if raw[0] == 'n' || json.Unmarshal(raw, &f) != nil {
		return 0, false
	}
	return f, true
}

// flag returns the boolean member key, or false where it is absent.
func (o object) flag(key string) (value, ok bool) {
	raw, has := o[key]
	return has && string(raw) == "true", !has || string(raw) == "true" || string(raw) == "false"
}

// stranger returns a member that is none of the known ones.
func (o object) stranger(known ...string) (string, bool) {
	for _, k := range slices.Sorted(maps.Keys(o)) {
		if !slices.Contains(known, k) {
			return k, true
		}
	}
	return "", false
}

// nameGrammar is how names of toolsets and instances look (toolhints.md §4).
var nameGrammar = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

var harmless = regexp.MustCompile(`^[A-Za-z0-9._/-]{1,64}$`)

// quote repeats a word of the peer's only where it looks like a name: the
// server's own words must not carry what a peer slipped in.
func quote(s string) string {
	if harmless.MatchString(s) {
		return `"` + s + `"`
	}
	return "(no readable name)"
}

// list names things in words: a, b and c.
func list(names []string) string {
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return strings.Join(names, "")
}
