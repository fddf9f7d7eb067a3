package uitest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"sync/atomic"
	"time"

	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// Header is the first line of a recording.
type Header struct {
	ID      string    `json:"id"`
	Started time.Time `json:"started"`
	Tool    string    `json:"tool"`
	Target  struct {
		Kind    string   `json:"kind"`
		Command []string `json:"command"`
		Dir     string   `json:"cwd"`
		URL     string   `json:"url"`
	} `json:"target"`
}

// Tape is a recording in memory. It implements timeline.Frames. Its end can
// be moved while others read it, as that of a live session.
type Tape struct {
	Header Header
	frames []timeline.Frame
	shown  atomic.Int64
}

var _ timeline.Frames = (*Tape)(nil)

// Frames reads a well-formed recording. It panics on any other.
func Frames(recording []byte) *Tape {
	t := &Tape{}
	for i, line := range bytes.Split(bytes.TrimSuffix(recording, []byte{'\n'}), []byte{'\n'}) {
		if i == 0 {
			must(json.Unmarshal(line, &t.Header))
			continue
		}
		t.frames = append(t.frames, readFrame(line))
	}
	t.shown.Store(int64(len(t.frames)))
	return t
}

// Len returns how many frames are shown.
func (t *Tape) Len() int { return int(t.shown.Load()) }

// Frame returns the frame at position i, which must be shown.
func (t *Tape) Frame(i int) (timeline.Frame, error) {
	if i < 0 || i >= t.Len() {
		return timeline.Frame{}, fmt.Errorf("frame at position %d of %d: not there", i, t.Len())
	}
	return t.frames[i], nil
}

// Cut returns a tape of its own that shows the first n frames. The rest is
// still there for Show.
func (t *Tape) Cut(n int) *Tape {
	c := &Tape{Header: t.Header, frames: t.frames}
	c.Show(n)
	return c
}

// Show moves the end of the tape: n frames are shown from now on.
func (t *Tape) Show(n int) {
	if n < 0 || n > len(t.frames) {
		panic(fmt.Sprintf("%d frames of a tape of %d", n, len(t.frames)))
	}
	t.shown.Store(int64(n))
}

// The values of timeline.Frame's Form, whose names package timeline does not
// pass on: a message as it was, other UTF-8, bytes.
const (
	formMsg    = 1
	formText   = 2
	formBinary = 3
)

func readFrame(line []byte) timeline.Frame {
	var l struct {
		Seq  int64           `json:"seq"`
		T    float64         `json:"t"`
		Conn int             `json:"conn"`
		Dir  string          `json:"dir"`
		Via  string          `json:"via"`
		Msg  json.RawMessage `json:"msg"`
		Text *string         `json:"text"`
		B64  []byte          `json:"b64"`
		Note string          `json:"note"`
		Data json.RawMessage `json:"data"`
		HTTP json.RawMessage `json:"http"`
	}
	must(json.Unmarshal(line, &l))
	dir, ok := map[string]timeline.Dir{
		"out": timeline.Out, "in": timeline.In, "err": timeline.Err, "note": timeline.Note,
	}[l.Dir]
	if !ok {
		panic(fmt.Sprintf("frame %d: no direction %q", l.Seq, l.Dir))
	}
	f := timeline.Frame{
		Seq: l.Seq, T: time.Duration(math.Round(l.T*1e6)) * time.Microsecond, Conn: l.Conn, Dir: dir, Via: l.Via,
		Name: l.Note, Data: l.Data, HTTP: l.HTTP,
	}
	switch {
	case l.Msg != nil:
		f.Form, f.Body = formMsg, l.Msg
	case l.Text != nil:
		f.Form, f.Body = formText, []byte(*l.Text)
	case l.B64 != nil:
		f.Form, f.Body = formBinary, l.B64
	}
	return f
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
