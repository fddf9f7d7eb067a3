package inspector

import (
	"math"
	"strconv"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// Progress is how far a server says that a call has come (MCP, progress). The
// zero value: it said nothing.
type Progress struct {
	Count       int     // how often it was told
	Done, Total float64 // Total 0: not known
	Message     string  // the server's words, "" for none
}

// Share is how much is done, from 0 to 1; known is false where no total was
// named.
func (p Progress) Share() (share float64, known bool) {
	if p.Total <= 0 || math.IsNaN(p.Total) || math.IsInf(p.Total, 0) || math.IsNaN(p.Done) {
		return 0, false
	}
	return min(max(p.Done/p.Total, 0), 1), true
}

// Bar draws the progress as a bar of w cells, "" where no total is known.
func (p Progress) Bar(w int) string {
	share, known := p.Share()
	if !known || w <= 0 {
		return ""
	}
	n := int(share * float64(w)) // full only when all is done
	return strings.Repeat("▄", n) + strings.Repeat("·", w-n)
}

// Words tell the progress in numbers: "2 of 3", "7 so far", "" for none.
func (p Progress) Words() string {
	switch {
	case p.Count == 0:
		return ""
	case p.Total > 0:
		return number(p.Done) + " of " + number(p.Total)
	}
	return number(p.Done) + " so far"
}

func number(f float64) string { return short(strconv.FormatFloat(f, 'g', 8, 64)) }

// LogLine is a log message of the server (MCP, logging).
type LogLine struct {
	Level, Logger string // "" where it named none
	Text          string // on one line, bounded
	Index         int    // position of its frame
}

// Tale is what a server tells of a call while it is open: its progress, and
// what it logs meanwhile. Over HTTP a message on the stream of another call
// is not of this one; elsewhere MCP does not say whose a message is.
type Tale struct {
	Progress Progress
	Logs     []LogLine // the last of them, oldest first
	Logged   int       // how many there were

	conn  int
	via   string
	token wire.ID
}

// maxTold is how many log messages a Tale keeps.
const maxTold = 20

// TaleOf begins the tale of the request in the frame at position i, before
// anything was told.
func TaleOf(log *timeline.Log, i int, id wire.ID) Tale {
	f, err := log.Frame(i)
	if err != nil {
		return Tale{}
	}
	for m := range f.Messages {
		if m.Kind == wire.Request && m.ID.Key() == id.Key() {
			return taleOf(f, m)
		}
	}
	return Tale{}
}

func taleOf(f timeline.Frame, m wire.Head) Tale {
	return Tale{conn: f.Conn, via: f.Via, token: wire.ID(string(wire.Path(m.Params, "_meta", "progressToken")))}
}

// Hear takes the frame at position i of the log, where it tells something of
// the call.
func (t *Tale) Hear(log *timeline.Log, i int) {
	e := log.Entry(i)
	if e.Dir != timeline.In || e.Kind != timeline.Notification || e.Conn != t.conn || e.Size > maxNotice {
		return
	}
	f, err := log.Frame(i)
	if err != nil {
		return
	}
	for m := range f.Messages {
		switch m.Method {
		case mcpl.MethodProgress:
			t.progressed(m.Params)
		case mcpl.MethodLogMessage:
			if !strings.HasPrefix(f.Via, postStream) || f.Via == t.via {
				t.logged(m.Params, i)
			}
		}
	}
}

const (
	postStream = "http:post:" // outputs.md, via
	maxNotice  = 1 << 20      // bytes of a message that are read for a tale
)

func (t *Tale) progressed(params []byte) {
	token := wire.Member(params, "progressToken")
	if t.token == "" || token == nil || wire.ID(token).Key() != t.token.Key() {
		return
	}
	p := Progress{Count: t.Progress.Count + 1, Message: oneLine(member(params, "message"))}
	p.Done, _ = strconv.ParseFloat(string(wire.Member(params, "progress")), 64) // no number: 0, as nothing is known
	p.Total, _ = strconv.ParseFloat(string(wire.Member(params, "total")), 64)
	t.Progress = p
}

func (t *Tale) logged(params []byte, i int) {
	l := LogLine{Level: oneLine(scalar(params, "level")), Logger: oneLine(scalar(params, "logger")), Index: i}
	if data := wire.Member(params, "data"); len(data) > 0 && data[0] == '"' {
		l.Text = oneLine(stringHead(data, maxShort))
	} else {
		l.Text = oneLine(short(string(data)))
	}
	t.Logged++
	if t.Logs = append(t.Logs, l); len(t.Logs) > maxTold {
		t.Logs = t.Logs[1:]
	}
}

// tale shows what was told of a call up to its answer, or up to the end.
func (d *Doc) tale(x *exchange) {
	if x.askedAt < 0 || x.asked.Dir != timeline.Out {
		return
	}
	to := x.answerAt
	if to < 0 {
		to = x.log.Len()
	}
	t := taleOf(x.asked, x.question)
	for k := max(x.askedAt+1, to-lookBack); k < to; k++ {
		t.Hear(x.log, k)
	}
	if p := t.Progress; p.Count > 0 {
		l := spans(plain(strings.TrimSpace(p.Bar(20) + "  " + p.Words())))
		if p.Message != "" {
			l.Spans = append(l.Spans, peer("   "+Quote(p.Message)))
		}
		l.Wrap = true
		d.Add(Block{Head: "PROGRESS", Note: "told " + times(p.Count), Body: []Line{l}})
	}
	if t.Logged == 0 {
		return
	}
	b := Block{Head: "LOG", Note: Count(t.Logged, "message") + " while it was open"}
	if n := t.Logged - len(t.Logs); n > 0 {
		b.add(spans(quiet("… " + Count(n, "message") + " before")))
	}
	for _, l := range t.Logs {
		line := spans(loud(pad(orElse(l.Level, "no level"), 8)+" "), peer(l.Text))
		if l.Logger != "" {
			line.Spans = append(line.Spans, quiet("   "+l.Logger))
		}
		line.Wrap, line.Right = true, "frame "+seq(x.log.Entry(l.Index).Seq)
		b.add(line)
	}
	d.Add(b)
}
