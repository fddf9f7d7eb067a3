package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/muesli/termenv"

	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
)

func onStage(o *Options) { o.Stage = true }

// staged is the goban recording as a speaker opens it.
func staged(t testing.TB, w, h int) *driver { return replay(t, w, h, onStage) }

// stagedLive is the goban session while it goes on.
func stagedLive(t testing.TB, w, h int) *driver {
	return drive(t, newSource(t, uitest.Goban(), uitest.BoardFrames, gobanStatus(true)), w, h, onStage)
}

// The stage of screen (i), and at the other sizes; all panes; before and
// after; live.
func TestTheStageIsDrawnForARoom(t *testing.T) {
	sizes := [][2]int{{160, 48}, {100, 28}, {80, 24}, {40, 12}}
	for _, z := range sizes {
		name := fmt.Sprintf("-%dx%d", z[0], z[1])
		to := []string{"]", "]", "k", "k", "k", "k", "k", "l", "]"}
		staged(t, z[0], z[1]).golden("i-open"+name).press(to...).golden("i"+name).
			press("z").golden("i-all"+name).press("z", "d").golden("i-compare" + name)
		stagedLive(t, z[0], z[1]).golden("i-live" + name)
	}
}

func TestAStageOpensPausedAtTheFirstMark(t *testing.T) {
	staged(t, 100, 28).sees("“second game”", "‖ REPLAY, PAUSED   rev 10 of 41   1:00", "━ TOOLS ━").misses("REVS")
	at := func(o *Options) { o.Start = "rev 31" }
	replay(t, 100, 28, onStage, at).sees("‖ REPLAY, PAUSED   rev 31 of 41") // where one asked for a place, it is that one
	drive(t, newSource(t, uitest.Plain(), 0, gobanStatus(false)), 100, 28, onStage).sees("REPLAY, PAUSED", "━ TOOLS ━").
		press("pgdown").sees("there is no mark yet; m sets one here")
}

func TestAStageWaitsForTheMarkOfARecordingThatIsStillRead(t *testing.T) {
	s := gobanStatus(false)
	s.Loading = 0.2
	d := drive(t, newSource(t, uitest.Goban(), 20, s), 100, 28, onStage)
	d.show(60).sees("“second game”", "1:00 of")
	unmarked := drive(t, newSource(t, uitest.Goban(), 20, s), 100, 28, onStage)
	unmarked.src.set(func(s *Status) { s.Loading = 1 })
	unmarked.changed().sees("REPLAY, PAUSED   rev 1 of")
}

func TestAClickerGoesFromMarkToMark(t *testing.T) {
	d := staged(t, 100, 28)
	mark := func(rev, text string) {
		d.press(":").typed("goto rev "+rev).press("enter", ":").typed("mark " + text).press("enter")
	}
	mark("31", "two stones")
	mark("4", "the first move")
	d.press("pgdown").sees("“second game”", "rev 10 of 41").press("pgdown").sees("“two stones”", "rev 31 of 41")
	d.press("pgdown").sees("this is the last mark", "rev 31 of 41")
	d.press("]").sees("“two stones”", "rev 32 of 41") // inside a chapter
	d.press("pgup").sees("“two stones”", "rev 31 of 41").press("pgup").sees("“second game”")
	d.press("[", "[", "[").sees("“the first move”", "rev 7 of 41")
	d.press("pgup").sees("“the first move”", "rev 4 of 41").press("pgup").sees("this is the first mark", "rev 4 of 41")
	d.press("g").misses("“")
}

func TestAClickerLeavesAComparisonAndAnyPane(t *testing.T) {
	d := staged(t, 100, 28).press("]", "]", "k", "k", "k", "k", "k", "d").sees("━ COMPARE play @ vs-ada ━").misses("REVS")
	d.press("pgup").misses("COMPARE").sees("━ TOOLS ━", "1:00 of 3:24")
	d.press("z", "shift+tab").sees("━ REVS ━", "INSPECT", "rev 10 of 41")
	d.press("]", "pgup").sees("rev 10 of 41")
	d.press("3", "]", "pgup").sees("[3 Wire", "rev 10 of 41")
}

func TestWithoutAStagePgDnScrolls(t *testing.T) {
	d := replay(t, 100, 28)
	at := d.m.head.at
	if d.press("pgdown", "pgup"); d.m.head.at != at || d.m.lastKey == "" {
		t.Errorf("the playhead went from %d to %d", at, d.m.head.at)
	}
	d.misses("key  PgUp", "“second game”")
}

func TestAStageEchoesTheLastKeyUnderItsName(t *testing.T) {
	d := staged(t, 100, 28).misses("key  ")
	for key, want := range map[string]string{
		"]": "key  ]", " ": "key  space", "pgdown": "key  PgDn", "left": "key  ←", "esc": "key  esc", "enter": "key  enter", "shift+tab": " shift-tab",
	} {
		if d.press(key); !strings.HasSuffix(strings.TrimRight(d.row(-1), " "), want) {
			t.Errorf("%q is not at the end of %q", want, d.row(-1))
		}
	}
	ascii := replay(t, 100, 28, onStage, func(o *Options) { o.ASCII, o.Unicode = true, false })
	if ascii.press("right"); !strings.HasSuffix(strings.TrimRight(ascii.row(-1), " "), "key  right") {
		t.Errorf("in ASCII the arrow is %q", ascii.row(-1))
	}
	for key, want := range map[string]string{"ctrl+c": "ctrl-c", "+": "+", "ctrl++": "ctrl-+", "ctrl+shift+up": "ctrl-shift-up"} {
		if got := keyName(key); got != want {
			t.Errorf("%s is called %s, not %s", key, got, want)
		}
	}
}

func TestAStageShowsAllPanesAndLetsItRun(t *testing.T) {
	d := staged(t, 100, 28).press("z").sees("─ REVS ─", "─ INSPECT", "z alone").press("z").misses("REVS").sees("z all panes")
	d.press(" ").sees("► REPLAY 1x", "space stop").wait(7*time.Second).sees("rev 13 of 41", "━ TOOLS ━")
	d.press(" ").sees("‖ REPLAY, PAUSED")
}

// What a projector would not show is nowhere on the screen.
func TestAStageHasNoDimText(t *testing.T) {
	for _, theme := range []*kit.Theme{kit.NewMono(), kit.NewTheme(termenv.ANSI256, true), kit.NewTheme(termenv.ANSI256, false)} {
		c := kit.NewCanvas(1, 1)
		render := func(role kit.Role) string {
			c.All().Put(0, 0, kit.As(role), "x")
			return theme.Render(c)
		}
		theme.NoDim = true
		if render(kit.Dim) != render(kit.Normal) || render(kit.Rule) != render(kit.Normal) {
			t.Errorf("%s: dim is not as normal text", theme.Name)
		}
	}
	d := staged(t, 100, 28)
	for _, choice := range []string{ThemeDark, ThemeLight, ThemeNone} {
		if d.press(":").typed("theme " + choice).press("enter"); !d.m.theme.NoDim {
			t.Errorf("theme %s has dim text again", choice)
		}
	}
}

func TestALiveStageGoesBackToItsMarksAndOnToThePresent(t *testing.T) {
	d := stagedLive(t, 100, 28).sees("“second game”", "● LIVE", "━ TOOLS ━")
	d.press("pgdown").sees("this is the present; m sets the next mark")
	d.press("pgup").sees("“second game”", "◂ PAST, rev 10").press("pgdown").sees("● LIVE")
	d.press("m").sees("Mark the end of the session so far").typed("all of it").press("enter").run()
	if got := d.act.ran(); len(got) != 1 || got[0] != "mark all of it" {
		t.Errorf("ran %q", got)
	}
}

func TestOpeningSomethingKeepsToolsAloneOnAStage(t *testing.T) {
	d := stagedLive(t, 100, 28).press("enter").sees("OPEN chat")
	d.press("enter").run()
	d.sees("opened chat", "━ TOOLS ━").misses("REVS")
}

func TestAServerThatDiesOnStageLeavesTheBoardAndItsPast(t *testing.T) {
	s := gobanStatus(true)
	s.Now = 206500 * time.Millisecond
	d := drive(t, newSource(t, uitest.Ended(), 0, s), 100, 28, onStage)
	d.sees("○ ENDED", "━ TOOLS ━", "▾ game", "vs-ada", "≠ ○")
	d.press("[").sees("◂ PAST, rev 40", "G is the end", "━ TOOLS ━").press("G").sees("○ ENDED")
	d.press("pgup").sees("“second game”", "◂ PAST, rev 10")
}

func TestALongCaptionLeavesTheTimeInSight(t *testing.T) {
	for _, w := range []int{40, 60, 80, 100, 140, 160} {
		d := staged(t, w, 28).press(":").typed("mark " + strings.Repeat("a very long title ", 20)).press("enter")
		if row := d.row(0); !strings.Contains(row, "goban") || !strings.Contains(row, "1:00") || w >= 60 && !strings.Contains(row, "“a ver") {
			t.Errorf("%d columns: %q", w, row)
		}
	}
	staged(t, 160, 28).press(":").typed("mark \x1b[31mred\u202e").press("enter").sees("“")
}

func TestThePageOfKeysSaysWhatAClickerDoes(t *testing.T) {
	staged(t, 80, 24).press("?").sees("PgDn     next mark; PgUp goes back").
		misses("ctrl-u  PgDn PgUp").press("?").sees("PgDn", "next mark")
	replay(t, 80, 24).press("?").misses("next mark").sees("ctrl-u  PgDn PgUp")
}

// What was said stands until the next key: nothing goes by a clock.
func TestOnAStageAMessageWaitsForTheNextKey(t *testing.T) {
	for _, d := range []*driver{staged(t, 100, 28), replay(t, 100, 28)} {
		d.m.still = false // commands are made, and not run
		d.m.say("it is said")
		if goes := d.m.end() != nil; goes == d.m.opt.Stage {
			t.Errorf("on a stage %v: the message goes by itself: %v", d.m.opt.Stage, goes)
		}
		d.m.still = true
	}
	d := staged(t, 100, 28).press("pgdown").sees("this is the last mark").wait(time.Hour).sees("this is the last mark")
	d.press("]").misses("this is the last mark")
}
