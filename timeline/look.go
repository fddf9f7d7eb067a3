package timeline

import (
	"sync"
	"sync/atomic"
	"time"
)

// lookMost is how long a log waits for who looks at it. Nobody means to look
// that long; the log goes on all the same, so that nothing ever hangs on it.
const lookMost = 50 * time.Millisecond

// looks are those who look at a log, while it stands still.
type looks struct {
	mu   sync.Mutex
	n    int                           // how many do
	over atomic.Pointer[chan struct{}] // closed when none does any more, nil: none does
	past atomic.Pointer[chan struct{}] // that was waited for long enough
}

// Look lets the log stand still, for lookMost at the most, until the function
// that it returns is called. A drawing asks a log thousands of things. While
// frames are reduced at full speed, it would wait its turn for each of them;
// so it waits once.
func (l *Log) Look() (done func()) {
	k := &l.looks
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.n++; k.n == 1 {
		over := make(chan struct{})
		k.over.Store(&over)
	}
	return sync.OnceFunc(func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		if k.n--; k.n == 0 {
			close(*k.over.Swap(nil))
		}
	})
}

// wait lets those who look end. It is for who reduces the next frame.
func (k *looks) wait() {
	over := k.over.Load()
	if over == nil || over == k.past.Load() {
		return
	}
	t := time.NewTimer(lookMost)
	defer t.Stop()
	select {
	case <-*over:
	case <-t.C:
		k.past.Store(over)
	}
}
