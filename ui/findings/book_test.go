package findings

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/mcpl-tui/mcpl-tui/inspector/conform"
)

// drawVerdict is any verdict: findings by their first frames, marks by frame,
// the first of each finding among them.
func drawVerdict(t *rapid.T) Verdict {
	var v Verdict
	at := 0
	for i := range rapid.IntRange(0, 20).Draw(t, "n") {
		at += rapid.IntRange(0, 3).Draw(t, "step")
		tool := fmt.Sprintf("t%d", rapid.IntRange(0, 3).Draw(t, "tool"))
		f := conform.Finding{
			Rule: "rev-gap", Extra: fmt.Sprint(i), Index: at, Conn: 1, Count: 1, Tool: &tool,
			Level: rapid.SampledFrom([]conform.Level{conform.Info, conform.Warning, conform.Error}).Draw(t, "level"),
		}
		v.Findings = append(v.Findings, f)
		v.Marks = append(v.Marks, conform.Mark{Index: at, Finding: i})
		for range rapid.IntRange(0, 3).Draw(t, "again") {
			v.Findings[i].Count++
			v.Marks = append(v.Marks, conform.Mark{Index: at + rapid.IntRange(1, 9).Draw(t, "later"), Finding: i})
		}
	}
	slices.SortStableFunc(v.Marks, func(a, b conform.Mark) int { return a.Index - b.Index })
	return v
}

// What is muted or only worth knowing is nowhere; all else is counted once,
// stands at its frames, and is walked in their order.
func TestWhatIsLoudIsCountedMarkedAndWalked(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v, b := drawVerdict(t), NewBook()
		b.Put(v)
		for i := range v.Findings {
			if rapid.IntRange(0, 3).Draw(t, "mute") == 0 && !b.mute([]*conform.Finding{&b.all[i]}) {
				t.Fatal("it is not muted")
			}
		}
		loud := func(f *conform.Finding) bool { return f.Level > conform.Info && !b.muted[identOf(f)] }
		at := rapid.IntRange(-1, 80).Draw(t, "at")
		here, later := 0, 0
		for i := range v.Findings {
			switch f := &v.Findings[i]; {
			case !loud(f):
			case f.Index <= at:
				here++
			default:
				later++
			}
		}
		if h, l := b.Split(at); h != here || l != later {
			t.Fatalf("%d and %d counted, want %d and %d", h, l, here, later)
		}
		var want []int
		for _, m := range v.Marks {
			if loud(&v.Findings[m.Finding]) && !slices.Contains(want, m.Index) {
				want = append(want, m.Index)
			}
		}
		var walked []int
		for i := b.Next(-1, 1); i >= 0; i = b.Next(i, 1) {
			walked = append(walked, i)
			if !b.Marked(i) || len(b.At(i)) == 0 || !b.Between(i-1, i) {
				t.Fatalf("frame %d is walked to and not marked", i)
			}
		}
		if !slices.Equal(walked, want) {
			t.Fatalf("walked %v, marked are %v", walked, want)
		}
		slices.Reverse(walked)
		for _, i := range walked {
			if len(walked) > 1 && i == walked[0] {
				continue
			}
			if back := b.Next(i+1, -1); back != i {
				t.Fatalf("back from %d leads to %d", i+1, back)
			}
		}
	})
}

// A verdict that goes on says from where it is another one.
func TestPutSaysFromWhichFrameOnSomethingElseIsFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v, b := drawVerdict(t), NewBook()
		b.Put(v)
		if at := b.Put(v); at >= 0 {
			t.Fatalf("the same verdict differs at %d", at)
		}
		if len(v.Marks) == 0 {
			return
		}
		k := rapid.IntRange(0, len(v.Marks)-1).Draw(t, "cut")
		fewer := Verdict{Findings: v.Findings, Marks: v.Marks[:k]}
		if at := b.Put(fewer); at != v.Marks[k].Index {
			t.Fatalf("without mark %d it differs at %d, want %d", k, at, v.Marks[k].Index)
		}
		if at := b.Put(v); at != v.Marks[k].Index {
			t.Fatalf("with it again at %d", at)
		}
	})
}

func TestMutedStaysMutedWhileOthersAreFound(t *testing.T) {
	b := NewBook()
	gap := conform.Finding{Rule: "rev-gap", Level: conform.Error, Index: 9, Conn: 1, Count: 1}
	b.Put(Verdict{[]conform.Finding{gap}, []conform.Mark{{Index: 9}}})
	b.mute([]*conform.Finding{&b.all[0]})
	gap.Count = 2
	other := conform.Finding{Rule: "rev-start", Level: conform.Error, Index: 3, Conn: 1, Count: 1}
	b.Put(Verdict{[]conform.Finding{other, gap}, []conform.Mark{{Index: 3}, {Index: 9, Finding: 1}}})
	if here, later := b.Split(100); here != 1 || later != 0 || b.Marked(9) || !b.Marked(3) {
		t.Errorf("%d and %d are counted", here, later)
	}
	if b.mute([]*conform.Finding{&b.all[0], &b.all[1]}) != true || len(b.Places()) != 0 {
		t.Error("both are not muted")
	}
	if b.mute([]*conform.Finding{&b.all[0], &b.all[1]}) || len(b.Places()) != 2 {
		t.Error("both are still muted")
	}
}
