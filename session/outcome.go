package session

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// Outcome is what became of a line of the command language.
type Outcome struct {
	Command string          // the line
	OK      bool            // false: it was refused, failed, or got no answer
	Result  json.RawMessage // the answer's result as the server sent it, or nil
	Err     *Error          // nil exactly where OK is true
	Request int64           // number of the frame that was sent, 0: none
	Answer  int64           // number of the frame that answered it, 0: none
	// Judged says of each injection that a hook got whether it is granted: a
	// JSON array of {position, needs, allowed}, nil where there is none.
	Judged json.RawMessage
}

// Error is a JSON-RPC error of the server, or what went wrong on this side.
type Error struct {
	Code    int             // the JSON-RPC code; 0 where the server said nothing
	Message string          // one sentence
	Data    json.RawMessage // as the server sent it, or nil
}

// Error returns the message, with the code where there is one.
func (e *Error) Error() string {
	if e.Code == 0 {
		return e.Message
	}
	return fmt.Sprintf("%s (%d)", e.Message, e.Code)
}

// JSON returns the outcome as `mcpl-tui do` prints it (outputs.md, "Commands
// to a host"), the result byte for byte as the server sent it.
func (o Outcome) JSON() []byte {
	ok := strconv.AppendBool(nil, o.OK)
	if o.OK {
		result := []byte(o.Result)
		if result == nil {
			result = []byte("null")
		}
		return obj(member{"command", encode(o.Command)}, member{"ok", ok}, member{"result", result}, member{"injections", o.Judged})
	}
	return obj(member{"command", encode(o.Command)}, member{"ok", ok}, member{"result", o.Result}, member{"error", obj(
		member{"code", strconv.AppendInt(nil, int64(o.Err.Code), 10)},
		member{"message", encode(o.Err.Message)},
		member{"data", o.Err.Data},
	)})
}

// failed makes the outcome of a line that went wrong.
func failed(line string, err error) Outcome {
	o := Outcome{Command: line}
	if e, ok := err.(*Error); ok {
		o.Err = e
	} else {
		o.Err = &Error{Message: err.Error()}
	}
	return o
}
