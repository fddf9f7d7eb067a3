package inspector

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// maxContents is how many items of a result are told apart.
const maxContents = 10_000

// Content is one item of what a result holds: of a call's content, of a
// resource's contents, of a prompt's messages (MCP, content).
type Content struct {
	N    int    // its place, from 1
	Kind string // "text", "image", "audio", "resource", "resource_link", or what else it says it is
	Mime string // "" where it names none
	Name string // title, name or address of a resource, "" for none
	Text bool   // it is text, else bytes in base64 or a link
	Size int64  // bytes of it, -1: it holds none (a link)

	data []byte // raw JSON string with the text or the base64
}

// Contents are the items of a result, in their order.
func Contents(result []byte) []Content {
	var out []Content
	add := func(v []byte) bool {
		c := contentOf(v)
		c.N = len(out) + 1
		out = append(out, c)
		return len(out) < maxContents
	}
	of := onePass(result)
	for _, key := range []string{"content", "contents", "messages"} {
		v := of[key]
		if len(v) > 0 && v[0] == '{' {
			add(v)
			continue
		}
		wire.EachElement(v, func(e []byte) bool {
			if key != "messages" {
				return add(e)
			}
			if inner := wire.Member(e, "content"); len(inner) > 0 && inner[0] == '{' {
				e = inner
			}
			return add(e)
		})
	}
	return out
}

// ContentOf returns the n-th item of a result, or says which there are.
func ContentOf(result []byte, n int) (Content, error) {
	list := Contents(result)
	switch {
	case len(list) == 0:
		return Content{}, errors.New("the result holds no content")
	case n < 1 || n > len(list):
		return Content{}, fmt.Errorf("the result has no content %d; it has %s", n, Count(len(list), "item"))
	case !list[n-1].Saved():
		return Content{}, fmt.Errorf("content %d holds no bytes: %s", n, oneLine(list[n-1].Words()))
	}
	return list[n-1], nil
}

func contentOf(v []byte) Content {
	of := onePass(v)
	in := of
	c := Content{Kind: textIn(of, "type"), Mime: textIn(of, "mimeType"), Size: -1}
	if c.Kind == "" {
		c.Kind = "resource" // as resources/read gives them
	}
	if r := of["resource"]; len(r) > 0 && r[0] == '{' {
		in = onePass(r)
		c.Mime = orElse(textIn(in, "mimeType"), c.Mime)
	}
	for _, key := range []string{"title", "name", "uri"} {
		c.Name = orElse(c.Name, textIn(in, key))
	}
	c.Name = orElse(c.Name, textIn(of, "name"))
	if text := in["text"]; isString(text) {
		c.Text, c.data, c.Size = true, text, textSize(text)
		return c
	}
	for _, key := range []string{"data", "blob"} {
		if d := in[key]; isString(d) {
			c.data, c.Size = d, base64Size(d)
		}
	}
	return c
}

// textIn is a string member as text, bounded, "" for none.
func textIn(of map[string][]byte, key string) string { return stringHead(of[key], maxShort) }

// textSize is how many bytes a raw string holds, close to it where it has
// escapes.
func textSize(raw []byte) int64 {
	n := len(raw) - 2
	if n > maxNotice {
		return int64(n - bytes.Count(raw, []byte{'\\'}))
	}
	if bytes.IndexByte(raw, '\\') >= 0 {
		n = len(wire.StringOf(raw))
	}
	return int64(n)
}

func isString(raw []byte) bool { return len(raw) > 1 && raw[0] == '"' }

// base64Size is how many bytes a raw string of base64 holds.
func base64Size(raw []byte) int64 {
	n := len(raw) - 2
	for n > 0 && raw[n] == '=' {
		n--
	}
	return int64(n) * 3 / 4
}

// Saved reports whether the content can be written into a file.
func (c Content) Saved() bool { return c.data != nil }

// Open returns the bytes of the content: the text in UTF-8, or what the base64
// stands for, decoded as it is read. Base64 that is none ends in an error.
func (c Content) Open() io.Reader {
	if c.Text || bytes.IndexByte(c.data, '\\') >= 0 {
		text := wire.StringOf(c.data)
		if c.Text {
			return strings.NewReader(text)
		}
		return decoder([]byte(text))
	}
	return decoder(c.data[1 : len(c.data)-1])
}

// Head returns the first n bytes, or a little more, of a text, and whether
// that is all of it, without decoding the rest.
func (c Content) Head(n int) (text string, whole bool) {
	if !c.Text {
		return "", true
	}
	if len(c.data) <= n+2 {
		return wire.StringOf(c.data), true
	}
	return strings.TrimSuffix(stringHead(c.data, n), "…"), false
}

// decoder reads base64 of both alphabets, padded or not.
func decoder(in []byte) io.Reader {
	in = bytes.TrimRight(in, "=\r\n ")
	enc := base64.RawStdEncoding
	if bytes.ContainsAny(in, "-_") {
		enc = base64.RawURLEncoding
	}
	return base64.NewDecoder(enc, bytes.NewReader(in))
}

// Words tell the content: "image/png, 12 kB", "text, 20 B", "a link to main.go".
func (c Content) Words() string {
	what := orElse(c.Mime, c.Kind)
	switch {
	case c.Kind == "resource_link":
		what = "a link to " + orElse(c.Name, "a resource")
		if c.Mime != "" {
			what += ", " + c.Mime
		}
		return what
	case c.Name != "":
		what = c.Name + ", " + what
	}
	if c.Size >= 0 {
		what += ", " + Size(c.Size)
	}
	return what
}

// ResultAt returns the result of the answer in the frame at position i, or of
// the answer to the request there, with the position of its frame; -1 where
// there is none.
func ResultAt(log *timeline.Log, i int) (result []byte, at int) {
	if i < 0 || i >= log.Len() {
		return nil, -1
	}
	e := log.Entry(i)
	if e.Kind == timeline.Request {
		if i = e.Pair; i < 0 {
			return nil, -1
		}
	}
	f, err := log.Frame(i)
	if err != nil {
		return nil, -1
	}
	if r := firstResult(f); r != nil {
		return r, i
	}
	return nil, -1
}

// contents lists what a result holds beyond one short text.
func (d *Doc) contents(x *exchange) {
	if x.answered.Dir != timeline.In {
		return
	}
	list := Contents(x.reply.Result)
	if len(list) == 0 || len(list) == 1 && list[0].Text && list[0].Name == "" {
		return
	}
	b := Block{Head: "CONTENT", Note: Count(len(list), "item")}
	for n, c := range list {
		if n == maxListed {
			b.add(more(len(list) - n))
			break
		}
		l := spans(quiet(pad(strconv.Itoa(c.N), 3)), loud(pad(oneLine(c.Kind), 9)+"  "), peer(oneLine(c.Words())))
		l.Wrap = true
		b.add(l)
		if c.Saved() && !c.Text {
			s := spans(quiet(":save content " + seq(x.answered.Seq) + "." + strconv.Itoa(c.N) + " FILE"))
			s.Indent = 2
			b.add(s)
		}
	}
	d.Add(b)
}
