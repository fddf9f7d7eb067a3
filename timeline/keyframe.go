package timeline

// keyframe is the state before the frame at position at.
type keyframe struct {
	at    int
	state *State
}

// keyEvery is how many frames lie between keyframes at the least. Where a
// state is large, keyframes lie further apart, so that they cost no more than
// keyBytes a frame.
const (
	keyEvery = 2048
	keyBytes = 48
)

// keyframe keeps a copy of the state where one is due.
func (l *Log) keyframe(i int) {
	if i < max(l.due, l.every) {
		return
	}
	l.keys = append(l.keys, keyframe{at: i, state: l.state.clone()})
	l.due = i + max(l.every, l.state.weight()/keyBytes*l.every/keyEvery)
}

// weight estimates the bytes of a copy of the state.
func (s *State) weight() int {
	n := 256 * len(s.conns)
	if c := s.conns[s.current]; c != nil {
		n += 200*len(c.tools) + 250*(len(c.calls)+len(c.asks)+len(c.suggest)+len(c.ended))
		for _, set := range c.sets {
			n += 200
			for _, in := range set.instances {
				n += 150 + 150*len(in.cells)
			}
		}
	}
	return n
}
