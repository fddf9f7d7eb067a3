package wire

import (
	"unsafe"

	"github.com/tidwall/gjson"
)

// parse hands raw to the parser without copying it. That is safe because
// frames are immutable and no parsed value outlives the call.
func parse(raw []byte) gjson.Result {
	if len(raw) == 0 {
		return gjson.Result{}
	}
	return gjson.Parse(unsafe.String(&raw[0], len(raw)))
}

// at returns the bytes of raw that v was read from: a view, not a copy.
func at(raw []byte, v gjson.Result) []byte {
	if v.Index > 0 && v.Index+len(v.Raw) <= len(raw) {
		return raw[v.Index : v.Index+len(v.Raw) : v.Index+len(v.Raw)]
	}
	return []byte(v.Raw)
}
