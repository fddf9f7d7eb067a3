package timeline_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/timeline/timelinetest"
)

// httpTape is a session over Streamable HTTP that a test says line by line.
type httpTape struct{ tape }

// onHTTP is a session over Streamable HTTP with one dynamic tool, shout.
func onHTTP() *httpTape {
	t := &httpTape{}
	t.say(0, wire.Out, `{"id":1,"method":"initialize","params":{"capabilities":{"experimental":{"mcpl":{"toolHints":true}}}}}`)
	t.say(0, wire.In, `{"id":1,"result":{"capabilities":{"experimental":{"mcpl":`+manifestJSON+`}}}}`)
	t.say(0, wire.Out, `{"id":2,"method":"tools/list"}`)
	t.say(0, wire.In, shoutListed(2))
	return t
}

func shoutListed(id int) string {
	return `{"id":` + string(rune('0'+id)) + `,"result":{"tools":[{"name":"shout","_meta":{"mcpl/presence":"dynamic"}}]}}`
}

func (t *httpTape) say(at time.Duration, dir wire.Dir, body string) {
	t.tape = append(t.tape, wire.Frame{
		Seq: int64(len(t.tape) + 1), T: at, Conn: 1, Dir: dir, Via: "http:post:1", Form: wire.Msg, Body: []byte(body),
	})
}

func TestWhatIsHeldIsLetGoBeforeTheFrameThatIsLateEnough(t *testing.T) {
	frames := onHTTP()
	frames.say(0, wire.Out, `{"id":3,"method":"tools/list"}`)
	frames.say(100*time.Millisecond, wire.In, `{"method":"tools/hints","params":{"rev":2,"tools":[{"name":"shout","visible":false}]}}`)
	frames.say(3*time.Second, wire.In, shoutListed(3))
	l := timelinetest.Log(t, *frames)
	at := l.Len() - 1
	b, err := l.Board(at)
	if err != nil {
		t.Fatal(err)
	}
	if !b.Loose[0].Cells[0].Visible {
		t.Error("the list came last, and says that shout is visible")
	}
	if !l.LaneAt(timeline.LaneKey{Conn: 1, Tool: "shout"}, at).Usable {
		t.Error("the lane says otherwise than the board")
	}
	rows, _ := l.Rows(0, 1)
	if rows[0].Status != timeline.Gap || rows[0].Taken != at {
		t.Errorf("the row is %s, taken at %d", rows[0].Status, rows[0].Taken)
	}
}

func TestABoardOfARevStandsInTheMiddleOfAFrameToo(t *testing.T) {
	frames := onHTTP()
	frames.say(1, wire.In, `{"method":"tools/hints","params":{"rev":3,"tools":[{"name":"shout","visible":true}]}}`)
	frames.say(2, wire.In, `{"method":"tools/hints","params":{"rev":2,"tools":[{"name":"shout","visible":false}]}}`)
	frames.say(3, wire.In, `{"method":"tools/hints","params":{"rev":1}}`) // lets 2 and 3 follow
	l := timelinetest.Log(t, *frames)
	for rev, visible := range map[int64]bool{1: true, 2: false, 3: true} {
		b, err := l.BoardOfRev(0, rev)
		if err != nil {
			t.Fatal(err)
		}
		if b.LastRev != rev || b.Loose[0].Cells[0].Visible != visible || b.Seq != 7 {
			t.Errorf("rev %d: last %d, visible %v, frame %d", rev, b.LastRev, b.Loose[0].Cells[0].Visible, b.Seq)
		}
	}
	if _, err := l.BoardOfRev(0, 4); !errors.Is(err, timeline.ErrNoRev) {
		t.Errorf("rev 4: %v", err)
	}
	if connection, until, held := l.HoldUntil(); held {
		t.Errorf("nothing is held any more, but %d until %s", connection, until)
	}
}

func TestWhatTheServerClosesByItselfHasEnded(t *testing.T) {
	frames := onHTTP()
	frames.say(1, wire.In, `{"method":"tools/hints","params":{"rev":1,"toolsets":[{"toolset":"game","instance":"a","state":"open"},{"toolset":"game","instance":"b","state":"open"}]}}`)
	frames.say(2, wire.Out, `{"id":4,"method":"toolsets/close","params":{"toolset":"game","instance":"b"}}`)
	frames.say(3, wire.In, `{"id":4,"result":{"_meta":{"mcpl/hints":{"rev":2,"toolsets":[{"toolset":"game","instance":"b","state":"closed"}]}}}}`)
	frames.say(4, wire.In, `{"method":"tools/hints","params":{"rev":3,"toolsets":[{"toolset":"game","instance":"a","state":"closed","reason":"time is up"}]}}`)
	b := timelinetest.Log(t, *frames).Latest()
	ends := b.Ends()
	if len(ends) != 1 || ends[0].Instance != "a" || ends[0].Reason != "time is up" || ends[0].By.Rev != 3 {
		t.Fatalf("ended: %+v", ends)
	}
	if len(b.Export().Ended) != 0 {
		t.Error("only records of toolsets/list are printed by state")
	}
	frames.say(5, wire.Out, `{"id":5,"method":"toolsets/list"}`)
	frames.say(6, wire.In, `{"id":5,"result":{"open":[],"ended":[{"id":"e1","toolset":"game","instance":"a","reason":"time is up"}],"_meta":{"mcpl/hints":{"rev":4}}}}`)
	if ends := timelinetest.Log(t, *frames).Latest().Ends(); len(ends) != 1 || ends[0].ID != "e1" {
		t.Fatalf("with its record: %+v", ends)
	}
}

func TestNobodyWaitsForWhatWasCancelledOrTimedOutOrFailed(t *testing.T) {
	frames := onHTTP()
	for id := 5; id < 9; id++ {
		frames.say(1, wire.Out, `{"id":`+string(rune('0'+id))+`,"method":"tools/call","params":{"name":"shout"}}`)
	}
	frames.say(2, wire.Out, `{"method":"notifications/cancelled","params":{"requestId":5}}`)
	frames.tape = append(frames.tape, wire.Frame{Seq: 99, Conn: 1, Dir: wire.Note, Name: "timeout", Data: []byte(`{"id":6}`)},
		wire.Frame{Seq: 100, Conn: 1, Dir: wire.Note, Name: "failed", Data: []byte(`{"id":8,"reason":"cut"}`)})
	b := timelinetest.Log(t, *frames).Latest()
	if w := b.Waiting(); len(b.Calls) != 4 || len(w) != 1 || w[0].ID != "7" {
		t.Errorf("%d without answer, waiting %+v", len(b.Calls), w)
	}
}

func TestARetriedPushIsADuplicateEventWhateverItsRev(t *testing.T) {
	frames := onHTTP()
	push := func(rev, id string) {
		frames.say(1, wire.In, `{"id":"`+id+`","method":"push/event","params":{"eventId":"e1","hints":{"rev":`+rev+`}}}`)
	}
	for i, rev := range []string{"1", "1", "2", "4", `"x"`} {
		push(rev, string(rune('a'+i)))
	}
	l := timelinetest.Log(t, *frames)
	rows, err := l.Rows(0, l.RowCount())
	if err != nil {
		t.Fatal(err)
	}
	want := []timeline.Status{timeline.Applied, timeline.DuplicateEvent, timeline.DuplicateEvent, timeline.DuplicateEvent, timeline.BadRev}
	for i, r := range rows {
		if r.Status != want[i] {
			t.Errorf("push %d is %s, want %s", i+1, r.Status, want[i])
		}
	}
	if b := l.Latest(); b.LastRev != 2 || len(b.Held) != 1 {
		t.Errorf("last rev %d, held %v", b.LastRev, b.Held)
	}
}

func TestAnEventIsKnownAgainHoweverItsIdIsWritten(t *testing.T) {
	frames := onHTTP()
	pushes := []struct {
		event string
		want  timeline.Status
	}{
		{`"e1"`, timeline.Applied},
		{`"\u0065\u0031"`, timeline.DuplicateEvent},
		{`"\/\\"`, timeline.Applied},
		{`"/\u005c"`, timeline.DuplicateEvent},
		{`100`, timeline.Applied},
		{`1e2`, timeline.DuplicateEvent},
		{`"100"`, timeline.Applied},
		{`null`, timeline.Applied},
		{`null`, timeline.Applied}, // none, as in the one before
	}
	for i, p := range pushes {
		frames.say(1, wire.In, fmt.Sprintf(`{"id":"p%d","method":"push/event","params":{"eventId":%s,"hints":{"rev":%d}}}`, i, p.event, i+1))
	}
	rows, err := timelinetest.Log(t, *frames).Rows(0, len(pushes))
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range pushes {
		if rows[i].Status != p.want {
			t.Errorf("push %d with %s is %s, want %s", i+1, p.event, rows[i].Status, p.want)
		}
		if id := rows[i].Cause.EventID; (id == "") != (p.event == "null") {
			t.Errorf("the event of push %d, %s, is told as %q", i+1, p.event, id)
		}
	}
}

// Revs that were held take effect at one frame, in their order: what the last
// of them ended, the first did not bring.
func TestAToolIsNotUsableInAnInstanceThatWasOpenedAnewAtTheSameFrame(t *testing.T) {
	frames := onHTTP()
	frames.say(0, wire.Out, `{"id":3,"method":"tools/list"}`)
	frames.say(0, wire.In, `{"id":3,"result":{"tools":[{"name":"play","_meta":{"mcpl/toolset":"game","mcpl/visible":false}}]}}`)
	for _, hints := range []string{
		`{"rev":4,"toolsets":[{"toolset":"game","instance":"b","state":"open"}]}`,
		`{"rev":3,"toolsets":[{"toolset":"game","instance":"b","state":"closed"}]}`,
		`{"rev":2,"tools":[{"name":"play","instance":"b","visible":true}]}`,
		`{"rev":1,"toolsets":[{"toolset":"game","instance":"b","state":"open"}]}`,
	} {
		frames.say(0, wire.In, `{"method":"tools/hints","params":`+hints+`}`)
	}
	l := timelinetest.Log(t, *frames)
	last := l.Len() - 1
	b, err := l.Board(last)
	if err != nil {
		t.Fatal(err)
	}
	in := b.Toolsets[0].Instances
	if b.LastRev != 4 || len(in) != 1 {
		t.Fatalf("rev %d, and open is %+v", b.LastRev, in)
	}
	k := timeline.LaneKey{Conn: 1, Toolset: "game", Instance: "b", Tool: "play"}
	cells := timeline.NewLaneReader(l).Cells(k, timeline.LaneCut{}, []timeline.LaneCut{{Index: 0, Rev: timeline.AllRevs}, {Index: last, Rev: timeline.AllRevs}}, nil)
	if got := l.LaneAt(k, last); got.Usable || !got.There || cells[0].LaneState != got {
		t.Errorf("the lane says %+v, its last cell %+v", got, cells[0].LaneState)
	}
}
