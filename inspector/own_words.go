package inspector

import (
	"math"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// ownWords are the words that a headline puts beside those of the message, in
// small letters. Each stands by itself, between blanks.
var ownWords = strings.Fields(`
	stderr ! no utf-8 json empty line batch of json-rpc message (to no request)
	url ok error tool accepted refused adopted asks for input nothing but to be asked again
	tools resource resources prompt prompts template templates root roots open b kb mb gb`)

// ownSigns are the signs that it puts between the words of a message:
// "play@vs-ada", "#28", "batch of 2:", "[image, 3 B]", "a, b".
const ownSigns = "@#:,[]"

// Own tells of a word whether a headline may say it although its message does
// not: whoever looks for the word then need not tell each of a million frames
// in words.
type Own struct {
	says   bool    // one of ownWords has it, or it has one of ownSigns
	number bool    // it may be a part of a number,
	least  float64 // which is no smaller than this
}

// NewOwn returns what tells of a word. It must be in small letters, and of
// printable ASCII without blanks.
func NewOwn(word string) Own {
	o := Own{says: strings.ContainsAny(word, ownSigns), number: strings.Trim(word, "0123456789.") == ""}
	for _, w := range ownWords {
		o.says = o.says || strings.Contains(w, word)
	}
	o.least = math.Pow10(len(word) - strings.Count(word, ".") - 1)
	return o
}

// May reports whether the headline of a frame may say the word, where the
// body has it neither as it stands nor with its escapes read. Of notes, of
// which a headline tells more, it is always true.
func (o *Own) May(e timeline.Entry, body []byte) bool {
	switch {
	case e.Dir == timeline.Note, o.says:
		return true
	case !o.number, e.Dir == timeline.Err:
		return false
	}
	// It counts what the message holds, or its bytes: never more than it has.
	return float64(len(body)) >= o.least
}
