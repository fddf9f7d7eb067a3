package wireview

import (
	"fmt"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// countWords says how many frames the list has.
func (v *View) countWords(c *view.Context) string {
	if v.found == nil {
		return "all " + itoa(c.Len)
	}
	text := fmt.Sprintf("%d of %d match", v.found.count(), c.Len)
	if !v.typing {
		text += "  " + kit.Cut(kit.Clean(v.filter), 40)
	}
	if !v.found.done(c.Len) {
		text += fmt.Sprintf(", %d %% looked at", 100*(v.found.hi-v.found.lo)/max(c.Len, 1))
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
	if !v.found.done(c.Len) {
		return fmt.Sprintf("0 of %d match %s so far.", c.Len, v.filter)
	}
	text := fmt.Sprintf("0 of %d match %s. ", c.Len, v.filter)
	for _, t := range v.found.q.terms {
		if t.not {
			continue
		}
		if noun, names := there(c, t.key); noun != "" {
			return text + noun + " here: " + names + ". esc clears."
		}
	}
	return text + "Words with a colon are " + strings.Join(keys, ", ") + ". esc clears."
}

// there lists the values that a key of the filter can have.
func there(c *view.Context, key string) (noun, names string) {
	switch key {
	case "tool":
		return "Tools", list(toolNames(c.Newest))
	case "toolset":
		return "Toolsets", list(setNames(c.Newest, false))
	case "instance":
		return "Instances", list(setNames(c.Newest, true))
	case "kind":
		return "Kinds", "request, notification, result, error, invalid, stderr, note"
	case "dir":
		return "Directions", "in, out, err, note"
	case "status":
		return "Statuses", "ok, tool-error, error, refused, open, broken"
	case "rev":
		if c.Newest != nil && c.Newest.LastRev > 0 {
			return "Revs", fmt.Sprintf("up to %d, as rev:%d or rev:1-%d", c.Newest.LastRev, c.Newest.LastRev, c.Newest.LastRev)
		}
		return "Revs", "none"
	case "id":
		return "Ids", "those of the column ID, without #"
	case "method":
		return "Methods", "tools/call, toolsets/open, push/event, and whatever WHAT names"
	}
	return "", ""
}

// mostNames is how many names an empty state lists.
const mostNames = 12

func list(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	if len(names) > mostNames {
		names = append(names[:mostNames:mostNames], "…")
	}
	return strings.Join(names, ", ")
}

// toolNames lists tools, those that come and go first.
func toolNames(b *timeline.Board) []string {
	if b == nil {
		return nil
	}
	var out []string
	for i := range b.Toolsets {
		for k := range b.Toolsets[i].Tools {
			out = append(out, b.Toolsets[i].Tools[k].Name)
		}
	}
	for _, tools := range [][]timeline.Tool{b.Loose, b.Static} {
		for i := range tools {
			out = append(out, tools[i].Name)
		}
	}
	return out
}

func setNames(b *timeline.Board, instances bool) []string {
	if b == nil {
		return nil
	}
	var out []string
	for i := range b.Toolsets {
		if !instances {
			out = append(out, b.Toolsets[i].Name)
			continue
		}
		for k := range b.Toolsets[i].Instances {
			out = append(out, b.Toolsets[i].Instances[k].Name)
		}
	}
	return out
}

// Help returns the keys of this row, the one of enter first.
func (v *View) Help(c *view.Context) []view.Help {
	switch {
	case v.typing:
		return []view.Help{{Key: "enter", Verb: "keep it"}, {Key: "↓ ↑", Verb: "frame"}, {Key: "esc", Verb: "clear"}}
	case v.focus == onInspect && v.pane.Typing():
		return []view.Help{{Key: "enter", Verb: "find"}, {Key: "esc", Verb: "leave it"}}
	case c.At < 0 || c.At >= c.Len:
		return nil
	}
	var h []view.Help
	if v.focus == onInspect {
		h = append(h, view.Help{Key: "esc", Verb: "the list"}, view.Help{Key: "j k", Verb: "scroll"}, view.Help{Key: "/", Verb: "search"})
	} else {
		h = append(h, view.Help{Key: "enter", Verb: "read it"})
	}
	h = append(h, v.frameHelp(c)...)
	h = append(h, view.Help{Key: "│"})
	if v.focus != onInspect {
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
