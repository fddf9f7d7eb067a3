package ui

import (
	"io"
	"os"
	"strings"
	"testing"
)

func TestTheTerminalsAnswerIsTakenOutOfWhatIsTyped(t *testing.T) {
	for _, c := range []struct {
		name   string
		chunks []string
		want   string
		found  string
	}{
		{"alone", []string{"\x1b]11;rgb:ffff/ffff/ffff\x1b\\"}, "", "light"},
		{"with a bell", []string{"\x1b]11;rgb:00/00/00\a"}, "", "dark"},
		{"between keys", []string{"ab\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\cd"}, "abcd", "dark"},
		{"in two pieces", []string{"a\x1b]11;rgb:ff", "ff/ffff/ffff\x1b\\b"}, "ab", "light"},
		{"no answer", []string{"jj\x1b[A\x1b"}, "jj\x1b[A\x1b", ""},
		{"never ended", []string{"\x1b]11;" + strings.Repeat("q", 100)}, "\x1b]11;" + strings.Repeat("q", 100), ""},
		{"no colour", []string{"\x1b]11;pink\x1b\\x"}, "x", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			found := ""
			in, _ := filterInput(r, func(dark bool) { found = map[bool]string{true: "dark", false: "light"}[dark] })
			var got strings.Builder
			buf := make([]byte, 256)
			for _, chunk := range c.chunks {
				if _, err := io.WriteString(w, chunk); err != nil {
					t.Fatal(err)
				}
				n, err := in.Read(buf)
				if err != nil {
					t.Fatal(err)
				}
				got.Write(buf[:n])
			}
			_ = w.Close()
			if got.String() != c.want || found != c.found {
				t.Errorf("read %q and found %q, want %q and %q", got.String(), found, c.want, c.found)
			}
		})
	}
}

func TestTheEnvironmentChoosesColoursAndGlyphs(t *testing.T) {
	for _, c := range []struct {
		name  string
		env   map[string]string
		opt   Options
		theme string
		ascii bool
	}{
		{"an ordinary terminal", map[string]string{"TERM": "xterm-256color"}, Options{}, "dark", false},
		{"a light one", map[string]string{"TERM": "xterm-256color", "COLORFGBG": "0;15"}, Options{}, "light", false},
		{"told to be dark", map[string]string{"TERM": "xterm", "COLORFGBG": "0;15"}, Options{Theme: ThemeDark}, "dark", false},
		{"NO_COLOR", map[string]string{"TERM": "xterm-256color", "NO_COLOR": "1"}, Options{}, "none", false},
		{"no colours asked for", map[string]string{"TERM": "xterm-256color"}, Options{Theme: ThemeNone}, "none", false},
		{"Japanese", map[string]string{"TERM": "xterm", "LANG": "ja_JP.UTF-8"}, Options{}, "dark", true},
		{"Japanese, told otherwise", map[string]string{"TERM": "xterm", "LANG": "ja_JP.UTF-8"}, Options{Unicode: true}, "dark", false},
		{"LC_ALL wins", map[string]string{"TERM": "xterm", "LANG": "ja_JP.UTF-8", "LC_ALL": "de_DE.UTF-8"}, Options{}, "dark", false},
		{"a dumb terminal", map[string]string{"TERM": "dumb"}, Options{}, "dark", true},
		{"--ascii", map[string]string{"TERM": "xterm"}, Options{ASCII: true}, "dark", true},
	} {
		c.opt.Env = func(n string) string { return c.env[n] }
		opt := c.opt.filled()
		th := look(opt.Env).theme(opt.Theme, opt)
		if th.Name != c.theme || th.ASCII != c.ascii {
			t.Errorf("%s: theme %s, ascii %v; want %s, %v", c.name, th.Name, th.ASCII, c.theme, c.ascii)
		}
	}
}

func TestTheScreenOfATerminalWithoutColoursHasNoSequences(t *testing.T) {
	env := map[string]string{"TERM": "dumb"}
	d := live(t, 80, 24)
	opt := Options{Env: func(n string) string { return env[n] }}.filled()
	d.m.theme = look(opt.Env).theme(opt.Theme, opt)
	text := d.m.theme.Render(d.m.Draw())
	for _, r := range text {
		if r == 0x1b || r > 0x7e {
			t.Fatalf("%q is on the screen of a dumb terminal:\n%s", r, text)
		}
	}
}
