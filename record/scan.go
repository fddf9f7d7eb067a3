package record

import (
	"bytes"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// scan reads the members of one JSON object in one pass. It accepts exactly
// what is a valid JSON object: small values it reads itself, all others it
// finds the end of, and has them proved by wire.Valid, each once. So a line
// costs one validation, and nothing of a message is decoded.
type scan struct {
	b     []byte
	i     int
	how   trustIn
	flags uint8
	count int  // members so far
	loose bool // there is white space between members, so it means nothing
}

func (s *scan) object(p *parsed) bool {
	s.space()
	if !s.eat('{') {
		return false
	}
	s.space()
	if s.eat('}') {
		return s.end()
	}
	for {
		key, ok := s.word()
		if !ok || s.i == 0 || s.b[s.i-1] != '"' {
			return false
		}
		s.space()
		if !s.eat(':') {
			return false
		}
		colon := s.i
		before := s.loose
		s.space()
		if string(key) == "msg" {
			s.loose = before || s.count == 0
		}
		if s.i >= len(s.b) || !s.member(key, colon, p) {
			return false
		}
		s.count++
		s.space()
		switch {
		case s.eat(','):
			s.space()
		case s.eat('}'):
			return s.end()
		default:
			return false
		}
	}
}

// usual reads a line as the writer writes that of a message (appendFrame):
// these members, in this order, and nothing between them. It returns false for
// any other line, also for a right one: that is read by object.
func (s *scan) usual(p *parsed) bool {
	if !s.literal(`{"seq":`) || !s.whole(&p.seq) || !s.literal(`,"t":`) || !s.seconds(p) || !s.literal(`,"conn":`) {
		return false
	}
	var conn int64
	if !s.whole(&conn) || conn > maxConn || !s.literal(`,"dir":`) {
		return false
	}
	p.conn = int(conn)
	v, _ := s.word()
	if p.dir = direction(v); p.dir != wire.In && p.dir != wire.Out || !s.literal(`,"via":"`) {
		return false
	}
	s.i--
	v, ok := s.word()
	if p.via = intern(v); !ok || !s.literal(`,"msg":`) {
		return false
	}
	end := len(s.b) - 1
	if s.i >= end || s.b[end] != '}' {
		return false
	}
	p.msg = s.b[s.i:end:end]
	form, valid, one := p.inspect()
	if !valid {
		return false
	}
	if p.flags |= flagTail; form == wire.Binary {
		p.flags |= flagRaw
	}
	p.peeked = one
	return true
}

// inspect proves the message, and reads its head where that is wanted. No head
// is declared here: one that is handed to an Ahead would be made anew for each
// line.
func (p *parsed) inspect() (form wire.Form, valid, one bool) {
	switch {
	case p.ahead != nil:
		return p.ahead.Inspect(p.slot, p.msg, p.head)
	case p.head != nil:
		return wire.Inspect(p.msg, p.head)
	case !wire.Valid(p.msg):
		return wire.Text, false, false
	case !utf8.Valid(p.msg):
		return wire.Binary, true, false
	}
	return wire.Msg, true, false
}

// literal steps over exactly these bytes.
func (s *scan) literal(text string) bool {
	if len(s.b)-s.i < len(text) || string(s.b[s.i:s.i+len(text)]) != text {
		return false
	}
	s.i += len(text)
	return true
}

// message reads the value of "msg". Mostly it is the last member, so the rest
// of the line without its brace is tried first (and only for the first "msg",
// so that a line of thousands costs no more than its length). White space around a message
// is part of it (byte for byte as on the wire), unless the line has some
// around its other members too.
func (s *scan) message(colon int, p *parsed) bool {
	end := len(s.b) - 1
	if s.how == trust && s.flags&flagTail != 0 {
		p.msg = s.trimmed(colon, end)
		s.i = end
		return true
	}
	if p.msg == nil && s.how == verify && s.b[end] == '}' && wire.Valid(s.b[s.i:end]) {
		p.flags |= flagTail
		p.msg = s.trimmed(colon, end)
		s.i = end
		return true
	}
	if s.value() == nil {
		return false
	}
	at := s.i
	loose := s.loose
	if !loose {
		s.space()
		at = s.i
	}
	p.msg, s.loose = s.trimmed(colon, at), loose
	return true
}

func (s *scan) trimmed(from, to int) []byte {
	v := s.b[from:to:to]
	if !s.loose {
		return v
	}
	v = bytes.Trim(v, " \t\r\n")
	return v[:len(v):len(v)]
}

func (s *scan) space() {
	for s.i < len(s.b) {
		switch s.b[s.i] {
		case ' ', '\t', '\r', '\n':
			s.i++
			s.loose = true
		default:
			return
		}
	}
}

func (s *scan) eat(c byte) bool {
	if s.i < len(s.b) && s.b[s.i] == c {
		s.i++
		return true
	}
	return false
}

func (s *scan) end() bool {
	s.space()
	return s.i == len(s.b)
}

// word reads a string, plain or not, and returns its value; for any other
// value it returns nil.
func (s *scan) word() ([]byte, bool) {
	if s.i < len(s.b) && s.b[s.i] == '"' {
		for j := s.i + 1; j < len(s.b); j++ {
			switch c := s.b[j]; {
			case c == '"':
				v := s.b[s.i+1 : j]
				s.i = j + 1
				return v, true
			case c < ' ' || c == '\\' || c >= 0x80:
				j = len(s.b) // not plain
			}
		}
	}
	raw := s.value()
	if raw == nil {
		return nil, false
	}
	v, _ := unquote(raw)
	return v, true
}

// part reads a value that may as well be missing: null is none.
func (s *scan) part(to *[]byte) bool {
	v := s.value()
	if *to = v; string(v) == "null" {
		*to = nil
	}
	return v != nil
}

// value steps over any value and returns its bytes, or nil where there is no
// valid one.
func (s *scan) value() []byte {
	end := valueEnd(s.b, s.i)
	if end < 0 {
		return nil
	}
	raw := s.b[s.i:end:end]
	if s.how == verify && !wire.Valid(raw) {
		return nil
	}
	s.i = end
	return raw
}

// valueEnd returns where the value at i ends if it is a valid one, else -1 or
// anything. It does not recurse: the depth of a value costs nothing.
func valueEnd(b []byte, i int) int {
	if i >= len(b) {
		return -1
	}
	switch b[i] {
	case '"':
		return stringEnd(b, i)
	case '{', '[':
		depth := 0
		for i < len(b) {
			switch b[i] {
			case '"':
				if i = stringEnd(b, i); i < 0 {
					return -1
				}
				continue
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
			i++
		}
		return -1
	}
	n := bytes.IndexAny(b[i:], ",}] \t\r\n")
	if n <= 0 {
		return -1
	}
	return i + n
}

func stringEnd(b []byte, i int) int {
	for j := i + 1; ; {
		n := bytes.IndexByte(b[j:], '"')
		if n < 0 {
			return -1
		}
		j += n
		slashes := 0
		for b[j-1-slashes] == '\\' {
			slashes++
		}
		if j++; slashes%2 == 0 {
			return j
		}
	}
}

// whole reads a whole number above 0; anything else gives 0.
func (s *scan) whole(n *int64) bool {
	*n = 0
	at := s.i
	if v, ok := s.digits(18); ok && s.ends() && (s.b[at] != '0' || s.i == at+1) {
		*n = v
		return true
	}
	s.i = at
	raw := s.value()
	if raw != nil {
		*n = wholeNumber(raw)
	}
	return raw != nil
}

// wholeNumber returns the value of a raw JSON number if it is whole and above
// 0 (1.0 and 1e2 are), else 0.
func wholeNumber(raw []byte) int64 {
	if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
		return max(n, 0)
	}
	if len(raw) == 0 || raw[0] == '"' {
		return 0
	}
	x, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || x < 1 || x >= 1<<53 || x != math.Trunc(x) {
		return 0
	}
	return int64(x)
}

// digits reads at most most digits.
func (s *scan) digits(most int) (v int64, ok bool) {
	from := s.i
	for s.i < len(s.b) && s.i-from < most && s.b[s.i]-'0' <= 9 {
		v = v*10 + int64(s.b[s.i]-'0')
		s.i++
	}
	return v, s.i > from
}

// ends reports whether a number ends here.
func (s *scan) ends() bool {
	if s.i >= len(s.b) {
		return false
	}
	switch s.b[s.i] {
	case ',', '}', ' ', '\t', '\r', '\n':
		return true
	}
	return false
}

// maxSeconds is the latest time that is believed: a hundred years.
const maxSeconds = 3_155_760_000

// seconds reads a time in seconds, to the microsecond, without a float in
// between. What is no number, or beyond a hundred years, is no time.
func (s *scan) seconds(p *parsed) bool {
	p.us, p.timed = 0, false
	at := s.i
	whole, ok := s.digits(12)
	if ok && (s.b[at] != '0' || s.i == at+1) {
		var frac int64
		if s.i+1 < len(s.b) && s.b[s.i] == '.' && s.b[s.i+1]-'0' <= 9 {
			s.i++
			frac = s.micros()
		}
		if s.ends() {
			p.us, p.timed = whole*1e6+frac, whole < maxSeconds
			return true
		}
	}
	s.i = at
	raw := s.value()
	if raw == nil {
		return false
	}
	if x, err := strconv.ParseFloat(string(raw), 64); err == nil && raw[0] != '"' && x < maxSeconds {
		p.us, p.timed = int64(math.Round(max(x, 0)*1e6)), true
	}
	return true
}

// micros reads decimals of a second, rounded to microseconds.
func (s *scan) micros() int64 {
	from := s.i
	v, _ := s.digits(6)
	for n := s.i - from; n < 6; n++ {
		v *= 10
	}
	if s.i < len(s.b) && s.b[s.i] >= '5' && s.b[s.i] <= '9' {
		v++
	}
	for s.i < len(s.b) && s.b[s.i]-'0' <= 9 {
		s.i++
	}
	return v
}
