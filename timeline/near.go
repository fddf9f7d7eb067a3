package timeline

// A screen asks for states that lie close together, in no order: those of the
// rows in sight, at the end of a session that goes on. From the keyframes, each
// would cost up to keyEvery frames that are read and reduced again. So states
// close to what is asked for are kept as well, for a while.
const (
	nearBack  = 128     // how far before what was asked for a state is kept
	nearEvery = 512     // frames between those at the end, at the least
	nearBytes = 32      // what these may cost a frame, in memory that is let go
	nearWhile = 1 << 16 // for how many frames they are kept after a question
)

// near are the states that are kept for a while. The zero value has none.
type near struct {
	asked ring // before what was asked for
	ended ring // before what was the end, while somebody asks
	until int  // position up to which somebody does
	due   int  // position at which the next one is kept
}

// ring keeps the last states that were put into it.
type ring struct {
	kept [16]keyframe
	n    int // how many ever were
}

func (r *ring) put(k keyframe) {
	r.kept[r.n%len(r.kept)] = k
	r.n++
}

// before returns the state that stands last at or before position i, and not
// before least; no state where there is none.
func (r *ring) before(i, least int) keyframe {
	best := keyframe{at: least - 1}
	for k := range min(r.n, len(r.kept)) {
		if at := r.kept[k].at; at <= i && at > best.at {
			best = r.kept[k]
		}
	}
	return best
}

// passes keeps the state before the frame at position i, the next one to be
// reduced, if somebody may ask for one close by.
func (n *near) passes(i int, s *State) {
	if i < n.due || i >= n.until {
		return
	}
	n.ended.put(keyframe{at: i, state: s.clone()})
	n.due = i + max(nearEvery, min(s.weight()/nearBytes, keyEvery))
}

// nearest returns the state that is kept last at or before position i, and
// after position least; no state where there is none.
func (n *near) nearest(i, least int) *State {
	a := n.asked.before(i, least+1)
	return n.ended.before(i, max(a.at, least)+1).or(a).state
}

func (k keyframe) or(other keyframe) keyframe {
	if k.state != nil {
		return k
	}
	return other
}
