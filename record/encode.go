package record

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// tidy makes of f what will be read again from the file, so that a live frame
// and its replay are equal. Of what the tap makes it changes nothing.
func tidy(f wire.Frame) wire.Frame {
	f.Via = strings.ToValidUTF8(f.Via, "\uFFFD")
	f.HTTP = oneLine(f.HTTP)
	if f.Dir != wire.Note {
		f.Name, f.Data = "", nil
	}
	f.Name = strings.ToValidUTF8(f.Name, "\uFFFD")
	f.Data = oneLine(f.Data)
	if f.Conn < 1 {
		f.Conn = 1
	}
	switch {
	case f.Form == wire.None && f.Dir != wire.Note:
		f.Form = wire.FormOf(f.Body)
	case f.Form == wire.None:
		f.Body = nil
	case f.Form == wire.Msg && !fitsLine(f.Body), f.Form == wire.Text && !utf8.Valid(f.Body):
		f.Form = wire.FormOf(f.Body)
	}
	return f
}

// fitsLine reports whether a message can stand in a line as it is.
func fitsLine(body []byte) bool {
	return len(body) > 0 && bytes.IndexByte(body, '\n') < 0 && bytes.IndexByte(body, '\r') < 0 && utf8.Valid(body)
}

// oneLine returns a JSON value on one line, or nil for what is none.
func oneLine(v []byte) []byte {
	if len(v) == 0 || !wire.Valid(v) {
		return nil
	}
	if v = bytes.TrimSpace(v); bytes.IndexByte(v, '\n') < 0 && bytes.IndexByte(v, '\r') < 0 {
		return v
	}
	var out bytes.Buffer
	if json.Compact(&out, v) != nil {
		return nil
	}
	return out.Bytes()
}

// appendFrame writes f as a line with its end.
func appendFrame(b []byte, f wire.Frame) []byte {
	b = appendHead(b, f)
	switch f.Form {
	case wire.Msg:
		b = append(b, f.Body...)
	case wire.Text:
		b = appendString(b, f.Body)
	case wire.Binary:
		b = append(b, '"')
		b = base64.StdEncoding.AppendEncode(b, f.Body)
		b = append(b, '"')
	}
	return append(b, lineEnd...)
}

const lineEnd = "}\n"

// appendHead writes the line of f up to where its body begins. The body comes
// last, so that a reader need not look for its end.
func appendHead(b []byte, f wire.Frame) []byte {
	b = append(b, `{"seq":`...)
	b = strconv.AppendInt(b, f.Seq, 10)
	b = append(b, `,"t":`...)
	b = appendSeconds(b, f.T)
	b = append(b, `,"conn":`...)
	b = strconv.AppendInt(b, int64(f.Conn), 10)
	b = append(b, `,"dir":"`...)
	b = append(b, f.Dir.String()...)
	b = append(b, '"')
	if f.Via != "" {
		b = append(b, `,"via":`...)
		b = appendString(b, []byte(f.Via))
	}
	if f.Dir == wire.Note {
		b = append(b, `,"note":`...)
		b = appendString(b, []byte(f.Name))
		if f.Data != nil {
			b = append(b, `,"data":`...)
			b = append(b, f.Data...)
		}
	}
	if f.HTTP != nil {
		b = append(b, `,"http":`...)
		b = append(b, f.HTTP...)
	}
	switch f.Form {
	case wire.Msg:
		b = append(b, `,"msg":`...)
	case wire.Text:
		b = append(b, `,"text":`...)
	case wire.Binary:
		b = append(b, `,"b64":`...)
	}
	return b
}

// appendSeconds writes t in seconds with its six decimals: no float is
// involved, so that none rounds.
func appendSeconds(b []byte, t time.Duration) []byte {
	us := int64(t / time.Microsecond)
	b = strconv.AppendInt(b, us/1e6, 10)
	b = append(b, '.')
	frac := us % 1e6
	for unit := int64(100000); unit > 0; unit /= 10 {
		b = append(b, byte('0'+frac/unit%10))
	}
	return b
}

// appendString writes s as a JSON string that reads back as exactly s. What
// is no UTF-8 becomes U+FFFD.
func appendString(b, s []byte) []byte {
	const hex = "0123456789abcdef"
	if !utf8.Valid(s) {
		s = bytes.ToValidUTF8(s, []byte("\uFFFD"))
	}
	b = append(b, '"')
	from := 0
	for i, c := range s {
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		b = append(b, s[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, '\\', 'n')
		case '\r':
			b = append(b, '\\', 'r')
		case '\t':
			b = append(b, '\\', 't')
		default:
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	b = append(b, s[from:]...)
	return append(b, '"')
}
