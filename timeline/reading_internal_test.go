package timeline

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// FuzzReading holds what is read of a message in one pass against its members,
// looked up one by one.
func FuzzReading(f *testing.F) {
	for _, s := range []string{
		`{"id":1,"result":{"content":[],"_meta":{"mcpl/hints":{"rev":1,"tools":[{"name":"a","visible":true}]}}}}`,
		`{"id":1,"result":{"_meta":{"mcpl/hints":{"rev":1}},"_meta":{"mcpl/hints":{"rev":2},"mcpl/hints":null}}}`,
		`{"id":1,"result":{"_meta":{"mcpl/hints":1},"_meta":[1,{"a":2}]}}`,
		`{"method":"tools/hints"}`, `{"method":"tools/hints","params":null}`, `{"method":"tools/hints","params":[{"rev":1}]}`,
		`{"method":"tools/hints","params":{"rev":1,"rev":2,"tools":[],"tools":{"a":1}}}`,
		`{"id":2,"method":"push/event","params":{"eventId":"e\u0031","hints":{"rev":1},"eventId":7}}`,
		`{"id":2,"method":"tools/call","params":{"name":"x","_meta":{"mcpl/instance":"a"},"arguments":{}}}`,
		`{"id":2,"method":"tools/call","params":{"name":1,"name":"y","_meta":5}}`,
		`{"id":2,"method":"toolsets/open","params":{"toolset":"game","instance":null}}`,
	} {
		f.Add([]byte(s))
	}
	// Used again for each: one that reads the bytes, one that reads their tree.
	var bare, ahead Reading
	var maker wire.Reader
	f.Fuzz(func(t *testing.T, raw []byte) {
		if !wire.Valid(raw) {
			return
		}
		raw = bytes.TrimLeft(raw, " \t\r\n") // as Messages does
		h := wire.Peek(raw)
		var tree wire.Tree
		maker.Reset()
		if _, ok := maker.Read(raw, &tree); !ok {
			t.Fatalf("%s is JSON, and has no tree", raw)
		}
		bare.Read(&h)
		var outline mcpl.Outline
		outline.Read(&tree, &tree.Top)
		ahead.ReadOutlined(&h, Outlined{&tree, &outline})
		var head wire.Head
		if tree.Peek(&head); !reflect.DeepEqual(head, h) {
			t.Fatalf("%s: peeked %+v, of its tree %+v", raw, h, head)
		}
		for _, r := range []*Reading{&bare, &ahead} {
			sound(t, raw, &h, r)
		}
		// What stood where nothing counts is left over, or was never read.
		if bare.raw != nil && !reflect.DeepEqual(bare.hints, ahead.hints) || !bytes.Equal(bare.state, ahead.state) {
			t.Fatalf("%s: read as %+v, of its tree as %+v", raw, bare, ahead)
		}
	})
}

// sound compares what was read of a message with what is found member by
// member.
func sound(t *testing.T, raw []byte, h *wire.Head, r *Reading) {
	t.Helper()
	var hints, event []byte
	var tool, instance, toolset string
	text := func(key string) string { return wire.StringOf(wire.Member(h.Params, key)) }
	switch {
	case h.Kind == wire.Result:
		hints = wire.Path(h.Result, "_meta", mcpl.MetaHints)
	case h.Method == mcpl.MethodToolsHints:
		hints = orEmpty(h.Params)
	case h.Method == mcpl.MethodPush, h.Method == mcpl.MethodToolsetsOpen, h.Method == mcpl.MethodToolsetsClose:
		hints, event = wire.Member(h.Params, "hints"), wire.Member(h.Params, "eventId")
		toolset, instance = text("toolset"), text("instance")
	case h.Method == mcpl.MethodToolsCall:
		tool, instance = text("name"), wire.StringOf(wire.Path(h.Params, "_meta", mcpl.MetaInstance))
	}
	if !bytes.Equal(r.raw, bytes.TrimSpace(hints)) || (r.raw == nil) != (hints == nil) || !bytes.Equal(r.event, eventKey(event)) {
		t.Fatalf("%s: hints %s, want %s; event %s, want %s", raw, r.raw, hints, r.event, event)
	}
	if r.tool != tool || r.instance != instance || r.toolset != toolset || r.eventText != eventText(event) {
		t.Fatalf("%s: read as %q %q %q %q, want %q %q %q", raw, r.tool, r.instance, r.toolset, r.eventText, tool, instance, toolset)
	}
	if r.raw == nil {
		return
	}
	if want := mcpl.DecodeHints(r.raw); r.hints.Rev != want.Rev || !bytes.Equal(r.hints.RawRev, want.RawRev) ||
		len(r.hints.Tools) != len(want.Tools) || len(r.hints.Toolsets) != len(want.Toolsets) || len(r.hints.Suggest) != len(want.Suggest) {
		t.Fatalf("%s: hints read as %+v, want %+v", raw, r.hints, want)
	}
}
