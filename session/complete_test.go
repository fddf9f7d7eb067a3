package session

import (
	"slices"
	"strings"
	"testing"
)

func TestCompletionOffersWhatCanStandThere(t *testing.T) {
	s, frames := ready(t, asks(hintManifest, req(`"q"`, "elicitation/create", "{}")), viewed(newView()), func(c *Config) { c.Elicit = Ask })
	frames.wait(t, "the question", has(1+1, `"q"`))
	c, _ := s.current()
	waitUntil(t, func() bool { return c.peekAsk("q", true) != nil })
	for line, want := range map[string][]string{
		"":                 {"open", "close", "call"},
		"op":               {"open"},
		"cl":               {"close", "call"},
		"open ":            {"open game", "open solo"},
		"open gm":          {"open game"},
		"open game ":       {"open game as"},
		"open game as ":    {"open game as vs-ada"},
		"open radio ":      nil,
		"close game ":      {"close game vs-ada", `close game "vs bot"`},
		"call pl":          {"call play", "call play@vs-ada", `call play@"vs bot"`},
		"call play@":       {"call play@vs-ada"},
		"call go@":         {"call go@one"},
		"call two":         {`call "two words"`},
		"push ":            {"push accept", "push refuse", "push ask"},
		"elicit d":         {"elicit decline"},
		"sampling ":        {"sampling ask", "sampling decline"},
		"channels ":        {"channels accept", "channels ask", "channels decline"},
		"answers ":         {"answers at", "answers late", "answers never"},
		"answers at ":      {"answers at once"},
		"answers late ":    {"answers late 500ms", "answers late 2s", "answers late 10s"},
		"hints ":           {"hints use", "hints ignore"},
		"roots ":           {"roots none"},
		"wait c":           {"wait calls"},
		"deny pushEvents ": {"deny pushEvents tools"},
		"grant chinc":      {"grant channels.incoming"},
		"answer ":          {"answer last", `answer "q"`},
		"cancel ":          {"cancel last"},
		"raw pin":          {"raw ping"},
		"mark ":            nil,
		"xyzzy ":           nil,
	} {
		got := s.Complete(line)
		var texts []string
		for _, c := range got {
			texts = append(texts, c.Text)
			if c.Help == "" {
				t.Errorf("%q has no help", c.Text)
			}
		}
		if want == nil && len(got) > 0 {
			t.Errorf("%q completes to %q", line, texts)
		}
		for _, w := range want {
			if !slices.Contains(texts, w) {
				t.Errorf("%q completes to %q, not to %q", line, texts, w)
			}
		}
		if len(want) == 1 && len(line) > 0 && !strings.HasSuffix(line, " ") && texts[0] != want[0] {
			t.Errorf("%q completes to %q first", line, texts[0])
		}
	}
}

func TestTheNearestWordIsMeant(t *testing.T) {
	var names []string
	for _, c := range Commands() {
		names = append(names, c.Name)
	}
	for typed, want := range map[string]string{
		"opne": "open", "clsoe": "close", "cal": "call", "tool": "tools", "toolsest": "toolsets", "recconect": "reconnect",
		"puhs": "push", "zzzzz": "", "q": "", strings.Repeat("open", 100): "",
	} {
		if got := Nearest(typed, names); got != want {
			t.Errorf("%q: %q, want %q", typed, got, want)
		}
	}
}
