package timeline_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/timeline/timelinetest"
)

// metered is what a meter beside a State says, after each frame, and the
// changes of the head that it found.
func metered(frames tape) (costs []timeline.HeadCost, changes []timeline.HeadChange) {
	s, m := timeline.NewState(), timeline.NewHeadMeter()
	for i, f := range frames {
		if ch := m.After(i, &f, s, s.Apply(f)); ch != nil {
			changes = append(changes, *ch)
		}
		costs = append(costs, m.Cost())
	}
	return costs, changes
}

func TestTheCostAtAFrameIsWhatTheMeterSaidThere(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		frames := drawSession(rt, 80)
		l := timeline.NewLog(frames)
		l.SetKeyEvery(5)
		for n := 1; n > 0; n, _ = l.Advance(100) {
		}
		costs, changes := metered(frames)
		for i, want := range costs {
			if got := l.CostAt(i).HeadCost; got != want {
				rt.Fatalf("frame %d: %+v, the meter says %+v", i, got, want)
			}
		}
		at := rapid.IntRange(0, len(frames)-1).Draw(rt, "at")
		var want []timeline.HeadChange
		for _, ch := range changes {
			if ch.Index <= at {
				want = append(want, ch)
			}
		}
		if len(want) != l.CostAt(at).Rebuilds {
			rt.Fatalf("%d changes, rebuilt %d times", len(want), l.CostAt(at).Rebuilds)
		}
		for i := len(want) - 1; i >= 0; i-- {
			if got, err := l.HeadChange(i); err != nil || !reflect.DeepEqual(got, want[i]) {
				rt.Fatalf("change %d, read again: %+v, %v\nwhen it came: %+v", i, got, err, want[i])
			}
		}
		if _, err := l.HeadChange(len(changes)); !errors.Is(err, timeline.ErrNoChange) {
			rt.Fatalf("one that never was: %v", err)
		}
	})
}

func TestWhatWasToldUpToAFrameIsTheSumOfItsRows(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		frames := drawSession(rt, 80)
		l := timelinetest.Log(t, frames)
		rows, err := l.Rows(0, l.RowCount())
		if err != nil {
			rt.Fatal(err)
		}
		for i := range frames {
			n, tokens := 0, 0
			for k := range rows {
				r := &rows[k]
				if r.Told.Bytes != len(r.Told.Text)+len(r.Told.Definitions) {
					rt.Fatalf("row %d: %+v", k, r.Told)
				}
				if r.Taken >= 0 && r.Taken <= i && r.Told.Text != "" {
					n++
					tokens += r.Told.Tokens()
				}
			}
			counted := 0
			for k := range rows {
				if h := l.RowHead(k); h.Counted && h.Taken <= i {
					counted++
				}
			}
			if c := l.CostAt(i); c.Revs != counted {
				rt.Fatalf("frame %d: %d revs counted, the rows say %d", i, c.Revs, counted)
			}
			if c := l.CostAt(i); c.Told != n || c.ToldTokens != tokens {
				rt.Fatalf("frame %d: told %d, %d tok; the rows say %d, %d tok", i, c.Told, c.ToldTokens, n, tokens)
			}
		}
	})
}

// listing is a session of one connection whose server lists these tools, one
// list after the other.
func listing(hints bool, lists ...string) tape {
	s := tape{}
	add := func(dir wire.Dir, body string) {
		s = append(s, wire.Frame{Seq: int64(len(s) + 1), Conn: 1, Dir: dir, Via: "stdio", Form: wire.Msg, Body: []byte(body)})
	}
	add(wire.Out, fmt.Sprintf(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"capabilities":{"experimental":{"mcpl":{"toolHints":%t}}}}}`, hints))
	add(wire.In, `{"jsonrpc":"2.0","id":0,"result":{"capabilities":{"experimental":{"mcpl":`+manifestJSON+`}}}}`)
	for i, list := range lists {
		add(wire.Out, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/list"}`, i+1))
		add(wire.In, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"tools":[%s]}}`, i+1, list))
	}
	return s
}

func TestBlanksMetaAndWhatAHostKeepsAreNotInThePrompt(t *testing.T) {
	plain := `{"name":"a","title":"A","description":"say \" this, and  that","inputSchema":{"type":"object"}}`
	wide := `{ "_meta":{"mcpl/presence":"static","x":[1,2,3]}, "inputSchema" : {"type":` + "\t" + `"object" },
		"annotations":{"readOnlyHint":true}, "outputSchema":{"type":"object"}, "description":"say \" this, and  that", "title":"A", "name":"a"}`
	if a, b := timeline.PromptBytes([]byte(plain)), timeline.PromptBytes([]byte(wide)); a != len(plain) || b != a {
		t.Errorf("%d and %d bytes, want %d", a, b, len(plain))
	}
	for _, hints := range []bool{true, false} {
		l := timelinetest.Log(t, listing(hints, plain, wide, strings.ReplaceAll(wide, "that", "what")))
		if c := l.CostAt(5); c.Rebuilds != 0 || c.Tools != 1 || c.Since != 3 {
			t.Errorf("the same to a model, and %+v", c)
		}
		if c := l.CostAt(7); c.Rebuilds != 1 || c.WithoutHints != 1 || c.WithHints != 0 || c.Since != 7 {
			t.Errorf("another description, and %+v", c)
		}
	}
}

func TestTheHeadsThatWouldHaveBeenBuiltAnewAreCountedAtTheirSizeThen(t *testing.T) {
	small := `{"name":"a","description":"` + strings.Repeat("x", 400) + `"}`
	large := small + `,{"name":"b","description":"` + strings.Repeat("x", 1200) + `"}`
	l := timelinetest.Log(t, listing(false, small, large, small, large))
	last := l.CostAt(l.Len() - 1)
	a, b := l.CostAt(3).Tokens, last.Tokens
	if a >= b || last.Rebuilds != 3 || last.WithHints != 1 || last.WithoutTokens != b+a+b {
		t.Errorf("heads of %d and %d tokens, and %+v", a, b, last)
	}
	came, err := l.HeadChange(0)
	if err != nil || !reflect.DeepEqual(came.Added, []string{"b"}) {
		t.Errorf("first %+v, %v", came, err)
	}
	if went, err := l.HeadChange(1); err != nil || !reflect.DeepEqual(went.Removed, []string{"b"}) {
		t.Errorf("then %+v, %v", went, err)
	}
}

func TestAToolThatMovesIntoTheHeadIsNoNewOne(t *testing.T) {
	s := listing(true, `{"name":"a"},{"name":"b","_meta":{"mcpl/presence":"dynamic"}}`)
	for i, presence := range []string{"static", "dynamic", "static"} {
		s = append(s, wire.Frame{
			Seq: int64(len(s) + 1), Conn: 1, Dir: wire.In, Via: "stdio", Form: wire.Msg,
			Body: []byte(fmt.Sprintf(`{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":%d,"tools":[{"name":"b","presence":%q}]}}`, i+1, presence)),
		})
	}
	l := timelinetest.Log(t, s)
	if c := l.CostAt(l.Len() - 1); c.Rebuilds != 3 || c.WithHints != 0 || c.WithoutHints != 3 || c.Revs != 3 || c.Tools != 2 {
		t.Errorf("%+v", c)
	}
	if ch, err := l.HeadChange(1); err != nil || ch.Rev != 2 || ch.Words() != "- b" {
		t.Errorf("%+v, %v", ch, err)
	}
}

func TestTokensAreWrittenAsAnEstimate(t *testing.T) {
	for n, want := range map[int]string{0: "~0 tok", 99: "~99 tok", 1896: "~1 896 tok", 1234567: "~1 234 567 tok"} {
		if got := timeline.About(n); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if a, b := timeline.HeadTokens(396), timeline.HeadTokens(2438); a != 99 || b != 610 {
		t.Errorf("%d, %d", a, b)
	}
}

func TestTheCostAtAnyFrameIsFoundWithoutReadingOne(t *testing.T) {
	s := &countingTape{tape: flood(30_000)}
	l := timeline.NewLog(s)
	if _, err := l.Advance(s.Len()); err != nil {
		t.Fatal(err)
	}
	s.read = 0
	for i := 0; i < s.Len(); i += 997 {
		l.CostAt(i)
	}
	if s.read != 0 {
		t.Errorf("%d frames were read", s.read)
	}
}

type countingTape struct {
	tape
	read int
}

func (c *countingTape) Frame(i int) (wire.Frame, error) {
	c.read++
	return c.tape.Frame(i)
}
