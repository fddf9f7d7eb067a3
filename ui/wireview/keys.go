package wireview

import (
	"fmt"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/filter"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// Key handles one key: the filter line first, then INSPECT where it has the
// focus, then the list.
func (v *View) Key(key string, c *view.Context) (view.Intent, bool) {
	v.take(c)
	if v.found != nil {
		v.found.next = nil // whoever presses another key does not wait for it
	}
	if v.line.Typing {
		return v.typed(key, c), true
	}
	if v.focus == onInspect {
		if v.pane.Key(key) {
			return view.Intent{}, true
		}
		if do, ok := v.leave(key); ok {
			return do, true
		}
	} else if do, ok := v.listKey(key, c); ok {
		return do, true
	}
	return v.frameKey(key, c)
}

// leave handles the keys that lead out of INSPECT.
func (v *View) leave(key string) (view.Intent, bool) {
	switch key {
	case "esc", "tab", "shift+tab", "enter":
		if key == "enter" && !v.over {
			return view.Intent{}, true
		}
		v.focus, v.over = onList, false
	case "z", "i":
		// Alone and back, where there is something beside it.
		v.over = !v.over
		if !v.over && v.place(v.at.w, v.at.h).inspect.h == 0 {
			v.focus = onList
		}
	default:
		return view.Intent{}, false
	}
	return view.Intent{}, true
}

// listKey handles the keys of the list.
func (v *View) listKey(key string, c *view.Context) (view.Intent, bool) {
	half := max(v.rows/2, 1)
	page := max(v.rows-1, 1)
	switch key {
	case "j", "down":
		return v.move(c, 1), true
	case "k", "up":
		return v.move(c, -1), true
	case "ctrl+d":
		return v.move(c, half), true
	case "ctrl+u":
		return v.move(c, -half), true
	case "pgdown", "ctrl+f":
		return v.move(c, page), true
	case "pgup", "ctrl+b":
		return v.move(c, -page), true
	case "g", "home":
		v.free = false
		return v.toFirst(c), true
	case "G", "end":
		v.free = false
		return view.Intent{Kind: view.GoLive}, true
	case "enter":
		if c.Len == 0 {
			return view.Intent{}, true
		}
		v.focus = onInspect
		v.over = v.at.inspect.h == 0
	case "i", "z":
		if c.Len == 0 {
			return view.Intent{}, true
		}
		v.focus, v.over = onInspect, v.at.inspect.h == 0 || v.at.divider < 0
	case "tab", "shift+tab":
		if v.at.inspect.h > 0 {
			v.focus = onInspect
		} else if c.Len > 0 {
			v.focus, v.over = onInspect, true
		}
	case "n", "N":
		if v.found == nil {
			return view.Intent{}, false
		}
		v.free = false
		return v.toMatch(c, c.At, map[string]int{"n": 1, "N": -1}[key]), true
	case "/":
		v.line.Typing = true
		v.search(c, v.line.Text)
	case "esc":
		if v.found == nil {
			return view.Intent{}, false
		}
		v.search(c, "")
	default:
		return view.Intent{}, false
	}
	return view.Intent{}, true
}

// frameKey handles the keys that speak of the selected frame.
func (v *View) frameKey(key string, c *view.Context) (view.Intent, bool) {
	if c.At < 0 || c.At >= c.Len {
		return view.Intent{}, false
	}
	switch key {
	case "%":
		return v.across(c), true
	case "r":
		return v.again(c)
	case "y":
		return copyMessage(c), true
	case "Y":
		return v.copyCommand(c), true
	}
	return view.Intent{}, false
}

func goTo(c *view.Context, i int) view.Intent {
	if i >= c.Len-1 {
		return view.Intent{Kind: view.GoLive}
	}
	return view.Intent{Kind: view.GoTo, Index: max(i, 0)}
}

// move moves the playhead by some lines.
func (v *View) move(c *view.Context, by int) view.Intent {
	v.free = false
	if c.Len == 0 {
		return view.Intent{}
	}
	if v.found == nil {
		return goTo(c, max(c.At+by, 0))
	}
	if by == 1 || by == -1 {
		return v.toMatch(c, c.At, by)
	}
	n := v.found.Count()
	if n == 0 {
		return view.Intent{}
	}
	return view.Intent{Kind: view.GoTo, Index: v.found.At(max(min(v.cursor(c)+by, n-1), 0))}
}

// toFirst moves to the first frame, or to the first match.
func (v *View) toFirst(c *view.Context) view.Intent {
	if v.found == nil {
		return goTo(c, 0)
	}
	if v.found.From() > nearFrames {
		v.seekFrom(c, 0)
	}
	return v.toMatch(c, -1, 1)
}

// toMatch moves to the next frame after i, or before it by -1, that passes
// the filter. Where that is not known yet it is gone to as soon as it is.
func (v *View) toMatch(c *view.Context, i, by int) view.Intent {
	f := v.found
	f.next = nil
	at, ok, known := f.Next(i, by, c.Len)
	switch {
	case ok:
		return view.Intent{Kind: view.GoTo, Index: at}
	case !known:
		f.next = &step{i, by}
		return view.Saying("looking for it; another key gives it up")
	case f.Count() == 0:
		return view.Intent{}
	case by > 0:
		return view.Saying("no frame after this passes the filter")
	}
	return view.Saying("no frame before this passes the filter")
}

// across jumps between request and answer.
func (v *View) across(c *view.Context) view.Intent {
	e := c.Log.Entry(c.At)
	if e.Pair >= 0 {
		v.free = false
		return goTo(c, e.Pair)
	}
	switch e.Kind {
	case timeline.Request:
		return view.Saying("this request has no answer")
	case timeline.Result, timeline.Error:
		return view.Saying("this answers no request of this connection")
	}
	return view.Saying("only requests and answers come in pairs")
}

// again opens the form of a call or an open, filled in with what was sent.
// Anything else is left to the root.
func (v *View) again(c *view.Context) (view.Intent, bool) {
	r, ok := v.request(c)
	switch {
	case c.Ended, !ok:
		return view.Intent{}, false
	case r.Method == "tools/call":
		return view.Intent{Kind: view.CallForm, Tool: r.Tool, Instance: r.Instance, Args: r.Args}, true
	case r.Method == "toolsets/open":
		return view.Intent{Kind: view.OpenForm, Toolset: r.Toolset, Instance: r.Instance, Args: r.Args}, true
	}
	return view.Saying("r sends a call or an open again; Y copies this one as a command"), true
}

func copyMessage(c *view.Context) view.Intent {
	f, err := c.Log.Frame(c.At)
	if err != nil {
		return view.Saying("this frame cannot be read: " + err.Error())
	}
	body := f.Body
	if f.Dir == timeline.Note {
		body = f.Data
	}
	if len(body) == 0 {
		return view.Saying("this frame has no bytes to copy")
	}
	what := fmt.Sprintf("frame %d, %s", f.Seq, inspector.Size(int64(len(body))))
	return view.Intent{Kind: view.Copy, Text: string(body), What: what}
}

func (v *View) copyCommand(c *view.Context) view.Intent {
	r, ok := v.request(c)
	switch {
	case !ok:
		return view.Saying("a command repeats what was sent to the server; choose a request or its answer")
	case r.Line == "":
		return view.Saying("each command makes its own handshake; there is nothing to repeat")
	}
	target := ""
	if v.Target != nil {
		target = v.Target()
	}
	return view.Intent{Kind: view.Copy, Text: command(r, target), What: "the command that repeats it"}
}

// search sets the filter. Only what is in sight is looked at yet.
func (v *View) search(c *view.Context, text string) {
	v.line.Text = text
	q := filter.Parse(text)
	v.free = false
	v.forget()
	if q.Empty() {
		return
	}
	v.found = newFound(c.Log, q, c.At+1, c.Newest)
	v.found.first(c.Len)
}

// typed handles a key of the filter line.
func (v *View) typed(key string, c *view.Context) view.Intent {
	switch v.line.Key(key) {
	case filter.Up:
		return v.move(c, -1)
	case filter.Down:
		return v.move(c, 1)
	case filter.Changed, filter.Cleared:
		v.search(c, v.line.Text)
	case filter.Kept:
		return v.told(c)
	}
	return view.Intent{}
}

// told says of a filter that is kept which part of it means nothing here,
// where the list is not empty and says so itself.
func (v *View) told(c *view.Context) view.Intent {
	if v.found == nil || v.found.Count() == 0 {
		return view.Intent{}
	}
	l := listOf(c)
	if text := l.Said(&v.found.q, v.found.Count()); text != "" {
		return view.Saying(text)
	}
	return view.Intent{}
}

// Paste takes pasted text into the line that is open.
func (v *View) Paste(text string, c *view.Context) bool {
	if !v.line.Typing {
		return v.focus == onInspect && v.pane.Paste(text)
	}
	if v.line.Paste(text) == filter.Changed {
		v.search(c, v.line.Text)
	}
	return true
}

// Click handles a click or a notch of the wheel.
func (v *View) Click(x, y, wheel int, c *view.Context) view.Intent {
	l := &v.at
	switch {
	case l.inspect.h > 0 && (l.inspect.has(x, y) || l.ititle.has(x, y)):
		if v.pane.Mouse(x-l.inspect.x, y-l.inspect.y, wheel) {
			v.focus = onInspect
		}
	case l.list.h > 0 && l.list.has(x, y):
		if wheel != 0 {
			v.top, v.free = v.top+3*wheel, true
			v.top = max(min(v.top, v.lines(c)-v.rows), 0)
			if v.top < v.lines(c) {
				v.topFrame = v.frameAt(v.top)
			}
			break
		}
		v.focus = onList
		line := v.top + y - (l.list.y + l.list.h - v.rows)
		if y < l.list.y+l.list.h-v.rows || line >= v.lines(c) {
			break
		}
		return goTo(c, v.frameAt(line))
	}
	return view.Intent{}
}
