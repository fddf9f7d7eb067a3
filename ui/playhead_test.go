package ui

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
)

func TestThePastStandsStillWhileTheSessionGoesOn(t *testing.T) {
	d := live(t, 100, 30).press("[").sees("◂ PAST, rev 40   1 newer, G is live", "HERE   rev 40")
	before := d.m.head.at
	d.show(uitest.WireFrames)
	if d.m.head.at != before {
		t.Fatalf("the playhead moved from %d to %d", before, d.m.head.at)
	}
	d.press("G").sees("● LIVE", "frame 101", "LAST")
	d.show(103)
	if !d.m.head.follow || d.m.head.at != 102 {
		t.Fatalf("the present does not follow: %+v", d.m.head)
	}
}

func TestSpaceFreezesAndGoesOn(t *testing.T) {
	d := live(t, 100, 30).press("3", " ").sees("◂ PAST, frame 96   0 newer, G is live", "frozen at frame 96")
	d.show(99).sees("◂ PAST, frame 96   3 newer")
	d.press(" ").sees("● LIVE", "frame 99")
}

func TestRevStepsGoFromRowToRow(t *testing.T) {
	d := live(t, 100, 30).press("3", "g").sees("◂ PAST, frame 1")
	d.press("]").sees("rev 1")
	d.press("]").sees("rev 2")
	d.press("[", "[").sees("this is the first rev")
	d.press(":").typed("goto rev 40").press("enter", "]").sees("● LIVE")
}

func TestFindingsAreWalked(t *testing.T) {
	d := live(t, 100, 30).press("E").sees("◂ PAST, rev 39", "✗ 1 entry ignored", "4 Findings ✗1 ")
	d.press("[").sees("4 Findings ✗1 later")
	d.press("e").sees("◂ PAST, rev 39")
	d.press("e").sees("no finding after this")
}

func TestAnActReturnsToThePresentAndSaysSo(t *testing.T) {
	d := live(t, 100, 30).press("[", "[").sees("◂ PAST")
	d.press("o").sees("OPEN chat", "● LIVE", "back to live from frame")
}

func TestAViewIsKeptWhenTheUserChoseIt(t *testing.T) {
	d := live(t, 100, 30).press("6").sees("[6 Server]", "node dist/server.js", "initialize", "goban 0.4.1", "in /home/dev/goban")
	d.show(99).sees("[6 Server]")
}

func TestTheHandshakeIsSeenAndThenTheBoard(t *testing.T) {
	s := gobanStatus(true)
	s.Now = 30 * time.Millisecond
	d := drive(t, newSource(t, uitest.Goban(), 3, s), 100, 30)
	d.sees("[1 Board]", "◌ initialize sent, 0.0 s of 30 s", "initialize")
	d.src.set(func(s *Status) { s.Now = 3 * time.Second })
	d.changed().sees("[6 Server]", "The server has not answered initialize so far.", "--timeout")
	d.show(20).sees("[1 Board]", "● LIVE", "STATIC")
}

func TestAFailedStartShowsThePageOfTheServer(t *testing.T) {
	d := failed(t, 100, 30).sees("[6 Server]", "The server ended before it said a word of MCP.", "Cannot find module")
	d.press("j", "enter").sees(":target -- node dist/server.js")
	d.press("esc", "1").sees("The board is empty")
	d.press("6", "k", "enter").run()
	if got := strings.Join(d.act.ran(), "|"); got != "reconnect" {
		t.Fatalf("ran %q", got)
	}
}

func TestAReplayPlaysAtItsOwnPace(t *testing.T) {
	d := replay(t, 100, 30).press(":").typed("goto 1:00").press("enter")
	d.sees("‖ REPLAY, PAUSED", "1:00 of 3:24")
	d.press(" ").sees("► REPLAY 1x")
	d.wait(10*time.Second).sees("1:10 of 3:24", "rev 13 of 41")
	d.press(">").wait(5*time.Second).sees("► REPLAY 2x", "1:20 of 3:24")
	d.press("<", "<", "<", "<", "<").sees("► REPLAY 0.25x")
	d.press(" ").sees("‖ REPLAY, PAUSED", "1:20 of 3:24")
	d.wait(time.Minute).sees("1:20 of 3:24")
	d.press("[").sees("rev 16 of 41")
}

func TestAReplayStopsAtItsEnd(t *testing.T) {
	d := replay(t, 100, 30).press("G").sees("‖ REPLAY, PAUSED", "3:24 of 3:24")
	d.press(":").typed("goto 3:20").press("enter", " ")
	d.wait(time.Minute).sees("‖ REPLAY, PAUSED", "3:24 of 3:24", "the end of the recording")
	d.press(" ").sees("► REPLAY 1x", "0:00 of 3:24")
}

func TestAPendingCallOfARecordingStandsOnItsClock(t *testing.T) {
	d := replay(t, 160, 48).press(":").typed("goto 100").press("enter").sees("⋯ 1 call open then")
	now := d.m.cx.Now
	d.now = d.now.Add(47 * time.Minute)
	d.changed()
	if d.m.cx.Now != now || d.m.pace() != 0 {
		t.Fatalf("the clock of a paused recording moved from %v to %v, pace %v", now, d.m.cx.Now, d.m.pace())
	}
}

func TestAReplayThatIsNotPausedPlaysFromItsStart(t *testing.T) {
	d := replay(t, 100, 30, func(o *Options) { o.StartPaused = false })
	d.sees("► REPLAY 1x", "0:00 of 3:24")
	d.wait(0).wait(15*time.Second).sees("rev 2 of 41", "0:15 of 3:24")
}

func TestAFailedStartOpensOnItsPageTheNextDay(t *testing.T) {
	d := drive(t, newSource(t, uitest.Failed(), 0, gobanStatus(false)), 100, 30)
	d.sees("[6 Server]", "The server ended before it said a word of MCP.", "‖ REPLAY, PAUSED").misses("try again")
}

func TestActKeysOfARecordingAreAnsweredInOneLine(t *testing.T) {
	for _, key := range []string{"c", "o", "x", "a", "R", "r"} {
		d := replay(t, 100, 30).press(key).sees("this is a recording; t connects to its server")
		if len(d.act.ran()) > 0 {
			t.Fatalf("%s ran %q", key, d.act.ran())
		}
	}
}

func TestMarksOfARecordingAreKeptInMemory(t *testing.T) {
	d := replay(t, 100, 30).press(":").typed("goto rev 20").press("enter", "m").typed("here it breaks").press("enter")
	d.sees("marked frame")
	if d.m.cx.Mark != d.m.head.at {
		t.Fatalf("the mark is at %d, the playhead at %d", d.m.cx.Mark, d.m.head.at)
	}
	if got := d.act.ran(); len(got) > 0 {
		t.Fatalf("ran %q", got)
	}
}

func TestAMarkOfALiveSessionIsRun(t *testing.T) {
	d := live(t, 100, 30).press("m").typed("here").press("enter").run()
	if got := strings.Join(d.act.ran(), "|"); got != "mark here" {
		t.Fatalf("ran %q", got)
	}
}

func TestAnotherTargetStartsAnew(t *testing.T) {
	d := live(t, 100, 30).press("3", "[").sees("[3 Wire")
	d.src.set(func(s *Status) { s.Generation, s.Title = 1, "demo" })
	d.changed().sees("[1 Board]", "● LIVE", "now: demo")
}

func TestARecordingOpensWhereTheUserAsked(t *testing.T) {
	for start, want := range map[string]string{
		"rev 31": "rev 31 of 41", "rev 1.2": "rev 2 of 41", "75": "frame 75 of 103", "2:20.9": "rev 31 of 41",
		"": "rev 1 of 41", "rev 99": "rev 1 of 41",
	} {
		at := func(o *Options) { o.Start = start }
		drive(t, newSource(t, uitest.Goban(), 103, gobanStatus(false)), 160, 48, at).sees("‖ REPLAY, PAUSED", want)
	}
}

func TestAPlaceThatIsNotReadYetIsGoneToOnceItIs(t *testing.T) {
	status := gobanStatus(false)
	status.Loading = 0.5
	src := newSource(t, uitest.Goban(), 40, status)
	d := drive(t, src, 160, 48, func(o *Options) { o.Start = "90" })
	d.sees("frame 1 of")
	src.set(func(s *Status) { s.Loading = 1 })
	d.show(101).sees("frame 90 of 101")
}

func TestAPlaceThatIsNowhereIsLeftForTheFirstRev(t *testing.T) {
	src := newSource(t, uitest.Goban(), 40, gobanStatus(false))
	drive(t, src, 160, 48, func(o *Options) { o.Start = "4000" }).sees("rev 1 of", "frame 12 of 40")
}

func TestWhereARevIsMissingTheLastOneIsStillTheLast(t *testing.T) {
	whole := uitest.Goban()
	lost := bytes.Index(whole, []byte(`"hints":{"rev":38`))
	begin, end := bytes.LastIndexByte(whole[:lost], '\n')+1, lost+bytes.IndexByte(whole[lost:], '\n')+1
	holed := slices.Concat(whole[:begin], whole[end:])
	d := drive(t, newSource(t, holed, 0, gobanStatus(false)), 160, 48).press("G")
	d.sees("rev 41 of 41").press("[").sees("rev 40 of 41")
}
