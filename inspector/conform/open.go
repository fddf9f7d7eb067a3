package conform

// open keeps what is open, by id. Mostly that is one thing at a time: the
// newest one costs no map.
type open[V any] struct {
	newest string
	value  V
	some   bool // there is a newest one
	older  map[string]V
}

// get returns what is open with that id.
func (o *open[V]) get(id []byte) (v V, ok bool) {
	if o.some && o.newest == string(id) {
		return o.value, true
	}
	if len(o.older) > 0 {
		v, ok = o.older[string(id)]
	}
	return v, ok
}

// put keeps v, in the place of what was open with that id.
func (o *open[V]) put(id string, v V) {
	if _, older := o.older[id]; older {
		o.older[id] = v
		return
	}
	if o.some && o.newest != id {
		if o.older == nil {
			o.older = map[string]V{}
		}
		o.older[o.newest] = o.value
	}
	o.newest, o.value, o.some = id, v, true
}

// drop takes out what is open with that id.
func (o *open[V]) drop(id string) {
	if o.some && o.newest == id {
		var none V
		o.newest, o.value, o.some = "", none, false
		return
	}
	delete(o.older, id)
}

// len returns how many there are.
func (o *open[V]) len() int {
	n := len(o.older)
	if o.some {
		n++
	}
	return n
}

// each calls yield with all of them, in no order.
func (o *open[V]) each(yield func(V) bool) {
	if o.some && !yield(o.value) {
		return
	}
	for _, v := range o.older {
		if !yield(v) {
			return
		}
	}
}
