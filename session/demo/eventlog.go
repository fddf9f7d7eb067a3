package demo

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Bounds of an event log. What was read is kept for a client that comes back
// and names the last event that it has.
const (
	keepEvents  = 1000
	keepBytes   = 1 << 20
	retryMillis = 1000 // how soon a client whose stream broke comes back
)

// eventLog is one stream of a session of Streamable HTTP: what was said on it,
// each with a number, and who reads it. It outlives its readers.
type eventLog struct {
	name  string
	asked int  // requests of the POST that it answers
	batch bool // they came as a batch

	mu     sync.Mutex
	list   [][]byte // the last events
	bytes  int      // of list
	next   int      // number of the next event; that of list[0] is next-len(list)
	read   int      // events up to this number were given to a reader
	reader int      // who reads: a newer one takes over
	open   int      // answers still to come; -1: it never ends by itself
	over   bool
	more   chan struct{} // closed when something changes
}

func newEventLog(name string, open int) *eventLog {
	return &eventLog{name: name, open: open, more: make(chan struct{})}
}

// first is the number of the first event that is kept.
func (l *eventLog) first() int { return l.next - len(l.list) }

// add keeps a message. answer says that it is one of those that are awaited.
// It returns false where more waits to be read than a client may leave.
func (l *eventLog) add(msg []byte, answer bool) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = append(l.list, msg)
	l.bytes += len(msg)
	l.next++
	if answer && l.open > 0 {
		l.open--
	}
	waiting := 0
	for i := max(l.read-l.first(), 0); i < len(l.list); i++ {
		waiting += len(l.list[i])
		if waiting > hardBytes {
			break
		}
	}
	for l.first() < l.read && (len(l.list) > keepEvents || l.bytes > keepBytes) {
		l.shift()
	}
	l.changed()
	return waiting <= hardBytes
}

// shift forgets the oldest event.
func (l *eventLog) shift() {
	l.bytes -= len(l.list[0])
	l.list[0] = nil
	l.list = l.list[1:]
}

// forget drops what nobody has read, where nobody ever reads.
func (l *eventLog) forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.list) > 0 && l.bytes > keepBytes {
		l.shift()
	}
	l.read = max(l.read, l.first())
}

func (l *eventLog) changed() {
	close(l.more)
	l.more = make(chan struct{})
}

// end says that nothing more comes.
func (l *eventLog) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.over = true
	l.changed()
}

// all returns the events so far, and whether all answers are among them.
func (l *eventLog) all() (msgs [][]byte, complete bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([][]byte(nil), l.list...), l.open == 0
}

// await waits until all answers are there, or nothing more comes.
func (l *eventLog) await(ctx context.Context) {
	for {
		l.mu.Lock()
		done, more := l.open == 0 || l.over, l.more
		l.mu.Unlock()
		if done {
			return
		}
		select {
		case <-more:
		case <-ctx.Done():
			return
		}
	}
}

// wasRead reports whether the stream ever had a reader.
func (l *eventLog) wasRead() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.reader > 0
}

// complete reports whether all answers are there.
func (l *eventLog) complete() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.open == 0
}

// lastAwaited reports whether one answer is awaited, and no more.
func (l *eventLog) lastAwaited() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.open == 1
}

// giveUp says that an answer will not come, and reports whether it was the
// last one that was awaited.
func (l *eventLog) giveUp() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open = max(l.open-1, 0)
	l.changed()
	return l.open == 0
}

// take makes the caller the reader, from the event after last on; a negative
// last is where the reader before it stopped.
func (l *eventLog) take(last int) (reader, from int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reader++
	from = l.read
	if last >= 0 {
		from = min(max(last, l.first()), l.next)
	}
	l.changed()
	return l.reader, from
}

// batch is how many events a reader takes at once.
const batch = 64

// after returns events after a number, and the number that the first of them
// comes after: a later one where those in between are kept no more. done says
// that nothing follows them, or that another reader took over.
func (l *eventLog) after(reader, from int) (at int, msgs [][]byte, more <-chan struct{}, done bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if reader != l.reader {
		return from, nil, nil, true
	}
	from = max(from, l.first())
	rest := l.list[from-l.first():]
	msgs = append(msgs, rest[:min(len(rest), batch)]...)
	return from, msgs, l.more, len(msgs) == len(rest) && (l.open == 0 || l.over)
}

// gave notes that a reader was given the events up to a number.
func (l *eventLog) gave(reader, n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if reader == l.reader {
		l.read = max(l.read, n)
	}
}

// serve writes events to a reader until the stream ends, the reader is gone
// or another one takes over. prime says that the client takes an event without
// data, which tells it at once where it would resume.
func (l *eventLog) serve(ctx context.Context, e events, last int, prime bool) {
	reader, from := l.take(last)
	head := fmt.Sprintf("retry: %d\n\n", retryMillis)
	if prime {
		head = fmt.Sprintf("id: %s\nretry: %d\ndata:\n\n", l.id(from), retryMillis)
	}
	if e.write(head) != nil {
		return
	}
	idle := time.NewTicker(keepAlive)
	defer idle.Stop()
	for {
		at, msgs, more, done := l.after(reader, from)
		from = at
		for _, msg := range msgs {
			if e.write("id: "+l.id(from+1)+"\nevent: message\ndata: "+string(msg)+"\n\n") != nil {
				return
			}
			from++
			l.gave(reader, from)
		}
		switch {
		case done:
			return
		case len(msgs) > 0:
			continue
		}
		select {
		case <-more:
		case <-idle.C:
			if e.write(": still here\n\n") != nil {
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

// id is the id of the event with a number: where a client resumes.
func (l *eventLog) id(n int) string { return l.name + "-" + strconv.Itoa(n) }

// readEventID is the inverse of id.
func readEventID(id string) (name string, n int, ok bool) {
	i := strings.LastIndexByte(id, '-')
	if i < 0 {
		return "", 0, false
	}
	n, err := strconv.Atoi(id[i+1:])
	return id[:i], n, err == nil && n >= 0
}
