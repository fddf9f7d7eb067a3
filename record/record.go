// Package record keeps the frames of a session in a file and gives them back:
// the recording format (*.mcpl.jsonl), its writer and its reader, and the
// foreign formats that can be read as a recording.
//
// A Recording is a list of frames that only grows. It is live (made by Create
// or CreateSpool, filled by Append) or opened (made by Open, filled by a
// goroutine that indexes the file). Either way the bytes stay in the file:
// memory holds an index of 24 bytes a frame, the frames that wait for the
// disk (at most 256 MB) and a few recent ones.
//
// What may be relied on:
//   - Append never waits for the disk, unless 256 MB are queued already; then
//     it blocks until there is room, and Status says so.
//   - What was appended reaches the operating system within 100 ms; a process
//     that is killed loses no more than that.
//   - While nothing can be written (disk full), frames are kept and writing is
//     tried again about each second, from the very byte where it stopped.
//   - A frame that was appended and the same frame read from the file are
//     equal in every member.
//   - Nothing is ever deleted or overwritten.
package record

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// Errors that a caller can act on.
var (
	// ErrClosed is returned by Frame and Save after Close.
	ErrClosed = errors.New("the recording is closed")
	// ErrExists is returned by Create and Save for a path that is taken.
	ErrExists = errors.New("there is a file of that name already")
	// ErrNotRecording is returned by Open for a file that is no recording and
	// no foreign format that can be read.
	ErrNotRecording = errors.New("no recording")
	// ErrNewer is returned by Open for a recording of a later format.
	ErrNewer = errors.New("a newer recording format")
	// ErrDiskFull is what Status and Close report while there is no space.
	ErrDiskFull = errors.New("disk full")
)

// Skipped is a line of a file that could not be read, or something else about
// it that a user must know. Why is one plain phrase.
type Skipped struct {
	Line int // from 1
	Why  string
}

// Status says what is true of a recording at this moment.
type Status struct {
	Path    string // "" for a spool and for standard input
	Live    bool   // frames can be appended
	Bytes   int64  // written to the file, or read of it, unpacked
	Queued  int64  // bytes that wait for the disk
	Blocked bool   // an Append waits until there is room in the queue
	// Err says why nothing can be written, or read further, in words; nil
	// while all is well. Writing is tried again, so it can become nil.
	Err     error
	Lost    int64   // frames that were given up, at Close or after it
	Loading float64 // how much is indexed, 0 to 1; 1 when it is done, or live
	// Skipped holds the first lines that could not be read, SkippedCount says
	// how many there are.
	Skipped      []Skipped
	SkippedCount int
	Cut          bool // the file ends in the middle of a line, or of its packed data
}

// maxSkipped is how many skipped lines are kept word for word.
const maxSkipped = 100

// file is what a recording needs of an *os.File.
type file interface {
	io.ReaderAt
	io.Writer
	Sync() error
	Close() error
}

// Recording is the frames of one session, live or opened. All methods can be
// called from many goroutines.
type Recording struct {
	path    string
	header  Header
	live    bool
	format  format
	remove  string // a spool that could not be unlinked while open
	changed chan struct{}
	done    chan struct{} // closed when the writer, or the indexer, has ended

	file  file
	pages *pages

	mu     sync.Mutex
	index  index // of the frames that are in the file
	state  Status
	closed bool

	queue // of a live recording

	stop     chan struct{} // closed by Close
	input    io.Closer     // what an opened recording is read from
	progress func() float64
}

func newRecording(path string, h Header) *Recording {
	return &Recording{
		path:    path,
		header:  h,
		changed: make(chan struct{}, 1),
		done:    make(chan struct{}),
		stop:    make(chan struct{}),
	}
}

// Header returns the recording's first line. Where a file had none that could
// be read, all but Version is zero.
func (r *Recording) Header() Header { return r.header }

// Len returns how many frames can be read now.
func (r *Recording) Len() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.length()
}

func (r *Recording) length() int {
	if r.live {
		return r.base + r.tail.len()
	}
	return r.index.n
}

// settle extends the index. Frames before position upTo are read from the file
// from now on, none once the recording is closed. The caller holds the lock.
func (r *Recording) settle(entries []entry, upTo int) {
	if r.closed {
		upTo = 0
	}
	r.index.extend(entries, upTo)
}

// Frame returns the frame at position i, 0 ≤ i < Len(). Its bytes are the
// caller's to keep; nothing changes them later.
func (r *Recording) Frame(i int) (wire.Frame, error) {
	if e, ok := r.index.settled(i); ok {
		return r.load(i, e)
	}
	r.mu.Lock()
	switch {
	case r.closed:
		r.mu.Unlock()
		return wire.Frame{}, ErrClosed
	case i < 0 || i >= r.length():
		n := r.length()
		r.mu.Unlock()
		return wire.Frame{}, fmt.Errorf("there is no frame at position %d of %d", i, n)
	case r.live && i >= r.base:
		f := *r.tail.at(i - r.base)
		r.mu.Unlock()
		return f, nil
	}
	e := r.index.at(i)
	r.mu.Unlock()
	return r.load(i, e)
}

// load reads a frame's line from the file. The line has memory of its own, so
// that a frame which is kept holds nothing but itself.
func (r *Recording) load(i int, e entry) (wire.Frame, error) {
	line := make([]byte, e.size)
	if err := r.pages.read(line, e.off); err != nil {
		if errors.Is(err, os.ErrClosed) {
			return wire.Frame{}, ErrClosed
		}
		return wire.Frame{}, err
	}
	return r.frame(i, e, line)
}

// Changed receives after frames were added or the status changed. Changes in
// a burst give one signal.
func (r *Recording) Changed() <-chan struct{} { return r.changed }

func (r *Recording) signal() {
	select {
	case r.changed <- struct{}{}:
	default:
	}
}

// Status says what is true of the recording at this moment.
func (r *Recording) Status() Status {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.state
	s.Path, s.Live = r.path, r.live && !r.closed
	s.Queued, s.Blocked = r.queued, r.waiting > 0
	s.Skipped = append([]Skipped(nil), s.Skipped...)
	switch {
	case r.live:
		s.Loading = 1
	case s.Loading < 1 && r.progress != nil:
		s.Loading = min(r.progress(), 0.999)
	}
	return s
}

func (s *Status) skip(line int, why string) {
	s.SkippedCount++
	if len(s.Skipped) < maxSkipped {
		s.Skipped = append(s.Skipped, Skipped{Line: line, Why: why})
	}
}

// Wait returns when all of an opened recording is indexed, or with ctx's
// error. A file that could be read only in part is no error here: Status says
// what became of it.
func (r *Recording) Wait(ctx context.Context) error {
	if r.live {
		return ctx.Err()
	}
	select {
	case <-r.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Close ends the recording. Live, it writes what is queued and syncs the file;
// where the disk takes nothing for a few seconds it gives up, and the error
// and Status say how many frames were lost. Opened, it stops the indexing.
// Close never hangs, and a second Close does nothing.
func (r *Recording) Close() error {
	r.mu.Lock()
	if r.closed || r.closing {
		r.mu.Unlock()
		return nil
	}
	r.closing = true
	r.mu.Unlock()
	close(r.stop)
	if r.live {
		return r.closeLive()
	}
	return r.closeOpened()
}

// closeFile closes the recording's own file, and removes a spool that could
// not be unlinked before.
func (r *Recording) closeFile() error {
	if r.file == nil {
		return nil
	}
	err := r.file.Close()
	if r.remove != "" {
		_ = os.Remove(r.remove)
	}
	return err
}
