package timeline

import (
	"sync"
	"time"
)

// Entry is what the log knows of each frame without reading it again.
type Entry struct {
	Seq  int64
	T    time.Duration
	Conn int
	Dir  Dir
	Kind Kind // of the message, or of the first of a batch
	Pair int  // position of the request's answer, or of the answer's request; -1: none
	Row  int  // the first row of the frame, -1: it carried no hints
	Rows int  // how many rows it has (more than one in a batch)
	Size int  // bytes of the body
}

// Log is the index of one session: an entry for each frame, a row for each
// message that carried hints, and keyframes from which the board at any frame
// is made. The frames' bytes stay where they are; Log reads them again when
// they are asked for. It is safe for use by several goroutines.
type Log struct {
	mu  sync.Mutex
	src Frames
}

// NewLog returns an empty log over frames. Advance fills it.
func NewLog(frames Frames) *Log { return &Log{src: frames} }

// Advance reduces up to most further frames that can be read, and returns how
// many it did; 0 means that the log has caught up.
func (l *Log) Advance(most int) (int, error) { return 0, nil }

// Len returns how many frames have been reduced.
func (l *Log) Len() int { return 0 }

// Entry returns the index entry of the frame at position i, 0 ≤ i < Len().
func (l *Log) Entry(i int) Entry { return Entry{} }

// Frame reads the frame at position i.
func (l *Log) Frame(i int) (Frame, error) { return l.src.Frame(i) }

// Board returns the state right after the frame at position i (-1: before the
// first), of that frame's connection.
func (l *Log) Board(i int) (*Board, error) { return &Board{Index: -1, ListAt: -1}, nil }

// RowCount returns how many rows there are.
func (l *Log) RowCount() int { return 0 }

// Rows returns the rows from ≤ n < to, with their changes.
func (l *Log) Rows(from, to int) ([]Row, error) { return nil, nil }

// RowAt returns the last row whose frame stands at or before position i, or
// -1.
func (l *Log) RowAt(i int) int { return -1 }

// IndexOf returns the position of the frame with number seq, or -1.
func (l *Log) IndexOf(seq int64) int { return -1 }

// IndexAt returns the position of the last frame at or before time t, or -1.
func (l *Log) IndexAt(t time.Duration) int { return -1 }

// RowOf returns the row by which rev of connection conn was applied (conn 0:
// the last connection that had such a rev), or -1.
func (l *Log) RowOf(conn int, rev int64) int { return -1 }

// Mark is a note that the user left in the recording.
type Mark struct {
	Index int
	T     time.Duration
	Text  string
}

// Marks returns the marks so far, in order.
func (l *Log) Marks() []Mark { return nil }
