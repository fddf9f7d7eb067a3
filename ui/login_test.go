package ui

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
)

func TestWhereToLogInIsShownWholeCopiedAndCountedDown(t *testing.T) {
	address := "https://login.example/authorize?client_id=c1&state=" + strings.Repeat("x", 120)
	for _, size := range [][2]int{{160, 48}, {100, 30}, {80, 24}, {40, 12}} {
		s := gobanStatus(true)
		s.Kind, s.Title, s.Command = "http", "https://api.example/mcp", nil
		s.Now = 10 * time.Second
		tape := uitest.Frames(uitest.Goban()).Cut(3) // initialize is sent
		d := drive(t, newSource(t, uitest.Goban(), tape.Len(), s), size[0], size[1])
		var out bytes.Buffer
		d.m.out = &out
		d.src.set(func(s *Status) { s.Login = Login{URL: address, Until: 4*time.Minute + 42*time.Second} })
		d.changed().run().sees("4:32 left")
		if !strings.Contains(out.String(), "\x1b]52;") {
			t.Errorf("%v: the address is not copied", size)
		}
		if size[0] >= 80 {
			if whole := strings.Join(strings.Fields(d.screen()), ""); !strings.Contains(whole, address) {
				t.Errorf("%v: the address is not shown whole:\n%s", size, d.screen())
			}
		}
		d.src.set(func(s *Status) { s.Login = Login{} })
		d.changed()
		d.misses("4:32 left", "login.example")
	}
}
