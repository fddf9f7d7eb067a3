package lanes

import (
	"cmp"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/label"
)

// carrier is the message of a change in a few words: "→ open game vs-bot",
// "← hints end is near". They are those of REVS, told from the frame alone,
// since a row would have to be reduced again for them.
type carrier struct{ arrow, word, text string }

func (c carrier) words() string {
	return strings.TrimSpace(strings.TrimSpace(c.arrow+" "+c.word) + " " + c.text)
}

// causeCells is how long the words of a peer in a carrier may be.
const causeCells = 48

// carried returns the position of the frame that carried a change: of a rev
// that was held another one than the one at which it took effect.
func (t *teller) carried(e timeline.Event) int {
	if e.Row >= 0 {
		return t.m.c.Log.RowHead(e.Row).Index
	}
	return e.Index
}

// frame names the frame that carried a change.
func (t *teller) frame(e timeline.Event) string {
	return "frame " + seqOf(t.m.c.Log.Entry(t.carried(e)))
}

// carrier returns the message of a change.
func (t *teller) carrier(e timeline.Event) carrier {
	i := t.carried(e)
	if e.Row < 0 {
		h := inspector.HeadlineOf(t.m.c.Log, i)
		if h.Indent && h.Method != "" {
			return carrier{h.Arrow, "answer to", label.FirstLine(h.Method)}
		}
		return carrier{h.Arrow, label.FirstLine(h.What), ""}
	}
	c := rowCarrier(t.m.c.Log, i, t.m.c.Log.RowHead(e.Row).Rev)
	if t.s.instance != "" && c.text == t.s.toolset && e.Kind == timeline.Opened {
		c.text += " " + t.s.instance // the server chose its name
	}
	if c.text == "" { // nothing was said: name what changed
		c.text = strings.TrimSuffix(t.s.toolset+" "+t.s.instance, " ")
		if t.s.tool != "" {
			c.text = strings.TrimSuffix(t.s.tool+"@"+t.s.instance, "@")
		}
	}
	c.text = kit.Cut(label.Peer(c.text), causeCells)
	return c
}

// rowCarrier tells the message with rev in the frame at position i.
func rowCarrier(log *timeline.Log, i int, rev int64) carrier {
	f, err := log.Frame(i)
	if err != nil {
		return carrier{text: "a frame that cannot be read"}
	}
	for h := range f.Messages {
		hints := hintsIn(h)
		if hints == nil || gjson.GetBytes(hints, "rev").Int() != rev {
			continue
		}
		switch h.Method {
		case "tools/hints":
			return carrier{inspector.ArrowIn, "hints", reasonIn(hints)}
		case "push/event":
			return carrier{inspector.ArrowIn, "push", cmp.Or(reasonIn(hints), textIn(h.Params, "payload.content"))}
		}
		return asked(log, i, h)
	}
	return carrier{text: "a message that cannot be read"}
}

// asked tells the request that a result answers.
func asked(log *timeline.Log, i int, answer timeline.Head) carrier {
	c := carrier{arrow: inspector.ArrowOut}
	pair := log.Entry(i).Pair
	if pair < 0 {
		return carrier{text: "an answer to no request"}
	}
	f, err := log.Frame(pair)
	if err != nil {
		return c
	}
	for h := range f.Messages {
		if h.Kind != timeline.Request || h.ID.Key() != answer.ID.Key() {
			continue
		}
		get := func(path string) string { return gjson.GetBytes(h.Params, path).String() }
		switch h.Method {
		case "tools/call":
			c.word, c.text = "call", get("name")
			if in := get("_meta.mcpl/instance"); in != "" {
				c.text += "@" + in
			}
		case "toolsets/open", "toolsets/close":
			c.word = strings.TrimPrefix(h.Method, "toolsets/")
			c.text = strings.TrimSuffix(get("toolset")+" "+get("instance"), " ")
		case "toolsets/list":
			c.word, c.text = "list", "all"
		}
	}
	return c
}

// hintsIn returns the hints of a message, nil where it carries none
// (toolhints.md §7, the carriers).
func hintsIn(h timeline.Head) []byte {
	var v gjson.Result
	switch {
	case h.Method == "tools/hints":
		return h.Params
	case h.Method == "push/event":
		v = gjson.GetBytes(h.Params, "hints")
	case h.Result != nil:
		v = gjson.GetBytes(h.Result, "_meta.mcpl/hints")
	}
	if !v.IsObject() {
		return nil
	}
	return []byte(v.Raw)
}

// reasonIn is the reason that hints give: their own, else the first one of an
// entry.
func reasonIn(hints []byte) string {
	if r := gjson.GetBytes(hints, "reason"); r.Type == gjson.String && r.Str != "" {
		return label.FirstLine(r.Str)
	}
	reason := ""
	for _, key := range []string{"toolsets", "suggest", "tools"} {
		gjson.GetBytes(hints, key).ForEach(func(_, e gjson.Result) bool {
			if r := e.Get("reason"); r.Type == gjson.String {
				reason = r.Str
			}
			return reason == ""
		})
		if reason != "" {
			break
		}
	}
	return label.FirstLine(reason)
}

// textIn is the first text of MCP content.
func textIn(raw []byte, path string) string {
	text := ""
	content := gjson.GetBytes(raw, path)
	if content.IsArray() {
		content.ForEach(func(_, e gjson.Result) bool {
			if v := e.Get("text"); v.Type == gjson.String {
				text = v.Str
			}
			return text == ""
		})
	}
	return label.FirstLine(text)
}
