package inspector

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// Toolset explains a toolset, or an undeclared group, on a board.
func Toolset(log *timeline.Log, b *timeline.Board, name string) Doc {
	d := Doc{Title: oneLine(name)}
	s := toolset(b, name)
	if s == nil {
		d.Note = "unknown"
		d.Add(Block{Body: []Line{say("At this point there is no such toolset.")}})
		return d
	}
	d.Note = "closed"
	if s.Open {
		d.Note = "open"
	}
	state := Block{Head: "STATE", Body: []Line{spans(plain(openWords(log, b, s)))}}
	if !s.Declared {
		state.add(say("The manifest does not declare it: the user opens and closes it here alone, and nothing is sent."))
	}
	for i := range s.Instances {
		state.add(instanceLine(log, b, s, i))
	}
	d.Add(state)
	if s.Title != "" || s.Summary != "" {
		about := Block{Head: "TITLE", Body: []Line{spans(peer(oneLine(orElse(s.Title, s.Name))))}}
		if s.Summary != "" {
			l := spans(peer(oneLine(s.Summary)))
			l.Wrap = true
			about.add(l)
		}
		d.Add(about)
	}
	d.Add(Block{Head: "TOOLS", Note: usableWords(s, -1), Body: toolLines(s, -1)})
	d.options(s)
	d.suggestionsFor(log, b, s.Name, "")
	d.endedOf(log, b, s.Name)
	if !s.HasInstances {
		d.placeTrack(log, b, s, "")
	}
	if s.Options != nil {
		d.Add(Block{Head: "SCHEMA", Note: "of the options", JSON: s.Options, Fold: true, Flow: true})
	}
	return d
}

func toolset(b *timeline.Board, name string) *timeline.Toolset {
	for i := range b.Toolsets {
		if b.Toolsets[i].Name == name {
			return &b.Toolsets[i]
		}
	}
	return nil
}

func instanceLine(log *timeline.Log, b *timeline.Board, s *timeline.Toolset, i int) Line {
	in := &s.Instances[i]
	l := spans(loud(oneLine(in.Name)))
	if in.Title != "" {
		l.Spans = append(l.Spans, peer("   "+oneLine(in.Title)))
	}
	l.Spans = append(l.Spans, quiet("   "+usableWords(s, i)))
	if w := byFrame(log, b, in.OpenedBy); w != "" {
		l.Right = "since " + w
	}
	return l
}

// usableWords counts what is usable of a toolset: in one instance, or, for
// -1, in any.
func usableWords(s *timeline.Toolset, instance int) string {
	n := 0
	for i := range s.Tools {
		if usableIn(&s.Tools[i], instance) {
			n++
		}
	}
	return strconv.Itoa(n) + " of " + strconv.Itoa(len(s.Tools)) + " usable"
}

func usableIn(t *timeline.Tool, instance int) bool {
	for i := range t.Cells {
		if (instance < 0 || i == instance) && t.Cells[i].Visible {
			return true
		}
	}
	return false
}

func toolLines(s *timeline.Toolset, instance int) []Line {
	width := 0
	for i := range s.Tools {
		width = max(width, len([]rune(oneLine(s.Tools[i].Name))))
	}
	var out []Line
	for i := range s.Tools {
		if i == maxListed {
			return append(out, more(len(s.Tools)-i))
		}
		t := &s.Tools[i]
		sign, tone := "○", Quiet
		if usableIn(t, instance) {
			sign, tone = "●", Plain
		}
		l := spans(Span{Text: pad(oneLine(t.Name), min(width, 24)) + "  ", Tone: tone})
		l.Sign = sign
		if text := oneLine(orElse(member(t.Declared, "description"), member(t.Declared, "title"))); text != "" {
			l.Spans = append(l.Spans, peer(text))
		}
		out = append(out, l)
	}
	if out == nil {
		out = []Line{spans(quiet("none is listed"))}
	}
	return out
}

func (d *Doc) options(s *timeline.Toolset) {
	if s.Options == nil {
		return
	}
	d.Add(Block{Head: "OPTIONS", Note: "to open it with", Body: arguments(s.Options)})
}

func (d *Doc) suggestionsFor(log *timeline.Log, b *timeline.Board, toolset, instance string) {
	block := Block{Head: "SUGGESTED"}
	for i := range b.Suggestions {
		s := &b.Suggestions[i]
		if s.Toolset != toolset || (instance != "" && s.Instance != instance) || len(block.Body) > maxListed {
			continue
		}
		l := spans(plain(oneLine(suggestionWords(s))))
		l.Sign = "?"
		l.Right = suggestionState(log, b, s)
		block.add(l)
		if s.Reason != "" {
			block.add(spans(peer(Quote(s.Reason))))
		}
	}
	if len(block.Body) > 0 {
		d.Add(block)
	}
}

func suggestionWords(s *timeline.Suggestion) string {
	return s.Action + " " + place(s.Toolset, s.Instance)
}

func suggestionState(log *timeline.Log, b *timeline.Board, s *timeline.Suggestion) string {
	if s.Taken {
		return "taken by " + byFrame(log, b, s.TakenBy)
	}
	return "pending since " + byFrame(log, b, s.By)
}

func (d *Doc) endedOf(log *timeline.Log, b *timeline.Board, toolset string) {
	block := Block{Head: "ENDED", Note: "by itself"}
	ends := b.Ends()
	for i := len(ends) - 1; i >= 0 && len(block.Body) < maxListed; i-- {
		if e := &ends[i]; e.Toolset == toolset {
			l := spans(plain(oneLine(orElse(e.Instance, e.Toolset))))
			if e.Reason != "" {
				l.Spans = append(l.Spans, peer("   "+Quote(e.Reason)))
			}
			l.Right = byFrame(log, b, e.By)
			block.add(l)
		}
	}
	if len(block.Body) > 0 {
		d.Add(block)
	}
}

// Instance explains an open instance: what it was opened with, since when,
// and its tools.
func Instance(log *timeline.Log, b *timeline.Board, toolsetName, name string) Doc {
	d := Doc{Title: oneLine(place(toolsetName, name)), Note: "not open"}
	s := toolset(b, toolsetName)
	found := -1
	if s != nil {
		for i := range s.Instances {
			if s.Instances[i].Name == name {
				found = i
			}
		}
	}
	if found < 0 {
		d.Add(Block{Body: []Line{say("At this point no such instance is open.")}})
		if s != nil {
			d.endedOf(log, b, toolsetName)
		}
		return d
	}
	in := &s.Instances[found]
	d.Note = usableWords(s, found)
	first := spans(loud(oneLine(in.Name)))
	if in.Title != "" {
		first.Spans = append(first.Spans, peer("   "+oneLine(in.Title)))
	}
	if w := byFrame(log, b, in.OpenedBy); w != "" {
		first.Right = "open since " + w
	}
	head := Block{Body: []Line{first}}
	if in.Changed.Index >= 0 && in.Changed.Rev > 0 {
		l := spans(plain("last changed"))
		l.Right = "by " + byFrame(log, b, in.Changed)
		head.add(l)
	}
	d.Add(head)
	d.openedWith(log, in)
	d.Add(Block{Head: "TOOLS", Note: usableWords(s, found), Body: toolLines(s, found)})
	d.suggestionsFor(log, b, toolsetName, name)
	d.placeTrack(log, b, s, name)
	return d
}

// openedWith shows how an instance came to be: the options of the request
// that opened it, or what else did.
func (d *Doc) openedWith(log *timeline.Log, in *timeline.Instance) {
	by := in.OpenedBy
	if by.Index < 0 || by.Index >= log.Len() {
		return
	}
	b := Block{Head: "OPENED"}
	b.add(frameLine(log, by.Index))
	p := log.Entry(by.Index).Pair
	if p >= 0 {
		if f, err := log.Frame(p); err == nil {
			for m := range f.Messages {
				if m.Method == "toolsets/open" {
					b.Note = "in frame " + seq(f.Seq)
					b.JSON = wire.Member(m.Params, "options")
					if b.JSON == nil || bytes.Equal(b.JSON, []byte("null")) {
						b.JSON = nil
						b.add(spans(quiet("without options")))
					}
				}
			}
		}
	}
	d.Add(b)
}

// Ended explains the record of an end that the host did not ask for
// (toolhints.md §5).
func Ended(log *timeline.Log, b *timeline.Board, e timeline.Ended) Doc {
	d := Doc{Title: oneLine(place(e.Toolset, e.Instance)), Note: "ended by itself"}
	first := spans(loud(oneLine(orElse(e.Instance, e.Toolset)) + " ended by itself"))
	if w := byFrame(log, b, e.By); w != "" {
		first.Right = "told by " + w
	}
	d.Add(Block{Body: []Line{first}})
	if e.Reason != "" {
		d.Add(Block{Head: "REASON", Note: "the server's words", Text: []byte(e.Reason)})
	} else {
		d.Add(Block{Head: "REASON", Body: []Line{spans(quiet("none was given"))}})
	}
	if strings.HasPrefix(e.ID, " ") {
		d.Add(Block{Head: "RECORD", Body: []Line{spans(quiet("none yet: toolsets/list brings one with its id"))}})
	} else {
		d.Add(Block{Head: "ID", Body: []Line{spans(peer(oneLine(e.ID)))}})
	}
	if e.By.Index >= 0 && e.By.Index < log.Len() {
		d.Add(Block{Head: "TOLD IN", Body: []Line{frameLine(log, e.By.Index)}})
	}
	return d
}

// Suggestion explains what the server suggested.
func Suggestion(log *timeline.Log, b *timeline.Board, s timeline.Suggestion) Doc {
	d := Doc{Title: oneLine(suggestionWords(&s)), Note: "pending"}
	if s.Taken {
		d.Note = "taken"
	}
	first := spans(loud(oneLine(suggestionWords(&s))))
	first.Right = suggestionState(log, b, &s)
	d.Add(Block{Body: []Line{first}})
	if s.Reason != "" {
		d.Add(Block{Head: "REASON", Note: "the server's words", Text: []byte(s.Reason)})
	}
	if s.Options != nil {
		d.Add(Block{Head: "OPTIONS", Note: "it proposes", JSON: s.Options})
	}
	if s.By.Index >= 0 && s.By.Index < log.Len() {
		d.Add(Block{Head: "TOLD IN", Body: []Line{frameLine(log, s.By.Index)}})
	}
	if set := toolset(b, s.Toolset); set != nil {
		d.Add(Block{Head: "TOOLSET", Body: []Line{setLine(log, b, set)}})
	}
	return d
}
