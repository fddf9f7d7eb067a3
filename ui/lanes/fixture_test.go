package lanes

import (
	"testing"

	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// gobanAt is the moment of gobanLive with the playhead in the past, at a rev.
func gobanAt(t testing.TB, rev int64) *view.Context {
	t.Helper()
	log := uitest.GobanLive(t).Log
	c := uitest.MomentOf(t, log, log.RowIndex(log.RowOf(1, rev)), uitest.BoardAt)
	c.Follow = false
	return c
}
