package ui

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"
)

// writer is an Actions that can write files, into memory.
type writer struct {
	*actions
	files map[string][]byte
	err   error
}

func (w *writer) WriteNew(_ context.Context, file string, from io.Reader) (int64, error) {
	if w.err != nil {
		return 0, w.err
	}
	data, err := io.ReadAll(from)
	if err != nil {
		return 0, err
	}
	w.files[file] = data
	return int64(len(data)), nil
}

func (d *driver) writes() *writer {
	w := &writer{actions: d.act, files: map[string][]byte{}}
	d.m.act = w
	return w
}

func TestSaveMessageWritesTheBytesOfTheFrameAtThePlayhead(t *testing.T) {
	d := replay(t, 100, 30).press(":").typed("goto 41").press("enter")
	w := d.writes()
	want := must(d.m.log().Frame(d.m.cx.At))
	d.press(":").typed("save message my answer.json").press("enter")
	if len(w.files) > 0 {
		t.Fatal("a file was written within Update")
	}
	d.run()
	if got := w.files["my answer.json"]; want.Seq != 41 || !bytes.Equal(got, want.Body) {
		t.Fatalf("wrote %q, want frame %d, %q", got, want.Seq, want.Body)
	}
	d.sees("saved frame 41 to my answer.json, ", " B")
	d.press(":").typed("save 97 call.json").press("enter").run().sees("saved frame 97 to call.json, 122 B", "Wire 41/103")
	want = must(d.m.log().Frame(d.m.log().IndexOf(97)))
	if got := w.files["call.json"]; !bytes.Equal(got, want.Body) {
		t.Fatalf("wrote %q, want %q", got, want.Body)
	}
}

func TestWhatCannotBeSavedIsToldInOneLine(t *testing.T) {
	d := replay(t, 100, 30)
	for _, c := range []struct{ line, sees string }{
		{"save", "save takes a file: save session.mcpl.jsonl, save message answer.json"},
		{"save message", "save message takes a file: save message answer.json"},
		{"save 41", "save 41 takes a file: save 41 answer.json"},
		{"save 400 x", "no frame 400; the last one is 103"},
		{"save message x", "this screen writes no files"},
	} {
		d.press(":").typed(c.line).press("enter").sees(c.sees).press("esc")
	}
	d.writes().err = errors.New("x is there already;\nname another file")
	d.press(":").typed("save 41 x").press("enter").run().sees("not saved: x is there already; name another file")
}

func TestANoteIsSavedAsItsData(t *testing.T) {
	d := replay(t, 100, 30)
	w := d.writes()
	for i := range d.m.cx.Len {
		f := must(d.m.log().Frame(i))
		if len(f.Body) > 0 || len(f.Data) == 0 {
			continue
		}
		d.press(":").typed("save " + itoa(f.Seq) + " note").press("enter").run()
		if !bytes.Equal(w.files["note"], f.Data) {
			t.Errorf("wrote %q, want %q", w.files["note"], f.Data)
		}
		return
	}
	t.Fatal("the recording holds no note with data")
}

func TestThePromptSaysWhatCanBeSaved(t *testing.T) {
	d := replay(t, 100, 30).press(":").typed("goto 41").press("enter")
	d.press(":").typed("sa").sees("copy the recording; message FILE, 41 FILE: the bytes of a frame")
	d.press("tab").sees("save message", "the bytes of the frame at the playhead", "save 41", "the bytes of frame 41")
	d.typed("m").press("tab").typed("f").sees(":save message f")
}
