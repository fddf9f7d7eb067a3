package ui

import (
	"testing"

	"github.com/mcpl-tui/mcpl-tui/timeline"
)

func TestRow1SaysWhyAServerHadToBeEnded(t *testing.T) {
	for data, want := range map[string]string{
		`{"by":"server","signal":"SIGTERM","reason":"the server closed its output"}`: "closed its output",
		`{"by":"server","code":4,"reason":"the server closed its output"}`:           "closed its output",
		`{"by":"server","signal":"SIGKILL"}`:                                         "signal SIGKILL",
		`{"by":"server","code":3}`:                                                   "exit code 3",
		`{"by":"server","code":1008,"via":"ws","reason":"against its policy"}`:       "close code 1008",
		`{"by":"host","signal":"SIGTERM"}`:                                           "signal SIGTERM",
	} {
		if got := closing(timeline.DecodeClosing([]byte(data))); got != want {
			t.Errorf("%s: %q, want %q", data, got, want)
		}
	}
}
