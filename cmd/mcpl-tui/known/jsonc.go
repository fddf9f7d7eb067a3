package known

// blank takes comments and trailing commas out of JSON as editors write it:
// blanks stand in their place, so that every other byte keeps its position.
// Text that is no such JSON comes out as no JSON either.
func blank(data []byte) []byte {
	out := append([]byte(nil), data...)
	comma := -1 // a comma that nothing but blanks followed yet
	for i := 0; i < len(out); {
		switch c := out[i]; {
		case c == '"':
			comma = -1
			i = stringEnd(out, i)
		case c == '/' && i+1 < len(out) && out[i+1] == '/':
			for ; i < len(out) && out[i] != '\n' && out[i] != '\r'; i++ {
				out[i] = ' '
			}
		case c == '/' && i+1 < len(out) && out[i+1] == '*':
			end := commentEnd(out, i)
			if end < 0 { // it never ends: the reader will say where
				return out
			}
			for ; i < end; i++ {
				if out[i] != '\n' && out[i] != '\r' {
					out[i] = ' '
				}
			}
		default:
			switch {
			case c == ',':
				comma = i
			case (c == '}' || c == ']') && comma >= 0:
				out[comma], comma = ' ', -1
			case c != ' ' && c != '\t' && c != '\n' && c != '\r':
				comma = -1
			}
			i++
		}
	}
	return out
}

// stringEnd returns the position after the string that begins at i.
func stringEnd(b []byte, i int) int {
	for i++; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(b)
}

func commentEnd(b []byte, i int) int {
	for i += 2; i+1 < len(b); i++ {
		if b[i] == '*' && b[i+1] == '/' {
			return i + 2
		}
	}
	return -1
}
