package record

import (
	"errors"
	"strings"
	"testing"
)

// atOnce checks that frames that are read at once are those read one by one.
func atOnce(t *testing.T, r *Recording, from, to int) {
	t.Helper()
	frames, err := r.FramesIn(from, to, 1<<20)
	if err != nil || len(frames) != to-from {
		t.Fatalf("%d to %d: %d frames, %v", from, to, len(frames), err)
	}
	same(t, all(t, r)[from:to], frames)
}

func TestFramesReadAtOnceAreThoseReadOneByOne(t *testing.T) {
	lines := []string{
		headerLine,
		`{"seq":1,"t":0.1,"conn":1,"dir":"out","via":"stdio","msg":{"jsonrpc":"2.0","id":1,"method":"ping"}}`,
		`no frame`,
		` {"t":0.05,"dir":"in","via":"stdio","text":"not \u00e9 json"}`,
		`{"seq":3,"t":0.3,"conn":2,"dir":"in","via":"http:post:1","http":{"status":200},"b64":"/w=="}`,
		``,
		`{"seq":4,"t":0.4,"conn":2,"dir":"note","note":"mark","data":{"text":"here"}}`,
		`{"seq":5,"t":0.5,"msg":{"a":"` + strings.Repeat("x", 70_000) + `"},"dir":"in","conn":2}`,
		`{"seq":6,"t":0.6,"conn":2,"dir":"err","text":"last"}`,
	}
	r := open(t, fileOf(t, strings.Join(lines, "\n")))
	for from := range r.Len() {
		for to := from + 1; to <= r.Len(); to++ {
			atOnce(t, r, from, to)
		}
	}
	for _, c := range []struct {
		from, to int
		most     int64
	}{{-1, 2, 1 << 20}, {2, 2, 1 << 20}, {0, r.Len() + 1, 1 << 20}, {0, r.Len(), 1000}} {
		if frames, err := r.FramesIn(c.from, c.to, c.most); frames != nil || err != nil {
			t.Errorf("%+v: %d frames, %v", c, len(frames), err)
		}
	}
	_ = r.Close()
	if _, err := r.FramesIn(0, 1, 1<<20); !errors.Is(err, ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

func TestLiveFramesAreReadAtOnceOnceTheFileAloneHasThem(t *testing.T) {
	r, err := CreateSpool(header())
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	n := 3 * keepFrames
	for i := range n {
		r.Append(message(int64(i+1), `{"jsonrpc":"2.0","method":"m"}`))
	}
	until(t, r, "the file alone has the first frames", func(Status) bool {
		frames, err := r.FramesIn(0, keepFrames, 1<<30)
		return err == nil && len(frames) == keepFrames
	})
	atOnce(t, r, 10, 200)
	if frames, err := r.FramesIn(n-1, n, 1<<20); frames != nil || err != nil {
		t.Errorf("the last one is still in memory: %d, %v", len(frames), err)
	}
}
