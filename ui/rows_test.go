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

// The screens of screens.md at their sizes: (a) (b) (c) (j), (l), (g), and a
// recording with its time line.
func TestScreensAreDrawnAsTheyWereDesigned(t *testing.T) {
	for _, c := range []struct {
		name string
		w, h int
		keys []string
	}{
		{"a-160x48", 160, 48, []string{"shift+tab"}},
		{"b-100x30", 100, 30, []string{"k", "k", "k"}},
		{"c-80x24", 80, 24, nil},
		{"j-40x12", 40, 12, []string{"k", "k", "k", "k", "k"}},
		{"l-80x24", 80, 24, []string{"k", "k", "k", "k", "k", "?"}},
	} {
		t.Run(c.name, func(t *testing.T) { live(t, c.w, c.h).press(c.keys...).golden(c.name) })
	}
	for _, size := range []string{"160x48", "100x30", "80x24", "40x12"} {
		t.Run("f-"+size, func(t *testing.T) {
			var w, h int
			_, _ = fmt.Sscanf(size, "%dx%d", &w, &h)
			s := gobanStatus(true)
			s.Now = uitest.WireAt
			drive(t, newSource(t, uitest.Goban(), uitest.WireFrames, s), w, h).press("3", "k", "k").golden("f-" + size)
		})
		t.Run("replay-"+size, func(t *testing.T) {
			var w, h int
			_, _ = fmt.Sscanf(size, "%dx%d", &w, &h)
			replay(t, w, h).press(":").typed("goto rev 31").press("enter").golden("replay-" + size)
			failed(t, w, h).golden("failed-" + size)
		})
	}
}

// The rows that frame a screen, in colours: of the present, the past and a
// failed start.
func TestRowsHaveTheColoursOfTheirMeaning(t *testing.T) {
	var b strings.Builder
	for _, d := range []*driver{live(t, 100, 30), live(t, 100, 30).press("["), failed(t, 100, 30)} {
		lines := strings.Split(kit.NewTheme(termenv.ANSI256, true).Render(d.m.Draw()), "\n")
		for _, i := range []int{0, 1, 2, len(lines) - 2, len(lines) - 1} {
			b.WriteString(strings.ReplaceAll(lines[i], "\x1b", "^") + "\n")
		}
	}
	uitest.Golden(t, "colours-100", b.String())
}

func failed(t testing.TB, w, h int) *driver {
	s := gobanStatus(true)
	s.Now, s.File = 4309*time.Millisecond, "goban-1129-1012.mcpl.jsonl"
	return drive(t, newSource(t, uitest.Failed(), 0, s), w, h)
}

// states are the sessions of screen (k), and those that it does not draw.
func states(t testing.TB, w, h int) []*driver {
	session := func(recording []byte, frames int, change func(*Status)) *driver {
		s := gobanStatus(true)
		change(&s)
		return drive(t, newSource(t, recording, frames, s), w, h)
	}
	board := func(change func(*Status)) *driver { return session(uitest.Goban(), uitest.BoardFrames, change) }
	nothing := func(*Status) {}
	reconnected := uitest.Frames(uitest.Reconnect())
	last, err := reconnected.Frame(reconnected.Len() - 1)
	if err != nil {
		t.Fatal(err)
	}
	play := func(keys ...string) *driver {
		return replay(t, w, h, func(o *Options) { o.ReplaySpeed = 2 }).press(":").typed("goto rev 31").press("enter").press(keys...)
	}
	return []*driver{
		board(nothing),
		board(nothing).press("[", "[", "["),
		play(" "),
		play(),
		session(uitest.Silent(), 0, func(s *Status) { s.Now = 4100 * time.Millisecond }),
		session(uitest.NoHints(), 0, func(s *Status) { s.Now = 9 * time.Second }),
		session(uitest.Ended(), 0, func(s *Status) { s.Now = 206500 * time.Millisecond }),
		session(uitest.Reconnect(), 0, func(s *Status) { s.Kind, s.Command, s.Now = "http", nil, last.T+400*time.Millisecond }),
		board(func(s *Status) { s.RecordErr = "disk full" }),
		failed(t, w, h),
		session(uitest.Plain(), 0, func(s *Status) { s.Now = 9 * time.Second }),
		board(func(s *Status) { s.Recording = false }),
		board(func(s *Status) { s.Queued = 12_000_000 }),
		board(func(s *Status) { s.Lost = 3 }),
		play().damaged(),
		play().loading(),
	}
}

func (d *driver) damaged() *driver {
	d.src.set(func(s *Status) { s.Skipped, s.Cut = []string{"line 7: no JSON", "line 9: no JSON"}, true })
	return d.changed()
}

func (d *driver) loading() *driver {
	d.src.set(func(s *Status) { s.Loading = 0.43 })
	return d.changed()
}

// Row 1 in each of its states, with the row above the help.
func TestRow1SaysWhatIsSoInEachState(t *testing.T) {
	for _, w := range []int{160, 100, 80, 40} {
		var b strings.Builder
		for _, d := range states(t, w, 30) {
			b.WriteString(d.row(0) + "\n")
		}
		b.WriteByte('\n')
		for _, d := range states(t, w, 30) {
			b.WriteString(d.row(1) + "\n" + d.row(2) + "\n" + d.row(-2) + "\n" + d.row(-1) + "\n\n")
		}
		uitest.Golden(t, fmt.Sprintf("k-%d", w), b.String())
	}
}

// Whatever the width: no row is wider than the screen, and what must not be
// lost is there.
func TestRow1NeverDropsWhatMustNotBeLost(t *testing.T) {
	must := []string{
		"LIVE", "PAST", "REPLAY", "REPLAY", "initialize", "LIVE", "ENDED", "1 rev held", "NOT RECORDED", "NOT CONNECTED",
		"LIVE", "LIVE", "LIVE", "3 frames LOST", "2 lines skipped, cut", "reading 43 %",
	}
	ds := states(t, 160, 12)
	for w := 40; w <= 170; w++ {
		for i, d := range ds {
			d.size(w, 12)
			if row := d.row(0); !strings.Contains(row, must[i]) {
				t.Errorf("%d columns: %q is not in %q", w, must[i], row)
			}
		}
	}
}

func TestSmallScreensSayHowLargeTheyMustBe(t *testing.T) {
	live(t, 39, 12).sees("mcpl-tui needs 40 × 10")
	live(t, 100, 9).sees("mcpl-tui needs 40 × 10")
	live(t, 40, 10).sees("● LIVE", "TOOLS", "enter open…")
}

func TestNoSizeBreaksTheScreen(t *testing.T) {
	ds := states(t, 80, 24)
	for _, w := range []int{0, 1, 2, 3, 7, 20, 39, 40, 41, 59, 60, 95, 96, 139, 140, 400} {
		for _, h := range []int{0, 1, 2, 3, 9, 10, 11, 12, 13, 28, 100} {
			for _, d := range ds {
				d.size(w, h).press("?")
				d.screen()
				d.press("esc", ":")
				d.screen()
				d.press("esc")
			}
		}
	}
}

func TestAOpensTheFormOfWhatWaits(t *testing.T) {
	d := live(t, 100, 30)
	d.press("a").sees("OPEN chat")
	d.press("esc").sees("? 1 WAITS")
}

func TestAMessageGoesWhenItsTimeIsOver(t *testing.T) {
	d := live(t, 100, 30).press("ctrl+c").sees("ctrl-c once more quits")
	d.sees("? 1 ── a  look") // what waits stays in sight
	d.send(messageMsg{d.m.message.n}).misses("ctrl-c once more quits").sees("? 1 WAITS")
}

func TestAMessageMakesPlaceForWhatWaits(t *testing.T) {
	d := drive(t, newSource(t, uitest.Goban(), 87, gobanStatus(true)), 100, 30).press("ctrl+c").sees("ctrl-c once more quits")
	d.show(89).misses("ctrl-c once more quits").sees("? 1 WAITS ── suggests: open chat")
}
