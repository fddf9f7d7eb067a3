package report_test

import (
	"testing"

	"github.com/mcpl-tui/mcpl-tui/cmd/mcpl-tui/report"
)

func TestAReportOfNoFramesSaysThatNothingWasJudged(t *testing.T) {
	r := &report.Report{}
	r.Count()
	if got := string(written(t, r, "text")); got != "NOTHING JUDGED  there are 0 frames, so no rule was asked\n" || r.Failed() {
		t.Errorf("it says %q, failed: %v", got, r.Failed())
	}
}
