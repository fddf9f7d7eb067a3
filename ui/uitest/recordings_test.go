package uitest

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

func eachRecording(t *testing.T, check func(t *testing.T, recording []byte)) {
	for name, recording := range Recordings() {
		t.Run(name, func(t *testing.T) { check(t, recording) })
	}
}

func TestFilesAreWhatTheirGeneratorsMake(t *testing.T) {
	want := map[string]bool{}
	for name, recording := range Recordings() {
		path := filepath.Join("testdata", name+".mcpl.jsonl")
		want[path] = true
		if Updating() {
			if err := os.WriteFile(path, recording, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatalf("reading a recording: %v (go test -run Files -update writes it)", err)
		}
		if !bytes.Equal(got, recording) {
			t.Errorf("%s differs from its generator; go test -run Files -update writes it", path)
		}
	}
	files, err := filepath.Glob(filepath.Join("testdata", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		if !want[path] {
			t.Errorf("%s has no generator", path)
		}
	}
}

func TestGeneratorsMakeTheSameBytesEachTime(t *testing.T) {
	again := Recordings()
	eachRecording(t, func(t *testing.T, recording []byte) {
		name := t.Name()[strings.LastIndexByte(t.Name(), '/')+1:]
		if !bytes.Equal(recording, again[name]) {
			t.Error("two calls gave different bytes")
		}
	})
}

func TestEveryLineIsOneValidObject(t *testing.T) {
	eachRecording(t, func(t *testing.T, recording []byte) {
		if !utf8.Valid(recording) || !bytes.HasSuffix(recording, []byte("\n")) {
			t.Fatal("no UTF-8, or the last line has no end")
		}
		lines := strings.Split(strings.TrimSuffix(string(recording), "\n"), "\n")
		for i, line := range lines {
			var members map[string]json.RawMessage
			if err := json.Unmarshal([]byte(line), &members); err != nil {
				t.Errorf("line %d: %v", i+1, err)
			}
			if _, header := members["mcpl_recording"]; header != (i == 0) {
				t.Errorf("line %d: the header is line 1, and only that", i+1)
			}
		}
	})
}

func TestFramesAreNumberedOneByOneAndTimeNeverFalls(t *testing.T) {
	eachRecording(t, func(t *testing.T, recording []byte) {
		last, high := timeline.Frame{Conn: 1}, 1
		for _, f := range all(t, Frames(recording)) {
			if f.Seq != last.Seq+1 || f.T < last.T || f.Conn < 1 || f.Conn > high+1 {
				t.Errorf("frame %d at %v of connection %d after frame %d at %v of connection %d",
					f.Seq, f.T, f.Conn, last.Seq, last.T, last.Conn)
			}
			last, high = f, max(high, f.Conn)
		}
	})
}

func TestMessagesAreJSONRPCAndAnswersAnswerSomething(t *testing.T) {
	eachRecording(t, func(t *testing.T, recording []byte) {
		open := map[string]bool{}
		for _, f := range all(t, Frames(recording)) {
			if f.IsMessage() && f.Form != wire.Msg && t.Name() != "TestMessagesAreJSONRPCAndAnswersAnswerSomething/many" {
				t.Errorf("frame %d is no message on one line", f.Seq)
			}
			for h := range f.Messages {
				key := f.Dir.String() + " " + h.ID.Key()
				switch h.Kind {
				case timeline.Request:
					open[key] = true
				case timeline.Result, timeline.Error:
					asked := map[timeline.Dir]string{timeline.In: "out ", timeline.Out: "in "}[f.Dir] + h.ID.Key()
					if !open[asked] {
						t.Errorf("frame %d answers %s, which is not open", f.Seq, asked)
					}
					delete(open, asked)
				case timeline.Invalid:
					t.Errorf("frame %d is no JSON-RPC", f.Seq)
				}
			}
		}
	})
}

func TestEachStartIsWhatItIsFor(t *testing.T) {
	for _, c := range []struct {
		name   string
		frames int
		last   string // what stands in the last frame
		has    []string
		not    []string
	}{
		{"failed", 9, `{"by":"server","code":1}`, []string{`Cannot find module`, `"cwd":"/home/dev/goban"`}, []string{`"dir":"in"`}},
		{"silent", 2, `"method":"initialize"`, nil, []string{`"dir":"in"`}},
		{"empty", 12, `"rev":1`, []string{`"tools":[],"_meta":{"mcpl/rev":0}`}, nil},
		{"ended", 97, `{"by":"server","code":137}`, []string{`"rev":41`}, nil},
		{"plain", 14, `"isError":true`, []string{`tools/list_changed`}, []string{`"result":{"accepted"`, `featureSets/update`, `mcpl/`}},
		{"nohints", 13, `"accepted":true`, []string{`"mcpl":{"version":"0.5","pushEvents":true`}, []string{`mcpl/`, `"hints":`}},
		{"reconnect", 42, `"rev":9`, []string{`"conn":2`, `"rev":7`, `"http:get:2"`, `"id":"e-17"`}, []string{`"rev":8`, `"stdio"`}},
		{"many", 36, `stderr without an end`, append(ManyInstances(), `"b64":`, "\u202e", `\u001b[2J`), nil},
	} {
		recording := Recordings()[c.name]
		if n := Frames(recording).Len(); n != c.frames {
			t.Errorf("%s has %d frames, not %d", c.name, n, c.frames)
		}
		_, body, _ := bytes.Cut(recording, []byte("\n"))
		lines := bytes.Split(bytes.TrimSuffix(body, []byte("\n")), []byte("\n"))
		if last := string(lines[len(lines)-1]); !strings.Contains(last, c.last) {
			t.Errorf("%s ends with %s, not with %s", c.name, last, c.last)
		}
		for _, s := range c.has {
			if !bytes.Contains(recording, []byte(s)) {
				t.Errorf("%s lacks %q", c.name, s)
			}
		}
		frames := bytes.ReplaceAll(body, []byte(initialize()), nil)
		for _, s := range c.not {
			if bytes.Contains(frames, []byte(s)) {
				t.Errorf("%s has %q", c.name, s)
			}
		}
	}
}

func TestManyHas40ToolsWithDifferentNames(t *testing.T) {
	names := map[string]bool{}
	for _, tool := range manyTools() {
		names[member[string](t, tool, "name")] = true
	}
	if len(names) != 40 || len(manyLongName) != 64 || len(ManyInstances()) != 5 {
		t.Errorf("%d names, a toolset's name of %d bytes, %d instances", len(names), len(manyLongName), len(ManyInstances()))
	}
}

func TestATapeShowsWhatItIsCutTo(t *testing.T) {
	whole := Frames(Goban())
	cut := whole.Cut(96)
	if cut.Len() != 96 || whole.Len() != 103 {
		t.Fatalf("cut %d, whole %d", cut.Len(), whole.Len())
	}
	if _, err := cut.Frame(96); err == nil {
		t.Error("a frame beyond the cut can be read")
	}
	cut.Show(97)
	if f, err := cut.Frame(96); err != nil || f.Seq != 97 {
		t.Errorf("after Show(97): frame %d, %v", f.Seq, err)
	}
	h := whole.Header
	if h.Target.Kind != "stdio" || strings.Join(h.Target.Command, " ") != "node dist/server.js" || h.Target.Dir != "/home/dev/goban" ||
		h.Started.Format("2 Jan, 15:04") != "29 Nov, 10:00" {
		t.Errorf("header %+v", h)
	}
}

func TestATapeKeepsBytesTextAndBinary(t *testing.T) {
	forms := map[string]string{}
	for _, f := range all(t, Frames(Many())) {
		switch f.Form {
		case wire.Binary:
			forms["binary"] = string(f.Body)
		case wire.Text:
			if f.Dir == timeline.In {
				forms["text"] = string(f.Body)
			}
		}
	}
	if forms["binary"] != "caf\xe9 \xff\xfe open" || forms["text"] != "listening on stdio ... 好的" {
		t.Errorf("%q", forms)
	}
	if !bytes.Contains(Goban(), all(t, Frames(Goban()))[94].Body) {
		t.Error("a message's bytes are not those of the recording")
	}
}

func TestASourceSignalsWhenItsTapeGoesOn(t *testing.T) {
	s := NewSource(t, Frames(Goban()).Cut(BoardFrames))
	select {
	case <-s.Changed():
		t.Fatal("a signal before anything changed")
	default:
	}
	s.Show(BoardFrames + 1)
	s.Show(WireFrames)
	<-s.Changed()
	if s.Tape.Len() != WireFrames || s.Log() == nil {
		t.Errorf("%d frames", s.Tape.Len())
	}
}

func all(t *testing.T, tape *Tape) []timeline.Frame {
	t.Helper()
	frames := make([]timeline.Frame, tape.Len())
	for i := range frames {
		f, err := tape.Frame(i)
		if err != nil {
			t.Fatal(err)
		}
		frames[i] = f
	}
	return frames
}

// member reads one member of a JSON object.
func member[T any](t *testing.T, raw, name string) T {
	t.Helper()
	var members map[string]json.RawMessage
	var v T
	if err := json.Unmarshal([]byte(raw), &members); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(members[name], &v); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return v
}
