package conform

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// greeting is a host and a server that agree on toolHints: tools a and b are
// of a toolset with instances, of which x is open, c is of none.
var greeting = []string{
	`> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{"experimental":{"mcpl":{"version":"0.5","toolHints":true}}}}}`,
	`< {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","serverInfo":{"name":"s","version":"1"},"capabilities":{"tools":{},"experimental":{"mcpl":{"version":"0.5","toolHints":true,"pushEvents":true,"toolsets":{"game":{"title":"Go","instances":true}}}}}}}`,
	`> {"jsonrpc":"2.0","method":"notifications/initialized"}`,
	`> {"jsonrpc":"2.0","id":2,"method":"featureSets/update","params":{"effectiveCapabilities":["tools","pushEvents"]}}`,
	`< {"jsonrpc":"2.0","id":2,"result":{"accepted":true}}`,
	`> {"jsonrpc":"2.0","id":3,"method":"tools/list","params":{}}`,
	`< {"jsonrpc":"2.0","id":3,"result":{"tools":[{"name":"a","inputSchema":{"type":"object"},"_meta":{"mcpl/toolset":"game"}},{"name":"b","inputSchema":{"type":"object"},"_meta":{"mcpl/toolset":"game"}},{"name":"c","inputSchema":{"type":"object"},"_meta":{"mcpl/presence":"dynamic"}}],"_meta":{"mcpl/rev":0}}}`,
	`> {"jsonrpc":"2.0","id":4,"method":"toolsets/list","params":{}}`,
	`< {"jsonrpc":"2.0","id":4,"result":{"open":[],"ended":[],"_meta":{"mcpl/hints":{"rev":1}}}}`,
	`< {"jsonrpc":"2.0","method":"tools/hints","params":{"rev":2,"toolsets":[{"toolset":"game","instance":"x","state":"open"}]}}`,
}

// Hints that were read for the state are judged by what was read, where that
// says enough. What is found is what is found of the bytes.
func TestPlainHintsAreJudgedAsTheirBytesAre(t *testing.T) {
	members := []string{
		`"name":"a"`, `"name":"b"`, `"name":"c"`, `"name":"none"`, `"name":""`, `"name":7`, `"n\u0061me":"a"`, `"instance":"x"`, `"instance":"y"`,
		`"instance":""`, `"instance":null`, `"instance":1`, `"visible":true`, `"visible":false`, `"visible":null`, `"visible":"true"`,
		`"presence":"static"`, `"presence":null`, `"definition":{"description":"d"}`, `"definition":{"title":1}`, `"definition":null`, `"other":[{}]`,
	}
	entry := rapid.Custom(func(t *rapid.T) string {
		some := rapid.SliceOfN(rapid.SampledFrom(members), 0, 4).Draw(t, "members")
		return rapid.SampledFrom([]string{"{" + strings.Join(some, ",") + "}", `{"name":"a","instance":"x","visible":true}`, `{"name":"c","visible":false}`, "7", "null", "[]"}).Draw(t, "entry")
	})
	hints := rapid.Custom(func(t *rapid.T) string {
		list := "[" + strings.Join(rapid.SliceOfN(entry, 0, 3).Draw(t, "entries"), ",") + "]"
		return rapid.SampledFrom([]string{`"tools":` + list, `"tools":` + list, `"tools":` + list + `,"tools":[]`, `"tools":[],"tools":` + list, `"tools":null`, `"tools":{}`, `"x":` + list, `"tools":` + list + `,"suggest":[{}]`}).Draw(t, "lists")
	})
	plain := 0
	rapid.Check(t, func(t *rapid.T) {
		frames := greeting
		for rev := range rapid.IntRange(1, 4).Draw(t, "revs") {
			body := fmt.Sprintf(`{"rev":%d,%s}`, rev+3, hints.Draw(t, "hints"))
			frames = append(frames[:len(frames):len(frames)], rapid.SampledFrom([]string{
				`< {"jsonrpc":"2.0","method":"tools/hints","params":` + body + `}`,
				`< {"jsonrpc":"2.0","id":"s1","method":"push/event","params":{"featureSet":"f","eventId":"e","payload":{"content":[]},"hints":` + body + `}}`,
			}).Draw(t, "carrier"))
		}
		quick, slow := NewRun(Options{}), NewRun(Options{})
		for i, l := range frames {
			f := wire.Frame{Seq: int64(i + 1), Conn: 1, Dir: wire.In, Via: "stdio", Form: wire.Msg, Body: []byte(l[2:])}
			if l[0] == '>' {
				f.Dir = wire.Out
			}
			quick.Frame(f)
			if i >= len(greeting) && quick.Judge.plain() {
				plain++
			}
			fromBytes(slow, f)
		}
		if got, want := quick.Findings(), slow.Findings(); !reflect.DeepEqual(got, want) {
			t.Fatalf("%s:\n%+v\nwant\n%+v", strings.Join(frames[len(greeting):], "\n"), got, want)
		}
	})
	if plain == 0 {
		t.Error("no hints were plain")
	}
}

// fromBytes is Run.Frame without what was read for the state.
func fromBytes(r *Run, f wire.Frame) *timeline.Effects {
	r.frame = f
	r.Judge.before(&r.frame, r.State, nil)
	e := r.State.ApplyRead(&r.frame, nil)
	r.Judge.After(r.State, e)
	return e
}
