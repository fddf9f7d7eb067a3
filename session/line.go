package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// line reads one line of the command language from left to right.
type line struct {
	text       string
	pos        int
	mark       int  // where the JSON began that was read last
	background bool // it ended in ` &`
}

// cutBackground takes a trailing ` &` off the line.
func (l *line) cutBackground() {
	rest, ok := strings.CutSuffix(l.text, "&")
	if ok && len(rest) >= l.pos && (strings.HasSuffix(rest, " ") || strings.HasSuffix(rest, "\t")) {
		l.text, l.background = strings.TrimRight(rest, " \t"), true
	}
}

func (l *line) blanks() {
	for l.pos < len(l.text) && isBlank(l.text[l.pos]) {
		l.pos++
	}
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// more reports whether anything but blanks follows.
func (l *line) more() bool {
	l.blanks()
	return l.pos < len(l.text)
}

// column is the place of a byte for people: characters, from 1.
func (l *line) column(at int) int { return utf8.RuneCountInString(l.text[:at]) + 1 }

// word reads the next word, or returns "" at the end. A part of it in "…" may
// hold blanks; inside, a backslash is as in JSON. quoted tells whether any
// part was.
func (l *line) word() (word string, quoted bool, err error) {
	l.blanks()
	var b strings.Builder
	for l.pos < len(l.text) && !isBlank(l.text[l.pos]) {
		if l.text[l.pos] != '"' {
			b.WriteByte(l.text[l.pos])
			l.pos++
			continue
		}
		part, err := l.quoted()
		if err != nil {
			return "", true, err
		}
		quoted = true
		b.WriteString(part)
	}
	return b.String(), quoted, nil
}

// quoted reads a "…" that starts here.
func (l *line) quoted() (string, error) {
	start := l.pos
	for l.pos++; l.pos < len(l.text); l.pos++ {
		switch l.text[l.pos] {
		case '\\':
			l.pos++
		case '"':
			l.pos++
			var s string
			if err := json.Unmarshal([]byte(l.text[start:l.pos]), &s); err != nil {
				return "", fmt.Errorf("bad quotes at column %d: %s", l.column(start), plainJSON(err))
			}
			return s, nil
		}
	}
	return "", fmt.Errorf("the quotes that open at column %d are not closed", l.column(start))
}

// keyword reads the given word if it follows as a word of its own.
func (l *line) keyword(word string) bool {
	l.blanks()
	rest, ok := strings.CutPrefix(l.text[l.pos:], word)
	if !ok || rest != "" && !isBlank(rest[0]) {
		return false
	}
	l.pos += len(word)
	return true
}

// rest returns what follows, as it is.
func (l *line) rest() string {
	l.blanks()
	text := l.text[l.pos:]
	l.pos = len(l.text)
	return text
}

// json reads the rest as one JSON value and returns it byte for byte as it is
// written, or nil where nothing follows. Line breaks, which can only stand
// between tokens, become blanks: a message is one line on the wire.
func (l *line) json() (json.RawMessage, error) {
	l.blanks()
	start := l.pos
	l.mark = start
	text := l.rest()
	if text == "" {
		return nil, nil
	}
	var v json.RawMessage
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		at := start + len(text)
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) && syntax.Offset > 0 && !strings.Contains(err.Error(), "unexpected end") {
			at = start + int(syntax.Offset) - 1
		}
		return nil, fmt.Errorf("bad JSON at column %d: %s", l.column(min(at, len(l.text))), plainJSON(err))
	}
	if !utf8.ValidString(text) {
		return nil, fmt.Errorf("bad JSON at column %d: bytes that are no UTF-8", l.column(start+invalidAt(text)))
	}
	return json.RawMessage(strings.NewReplacer("\n", " ", "\r", " ").Replace(text)), nil
}

func invalidAt(s string) int {
	for i, r := range s {
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD") {
			return i
		}
	}
	return len(s)
}

// end returns an error where something follows that has no place.
func (l *line) end(usage string) error {
	if !l.more() {
		return nil
	}
	return fmt.Errorf("nothing more can follow at column %d; it is: %s", l.column(l.pos), usage)
}

// plainJSON is an error of encoding/json without its own preamble.
func plainJSON(err error) string { return strings.TrimPrefix(err.Error(), "json: ") }

// QuoteWord writes a name as a word of the command language: in quotes where
// it needs them.
func QuoteWord(name string) string {
	if name != "" && !strings.ContainsAny(name, " \t\r\n\"{[&#") {
		return name
	}
	return string(encode(name))
}
