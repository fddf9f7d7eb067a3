package conform_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/inspector/conform"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// A message may have more values than the judge looks into. The state is of
// all of it all the same.
func TestAMessageOfVeryManyValuesIsReducedToItsEnd(t *testing.T) {
	many := `"many":[` + strings.Repeat("0,", 300_000) + `0],`
	s, parts := handshake(), 0
	for i := range s.tape {
		f := &s.tape[i]
		for _, member := range []string{`"params":{`, `"result":{`} {
			if strings.Contains(string(f.Body), member) {
				parts++
			}
			f.Body = []byte(strings.Replace(strings.Replace(string(f.Body), member, member+many, 1), ",}", "}", 1))
		}
	}
	state := timeline.NewState()
	live, ahead := conform.NewRun(conform.Options{}), conform.NewRun(conform.Options{})
	for i, f := range s.tape {
		state.Apply(f)
		live.Frame(f)
		var head wire.Head
		read := &conform.Ahead{}
		if _, _, one := read.Inspect(0, f.Body, &head); !one {
			t.Fatalf("frame %d is no message", i)
		}
		f.Peek(&head)
		frames := []wire.Frame{f}
		read.Ready(frames)
		ahead.FrameAhead(&frames[0], read, 0)
	}
	want := state.Board().Export()
	for what, run := range map[string]*conform.Run{"live": live, "read ahead": ahead} {
		if got := run.State.Board().Export(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", what, got, want)
		}
		if n := run.Judge.InPart(); n != parts {
			t.Errorf("%s: %d frames were judged in part, want %d", what, n, parts)
		}
	}
	if want.LastRev != 2 || len(want.Toolsets) != 1 {
		t.Errorf("rev %d and %d toolsets, want 2 and 1", want.LastRev, len(want.Toolsets))
	}
}
