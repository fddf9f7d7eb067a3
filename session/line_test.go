package session

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

func TestWordsMayBeQuotedInPart(t *testing.T) {
	for text, want := range map[string]string{
		`a  b`:                "a|b",
		"a\tb \t":             "a|b",
		`"a b" c`:             "a b|c",
		`x"a b"y`:             "xa by",
		`"a\"b\\"`:            `a"b\`,
		`"\u00e9" é`:          "é|é",
		`a@"b c"@d`:           "a@b c@d",
		``:                    "",
		`"" x`:                "|x",
		`{"a":1}`:             `{a:1}`,
		"a\u00a0b":            "a\u00a0b",
		`one # no comment`:    "one|#|no|comment",
		`tab"` + "\tin" + `"`: "!",
		`"open`:               "!",
		`"trailing\`:          "!",
	} {
		l := &line{text: text}
		var words []string
		for l.more() {
			w, _, err := l.word()
			if err != nil {
				words = []string{"!"}
				break
			}
			words = append(words, w)
		}
		if got := strings.Join(words, "|"); got != want {
			t.Errorf("%s: words %q, want %q", text, got, want)
		}
	}
}

func TestANameWrittenAsAWordIsReadAsThatName(t *testing.T) {
	for _, name := range []string{"game", "vs ada", `a"b`, "{", "[x", "a\tb", "é", "#1", "a&", "", "as", `\`, "\u2028", "\x00"} {
		l := &line{text: QuoteWord(name) + " rest"}
		if got, _, err := l.word(); err != nil || got != name {
			t.Errorf("%q is written %s and read %q, %v", name, QuoteWord(name), got, err)
		}
	}
}

func TestAnAndAtTheEndStandsAlone(t *testing.T) {
	for text, background := range map[string]bool{"call a &": true, "call a {} \t&": true, "call a&": false, "call &": true, "&": false} {
		l := &line{text: text}
		_, _, _ = l.word()
		if l.cutBackground(); l.background != background {
			t.Errorf("%q: background %v, left %q", text, l.background, l.text)
		}
	}
}

func FuzzALineNeverPanicsAndItsPreviewIsOneMessage(f *testing.F) {
	for _, l := range []string{
		`open game as x {"a":1} &`, `call play@"vs bot" [1]`, `close game`, `wait rev 1`, `mark "x`, `answer last {}`,
		`raw "\ud800" {"a":"\n"}`, "grant *", "push refuse x", "\xff", "#", `call "a"b"c"@ {}`, "raw x 1e999", "open game {\n}",
	} {
		f.Add(l)
	}
	s, _ := ready(f, inproc(good), viewed(newView()))
	f.Fuzz(func(t *testing.T, text string) {
		msg, err := s.Preview(text)
		if err != nil && msg != nil {
			t.Errorf("both a message and an error: %s, %v", msg, err)
		}
		if err != nil && strings.TrimSpace(err.Error()) == "" {
			t.Error("an error without words")
		}
		if msg != nil && (!json.Valid(msg) || wire.FormOf(msg) != wire.Msg || wire.Peek(msg).Kind == wire.Invalid) {
			t.Errorf("%q would send %q", text, msg)
		}
		s.Complete(text)
	})
}
