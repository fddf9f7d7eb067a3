package timeline

import (
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// runs is Frames that can read frames which follow each other at once, which
// costs less than one by one. It returns none where they are more than most
// bytes, or cannot be read so.
type runs interface {
	FramesIn(from, to int, most int64) ([]wire.Frame, error)
}

// stretchBytes is how much of a file a Stretch holds at the most.
const stretchBytes = 8 << 20

// Stretch is frames of a log that follow each other, for who looks at all of
// them: they are read from the file at once, when the first of them is asked
// for, and each message is taken apart once. Frames of elsewhere are read from
// the log as ever. It is for one goroutine.
type Stretch struct {
	log      *Log
	from, to int
	read     bool
	frames   []Frame // nil: each is read by itself
	heads    []wire.Head
}

// Stretch returns the frames from ≤ i < to.
func (l *Log) Stretch(from, to int) *Stretch { return &Stretch{log: l, from: from, to: to} }

// Entry is Log.Entry.
func (s *Stretch) Entry(i int) Entry { return s.log.Entry(i) }

// Frame is Log.Frame.
func (s *Stretch) Frame(i int) (Frame, error) {
	f, err := s.Bare(i)
	if err == nil && s.holds(i) {
		s.peek(i - s.from)
		return s.frames[i-s.from], nil
	}
	return f, err
}

// Bare is Frame for who looks at the frame's bytes alone: its messages are not
// taken apart yet.
func (s *Stretch) Bare(i int) (Frame, error) {
	if !s.read && i >= s.from && i < s.to {
		s.read = true
		s.load()
	}
	if !s.holds(i) {
		return s.log.Frame(i)
	}
	return s.frames[i-s.from], nil
}

func (s *Stretch) holds(i int) bool { return i >= s.from && i-s.from < len(s.frames) }

// peek takes a message apart, once.
func (s *Stretch) peek(k int) {
	f := &s.frames[k]
	if f.Head() != nil || !f.IsMessage() || f.Form != wire.Msg || len(f.Body) == 0 || f.Body[0] != '{' {
		return
	}
	s.heads[k] = wire.Peek(f.Body)
	f.Peek(&s.heads[k])
}

// load reads the frames. One that cannot be read says so when it is asked for.
func (s *Stretch) load() {
	src, ok := s.log.src.(runs)
	if !ok {
		return
	}
	frames, err := src.FramesIn(s.from, s.to, stretchBytes)
	if err != nil || len(frames) != s.to-s.from {
		return
	}
	s.frames, s.heads = frames, make([]wire.Head, len(frames))
}
