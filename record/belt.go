package record

import (
	"context"
	"runtime"
	"sync"
)

// belt is one goroutine that reads chunks and some that make frames of them,
// with a few chunks that go round.
type belt struct {
	p       *Pass
	free    chan *chunk
	work    chan *chunk
	inOrder chan *chunk
	stop    chan struct{}
	all     sync.WaitGroup
}

func newBelt(p *Pass, ahead func() Ahead) *belt {
	workers := max(1, runtime.GOMAXPROCS(0)-1)
	chunks := workers + 9
	l := &belt{
		p: p, free: make(chan *chunk, chunks), work: make(chan *chunk, chunks), inOrder: make(chan *chunk, chunks),
		stop: make(chan struct{}),
	}
	for range chunks {
		c := &chunk{ready: make(chan struct{}, 1)}
		if ahead != nil {
			c.Ahead = ahead()
		}
		l.free <- c
	}
	l.all.Go(l.feed)
	for range workers {
		l.all.Go(l.make)
	}
	return l
}

// end waits for the goroutines; one that reads from something that cannot be
// woken is left behind.
func (l *belt) end() {
	close(l.stop)
	_ = l.p.x.src.Close()
	done := make(chan struct{})
	go func() { l.all.Wait(); close(done) }()
	waitFor(done)
}

func (l *belt) make() {
	for c := range l.work {
		l.frames(c)
	}
}

// frames makes frames of a chunk.
func (l *belt) frames(c *chunk) {
	c.read(l.p.found.format)
	if c.Ahead != nil {
		c.Ahead.Ready(c.Frames)
	}
	c.ready <- struct{}{}
}

// wait waits for a chunk to be made frames of, and makes some itself meanwhile:
// whoever takes the frames has a processor, too.
func (l *belt) wait(ctx context.Context, c *chunk) {
	for work := l.work; ; {
		select {
		case <-c.ready:
			return
		default:
		}
		select {
		case <-c.ready:
			return
		case <-ctx.Done():
			return
		case w, more := <-work:
			if !more {
				work = nil
				continue
			}
			l.frames(w)
		}
	}
}

// feed cuts the source into chunks.
func (l *belt) feed() {
	defer close(l.work)
	defer close(l.inOrder)
	x := l.p.x
	if x.src.unpack != nil {
		defer x.src.unpack()
	}
	rest := x.buf[x.from:x.to] // what was read already
	for {
		var c *chunk
		select {
		case c = <-l.free:
		case <-l.stop:
			return
		}
		var more bool
		rest, more = c.fill(x, rest)
		l.work <- c
		l.inOrder <- c
		if !more {
			x.buf = nil
			return
		}
	}
}
