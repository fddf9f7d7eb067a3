package inspect

import "bytes"

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

func skipSpace(b []byte, i int) int {
	for i < len(b) && isSpace(b[i]) {
		i++
	}
	return i
}

// stringEnd returns the position after the string that begins at i.
func stringEnd(b []byte, i int) int {
	from := i + 1
	for at := from; ; {
		k := bytes.IndexByte(b[min(at, len(b)):], '"')
		if k < 0 {
			return len(b)
		}
		at += k
		slashes := 0
		for at-1-slashes >= from && b[at-1-slashes] == '\\' {
			slashes++
		}
		at++
		if slashes%2 == 0 {
			return at
		}
	}
}

// scalarEnd returns the position after the scalar that begins at i; of bytes
// that are no JSON it takes at least one.
func scalarEnd(b []byte, i int) int {
	if b[i] == '"' {
		return stringEnd(b, i)
	}
	for k := i + 1; k < len(b); k++ {
		switch c := b[k]; {
		case isSpace(c), c == ',', c == ':', c == '"', c == '{', c == '}', c == '[', c == ']':
			return k
		}
	}
	return len(b)
}

// atBlank shortens n, where a blank is near, to the place behind it.
func atBlank(b []byte, n int) int {
	if b[n] == ' ' {
		return n + 1
	}
	if i := bytes.LastIndexByte(b[max(0, n-16):n], ' ') + max(0, n-16); i > 0 && b[i] == ' ' {
		return i + 1
	}
	return n
}

// wholeEscapes shortens n, where it would split an escape of a string, to
// what stands before it. It never goes below one.
func wholeEscapes(b []byte, n int) int {
	if n >= len(b) || n == 0 {
		return n
	}
	for k := n - 1; k >= 0 && k >= n-5; k-- {
		if b[k] != '\\' {
			continue
		}
		run := 0
		for j := k; j >= 0 && b[j] == '\\' && run < 64; j-- {
			run++
		}
		if run%2 == 0 {
			return n // the backslash is itself escaped
		}
		size := 2
		if k+1 < len(b) && b[k+1] == 'u' {
			size = 6
		}
		if k+size > n && k > 0 {
			return k
		}
		return n
	}
	return n
}

// measure returns the cells of the item at pos with its name, written without
// blanks, and what they are with the comma and the brackets that close right
// after it. It gives up, with more than limit, as soon as it is longer.
func measure(src []byte, pos, limit int) (item, all int) {
	// What has more bytes than letters can take on a line is not read.
	src = src[:min(len(src), pos+limit*16+64)]
	cells, depth := 0, 0
	ended := false // the item is over, what closes after it is counted
	end := func() {
		if !ended {
			item, ended = cells, true
		}
	}
	for cells <= limit {
		if pos = skipSpace(src, pos); pos >= len(src) {
			break
		}
		c := src[pos]
		switch {
		case ended && c != '}' && c != ']' && c != ',' && c != ':':
			return item, cells
		case c == '{' || c == '[':
			depth++
			cells, pos = cells+1, pos+1
		case c == '}' || c == ']':
			if depth == 0 {
				end()
			}
			cells, pos = cells+1, pos+1
			if depth = max(depth-1, 0); depth == 0 {
				end()
			}
		case c == ',' && depth == 0:
			end()
			return item, cells + 1
		case c == ',' || c == ':':
			ended = false // what ended was the item's name
			cells, pos = cells+1, pos+1
		default:
			to := scalarEnd(src, pos)
			cells += cellsOf(src[pos:to], limit)
			if pos = to; depth == 0 {
				end()
			}
		}
	}
	if pos >= len(src) || cells > limit {
		if !ended {
			item = cells
		}
	}
	return item, cells
}

// skipItem returns the position after the item at pos: a value with its name.
func skipItem(src []byte, pos int) int {
	depth := 0
	for pos < len(src) {
		pos = skipSpace(src, pos)
		if pos >= len(src) {
			break
		}
		switch c := src[pos]; c {
		case '{', '[':
			depth++
			pos++
		case '}', ']':
			depth--
			pos++
		case ',', ':':
			pos++
		default:
			pos = scalarEnd(src, pos)
		}
		if depth <= 0 {
			if next := skipSpace(src, pos); next < len(src) && src[next] == ':' {
				continue
			}
			if src[pos-1] == ':' {
				continue
			}
			return pos
		}
	}
	return pos
}
