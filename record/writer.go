package record

import (
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

const (
	batchBytes  = 256 << 10 // written at once, about
	batchFrames = 512
	directBytes = 64 << 10 // from which size on a message is big
	// gather is how long the writer lets frames come together after a write.
	// It bounds what a killed process loses, together with the write itself.
	gather = 5 * time.Millisecond
)

// timing is how patient the writer is.
type timing struct {
	retry  time.Duration // between tries while the disk refuses
	giveUp time.Duration // how long it goes on trying after Close
	grace  time.Duration // how long Close waits for it beyond that
}

func (t timing) orUsual() timing {
	if t == (timing{}) {
		return timing{retry: time.Second, giveUp: 3 * time.Second, grace: time.Second}
	}
	return t
}

// writer is the one goroutine that writes a live recording. It knows the byte
// up to which the file is written, so that a write that was cut short goes on
// exactly there, and no torn line is ever left in the middle.
type writer struct {
	timing
	r    *Recording
	f    file
	wake chan struct{}

	off      int64    // everything before it is in the file
	buf      []byte   // encoded lines
	parts    [][]byte // what is to be written, in order: buf, and a big body
	batch    []wire.Frame
	entries  []entry
	deadline time.Time // when it gives up, once closing
}

// poke tells the writer that there is something to write. It never waits.
func (w *writer) poke() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

func (w *writer) run() {
	defer close(w.r.done)
	defer w.end()
	w.parts = [][]byte{append(w.r.header.append(nil), '\n')}
	if !w.flush() {
		return
	}
	for {
		closing := w.closing()
		for w.take() {
			done := w.flush()
			w.publish()
			if !done {
				return
			}
		}
		if closing {
			w.sync()
			return
		}
		select {
		case <-w.wake:
			w.pause()
		case <-w.r.stop:
		}
	}
}

func (w *writer) closing() bool {
	select {
	case <-w.r.stop:
		return true
	default:
		return false
	}
}

// pause lets frames come together: in a burst one write carries many.
func (w *writer) pause() {
	t := time.NewTimer(gather)
	defer t.Stop()
	select {
	case <-t.C:
	case <-w.r.stop:
	}
}

// take encodes the next frames of the queue; false if there are none. Only the
// last of them can be a big one.
func (w *writer) take() bool {
	r := w.r
	w.batch = w.batch[:0]
	r.mu.Lock()
	var size int64
	for i := r.written - r.base; i < r.tail.len(); i++ {
		f := *r.tail.at(i)
		w.batch = append(w.batch, f)
		if size += cost(f); size >= batchBytes || len(w.batch) == batchFrames || isBig(f) {
			break
		}
	}
	r.mu.Unlock()
	if cap(w.buf) > 4*batchBytes {
		w.buf = nil // a huge text went through it
	}
	w.buf, w.entries, w.parts = w.buf[:0], w.entries[:0], w.parts[:0]
	var big []byte
	for _, f := range w.batch {
		from, size := len(w.buf), 0
		if isBig(f) {
			big = f.Body
			w.buf = appendHead(w.buf, f)
			size = len(big) + len(lineEnd)
		} else {
			w.buf = appendFrame(w.buf, f)
		}
		size += len(w.buf) - from
		e := entry{off: w.off + int64(from), us: f.T.Microseconds(), size: uint32(size - 1)}
		if f.Form == wire.Msg {
			e.meta |= uint32(flagTail)
		}
		w.entries = append(w.entries, e)
	}
	w.parts = append(w.parts, w.buf)
	if big != nil {
		w.parts = append(w.parts, big, []byte(lineEnd))
	}
	return len(w.batch) > 0
}

// isBig says whether a message is written from where it is, not copied first.
func isBig(f wire.Frame) bool { return f.Form == wire.Msg && len(f.Body) >= directBytes }

// flush writes all parts. While the disk refuses it says so and tries again;
// it returns false when it gives up, which it does only after Close.
func (w *writer) flush() bool {
	for _, part := range w.parts {
		for len(part) > 0 {
			n, err := w.f.Write(part)
			w.off += int64(n)
			part = part[n:]
			w.report(err)
			if err != nil && !w.again() {
				return false
			}
		}
	}
	return true
}

// again waits until it is time to try again; false means to give up.
func (w *writer) again() bool {
	wait := w.retry
	stop := w.r.stop
	if w.closing() {
		if w.deadline.IsZero() {
			w.deadline = time.Now().Add(w.giveUp)
		}
		if !time.Now().Before(w.deadline) {
			return false
		}
		wait, stop = min(w.retry, w.giveUp/10), nil
	}
	t := time.NewTimer(wait)
	defer t.Stop()
	select {
	case <-t.C:
	case <-stop:
	}
	return true
}

// report makes the outcome of a write known.
func (w *writer) report(err error) {
	r := w.r
	r.mu.Lock()
	defer r.mu.Unlock()
	r.state.Bytes = w.off
	was := r.state.Err
	r.state.Err = nil
	if err != nil {
		r.state.Err = inWords("cannot write", err)
	}
	if (was == nil) != (err == nil) {
		r.signal()
	}
}

// publish tells where the frames of the batch are in the file now.
func (w *writer) publish() {
	r := w.r
	r.mu.Lock()
	defer r.mu.Unlock()
	whole := 0
	for i, e := range w.entries {
		if e.off+int64(e.size)+1 > w.off {
			break // it was given up
		}
		whole++
		c := cost(w.batch[i])
		r.queued -= c
		r.kept += c
	}
	r.written += whole
	clear(w.batch)
	r.evict()
	r.settle(w.entries[:whole], r.base)
	if r.waiting > 0 {
		r.room.Broadcast()
	}
	r.signal()
}

// sync asks the disk to keep what was written. A spool need not survive.
func (w *writer) sync() {
	if w.r.path == "" {
		return
	}
	if err := w.f.Sync(); err != nil {
		w.report(err)
	}
}

func (w *writer) end() {
	err := w.r.closeFile()
	w.r.mu.Lock()
	defer w.r.mu.Unlock()
	if err != nil && w.r.state.Err == nil {
		w.r.state.Err = inWords("cannot close the file", err)
	}
}
