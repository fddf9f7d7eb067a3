package session

import (
	"bytes"
	"strconv"
	"sync"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

const (
	maxNews   = 256      // requests of the server that are remembered
	maxParams = 16 << 10 // bytes of params that are remembered of each
)

// news remembers which requests of the server came lately, for the commands
// that wait for one.
type news struct {
	mu      sync.Mutex
	recent  []happened
	since   [2]int64      // what each kind of wait has seen already
	changed chan struct{} // closed and made anew when something came
}

// The kinds of wait.
const (
	newsPush = iota
	newsRequest
)

// happened is one request of the server.
type happened struct {
	seq    int64
	kind   int
	result []byte // what a wait for it gives
}

func (n *news) init() { n.changed = make(chan struct{}) }

// add remembers a request that has just come.
func (n *news) add(h wire.Head, seq int64) {
	kind := newsRequest
	switch h.Method {
	case mcpl.MethodPush:
		kind = newsPush
	case mcpl.MethodPing:
		return
	}
	n.mu.Lock()
	if len(n.recent) == maxNews {
		n.recent = append(n.recent[:0], n.recent[maxNews/2:]...)
	}
	n.recent = append(n.recent, happened{seq: seq, kind: kind, result: describe(h.ID, h.Method, h.Params, seq)})
	n.mu.Unlock()
	n.tell()
}

// describe is how a wait reports a request of the server.
func describe(id wire.ID, method string, params []byte, seq int64) []byte {
	if len(params) > maxParams {
		params = nil
	}
	return obj(member{"seq", strconv.AppendInt(nil, seq, 10)}, member{"id", bytes.Clone([]byte(id))},
		member{"method", encode(method)}, member{"params", params})
}

// tell wakes everybody who waits.
func (n *news) tell() {
	n.mu.Lock()
	defer n.mu.Unlock()
	close(n.changed)
	n.changed = make(chan struct{})
}

// next returns the first request of a kind that no wait has seen, and what
// to wait for where there is none.
func (n *news) next(kind int) (*happened, <-chan struct{}) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for i := range n.recent {
		if h := n.recent[i]; h.kind == kind && h.seq > n.since[kind] {
			n.since[kind] = h.seq
			return &h, nil
		}
	}
	return nil, n.changed
}

// from lets the next waits look only at what comes after frame seq.
func (n *news) from(seq int64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for i := range n.since {
		n.since[i] = max(n.since[i], seq)
	}
}
