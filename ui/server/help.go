package server

import (
	"strings"

	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// Help returns the keys of this row, that of enter first.
func (v *View) Help(c *view.Context) []view.Help {
	if c.Board == nil {
		return nil
	}
	if v.starting(c) {
		return v.start.help(c)
	}
	if v.search().Typing {
		return []view.Help{{Key: "enter", Verb: "search"}, {Key: "esc", Verb: "back"}}
	}
	var out []view.Help
	if v.focus == onStderr {
		if i := c.Log.StderrIndex(v.stderr.cursor()); i >= 0 {
			out = append(out, view.Help{Key: "enter", Verb: frameWord(c.Log, i)})
		}
		out = append(out, view.Help{Key: "j k", Verb: "line"})
		if v.stderr.back {
			out = append(out, view.Help{Key: "G", Verb: "follow"})
		}
	} else {
		out = append(out, v.enterHelp(c)...)
		out = append(out, view.Help{Key: "j k", Verb: "choose"}, view.Help{Key: "← →", Verb: "fold"})
	}
	if v.inChanges(c) {
		out = append(out, view.Help{Key: "d", Verb: "against " + baseWords[v.nextBase(c)]})
	}
	return append(out, view.Help{Key: "tab", Verb: "pane"}, view.Help{Key: "6", Verb: pages[(v.page+1)%numPages].word}, view.Help{Key: "/", Verb: "search"}, view.Help{Key: "y", Verb: "copy"})
}

func (v *View) enterHelp(c *view.Context) []view.Help {
	at, r := v.column().selected(v, c)
	verb := ""
	switch {
	case at.key == "":
	case r == nil && v.folded(at.key):
		verb = "unfold"
	case r == nil:
		verb = "fold"
	case r.choice >= 0 && r.choice < len(v.choices(c)):
		verb = v.choices(c)[r.choice].verb
	case r.grants != "" && canGrant(c):
		verb = "edit the grant…"
	default:
		if do, ok := typing(r, c); ok {
			word, _, _ := strings.Cut(do.Line, " ")
			out := []view.Help{{Key: "enter", Verb: word + "…"}}
			if r.asks != "" {
				out = append(out, view.Help{Key: "c", Verb: "complete…"})
			}
			if r.index >= 0 {
				out = append(out, view.Help{Key: "i", Verb: frameWord(c.Log, r.index)})
			}
			return out
		}
		if r.index >= 0 {
			verb = frameWord(c.Log, r.index)
		}
	}
	if verb == "" {
		return nil
	}
	return []view.Help{{Key: "enter", Verb: verb}}
}

// Where names the place for the page of keys.
func (v *View) Where(c *view.Context) string {
	if c.Board == nil || v.starting(c) {
		return "Server"
	}
	if v.focus == onStderr {
		return "Server, stderr"
	}
	at, _ := v.column().selected(v, c)
	if sec := v.sheet.told[at.key]; sec != nil {
		return "Server, " + strings.ToLower(sec.Head)
	}
	return "Server"
}
