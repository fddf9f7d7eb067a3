package conform

import (
	"slices"
	"time"
)

// pending is a finding that something on its way may still explain.
type pending struct {
	conn  *conn
	until time.Duration // by the frames' time
	// drop reports whether it is explained by now, as far as can be told.
	drop func() bool
	tell func()
}

// maxPending is how many findings wait at once. What comes beyond is told, or
// dropped, as things stand.
const maxPending = 4096

// later lets a finding wait. What waits longer comes later.
func (j *Judge) later(p pending) {
	if len(j.pending) >= maxPending {
		p.decide()
		return
	}
	j.pending = append(j.pending, p)
}

func (p *pending) decide() {
	if !p.drop() {
		p.tell()
	}
}

// settlePending decides what has waited long enough; all, at the end.
func (j *Judge) settlePending(all bool) {
	view, n := j.view, 0
	for ; n < len(j.pending) && (all || j.now >= j.pending[n].until); n++ {
		j.view = j.state.View(j.pending[n].conn.n)
		j.pending[n].decide()
	}
	j.pending, j.view = slices.Delete(j.pending, 0, n), view
}

// closePending ends the waiting for a connection that is closed. Where the
// host closed it, nothing more could come; where the link broke, nobody knows
// what was on its way.
func (j *Judge) closePending(c *conn, inOrder bool) {
	j.pending = slices.DeleteFunc(j.pending, func(p pending) bool {
		if p.conn == c && inOrder {
			p.decide()
		}
		return p.conn == c
	})
}
