package record

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

func TestTimesConnectionsAndNumbersAreReadLeniently(t *testing.T) {
	r := open(t, fileOf(t, headerLine+"\n"+strings.Join([]string{
		`{"seq":1,"t":0.123456,"dir":"in","msg":1}`,
		`{"t":0.1,"dir":"in","msg":2}`,                                          // falls; seq missing
		`{"seq":"x","dir":"in","msg":3,"conn":2}`,                               // t missing
		`{"seq":7,"t":1.0000005,"dir":"in","msg":4,"conn":0}`,                   // rounded
		`{"seq":7,"t":1e1,"dir":"in","msg":5,"conn":"2"}`,                       // twice the same
		`{"seq":8.0,"t":16777216.123457,"dir":"in","msg":6}`,                    // more than a float32 holds
		`{"seq":-1,"t":1e300,"dir":"in","msg":7}`,                               // no time at all
		`{"seq":1.5,"t":"17000000","dir":"in","msg":8}`,                         // no number
		`{"seq":9,"t":20000000.0000014999999,"dir":"in","msg":9}`,               // many decimals
		`{"seq":10,"t":-5,"dir":"in","msg":10}`,                                 // negative
		`{"dir":"in","msg":11,"seq":11,"t":30000000,"t":30000001,"conn":3}`,     // twice: the last
		`{"\u0064ir":"in","text":"a\u00e9\ud83d\ude00\ud800","msg":null}`,       // escapes
		`{ "seq": 13, "t": 30000002.0, "dir": "in", "msg": {"a": 1} }`,          // spaces
		`{"msg":{"b":[]},"http":{"status":200},"dir":"in","seq":14,"via":"ws"}`, // any order
	}, "\n")+"\n"))
	got := all(t, r)
	if len(got) != 14 {
		t.Fatalf("%d frames, %+v", len(got), r.Status())
	}
	us := func(n int64) time.Duration { return time.Duration(n) * time.Microsecond }
	for i, want := range []struct {
		seq  int64
		t    time.Duration
		conn int
	}{
		{1, us(123456), 1},
		{2, us(123456), 1},
		{3, us(123456), 2},
		{7, us(1000001), 1},
		{7, us(10_000_000), 1},
		{8, us(16777216_123457), 1},
		{7, us(16777216_123457), 1},
		{8, us(16777216_123457), 1},
		{9, us(20000000_000001), 1},
		{10, us(20000000_000001), 1},
		{11, us(30000001_000000), 3},
		{12, us(30000001_000000), 1},
		{13, us(30000002_000000), 1},
		{14, us(30000002_000000), 1},
	} {
		if f := got[i]; f.Seq != want.seq || f.T != want.t || f.Conn != want.conn {
			t.Errorf("frame %d: seq %d t %v conn %d, want %+v", i, f.Seq, f.T, f.Conn, want)
		}
	}
	if f := got[11]; f.Form != wire.Text || string(f.Body) != "aé😀\ufffd" {
		t.Errorf("escapes: %+q", f.Body)
	}
	if f := got[12]; string(f.Body) != `{"a": 1}` {
		t.Errorf("spaces: %q", f.Body)
	}
	if f := got[13]; string(f.Body) != `{"b":[]}` || string(f.HTTP) != `{"status":200}` || f.Via != "ws" {
		t.Errorf("order: %+v", f)
	}
}

func TestABodyThatIsNoUTF8IsNoMessage(t *testing.T) {
	r := open(t, fileOf(t, headerLine+"\n"+`{"seq":1,"t":0,"dir":"in","via":"stdio","msg":{"a":"`+"\xff"+`"}}`+"\n"))
	f := all(t, r)[0]
	if f.Form != wire.Binary || string(f.Body) != "{\"a\":\"\xff\"}" {
		t.Errorf("frame %+v", f)
	}
}

func TestRecordingsOfOtherHandsAreRead(t *testing.T) {
	for file, want := range map[string]int{"http": 160, "pretty": 7} {
		r := open(t, filepath.Join("testdata", file+Ext))
		if s := r.Status(); s.SkippedCount > 0 || s.Cut {
			t.Errorf("%s: %+v", file, s)
		}
		if r.Len() != want {
			t.Errorf("%s: %d frames, want %d", file, r.Len(), want)
		}
		for _, f := range all(t, r) {
			if f.IsMessage() && f.Form == wire.Msg && !wire.Valid(f.Body) {
				t.Errorf("%s: frame %d is no JSON", file, f.Seq)
			}
		}
	}
}

func TestALaterFormatIsRefused(t *testing.T) {
	_, err := Open(fileOf(t, strings.Replace(headerLine, `:1,`, `:2,`, 1)+"\n"+three))
	if !errors.Is(err, ErrNewer) || !strings.Contains(err.Error(), "this program reads 1") {
		t.Errorf("error %v", err)
	}
}

func TestAHeaderToleratesWhatItDoesNotKnow(t *testing.T) {
	r := open(t, fileOf(t, `{"more":{"x":[]},"mcpl_recording":1,"started":7,"tool":{},"id":"ü","target":{"kind":"ws","url":"ws://h/p","z":1,"command":"no list"},"redacted":true}`+"\n"+three))
	h := r.Header()
	if h.ID != "ü" || !h.Started.IsZero() || h.Tool != "" || h.Target.URL != "ws://h/p" || !h.Redacted || h.Version != 1 {
		t.Errorf("header %+v", h)
	}
}
