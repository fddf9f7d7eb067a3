package session

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// encode writes a value of our own as JSON on one line, without the HTML
// escapes that encoding/json is fond of.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("session: a message of its own cannot be written: " + err.Error())
	}
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'})
}

// member is one member of an object that is put together from raw values.
type member struct {
	key string
	raw []byte // nil: the member is left out
}

// obj writes an object from raw values, each byte for byte as it is given.
func obj(members ...member) []byte {
	out := []byte{'{'}
	for _, m := range members {
		if m.raw == nil {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, encode(m.key)...), ':'), m.raw...)
	}
	return append(out, '}')
}

var version = member{"jsonrpc", []byte(`"2.0"`)}

func requestBytes(id int64, method string, params []byte) []byte {
	return obj(version, member{"id", strconv.AppendInt(nil, id, 10)}, member{"method", encode(method)}, member{"params", params})
}

func notificationBytes(method string, params []byte) []byte {
	return obj(version, member{"method", encode(method)}, member{"params", params})
}

// resultBytes answers a request of the server. The id goes back byte for byte
// as it came: 9007199254740993, 1e2 and "1" included.
func resultBytes(id wire.ID, result []byte) []byte {
	return obj(version, member{"id", []byte(id)}, member{"result", result})
}

func errorBytes(id wire.ID, e *Error) []byte {
	return obj(version, member{"id", []byte(id)}, member{"error", obj(
		member{"code", strconv.AppendInt(nil, int64(e.Code), 10)},
		member{"message", encode(e.Message)},
		member{"data", e.Data},
	)})
}

func cancelledBytes(id int64, reason string) []byte {
	return notificationBytes("notifications/cancelled", obj(
		member{"requestId", strconv.AppendInt(nil, id, 10)},
		member{"reason", encode(reason)},
	))
}

// errorOf reads a JSON-RPC error as the server sent it.
func errorOf(raw []byte) *Error {
	e := &Error{Message: wire.StringOf(wire.Member(raw, "message"))}
	e.Code, _ = strconv.Atoi(string(wire.Member(raw, "code"))) // no integer: 0, it has no code
	if e.Message == "" {
		e.Message = "the server answered with an error that has no message"
	}
	e.Data = wire.Member(raw, "data")
	return e
}
