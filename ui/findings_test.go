package ui

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/mcpl-tui/mcpl-tui/inspector/conform"
	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
)

// Screen (p) at its sizes: at its finding, and read in INSPECT where that is
// not beside it.
func TestFindingsAreDrawnAsTheyWereDesigned(t *testing.T) {
	for _, s := range []struct{ w, h int }{{160, 48}, {100, 30}, {80, 24}, {40, 12}} {
		name := fmt.Sprintf("%dx%d", s.w, s.h)
		d := live(t, s.w, s.h).press("4", "E").golden("p-" + name)
		if s.w < 96 {
			d.press("i").golden("p-inspect-" + name)
		}
		hostile := drive(t, newSource(t, uitest.Many(), 0, gobanStatus(false)), s.w, s.h)
		hostile.press("4", "G").golden("p-many-" + name)
	}
}

func TestEnterOnAFindingGoesToItsFrameAndEscComesBack(t *testing.T) {
	d := live(t, 100, 30).press("4", "E").sees("enter frame 91", "◂ PAST, rev 39")
	d.press("enter").sees("[3 Wire 91/96]", "push/event mv-0092").press("esc").sees("[4 Findings ✗1]", "◂ PAST, rev 39")
	d.press("enter", "2", "esc").misses("[4 Findings") // the way back is that of the wire alone
}

func TestTheCursorOfFindingsIsThePlayhead(t *testing.T) {
	d := live(t, 100, 30).press("4").sees("● LIVE", "▌    ✗ game, undo")
	d.press("k").sees("● LIVE", "▌ ▾ hints-instance-missing", "rule of HINTS", "SOURCE")
	d.press("j").sees("◂ PAST, rev 39").press("1").sees("▏ 39 ← push").press("4", "G").sees("● LIVE")
}

func TestFindingsAreCountedByThePlayhead(t *testing.T) {
	d := live(t, 100, 30).press("4", "E").sees("[4 Findings ✗1]")
	d.press("[").sees("◂ PAST, rev 38", "[4 Findings ✗1 later]", "1 error, later", "   · ✗ game, undo")
	d.press("e").sees("[4 Findings ✗1]", "◂ PAST, rev 39").press("e").sees("no finding after this; E goes back to the one before")
}

func TestAMutedFindingIsNotCountedMarkedOrWalked(t *testing.T) {
	d := live(t, 160, 48).sees("   ✗ undo", "takeback ok            ✗", "4 Findings ✗1")
	marks := strings.Count(d.press("2").screen(), "✗")
	d.press("4", "E", "M").sees("this finding is muted for this session", "muted     . shows them", "[4 Findings]")
	d.press("1").misses("✗ undo", "takeback ok            ✗").press("e").sees("no error and no warning; infos are in view 4, and not walked")
	d.press("2")
	if n := strings.Count(d.screen(), "✗"); n != marks-2 { // in row 2, and in the lane of game
		t.Errorf("%d of %d ✗ are left in the lanes", n, marks)
	}
	d.press("3").misses("✗").sees("! hints-instance-missing", "1 entry ignored")
}

func TestAMutedFindingCanBeShownAndCountedAgain(t *testing.T) {
	d := live(t, 100, 30).press("4", "E", "M").misses("game, undo").sees("▌▸ HINTS", "error     breaks a rule        0")
	d.press(".").sees("1 muted shown", "muted     . hides them", "▾ HINTS", "✗ muted: game, undo", "finding 1 of 1")
	d.press("M").sees("this finding counts again", "4 Findings ✗1").misses("muted     ")
	d.press(".").sees("nothing is muted; M mutes a finding")
}

func TestFindingsAreFilteredByLevelRuleToolAndToolset(t *testing.T) {
	for _, c := range []struct{ text, count string }{
		{"level:error", "1 of 2 match"},
		{"level:info", "1 of 2 match"},
		{"rule:instance", "1 of 2 match"},
		{"tool:undo toolset:game", "1 of 2 match"},
		{"-level:info", "1 of 2 match"},
		{"rev:39", "1 of 2 match"},
		{"wrote", "1 of 2 match"},
		{"tool:undoo", "0 of 2 match tool:undoo. Tools here: undo."},
		{"colour:red", "Words with a colon are rule, level,"},
	} {
		d := live(t, 160, 48).press("4", "/").typed(c.text).sees(c.count)
		d.press("enter", "esc").sees("1 error").misses("match")
	}
	d := live(t, 100, 30).press("4", "/").typed("tool:undo").press("enter").sees("◂ PAST, rev 39", "▌    ✗ game, undo")
	d.m.paste("x") // the line is closed: nothing takes it
	d.misses("tool:undox")
}

func TestWithoutFindingsTheViewSaysThatItLooked(t *testing.T) {
	d := drive(t, newSource(t, uitest.NoHints(), 0, gobanStatus(true)), 100, 30).press("4")
	d.sees("None in 13 frames and 0 revs.", "check judges by the same rules.", "▸ REVS      7 rules           none")
	d.press("enter").sees("▾ REVS", "rev-gap", "rev-list-mismatch")
	d.press("j").sees("Revs are 1, 2, 3, … without holes", "FOUND      none", "TO MEND", "SOURCE     ")
	live(t, 160, 48).press("4").sees("1 error")
	drive(t, newSource(t, uitest.Goban(), 39, gobanStatus(true)), 100, 30).press("4").sees("▸ HINTS", "LOOKED AT   39 frames, 13 revs")
}

func TestAFindingIsCopiedForAnIssue(t *testing.T) {
	d := live(t, 100, 30).press("4", "E", "y")
	d.sees("copied")
	v := d.m.views[viewFindings]
	do, _ := v.Key("y", &d.m.cx)
	for _, want := range []string{
		"error hints-instance-missing (frame 91, rev 39)", "must name its instance",
		`seen      {"name":"undo","visible":true}`, `to mend   {"name":"undo","instance":"vs-ada","visible":true}`,
	} {
		if !strings.Contains(do.Text, want) {
			t.Errorf("%q is not copied:\n%s", want, do.Text)
		}
	}
}

// tapes are all recordings that there are: those of the screens, and the
// failing and sound ones of each rule.
func tapes(t *testing.T) map[string][]byte {
	t.Helper()
	out := uitest.Recordings()
	files, err := filepath.Glob("../inspector/conform/testdata/rules/*.txtar")
	if err != nil || len(files) < 60 {
		t.Fatal(len(files), err)
	}
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range a.Files {
			if name, ok := strings.CutSuffix(f.Name, ".mcpl.jsonl"); ok && valid(f.Data) {
				out[strings.TrimSuffix(filepath.Base(file), ".txtar")+"/"+name] = f.Data
			}
		}
	}
	return out
}

// valid reports whether all lines are JSON: what cannot be read is the reader
// of files' concern.
func valid(recording []byte) bool {
	for line := range bytes.Lines(recording) {
		if !json.Valid(line) {
			return false
		}
	}
	return true
}

// checked is what `mcpl-tui check` finds in a recording.
func checked(t *testing.T, recording []byte) *conform.Run {
	t.Helper()
	tape := uitest.Frames(recording)
	r := conform.NewRun(conform.Options{})
	for i := range tape.Len() {
		r.Frame(must(tape.Frame(i)))
	}
	return r
}

func TestTheScreenFindsWhatCheckFinds(t *testing.T) {
	for name, recording := range tapes(t) {
		t.Run(name, func(t *testing.T) {
			s := gobanStatus(false)
			d := drive(t, newSource(t, recording, 0, s), 160, 48)
			whole := checked(t, recording)
			whole.End()
			same(t, "replay", d, whole)

			s.Live, s.Now = true, 0
			d = drive(t, newSource(t, recording, 1, s), 160, 48)
			for n := 2; n <= uitest.Frames(recording).Len(); n += 1 + n%3 {
				d.show(n)
			}
			d.show(uitest.Frames(recording).Len())
			same(t, "live", d, checked(t, recording))
			for _, key := range []string{"4", "1", "2", "3", "E", "4", "j", "enter"} {
				d.press(key).screen()
			}
		})
	}
}

func same(t *testing.T, how string, d *driver, r *conform.Run) {
	t.Helper()
	got := d.m.judging.review.Findings()
	if want := r.Findings(); !reflect.DeepEqual(got, want) {
		t.Fatalf("%s: the screen finds\n%v\ncheck finds\n%v", how, got, want)
	}
	if want := r.Judge.Marks(); !reflect.DeepEqual(d.m.judging.review.Marks(), want) {
		t.Fatalf("%s: other marks than check's", how)
	}
	loud := 0
	for _, f := range got {
		if f.Level > conform.Info {
			loud++
		}
	}
	if here, later := d.m.judging.book.Split(d.m.head.at); here+later != loud {
		t.Fatalf("%s: %d and %d counted, %d found", how, here, later, loud)
	}
}

// faulty is the goban session with many faults of many kinds after it.
func faulty(n int) []byte {
	var b bytes.Buffer
	b.Write(uitest.Goban())
	for i := range n {
		at := 300 + float64(i)/100
		line := func(msg string) {
			fmt.Fprintf(&b, `{"seq":%d,"t":%.2f,"conn":1,"dir":"in","via":"stdio",%s}`+"\n", 104+i, at, msg)
		}
		switch rev := 42 + i; i % 4 {
		case 0:
			line(fmt.Sprintf(`"msg":{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":%d,"tools":[{"name":"ghost%d","visible":true}]}}`, rev, i%500))
		case 1:
			line(fmt.Sprintf(`"msg":{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":%d,"tools":[{"name":"play","visible":true}]}}`, rev))
		case 2:
			line(fmt.Sprintf(`"msg":{"jsonrpc":"2.0","id":%d,"result":{}}`, 9000+i))
		case 3:
			line(fmt.Sprintf(`"text":"log line %d"`, i))
		}
	}
	return b.Bytes()
}

func TestTheCursorStaysWhenWhatItIsOnIsMuted(t *testing.T) {
	// Without its first push there is a gap before the finding of the session.
	two := strings.Replace(string(uitest.Goban()), `"push/event"`, `"tea/brew"`, 1)
	d := drive(t, newSource(t, []byte(two), 0, gobanStatus(true)), 100, 30).press("4", "g", "g")
	d.press("j", "j").sees("▌    ✗ answer to tools/").press("M").sees("▌  · ✗ game, undo")
}

func TestTenThousandFaultsAreListedMarkedAndWalked(t *testing.T) {
	d := drive(t, newSource(t, faulty(10_000), 0, gobanStatus(false)), 100, 30)
	book := d.m.judging.book
	places := book.Places()
	if len(places) < 7_000 {
		t.Fatalf("%d frames show a finding", len(places))
	}
	d.press("g")
	at := d.m.head.at
	for i := range 50 {
		d.press("e")
		if d.m.head.at != places[i] || d.m.head.at <= at {
			t.Fatalf("e number %d went to %d, the finding is at %d", i+1, d.m.head.at, places[i])
		}
		at = d.m.head.at
	}
	d.press("E")
	if d.m.head.at != places[48] {
		t.Errorf("E went to %d", d.m.head.at)
	}
	d.press("4", "G").sees("▾ HINTS", "LOOKED AT   10103 frames")
	for range 40 {
		d.press("ctrl+u", "k").screen()
	}
	d.press("end").sees("▌")
	if n := strings.Count(d.screen(), "▌"); n != 1 {
		t.Errorf("%d cursors", n)
	}
	d.press("g", "M").sees("is muted for this session")
}

func TestWhatIsJudgedInPartIsSaid(t *testing.T) {
	huge := strings.Replace(string(uitest.Goban()), `"params":{`, `"params":{"many":[`+strings.Repeat("0,", 300_000)+`0],`, 1)
	d := drive(t, newSource(t, []byte(huge), 0, gobanStatus(true)), 100, 30)
	d.press("4").sees("LOOKED AT   103 frames, 41 revs", "IN PART     1 frame of very many values")
}

func TestWhatIsStillJudgedIsSaid(t *testing.T) {
	s := gobanStatus(false)
	s.Loading = 0.4
	src := newSource(t, faulty(10_000), 4096, s)
	d := drive(t, src, 100, 30)
	src.Tape.Show(10103)
	d.changed().press("4").sees("judging, 40 %", "4096 of 10103 frames")
	d.press("G", "e").sees("no finding after this in the first 4096 frames; the rest is being judged")
	src.set(func(s *Status) { s.Loading = 1 })
	d.show(10103).sees("10103 frames, ").misses("judging")
}

// What follows from missing frames is taken back as soon as the reader of a
// file says that there are lines that it could not read.
func TestWhatAFileLeavesOutIsNoFinding(t *testing.T) {
	a, err := txtar.ParseFile("../inspector/conform/testdata/rules/rev-gap.txtar")
	if err != nil {
		t.Fatal(err)
	}
	s := gobanStatus(false)
	s.Loading = 0.5
	src := newSource(t, a.Files[0].Data, 0, s)
	d := drive(t, src, 100, 30).press("4").sees("▾ rev-gap", "4 Findings ✗")
	src.set(func(s *Status) { s.Loading, s.Skipped = 1, []string{"line 7: no JSON"} })
	d.changed().misses("▾ rev-gap", "4 Findings ✗")
}

// ruleCase is a failing recording of a rule, opened on a screen.
func ruleCase(t *testing.T, rule string, w, h int) *driver {
	t.Helper()
	a, err := txtar.ParseFile("../inspector/conform/testdata/rules/" + rule + ".txtar")
	if err != nil {
		t.Fatal(err)
	}
	return drive(t, newSource(t, a.Files[0].Data, 0, gobanStatus(false)), w, h)
}

// A finding that names an instance stands in that cell, one that names none
// before the tool; what shows it may carry no rev.
func TestAFindingStandsAtWhatItNames(t *testing.T) {
	d := ruleCase(t, "call-invisible", 160, 48)
	d.press("e").sees("✗ shout ").misses("○✗").press("e").sees("○✗", "4 Findings ✗2")
	d.sees("INSPECT  game", "FINDINGS   ✗ call-invisible  undo @ a was called while it")
	d.press("3").sees("#7     10 ms    77 B                 ✗", "✗  call-invisible   undo was hidden in a").misses("FINDINGS  ")
	ruleCase(t, "call-ambiguous", 160, 48).press("3", "e").sees("FINDINGS   ✗ call-ambiguous  play was called without").press("k").misses("FINDINGS  ")
	d.press("2", "G").sees("✗· ·", "undo     does undo     ○  │   ✗·").press("j", "j").sees("✗ 1 at rev 2, call-invisible")
}

func TestARevInspectedSaysWhereTheNearestFindingIs(t *testing.T) {
	d := live(t, 160, 48).press("shift+tab").sees("FINDINGS   none at this rev    ✗ 1 at rev 39: E goes to it")
	d.press("E").sees("✗ hints-instance-missing   a tool of game needs an").misses("FINDINGS   none")
	d.press("[").sees("none at this rev    ✗ 1 at rev 39: e goes to it")
}

func TestAClickChoosesAFindingAndTheWheelScrolls(t *testing.T) {
	d := drive(t, newSource(t, faulty(2000), 0, gobanStatus(false)), 100, 30).press("4", "g")
	click := func(x, y int, button tea.MouseButton) {
		d.send(tea.MouseMsg{X: x, Y: y, Button: button, Action: tea.MouseActionPress})
	}
	for y, row := range strings.Split(d.screen(), "\n") {
		if strings.Contains(row, "ghost12 ") {
			click(10, y, tea.MouseButtonLeft)
			d.sees("▌   ", "hints-unknown-tool", "TOOL       ghost12, which tools/list does not name")
			break
		}
	}
	before := d.screen()
	click(10, 12, tea.MouseButtonWheelDown)
	if d.screen() == before {
		t.Error("the list does not scroll")
	}
	click(70, 12, tea.MouseButtonLeft)
	d.sees("━ INSPECT").press("esc").sees("━ FINDINGS")
}
