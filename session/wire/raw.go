package wire

import (
	"bytes"
	"unsafe"
)

// view returns b as a string without copying it. That is safe because frames
// are immutable.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// TextOf is StringOf without a copy: what it returns is a view of raw, where
// the string has no escapes. What is kept for longer than raw is copied.
func TextOf(raw []byte) string {
	if len(raw) < 2 || raw[0] != '"' {
		return ""
	}
	if in := raw[1 : len(raw)-1]; bytes.IndexByte(in, '\\') < 0 {
		return view(in)
	}
	return StringOf(raw)
}
