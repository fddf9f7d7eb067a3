// Package revs is the list of a session's revs as views show it: the rows that
// were in sight lately, and those that a filter leaves, of a log of any
// length, without a pause.
package revs

import "github.com/mcpl-tui/mcpl-tui/timeline"

// Source is what is asked of a log: the rows in sight, and the index entry of
// a frame.
type Source interface {
	Rows(from, to int) ([]timeline.Row, error)
	Entry(i int) timeline.Entry
}

// Cache holds the rows that were in sight lately. Rows never change,
// except that one which was held takes effect later; to read one again the
// log reduces frames from a keyframe on, which is too dear for each drawing.
type Cache struct {
	src    Source
	chunks [cacheChunks]chunk
	tick   int
}

// ChunkRows is how many rows are read together.
const ChunkRows = 64

const (
	cacheChunks = 6 // a screen of 200 rows, and what the tools' flags look back at
)

type chunk struct {
	n     int // the chunk begins at row n × ChunkRows
	rows  []timeline.Row
	holds bool    // a row of it waited for earlier revs when it was read
	held  heldKey // what waited at that time
	used  int
}

// heldKey tells whether what is held changed since.
type heldKey struct {
	conn        int
	n           int
	first, last int64
}

func heldNow(b *timeline.Board) heldKey {
	if b == nil {
		return heldKey{}
	}
	k := heldKey{conn: b.Conn, n: len(b.Held)}
	if k.n > 0 {
		k.first, k.last = b.Held[0], b.Held[k.n-1]
	}
	return k
}

// Row returns row n of count rows, or nil where it cannot be read.
func (rc *Cache) Row(src Source, newest *timeline.Board, n, count int) *timeline.Row {
	if src == nil || n < 0 || n >= count {
		return nil
	}
	if rc.src != src {
		*rc = Cache{src: src}
	}
	rc.tick++
	ch := rc.chunk(n / ChunkRows)
	ch.used = rc.tick
	if held := heldNow(newest); ch.holds && ch.held != held {
		ch.rows, ch.holds = nil, false
	}
	if i := n % ChunkRows; i < len(ch.rows) {
		return &ch.rows[i]
	}
	from := ch.n*ChunkRows + len(ch.rows)
	more, err := src.Rows(from, min((ch.n+1)*ChunkRows, count))
	if err != nil {
		return nil
	}
	ch.rows = append(ch.rows, more...)
	ch.held = heldNow(newest)
	for i := range more {
		ch.holds = ch.holds || more[i].Taken < 0 && more[i].Status == timeline.Held
	}
	if i := n % ChunkRows; i < len(ch.rows) {
		return &ch.rows[i]
	}
	return nil
}

// Has reports whether row n is held, so that row costs nothing.
func (rc *Cache) Has(src Source, n int) bool {
	for i := range rc.chunks {
		if ch := &rc.chunks[i]; rc.src == src && ch.used > 0 && ch.n == n/ChunkRows {
			return n%ChunkRows < len(ch.rows)
		}
	}
	return false
}

// chunk returns chunk n, an empty one in the place of the one that was least
// lately used where it is not there.
func (rc *Cache) chunk(n int) *chunk {
	old := &rc.chunks[0]
	for i := range rc.chunks {
		ch := &rc.chunks[i]
		if ch.n == n && ch.used > 0 {
			return ch
		}
		if ch.used < old.used {
			old = ch
		}
	}
	*old = chunk{n: n}
	return old
}
