package inspect

import (
	"bytes"
	"encoding/json"

	"github.com/mcpl-tui/mcpl-tui/inspector"
)

// maxUnpacked bounds the texts that are tried as JSON, in bytes.
const maxUnpacked = 4 << 20

// unpackKey shows texts that are JSON as JSON, and back.
const unpackKey = "v"

// isJSON reports whether a text is an object or an array of JSON.
func isJSON(text []byte) bool {
	t := bytes.TrimSpace(text)
	return len(t) > 0 && len(t) <= maxUnpacked && (t[0] == '{' || t[0] == '[') && json.Valid(t)
}

// shown is the document as it is laid out: with texts that are JSON as such
// where the user wants that.
func (p *Pane) shown() *inspector.Doc {
	p.packed = false
	d := p.doc
	d.Blocks = append([]inspector.Block(nil), d.Blocks...)
	for i := range d.Blocks {
		b := &d.Blocks[i]
		if b.JSON != nil || !isJSON(b.Text) {
			continue
		}
		p.packed = true
		if p.unpack {
			b.JSON, b.Text, b.Note = bytes.TrimSpace(b.Text), nil, b.Note+", as JSON"
		}
	}
	return &d
}
