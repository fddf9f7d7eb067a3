package record

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// passed reads a file in one pass, and copies its frames.
func passed(t testing.TB, path string) ([]wire.Frame, []int, Status, error) {
	t.Helper()
	p, err := Begin(path)
	if err != nil {
		return nil, nil, Status{}, err
	}
	var frames []wire.Frame
	var lines []int
	st, err := p.Each(t.Context(), nil, func(b *Batch) error {
		for i, f := range b.Frames {
			var heads, peeked []wire.Head
			for h := range f.Messages {
				heads = append(heads, h)
			}
			for h := range f.Peeked(nil).Messages {
				peeked = append(peeked, h)
			}
			if !reflect.DeepEqual(heads, peeked) {
				t.Fatalf("line %d has the heads %+v, its bytes say %+v", b.Lines[i], heads, peeked)
			}
			frames = append(frames, copied(f))
			lines = append(lines, b.Lines[i])
		}
		return nil
	})
	return frames, lines, st, err
}

func copied(f wire.Frame) wire.Frame {
	clone := func(b []byte) []byte {
		if b == nil {
			return nil
		}
		return append([]byte{}, b...)
	}
	f = f.Peeked(nil)
	f.Body, f.Data, f.HTTP = clone(f.Body), clone(f.Data), clone(f.HTTP)
	f.Via, f.Name = strings.Clone(f.Via), strings.Clone(f.Name)
	return f
}

// asOpened holds a pass against what Open finds in the same file.
func asOpened(t testing.TB, path string) {
	t.Helper()
	frames, _, st, err := passed(t, path)
	r, openErr := Open(path)
	if (err == nil) != (openErr == nil) || err != nil && err.Error() != openErr.Error() {
		t.Fatalf("a pass says %v, Open says %v", err, openErr)
	}
	if err != nil {
		return
	}
	defer r.Close()
	if err := r.Wait(context.Background()); err != nil {
		t.Fatal(err)
	}
	if len(frames) != r.Len() {
		t.Fatalf("%d frames in a pass, %d when it is opened", len(frames), r.Len())
	}
	for i := range frames {
		f, err := r.Frame(i)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(copied(f), frames[i]) {
			t.Fatalf("frame %d:\n in a pass %+v\nwhen opened %+v", i, frames[i], f)
		}
	}
	want := r.Status()
	if fmt.Sprintf("%+v", st) != fmt.Sprintf("%+v", want) {
		t.Fatalf("status:\n in a pass %+v\nwhen opened %+v", st, want)
	}
}

func TestAPassGivesWhatOpenGives(t *testing.T) {
	long := strings.Repeat("x", 3*chunkBytes)
	var many strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&many, `{"seq":%d,"t":%d.%06d,"conn":1,"dir":"in","via":"stdio","msg":{"jsonrpc":"2.0","method":"m%d","params":{"n":%d}}}`+"\n", i+1, i/1000, i%1000, i%7, i)
		if i%5000 == 77 {
			many.WriteString("no JSON\n" + `{"t":1,"dir":"sideways"}` + "\n\n" + `{"dir":"note","note":"mark","data":{"text":"` + long + `"}}` + "\n")
		}
	}
	contents := map[string]string{
		"three": headerLine + "\n" + three, "no header": three, "cut": headerLine + "\n" + three + `{"seq":9,"t":1,`,
		"no end":       headerLine + "\n" + strings.TrimSuffix(three, "\n"),
		"many":         headerLine + "\n" + many.String(),
		"two headers":  headerLine + "\n" + headerLine + "\n" + three,
		"late header":  "rubbish\n" + headerLine + "\n" + three,
		"mark":         "\xef\xbb\xbf" + headerLine + "\r\n" + strings.ReplaceAll(three, "\n", "\r\n"),
		"blank":        headerLine + "\n\n  \n" + three + "\n\n",
		"nothing":      "",
		"header alone": headerLine,
		"other order":  headerLine + "\n" + `{"msg":{"id":1,"method":"a"},"dir":"out","via":"ws","t":0.5,"seq":4}` + "\n" + `{"dir":"in", "t":1e0, "msg": [{"id":1}], "conn":2}` + "\n",
		"foreign":      snoopLog,
	}
	for name, content := range contents {
		t.Run(name, func(t *testing.T) {
			for _, packed := range []string{"", "gz", "zst"} {
				path := filepath.Join(t.TempDir(), "a.mcpl.jsonl")
				switch packed {
				case "gz":
					content = gz(t, content)
				case "zst":
					content = zst(t, contents[name])
				}
				if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
					t.Fatal(err)
				}
				asOpened(t, path)
			}
		})
	}
}

func TestAPassTellsTheLineOfEachFrame(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.mcpl.jsonl")
	content := "\n" + headerLine + "\n" + `{"dir":"in","msg":1}` + "\nrubbish\n\n" + `{"dir":"in","msg":2}` + "\n"
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	frames, lines, st, err := passed(t, path)
	if err != nil || len(frames) != 2 || !reflect.DeepEqual(lines, []int{3, 6}) || st.SkippedCount != 1 || st.Skipped[0].Line != 4 {
		t.Errorf("%d frames on lines %v, %+v, %v", len(frames), lines, st, err)
	}
}

func TestAPassEndsWhereItIsToldTo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.mcpl.jsonl")
	line := `{"dir":"in","msg":{"pad":"` + strings.Repeat("x", 1000) + `"}}` + "\n"
	if err := os.WriteFile(path, []byte(headerLine+"\n"+strings.Repeat(line, 5000)), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := Begin(path)
	if err != nil {
		t.Fatal(err)
	}
	enough := errors.New("enough")
	if _, err := p.Each(t.Context(), nil, func(*Batch) error { return enough }); !errors.Is(err, enough) {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if p, err = Begin(path); err != nil {
		t.Fatal(err)
	}
	n := 0
	_, err = p.Each(ctx, nil, func(b *Batch) error { n += len(b.Frames); cancel(); return nil })
	if !errors.Is(err, context.Canceled) || n == 0 || n > 2500 {
		t.Errorf("after %d frames: %v", n, err)
	}
	noGoroutines(t)
}
