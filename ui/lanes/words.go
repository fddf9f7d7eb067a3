package lanes

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/label"
)

// cause tells by which frame a change came, and what else that did in the
// same place.
func (t *teller) cause(e timeline.Event) string {
	by := t.carrier(e)
	text := by.words() + " (" + t.frame(e) + ")"
	switch {
	case e.Row < 0:
		return text
	case by.arrow == inspector.ArrowIn && e.Index == t.m.b.Index:
		return text + ": the server's own doing, " + meanwhile(t.m.b)
	case by.arrow == inspector.ArrowIn:
		return text + ": the server's own doing"
	}
	if effect := t.effect(e); effect != "" {
		text += " " + effect
	}
	return text
}

// meanwhile says whether the host waited for an answer at a moment.
func meanwhile(b *timeline.Board) string {
	n := 0
	for i := range b.Calls {
		switch b.Calls[i].Method {
		case "tools/call", "toolsets/open", "toolsets/close":
			n++
		}
	}
	switch n {
	case 0:
		return "no call was open"
	case 1:
		return "while a call was open"
	default:
		return "while " + strconv.Itoa(n) + " calls were open"
	}
}

// effect says what the message of a change did to the tools in the lane's
// place: "made play, pass and resign visible and left score out".
func (t *teller) effect(e timeline.Event) string {
	group, ok := t.v.things.at[t.s.toolset]
	if !ok || len(t.v.things.groups[group].tools) > mostMembers {
		return ""
	}
	var shown, hidden, edited []string
	named := t.s.tool == ""
	key := timeline.LaneKey{Conn: t.s.key.Conn, Toolset: t.s.toolset, Instance: t.s.instance}
	for _, tool := range t.v.things.groups[group].tools {
		key.Tool = tool
		for _, ev := range t.m.c.Log.Lane(key, e.Index, e.Index+1) {
			if ev.Row != e.Row {
				continue
			}
			named = named || tool == t.s.tool
			switch name := label.Peer(tool); ev.Kind {
			case timeline.Shown:
				shown = append(shown, name)
			case timeline.Hidden:
				hidden = append(hidden, name)
			case timeline.Redefined:
				edited = append(edited, name)
			}
		}
	}
	var parts []string
	if len(shown) > 0 {
		parts = append(parts, "made "+listed(shown)+" visible")
	}
	if len(hidden) > 0 {
		parts = append(parts, "hid "+listed(hidden))
	}
	if len(edited) > 0 {
		parts = append(parts, "redefined "+listed(edited))
	}
	if e.Kind == timeline.Opened && !named {
		parts = append(parts, "left "+label.Peer(t.s.tool)+" out")
	}
	return listed(parts)
}

// mostNamed is how many names stand in a sentence.
const mostNamed = 5

// listed joins words: "a, b and c".
func listed(words []string) string {
	if len(words) > mostNamed {
		words = append(words[:mostNamed-1:mostNamed-1], strconv.Itoa(len(words)-mostNamed+1)+" more")
	}
	n := len(words)
	if n < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
}

// edited names the members in which a definition differs from the declared
// one (toolhints.md §7: these three can).
func edited(declared, now []byte) (out []string) {
	for _, key := range []string{"description", "inputSchema", "annotations"} {
		a, b := gjson.GetBytes(declared, key).Raw, gjson.GetBytes(now, key).Raw
		if a != b && !bytes.Equal([]byte(a), []byte(b)) {
			out = append(out, key)
		}
	}
	return out
}
