package timeline_test

import (
	"testing"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

func TestAServerThatAnswersDiscoverInTheVersionAskedForNeedsNoInitialize(t *testing.T) {
	ask := `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`
	for answer, protocol := range map[string]string{
		`{"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2025-11-25","2026-07-28"]}}`: "2026-07-28",
		`{"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2025-11-25"]}}`:              "",
	} {
		s := timeline.NewState()
		for i, body := range []string{ask, answer} {
			s.Apply(wire.Frame{Seq: int64(i + 1), Conn: 1, Dir: wire.Out + wire.Dir(i), Via: "stdio", Form: wire.Msg, Body: []byte(body)})
		}
		if got := s.Board().Protocol; got != protocol {
			t.Errorf("%s: protocol %q, want %q", answer, got, protocol)
		}
	}
}
