package board

import "github.com/mcpl-tui/mcpl-tui/timeline"

// rowCache holds the rows that were in sight lately. Rows never change,
// except that one which was held takes effect later; to read one again the
// log reduces frames from a keyframe on, which is too dear for each drawing.
type rowCache struct {
	src    source
	chunks [cacheChunks]chunk
	tick   int
}

const (
	chunkRows   = 64
	cacheChunks = 6 // a screen of 200 rows, and what the tools' flags look back at
)

type chunk struct {
	n     int // the chunk begins at row n × chunkRows
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

// row returns row n of count rows, or nil where it cannot be read.
func (rc *rowCache) row(src source, newest *timeline.Board, n, count int) *timeline.Row {
	if src == nil || n < 0 || n >= count {
		return nil
	}
	if rc.src != src {
		*rc = rowCache{src: src}
	}
	rc.tick++
	ch := rc.chunk(n / chunkRows)
	ch.used = rc.tick
	if held := heldNow(newest); ch.holds && ch.held != held {
		ch.rows, ch.holds = nil, false
	}
	if i := n % chunkRows; i < len(ch.rows) {
		return &ch.rows[i]
	}
	from := ch.n*chunkRows + len(ch.rows)
	more, err := src.Rows(from, min((ch.n+1)*chunkRows, count))
	if err != nil {
		return nil
	}
	ch.rows = append(ch.rows, more...)
	ch.held = heldNow(newest)
	for i := range more {
		ch.holds = ch.holds || more[i].Taken < 0 && more[i].Status == timeline.Held
	}
	if i := n % chunkRows; i < len(ch.rows) {
		return &ch.rows[i]
	}
	return nil
}

// has reports whether row n is held, so that row costs nothing.
func (rc *rowCache) has(src source, n int) bool {
	for i := range rc.chunks {
		if ch := &rc.chunks[i]; rc.src == src && ch.used > 0 && ch.n == n/chunkRows {
			return n%chunkRows < len(ch.rows)
		}
	}
	return false
}

// chunk returns chunk n, an empty one in the place of the one that was least
// lately used where it is not there.
func (rc *rowCache) chunk(n int) *chunk {
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
