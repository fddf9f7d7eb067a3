package wireview

import (
	"fmt"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/filter"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// countWords says how many frames the list has.
func (v *View) countWords(c *view.Context) string {
	if v.found == nil {
		return "all " + itoa(c.Len)
	}
	text := filter.Count(v.found.Count(), c.Len)
	if !v.line.Typing {
		text += "  " + kit.Cut(kit.Clean(v.line.Text), 40)
	}
	if !v.found.Done(c.Len) {
		text += fmt.Sprintf(", %d %% looked at", 100*v.found.Looked()/max(c.Len, 1))
	}
	return text
}

// drawEmpty says why the list is empty, and what fills it.
func (v *View) drawEmpty(r kit.Region, c *view.Context) {
	text := "No frame yet. Each message comes here as it is sent or received."
	if c.Replay {
		text = "This recording has no frames."
	}
	if v.found != nil {
		text = v.noMatch(c)
	}
	y := 0
	if r.H > 2 {
		y = 1
	}
	for _, line := range kit.Wrap(kit.Clean(text), max(r.W-4, 8)) {
		r.Put(2, y, kit.As(kit.Normal), line)
		y++
	}
}

// noMatch is the empty state of a filter: what there is instead.
func (v *View) noMatch(c *view.Context) string {
	if !v.found.Done(c.Len) {
		return fmt.Sprintf("0 of %d match %s so far.", c.Len, v.line.Text)
	}
	l := listOf(c)
	return l.NoMatch(&v.found.q, c.Len)
}

// listOf is what the wire says of itself to a filter.
func listOf(c *view.Context) filter.List {
	return filter.List{
		Name: "WIRE", Keys: filter.FrameKeys, Past: true,
		Values: func(key string) (noun string, values []string) {
			switch key {
			case "kind":
				return "Kinds", []string{"request", "notification", "result", "error", "invalid", "stderr", "note"}
			case "dir":
				return "Directions", []string{"in", "out", "err", "note"}
			case "status":
				return "Statuses", []string{"ok", "tool-error", "error", "refused", "open", "broken"}
			case "id":
				return "Ids", []string{"those of the column ID, without #"}
			case "method":
				return "Methods", []string{"tools/call", "toolsets/open", "push/event", "and whatever WHAT names"}
			}
			return filter.OfBoard(c.Newest, key)
		},
	}
}

// Help returns the keys of this row, the one of enter first.
func (v *View) Help(c *view.Context) []view.Help {
	switch {
	case v.line.Typing:
		return []view.Help{{Key: "enter", Verb: "keep it"}, {Key: "↓ ↑", Verb: "frame"}, {Key: "esc", Verb: "clear"}}
	case v.focus == onInspect && v.pane.Typing():
		return []view.Help{{Key: "enter", Verb: "find"}, {Key: "esc", Verb: "leave it"}}
	case c.At < 0 || c.At >= c.Len:
		return nil
	}
	var h []view.Help
	if v.focus == onInspect {
		h = append(h, view.Help{Key: "esc", Verb: "the list"})
		h = append(h, v.pane.Help()...)
		h = append(h, view.Help{Key: "j k", Verb: "line"}, view.Help{Key: "/", Verb: "search"})
	} else {
		h = append(h, view.Help{Key: "enter", Verb: "read it"})
	}
	h = append(h, v.frameHelp(c)...)
	h = append(h, view.Help{Key: "│"})
	switch {
	case v.focus == onInspect:
	case v.found != nil:
		h = append(h, view.Help{Key: "n N", Verb: "match"}, view.Help{Key: "esc", Verb: "clear"})
	default:
		h = append(h, view.Help{Key: "j k", Verb: "frame"})
	}
	if c.Rows > 0 {
		h = append(h, view.Help{Key: "[ ]", Verb: "rev"})
	}
	if v.focus != onInspect {
		h = append(h, view.Help{Key: "│"}, view.Help{Key: "/", Verb: "filter"})
		if v.at.inspect.h > 0 {
			h = append(h, view.Help{Key: "tab", Verb: "pane"})
		}
	}
	return h
}

// frameHelp are the keys that speak of the selected frame.
func (v *View) frameHelp(c *view.Context) []view.Help {
	var h []view.Help
	e := c.Log.Entry(c.At)
	if e.Pair >= 0 {
		verb := "request"
		if e.Kind == timeline.Request {
			verb = "answer"
		}
		h = append(h, view.Help{Key: "%", Verb: verb})
	}
	r, ok := v.request(c)
	if ok && !c.Replay && !c.Ended && (r.Method == "tools/call" || r.Method == "toolsets/open") {
		h = append(h, view.Help{Key: "r", Verb: "send again"})
	}
	h = append(h, view.Help{Key: "y", Verb: "copy"})
	if ok && r.Line != "" {
		h = append(h, view.Help{Key: "Y", Verb: "as command"})
	}
	return h
}

// Where names the place for the page of keys.
func (v *View) Where(c *view.Context) string {
	place := "Wire"
	if v.focus == onInspect {
		place += ", Inspect"
	}
	if c.At < 0 || c.At >= c.Len {
		return place
	}
	return fmt.Sprintf("%s, on frame %d", place, c.Log.Entry(c.At).Seq)
}
