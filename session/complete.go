package session

import (
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/sahilm/fuzzy"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
)

// Completion is one way to go on with a line.
type Completion struct {
	Text string // the whole line, completed
	Help string // one line of what it does
}

// Complete returns what can stand at the end of the line, best match first:
// words of the language, and names of what is there. The end of the line is
// the word that is being typed.
func (s *Session) Complete(text string) []Completion {
	cut := strings.LastIndexAny(text, " \t") + 1
	head, typed := text[:cut], text[cut:]
	words := strings.Fields(head)
	if len(words) == 0 {
		return rank(head, typed, commandWords())
	}
	return rank(head, typed, s.words(words, typed))
}

// seen is what is known of the active connection.
func (s *Session) seen() View {
	c, err := s.current()
	if err != nil {
		return s.cfg.View
	}
	return s.cfg.View.On(c.n)
}

func commandWords() []Completion {
	out := make([]Completion, len(commands))
	for i, c := range commands {
		out[i] = Completion{Text: c.Name, Help: c.Help}
	}
	return out
}

// words returns what can follow the words before the cursor.
func (s *Session) words(before []string, typed string) []Completion {
	if out, ok := s.offerWords(before); ok {
		return out
	}
	switch name := before[0]; {
	case (name == "timeout" || name == "key") && len(before) == 2:
		return requestWords()
	case (name == "timeout" || name == "key") && len(before) > 2:
		return s.words(before[2:], typed)
	case name == "timeout":
		return named([]string{"10s", "1m", "10m"}, "how long an answer may take")
	case name == "key":
		return named([]string{uuid.NewString()}, "a new key")
	case name == "log" && len(before) == 1:
		return named(logLevels, "and what is worse")
	case len(before) > 1 && name != "grant" && name != "deny":
		return s.later(before)
	case name == "open" || name == "close":
		return named(s.seen().Toolsets(), "a toolset")
	case name == "call":
		return s.tools(typed)
	case name == "push":
		return named([]string{string(Accept), string(Refuse), string(Ask)}, "how a push is answered")
	case name == "elicit":
		return named([]string{string(Accept), string(Decline), string(Ask)}, "how a question is answered")
	case name == "sampling":
		return named([]string{string(Ask), string(Decline)}, "whether you are the model")
	case name == "channels":
		return named([]string{string(Accept), string(Ask), string(Decline)}, "how a channel is answered")
	case name == "answers":
		return []Completion{
			{Text: "at", Help: "at once, as they come; what was held back goes out"},
			{Text: "late", Help: "late 500ms: so much later"},
			{Text: "never", Help: "the host stays silent"},
		}
	case name == "hints":
		return []Completion{
			{Text: "use", Help: "do as they say; the lists are read again"},
			{Text: "ignore", Help: "show and use the plain list alone"},
		}
	case name == "roots":
		return named([]string{"none"}, "no directory")
	case name == "wait":
		return named([]string{"rev", "push", "request", "calls"}, "what to wait for")
	case name == "grant" || name == "deny":
		return s.grantable()
	case name == "answer" || name == "decline":
		return s.waitingIDs()
	case name == "cancel":
		return s.openIDs()
	case name == "raw" || name == "notify":
		return named(methods, "a method")
	}
	return nil
}

// later returns what can follow a command's first argument.
func (s *Session) later(before []string) []Completion {
	switch {
	case before[0] == "close" && len(before) == 2:
		info, _ := s.seen().Toolset(before[1])
		return named(info.Instances, "an open instance")
	case before[0] == "open" && len(before) == 2:
		if info, ok := s.seen().Toolset(before[1]); ok && info.HasInstances {
			return []Completion{{Text: "as", Help: "name the instance"}}
		}
	case before[0] == "answers" && len(before) == 2 && before[1] == "at":
		return named([]string{"once"}, "as they come")
	case before[0] == "answers" && len(before) == 2 && before[1] == "late":
		return named([]string{"500ms", "2s", "10s"}, "so long after they would have been")
	case before[0] == "open" && len(before) == 3 && before[2] == "as":
		info, _ := s.seen().Toolset(before[1])
		return named(info.Instances, "open already: it is adopted")
	}
	return nil
}

// tools returns tools to call; after TOOL@ the open instances.
func (s *Session) tools(typed string) []Completion {
	var out []Completion
	for _, name := range s.seen().Tools() {
		out = append(out, Completion{Text: QuoteWord(name), Help: "a tool"})
		info, declared := toolsetOf(s.seen(), name)
		if !declared || !info.HasInstances || !strings.Contains(typed, "@") && len(info.Instances) < 2 {
			continue
		}
		for _, i := range info.Instances {
			out = append(out, Completion{Text: QuoteWord(name) + "@" + QuoteWord(i), Help: "the tool in " + i})
		}
	}
	return out
}

func (s *Session) waitingIDs() []Completion {
	c, err := s.current()
	if err != nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	out := []Completion{{Text: "last", Help: "what waits newest"}}
	for _, a := range c.waiting {
		out = append(out, Completion{Text: string(a.id), Help: a.method})
	}
	return out
}

func (s *Session) openIDs() []Completion {
	c, err := s.current()
	if err != nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	out := []Completion{{Text: "last", Help: "what was sent newest"}}
	for _, r := range c.sent {
		out = append(out, Completion{Text: r.key(), Help: r.method})
	}
	return out
}

// methods are what raw and notify are used for most.
var methods = []string{
	mcpl.MethodPing, mcpl.MethodToolsList, mcpl.MethodToolsCall, mcpl.MethodManifest, mcpl.MethodFeatureSets,
	mcpl.MethodToolsetsOpen, mcpl.MethodToolsetsClose, mcpl.MethodToolsetsList, "resources/list", "resources/read",
	"prompts/list", "prompts/get", "completion/complete", mcpl.MethodSetLevel, "channels/open", "channels/close",
	"channels/publish", mcpl.MethodChannelsList, "context/beforeInference", "inference/lifecycle", "state/rollback",
}

func named(names []string, help string) []Completion {
	out := make([]Completion, len(names))
	for i, n := range names {
		out[i] = Completion{Text: QuoteWord(n), Help: help}
	}
	return out
}

// rank keeps what matches the typed word, and puts the line's head before it.
func rank(head, typed string, words []Completion) []Completion {
	if typed != "" {
		texts := make([]string, len(words))
		for i, w := range words {
			texts[i] = w.Text
		}
		matches := fuzzy.Find(typed, texts)
		// What begins as typed comes first; among equals, the better match.
		slices.SortStableFunc(matches, func(a, b fuzzy.Match) int {
			return rankOf(b.Str, typed) - rankOf(a.Str, typed)
		})
		ranked := make([]Completion, len(matches))
		for i, m := range matches {
			ranked[i] = words[m.Index]
		}
		words = ranked
	}
	for i := range words {
		words[i].Text = head + words[i].Text
	}
	return words
}

func rankOf(text, typed string) int {
	if strings.HasPrefix(text, typed) {
		return 1
	}
	return 0
}

// Nearest returns the word that was most likely meant, or "" where none is
// near (mcpl.Nearest).
func Nearest(typed string, words []string) string { return mcpl.Nearest(typed, words) }
