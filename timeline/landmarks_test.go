package timeline_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/timeline/timelinetest"
)

// talk makes a session of lines such as "1 out {…}", "2 err text", "1 note
// closed".
func talk(lines ...string) tape {
	var out tape
	for i, l := range lines {
		var conn int
		var dir string
		_, _ = fmt.Sscan(l, &conn, &dir)
		body := strings.SplitN(l, " ", 3)[2]
		f := wire.Frame{Seq: int64(i + 1), Conn: conn, Via: "stdio"}
		f.Dir, _ = wire.ParseDir(dir)
		if f.Dir == wire.Note {
			f.Name = body
		} else {
			f.Body, f.Form = []byte(body), wire.FormOf([]byte(body))
		}
		out = append(out, f)
	}
	return out
}

// places writes landmarks as "frame.message<-frame.message".
func places(l *timeline.Log, kind timeline.LandmarkKind, conn int) string {
	marks, earlier := l.Landmarks(kind, conn, l.Len(), 100)
	var out []string
	for _, m := range marks {
		s := fmt.Sprintf("%d.%d", m.Index, m.Message)
		if m.Of >= 0 {
			s += fmt.Sprintf("<-%d.%d", m.Of, m.OfMessage)
		}
		out = append(out, s)
	}
	if earlier > 0 {
		out = append(out, fmt.Sprintf("and %d", earlier))
	}
	return strings.Join(out, " ")
}

func TestLandmarksNameWhatTellsOfAConnection(t *testing.T) {
	l := timelinetest.Log(t, talk(
		`1 note connect`,
		`1 note connected`,
		`1 out {"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`,
		`1 in {"jsonrpc":"2.0","id":1,"result":{"capabilities":{}}}`,
		`1 out {"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`1 out {"jsonrpc":"2.0","id":2,"method":"featureSets/update","params":{}}`,
		`1 in {"jsonrpc":"2.0","id":2,"error":{"code":-32601}}`,
		`1 out {"jsonrpc":"2.0","id":3,"method":"tools/list"}`,
		`1 in {"jsonrpc":"2.0","id":3,"result":{"tools":[],"nextCursor":"b"}}`,
		`1 out {"jsonrpc":"2.0","id":4,"method":"tools/list","params":{"cursor":"b"}}`,
		`1 in {"jsonrpc":"2.0","id":4,"result":{"tools":[]}}`,
		`1 out {"jsonrpc":"2.0","id":5,"method":"toolsets/list"}`,
		`1 in {"jsonrpc":"2.0","id":5,"result":{"open":[]}}`,
		`1 out {"jsonrpc":"2.0","id":6,"method":"tools/list"}`,
		`1 in {"jsonrpc":"2.0","id":6,"result":{"tools":[]}}`,
		`1 in [{"jsonrpc":"2.0","method":"x"},{"jsonrpc":"2.0","method":"mcpl/manifestChanged","params":{}}]`,
		`1 out [{"jsonrpc":"2.0","id":7,"method":"ping"},{"jsonrpc":"2.0","id":8,"method":"mcpl/manifest"}]`,
		`1 in [{"jsonrpc":"2.0","id":8,"result":{}},{"jsonrpc":"2.0","id":7,"result":{}}]`,
		`1 note closed`,
		`2 note connect`,
	))
	for kind, want := range map[timeline.LandmarkKind]string{
		timeline.ConnBegan: "0.0", timeline.LinkUp: "1.0", timeline.InitAsked: "2.0", timeline.InitAnswered: "3.0<-2.0",
		timeline.InitDone: "4.0", timeline.GrantAsked: "5.0", timeline.GrantAnswered: "6.0<-5.0",
		timeline.PageAsked: "7.0 9.0", timeline.PageAnswered: "8.0<-7.0 10.0<-9.0", // not the list that was read again
		timeline.ListAsked: "11.0", timeline.ListAnswered: "12.0<-11.0",
		timeline.ManifestAnnounced: "15.1", timeline.ManifestAsked: "16.1", timeline.ManifestAnswered: "17.0<-16.1",
		timeline.LinkDown: "18.0",
	} {
		if got := places(l, kind, 1); got != want {
			t.Errorf("kind %d stands at %q, want %q", kind, got, want)
		}
	}
	if got := places(l, timeline.ConnBegan, 2); got != "19.0" {
		t.Errorf("connection 2 began at %q", got)
	}
	for upTo, want := range map[int][]int{-1: nil, 0: {1}, 18: {1}, 19: {1, 2}} {
		if got, _ := l.Conns(upTo, 10); !slices.Equal(got, want) {
			t.Errorf("up to %d the connections are %v, want %v", upTo, got, want)
		}
	}
	if got, earlier := l.Conns(19, 1); !slices.Equal(got, []int{2}) || earlier != 1 {
		t.Errorf("the last connection is %v, %d earlier", got, earlier)
	}
	if h, ok := timeline.MessageAt(must(l.Frame(17)), 1); !ok || h.ID != "7" {
		t.Errorf("message 1 of frame 17 is %q", h.ID)
	}
	if _, ok := timeline.MessageAt(must(l.Frame(17)), 2); ok {
		t.Error("frame 17 has a third message")
	}
}

func must(f timeline.Frame, err error) timeline.Frame {
	if err != nil {
		panic(err)
	}
	return f
}

// However many there are, the last of them, the first and their number are
// those up to the position that is asked for.
func TestLandmarksUpToAPositionAreThoseThatStandThere(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var lines []string
		for range rapid.IntRange(1, 40).Draw(rt, "n") {
			conn := rapid.IntRange(1, 3).Draw(rt, "conn")
			lines = append(lines, rapid.SampledFrom([]string{
				fmt.Sprintf(`%d in {"jsonrpc":"2.0","method":"mcpl/manifestChanged"}`, conn), fmt.Sprintf(`%d err line`, conn),
				fmt.Sprintf(`%d note connected`, conn),
			}).Draw(rt, "line"))
		}
		l := timelinetest.Log(t, talk(lines...))
		upTo, most := rapid.IntRange(-1, len(lines)).Draw(rt, "upTo"), rapid.IntRange(0, 5).Draw(rt, "most")
		var want []int
		errs, all, began := 0, 0, map[byte]bool{}
		for i, line := range lines {
			if i > upTo {
				break
			}
			if !began[line[0]] {
				began[line[0]] = true
				all++
			}
			switch {
			case strings.Contains(line, "manifestChanged"):
				all++
				if line[0] == '1' {
					want = append(want, i)
				}
			case strings.Contains(line, "err"):
				errs++
			default:
				all++
			}
		}
		marks, earlier := l.Landmarks(timeline.ManifestAnnounced, 1, upTo, most)
		if earlier+len(marks) != len(want) || len(marks) > most {
			rt.Fatalf("%d and %d earlier, want %d", len(marks), earlier, len(want))
		}
		for i, m := range marks {
			if m.Index != want[earlier+i] {
				rt.Fatalf("landmark %d stands at %d, want %d", i, m.Index, want[earlier+i])
			}
		}
		if m, ok := l.FirstLandmark(timeline.ManifestAnnounced, 1, upTo); ok != (len(want) > 0) || ok && m.Index != want[0] {
			rt.Fatalf("the first is %v, %v", m, ok)
		}
		if got := l.LandmarkCount(upTo); got != all {
			rt.Fatalf("%d landmarks, want %d", got, all)
		}
		if got := l.StderrCount(upTo); got != errs {
			rt.Fatalf("%d lines of stderr, want %d", got, errs)
		}
		for n := range errs {
			if i := l.StderrIndex(n); i < 0 || i > upTo || l.Entry(i).Dir != timeline.Err {
				rt.Fatalf("line %d stands at %d", n, i)
			}
		}
		if l.StderrIndex(-1) != -1 || l.StderrIndex(1000) != -1 {
			rt.Fatal("a line that is not there has a place")
		}
	})
}

// A board of the past reduces frames again; that adds no landmark.
func TestLookingBackAddsNoLandmark(t *testing.T) {
	l := timelinetest.Log(t, talk(
		`1 note connect`, `1 in {"jsonrpc":"2.0","method":"mcpl/manifestChanged"}`, `1 err a`, `1 note closed`, `1 err b`,
	))
	n := l.LandmarkCount(l.Len())
	for i := range l.Len() {
		if _, err := l.Board(l.Len() - 1 - i); err != nil {
			t.Fatal(err)
		}
	}
	if got := l.LandmarkCount(l.Len()); got != n || l.StderrCount(l.Len()) != 2 {
		t.Fatalf("%d landmarks became %d", n, got)
	}
}
