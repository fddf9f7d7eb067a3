package mcpl_test

import (
	"testing"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

func TestAnOutlineFindsTheMembersThatHaveAMeaning(t *testing.T) {
	for _, c := range []struct {
		message   string
		want      map[string]string // what is found, raw; anything else is not
		undefined bool
	}{
		{
			message: `{"method":"tools/call","id":1,"params":{"name":"play","arguments":{"at":"B2"},"_meta":{"mcpl/instance":"vs-ada","progressToken":7,"mcpl/hints":1}}}`,
			want: map[string]string{
				"Name": `"play"`, "Arguments": `{"at":"B2"}`, "Called": `"vs-ada"`, "ProgressToken": "7",
				"Meta": `{"mcpl/instance":"vs-ada","progressToken":7,"mcpl/hints":1}`, // a request has no hints there
			},
		},
		{
			message: `{"method":"push/event","id":"s","params":{"eventId":1e3,"featureSet":"f","payload":{},"hints":null,"state":{},"isError":true}}`,
			want:    map[string]string{"EventID": "1e3", "FeatureSet": `"f"`, "Payload": "{}", "Hints": "null"},
		},
		{
			message: `{"method":"toolsets/open","id":2,"params":{"toolset":"a","toolset":"game","instance":"x"}}`,
			want:    map[string]string{"Toolset": `"game"`, "Instance": `"x"`},
		},
		{
			message: `{"id":2,"result":{"state":{"a":1},"isError":false,"resultType":"complete","structuredContent":[],"name":"n","hints":{},"_meta":{"m\u0063pl/hints":{"rev":1},"x/y":1}}}`,
			want: map[string]string{
				"State": `{"a":1}`, "IsError": "false", "ResultType": `"complete"`, "Structured": "[]", "Hints": `{"rev":1}`,
				"Meta": `{"m\u0063pl/hints":{"rev":1},"x/y":1}`,
			},
		},
		{message: `{"id":2,"result":{"_meta":{"mcpl/hint":{}}}}`, want: map[string]string{"Meta": `{"mcpl/hint":{}}`}, undefined: true},
		{message: `{"method":"m","params":{"_meta":{"mcpl/class":[]}}}`, want: map[string]string{"Meta": `{"mcpl/class":[]}`}},
		{message: `{"method":"m","params":["name"]}`},
		{message: `{"id":1,"result":"name"}`},
		{message: `{"id":1,"error":{"_meta":{"mcpl/hints":{}}}}`},
		{message: `[]`},
	} {
		var r wire.Reader
		var tree wire.Tree
		if _, ok := r.Read([]byte(c.message), &tree); !ok {
			t.Fatalf("%s is no JSON", c.message)
		}
		o := mcpl.Outline{Name: 99, Undefined: true} // used again
		o.Read(&tree, &tree.Top)
		for what, v := range map[string]wire.Value{
			"Name": o.Name, "Arguments": o.Arguments, "Toolset": o.Toolset, "Instance": o.Instance, "EventID": o.EventID,
			"FeatureSet": o.FeatureSet, "Payload": o.Payload, "State": o.State, "ResultType": o.ResultType, "IsError": o.IsError,
			"Structured": o.Structured, "Meta": o.Meta, "ProgressToken": o.ProgressToken, "Called": o.Called, "Hints": o.Hints,
		} {
			if got := string(tree.Raw(v)); got != c.want[what] {
				t.Errorf("%s: %s is %s, want %s", c.message, what, got, c.want[what])
			}
		}
		if o.Undefined != c.undefined {
			t.Errorf("%s: undefined keys: %t", c.message, o.Undefined)
		}
	}
}
