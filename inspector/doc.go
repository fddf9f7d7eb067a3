// Package inspector explains one thing: a frame, a tool in an instance, an
// instance, a toolset, a row of the timeline. An explanation is a Doc: blocks
// of text and JSON without colours and widths, computed from frames alone, so
// that it is the same live and on replay. Package ui lays it out.
//
// What cannot be told from frames is left out, never guessed. Text of a peer
// stands in a Doc as it was sent; who draws it makes it safe for a terminal.
package inspector

// Doc is one explanation.
type Doc struct {
	Title  string // beside the pane's name: "undo @ vs-ada", "" for none
	Note   string // at the right end of the title: "frame 99", "not usable"
	Blocks []Block
}

// Block is a part of a Doc under a heading: lines, then JSON, then text.
type Block struct {
	Sign string // before the heading: "~", "" for none
	Head string // "CHANGED"; "" continues the block before, or opens the Doc
	Note string // at the right of the heading
	Body []Line
	JSON []byte // raw JSON to be laid out and coloured, nil for none
	Text []byte // text of a peer, of any length, to be wrapped, nil for none
	// Fold says that the whole of JSON or Text is read elsewhere: a few lines
	// of it are enough here.
	Fold bool
	// Flow says that JSON is there to be recognised, not read: it is laid out
	// as running text.
	Flow bool
	// Extra says that the block is for who reads on: a low pane leaves it out
	// until it is read.
	Extra bool
	// Beside puts the heading into the row of the first line, and all lines
	// into one column beside it. Joined says that such a block belongs to the
	// one before it: nothing keeps them apart.
	Beside, Joined bool
}

// Line is one line of a block, made of spans; it is cut, or wrapped where
// Wrap is set.
type Line struct {
	Sign string // "+", "-", "~", "✗", "!", "✓", "┆", a key, or ""
	// Diff puts the sign into the margin, so that signed and unsigned lines
	// of a comparison stand on one grid.
	Diff   bool
	Indent int // levels
	Spans  []Span
	Right  string // at the right edge, dim
	Wrap   bool
	// Code says that it is JSON: where it is wrapped it is broken after a comma.
	Code bool
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
	Plain   Tone = iota
	Quiet        // may be overlooked
	Loud         // must not be
	Peer         // the server's own words, shown as data
	Good         // came, usable
	Changed      // redefined
	Bad          // a finding
)

// Add appends a block.
func (d *Doc) Add(b Block) { d.Blocks = append(d.Blocks, b) }

func (b *Block) add(l Line) { b.Body = append(b.Body, l) }

// say returns a line of plain text that is wrapped.
func say(text string) Line { return Line{Spans: []Span{{Text: text}}, Wrap: true} }

// spans returns a line of the given pieces that is cut.
func spans(s ...Span) Line { return Line{Spans: s} }

func plain(s string) Span { return Span{Text: s} }
func quiet(s string) Span { return Span{Text: s, Tone: Quiet} }
func loud(s string) Span  { return Span{Text: s, Tone: Loud} }
func peer(s string) Span  { return Span{Text: short(s), Tone: Peer} }

// Plain returns the line's text without tones.
func (l Line) Plain() string {
	if len(l.Spans) == 1 {
		return l.Spans[0].Text
	}
	var s string
	for _, p := range l.Spans {
		s += p.Text
	}
	return s
}
