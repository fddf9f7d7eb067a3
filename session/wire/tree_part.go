package wire

// Where a value has more in it than a tree keeps, it is read again, and of
// every array and object that has more than its share of values those elements
// and members are left out that go beyond it, each of them whole. A message
// keeps its own members, however long they are.

// share returns how many values an array or object may have that stands so
// deep. What is in it has much less, so that what follows that has its place.
func share(depth int) int { return maxNodes >> min(1+3*depth, 10) }

// keepPart keeps the element or member that was read last, or leaves it out.
// at is what it stands in, before the last one that was kept there; it returns
// the one that is that now. 0 stands for none.
func (r *Reader) keepPart(at, last, before int32) int32 {
	switch {
	case last == 0:
		return before
	case r.n-int(at) <= share(r.depth-1), r.depth == 1 && r.ofMessage(last):
		r.nodes[at].empty = false
		return last
	}
	r.n = int(last)
	r.nodes[before].next = 0
	r.nodes[at].empty = before == 0
	return before
}

// ofMessage reports whether a member is one that a message has.
func (r *Reader) ofMessage(at int32) bool {
	switch string(r.t.key(&r.nodes[at])) {
	case "jsonrpc", "id", "method", "params", "result", "error":
		return true
	}
	return false
}

// leaveOut takes members out of their objects whose key stands there again.
func (t *Tree) leaveOut() {
	last := map[string]Value{}
	for at := range t.nodes {
		v := Value(at)
		if t.Kind(v) != '{' {
			continue
		}
		clear(last)
		twice := false
		for m := t.First(v); m != 0; m = t.Next(m) {
			key := string(t.Key(m))
			if before, ok := last[key]; ok {
				t.nodes[before].void, twice = true, true
			}
			last[key] = m
		}
		if !twice {
			continue
		}
		kept := t.First(v)
		for m := t.Next(kept); m != 0; m = t.Next(m) {
			if !t.nodes[m].void {
				t.nodes[kept].next, kept = int32(m), m
			}
		}
	}
}
