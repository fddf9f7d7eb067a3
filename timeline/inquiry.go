package timeline

import (
	"slices"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// inquiry is an answer that asks for input: its questions are open until they
// are answered, or until the request is sent again or given up (MCP
// 2026-07-28, "Multi Round-Trip Requests").
type inquiry struct {
	of     string // key of the id of the request that was answered
	method string
	tool   string
	state  string // raw, "": none
	open   []string
}

// maxInquiries is how many are followed at once.
const maxInquiries = 100

// inquires notes the questions of an answer. Results ask in MCP 2026-07-28
// alone. It reports whether there are any.
func (c *conn) inquires(st *step, r *request) bool {
	if !mcpl.AsksBack(r.method) || st.head.Kind == wire.Result && c.protocol != mcpl.ProtocolStateless {
		return false
	}
	questions, asks := mcpl.Questions(*st.head)
	if !asks || len(c.inquiries) >= maxInquiries {
		return asks
	}
	q := inquiry{
		of: strings.Clone(st.head.ID.Key()), method: r.method, tool: r.tool,
		state: string(wire.Member(st.head.Result, "requestState")),
	}
	for _, asked := range questions {
		id := mcpl.QuestionID(st.head.ID, asked.Key)
		c.asks[id.Key()] = openCall{request: &request{
			id: id, about: c.history.about(about{method: c.history.name(asked.Method)}),
			frame: int32(st.at.frame), message: int32(st.at.message), seq: st.f.Seq, t: st.f.T,
		}}
		q.open = append(q.open, id.Key())
	}
	c.inquiries = append(slices.Clip(c.inquiries), q)
	return true
}

// inquiryNote applies what a note says of questions.
func (c *conn) inquiryNote(st *step) {
	if st.f.Name == "input-answered" {
		delete(c.asks, wire.ID(wire.Member(st.f.Data, "id")).Key())
		return
	}
	of := wire.ID(wire.Member(st.f.Data, "of")).Key()
	c.endInquiry(func(q *inquiry) bool { return q.of == of })
}

// sentAgain ends the inquiry that a request goes on after.
func (c *conn) sentAgain(st *step, r *request) {
	state := wire.Member(st.head.Params, "requestState")
	c.endInquiry(func(q *inquiry) bool {
		return q.method == r.method && q.tool == r.tool && q.state == string(state)
	})
}

func (c *conn) endInquiry(is func(*inquiry) bool) {
	for i := range c.inquiries {
		if !is(&c.inquiries[i]) {
			continue
		}
		for _, key := range c.inquiries[i].open {
			delete(c.asks, key)
		}
		c.inquiries = append(c.inquiries[:i:i], c.inquiries[i+1:]...)
		return
	}
}

// Asked returns the request that a call of Board.Asks stands for, as the frame
// at its Index holds it: a message of the server, or a question within its
// answer to a request of the host.
func Asked(f Frame, id wire.ID) (h Head, ok bool) {
	for m := range f.Messages {
		if h, ok = mcpl.Asked(m, id); ok {
			return h, true
		}
	}
	return Head{}, false
}
