package timeline_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/timeline/timelinetest"
)

func TestCellsSayWhatTheLanesEventsSay(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		frames := drawSession(rt, 80)
		l := timeline.NewLog(frames)
		r := timeline.NewLaneReader(l)
		for l.Len() < len(frames) { // the reader is asked again and again while the session grows
			if _, err := l.Advance(rapid.IntRange(1, len(frames)).Draw(rt, "more")); err != nil {
				rt.Fatal(err)
			}
			cuts, base := drawCuts(rt, l.Len())
			for _, k := range l.LanesFrom(0) {
				checkCells(rt, l, r, k, base, cuts)
			}
		}
	})
}

func drawCuts(rt *rapid.T, n int) (cuts []timeline.LaneCut, base timeline.LaneCut) {
	at := rapid.SliceOfN(rapid.IntRange(-1, n), 1, 12).Draw(rt, "cuts")
	slices.Sort(at)
	for _, i := range at {
		cuts = append(cuts, timeline.LaneCut{Index: i, Rev: timeline.AllRevs})
	}
	return cuts, timeline.LaneCut{Index: rapid.IntRange(-1, n).Draw(rt, "base"), Rev: timeline.AllRevs}
}

func checkCells(rt *rapid.T, l *timeline.Log, r *timeline.LaneReader, k timeline.LaneKey, base timeline.LaneCut, cuts []timeline.LaneCut) {
	cells := r.Cells(k, base, cuts, nil)
	if len(cells) != len(cuts)-1 {
		rt.Fatalf("%d cells between %d cuts", len(cells), len(cuts))
	}
	for i, cell := range cells {
		if want := l.LaneAt(k, cuts[i+1].Index); cell.LaneState != want {
			rt.Fatalf("%+v after %+v: %+v, LaneAt says %+v", k, cuts[i+1], cell.LaneState, want)
		}
		events := l.Lane(k, max(cuts[i].Index, base.Index)+1, cuts[i+1].Index+1)
		messages, asked, kinds := map[[2]int]bool{}, false, timeline.Kinds(0)
		for _, e := range events {
			messages[[2]int{e.Index, e.Row}] = true
			asked = asked || e.Kind == timeline.Suggested
			kinds |= 1 << e.Kind
		}
		n := 0
		if cell.First != 0 {
			n++
		}
		if cell.Last != cell.First {
			n++
		}
		if n != min(len(messages), 2) || cell.Kinds.Has(timeline.Suggested) != asked || (n == 1 && cell.Kinds != kinds) {
			rt.Fatalf("%+v, %+v to %+v: %+v, the events are %+v", k, cuts[i], cuts[i+1], cell, events)
		}
	}
}

// A frame that fills a hole applies several revs: each of them is a cell of
// its own.
func TestCellsPartTheRevsOfOneFrame(t *testing.T) {
	s := flood(0) // rev 1 opens a and b
	s = s[:len(s):len(s)]
	for i := range s {
		s[i].Via = "http:get:1"
	}
	hint := func(rev, visible string) {
		f := s[len(s)-1]
		f.Seq, f.T = f.Seq+1, f.T+1000
		f.Body = []byte(`{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":` + rev + `,"tools":[{"name":"tool1","instance":"a","visible":` + visible + `}]}}`)
		s = append(s, f)
	}
	hint("4", "true")
	hint("3", "false")
	before := timelinetest.Log(t, s)
	if got := before.Revs(); len(got) != 1 || !slices.Equal(got[0].Spans, []timeline.RevSpan{{From: 1, To: 1}, {From: 2, To: 4, Missing: true}}) {
		t.Errorf("while 3 and 4 are held: %+v", got)
	}
	hint("2", "true")
	l := timelinetest.Log(t, s)
	if got := l.Revs(); !slices.Equal(got[0].Spans, []timeline.RevSpan{{From: 1, To: 4}}) {
		t.Errorf("when 2 came: %+v", got)
	}
	last := l.Len() - 1
	cuts := []timeline.LaneCut{{Index: last, Rev: 1}, {Index: last, Rev: 2}, {Index: last, Rev: 3}, {Index: last, Rev: 4}}
	key := timeline.LaneKey{Conn: 1, Toolset: "game", Instance: "a", Tool: "tool1"}
	cells := timeline.NewLaneReader(l).Cells(key, timeline.LaneCut{Index: -1}, cuts, nil)
	for i, usable := range []bool{true, false, true} {
		if cells[i].Usable != usable || cells[i].First == 0 || cells[i].First != cells[i].Last {
			t.Errorf("rev %d: %+v", i+2, cells[i])
		}
	}
}

func TestSpansSayWhichRevsWereApplied(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		frames := drawSession(rt, 80)
		l := timelinetest.Log(t, frames)
		spans := map[int][]timeline.RevSpan{}
		for _, c := range l.Revs() {
			next := int64(1)
			for _, s := range c.Spans {
				if s.From != next || s.To < s.From {
					rt.Fatalf("connection %d: %+v does not begin at %d", c.Conn, s, next)
				}
				next = s.To + 1
				for rev := s.From; rev <= s.To; rev++ {
					if applied := l.RowOf(c.Conn, rev) >= 0; applied == s.Missing {
						rt.Fatalf("rev %d.%d: applied %v, the spans say %+v", c.Conn, rev, applied, c.Spans)
					}
				}
			}
			spans[c.Conn] = c.Spans
		}
		for i := range frames {
			b, err := l.Board(i)
			if err != nil {
				rt.Fatal(err)
			}
			if got := l.RevAt(b.Conn, i); got != b.LastRev {
				rt.Fatalf("frame %d: RevAt says %d, the board %d; %+v", i, got, b.LastRev, spans[b.Conn])
			}
		}
	})
}

func TestEventsOfAClassAreCountedAndFound(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		frames := drawSession(rt, 60)
		l := timelinetest.Log(t, frames)
		r := timeline.NewLaneReader(l)
		kinds := map[timeline.LaneClass][]timeline.ChangeKind{
			timeline.Flips:    {timeline.Shown, timeline.Hidden, timeline.Opened, timeline.ClosedIt},
			timeline.Listings: {timeline.Listed, timeline.Unlisted},
			timeline.Edits:    {timeline.Redefined, timeline.Retitled},
			timeline.Asks:     {timeline.Suggested},
		}
		for _, k := range l.LanesFrom(0) {
			i := rapid.IntRange(-1, len(frames)).Draw(rt, "at")
			for class, of := range kinds {
				n := 0
				for _, e := range l.Lane(k, 0, i+1) {
					if slices.Contains(of, e.Kind) {
						n++
					}
				}
				last, okLast := l.LaneBefore(k, i, of...)
				next, okNext := l.LaneAfter(k, i, of...)
				gotLast, ok1 := r.Last(k, class, i)
				gotNext, ok2 := r.Next(k, class, i)
				if r.Count(k, class, i) != n || gotLast != last || ok1 != okLast || gotNext != next || ok2 != okNext {
					rt.Fatalf("%+v, class %d at %d: %d %v %v, want %d %v %v", k, class, i, r.Count(k, class, i), gotLast, gotNext, n, last, next)
				}
			}
		}
		if n := l.LaneCount(); len(l.LanesFrom(0)) != n || len(l.LanesFrom(n)) != 0 || len(l.LanesFrom(n+1)) != 0 {
			rt.Fatalf("%d lanes, %d and %d listed", n, len(l.LanesFrom(0)), len(l.LanesFrom(n)))
		}
	})
}
