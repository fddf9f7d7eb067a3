package timeline

import "github.com/mcpl-tui/mcpl-tui/session/wire"

// Witness looks on while a log reduces its frames, so that what else is to be
// known of them needs neither a second reading nor a second State. Its calls
// come one at a time, in the order of the frames, within Advance. What it is
// given is the log's own: it changes nothing, keeps nothing of it but the
// State, which it looks at in these calls and in Log.Still alone, and must not
// call the log.
type Witness interface {
	// Before is called with the next frame, and the state that it meets. A
	// witness that reads the message may spare the state that: it then gives
	// the frame its head, and returns what it read, else nil.
	Before(f *wire.Frame, s *State) *Reading
	// After is called with the state that the frame leaves, and what it did.
	After(s *State, e *Effects)
}

// Attend lets w look on. It must be called before the first Advance. Where two
// connections stand side by side, w sees the frames of both.
func (l *Log) Attend(w Witness) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.witness = w
}

// Witness returns who looks on, nil: nobody does.
func (l *Log) Witness() Witness {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.witness
}

// Still runs do while no frame is reduced, so that it may look at the State
// that a Witness was given. do must not call the log.
func (l *Log) Still(do func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	do()
}

// apply reduces the next frame before the eyes of the witness.
func (l *Log) apply(f wire.Frame) *Effects {
	if l.witness == nil {
		return l.state.Apply(f)
	}
	l.frame = f
	read := l.witness.Before(&l.frame, l.state)
	e := l.state.ApplyRead(&l.frame, read)
	l.witness.After(l.state, e)
	return e
}

// Behind returns how many frames there are that are not reduced yet, and why
// the next one could not be read, nil: nothing stands in the way.
func (l *Log) Behind() (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return max(l.src.Len()-l.entries.len(), 0), l.failed
}
