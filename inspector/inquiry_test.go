package inspector_test

import (
	"testing"

	"github.com/mcpl-tui/mcpl-tui/inspector"
)

func TestACallInSeveralTurnsSaysWhichFramesBelongTogether(t *testing.T) {
	const asks = `{"jsonrpc":"2.0","id":4,"result":{"resultType":"input_required","requestState":"s1","inputRequests":{` +
		`"sure":{"method":"elicitation/create","params":{"message":"Deploy?"}}}}}`
	begun := func() (*tape, int) {
		p := newTape(t)
		i := p.out(`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"deploy"}}`)
		p.in(asks)
		return p, i
	}
	p, first := begun()
	has(t, print(inspector.Frame(p.log(), first)), "asks for input", "sure  ", "elicitation/create: Deploy?", "It was not sent again so far.")
	again := p.out(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"deploy","inputResponses":{},"requestState":"s1"}}`)
	has(t, print(inspector.Frame(p.log(), first)), "The call goes on in frame 3.")
	has(t, print(inspector.Frame(p.log(), again)), "This call goes on from frame 2, with the answers")
	if h := inspector.HeadlineOf(p.log(), first+1); h.What != "asks for input" || h.Words != "elicitation/create: Deploy?" {
		t.Errorf("the answer's line is %q", h.Text())
	}
	p, first = begun()
	p.note("input-dropped", `{"of":4,"reason":"nobody answers"}`)
	has(t, print(inspector.Frame(p.log(), first)), "It was not sent again, says frame 3: nobody answers.")
}
