package inspector

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// Frame explains the frame at position i: a message together with the one
// that it answers or that answers it, a line of stderr, a note, or why it is
// no message at all.
func Frame(log *timeline.Log, i int) Doc {
	e := log.Entry(i)
	d := Doc{Note: "frame " + seq(e.Seq)}
	f, err := log.Frame(i)
	if err != nil {
		d.Add(Block{Body: []Line{say("This frame cannot be read: " + err.Error())}})
		return d
	}
	switch f.Dir {
	case timeline.Note:
		d.noteFrame(log, i, f)
	case timeline.Err:
		d.stderrFrame(log, i, f)
	default:
		d.messageFrame(log, i, f)
	}
	return d
}

func seq(n int64) string { return strconv.FormatInt(n, 10) }

// whence is the note of a block that shows a frame: "→ frame 97   3:14.020
// 128 B".
func whence(f timeline.Frame) string {
	return strings.TrimSpace(arrow(f.Dir)+" frame "+seq(f.Seq)) + "   " + Clock(f.T) + "   " + Size(int64(len(f.Body)))
}

func (d *Doc) noteFrame(log *timeline.Log, i int, f timeline.Frame) {
	h := HeadlineOf(log, i)
	first := spans(loud(h.Text()))
	first.Right = strings.TrimSpace(h.ID + "   " + Clock(f.T))
	b := Block{Body: []Line{first}}
	if f.Name != "mark" {
		b.add(say(noteSentence(f)))
	}
	d.Add(b)
	if f.Name == "cancelled" || f.Name == "timeout" || f.Name == "failed" {
		if k := requestOf(log, i, f.Data); k >= 0 {
			d.Add(Block{Head: "REQUEST", Body: []Line{frameLine(log, k)}})
		}
	}
	if f.Name == "closed" {
		d.stillOpen(log, i, "STILL OPEN", "requests that got no answer")
	}
	if f.Name == "connect" {
		d.seam(log, f.Conn)
	}
	if len(f.Data) > 0 {
		d.Add(Block{Head: "NOTE", Note: "the debugger's own, not on the wire", JSON: f.Data})
	}
}

// frameLine is one frame in a list of a Doc: its arrow, number and headline.
func frameLine(log *timeline.Log, i int) Line {
	h := HeadlineOf(log, i)
	text := h.Text()
	if h.Dir == timeline.Err {
		text = h.Words
	}
	sign := h.Arrow
	if sign == "" {
		sign = " "
	}
	return Line{Sign: sign, Spans: []Span{quiet(seq(h.Seq) + "  "), peer(text)}}
}

func (d *Doc) stderrFrame(log *timeline.Log, i int, f timeline.Frame) {
	first := spans(loud("a line on stderr"))
	first.Right = Clock(f.T) + "   " + Size(int64(len(f.Body)))
	d.Add(Block{Body: []Line{first}})
	d.Add(Block{Head: "TEXT", Text: orBlank(f.Body)})
	d.stillOpen(log, i, "MEANWHILE OPEN", "requests that waited for an answer")
}

// orBlank keeps an empty text from passing for none.
func orBlank(b []byte) []byte {
	if len(b) == 0 {
		return []byte(" ")
	}
	return b
}

// stillOpen lists the requests that were open at a frame.
func (d *Doc) stillOpen(log *timeline.Log, i int, head, note string) {
	board, err := log.Board(i)
	if err != nil || len(board.Calls) == 0 {
		return
	}
	b := Block{Head: head, Note: note}
	for n, call := range board.Calls {
		if n == maxListed {
			b.add(more(len(board.Calls) - n))
			break
		}
		b.add(frameLine(log, call.Index))
	}
	d.Add(b)
}

// maxListed is how many frames or entries a block lists at most.
const maxListed = 40

func more(n int) Line { return spans(quiet("… " + strconv.Itoa(n) + " more")) }

func (d *Doc) messageFrame(log *timeline.Log, i int, f timeline.Frame) {
	heads, many := messages(f, 1)
	switch {
	case len(heads) == 0:
		d.brokenFrame(f)
	case many:
		d.batchFrame(log, i, f)
	default:
		d.single(log, i, f, heads[0])
	}
}

func (d *Doc) brokenFrame(f timeline.Frame) {
	first := spans(loud(brokenIs(f)))
	first.Right = strings.TrimSpace(arrow(f.Dir) + " " + Clock(f.T) + "   " + Size(int64(len(f.Body))))
	why := say(brokenBecause(f))
	why.Sign, why.Diff = "✗", true
	d.Add(Block{Body: []Line{first, why}})
	d.Add(Block{Head: "BYTES", Note: "as they stood on the wire", Text: orBlank(f.Body)})
	d.carriedBy(f)
}

// carriedBy tells the HTTP stream of a message and its status.
func (d *Doc) carriedBy(f timeline.Frame) {
	if f.HTTP == nil {
		return
	}
	d.Add(Block{Head: "HTTP", Note: f.Via, JSON: f.HTTP, Fold: true, Flow: true})
}

func (d *Doc) batchFrame(log *timeline.Log, i int, f timeline.Frame) {
	n := countMessages(f)
	first := spans(loud("a batch of " + Count(n, "message")))
	first.Right = whence(f)
	d.Add(Block{Body: []Line{first}})
	k := 0
	for m := range f.Messages {
		if k++; k > maxListed {
			d.Add(Block{Body: []Line{more(n - maxListed)}})
			break
		}
		what, words := m.Kind.String(), ""
		if m.Method != "" {
			what, words = subject(m)
		} else if m.Kind != wire.Invalid {
			_, what, words = answer(m, wire.Head{})
		}
		b := Block{Head: "MESSAGE " + strconv.Itoa(k), Note: strings.TrimSpace(what + "  " + idLabel(f.Dir, m)), JSON: m.Raw}
		if words != "" {
			b.add(spans(peer(oneLine(words))))
		}
		if m.Kind == wire.Invalid {
			b.add(say(noMessageBecause(m)))
		}
		d.Add(b)
	}
	d.hints(log, i, f, wire.Head{})
}

// single explains a message that is no batch.
func (d *Doc) single(log *timeline.Log, i int, f timeline.Frame, m wire.Head) {
	switch m.Kind {
	case wire.Request:
		d.request(log, i, f, m)
	case wire.Result, wire.Error:
		d.answer(log, i, f, m)
	case wire.Notification:
		what, words := subject(m)
		first := spans(loud(what))
		first.Right = "notification"
		d.Add(Block{Body: []Line{first}})
		head := "RECEIVED"
		if f.Dir == timeline.Out {
			head = "SENT"
		}
		d.Add(Block{Head: head, Note: whence(f), JSON: m.Raw})
		d.text([]byte(words))
		d.hints(log, i, f, m)
		d.carriedBy(f)
	default:
		first := spans(loud("no JSON-RPC message"))
		first.Right = whence(f)
		why := say(noMessageBecause(m))
		why.Sign, why.Diff = "✗", true
		d.Add(Block{Body: []Line{first, why}})
		d.Add(Block{Head: "JSON", JSON: m.Raw})
		d.carriedBy(f)
	}
}

// text shows a text that is hard to read as JSON: a long one, one of several
// lines, or one that is JSON in its turn.
func (d *Doc) text(t []byte) {
	packed := len(t) > 0 && (t[0] == '{' || t[0] == '[')
	if len(t) < longText && bytes.IndexByte(t, '\n') < 0 && !packed {
		return
	}
	d.Add(Block{Head: "TEXT", Note: Size(int64(len(t))), Text: t})
}
