package timeline

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// sideTape makes frames in order, ten milliseconds apart.
type sideTape struct{ frames []wire.Frame }

func (s *sideTape) Len() int { return len(s.frames) }

func (s *sideTape) Frame(i int) (wire.Frame, error) { return s.frames[i], nil }

func (s *sideTape) put(f wire.Frame) {
	f.Seq, f.Form = int64(len(s.frames))+1, wire.FormOf(f.Body)
	f.T = time.Duration(len(s.frames)) * 10 * time.Millisecond
	s.frames = append(s.frames, f)
}

func (s *sideTape) note(conn int, name, data string) {
	s.put(wire.Frame{Conn: conn, Dir: wire.Note, Name: name, Data: []byte(data)})
}

func (s *sideTape) say(conn int, dir wire.Dir, body string) {
	s.put(wire.Frame{Conn: conn, Dir: dir, Via: "stdio", Body: []byte(body)})
}

const sideManifest = `{"version":"0.5","toolHints":true,"toolsets":{"game":{"instances":true}}}`

// connect is a handshake with the game's instances open as they are named.
func (s *sideTape) connect(conn int, how string, open ...string) {
	s.note(conn, "connect", how)
	s.say(conn, wire.Out, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{"experimental":{"mcpl":{"toolHints":true}}}}}`)
	s.say(conn, wire.In, `{"jsonrpc":"2.0","id":1,"result":{"serverInfo":{"name":"x"},"capabilities":{"tools":{},"experimental":{"mcpl":`+sideManifest+`}}}}`)
	s.say(conn, wire.Out, `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
	s.say(conn, wire.In, `{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"move","_meta":{"mcpl/toolset":"game"}}]}}`)
	items := ""
	for i, name := range open {
		if i > 0 {
			items += ","
		}
		items += fmt.Sprintf(`{"toolset":"game","instance":%q}`, name)
	}
	s.say(conn, wire.Out, `{"jsonrpc":"2.0","id":3,"method":"toolsets/list"}`)
	s.say(conn, wire.In, `{"jsonrpc":"2.0","id":3,"result":{"open":[`+items+`],"ended":[],"_meta":{"mcpl/hints":{"rev":1}}}}`)
}

func (s *sideTape) hints(conn, rev int, toolsets string) {
	s.say(conn, wire.In, fmt.Sprintf(`{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":%d,"toolsets":[%s]}}`, rev, toolsets))
}

func logOf(t *testing.T, s *sideTape) *Log {
	t.Helper()
	l := NewLog(s)
	for {
		n, err := l.Advance(3)
		if err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			return l
		}
	}
}

func opened(b *Board) (names []string) {
	for _, set := range b.Toolsets {
		for _, in := range set.Instances {
			names = append(names, in.Name)
		}
	}
	return names
}

func TestTwoConnectionsSideBySideKeepTheirOwnStateAndRevs(t *testing.T) {
	s := &sideTape{}
	s.connect(1, `{}`, "a")
	s.connect(2, `{"beside":1}`, "a")
	s.hints(1, 2, `{"toolset":"game","instance":"b","state":"open"}`)
	s.hints(2, 2, `{"toolset":"game","instance":"b","state":"open"}`)
	s.hints(2, 3, `{"toolset":"game","instance":"a","state":"closed"}`)
	s.note(2, "closed", `{"by":"link"}`)
	s.note(2, "retry", `{"in":2.5,"attempt":3}`)
	s.hints(1, 3, `{"toolset":"game","instance":"a","state":"closed"}`)
	s.connect(3, `{"after":2}`, "b")
	s.hints(1, 4, `{"toolset":"game","instance":"c","state":"open"}`)
	l := logOf(t, s)
	if l.Sides() != 2 || l.SideOf(1) != 0 || l.SideOf(2) != 1 || l.SideOf(3) != 1 || l.ConnBefore(3) != 2 || l.ConnBefore(2) != 0 {
		t.Fatalf("sides %d: 1 on %d, 2 on %d, 3 on %d", l.Sides(), l.SideOf(1), l.SideOf(2), l.SideOf(3))
	}
	first, second := l.Side(0), l.Side(1)
	if got := opened(first.Latest()); !slices.Equal(got, []string{"b", "c"}) {
		t.Errorf("open on the first: %v", got)
	}
	if b := second.Latest(); b.Conn != 3 || !slices.Equal(opened(b), []string{"b"}) || b.Index != l.Len()-1 {
		t.Errorf("open on the second: connection %d, %v, frame %d", b.Conn, opened(b), b.Index)
	}
	rows := func(l *Log) (out []string) {
		rows, err := l.Rows(0, l.RowCount())
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			out = append(out, fmt.Sprintf("%d.%d", r.Conn, r.Rev))
		}
		return out
	}
	if got := rows(first); !slices.Equal(got, []string{"1.1", "1.2", "1.3", "1.4"}) {
		t.Errorf("revs of the first: %v", got)
	}
	if got := rows(second); !slices.Equal(got, []string{"2.1", "2.2", "2.3", "3.1"}) {
		t.Errorf("revs of the second: %v", got)
	}
	if got := rows(l); len(got) != 8 {
		t.Errorf("revs of both: %v", got)
	}
	if got := second.Seams(); len(got) != 1 || got[0] != (Seam{Row: 3, Conn: 3}) || first.Seams() != nil {
		t.Errorf("seams: %v, %v", first.Seams(), got)
	}
	past := l.RowIndex(l.RowOf(1, 2)) // the second has not heard of b yet
	b, err := l.BoardOf(2, past)
	if err != nil || !slices.Equal(opened(b), []string{"a"}) || b.Index != past {
		t.Errorf("the second, when the first opened b: %v at %d: %v", opened(b), b.Index, err)
	}
	if n := second.RowAt(past); n != 0 || l.ConnAt(1, past) != 2 || l.ConnAt(1, 0) != 0 {
		t.Errorf("there the second is at row %d of connection %d", n, l.ConnAt(1, past))
	}
	if same, err := second.Board(past); err != nil || !slices.Equal(opened(same), []string{"a"}) || same.Conn != 2 {
		t.Errorf("on its own log: connection %d, %v, %v", same.Conn, opened(same), err)
	}
	if none, err := second.Board(2); err != nil || none.Conn != 0 || none.Index != 2 {
		t.Errorf("before it began: %+v, %v", none, err)
	}
	if _, err := l.BoardOf(3, past); err == nil {
		t.Error("a connection has a state before it began")
	}
	two, err := l.BoardOf(2, l.Len()-1)
	if err != nil || two.Link.Retry == nil || two.Link.Retry.In != 2500*time.Millisecond || two.Link.Retry.Attempt != 3 || two.Link.Phase != Closed {
		t.Errorf("what follows the end: %+v, %v", two.Link.Retry, err)
	}
}

func TestEachLostRevIsToldOfItsConnection(t *testing.T) {
	s := &sideTape{}
	s.connect(1, `{}`)
	s.connect(2, `{"beside":1}`)
	s.hints(1, 4, "")
	l := logOf(t, s)
	if l.Gaps(1) != 1 || l.Gaps(2) != 0 {
		t.Errorf("gaps: %d on 1, %d on 2", l.Gaps(1), l.Gaps(2))
	}
}

func TestWhatIsHeldIsLetGoOnEachConnectionThatIsOpen(t *testing.T) {
	s := &sideTape{}
	early := func(conn int) {
		s.put(wire.Frame{Conn: conn, Dir: wire.In, Via: "http:get:1", Body: []byte(`{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":3}}`)})
	}
	s.connect(1, `{}`)
	s.connect(2, `{"beside":1}`)
	early(2)
	at := s.frames[len(s.frames)-1].T
	early(1)
	l := logOf(t, s)
	if n, until, held := l.HoldUntil(); !held || n != 2 || until != at+holdTime {
		t.Errorf("held on %d until %s: %v", n, until, held)
	}
	s.note(2, "closed", `{}`)
	if _, err := l.Advance(1); err != nil {
		t.Fatal(err)
	}
	if n, _, held := l.HoldUntil(); !held || n != 1 {
		t.Errorf("after the end of 2, held on %d: %v", n, held)
	}
	s.note(1, "closed", `{}`)
	if _, err := l.Advance(1); err != nil {
		t.Fatal(err)
	}
	if n, _, held := l.HoldUntil(); held {
		t.Errorf("held on %d, which is over", n)
	}
}

func TestConnectionsOneAfterTheOtherAreOneSide(t *testing.T) {
	s := &sideTape{}
	s.connect(1, `{}`)
	s.connect(2, `{"after":1}`)
	s.connect(3, ``) // a recording of another program says nothing of it
	s.connect(4, `{"after":99,"beside":-1}`)
	l := logOf(t, s)
	if l.Sides() != 1 || l.Side(0) != l || l.Side(1) != l || l.ConnAt(0, l.Len()) != 4 {
		t.Errorf("%d sides", l.Sides())
	}
	if got := fmt.Sprint(l.Seams()); got != "[{1 2} {2 3} {3 4}]" {
		t.Errorf("seams %s", got)
	}
}
