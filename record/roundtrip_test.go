package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

var bodies = rapid.OneOf(
	rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) []byte { return b }),
	rapid.Map(rapid.String(), func(s string) []byte { return []byte(s) }),
	rapid.Map(rapid.String(), func(s string) []byte {
		b, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "method": s, "params": []string{s, "\u2028<&>"}})
		return b
	}),
	rapid.Just([]byte(` {"a" : 1 } `)),
	rapid.Just([]byte("\t[1,2]")),
	rapid.Just([]byte("{\n \"a\": 1\r\n}")),
	rapid.Just([]byte(`"msg":{}}`)),
	rapid.Just([]byte(`null`)),
	rapid.Just([]byte("\xff\xfe\x00{}")),
	rapid.Just([]byte("{\"a\":\"\xff\"}")),
	rapid.Just([]byte("\x00\x1b[31m\u202e\u2028\x7f\ufffd\\\"/")),
	rapid.Just(bytes.Repeat([]byte(`{"x":"`+strings.Repeat("long ", 14000)+`"}`), 1)),
	rapid.Just(bytes.Repeat([]byte("stderr \x01 "), 8000)),
)

func frames(t *rapid.T) []wire.Frame {
	var at time.Duration
	var fs []wire.Frame
	for i := range rapid.IntRange(0, 25).Draw(t, "frames") {
		at += time.Duration(rapid.Int64Range(0, 5_000_000).Draw(t, "µs")) * time.Microsecond
		f := wire.Frame{
			Seq: int64(i) + 1, T: at, Conn: rapid.IntRange(1, 300).Draw(t, "conn"),
			Dir: rapid.SampledFrom([]wire.Dir{wire.In, wire.Out, wire.Err, wire.Note}).Draw(t, "dir"),
			Via: rapid.SampledFrom([]string{"stdio", "ws", "http:post:12", "http:get:1", "", "\"odd\"\n"}).Draw(t, "via"),
		}
		if f.Dir == wire.Note {
			f.Name = rapid.SampledFrom([]string{"connect", "closed", "mark", "", "ünknown\\"}).Draw(t, "note")
			f.Data = rapid.SampledFrom([][]byte{nil, []byte(`{"by":"server","code":1}`), []byte(`{"text":"} , \" "}`)}).Draw(t, "data")
		} else {
			f.Body = bodies.Draw(t, "body")
			f.Form = wire.FormOf(f.Body)
		}
		f.HTTP = rapid.SampledFrom([][]byte{nil, []byte(`{"status":202,"headers":{"a":"}"}}`)}).Draw(t, "http")
		fs = append(fs, f)
	}
	return fs
}

func TestFramesReadBackAsTheyWereAppended(t *testing.T) {
	dir := t.TempDir()
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		path := filepath.Join(dir, fmt.Sprintf("%d.mcpl.jsonl", n))
		want := frames(t)
		live, err := Create(path, header())
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range want {
			live.Append(f)
		}
		check := func(r *Recording, what string) {
			if r.Len() != len(want) {
				t.Fatalf("%s: %d frames, want %d", what, r.Len(), len(want))
			}
			for i := range want {
				got, err := r.Frame(i)
				if err != nil {
					t.Fatalf("%s: %v", what, err)
				}
				if d := differ(want[i], got); d != "" {
					t.Fatalf("%s: frame %d differs: %s", what, i, d)
				}
			}
		}
		check(live, "live")
		saved := path + ".copy.gz"
		if err := live.Save(saved); err != nil {
			t.Fatal(err)
		}
		if err := live.Close(); err != nil {
			t.Fatal(err)
		}
		for _, p := range []string{path, saved} {
			r, err := Open(p)
			if err != nil {
				t.Fatal(err)
			}
			if err := r.Wait(t.Context()); err != nil {
				t.Fatal(err)
			}
			if s := r.Status(); s.Cut || s.SkippedCount > 0 || s.Err != nil {
				t.Fatalf("status %+v", s)
			}
			check(r, p)
			if got, want := string(r.Header().append(nil)), headerLine; got != want {
				t.Fatalf("header %s, want %s", got, want)
			}
			_ = r.Close()
			_ = os.Remove(p)
		}
	})
}

// Each frame must be one line of JSON for any other reader, and hold the
// message as a substring, byte for byte.
func TestEachFrameIsOneLineOfJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for _, f := range frames(t) {
			line := appendFrame(nil, tidy(f))
			if n := bytes.IndexByte(line, '\n'); n != len(line)-1 {
				t.Fatalf("line's end at %d of %d", n, len(line))
			}
			if !json.Valid(line) {
				t.Fatalf("no JSON: %.300q", line)
			}
			if f.Form == wire.Msg && !bytes.Contains(line, append([]byte(`"msg":`), f.Body...)) {
				t.Fatalf("the message is not there byte for byte: %.300q", line)
			}
		}
	})
}

func TestLinesHaveTheMembersAndTheOrderOfTheFormat(t *testing.T) {
	for _, c := range []struct {
		f    wire.Frame
		want string
	}{
		{
			wire.Frame{Seq: 1, T: 123 * time.Microsecond, Conn: 1, Dir: wire.Out, Via: "stdio", Form: wire.Msg, Body: []byte(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`)},
			`{"seq":1,"t":0.000123,"conn":1,"dir":"out","via":"stdio","msg":{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}}`,
		},
		{
			wire.Frame{Seq: 2, T: 61*time.Second + time.Microsecond, Conn: 2, Dir: wire.Err, Via: "stdio", Form: wire.Text, Body: []byte("a \"b\"\n<&>\x1b\u2028")},
			`{"seq":2,"t":61.000001,"conn":2,"dir":"err","via":"stdio","text":"a \"b\"\n<&>\u001b` + "\u2028" + `"}`,
		},
		{
			wire.Frame{Seq: 3, T: time.Hour, Conn: 1, Dir: wire.In, Via: "ws", Form: wire.Binary, Body: []byte{0xff, 0}},
			`{"seq":3,"t":3600.000000,"conn":1,"dir":"in","via":"ws","b64":"/wA="}`,
		},
		{
			wire.Frame{Seq: 4, Conn: 1, Dir: wire.Note, Name: "closed", Data: []byte("{\n\"by\":\"server\",\"code\":1}")},
			`{"seq":4,"t":0.000000,"conn":1,"dir":"note","note":"closed","data":{"by":"server","code":1}}`,
		},
		{
			wire.Frame{Seq: 5, Conn: 1, Dir: wire.In, Via: "http:post:3", Form: wire.Msg, Body: []byte(`{}`), HTTP: []byte(`{"status":202}`)},
			`{"seq":5,"t":0.000000,"conn":1,"dir":"in","via":"http:post:3","http":{"status":202},"msg":{}}`,
		},
	} {
		if got := string(appendFrame(nil, tidy(c.f))); got != c.want+"\n" {
			t.Errorf("got  %swant %s\n", got, c.want)
		}
	}
}

// What would not read back as it is, is put right when it is appended, so
// that live and replay agree.
func TestLiveFramesEqualTheirReplayEvenWhenTheyCameOdd(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.mcpl.jsonl")
	r, err := Create(path, header())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []wire.Frame{
		{Dir: wire.In, T: 1500 * time.Nanosecond, Body: []byte("no form, no seq")},
		{Dir: wire.In, T: -time.Second, Form: wire.Msg, Body: []byte("{\"a\":\n1}")},
		{Dir: wire.In, Form: wire.Text, Body: []byte("\xff")},
		{Dir: wire.In, Form: wire.Msg, Body: []byte("{\"a\":\"\xff\"}")},
		{Dir: wire.Note, Name: "a\xffb", Data: []byte("no JSON"), HTTP: []byte("{")},
		{Dir: wire.Out, Via: "\xff", Name: "not a note", Data: []byte("{}"), Form: wire.Msg, Body: []byte("{}")},
		{Dir: wire.In},
	} {
		r.Append(f)
	}
	live := all(t, r)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	same(t, live, all(t, open(t, path)))
	if live[1].T != time.Microsecond || live[1].Form != wire.Text || live[1].Seq != 2 || live[1].Conn != 1 {
		t.Errorf("second frame %+v", live[1])
	}
}

func TestALineOfAnyLengthIsReadAndWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.mcpl.jsonl")
	r, err := Create(path, header())
	if err != nil {
		t.Fatal(err)
	}
	big := `{"jsonrpc":"2.0","result":"` + strings.Repeat("0123456789abcdef", 4<<20) + `"}` // 64 MiB
	noise := make([]byte, 3<<20)
	for i := range noise {
		noise[i] = byte(rand.IntN(256))
	}
	want := []wire.Frame{message(1, `{"a":1}`), message(2, big), message(3, `{"a":3}`), message(4, string(noise)), message(5, strings.Repeat("\n", 1<<20)), message(6, `{}`)}
	for _, f := range want {
		r.Append(f)
	}
	same(t, want, all(t, r))
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	back := open(t, path)
	same(t, want, all(t, back))
	for i := len(want) - 1; i >= 0; i-- {
		if f, err := back.Frame(i); err != nil || differ(f, want[i]) != "" {
			t.Fatalf("backwards, frame %d: %v", i, err)
		}
	}
}
