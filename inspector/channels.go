package inspector

import (
	"slices"
	"strconv"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// The keys of the sections about channels.
const (
	KeyChannels = "channels"
	KeyMessages = "messages"
)

// ChannelKinds are the dealings that Channels is told from.
var ChannelKinds = []timeline.LandmarkKind{timeline.OnChannels, timeline.OnMessages}

// Channels tells of the channels of a board's connection and of what was said
// on them, from the frames up to the board's.
func (t *ServerTeller) Channels(log *timeline.Log, b *timeline.Board) []ServerSection {
	s := t.tale(log, b)
	if s == nil {
		return nil
	}
	return []ServerSection{s.channels(), s.messages()}
}

func (s *serverTale) channels() ServerSection {
	all, earlier := s.log.ChannelsAt(s.b.Conn, s.b.Index)
	var lines []ServerLine
	open, gone := 0, 0
	for _, c := range all {
		if c.Open {
			open++
		}
		if c.Removed {
			gone++
		}
		lines = append(lines, s.channel(c))
	}
	if len(lines) == 0 {
		text := "None. A server registers its channels; channel open TYPE {\"address\":…} asks for one."
		note := "none"
		if s.b.Manifest == nil {
			text, note = "Channels are MCPL's: a server without it has none.", plainServer
		}
		return section(KeyChannels, "CHANNELS", note, []ServerLine{empty(text)})
	}
	return section(KeyChannels, "CHANNELS", newest(Count(len(all)-gone, "channel"), earlier > 0)+", "+strconv.Itoa(open)+" open", lines)
}

// newest says that a count is of the newest alone, where there were more.
func newest(count string, more bool) string {
	if more {
		return "the newest " + count
	}
	return count
}

func (s *serverTale) channel(c timeline.Channel) ServerLine {
	l := ServerLine{Index: c.Index, Hang: 2}
	l.Right = "frame " + seq(s.log.Entry(c.Index).Seq)
	l.Spans = []Span{peer(pad(oneLine(cutBytes(c.ID, 80)), nameWidth) + "  ")}
	state := quiet("registered")
	switch id := commandWord(c.ID); {
	case c.Removed:
		l.Sign, state = "·", quiet("taken back")
	case c.Answered && !c.Accepted:
		l.Sign, state = "!", loud("not accepted: "+oneLine(c.Reason))
	case c.Error != "":
		l.Sign, state, l.Do = "!", loud(oneLine(c.Error)), "channel open "+id
	case c.Open:
		l.Sign, state, l.Do = "✓", Span{Text: "open", Tone: Good}, "channel publish "+id+" "
	case c.Answered:
		l.Do = "channel open " + id
	default:
		state, l.Do = quiet("told of"), "channel open "+id
	}
	l.Spans = append(l.Spans, state)
	for _, key := range []string{"label", "type", "direction"} {
		if v := scalar(c.Raw, key); v != "" {
			l.Spans = append(l.Spans, quiet("  "), peer(oneLine(cutBytes(v, 80))))
		}
	}
	return l
}

// saidWords are what the methods of channels are called in a line.
var saidWords = map[string]string{
	mcpl.MethodChannelsIncoming: "←", mcpl.MethodChannelsPublish: "→",
	mcpl.MethodChannelsAck: "→ acknowledges", mcpl.MethodChannelsTyping: "→ is typing",
}

// messages tells what was said, in the order of time.
func (s *serverTale) messages() ServerSection {
	said, earlier := s.log.SaidAt(s.b.Conn, s.b.Index)
	var lines []ServerLine
	if len(said) > maxSection-1 {
		earlier += len(said) - (maxSection - 1)
		said = said[len(said)-(maxSection-1):]
	}
	if earlier > 0 {
		lines = append(lines, empty("… "+Count(earlier, "message")+" and answers came earlier"))
	}
	for i := range said {
		lines = append(lines, s.said(&said[i]))
	}
	if len(said) == 0 {
		return section(KeyMessages, "MESSAGES", "none yet", []ServerLine{empty("What comes in on a channel, and what channel publish ID TEXT sends, stands here in the order of time.")})
	}
	return section(KeyMessages, "MESSAGES", Count(len(said)+earlier, "message"), lines)
}

func (s *serverTale) said(m *timeline.Said) ServerLine {
	l := ServerLine{Index: m.Index, Hang: 8}
	l.Wrap = true
	l.Right = "frame " + seq(s.log.Entry(m.Index).Seq)
	l.Spans = []Span{quiet(pad(Clock(m.T), 6) + "  "), plain(oneLine(cutBytes(m.Channel, 60)) + " " + saidWords[m.Method] + " ")}
	if m.Method == mcpl.MethodChannelsIncoming {
		author := orElse(member(m.Raw, "author", "name"), scalar(m.Raw, "author", "id"))
		if author != "" {
			l.Spans = append(l.Spans, loud(oneLine(cutBytes(author, 60))+": "))
		}
		if m.Answered >= 0 && m.OK {
			l.Do = "channel ack " + commandWord(m.Channel) + " " + commandWord(m.ID)
		}
	}
	if m.Method == mcpl.MethodChannelsAck {
		l.Spans = append(l.Spans, quiet(oneLine(m.ID+" "+scalar(m.Raw, "intent")+" "+scalar(m.Raw, "value"))))
	}
	if text := contentText(wire.Member(m.Raw, "content")); text != "" {
		l.Spans = append(l.Spans, peer(oneLine(text)))
	}
	if tags := stringsOf(wire.Member(m.Raw, "tags")); len(tags) > 0 {
		l.Spans = append(l.Spans, quiet("  "+list(tags)))
	}
	waits := m.Answered < 0 && m.Method != mcpl.MethodChannelsTyping
	switch {
	case waits && isRequest(s.log, m.Index):
		l.Sign, l.Spans = "◌", append(l.Spans, quiet("  no answer yet"))
	case m.Answered >= 0 && !m.OK:
		l.Sign, l.Spans = "!", append(l.Spans, loud("  not "+outcomeWord(m.Method)), quiet(prefixed(": ", m.Words)))
	case m.Method == mcpl.MethodChannelsPublish && m.Answered >= 0:
		l.Sign = "✓"
	}
	return l
}

func isRequest(log *timeline.Log, i int) bool { return log.Entry(i).Kind == timeline.Request }

func outcomeWord(method string) string {
	switch method {
	case mcpl.MethodChannelsPublish:
		return "delivered"
	case mcpl.MethodChannelsAck:
		return "acknowledged"
	}
	return "accepted"
}

func prefixed(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + oneLine(text)
}

// The keys of the sections about hooks and states. Each state has a section of
// its own: KeyStates and the name of its feature set.
const (
	KeyHooks  = "hooks"
	KeyStates = "states"
)

// StateKinds are the dealings that States is told from. What is granted counts
// as well, which LandmarkCount tells.
var StateKinds = []timeline.LandmarkKind{timeline.OnHooks, timeline.OnState}

// States tells what hooks brought and which states there are, from the frames
// up to a board's.
func (t *ServerTeller) States(log *timeline.Log, b *timeline.Board) []ServerSection {
	s := t.tale(log, b)
	if s == nil {
		return nil
	}
	return []ServerSection{s.hooks(), s.states()}
}

// hooks tells the inferences that were played, the newest first, and what the
// server would have injected: each injection is judged by the grant as it was
// when it arrived (MCPL draft §10.8).
func (s *serverTale) hooks() ServerSection {
	deals, earlier := s.log.HooksAt(s.b.Conn, s.b.Index)
	answers := map[int]*timeline.Dealing{}
	for i := range deals {
		if d := &deals[i]; d.Of >= 0 && answers[d.Of] == nil {
			answers[d.Of] = d
		}
	}
	var lines []ServerLine
	for _, d := range slices.Backward(deals) {
		if d.Of < 0 {
			lines = append(lines, s.hook(&d, answers[d.Index])...)
		}
	}
	if earlier > 0 {
		lines = append(lines, empty("… "+Count(earlier, "earlier message")))
	}
	if len(deals) == 0 {
		text := "hook before TEXT asks what the server would inject before an inference; hook started, hook completed tell of one."
		note := "none yet"
		if s.b.Manifest == nil {
			text, note = "Hooks are MCPL's: a server without it has none.", plainServer
		}
		return section(KeyHooks, "HOOKS", note, []ServerLine{empty(text)})
	}
	return section(KeyHooks, "HOOKS", "newest first", lines)
}

func (s *serverTale) hook(d, answer *timeline.Dealing) []ServerLine {
	p := d.Head.Params
	l := ServerLine{Index: d.Index, Hang: 2}
	l.Wrap = true
	l.Right = "frame " + seq(d.Frame.Seq)
	l.Spans = []Span{quiet(pad(Clock(d.Frame.T), 6) + "  "), loud(oneLine(scalar(p, "inferenceId")))}
	if d.Head.Method == mcpl.MethodLifecycle {
		l.Spans = append(l.Spans, plain(" "+oneLine(scalar(p, "phase"))))
		return []ServerLine{l}
	}
	words := " before, the user's words withheld"
	if m := member(p, "userMessage"); m != "" {
		words = " before " + Quote(m)
	}
	l.Spans = append(l.Spans, plain(words))
	switch {
	case answer == nil:
		l.Sign, l.Spans = "◌", append(l.Spans, quiet("   no answer yet"))
		return []ServerLine{l}
	case answer.Head.Kind == timeline.Error:
		l.Sign, l.Spans = "!", append(l.Spans, plain("   error "+scalar(answer.Head.Error, "code")+": "), peer(member(answer.Head.Error, "message")))
		return []ServerLine{l}
	}
	lines := []ServerLine{l}
	granted := s.grantedAt(answer.Index)
	n := 0
	wire.EachElement(wire.Member(answer.Head.Result, "contextInjections"), func(v []byte) bool {
		n++
		lines = append(lines, injection(v, answer.Index, granted)...)
		return n < maxListed
	})
	if n == 0 {
		lines = append(lines, ServerLine{Line: Line{Indent: 1, Spans: []Span{quiet("injects nothing")}}, Index: answer.Index})
	}
	if set := member(answer.Head.Result, "featureSet"); set != "" {
		lines[0].Spans = append(lines[0].Spans, quiet("   "+oneLine(set)))
	}
	return lines
}

// grantedAt are the paths that are granted at a frame.
func (s *serverTale) grantedAt(index int) []string {
	at := &serverTale{t: s.t, log: s.log, b: &timeline.Board{Conn: s.b.Conn, Index: index}}
	at.grants()
	return at.active
}

func injection(v []byte, index int, granted []string) []ServerLine {
	position := scalar(v, "position")
	path := mcpl.CapInject + position
	l := ServerLine{Index: index, Hang: 2}
	l.Indent, l.Wrap = 1, true
	l.Spans = []Span{plain(pad(oneLine(orElse(position, "no position")), 12)), peer(oneLine(member(v, "namespace"))), quiet("  ")}
	if slices.Contains(granted, path) {
		l.Sign, l.Spans = "✓", append(l.Spans, Span{Text: "allowed", Tone: Good})
	} else {
		l.Sign, l.Spans = "!", append(l.Spans, loud("not granted"), quiet(": needs "+oneLine(path)))
		if slices.Contains(mcpl.Capabilities, path) {
			l.Grants = path
		}
	}
	return append([]ServerLine{l}, textLines(contentText(wire.Member(v, "content")), index)...)
}

// states tells the checkpoints of each feature set as a tree, and the state at
// the one that holds now.
func (s *serverTale) states() ServerSection {
	all := s.log.StatesAt(s.b.Conn, s.b.Index)
	var lines []ServerLine
	for i := range all {
		lines = append(lines, s.state(&all[i])...)
	}
	if len(all) == 0 {
		return section(KeyStates, "STATE", "none", []ServerLine{empty("A result with a state, and state/update, bring checkpoints; rollback FEATURE-SET CHECKPOINT goes back to one.")})
	}
	return section(KeyStates, "STATE", Count(len(all), "feature set"), lines)
}

func (s *serverTale) state(f *timeline.FeatureState) []ServerLine {
	head := ServerLine{Index: -1}
	head.Spans = []Span{loud(oneLine(orElse(f.FeatureSet, "no feature set is named"))), quiet("   " + newest(Count(len(f.Checkpoints), "checkpoint"), f.Earlier))}
	lines := []ServerLine{head}
	if f.Error != "" {
		l := ServerLine{Index: f.ErrAt}
		l.Sign, l.Indent, l.Wrap = "!", 1, true
		l.Spans = []Span{loud(oneLine(f.Error))}
		l.Right = "frame " + seq(s.log.Entry(f.ErrAt).Seq)
		lines = append(lines, l)
	}
	known := map[string]bool{}
	for i := range f.Checkpoints {
		known[f.Checkpoints[i].ID] = true
	}
	children := map[string][]int{}
	for i := range f.Checkpoints {
		parent := f.Checkpoints[i].Parent
		if !known[parent] || parent == f.Checkpoints[i].ID {
			parent = ""
		}
		children[parent] = append(children[parent], i)
	}
	drawn := make([]bool, len(f.Checkpoints))
	var walk func(parent string, depth int)
	walk = func(parent string, depth int) {
		for _, i := range children[parent] {
			if drawn[i] {
				continue
			}
			drawn[i] = true
			lines = append(lines, s.checkpoint(f, &f.Checkpoints[i], depth))
			// A line of descent stands in one column: only a branch goes in.
			next := depth
			if len(children[f.Checkpoints[i].ID]) > 1 {
				next++
			}
			if f.Checkpoints[i].ID != "" {
				walk(f.Checkpoints[i].ID, next)
			}
		}
	}
	walk("", 1)
	for i := range drawn {
		if !drawn[i] { // parents in a circle
			lines = append(lines, s.checkpoint(f, &f.Checkpoints[i], 1))
		}
	}
	if f.Data == nil && f.Earlier && f.Error == "" {
		l := ServerLine{Index: -1}
		l.Indent, l.Wrap = 1, true
		l.Spans = []Span{quiet("data  not known here: it goes on from states before these")}
		lines = append(lines, l)
	}
	if f.Data != nil {
		l := ServerLine{Index: -1}
		l.Indent, l.Wrap = 1, true
		l.Spans = []Span{quiet("data  "), peer(oneLine(short(string(f.Data)))), quiet("  " + Size(int64(len(f.Data))))}
		lines = append(lines, l)
	}
	return lines
}

func (s *serverTale) checkpoint(f *timeline.FeatureState, c *timeline.Checkpoint, depth int) ServerLine {
	l := ServerLine{Index: c.Index, Hang: 2}
	l.Indent, l.Wrap = min(depth, 6), true
	tone := Plain
	if c.ID == f.Current {
		tone = Loud
	}
	l.Spans = []Span{{Text: oneLine(orElse(cutBytes(c.ID, 80), "without a name")), Tone: tone}}
	what := "kept by the server"
	switch {
	case c.Whole:
		what = "whole"
	case c.Patch > 0:
		what = "patch of " + Count(c.Patch, "operation")
	}
	l.Spans = append(l.Spans, quiet("  "+what+", by "+oneLine(c.By)))
	if c.ID == f.Current {
		l.Sign = "✓"
		l.Spans = append(l.Spans, plain("  holds now"))
	} else if f.FeatureSet != "" && c.ID != "" {
		l.Do = "rollback " + commandWord(f.FeatureSet) + " " + commandWord(c.ID)
	}
	if c.Rolled >= 0 {
		l.Spans = append(l.Spans, quiet("  taken back to in frame "+seq(s.log.Entry(c.Rolled).Seq)))
	}
	if c.Refused != "" {
		l.Sign = "!"
		l.Spans = append(l.Spans, loud("  not taken back: "+oneLine(c.Refused)))
	}
	l.Right = "frame " + seq(s.log.Entry(c.Index).Seq)
	return l
}
