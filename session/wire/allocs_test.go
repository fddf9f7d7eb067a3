package wire_test

import (
	"testing"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

func TestReadingAMessageAllocatesNothing(t *testing.T) {
	raw := []byte(`{"jsonrpc":"2.0","id":7,"result":{"content":[],"_meta":{"mcpl/hints":{"rev":12,"tools":[{"name":"play","instance":"a","visible":true}]}}}}`)
	var head wire.Head
	var reader wire.Reader
	var tree wire.Tree
	for what, do := range map[string]func(){
		"Inspect": func() { wire.Inspect(raw, &head) },
		"FormOf":  func() { wire.FormOf(raw) },
		"Peek":    func() { wire.Peek(raw) },
		"Path":    func() { wire.Path(raw, "result", "_meta", "mcpl/hints") },
		"Key":     func() { _ = head.ID.Key() },
		"Tree": func() {
			reader.Reset()
			reader.Read(raw, &tree)
			tree.Peek(&head)
			c := tree.Cursor(tree.Top.Result)
			for c.Enter('{'); c.Key(); {
				c.Value()
			}
		},
	} {
		if n := testing.AllocsPerRun(100, do); n > 0 {
			t.Errorf("%s: %v allocations, want none", what, n)
		}
	}
}
