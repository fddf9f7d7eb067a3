package mcpl

import (
	"encoding/json"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// InputRequired is the resultType of an answer that asks for input (MCP
// 2026-07-28, "Multi Round-Trip Requests").
const InputRequired = "input_required"

// Question is one thing that the answer to a request asks for.
type Question struct {
	Key    string // the server's name of it
	Method string // elicitation/create, sampling/createMessage, roots/list
	Params []byte // as sent
}

// maxQuestions bounds the questions of one answer.
const maxQuestions = 100

// Questions reads what the answer to a request asks for: a result that says
// that input is required, or an error that sends a person to a page (MCP
// 2025-11-25, URLElicitationRequiredError). asks is false for any other
// answer; an answer may ask for nothing but to be asked again.
func Questions(answer wire.Head) (questions []Question, asks bool) {
	if answer.Kind == wire.Error {
		if string(wire.Member(answer.Error, "code")) != codeURLElicitation {
			return nil, false
		}
		wire.EachElement(wire.Path(answer.Error, "data", "elicitations"), func(v []byte) bool {
			if len(v) == 0 || v[0] != '{' {
				return true // what is no object asks for nothing
			}
			questions = append(questions, Question{wire.StringOf(wire.Member(v, "elicitationId")), MethodElicit, v})
			return len(questions) < maxQuestions
		})
		return questions, len(questions) > 0
	}
	if answer.Kind != wire.Result || wire.StringOf(wire.Member(answer.Result, "resultType")) != InputRequired {
		return nil, false
	}
	asked := membersOnce(wire.Member(answer.Result, "inputRequests"))
	for _, m := range asked[:min(len(asked), maxQuestions)] {
		questions = append(questions, Question{m.name, wire.StringOf(wire.Member(m.value, "method")), wire.Member(m.value, "params")})
	}
	return questions, true
}

// QuestionID is the id under which a question waits that the answer to a
// request asks: the request's id and the server's key of the question.
func QuestionID(request wire.ID, key string) wire.ID {
	id, err := json.Marshal(request.String() + "/" + key)
	if err != nil {
		panic("mcpl: a string cannot be written: " + err.Error())
	}
	return wire.ID(id)
}

// Asked returns the request with that id that a message is or asks: a request
// of the server, or a question of its answer. ok is false where it is neither.
func Asked(h wire.Head, id wire.ID) (asked wire.Head, ok bool) {
	if h.Kind == wire.Request {
		return h, h.ID.Key() == id.Key()
	}
	questions, _ := Questions(h)
	for _, q := range questions {
		if own := QuestionID(h.ID, q.Key); own.Key() == id.Key() {
			return wire.Head{Kind: wire.Request, Method: q.Method, ID: own, Params: q.Params, Raw: h.Raw}, true
		}
	}
	return wire.Head{}, false
}

// AsksBack reports whether a request can be answered with a question.
func AsksBack(method string) bool {
	return method == MethodToolsCall || method == MethodPromptsGet || method == MethodResourcesRead
}
