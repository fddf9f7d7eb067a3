// Package inspector explains one thing: a frame, a tool in an instance, an
// instance, a toolset, a row of the timeline. An explanation is a Doc: blocks
// of text and JSON without colours and widths, computed from frames alone, so
// that it is the same live and on replay. Package ui lays it out.
package inspector

// Doc is one explanation.
type Doc struct {
	Title  string // "rev 41", "undo @ vs-ada", "frame 99"
	Note   string // right of the title: "not usable", "" for none
	Blocks []Block
}

// Block is a part of a Doc under a heading.
type Block struct {
	Head string // "CHANGED", in capitals; "" continues the block before
	Note string // at the right of the heading
	Body []Line
	JSON []byte // raw JSON to be laid out and coloured after Body, nil for none
	// Fold says that the JSON may start folded where room is short.
	Fold bool
}

// Line is one line of a block, made of spans; it is cut, or wrapped where
// Wrap is set.
type Line struct {
	Sign  string // "+", "-", "~", "✗", "!", "✓", "┆" or "" in the first columns
	Spans []Span
	Right string // at the right edge, dim
	Wrap  bool
}

// Span is a piece of text with a tone.
type Span struct {
	Text string
	Tone Tone
}

// Tone says how much a span matters, not which colour it has.
type Tone uint8

// The tones.
const (
	Plain Tone = iota
	Quiet      // may be overlooked
	Loud       // must not be
	Peer       // the server's own words, shown as data
	Good       // came, usable
	Changed    // redefined
	Bad        // a finding
)
