package timeline_test

import (
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/timeline/timelinetest"
)

const (
	newestMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	asksTwo    = `{"id":4,"result":{"resultType":"input_required","requestState":"s1","inputRequests":{` +
		`"confirm":{"method":"elicitation/create","params":{"message":"Sure?"}},"a/b":{"method":"roots/list"}}}}`
	goesOn = `{"id":5,"method":"tools/call","params":{"name":"deploy","inputResponses":{},"requestState":"s1",` + newestMeta + `}}`
)

// stateless is a session of MCP 2026-07-28 up to a call that asks for input.
func stateless() *httpTape {
	t := &httpTape{}
	t.say(0, wire.Out, `{"id":1,"method":"server/discover","params":{`+newestMeta+`}}`)
	t.say(1, wire.In, `{"id":1,"result":{"supportedVersions":["2026-07-28","2025-11-25"],"capabilities":{"tools":{}},`+
		`"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"new","version":"2"}}}}`)
	t.say(2, wire.Out, `{"id":2,"method":"subscriptions/listen","params":{`+newestMeta+`}}`)
	t.say(3, wire.Out, `{"id":3,"method":"tools/list","params":{`+newestMeta+`}}`)
	t.say(4, wire.In, `{"id":3,"result":{"tools":[{"name":"deploy"}]}}`)
	t.say(5, wire.Out, `{"id":4,"method":"tools/call","params":{"name":"deploy",`+newestMeta+`}}`)
	t.say(6, wire.In, asksTwo)
	return t
}

func (t *httpTape) note(name, data string) {
	t.tape = append(t.tape, wire.Frame{Seq: int64(len(t.tape) + 1), T: 7, Conn: 1, Dir: wire.Note, Name: name, Data: []byte(data)})
}

// asks lists the ids of what the last board says waits.
func asks(t *testing.T, frames timeline.Frames) string {
	t.Helper()
	var ids []string
	for _, a := range timelinetest.Log(t, frames).Latest().Asks {
		ids = append(ids, a.ID.String())
	}
	return strings.Join(ids, " ")
}

func TestAServerWithoutHandshakeIsLiveOnceItsToolsAreListed(t *testing.T) {
	l := timelinetest.Log(t, *stateless())
	b := l.Latest()
	if b.Link.Phase != timeline.Live || b.Protocol != "2026-07-28" || b.Server.Name != "new" || b.Server.Version != "2" {
		t.Errorf("phase %d, protocol %s, server %+v", b.Link.Phase, b.Protocol, b.Server)
	}
	if len(b.Calls) != 0 || len(b.Listening) != 1 {
		t.Errorf("open are %+v and %+v", b.Calls, b.Listening)
	}
	if s := b.Link.Steps[0]; s.Name != "discover" || !s.OK || s.Note != "new" {
		t.Errorf("the first step is %+v", s)
	}
}

func TestAServerThatDoesNotSpeakTheVersionIsLiveByInitializeAlone(t *testing.T) {
	frames := &httpTape{}
	frames.say(0, wire.Out, `{"id":1,"method":"server/discover","params":{`+newestMeta+`}}`)
	frames.say(1, wire.In, `{"id":1,"result":{"supportedVersions":["2025-11-25"],"capabilities":{}}}`)
	frames.say(2, wire.Out, `{"id":2,"method":"tools/list","params":{}}`)
	frames.say(3, wire.In, `{"id":2,"result":{"tools":[]}}`)
	if b := timelinetest.Log(t, *frames).Latest(); b.Link.Phase != timeline.Handshake || b.Protocol != "" {
		t.Errorf("phase %d, protocol %q", b.Link.Phase, b.Protocol)
	}
}

func TestQuestionsOfAnAnswerWaitUntilTheyAreAnsweredDroppedOrTheCallGoesOn(t *testing.T) {
	for name, c := range map[string]struct {
		then func(*httpTape)
		want string
	}{
		"both":            {func(*httpTape) {}, "4/a/b 4/confirm"},
		"one answered":    {func(t *httpTape) { t.note("input-answered", `{"id":"4/confirm","of":4}`) }, "4/a/b"},
		"dropped":         {func(t *httpTape) { t.note("input-dropped", `{"of":4}`) }, ""},
		"another dropped": {func(t *httpTape) { t.note("input-dropped", `{"of":5}`) }, "4/a/b 4/confirm"},
		"goes on":         {func(t *httpTape) { t.say(8, wire.Out, goesOn) }, ""},
		"another state":   {func(t *httpTape) { t.say(8, wire.Out, strings.Replace(goesOn, "s1", "s2", 1)) }, "4/a/b 4/confirm"},
		"another tool":    {func(t *httpTape) { t.say(8, wire.Out, strings.Replace(goesOn, "deploy", "echo", 1)) }, "4/a/b 4/confirm"},
		"a result, no end": {func(t *httpTape) {
			t.say(8, wire.Out, goesOn)
			t.say(9, wire.In, strings.Replace(asksTwo, `"id":4`, `"id":5`, 1))
		}, "5/a/b 5/confirm"},
	} {
		t.Run(name, func(t *testing.T) {
			frames := stateless()
			c.then(frames)
			if got := asks(t, *frames); got != c.want {
				t.Errorf("%q waits, want %q", got, c.want)
			}
		})
	}
}

func TestAQuestionIsReadFromTheFrameThatAskedIt(t *testing.T) {
	l := timelinetest.Log(t, *stateless())
	a := l.Latest().Asks[1]
	f, err := l.Frame(a.Index)
	if err != nil {
		t.Fatal(err)
	}
	h, ok := timeline.Asked(f, a.ID)
	if !ok || h.Method != "elicitation/create" || string(h.Params) != `{"message":"Sure?"}` {
		t.Errorf("it reads %v %s %s", ok, h.Method, h.Params)
	}
}

func TestAnErrorThatSendsAPersonToAPageAsksToo(t *testing.T) {
	frames := onHTTP()
	frames.say(1, wire.Out, `{"id":3,"method":"tools/call","params":{"name":"shout"}}`)
	frames.say(2, wire.In, `{"id":3,"error":{"code":-32042,"message":"visit","data":{"elicitations":[{"mode":"url","elicitationId":"e1","url":"https://example.com"}]}}}`)
	if got := asks(t, *frames); got != "3/e1" {
		t.Errorf("%q waits", got)
	}
	frames.say(3, wire.Out, `{"id":4,"method":"tools/call","params":{"name":"shout"}}`)
	if got := asks(t, *frames); got != "" {
		t.Errorf("%q waits after the call was sent again", got)
	}
}
