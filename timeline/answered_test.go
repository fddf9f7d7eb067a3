package timeline_test

import (
	"reflect"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/timeline/timelinetest"
)

func boardOf(t *testing.T, frames *httpTape) (*timeline.Log, *timeline.Board) {
	t.Helper()
	l := timelinetest.Log(t, frames.tape)
	b, err := l.Board(l.Len() - 1)
	if err != nil {
		t.Fatal(err)
	}
	return l, b
}

func TestAnAnswerToWhatWasAnsweredAlreadyOrNeverAskedChangesNothing(t *testing.T) {
	for name, more := range map[string]string{
		"a second list, empty":          `{"id":2,"result":{"tools":[]}}`,
		"a second list with a rev":      `{"id":2,"result":{"tools":[{"name":"whisper"}],"_meta":{"mcpl/rev":1}}}`,
		"a second manifest":             `{"id":1,"result":{"capabilities":{}}}`,
		"a second end of a call":        `{"id":3,"result":{"content":[],"_meta":{"mcpl/hints":{"rev":1,"tools":[{"name":"shout","visible":false}]}}}}`,
		"an error after the result":     `{"id":2,"error":{"code":-32603,"message":"late"}}`,
		"a list that nobody asked for":  `{"id":9,"result":{"tools":[]}}`,
		"an id of the same text":        `{"id":"2","result":{"tools":[]}}`,
		"both of a batch":               `[{"id":2,"result":{"tools":[]}},{"id":9,"result":{"tools":[]}}]`,
		"an answer without a usable id": `{"id":null,"result":{"tools":[]}}`,
	} {
		t.Run(name, func(t *testing.T) {
			frames := onHTTP()
			frames.say(1, wire.Out, `{"id":3,"method":"tools/call","params":{"name":"shout"}}`)
			frames.say(2, wire.In, `{"id":3,"result":{"content":[]}}`)
			_, before := boardOf(t, frames)
			frames.say(3, wire.In, more)
			l, after := boardOf(t, frames)
			want, have := before.Export(), after.Export()
			if have.At.Seq = want.At.Seq; !reflect.DeepEqual(want, have) || len(have.Dynamic) != 1 {
				t.Errorf("the board was\n%+v\nand is\n%+v", want, have)
			}
			if n := l.RowCount(); n != 0 {
				t.Errorf("%d revs were taken of an answer to nothing", n)
			}
		})
	}
}

func TestAnAnswerCountsWhereItsRequestWasGivenUpOrItsIDUsedAgain(t *testing.T) {
	frames := onHTTP()
	frames.say(1, wire.Out, `{"id":3,"method":"tools/list"}`)
	frames.say(2, wire.Out, `{"method":"notifications/cancelled","params":{"requestId":3}}`)
	frames.say(3, wire.In, `{"id":3,"result":{"tools":[]}}`)
	if _, b := boardOf(t, frames); len(b.Export().Dynamic) != 0 {
		t.Error("the list of a request that was cancelled did not count")
	}
	frames.say(4, wire.Out, `{"id":3,"method":"tools/list"}`)
	frames.say(5, wire.In, shoutListed(3))
	if _, b := boardOf(t, frames); len(b.Export().Dynamic) != 1 {
		t.Error("the list of a request whose id was used before did not count")
	}
}
