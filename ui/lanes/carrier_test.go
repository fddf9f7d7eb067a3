package lanes

import (
	"strings"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/label"
	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
)

// LANE tells rows from their frames alone; it says the same as REVS does.
func TestACarrierIsToldAsOnTheBoard(t *testing.T) {
	for name, recording := range uitest.Recordings() {
		log := uitest.NewSource(t, uitest.Frames(recording)).Log()
		rows, err := log.Rows(0, log.RowCount())
		if err != nil {
			t.Fatal(err)
		}
		for i := range rows {
			row := &rows[i]
			got := rowCarrier(log, row.Index, row.Rev)
			want := carrier{inspector.CarrierArrow(row.Carrier), inspector.CarrierWord(row.Carrier), label.RowText(row, true)}
			if got.text == "" && row.Text == "" {
				want.text = "" // REVS names what changed; LANE has its own words for that
			}
			if got != want {
				t.Errorf("%s, frame %d: %+v, REVS says %+v", name, row.Seq, got, want)
			}
		}
	}
}

func TestAMessageOfABatchIsFoundByItsRev(t *testing.T) {
	s := &session{step: time.Second}
	s.connect("stdio")
	s.add(timeline.In, `[{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":1,"reason":"one"}},`+
		`{"jsonrpc":"2.0","id":"e","method":"push/event","params":{"payload":{"content":[{"type":"image"},{"type":"text","text":"two\nlines"}]},"hints":{"rev":2}}}]`)
	log := s.log(t)
	last := log.Len() - 1
	for rev, want := range map[int64]string{1: "← hints one", 2: "← push two", 3: "a message that cannot be read"} {
		if got := rowCarrier(log, last, rev).words(); got != want {
			t.Errorf("rev %d: %q, want %q", rev, got, want)
		}
	}
}

func TestEffectsAreListedAsInASentence(t *testing.T) {
	for _, tc := range []struct {
		words []string
		want  string
	}{
		{nil, ""},
		{[]string{"a"}, "a"},
		{[]string{"a", "b"}, "a and b"},
		{[]string{"a", "b", "c"}, "a, b and c"},
		{strings.Split("a b c d e f g", " "), "a, b, c, d and 3 more"},
	} {
		if got := listed(tc.words); got != tc.want {
			t.Errorf("%q: %q", tc.words, got)
		}
	}
}
