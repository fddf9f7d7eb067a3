package timeline

import (
	"errors"
	"fmt"
	"sort"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// costs is the part of the log from which what a model has and is told can be
// said at any frame, without reading one again: 20 bytes a rev at most, and
// some more for each list that changes the head.
type costs struct {
	meter   *HeadMeter
	teller  teller
	heads   []headPoint
	changes []int32     // the points at which the head changed
	without list[int32] // frames of the rows that would have changed it
	told    list[toldPoint]
}

// headPoint is the head after a frame.
type headPoint struct {
	index     int32
	tools     int32
	tokens    int32
	rebuilds  int32
	withHints int32
	without   int32 // counted up to it, without those of its own frame
	lists     int32 // counted up to it that no rev brought about
	// cost is the tokens of the heads up to there that would have been built
	// anew.
	cost int64
}

// toldPoint is an announcement that says something: its frame, and the tokens
// of all up to it.
type toldPoint struct {
	index int32
	sum   int64
}

// add takes in a frame. It has to be called before the lanes know of it.
func (c *costs) add(i int, f wire.Frame, s *State, e *Effects, ls *lanes) {
	for k := range e.Settled {
		c.teller.tell(ls, i, &e.Settled[k])
		if n := len(c.teller.buf); n > 0 {
			var sum int64
			if k := c.told.len(); k > 0 {
				sum = c.told.at(k - 1).sum
			}
			c.told.add(toldPoint{int32(i), sum + int64(Tokens(n))})
		}
	}
	was, conn := c.meter.cost, c.meter.conn
	changed := c.meter.After(i, &f, s, e) != nil
	now := &c.meter.cost
	for range now.WithoutHints - was.WithoutHints {
		c.without.add(int32(i))
	}
	if !changed && conn == c.meter.conn && now.Tools == was.Tools && now.Tokens == was.Tokens {
		return
	}
	p := headPoint{
		index: int32(i), tools: int32(now.Tools), tokens: int32(now.Tokens), rebuilds: int32(now.Rebuilds),
		withHints: int32(now.WithHints), without: int32(was.WithoutHints), lists: int32(c.meter.lists),
	}
	if n := len(c.heads); n > 0 {
		p.cost = c.heads[n-1].costAt(was.WithoutHints)
	}
	if changed {
		c.changes = append(c.changes, int32(len(c.heads)))
	}
	c.heads = append(c.heads, p)
}

// costAt returns the tokens up to a count that follows the point.
func (p *headPoint) costAt(without int) int64 {
	return p.cost + int64(without-int(p.without))*int64(p.tokens)
}

// Cost is what a model has and is told, up to a frame.
type Cost struct {
	HeadCost
	// WithoutTokens is what the heads would have cost that WithoutHints
	// counts, each at its size then: the least, since all that follows a head
	// in the prompt is read anew as well.
	WithoutTokens int
	Since         int // the frame from which on the head has been the same, -1: no list yet
	Revs          int // of WithoutHints: the revs that changed something
	Told          int // announcements that said something
	ToldTokens    int // and their tokens
}

// CostAt returns what a model has, and was told, right after the frame at
// position i.
func (l *Log) CostAt(i int) Cost {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := &l.costs
	out := Cost{Since: -1}
	out.WithoutHints = c.without.search(func(frame *int32) bool { return int(*frame) > i })
	out.Told = c.told.search(func(p *toldPoint) bool { return int(p.index) > i })
	if out.Told > 0 {
		out.ToldTokens = int(c.told.at(out.Told - 1).sum)
	}
	out.Revs = out.WithoutHints
	n := sort.Search(len(c.heads), func(n int) bool { return int(c.heads[n].index) > i }) - 1
	if n < 0 {
		return out
	}
	p := &c.heads[n]
	out.Tools, out.Tokens, out.Rebuilds, out.WithHints = int(p.tools), int(p.tokens), int(p.rebuilds), int(p.withHints)
	out.Revs -= int(p.lists)
	out.WithoutTokens, out.Since = int(p.costAt(out.WithoutHints)), int(p.index)
	return out
}

// HeadChange returns change n of the head, counted from 0 in the order of the
// frames; those below the Rebuilds of a Cost are the ones up to there. It
// reads the frame again that brought it about.
func (l *Log) HeadChange(n int) (HeadChange, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n < 0 || n >= len(l.costs.changes) {
		return HeadChange{}, fmt.Errorf("change %d of the head: %w", n, ErrNoChange)
	}
	return l.headChange(&l.costs.heads[l.costs.changes[n]])
}

// ErrNoChange is returned for a change of the head that there is not.
var ErrNoChange = errors.New("there is none")

func (l *Log) headChange(p *headPoint) (HeadChange, error) {
	i := int(p.index)
	s, err := l.at(i)
	if err != nil {
		return HeadChange{}, err
	}
	f, err := l.src.Frame(i)
	if err != nil {
		return HeadChange{}, fmt.Errorf("read frame at position %d: %w", i, err)
	}
	var was []headTool
	if c := s.conns[f.Conn]; c != nil {
		was = c.head(nil, nil)
	}
	e := s.Apply(f)
	now := s.conns[f.Conn].head(nil, was)
	ch := compareHeads(was, now)
	if ch == nil {
		return HeadChange{}, fmt.Errorf("frame at position %d, read again: change of the head: %w", i, ErrNoChange)
	}
	size := 0
	for k := range now {
		size += now[k].size
	}
	ch.Seq, ch.Index, ch.Conn, ch.Tools, ch.Tokens = f.Seq, i, f.Conn, len(now), HeadTokens(size)
	for k := range e.Settled {
		if ch.Rev == 0 && has(e.Settled[k].Changes, Moved) {
			ch.Rev = e.Settled[k].Rev
		}
	}
	return *ch, nil
}
