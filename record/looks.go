package record

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// magics are the first bytes of files that are taken for a recording by
// mistake.
var magics = []struct {
	at    int
	bytes string
	what  string
}{
	{0, "\x89PNG\r\n", "a PNG picture"},
	{0, "\xff\xd8\xff", "a JPEG picture"},
	{0, "GIF8", "a GIF picture"},
	{0, "%PDF-", "a PDF document"},
	{0, "\x7fELF", "a program (ELF)"},
	{0, "MZ", "a program for Windows"},
	{0, "\xcf\xfa\xed\xfe", "a program for macOS"},
	{0, "\xca\xfe\xba\xbe", "a program for macOS, or a Java class"},
	{0, "\x00asm", "a WebAssembly module"},
	{0, "PK\x03\x04", "a zip archive: unpack it first"},
	{0, "PK\x05\x06", "an empty zip archive"},
	{0, "\xfd7zXZ\x00", "packed with xz: unpack it first"},
	{0, "BZh", "packed with bzip2: unpack it first"},
	{0, "\x04\x22\x4d\x18", "packed with lz4: unpack it first"},
	{0, "7z\xbc\xaf\x27\x1c", "a 7z archive: unpack it first"},
	{0, "\x1f\x8b", "gzip once more: unpack it first"},
	{0, "\x28\xb5\x2f\xfd", "zstd once more: unpack it first"},
	{0, "SQLite format 3\x00", "a SQLite database"},
	{0, "\xff\xfe", "text in UTF-16: convert it to UTF-8"},
	{0, "\xfe\xff", "text in UTF-16: convert it to UTF-8"},
	{257, "ustar", "a tar archive: unpack it first"},
}

// looksLike says in a few words what a file is that is no recording. whole
// says that b is all of it.
func looksLike(b []byte, whole bool) string {
	for _, m := range magics {
		if len(b) > m.at && bytes.HasPrefix(b[m.at:], []byte(m.bytes)) && !isWords(b, m.bytes) {
			return m.what
		}
	}
	text := bytes.TrimSpace(bytes.TrimPrefix(b, bom))
	switch {
	case len(b) == 0:
		return "empty"
	case len(text) == 0:
		return "blank: nothing but white space"
	case !isText(b, whole):
		return "binary data"
	case text[0] == '{' || text[0] == '[':
		return looksLikeJSON(text, whole)
	case text[0] == '<':
		return "HTML or XML"
	case whole && wire.Valid(text):
		return "one JSON value"
	}
	return "plain text that begins " + quoted(text)
}

// isWords guards the magics of two plain letters: a text can begin like that.
func isWords(b []byte, magic string) bool {
	return (magic == "MZ" || magic == "BZh") && isText(b[:min(len(b), 512)], false)
}

// isText reports whether b is UTF-8 without zero bytes; one character may be
// cut at its end where it is not all of a file.
func isText(b []byte, whole bool) bool {
	if bytes.IndexByte(b, 0) >= 0 {
		return false
	}
	for i := 0; !whole && i < utf8.UTFMax-1 && len(b) > 0; i++ {
		if r, n := utf8.DecodeLastRune(b); r != utf8.RuneError || n > 1 {
			break
		}
		b = b[:len(b)-1]
	}
	return utf8.Valid(b)
}

func looksLikeJSON(text []byte, whole bool) string {
	first, _, more := bytes.Cut(text, []byte("\n"))
	first = bytes.TrimSpace(first)
	switch {
	case !more && bytes.HasPrefix(text, []byte(`{"mcpl_recording"`)):
		return "a recording that was cut off in its first line: nothing of it is left"
	case more && wire.Valid(first) && first[0] == '{':
		if wire.Member(first, "jsonrpc") != nil {
			return "bare JSON-RPC messages, one a line: they say neither which way they went nor when"
		}
		return "JSON lines of another kind" + members(first)
	case more && wire.Valid(first):
		return "JSON lines of another kind, not objects"
	case whole && wire.Valid(text):
		return document(text)
	case text[0] == '[':
		return "a JSON array, or its beginning"
	case more && len(first) > 1:
		return "text that begins like JSON, but is none: " + quoted(text)
	}
	return "a JSON document, or its beginning, not a JSON object on each line"
}

// document names a JSON document by what people have at hand.
func document(text []byte) string {
	switch {
	case text[0] == '[':
		return "a JSON array"
	case wire.Member(text, "mcpServers") != nil:
		return "a client's configuration (mcpServers): name one of its servers instead"
	case wire.Path(text, "log", "entries") != nil:
		return "a HAR file, recorded by a browser"
	case wire.Member(text, "jsonrpc") != nil:
		return "one JSON-RPC message: it says neither which way it went nor when"
	}
	return "one JSON document" + members(text)
}

// members lists the first members of an object.
func members(raw []byte) string {
	var names []string
	more := false
	wire.EachMember(raw, func(key string, _ []byte) bool {
		if more = len(names) == 4; more {
			return false
		}
		names = append(names, fmt.Sprintf("%q", short(key)))
		return true
	})
	if len(names) == 0 {
		return ", without members"
	}
	if more {
		names = append(names, "…")
	}
	return " with the members " + strings.Join(names, ", ")
}

// quoted shows how a text begins, safe for a terminal.
func quoted(text []byte) string {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return fmt.Sprintf("%q", short(strings.ToValidUTF8(strings.TrimSpace(string(line[:min(len(line), 200)])), "")))
}
