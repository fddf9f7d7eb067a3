package inspect

import (
	"sync"
	"unicode/utf8"

	"github.com/alecthomas/chroma/v2"

	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// lexer tells the tokens of a single line of JSON apart, wherever in a
// message it stands. chroma's own JSON lexer has to begin at the front of a
// message; its rules are used here without its states, and its package of
// all languages, which is read at every start, is not.
var lexer = sync.OnceValue(func() chroma.Lexer {
	return chroma.MustNewLexer(
		&chroma.Config{Name: "JSON line", DotAll: true, NotMultiline: true},
		func() chroma.Rules {
			return chroma.Rules{"root": {
				{Pattern: `"(\\.|[^"\\])*"(?=\s*:)`, Type: chroma.NameTag},
				{Pattern: `"(\\.|[^"\\])*"`, Type: chroma.LiteralStringDouble},
				{Pattern: `-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?`, Type: chroma.LiteralNumber},
				{Pattern: `(true|false|null)\b`, Type: chroma.KeywordConstant},
				{Pattern: `[{}\[\],:]+`, Type: chroma.Punctuation},
				{Pattern: `[^{}\[\],:"]+`, Type: chroma.Error},
				{Pattern: `.`, Type: chroma.Error},
			}}
		},
	)
})

var roles = map[chroma.TokenType]kit.Role{
	chroma.NameTag:             kit.JSONKey,
	chroma.LiteralStringDouble: kit.JSONString,
	chroma.LiteralNumber:       kit.JSONNumber,
	chroma.KeywordConstant:     kit.JSONWord,
	chroma.Punctuation:         kit.Dim,
}

// ink colours lines of JSON. It remembers the lines that were drawn last, so
// that a screen that is drawn again costs no second look.
type ink struct {
	seen map[string][]inked
}

type inked struct {
	text string
	role kit.Role
}

// maxInked is how many lines are remembered: some screens full.
const maxInked = 400

// draw draws a line of JSON from column x of row y, and returns the column
// after it.
func (k *ink) draw(r kit.Region, x, y int, line []byte, flags uint8) int {
	for _, p := range k.colour(line, flags) {
		x = r.Put(x, y, kit.As(p.role), p.text)
	}
	return x
}

func (k *ink) colour(line []byte, flags uint8) []inked {
	key := string(flags) + string(line)
	if p, ok := k.seen[key]; ok {
		return p
	}
	if len(k.seen) >= maxInked || k.seen == nil {
		k.seen = make(map[string][]inked, maxInked)
	}
	p := colour(string(line), flags)
	k.seen[key] = p
	return p
}

// colour splits a line into tokens. What begins or ends inside of a string is
// made a whole string for the lexer.
func colour(line string, flags uint8) []inked {
	if !utf8.ValidString(line) {
		return []inked{{line, kit.Normal}}
	}
	src, lead := line, 0
	if flags&beginsInString != 0 {
		src, lead = `"`+src, 1
	}
	if flags&endsInString != 0 {
		src += `"`
		if flags&isKey != 0 {
			src += ":"
		}
	}
	it, err := lexer().Tokenise(&chroma.TokeniseOptions{State: "root"}, src)
	if err != nil {
		return []inked{{line, kit.Normal}}
	}
	var out []inked
	left := len(line)
	for t := it(); t != chroma.EOF && left > 0; t = it() {
		text := t.Value
		if cut := min(lead, len(text)); cut > 0 {
			text, lead = text[cut:], lead-cut
		}
		text = text[:min(len(text), left)]
		left -= len(text)
		role, ok := roles[t.Type]
		if !ok {
			role = kit.Normal
		}
		if n := len(out); n > 0 && out[n-1].role == role {
			out[n-1].text += text
		} else if text != "" {
			out = append(out, inked{text, role})
		}
	}
	if left > 0 { // never lose a byte for the colour's sake
		out = append(out, inked{line[len(line)-left:], kit.Normal})
	}
	return out
}
