package record

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

const three = `{"seq":1,"t":0.000123,"conn":1,"dir":"out","via":"stdio","msg":{"id":1}}
{"seq":2,"t":1.5,"conn":1,"dir":"in","via":"stdio","msg":{"id":1,"result":{}}}
{"seq":3,"t":2,"conn":2,"dir":"err","via":"stdio","text":"warn"}
`

func gz(t testing.TB, s string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.WriteString(w, s); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func zst(t testing.TB, s string) string {
	t.Helper()
	e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	return string(e.EncodeAll([]byte(s), nil))
}

func TestARecordingOpensPlainPackedAndFromAPipe(t *testing.T) {
	content := headerLine + "\n" + three
	want := all(t, open(t, fileOf(t, content)))
	if len(want) != 3 || want[2].Dir != wire.Err || want[2].Conn != 2 || want[1].T != 1500*time.Millisecond {
		t.Fatalf("frames %+v", want)
	}
	for name, packed := range map[string]string{
		"gzip": gz(t, content), "zstd": zst(t, content), "gzip in pieces": gz(t, headerLine+"\n") + gz(t, three),
		"with a BOM": "\xef\xbb\xbf" + content, "with CRLF": strings.ReplaceAll(content, "\n", "\r\n"),
		"with blank lines":          "\n\n" + strings.ReplaceAll(content, "\n", "\n \n"),
		"without a last line's end": strings.TrimSuffix(content, "\n"),
	} {
		t.Run(name, func(t *testing.T) {
			path := fileOf(t, packed) // its name says nothing of the packing
			r := open(t, path)
			same(t, want, all(t, r))
			if s := r.Status(); s.Cut || s.SkippedCount > 0 || s.Err != nil || s.Loading != 1 || s.Live {
				t.Errorf("status %+v", s)
			}
			if h := r.Header(); h.ID != "test-1" || !h.Started.Equal(begun) || h.Target.Command[1] != "server.js" {
				t.Errorf("header %+v", h)
			}
			if err := r.Close(); err != nil {
				t.Fatal(err)
			}
			noGoroutines(t)
		})
	}
}

func TestStandardInputIsReadWhileItComes(t *testing.T) {
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	stdin := os.Stdin
	os.Stdin = in
	defer func() { os.Stdin = stdin }()
	if _, err := io.WriteString(out, headerLine+"\n"+three); err != nil {
		t.Fatal(err)
	}
	r, err := Open("-")
	if err != nil {
		t.Fatal(err)
	}
	until(t, r, "three frames", func(Status) bool { return r.Len() == 3 })
	if s := r.Status(); s.Loading != 0 || s.Path != "" {
		t.Errorf("while it comes: %+v", s)
	}
	if _, err := io.WriteString(out, `{"seq":4,"t":3,"dir":"note","note":"mark"}`); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	if err := r.Wait(context.Background()); err != nil {
		t.Fatal(err)
	}
	if r.Len() != 4 {
		t.Errorf("%d frames", r.Len())
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	noGoroutines(t)
}

func TestCloseEndsAnIndexerThatWaitsForItsPipe(t *testing.T) {
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	stdin := os.Stdin
	os.Stdin = in
	defer func() { os.Stdin = stdin }()
	if _, err := io.WriteString(out, headerLine+"\n"+three+`{"seq":4,"t":`); err != nil {
		t.Fatal(err)
	}
	r, err := Open("-")
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Frame(0); !errors.Is(err, ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
	if r.Status().Cut {
		t.Error("what was not read because of Close is no cut")
	}
	noGoroutines(t)
}

func TestTheFirstFramesAreThereWhenOpenReturns(t *testing.T) {
	var b strings.Builder
	b.WriteString(headerLine + "\n")
	for i := range 60_000 {
		b.Write(appendFrame(nil, message(int64(i)+1, `{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":1}}`)))
	}
	r, err := Open(fileOf(t, b.String()))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if r.Len() == 0 {
		t.Error("no frame yet")
	}
	if f, err := r.Frame(0); err != nil || f.Seq != 1 {
		t.Errorf("frame 0: %+v, %v", f, err)
	}
	if err := r.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r.Len() != 60_000 || r.Status().Loading != 1 || r.Status().Bytes != int64(b.Len()) {
		t.Errorf("%d frames, %+v", r.Len(), r.Status())
	}
	for _, i := range []int{59_999, 0, 30_000, 29_999, 4095, 4096} {
		if f, err := r.Frame(i); err != nil || f.Seq != int64(i)+1 {
			t.Fatalf("frame %d: %+v, %v", i, f, err)
		}
	}
	if _, err := r.Frame(60_000); err == nil {
		t.Error("there is no such frame")
	}
	if _, err := r.Frame(-1); err == nil {
		t.Error("there is no such frame")
	}
}

func TestACutEndIsTheEnd(t *testing.T) {
	whole := headerLine + "\n" + three
	t.Run("in a line", func(t *testing.T) {
		for cut := len(headerLine) + 2; cut < len(whole); cut++ {
			r := open(t, fileOf(t, whole[:cut]))
			s := r.Status()
			n := strings.Count(whole[:cut], "\n") - 1
			atEnd := whole[cut-1] == '\n' || whole[cut] == '\n'
			if whole[cut] == '\n' {
				n++ // complete, without a line's end
			}
			if r.Len() != n || s.Cut == atEnd || s.SkippedCount != 0 {
				t.Fatalf("cut at %d: %d frames, want %d; %+v", cut, r.Len(), n, s)
			}
		}
	})
	long := headerLine + "\n" + strings.Repeat(three, 3000)
	for name, pack := range map[string]func(testing.TB, string) string{"gzip": gz, "zstd": zst} {
		t.Run(name, func(t *testing.T) {
			packed := pack(t, long)
			r := open(t, fileOf(t, packed[:len(packed)-9]))
			if s := r.Status(); !s.Cut || s.Err != nil {
				t.Errorf("status %+v", s)
			}
		})
	}
}

func TestDamagedPackedDataEndTheRecordingAndAreTold(t *testing.T) {
	var b strings.Builder
	for i := range 50_000 {
		b.Write(appendFrame(nil, message(int64(i)+1, `{"n":`+strings.Repeat("7", i%50+1)+`}`)))
	}
	packed := []byte(gz(t, headerLine+"\n"+b.String()))
	for i := range 64 {
		packed[len(packed)/2+i] ^= 0xff
	}
	r := open(t, fileOf(t, string(packed)))
	s := r.Status()
	if s.Err == nil || !s.Cut || r.Len() == 0 || r.Len() >= 50_000 {
		t.Fatalf("%d frames, %+v", r.Len(), s)
	}
	if !strings.Contains(s.Err.Error(), "gzip data are damaged after line") {
		t.Errorf("error %q", s.Err)
	}
}

func TestUnreadableLinesAreSkippedAndNamed(t *testing.T) {
	r := open(t, fileOf(t, headerLine+"\n"+
		`{"seq":1,"t":0.1,"conn":1,"dir":"in","via":"stdio","msg":{"a":1}}`+"\n"+
		"npm WARN something\n"+
		`{"seq":2,"t":0.2,"conn":1,"dir":"in","via":"stdio","msg":{"a":}}`+"\n"+
		`[1,2]`+"\n"+
		`{"seq":3,"t":0.3}`+"\n"+
		`{"seq":3,"t":0.3,"dir":"sideways","msg":{}}`+"\n"+
		`{"seq":3,"t":0.3,"dir":"in"}`+"\n"+
		`{"seq":3,"t":0.3,"dir":"in","b64":"***"}`+"\n"+
		`{"seq":3,"t":0.3,"dir":"in","text":7}`+"\n"+
		headerLine+"\n"+
		strings.Repeat("\x00", 50)+"\n"+
		`{"seq":9,"t":0.4,"dir":"note","note":"never heard of","data":{}, "more":[{}], "x":null}`+"\n"+
		`{"seq":10,"t":0.5,"dir":"in"}`))
	got := all(t, r)
	if len(got) != 2 || got[1].Seq != 9 || got[1].Name != "never heard of" || got[1].Conn != 1 {
		t.Fatalf("frames %+v", got)
	}
	want := []Skipped{
		{3, "it is no JSON"},
		{4, "it is no JSON"},
		{5, "it is no JSON object"},
		{6, "it has no direction (dir)"},
		{7, `its direction "sideways" is none of out, in, err, note`},
		{8, "it has no message: neither msg, text nor b64"},
		{9, "its b64 is no base64"},
		{10, "its text is no string"},
		{11, "it is a second header: two recordings in one file"},
		{12, "it is no JSON"},
		{14, "it has no message: neither msg, text nor b64"},
	}
	s := r.Status()
	if len(s.Skipped) != len(want) || s.SkippedCount != len(want) || s.Cut {
		t.Fatalf("status %+v", s)
	}
	for i, w := range want {
		if s.Skipped[i] != w {
			t.Errorf("skipped %+v, want %+v", s.Skipped[i], w)
		}
	}
}

func TestTheListOfSkippedLinesIsBounded(t *testing.T) {
	r := open(t, fileOf(t, headerLine+"\n"+strings.Repeat("bad\n", 5000)))
	if s := r.Status(); s.SkippedCount != 5000 || len(s.Skipped) != maxSkipped {
		t.Errorf("%d of %d", len(s.Skipped), s.SkippedCount)
	}
}

func TestALineBeyondTheLimitIsSkippedAndTheRestIsRead(t *testing.T) {
	long := `{"seq":1,"t":0,"dir":"in","msg":"` + strings.Repeat("x", 3<<20) + `"}`
	src, err := openSource(fileOf(t, headerLine+"\n"+long+"\n"+three+long))
	if err != nil {
		t.Fatal(err)
	}
	x := &indexer{src: src, limit: 1 << 20}
	v, err := x.sniff()
	if err != nil {
		t.Fatal(err)
	}
	r := newRecording("", v.header)
	r.input, r.file = src, src.in
	r.pages = &pages{f: r.file}
	x.start(r, v)
	defer r.Close()
	if err := r.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := all(t, r); len(got) != 3 || got[2].Conn != 2 {
		t.Errorf("frames %+v", got)
	}
	if s := r.Status(); len(s.Skipped) != 1 || s.Skipped[0].Line != 2 || !s.Cut {
		t.Errorf("status %+v", s)
	}
}

func TestAFileWhoseHeaderIsDamagedOrMissingIsOpenedWithAWarning(t *testing.T) {
	for name, c := range map[string]struct {
		content string
		skipped string
	}{
		"damaged":           {headerLine[:50] + "\n" + three, "the header cannot be read: it is no JSON"},
		"of another type":   {`{"mcpl_recording":"one"}` + "\n" + three, "the header cannot be read: it has no direction (dir)"},
		"preceded by noise": {"> npx server\n" + headerLine + "\n" + three, "it is no JSON"},
		"missing":           {three, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := open(t, fileOf(t, c.content))
			if r.Len() != 3 {
				t.Errorf("%d frames", r.Len())
			}
			s := r.Status()
			if c.skipped == "" {
				if s.SkippedCount != 1 || s.Skipped[0].Line != 1 || !strings.Contains(s.Skipped[0].Why, "no header") {
					t.Errorf("status %+v", s)
				}
				return
			}
			if s.SkippedCount != 1 || s.Skipped[0] != (Skipped{1, c.skipped}) {
				t.Errorf("status %+v", s)
			}
		})
	}
}

// Who asks knows for which frame; the recording says what is wrong.
func TestAFileThatIsChangedWhileItIsOpenSaysSoOnce(t *testing.T) {
	line := `{"seq":1,"t":0,"conn":1,"dir":"in","via":"stdio","msg":{"jsonrpc":"2.0","method":"m"}}` + "\n"
	path := fileOf(t, `{"mcpl_recording":1,"id":"r","started":"2026-11-29T10:00:00.000000Z","tool":"t 1","target":{"kind":"demo"},"redacted":false}`+"\n"+strings.Repeat(line, 20_000))
	r := open(t, path)
	if err := os.Truncate(path, 300); err != nil {
		t.Fatal(err)
	}
	const shorter = "the file has become shorter"
	if _, err := r.Frame(19_000); err == nil || err.Error() != shorter {
		t.Errorf("a frame: %v", err)
	}
	if _, err := r.FramesIn(19_000, 19_010, 1<<20); err == nil || err.Error() != shorter {
		t.Errorf("frames: %v", err)
	}
}
