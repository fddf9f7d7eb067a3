package timeline

// numbered keeps a value for each id, other than its zero value, which stands
// for none. Most peers count, so what ids are but a number after the same
// beginning ("12", "req-12") is kept by that number, for a few beginnings.
type numbered[T comparable] struct {
	families []*family[T]
	others   map[string]T
}

// family is the ids that begin in the same way.
type family[T any] struct {
	begin string
	at    []T
}

// Bounds of families: of how many there are, and of the room for numbers that
// were not met yet.
const (
	maxFamilies = 8
	maxAhead    = 64
	maxDigits   = 9
)

// split cuts an id into its beginning and its number, -1 where it has none.
// The quote at the end of a string belongs to neither.
func split(id string) (begin string, n int) {
	end := len(id)
	if end > 1 && id[0] == '"' {
		if end--; id[end] != '"' {
			return "", -1
		}
	}
	i, zeros := end, end
	for i > 0 && end-i < maxDigits && id[i-1]-'0' <= 9 {
		if i--; id[i] != '0' {
			zeros = i // a zero before the number is of its beginning
		}
	}
	if zeros == end {
		if i == end {
			return "", -1
		}
		zeros-- // the number 0
	}
	for _, c := range []byte(id[zeros:end]) {
		n = 10*n + int(c-'0')
	}
	return id[:zeros], n
}

// place returns the family of an id, nil where it has none, and what split
// makes of it.
func (x *numbered[T]) place(id string) (f *family[T], begin string, n int) {
	if begin, n = split(id); n < 0 {
		return nil, begin, n
	}
	for _, f := range x.families {
		if f.begin == begin {
			return f, begin, n
		}
	}
	return nil, begin, n
}

// get returns what is kept of an id.
func (x *numbered[T]) get(id string) T {
	var none T
	if f, _, n := x.place(id); f != nil && n < len(f.at) && f.at[n] != none {
		return f.at[n]
	}
	return x.others[id]
}

// put keeps v of an id, which must be in memory of its own. It takes the place
// of what was kept of it.
func (x *numbered[T]) put(id string, v T) {
	f, begin, n := x.place(id)
	if f == nil && n >= 0 && n <= maxAhead && len(x.families) < maxFamilies {
		f = &family[T]{begin: begin}
		x.families = append(x.families, f)
	}
	if f != nil && n <= 2*len(f.at)+maxAhead {
		var none T
		for len(f.at) <= n {
			f.at = append(f.at, none)
		}
		f.at[n] = v
		return
	}
	if x.others == nil {
		x.others = map[string]T{}
	}
	x.others[id] = v
}
