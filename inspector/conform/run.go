package conform

import (
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
	frame wire.Frame // the last one
}

// NewRun returns a run that has seen nothing yet.
func NewRun(opt Options) *Run {
	return &Run{State: timeline.NewState(), Judge: New(opt)}
}

// Frame reduces and judges the next frame. The effects are valid until the
// next one.
func (r *Run) Frame(f wire.Frame) *timeline.Effects {
	r.frame = f
	read := r.Judge.Before(&r.frame, r.State)
	e := r.State.ApplyRead(&r.frame, read)
	r.Judge.After(r.State, e)
	return e
}

// FrameAhead is Frame for one that was read ahead, in slot i.
func (r *Run) FrameAhead(f *wire.Frame, a *Ahead, i int) *timeline.Effects {
	j := r.Judge
	j.before(f, r.State, a.treeOf(i, f))
	j.ahead = a.Of(i, f)
	e := r.State.ApplyRead(f, j.ahead)
	j.After(r.State, e)
	j.tree = &j.own.tree // the other is read into again
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

// InPart returns how many frames were judged in part: they have more values
// than a wire.Tree holds.
func (j *Judge) InPart() int { return j.parts }

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
		j.firstList(j.conns[n], j.conns[n].first)
	}
}

// Review judges the frames of a log as they are reduced: it is the log's
// timeline.Witness. It is safe for use by several goroutines.
type Review struct {
	log   *timeline.Log
	mu    sync.Mutex // taken under the log's own lock, never the other way
	judge *Judge
	ended bool
}

var _ timeline.Witness = (*Review)(nil)

// Attend lets a new review look on in a log that has reduced nothing yet.
func Attend(log *timeline.Log, opt Options) *Review {
	r := &Review{log: log, judge: New(opt)}
	log.Attend(r)
	return r
}

// Of returns the review that looks on in a log, nil: none does.
func Of(log *timeline.Log) *Review {
	r, _ := log.Witness().(*Review)
	return r
}

// Before implements timeline.Witness.
func (r *Review) Before(f *wire.Frame, s *timeline.State) *timeline.Reading {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.judge.Before(f, s)
}

// After implements timeline.Witness.
func (r *Review) After(s *timeline.State, e *timeline.Effects) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.judge.After(s, e)
}

// Len returns how many frames have been judged.
func (r *Review) Len() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.judge.next
}

// InPart is Judge.InPart.
func (r *Review) InPart() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.judge.InPart()
}

// Waits is Judge.Waits.
func (r *Review) Waits() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.judge.Waits()
}

// Version rises whenever Findings or Marks would return something else.
func (r *Review) Version() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.judge.store.version
}

// Findings is Judge.Findings.
func (r *Review) Findings() []Finding {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.judge.Findings()
}

// Marks is Judge.Marks.
func (r *Review) Marks() []Mark {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.judge.Marks()
}

// NotWhole is Judge.NotWhole.
func (r *Review) NotWhole(skipped int, cut bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.judge.NotWhole(skipped, cut)
}

// Tick is Judge.Tick.
func (r *Review) Tick(now time.Duration) { r.still(func() { r.judge.Tick(now) }) }

// End is Judge.End. A second call does nothing.
func (r *Review) End() {
	r.still(func() {
		if !r.ended {
			r.ended = true
			r.judge.End()
		}
	})
}

// still does something for which the judge looks at the log's state.
func (r *Review) still(do func()) {
	r.log.Still(func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		do()
	})
}
