package inspector

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// The keys of the sections about what a server offers beside its tools.
const (
	KeyResources  = "resources"
	KeyTemplates  = "templates"
	KeySubscribed = "subscribed"
	KeyPrompts    = "prompts"
	KeyRead       = "read"
	KeyCompleted  = "completed"
)

// The notes of a list that there is nothing to tell of.
const (
	NotOffered = "not offered"
	NotRead    = "not read yet"
)

// nameWidth is the column behind the name of what is offered.
const nameWidth = 24

// OfferKinds are the dealings that Offers is told from.
var OfferKinds = []timeline.LandmarkKind{timeline.OnResources, timeline.OnUpdates, timeline.OnPrompts, timeline.OnReads}

// Offers tells what the server of a board's connection offers to be read, and
// what was read of it, from the frames up to the board's.
func (t *ServerTeller) Offers(log *timeline.Log, b *timeline.Board) []ServerSection {
	s := t.tale(log, b)
	if s == nil {
		return nil
	}
	r := log.ResourcesAt(b.Conn, b.Index)
	reads := log.ReadsAt(b.Conn, b.Index)
	return []ServerSection{
		s.listing(KeyResources, "RESOURCES", "resource", "resources", &r.List, resourceLine),
		s.listing(KeyTemplates, "TEMPLATES", "template", "resources", &r.Templates, templateLine),
		s.subscribed(r),
		s.listing(KeyPrompts, "PROMPTS", "prompt", "prompts", log.PromptsAt(b.Conn, b.Index), promptLine),
		s.reads(reads), s.completed(reads),
	}
}

// tale begins what is told of a board's connection; nil where there is none.
func (t *ServerTeller) tale(log *timeline.Log, b *timeline.Board) *serverTale {
	if b.Index < 0 || b.Index >= log.Len() {
		return nil
	}
	s := &serverTale{t: t, log: log, b: b}
	s.introduced()
	return s
}

// offered reports whether the server said that it has something of MCP.
func (s *serverTale) offered(capability string) bool {
	v := wire.Path(s.init.reply.Result, "capabilities", capability)
	return v != nil && string(v) != "null"
}

// listing tells a list of MCP.
func (s *serverTale) listing(key, head, noun, capability string, g *timeline.Listing, line func(timeline.Offered) ServerLine) ServerSection {
	var lines []ServerLine
	note := ""
	switch {
	case g.Open:
		note = "◌ is being read"
	case g.Error != "":
		note = "! " + oneLine(g.Error)
	case g.At < 0 && !s.offered(capability):
		note = NotOffered
	case g.At < 0:
		note = NotRead
	case g.Stale >= 0:
		note = "! changed since, as the server told in frame " + seq(s.log.Entry(g.Stale).Seq)
	default:
		note = Count(len(g.Items)+g.More, noun) + ", frame " + seq(s.log.Entry(g.At).Seq)
	}
	for _, o := range g.Items {
		lines = append(lines, line(o))
	}
	if g.More > 0 {
		lines = append(lines, ServerLine{Line: spans(quiet("… " + Count(g.More, "more "+noun))), Index: g.At})
	}
	switch {
	case g.ErrAt >= 0 && g.Error != "":
		label := "refused"
		if g.Endless {
			label = "stopped"
		}
		l := labelled(label, g.ErrAt, loud(oneLine(g.Error)))
		l.Right = "frame " + seq(s.log.Entry(g.ErrAt).Seq)
		lines = append([]ServerLine{l}, lines...)
	case len(lines) > 0:
	case g.At >= 0:
		lines = []ServerLine{empty("None: the list came back empty. R asks again.")}
	case !s.offered(capability):
		lines = []ServerLine{empty("The server does not say that it has " + capability + ".")}
	default:
		lines = []ServerLine{empty("R reads the lists, all pages. So does :" + key + ".")}
	}
	// As long as the list: who looks for one item has to find it.
	return ServerSection{Key: key, Head: head, Note: note, Lines: lines}
}

// offerLine is a line with a name, what stands beside it, and the command that
// goes with it.
func offerLine(o timeline.Offered, name, beside, words, right, do string) ServerLine {
	l := ServerLine{Index: o.Index, Hang: 2, Do: do}
	l.Spans = []Span{peer(pad(oneLine(cutBytes(name, 120)), nameWidth) + "  ")}
	if beside != "" {
		l.Spans = append(l.Spans, quiet(oneLine(beside)+"  "))
	}
	if words != "" {
		l.Spans = append(l.Spans, peer(oneLine(words)))
	}
	l.Right = right
	return l
}

// completing is the command that asks how the first argument of a prompt, or
// the first variable of a template, can go on; "" where it has none.
func completing(kind, key, argument string) string {
	if argument == "" {
		return ""
	}
	return "complete " + kind + " " + commandWord(key) + " " + commandWord(argument) + " "
}

func resourceLine(o timeline.Offered) ServerLine {
	var right []string
	if m := scalar(o.Raw, "mimeType"); m != "" {
		right = append(right, oneLine(cutBytes(m, 40)))
	}
	if n, err := strconv.ParseInt(string(wire.Member(o.Raw, "size")), 10, 64); err == nil && n >= 0 {
		right = append(right, Size(n))
	}
	name := orElse(member(o.Raw, "title"), orElse(member(o.Raw, "name"), o.Key))
	return offerLine(o, name, o.Key, member(o.Raw, "description"), strings.Join(right, ", "), "read "+commandWord(o.Key))
}

func templateLine(o timeline.Offered) ServerLine {
	name := orElse(member(o.Raw, "title"), orElse(member(o.Raw, "name"), o.Key))
	l := offerLine(o, name, o.Key, member(o.Raw, "description"), oneLine(cutBytes(scalar(o.Raw, "mimeType"), 40)), "read "+commandWord(o.Key))
	if _, rest, ok := strings.Cut(o.Key, "{"); ok {
		variable, _, _ := strings.Cut(rest, "}")
		l.Complete = completing("resource", o.Key, variable)
	}
	return l
}

// promptLine tells a prompt with its arguments, what is required with a star.
func promptLine(o timeline.Offered) ServerLine {
	var words []string
	first := ""
	fill := []byte{'{'}
	wire.EachElement(wire.Member(o.Raw, "arguments"), func(v []byte) bool {
		name := member(v, "name")
		word := oneLine(name)
		first = orElse(first, name)
		if string(wire.Member(v, "required")) == "true" {
			word += "*"
			if len(fill) > 1 {
				fill = append(fill, ',')
			}
			fill = append(append(fill, jsonText(name)...), `:""`...)
		}
		words = append(words, word)
		return len(words) < maxListed
	})
	do := "prompt " + commandWord(o.Key)
	if len(fill) > 1 {
		do += " " + string(append(fill, '}'))
	}
	l := offerLine(o, o.Key, strings.Join(words, " "), orElse(member(o.Raw, "description"), member(o.Raw, "title")), "", do)
	l.Complete = completing("prompt", o.Key, first)
	return l
}

// commandWord writes a name as a word of the command language.
func commandWord(name string) string {
	if name == "" || strings.ContainsAny(name, " \t\r\n\"{[&#") {
		return jsonText(name)
	}
	return name
}

// jsonText writes a text as JSON, without escapes for HTML.
func jsonText(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(s) != nil {
		return `""`
	}
	return strings.TrimSpace(b.String())
}

// subscribed tells of the resources whose changes the server tells.
func (s *serverTale) subscribed(r *timeline.Resources) ServerSection {
	var lines []ServerLine
	updates := 0
	for _, sub := range r.Subscriptions {
		l := ServerLine{Index: sub.Index, Hang: 2, Do: "read " + commandWord(sub.URI)}
		l.Spans = []Span{peer(oneLine(cutBytes(sub.URI, 200)) + "  ")}
		l.Right = "frame " + seq(s.log.Entry(sub.Index).Seq)
		updates += sub.Updates
		switch {
		case sub.Error != "":
			l.Sign, l.Spans, l.Do = "!", append(l.Spans, loud(oneLine(sub.Error))), ""
		case sub.Open:
			l.Sign, l.Spans = "◌", append(l.Spans, quiet("asked for"))
		case sub.Updates == 0:
			l.Spans = append(l.Spans, quiet("no change told so far"))
		default:
			l.Index, l.Right = sub.Last, "frame "+seq(s.log.Entry(sub.Last).Seq)
			l.Spans = append(l.Spans, plain("changed "+strconv.Itoa(sub.Updates)+"×, last at "+Clock(s.log.Entry(sub.Last).T)))
			if l.Sign = "~"; sub.Read >= 0 {
				l.Sign = "✓"
				l.Spans = append(l.Spans, quiet(", read since"))
			} else {
				l.Spans = append(l.Spans, quiet(", not read since"))
			}
		}
		lines = append(lines, l)
	}
	note := Count(len(lines), "resource")
	if updates > 0 {
		note += ", " + Count(updates, "change") + " told"
	}
	if len(lines) == 0 {
		note = "none"
		lines = []ServerLine{empty("subscribe URI asks the server to tell when a resource changes.")}
	}
	return section(KeySubscribed, "SUBSCRIBED", note, lines)
}
