package inspector_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// dealt is a log of messages: "> " the host's, "< " the server's.
func dealt(t testing.TB, lines ...string) *timeline.Log {
	t.Helper()
	var frames tapeFrames
	for i, l := range lines {
		f := wire.Frame{
			Seq: int64(i + 1), T: time.Duration(i) * time.Millisecond, Conn: 1, Dir: map[byte]wire.Dir{'>': wire.Out, '<': wire.In}[l[0]],
			Via: "stdio", Body: []byte(`{"jsonrpc":"2.0",` + l[2:] + `}`),
		}
		f.Form = wire.FormOf(f.Body)
		frames = append(frames, f)
	}
	log := timeline.NewLog(frames)
	for {
		n, err := log.Advance(1000)
		if err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			return log
		}
	}
}

type tapeFrames []wire.Frame

func (t tapeFrames) Len() int                        { return len(t) }
func (t tapeFrames) Frame(i int) (wire.Frame, error) { return t[i], nil }

// saidOf is all that the pages say at the end of a log.
func saidOf(t testing.TB, log *timeline.Log) string {
	t.Helper()
	b, err := log.Board(log.Len() - 1)
	if err != nil {
		t.Fatal(err)
	}
	var teller inspector.ServerTeller
	var out strings.Builder
	for _, tell := range []func(*timeline.Log, *timeline.Board) []inspector.ServerSection{teller.Offers, teller.Channels, teller.States} {
		for _, sec := range tell(log, b) {
			fmt.Fprintf(&out, "%s %s\n", sec.Head, sec.Note)
			for _, l := range sec.Lines {
				fmt.Fprintf(&out, "%s %s | %s\n", l.Sign, l.Plain(), l.Do)
			}
		}
	}
	return out.String()
}

// Every item of a long list can be reached, with the command that reads it.
func TestALongListIsToldInFull(t *testing.T) {
	var items []string
	for i := range 1500 {
		items = append(items, fmt.Sprintf(`{"uri":"x:%d","name":"n%d"}`, i, i))
	}
	got := saidOf(t, dealt(t, `> "id":1,"method":"resources/list","params":{}`, `< "id":1,"result":{"resources":[`+strings.Join(items, ",")+`]}`))
	for _, want := range []string{"RESOURCES 1500 resources, frame 2", "| read x:0\n", "| read x:1499\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not told", want)
		}
	}
}

// An injection is judged by the grant as it was when it arrived, not as it is.
func TestAnInjectionIsJudgedByTheGrantOfItsTime(t *testing.T) {
	const before = `"method":"context/beforeInference","params":{"inferenceId":"i","userMessage":null}`
	const injected = `"result":{"contextInjections":[{"position":"system","namespace":"n","content":"x"}]}`
	lines := []string{
		`> "id":1,"method":"featureSets/update","params":{"effectiveCapabilities":["contextHooks.beforeInference.inject.system"]}`,
		`< "id":1,"result":{"accepted":true}`,
		`> "id":2,` + before, `< "id":2,` + injected,
		`> "id":3,"method":"featureSets/update","params":{"effectiveCapabilities":[]}`,
	}
	if got := saidOf(t, dealt(t, lines...)); !strings.Contains(got, "allowed") || strings.Contains(got, "not granted") {
		t.Errorf("what was granted then is told as\n%s", got)
	}
	lines = append(lines, `> "id":4,`+before, `< "id":4,`+injected)
	if got := saidOf(t, dealt(t, lines...)); strings.Count(got, "not granted: needs contextHooks.beforeInference.inject.system") != 1 {
		t.Errorf("after it was taken away:\n%s", got)
	}
}

// Checkpoints whose parents go in a circle, or that are told twice, are each
// told once.
func TestCheckpointsInACircleAreToldOnce(t *testing.T) {
	call := func(id int, state string) []string {
		return []string{fmt.Sprintf(`> "id":%d,"method":"tools/call","params":{}`, id), fmt.Sprintf(`< "id":%d,"result":{"state":%s}`, id, state)}
	}
	var lines []string
	for i, s := range []string{`{"checkpoint":"a","parent":"b"}`, `{"checkpoint":"b","parent":"a"}`, `{"checkpoint":"c","parent":"c"}`, `{"checkpoint":"a","parent":"b"}`} {
		lines = append(lines, call(i+1, s)...)
	}
	got := saidOf(t, dealt(t, lines...))
	for _, id := range []string{"a", "b", "c"} {
		if n := strings.Count(got, " "+id+"  kept by the server"); n != 1 {
			t.Errorf("%s is told %d times:\n%s", id, n, got)
		}
	}
}

func FuzzAnythingThatIsDealtIsTold(f *testing.F) {
	f.Add(`{"channels":[{"id":"c"}],"uri":"x:y","featureSet":"s","checkpoint":"c","patch":[]}`, `{"state":{"checkpoint":"a","patch":[{"op":"add","path":"","value":1}]},"contents":[{"text":"x"}]}`)
	f.Add(`[]`, `{"contextInjections":[1,{"position":"system"}],"completion":{"values":[1,"x"],"total":-4}}`)
	f.Add(`{"messages":[{"channelId":7,"author":[]},null]}`, `{"messages":[{"role":1,"content":"x"}],"resources":[{"uri":4},"x"],"channel":"c"}`)
	methods := []string{
		"resources/list", "resources/templates/list", "prompts/list", "resources/read", "prompts/get", "completion/complete", "resources/subscribe",
		"resources/unsubscribe", "channels/list", "channels/open", "channels/close", "channels/publish", "channels/acknowledge", "channels/typing",
		"context/beforeInference", "inference/lifecycle", "state/rollback", "tools/call", "channels/register", "channels/changed",
		"channels/incoming", "state/update", "state/get", "notifications/resources/updated", "notifications/resources/list_changed",
	}
	f.Fuzz(func(t *testing.T, params, result string) {
		if !json.Valid([]byte(params)) || !json.Valid([]byte(result)) {
			return
		}
		var lines []string
		for i, m := range methods {
			for _, way := range []string{"><", "<>"} {
				id := fmt.Sprintf(`"id":"%s%d",`, way[:1], i)
				lines = append(lines, way[:1]+" "+id+`"method":"`+m+`","params":`+params, way[1:]+" "+id+`"result":`+result)
			}
		}
		saidOf(t, dealt(t, lines...))
	})
}
