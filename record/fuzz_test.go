package record

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

func seeds(f *testing.F) []string {
	f.Helper()
	s := []string{
		headerLine + "\n" + three, three, snoopLog, headerLine[:40], "", "\n", "{}", "[]", "\x1f\x8b", "null",
		`{"seq":1,"t":1e5,"conn":1,"dir":"in","msg":{},"msg":[]}`,
		`{"dir":"in","t":0.1,"msg" : {"a":"\u00e9\\\""} , "http":{}}`,
		`{"\u006dsg":1,"dir":"\u0069n","seq":01}`,
		`{"dir":"note","note":null,"data":null,"t":-0}`,
		`{"msg":` + strings.Repeat("[", 500) + strings.Repeat("]", 500) + `,"dir":"in"}`,
	}
	for _, name := range []string{"http", "pretty"} {
		b, err := os.ReadFile(filepath.Join("testdata", name+Ext))
		if err != nil {
			f.Fatal(err)
		}
		s = append(s, string(b))
	}
	return s
}

// The envelope's parser accepts exactly the lines that are JSON objects, and
// what it reads of one the second time is what it read the first time.
func FuzzEnvelope(f *testing.F) {
	for _, s := range seeds(f) {
		for _, line := range strings.Split(s, "\n") {
			f.Add([]byte(line))
		}
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		line = bytes.Trim(line, " \t\r\n")
		if bytes.Count(line, []byte{'['})+bytes.Count(line, []byte{'{'}) > 9000 {
			return // where nesting ends is not agreed upon
		}
		var p parsed
		s := scan{b: line, how: verify}
		object := len(line) > 0 && line[0] == '{' && json.Valid(line)
		if got := s.object(&p); got != object {
			t.Fatalf("accepted: %v, is a JSON object: %v: %q", got, object, line)
		}
		if fast := (scan{b: line, how: verify}); object {
			var u parsed
			if fast.usual(&u) && (p.check() != "" || !reflect.DeepEqual(u, p)) {
				t.Fatalf("read at once it is %+v, member by member %+v: %q", u, p, line)
			}
		} else if fast.usual(new(parsed)) {
			t.Fatalf("no JSON object, and read at once all the same: %q", line)
		}
		why := parseLine(line, verify, 0, new(parsed))
		if why != "" {
			return
		}
		p = parsed{}
		_ = parseLine(line, verify, 0, &p)
		flags := p.flags
		first, why := p.frame(flags)
		if why != "" {
			t.Fatalf("a frame when it was checked, and then: %s: %q", why, line)
		}
		p = parsed{}
		if why := parseLine(line, trust, flags, &p); why != "" {
			t.Fatalf("read again: %s: %q", why, line)
		}
		again, why := p.frame(flags)
		if d := differ(first, again); d != "" || why != "" {
			t.Fatalf("read again: %s %s: %q", d, why, line)
		}
		if m := wire.Member(line, "msg"); first.Form == wire.Msg && !bytes.Equal(bytes.TrimSpace(first.Body), m) {
			t.Fatalf("msg %q, want %q: %q", first.Body, m, line)
		}
	})
}

// Whatever a file holds, it is opened or refused in one line, every frame of
// it can be read, and what is saved of it reads back the same.
func FuzzOpen(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add([]byte(s))
		f.Add([]byte(headerLine + "\n" + s))
	}
	f.Add([]byte(gz(f, headerLine+"\n"+three)))
	f.Add([]byte(zst(f, headerLine+"\n"+three)))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, content []byte) {
		path := filepath.Join(t.TempDir(), "a")
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := Open(path)
		if err != nil {
			if msg := err.Error(); strings.ContainsAny(strings.TrimPrefix(msg, dir), "\n\r\x1b") {
				t.Fatalf("not one line: %q", msg)
			}
			return
		}
		defer r.Close()
		if err := r.Wait(context.Background()); err != nil {
			t.Fatal(err)
		}
		frames := all(t, r)
		asOpened(t, path)
		for i, f := range frames {
			if i > 0 && f.T < frames[i-1].T || f.T < 0 || f.Conn < 1 || f.Seq < 1 || f.Dir == 0 {
				t.Fatalf("frame %d: %+v", i, f)
			}
			for range f.Messages {
			}
		}
		saved := filepath.Join(t.TempDir(), "b")
		if err := r.Save(saved); err != nil {
			t.Fatal(err)
		}
		back := open(t, saved)
		if s := back.Status(); s.SkippedCount > 0 || s.Cut {
			t.Fatalf("saved: %+v", s)
		}
		got := all(t, back)
		for i, f := range frames {
			f.Via = strings.ToValidUTF8(f.Via, "\uFFFD")
			f.Name = strings.ToValidUTF8(f.Name, "\uFFFD")
			if d := differ(f, got[i]); d != "" {
				t.Fatalf("frame %d, saved: %s", i, d)
			}
		}
	})
}
