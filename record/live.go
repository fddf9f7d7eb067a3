package record

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

const (
	maxQueue   = 256 << 20 // bytes that may wait for the disk
	keepFrames = 1024      // written frames that stay in memory, and
	keepBytes  = 4 << 20   // how many bytes of them
	frameCost  = 192       // what a frame in memory costs beside its bytes
)

// queue is the part of a live recording that is in memory: the last frames,
// and among them all that are not in the file yet.
type queue struct {
	writer  *writer
	tail    tail // from position base on
	base    int
	written int // frames that are in the file whole
	kept    int64
	queued  int64
	limit   int64
	lastT   time.Duration
	closing bool
	waiting int        // Appends that are held back
	room    *sync.Cond // there may be room again, or it is closing
}

func cost(f wire.Frame) int64 {
	return frameCost + int64(len(f.Body)+len(f.Data)+len(f.HTTP)+len(f.Via)+len(f.Name))
}

// Create starts a live recording in a new file that only its owner can read.
// Folders that are missing are made. A file that exists is never touched: it
// gives ErrExists. Secrets of h's target are masked (RedactTarget). A full
// disk is no error here: Status says so, and writing is tried until it works.
func Create(path string, h Header) (*Recording, error) {
	if ext := packedExt(path); ext != "" {
		return nil, fmt.Errorf("%s: a recording is packed after it has ended: choose a name without %s", path, ext)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("make a folder for the recording: %w", err)
	}
	f, err := createNew(path)
	if err != nil {
		return nil, err
	}
	return newLive(path, h, f, timing{}), nil
}

func createNew(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("record to %s: %w: choose another or move it away", path, ErrExists)
	}
	if err != nil {
		return nil, fmt.Errorf("create recording: %w", err)
	}
	return f, nil
}

func packedExt(path string) string {
	for _, ext := range []string{".gz", ".zst"} {
		if strings.HasSuffix(strings.ToLower(path), ext) {
			return ext
		}
	}
	return ""
}

// CreateSpool starts a live recording in a temporary file that has no name,
// for a session that is not to be recorded: its bytes are in a file all the
// same, and gone with the process.
func CreateSpool(h Header) (*Recording, error) {
	f, remove, err := spool()
	if err != nil {
		return nil, err
	}
	r := newLive("", h, f, timing{})
	r.remove = remove
	return r, nil
}

// spool makes a file that vanishes when it is closed. Where an open file
// cannot be unlinked, remove is the path to remove afterwards.
func spool() (f *os.File, remove string, err error) {
	f, err = os.CreateTemp("", "mcpl-tui-*.spool")
	if err != nil {
		return nil, "", fmt.Errorf("make a temporary file for the session: %w", err)
	}
	if os.Remove(f.Name()) != nil {
		remove = f.Name()
	}
	return f, remove, nil
}

func newLive(path string, h Header, f file, t timing) *Recording {
	r := newRecording(path, h.complete())
	r.live, r.file, r.limit = true, f, maxQueue
	r.pages = &pages{f: f}
	r.room = sync.NewCond(&r.mu)
	r.writer = &writer{r: r, f: f, wake: make(chan struct{}, 1), timing: t.orUsual()}
	go r.writer.run()
	return r
}

// Append adds a frame, whose Seq and T the tap has set. It returns at once,
// unless 256 MB wait for the disk: then it blocks until there is room, which
// holds back the server. After Close the frame is counted as lost.
func (r *Recording) Append(f wire.Frame) {
	f = tidy(f)
	c := cost(f)
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.live {
		return // an opened recording is as its file is
	}
	for r.queued > 0 && r.queued+c > r.limit && !r.closing {
		r.waiting++
		r.signal()
		r.room.Wait()
		r.waiting--
	}
	if r.closing {
		r.state.Lost++
		return
	}
	if f.Seq < 1 {
		f.Seq = int64(r.length()) + 1
	}
	f.T = max(f.T.Truncate(time.Microsecond), r.lastT)
	r.lastT = f.T
	r.tail.push(f)
	r.queued += c
	r.writer.poke()
	r.signal()
}

// evict lets go of written frames beyond those that are kept for a reader
// that follows closely. The caller holds the lock.
func (r *Recording) evict() {
	n := 0
	for r.base+n < r.written && (r.kept > keepBytes || r.written-r.base-n > keepFrames) {
		r.kept -= cost(*r.tail.at(n))
		n++
	}
	r.tail.drop(n)
	r.base += n
}

// closeLive waits for the writer, which gives up by itself after a while. If
// it does not, because the disk holds a write for good, it is left behind.
func (r *Recording) closeLive() error {
	r.mu.Lock()
	r.room.Broadcast()
	r.mu.Unlock()
	stuck := time.NewTimer(r.writer.giveUp + r.writer.grace)
	defer stuck.Stop()
	answered := true
	select {
	case <-r.done:
	case <-stuck.C:
		answered = false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	r.settle(nil, 0)
	missing := r.length() - r.written
	r.state.Lost += int64(missing)
	r.queued = 0
	if r.state.Err == nil && !answered {
		r.state.Err = errors.New("the disk does not answer")
	}
	if missing == 0 {
		return r.state.Err
	}
	name := r.path
	if name == "" {
		name = "the session's temporary file"
	}
	return fmt.Errorf("%d of %d frames could not be written to %s: %w", missing, r.length(), name, r.state.Err)
}
