package inspector_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// grid writes a grid as text, both sides of each line.
func grid(g inspector.Grid) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d differ\n", g.Differ)
	side := func(s inspector.Side) string {
		if !s.On {
			return "·"
		}
		t := s.Text
		for _, m := range s.Marks {
			t += m.Text
		}
		return t
	}
	for _, p := range g.Lines {
		fmt.Fprintf(&b, "%s%s%s: %s | %s\n", p.Sign, strings.Repeat("  ", p.Indent), p.Name, side(p.A), side(p.B))
	}
	return b.String()
}

func TestTwoDefinitionsStandOnOneGrid(t *testing.T) {
	for name, c := range map[string]struct{ a, b, want string }{
		"equal": {
			`{"name":"x","description":"d","inputSchema":{"type":"object","properties":{}},"title":"T"}`,
			`{"name":"x","inputSchema":{ "properties":{}, "type":"object"},"description":"d","title":"T"}`,
			"0 differ\ndescription:  | \n: d | d\ninputSchema:  | \n  properties: {} | {}\n  type: object | object\n",
		},
		"a value took another's place": {
			`{"annotations":{"title":"A","n":1}}`, `{"annotations":{"title":"B","n":"1"}}`,
			"1 differ\nannotations:  | \n±  title: A | B\n±  n: 1 | \"1\"\n",
		},
		"a member came, with all that is in it": {
			`{"inputSchema":{"properties":{"a":{"type":"string"}}}}`, `{"inputSchema":{"properties":{"a":{"type":"string"},"c":{"maxLength":8}}}}`,
			"1 differ\ninputSchema:  | \n  properties:  | \n    a:  | \n      type: string | string\n+    c: · | \n+      maxLength: · | 8\n",
		},
		"a member went, and stands where it stood": {
			`{"annotations":{"a":1,"b":2,"c":3}}`, `{"annotations":{"a":1,"c":3}}`,
			"1 differ\nannotations:  | \n  a: 1 | 1\n-  b: 2 | ·\n  c: 3 | 3\n",
		},
		"sets are compared as sets": {
			`{"inputSchema":{"title":"Point, column then row","enum":["A1","A2","D5"],"required":["a","b"]}}`,
			`{"inputSchema":{"title":"Point, column then row","enum":["D4","A1","A2"],"required":["b","a"]}}`,
			"1 differ\ninputSchema:  | \n  title: Point, column then row | Point, column then row\n~  enum: A1, A2, D5 | D4, A1, A2   - D5   + D4\n~  required: a, b | b, a   another order\n",
		},
		"lists of objects by what they have in common": {
			`{"inputSchema":{"anyOf":[{"a":1},{"b":2}]}}`, `{"inputSchema":{"anyOf":[{"z":0},{"a":1},{"b":3}]}}`,
			"1 differ\ninputSchema:  | \n  anyOf:  | \n+    item 1: · | \n+      z: · | 0\n    item 2:  | \n      a: 1 | 1\n    item 3:  | \n±      b: 2 | 3\n",
		},
		"descriptions line by line": {
			`{"description":"one\ntwo\nthree"}`, `{"description":"one\n2\nthree\nfour"}`,
			"1 differ\ndescription:  | \n: one | one\n±: two | 2\n: three | three\n+: · | four\n",
		},
		"a description came": {`{}`, `{"description":"d"}`, "1 differ\n+description: · | \n+: · | d\n"},
		"other members only where they differ": {
			`{"name":"x","title":"A","_meta":{"k":1}}`, `{"name":"x","title":"B","_meta":{"k":1}}`, "1 differ\n±title: A | B\n",
		},
		"one side alone":         {``, `{"inputSchema":{"type":"object"}}`, "1 differ\n+inputSchema: · | \n+  type: · | object\n"},
		"neither":                {``, ``, "0 differ\n"},
		"members of wrong types": {`{"description":{"a":1},"inputSchema":3}`, `{"description":"x","inputSchema":[{}]}`, "2 differ\n±description: {\"a\":1} | x\n±inputSchema: 3 | [{}]\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := grid(inspector.CompareSides([]byte(c.a), []byte(c.b))); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestAGridIsBounded(t *testing.T) {
	var props []string
	for i := range 5000 {
		props = append(props, fmt.Sprintf(`"p%d":{"type":"string","enum":[%d]}`, i, i))
	}
	a := []byte(`{"inputSchema":{"properties":{` + strings.Join(props, ",") + `}},"description":"` + strings.Repeat(`line\n`, 50_000) + `"}`)
	b := []byte(`{"inputSchema":` + strings.Repeat(`{"a":`, 500) + `1` + strings.Repeat(`}`, 500) + `,"description":"` + strings.Repeat("x", 1<<20) + `"}`)
	for _, c := range [][2][]byte{{a, b}, {a, a}, {b, a}, {nil, b}} {
		g := inspector.CompareSides(c[0], c[1])
		if len(g.Lines) > 3000 {
			t.Errorf("%d lines", len(g.Lines))
		}
		for _, p := range g.Lines {
			if n := len(p.A.Text) + len(p.B.Text) + len(p.Name); n > 40_000 {
				t.Fatalf("a line of %d bytes", n)
			}
		}
	}
	if g := inspector.CompareSides(a, b); !g.Cut {
		t.Error("it does not say that there is more")
	}
}

// compared writes a comparison of boards as text.
func compared(c inspector.BoardComparison) string {
	var b strings.Builder
	for _, n := range c.Notes {
		fmt.Fprintf(&b, "! %s\n", n.Plain())
	}
	for _, g := range c.Groups {
		for _, it := range g.Items {
			fmt.Fprintf(&b, "%s %s %s: %s «%s»\n", g.Head, it.Sign, it.Name, it.Words, it.By)
		}
	}
	return b.String()
}

func boardAt(t testing.TB, log *timeline.Log, i int) *timeline.Board {
	t.Helper()
	b, err := log.Board(i)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestABoardIsComparedWithAnEarlierOne(t *testing.T) {
	p := newTape(t)
	p.negotiated()
	p.openGame(4, "ada", 2)
	p.openGame(5, "bob", 3)
	mark := p.note("mark", `{"text":"here"}`)
	p.hint(4, `"tools":[{"name":"play","instance":"ada","visible":false},{"name":"undo","instance":"ada","visible":true,"definition":{"description":"new"}},{"name":"rematch","visible":true,"presence":"static"}]`)
	p.ask(6, "toolsets/close", `{"toolset":"game","instance":"bob"}`, `{"_meta":{"mcpl/hints":{"rev":5}}}`)
	p.hint(6, chatOpen+`,"suggest":[{"toolset":"game","reason":"again?"}]`)
	p.ask(7, "toolsets/list", `{}`, `{"open":[{"toolset":"game","instance":"ada","title":"Other"},{"toolset":"chat"}],"ended":[{"id":"x","toolset":"game","instance":"old","reason":"over"}],"_meta":{"mcpl/hints":{"rev":7,"tools":[{"name":"undo","instance":"ada","visible":true,"definition":{"description":"new"}},{"name":"say","visible":true}]}}}`)
	p.ask(8, "tools/list", `{}`, `{"tools":[{"name":"status","description":"Who you are","inputSchema":{"type":"object"}},{"name":"rematch"},{"name":"extra"},{"name":"undo","inputSchema":{"type":"object"},"_meta":{"mcpl/toolset":"game"}},{"name":"say","inputSchema":{"type":"object"},"_meta":{"mcpl/toolset":"chat"}},{"name":"dump","inputSchema":{"type":"object"},"_meta":{"mcpl/toolset":"debug"}}],"_meta":{"mcpl/rev":7}}`)
	log := p.log()
	now := boardAt(t, log, log.Len()-1)
	base, at := inspector.BaselineBoard(log, now, inspector.AgainstMark, mark)
	c := inspector.CompareWith(log, now, base, at)
	has(
		t, compared(c), "OPENED ◆ chat: Talk: say usable «rev 6, frame 15»", "CLOSED ◇ game bob: play usable «rev 5, frame 14»",
		"RETITLED ~ game ada: “” is now “Other” «rev 7, frame 17»", "CAME + undo @ ada:  «rev 7, frame 17»", "REDEFINED ~ undo @ ada: description «rev 4, frame 12»",
		"MOVED ~ rematch: dynamic is now static «rev 4, frame 12»", "LISTED + extra: static «this frame»", "LISTED NO MORE - play: toolset game «this frame»",
		"ENDED ◇ game old: “over” «rev 7, frame 17»", "SUGGESTED ? open game: “again?” «rev 6, frame 15»",
	)
	if c.From.Name != "your mark “here”" || c.From.When != "0:00, rev 3" || c.To.When != "rev 7" || c.Differ != 12 {
		t.Errorf("%+v against %+v, %d differ", c.From, c.To, c.Differ)
	}
	back := inspector.CompareWith(log, base, now, inspector.Point{Index: now.Index, Name: "the end"})
	if compared(back) != compared(c) || back.To.Name != "the end" || back.From.Name != "here" {
		t.Errorf("a later baseline reads forward in time as well:\n%s", compared(back))
	}
	if want := "2 of 6 here, 5 of 6 at the mark"; back.Usable != want {
		t.Errorf("says %q, want %q", back.Usable, want)
	}
}

func TestBoardsOfTwoConnectionsAreComparedByNames(t *testing.T) {
	p := newTape(t)
	p.negotiated()
	p.openGame(4, "ada", 2)
	mark := len(p.all) - 1
	p.conn = 2
	p.negotiated()
	p.openGame(4, "ada", 2)
	p.openGame(5, "bob", 3)
	log := p.log()
	now := boardAt(t, log, log.Len()-1)
	base, at := inspector.BaselineBoard(log, now, inspector.AgainstMark, mark)
	got := compared(inspector.CompareWith(log, now, base, at))
	has(t, got, "! Two connections are compared, by names", "OPENED ◆ game bob: play usable «rev 2.3, this frame»")
	hasNot(t, got, "game ada")
	// The baselines before and declared stay on the connection.
	for _, k := range []inspector.Baseline{inspector.AgainstBefore, inspector.AgainstDeclared} {
		if base, _ := inspector.BaselineBoard(log, now, k, mark); base.Conn != 2 {
			t.Errorf("baseline %d is of connection %d", k, base.Conn)
		}
	}
	first := boardAt(t, log, 0)
	if base, at := inspector.BaselineBoard(log, first, inspector.AgainstBefore, -1); base.Index != -1 || at.When != "nothing was before" {
		t.Errorf("before the first frame stands %+v", at)
	}
}

func TestABoardDoesNotDifferFromItselfAndFromAnotherAsItsRowSays(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := newSession(rt, newTape(t))
		for range rapid.IntRange(1, 14).Draw(rt, "steps") {
			s.step()
		}
		log := s.log()
		for i := range log.Len() {
			b := boardAt(t, log, i)
			if c := inspector.CompareBoards(log, b, b); c.Differ != 0 || len(c.Groups) != 0 {
				rt.Fatalf("frame %d differs from itself:\n%s", i+1, compared(c))
			}
		}
		rows, err := log.Rows(0, log.RowCount())
		if err != nil {
			rt.Fatal(err)
		}
		for n := range rows {
			r := &rows[n]
			if r.Taken != r.Index || (n+1 < len(rows) && rows[n+1].Taken == r.Taken) || (n > 0 && rows[n-1].Taken == r.Taken) {
				continue // several took effect with one frame
			}
			if h := log.RowHead(max(n-1, 0)); h.Taken == r.Taken && n > 0 {
				continue
			}
			settled := 0
			for k := range rows {
				if rows[k].Taken == r.Taken {
					settled++
				}
			}
			if settled != 1 {
				continue
			}
			c := inspector.CompareBoards(log, boardAt(t, log, r.Taken-1), boardAt(t, log, r.Taken))
			if got, want := ofBoards(c), ofRow(r); !slices.Equal(got, want) {
				rt.Fatalf("rev %d (%v):\n got %q\nwant %q\n%s", r.Rev, r.Carrier, got, want, compared(c))
			}
		}
	})
}

// ofBoards is what a comparison says in the words of a row's changes.
func ofBoards(c inspector.BoardComparison) []string {
	kinds := map[string]string{"OPENED": "opened", "CLOSED": "closed", "CAME": "shown", "WENT": "hidden", "REDEFINED": "redefined", "MOVED": "moved"}
	var out []string
	for _, g := range c.Groups {
		for _, it := range g.Items {
			if kind := kinds[g.Head]; kind != "" && !strings.HasPrefix(it.Words, "closed and") {
				out = append(out, kind+" "+it.Target.Toolset+" "+it.Target.Instance+" "+it.Target.Tool)
			}
		}
	}
	slices.Sort(out)
	return out
}

// ofRow is a row's changes as a comparison tells them: what opened and closed
// tells its tools with it.
func ofRow(r *timeline.Row) []string {
	var out []string
	fresh := map[[2]string]bool{}
	for _, ch := range r.Changes {
		if ch.Kind == timeline.Opened || ch.Kind == timeline.ClosedIt {
			fresh[[2]string{ch.Toolset, ch.Instance}] = true
		}
	}
	for _, ch := range r.Changes {
		switch {
		case ch.Kind == timeline.Retitled || ch.Kind == timeline.Suggested:
		case ch.Tool != "" && ch.Kind != timeline.Redefined && ch.Kind != timeline.Moved && fresh[[2]string{ch.Toolset, ch.Instance}]:
		case ch.Tool != "" && ch.Kind == timeline.Redefined && ch.Instance != "" && fresh[[2]string{ch.Toolset, ch.Instance}]:
		default:
			out = append(out, ch.Kind.String()+" "+ch.Toolset+" "+ch.Instance+" "+ch.Tool)
		}
	}
	slices.Sort(out)
	return out
}
