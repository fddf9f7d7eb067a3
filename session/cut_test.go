package session

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

func TestAMessageThatCanBeReadAndWasCutIsTold(t *testing.T) {
	for name, c := range map[string]struct {
		answer func(c *webCall, msg string)
		reason string
	}{
		"a body shorter than its length": {func(c *webCall, msg string) {
			c.w.Header().Set("Content-Length", "1000")
			c.json(msg)
			c.flush()
			c.cut()
		}, "and Content-Length says 1000"},
		"an event without its end": {func(c *webCall, msg string) {
			c.stream()
			c.raw("data: " + msg + "\n")
		}, "the empty line after its data is missing"},
	} {
		t.Run(name, func(t *testing.T) {
			s, frames, _ := overHTTP(t, func(p *webPeer) {
				p.post = onCall(func(w *webCall) {
					c.answer(w, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"content":[]}}`, w.head.ID))
				})
			})
			s.Run(t.Context(), "call status")
			f := frames.wait(t, "the cut", noteHas("stream", `"state":"cut"`))
			if got := wire.StringOf(wire.Member(f.Data, "reason")); !strings.Contains(got, c.reason) {
				t.Errorf("told %q", got)
			}
			if got := wire.StringOf(wire.Member(f.Data, "seen")); !strings.Contains(got, `"content":[]`) {
				t.Errorf("quoted %q", got)
			}
		})
	}
	s, frames, _ := overHTTP(t, nil)
	goesOn(t, s)
	if n := count(frames.all(), noteHas("stream", `"state":"cut"`)); n != 0 {
		t.Errorf("%d whole messages are called cut", n)
	}
}
