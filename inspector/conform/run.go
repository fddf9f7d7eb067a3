package conform

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// Run reduces and judges frames: a State and the Judge beside it. It is for
// one goroutine.
type Run struct {
	State *timeline.State
	Judge *Judge
}

// NewRun returns a run that has seen nothing yet.
func NewRun(opt Options) *Run {
	return &Run{State: timeline.NewState(), Judge: New(opt)}
}

// Frame reduces and judges the next frame. The effects are valid until the
// next one.
func (r *Run) Frame(f wire.Frame) *timeline.Effects {
	r.Judge.Before(f, r.State)
	e := r.State.Apply(f)
	r.Judge.After(r.State, e)
	return e
}

// FrameAhead is Frame for one that was read ahead, in slot i.
func (r *Run) FrameAhead(f wire.Frame, a *Ahead, i int) *timeline.Effects {
	r.Judge.before(f, r.State, a.treeOf(i, &f))
	e := r.State.ApplyRead(f, a.Of(i, &f))
	r.Judge.After(r.State, e)
	return e
}

// End says that no frame follows.
func (r *Run) End() { r.Judge.End() }

// Findings returns what was found so far.
func (r *Run) Findings() []Finding { return r.Judge.Findings() }

// Findings returns what was found so far: by the first frame that shows it,
// then in the order of the rules.
func (j *Judge) Findings() []Finding {
	all := j.store.sorted(j.isWhole())
	out := make([]Finding, len(all))
	for i, e := range all {
		out[i] = e.f
		out[i].Message = e.text()
	}
	return out
}

// Marks returns the frames that show findings, repeats as well, in order. Of
// very many it returns the first ones.
func (j *Judge) Marks() []Mark {
	all := j.store.sorted(j.isWhole())
	place := make(map[*kept]int, len(all))
	for i, e := range all {
		place[e] = i
	}
	return j.store.marked(place)
}

// ToolHints reports whether both sides have agreed on toolHints, on any
// connection so far.
func (j *Judge) ToolHints() bool { return j.session.hinted }

// isWhole reports whether all frames of the session are there, up to its end.
func (j *Judge) isWhole() bool { return j.opt.Skipped == 0 && !j.lost }

// NotWhole says, while a recording is read, how many lines of it could not
// be, and whether it ends in the middle of one. What follows from frames that
// are missing is then taken back.
func (j *Judge) NotWhole(skipped int, cut bool) {
	if (j.opt.Skipped == 0) != (skipped == 0) {
		j.store.version++
	}
	j.opt.Skipped, j.opt.Cut = skipped, cut
}

// Waits reports whether a finding waits for what might explain it, so that
// Tick may tell of it before another frame does.
func (j *Judge) Waits() bool { return len(j.pending) > 0 }

// Tick says what time it is, on the clock of the frames, while none comes. A
// finding that has waited for what might explain it does not wait longer. It
// is the same finding as the next frame would have brought.
func (j *Judge) Tick(now time.Duration) {
	if len(j.pending) > 0 && now > j.now && j.state != nil {
		j.now = now
		j.settlePending(false)
	}
}

// End says that no frame follows. What still waits for what might explain it
// is told; but not at a cut end, where that may have been lost.
func (j *Judge) End() {
	if j.opt.Cut || j.state == nil {
		j.pending = nil
		return
	}
	j.settlePending(true)
	for _, n := range slices.Sorted(maps.Keys(j.conns)) {
		j.view = j.state.View(n)
		j.firstList(j.conns[n], nil)
	}
}

// Review judges the frames of a recording, live or opened, which others read
// meanwhile. It is safe for use by several goroutines.
type Review struct {
	mu    sync.Mutex
	src   timeline.Frames
	run   *Run
	next  int
	ended bool
}

// Over returns a review that has judged nothing yet. Advance goes on.
func Over(frames timeline.Frames, opt Options) *Review {
	return &Review{src: frames, run: NewRun(opt)}
}

// Advance judges up to most further frames that can be read, and returns how
// many it did; 0 means that it has caught up.
func (r *Review) Advance(most int) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for n := 0; n < most; n++ {
		if r.next >= r.src.Len() {
			return n, nil
		}
		f, err := r.src.Frame(r.next)
		if err != nil {
			return n, fmt.Errorf("read frame at position %d: %w", r.next, err)
		}
		r.run.Frame(f)
		r.next++
	}
	return most, nil
}

// Len returns how many frames have been judged.
func (r *Review) Len() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.next
}

// Waits is Judge.Waits.
func (r *Review) Waits() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.run.Judge.Waits()
}

// Version rises whenever Findings or Marks would return something else.
func (r *Review) Version() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.run.Judge.store.version
}

// Findings is Judge.Findings.
func (r *Review) Findings() []Finding {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.run.Findings()
}

// Marks is Judge.Marks.
func (r *Review) Marks() []Mark {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.run.Judge.Marks()
}

// Head is Judge.Head.
func (r *Review) Head() Head {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.run.Judge.Head()
}

// NotWhole is Judge.NotWhole.
func (r *Review) NotWhole(skipped int, cut bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.run.Judge.NotWhole(skipped, cut)
}

// Tick is Judge.Tick.
func (r *Review) Tick(now time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.run.Judge.Tick(now)
}

// End is Judge.End. A second call does nothing.
func (r *Review) End() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.ended {
		r.ended = true
		r.run.End()
	}
}
