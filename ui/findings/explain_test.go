package findings_test

import (
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
)

// words is a document as text.
func words(d inspector.Doc) string {
	var b strings.Builder
	for _, k := range d.Blocks {
		for i, l := range k.Body {
			if i == 0 {
				b.WriteString(k.Head + ": ")
			}
			b.WriteString(l.Plain() + "  " + l.Right + "\n")
		}
	}
	return b.String()
}

func gobanFinding(t *testing.T) (*timeline.Log, inspector.Found) {
	t.Helper()
	log := uitest.NewSource(t, uitest.Frames(uitest.Goban())).Log()
	return log, inspector.Found{
		Rule: "hints-instance-missing", Level: "error", Meaning: "It must name the instance.", Message: "It names none.",
		Index: 90, Conn: 1, Rev: 39, Count: 1, Toolset: "game", Tool: "undo",
		Expected: `"instance" in this entry`, Seen: `{"name":"undo","visible":true}`, Mend: "Add it.",
	}
}

func TestAFindingIsExplainedFromFramesAlone(t *testing.T) {
	log, f := gobanFinding(t)
	got := words(inspector.Finding(log, &f))
	for _, want := range []string{
		"hints-instance-missing  error, once", "BY: ← push/event mv-0092  2:58.000   frame 91", "rev 39",
		"TOOL: undo, of toolset game, open: vs-ada, vs-bot",
		`TO MEND: {"name":"undo","instance":"vs-ada","visible":true}`, "stderr, frame 90, says which was meant:",
		"The entry was ignored. undo is not usable in either game, up to rev 41. It was called once, in frame 97.",
		"ELSEWHERE: 1 the board here   2 its lane   enter frame 91",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}

// Which instance was meant is quoted from stderr, or left open.
func TestWhatWasMeantIsNotGuessed(t *testing.T) {
	log, f := gobanFinding(t)
	f.Index = 94 // another push, right before which stderr is silent
	got := words(inspector.Finding(log, &f))
	if !strings.Contains(got, "or another of these, whichever was meant") || strings.Contains(got, "stderr") {
		t.Error(got)
	}
	f.Seen = `{"name":"undo","visi…` // it was cut: nothing can be put into it
	if got := words(inspector.Finding(log, &f)); !strings.Contains(got, "TO MEND: Add it.") {
		t.Error(got)
	}
}

func TestWhatBecameOfAMessageThatWasCutDependsOnWhetherItCouldBeRead(t *testing.T) {
	log, _ := gobanFinding(t)
	note, message := -1, -1
	for i := range log.Len() {
		switch log.Entry(i).Dir {
		case timeline.Note:
			note = i
		case timeline.In:
			message = i
		}
	}
	for index, want := range map[int]string{note: "It was taken as it came.", message: "It was skipped: it is no message.", log.Len(): ""} {
		f := inspector.Found{Rule: "json-invalid", Level: "error", Message: "A message was cut.", Index: index, Conn: 1, Count: 1}
		if got := words(inspector.Finding(log, &f)); !strings.Contains(got, want) {
			t.Errorf("frame %d: %q is not in\n%s", index, want, got)
		}
	}
}

func TestAFindingThatNamesNothingSaysWhatWasFound(t *testing.T) {
	log, _ := gobanFinding(t)
	f := inspector.Found{Rule: "rpc-unknown-id", Level: "error", Message: "The answer answers nothing.", Index: 98, Conn: 2, Count: 3, Again: []int{99, 1 << 30}}
	got := words(inspector.Finding(log, &f))
	for _, want := range []string{"FOUND: The answer answers nothing.", "3 times", "connection 2", "AGAIN IN: frame 100", "EFFECT: It answered nothing."} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	f.Index = -1
	inspector.Finding(log, &f)
	f.Index = log.Len()
	inspector.Finding(log, &f)
}
