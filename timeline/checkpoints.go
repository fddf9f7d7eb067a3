package timeline

import (
	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// The bounds on what is told of states.
const (
	maxStateDeals  = 1000
	maxStateSets   = 200
	maxCheckpoints = 1000
	maxHookDeals   = 100
)

// FeatureState is the state of a feature set: its checkpoints as a tree, and
// the data that they add up to (MCPL draft §8).
type FeatureState struct {
	FeatureSet  string // "" where no message names it
	Checkpoints []Checkpoint
	Current     string // the checkpoint that holds now
	Data        []byte // the state at it, nil where the server keeps it to itself
	Error       string // why Data is not what the server thinks: a patch that does not apply
	ErrAt       int
	// Earlier tells that there were more dealings than are told of: checkpoints
	// may be missing, and states that earlier ones made.
	Earlier bool
}

// Checkpoint is a state that a server can be taken back to.
type Checkpoint struct {
	ID, Parent string
	Index      int    // position of the frame that brought it
	By         string // the method that brought it
	Whole      bool   // the state itself came along
	Patch      int    // or a patch of so many operations; 0 and not Whole: neither
	Rolled     int    // position of the last answer that took the state back to it, -1: none
	Refused    string // why the last try to do so failed, "" where it did not

	data []byte
}

// StatesAt tells of the states of a connection at position upTo, in the order
// in which they came up.
func (l *Log) StatesAt(conn, upTo int) []FeatureState {
	deals, earlier := l.Dealings(OnState, conn, upTo, maxStateDeals)
	t := stateTable{earlier: earlier > 0}
	for i := range deals {
		d := &deals[i]
		switch {
		case d.Of < 0:
		case d.Frame.Dir == Out:
			// What this host refused it did not keep.
			if d.Asked.Method == mcpl.MethodStateUpdate && d.failed() == "" {
				t.bring(wire.StringOf(wire.Member(d.Asked.Params, "featureSet")), d.Asked.Params, d)
			}
		case d.Asked.Method == mcpl.MethodStateRollback:
			t.rolled(d)
		default:
			state := wire.Member(d.Head.Result, "state")
			set := wire.StringOf(wire.Member(state, "featureSet"))
			if set == "" {
				set = wire.StringOf(wire.Member(d.Head.Result, "featureSet"))
			}
			t.bring(set, state, d)
		}
	}
	return t.sets
}

type stateTable struct {
	sets []FeatureState
	work int // bytes of the states that patches made

	earlier bool // more came before what is told
}

// mostStateWork is how many bytes of states are made to tell of them.
const mostStateWork = 32 << 20

func (t *stateTable) of(set string) *FeatureState {
	for i := range t.sets {
		if t.sets[i].FeatureSet == set {
			return &t.sets[i]
		}
	}
	if len(t.sets) >= maxStateSets {
		return nil
	}
	t.sets = append(t.sets, FeatureState{FeatureSet: set, ErrAt: -1, Earlier: t.earlier})
	return &t.sets[len(t.sets)-1]
}

// lineage returns the state that has a checkpoint: a result that names no
// feature set belongs to where its parent is.
func (t *stateTable) lineage(checkpoint string) *FeatureState {
	for i := range t.sets {
		if checkpoint != "" && t.sets[i].find(checkpoint) != nil {
			return &t.sets[i]
		}
	}
	return nil
}

// find returns a checkpoint by its id, nil for none.
func (s *FeatureState) find(id string) *Checkpoint {
	for i := len(s.Checkpoints) - 1; i >= 0; i-- {
		if s.Checkpoints[i].ID == id {
			return &s.Checkpoints[i]
		}
	}
	return nil
}

// bring takes a checkpoint with the state or the patch that came along.
func (t *stateTable) bring(set string, raw []byte, d *Dealing) {
	parent := wire.StringOf(wire.Member(raw, "parent"))
	var s *FeatureState
	if set == "" {
		s = t.lineage(parent)
	}
	if s == nil {
		s = t.of(set)
	}
	if s == nil || raw == nil {
		return
	}
	if parent == "" && wire.Member(raw, "parent") == nil {
		parent = s.Current // state/update names none: it goes on from here
	}
	at := d.Index
	if d.Frame.Dir == Out {
		at = d.Of // the server's own message
	}
	c := Checkpoint{ID: wire.StringOf(wire.Member(raw, "checkpoint")), Parent: parent, Index: at, By: d.Method(), Rolled: -1}
	before := s.Data
	if p := s.find(parent); p != nil {
		before = p.data
	} else if t.earlier && parent != s.Current {
		before = nil // it came before what is told
	}
	t.hold(s, &c, before, raw)
	s.Current, s.Data = c.ID, c.data
	if known := s.find(c.ID); known != nil {
		*known = c
	} else if len(s.Checkpoints) < maxCheckpoints {
		s.Checkpoints = append(s.Checkpoints, c)
	}
}

// hold computes the state at a checkpoint.
func (t *stateTable) hold(s *FeatureState, c *Checkpoint, before, raw []byte) {
	data, patch := wire.Member(raw, "data"), wire.Member(raw, "patch")
	switch {
	case data != nil:
		c.Whole, c.data = true, data
		s.Error = ""
	case patch != nil:
		c.Patch = elements(patch)
		if before == nil && t.earlier {
			return // it may well apply to a state that came before
		}
		if t.work += len(before) + len(patch); t.work > mostStateWork {
			s.Error, s.ErrAt = "the states are too large to be followed here", c.Index
			return
		}
		next, err := mcpl.Patch(before, patch)
		if err != nil {
			s.Error, s.ErrAt = err.Error(), c.Index
			c.data = before
			return
		}
		c.data = next
		s.Error = ""
	}
}

// rolled takes the answer to state/rollback.
func (t *stateTable) rolled(d *Dealing) {
	id := wire.StringOf(wire.Member(d.Asked.Params, "checkpoint"))
	s := t.lineage(id)
	if s == nil {
		if s = t.of(wire.StringOf(wire.Member(d.Asked.Params, "featureSet"))); s == nil {
			return
		}
	}
	c := s.find(id)
	if c == nil {
		s.Checkpoints = append(s.Checkpoints, Checkpoint{ID: id, Index: d.Index, By: d.Asked.Method, Rolled: -1})
		c = &s.Checkpoints[len(s.Checkpoints)-1]
	}
	switch failed := d.failed(); {
	case failed != "":
		c.Refused = failed
	case string(wire.Member(d.Head.Result, "success")) == "false":
		if c.Refused = wire.StringOf(wire.Member(d.Head.Result, "reason")); c.Refused == "" {
			c.Refused = "it did not succeed"
		}
	default:
		c.Refused, c.Rolled = "", d.Index
		s.Current, s.Data = c.ID, c.data
	}
}

// HooksAt returns what was told and asked on the hooks of a connection up to
// position upTo, oldest first, and how many came before.
func (l *Log) HooksAt(conn, upTo int) (out []Dealing, earlier int) {
	return l.Dealings(OnHooks, conn, upTo, maxHookDeals)
}
