package uitest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/timeline/timelinetest"
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
		f, err := timelinetest.ReadFrame(line)
		must(err)
		t.frames = append(t.frames, f)
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

func must(err error) {
	if err != nil {
		panic(err)
	}
}
