package ui

import (
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"pgregory.net/rapid"

	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
)

var anyKeys = []string{
	"j", "k", "h", "l", "g", "G", "[", "]", "J", "K", "e", "E", "i", "z", "/", "n", "N", "%", "c", "o", "x", "a", "r", "R", "d", "m", "t",
	"y", "Y", ":", "?", "q", "1", "2", "3", "4", "5", "6", " ", "<", ">", "enter", "esc", "tab", "shift+tab", "up", "down", "left", "right",
	"backspace", "delete", "home", "end", "pgup", "pgdown", "ctrl+c", "ctrl+d", "ctrl+u", "ctrl+s", "ctrl+p", "ctrl+t", "ctrl+y", "ctrl+w",
	"ctrl+k", "M", ".", "日", "é", "\u0301", "{", `"`, "~",
}

// Whatever is pressed, clicked, pasted, resized, and however the session goes
// on meanwhile: the screen has its size, no row is wider, nothing breaks.
func TestNothingThatIsDoneBreaksTheScreen(t *testing.T) {
	recordings := [][]byte{uitest.Goban(), uitest.Many(), uitest.Reconnect(), uitest.Failed(), uitest.Ended(), uitest.Empty(), uitest.Plain()}
	rapid.Check(t, func(rt *rapid.T) {
		live := rapid.Bool().Draw(rt, "live")
		recording := rapid.SampledFrom(recordings).Draw(rt, "recording")
		all := uitest.Frames(recording).Len()
		src := newSource(t, recording, rapid.IntRange(1, all).Draw(rt, "frames"), gobanStatus(live))
		stage := rapid.Bool().Draw(rt, "stage")
		d := drive(t, src, 80, 24, func(o *Options) { o.Stage = stage })
		defer d.m.Close()
		for range rapid.IntRange(1, 60).Draw(rt, "steps") {
			step(rt, d, all)
			checkScreen(rt, d)
		}
	})
}

func step(rt *rapid.T, d *driver, all int) {
	switch rapid.IntRange(0, 9).Draw(rt, "what") {
	case 0:
		d.size(rapid.IntRange(0, 200).Draw(rt, "w"), rapid.IntRange(0, 60).Draw(rt, "h"))
	case 1:
		d.send(tea.MouseMsg{
			X: rapid.IntRange(0, 200).Draw(rt, "x"), Y: rapid.IntRange(0, 60).Draw(rt, "y"),
			Button: rapid.SampledFrom([]tea.MouseButton{tea.MouseButtonLeft, tea.MouseButtonWheelUp, tea.MouseButtonWheelDown}).Draw(rt, "button"),
			Action: tea.MouseActionPress,
		})
	case 2:
		d.send(tea.KeyMsg{Type: tea.KeyRunes, Paste: true, Runes: []rune(rapid.SampledFrom([]string{
			"text", "a\nb", `{"a":1}`, "\x1b[2J\u202e", "goto 5", strings.Repeat("長い", 40),
		}).Draw(rt, "paste"))})
	case 3:
		now := d.src.Tape.Len()
		d.show(min(now+rapid.IntRange(0, 5).Draw(rt, "more"), all))
	case 4:
		d.wait(rapid.SampledFrom([]time.Duration{0, time.Second, time.Minute, time.Hour}).Draw(rt, "wait"))
	case 5:
		for _, p := range d.m.forms.kept {
			d.send(outcomeMsg{from: origin{form: p.form.ID()}, out: Outcome{OK: rapid.Bool().Draw(rt, "ok"), Message: "no\x1b[31m", Answer: 3}})
		}
	default:
		d.press(rapid.SampledFrom(anyKeys).Draw(rt, "key"))
	}
	d.cmd = nil
}

func checkScreen(rt *rapid.T, d *driver) {
	c := d.m.Draw()
	if w, h := c.Size(); w != d.m.screen.w || h != d.m.screen.h {
		rt.Fatalf("the canvas is %d × %d on a screen of %d × %d", w, h, d.m.screen.w, d.m.screen.h)
	}
	for y, row := range strings.Split(c.Plain(), "\n") {
		if kit.Width(row) > d.m.screen.w {
			rt.Fatalf("row %d is wider than %d: %q", y, d.m.screen.w, row)
		}
		if strings.ContainsAny(row, "\x1b\x07\r\t\u202e") {
			rt.Fatalf("row %d holds a control character: %q", y, row)
		}
	}
	_ = d.m.theme.Render(c)
}
