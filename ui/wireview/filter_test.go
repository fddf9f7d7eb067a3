package wireview

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/filter"
	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

func TestFilterWordsFindWhatTheySay(t *testing.T) {
	s := goban(t, 100, 60)
	for filter, want := range map[string]string{
		"tool:undo":                             "91 97 99",
		"tool:undo dir:in":                      "91 99",
		"tool:undo -dir:in":                     "97",
		"tool:rematch":                          "49 64",
		"instance:vs-bot method:call tool:pass": "38 46 55 70 78 93 94",
		"method:toolsets/open":                  "15 16 34 36 58 59",
		"toolset:chat":                          "58 59 60 61 62 63 88",
		"kind:note":                             "1 2 33",
		"kind:stderr game=vs-ada":               "90 98",
		"dir:err":                               "9 35 90 98 101",
		"id:28":                                 "97 99",
		"id:#28":                                "97 99",
		"id:s16":                                "91 92",
		"rev:39":                                "91",
		"rev:39-":                               "91 94 95",
		"rev:1-2":                               "12 16",
		"status:tool-error":                     "99",
		"status:open":                           "100",
		"takeback -err":                         "91 99",
		`"ada allows"`:                          "91",
		"ADA ALLOWS":                            "91",
		"method:push -rev:":                     "68 72 76 80 84 89 92 96",
		"status:ok tool:undo":                   "",
		"kind:req method:initialize":            "3",
		"http://nowhere":                        "",
		"-dir:in -dir:out -kind:note":           "9 35 90 98 101",
	} {
		s.v.search(&s.c, filter)
		s.finish()
		var got []string
		for k := range s.v.found.Count() {
			got = append(got, itoa(s.v.found.At(k)+1))
		}
		if filter == "method:push -rev:" { // accepted pushes: only the tail matters
			got = got[max(len(got)-8, 0):]
		}
		if g := strings.Join(got, " "); g != want {
			t.Errorf("%s\n got %s\nwant %s", filter, g, want)
		}
	}
}

func TestTheFilterCountsWhileItIsTyped(t *testing.T) {
	s := goban(t, 100, 25)
	s.filter("tool:und")
	out := s.draw()
	s.has(out, "/ tool:und", "3 of 101 match")
	s.press("x")
	s.has(s.draw(), "/ tool:undx", "0 of 101 match")
	s.press("backspace", "o", "enter")
	s.has(s.draw(), "3 of 101 match  tool:undo")
	if got := seqs(s.draw()); got != "91 97 99" {
		t.Errorf("%s", got)
	}
	s.press("esc")
	s.has(s.draw(), "all 101")
	s.press("/", "a", "esc")
	s.has(s.draw(), "all 101")
	s.press("/", "backspace")
	if s.v.line.Typing {
		t.Error("backspace on an empty line leaves it")
	}
}

func TestInAFilterTheKeysMoveFromMatchToMatch(t *testing.T) {
	s := goban(t, 100, 25)
	s.filter("tool:undo")
	s.press("enter")
	for _, c := range []struct {
		key string
		at  int
	}{{"k", 96}, {"k", 90}, {"k", 90}, {"j", 96}, {"G", 100}, {"g", 90}, {"ctrl+d", 98}, {"pgup", 90}, {"/", 90}, {"down", 96}, {"up", 90}} {
		s.press(c.key)
		s.draw()
		if s.c.At != c.at {
			t.Errorf("%s: at %d, want %d", c.key, s.c.At, c.at)
		}
	}
	s.press("enter", "k")
	if do, _ := s.v.Key("k", &s.c); do.Kind != view.Say || !strings.Contains(do.Text, "no frame before this") {
		t.Errorf("%+v", do)
	}
	// Between two matches the one before is marked.
	s.at(94)
	s.has(s.draw(), "▌    91")
}

func TestNextAndPreviousMatchAreKeysOfAFilter(t *testing.T) {
	s := goban(t, 100, 25)
	if _, handled := s.v.Key("n", &s.c); handled {
		t.Error("without a filter n is the root's")
	}
	s.filter("tool:undo")
	s.press("enter", "N")
	if s.c.At != 96 {
		t.Errorf("N: at %d", s.c.At)
	}
	if s.press("n"); s.c.At != 98 {
		t.Errorf("n: at %d", s.c.At)
	}
}

func TestATermThatMeansNothingIsToldAlthoughFramesMatch(t *testing.T) {
	s := goban(t, 100, 25)
	for filter, want := range map[string]string{
		"takeback -dir:up":      "nothing here now is dir:up. Directions here: in, out, err, note.",
		"takeback -colour:red":  "nothing here now is colour:red. Words with a colon are tool,",
		"takeback -tool:undoo":  "nothing here now is tool:undoo. Tools here: play,",
		"takeback -dir:out":     "",
		"takeback -http://x.yz": "",
	} {
		s.filter(filter)
		do := s.press("enter")
		if (want == "") != (do.Kind == view.Nothing) || !strings.HasPrefix(do.Text, want) {
			t.Errorf("%s: %+v", filter, do)
		}
		s.press("esc")
	}
}

func TestAFilterWithoutMatchSaysWhatThereIs(t *testing.T) {
	s := goban(t, 100, 25)
	for filter, want := range map[string]string{
		"tool:undoo":      "0 of 101 match tool:undoo. Tools here: play, pass, undo, score, resign, say, react,",
		"toolset:gone":    "Toolsets here: game, chat, debug. esc clears.",
		"instance:nobody": "Instances here: vs-ada, vs-bot. esc clears.",
		"kind:cat":        "Kinds here: request, notification,",
		"dir:up":          "Directions here: in, out, err, note. esc clears.",
		"status:great":    "Statuses here: ok, tool-error,",
		"rev:99":          "Revs here: up to 41,",
		"rev:x":           "Revs here: up to 41,",
		"id:zz":           "Ids here:",
		"method:x/y":      "Methods here:",
		"qwertz":          "Words with a colon are tool, toolset,",
		"colour:red":      "0 of 101 match colour:red. Words with a colon are",
	} {
		s.filter(filter)
		s.press("enter")
		out := strings.Join(strings.Fields(s.draw()), " ")
		s.has(out, want)
		s.press("esc")
	}
}

func TestNewFramesJoinTheMatches(t *testing.T) {
	src := uitest.NewSource(t, uitest.Frames(uitest.Goban()).Cut(97))
	s := newScreen(t, src.Log(), 100, 25)
	s.filter("tool:undo")
	s.press("enter")
	if got := seqs(s.draw()); got != "91 97" {
		t.Errorf("%s", got)
	}
	s.v.search(&s.c, "status:open")
	if got := seqs(s.draw()); got != "97" {
		t.Errorf("%s", got)
	}
	src.Show(99)
	s.at(98)
	if got := seqs(s.draw()); got != "" {
		t.Errorf("what was answered is open no more: %s", got)
	}
	src.Show(101)
	s.at(100)
	if got := seqs(s.draw()); got != "100" {
		t.Errorf("%s", got)
	}
}

// The same matches come out whichever way, and in however many pieces, they
// are searched, as when each frame is looked at by itself.
func TestTheSearchIsTheSameFromEverywhere(t *testing.T) {
	log := goban(t, 100, 25).log
	rapid.Check(t, func(rt *rapid.T) {
		q := filter.Parse(rapid.SampledFrom([]string{"tool:play", "dir:in", "-dir:in", "ada", "rev:", "tool:none", "status:ok", "status:open", "-status:open"}).Draw(rt, "filter"))
		f := newFound(log, q, rapid.IntRange(-5, 200).Draw(rt, "from"), nil)
		for _, n := range []int{rapid.IntRange(0, log.Len()).Draw(rt, "first"), log.Len()} {
			if rapid.Bool().Draw(rt, "at once") {
				f.first(n)
			}
			for piece := f.work(n); piece != nil; piece = f.work(n) {
				for _, l := range piece() {
					f.take(l)
				}
				f.busy = false
			}
		}
		j := judge{log: log, src: log.Stretch(0, 0)}
		k := 0
		for i := range log.Len() {
			if !j.matches(&q, i) {
				continue
			}
			if k >= f.Count() || f.At(k) != i || f.Last(i) != k {
				rt.Fatalf("match %d is not frame %d", k, i+1)
			}
			k++
		}
		if k != f.Count() {
			rt.Fatalf("%d matches, want %d", f.Count(), k)
		}
	})
}

// slow judges by all that a headline and the hints say, read one by one.
type slow struct {
	log *timeline.Log
	i   int
}

func (s slow) Holds(t filter.Term) bool {
	h := inspector.HeadlineOf(s.log, s.i)
	mentions := inspector.Mentions(s.log, s.i)
	some := func(of string, part func(inspector.Mention) string) bool {
		return filter.Has(of, t.Value) || slices.ContainsFunc(mentions, func(m inspector.Mention) bool { return filter.Has(part(m), t.Value) })
	}
	switch t.Key {
	case "tool":
		return some(h.Tool, func(m inspector.Mention) string { return m.Tool })
	case "toolset":
		return some(h.Toolset, func(m inspector.Mention) string { return m.Toolset })
	case "instance":
		return some(h.Instance, func(m inspector.Mention) string { return m.Instance })
	case "method":
		return filter.Has(h.Method, t.Value)
	case "id":
		return filter.IsID(h.ID, t.Value)
	}
	f, _ := s.log.Frame(s.i)
	body := string(f.Body) + string(f.Data)
	return filter.Has(h.Text(), t.Value) || strings.Contains(lowerASCII(body), t.Value)
}

func lowerASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x80 {
			r = unicode.ToLower(r)
		}
		return r
	}, s)
}

// What is left out because its bytes lack a word has it nowhere: whatever
// names, escapes, batches and broken messages there are.
func TestLookingAtBytesFirstFindsTheSame(t *testing.T) {
	name := rapid.SampledFrom([]string{`undo`, `UNDO`, `\u0075ndo`, `\"s1\"`, "sKip", "İd", `7`, `sss1`, `tool error`, `a b`})
	message := rapid.Custom(func(t *rapid.T) string {
		a, b := name.Draw(t, "a"), name.Draw(t, "b")
		id := rapid.SampledFrom([]string{`7`, `"7"`, `"sss1"`, `"\u0073kip"`, `1e1`, `null`}).Draw(t, "id")
		return rapid.SampledFrom([]string{
			`{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + a + `","_meta":{"mcpl/instance":"` + b + `"}}}`,
			`{"jsonrpc":"2.0","id":` + id + `,"result":{"content":[{"type":"text","text":"` + a + `"}],"isError":true}}`,
			`{"jsonrpc":"2.0","id":` + id + `,"method":"toolsets/open","params":{"toolset":"` + a + `"}}`,
			`{"jsonrpc":"2.0","id":` + id + `,"error":{"code":-3,"message":"` + b + `"}}`,
			`{"jsonrpc":"2.0","method":"` + a + `"}`,
			`{"jsonrpc":"2.0","id":` + id + `,"method":"push/event","params":{"eventId":"` + a + `","payload":{"content":[{"type":"` + b + `","data":"AAAAAAAAAAAAAAAAAAAA"}]}}}`,
			`{"jsonrpc":"2.0","id":` + id + `,"result":{"tools":[{},{},{},{},{},{},{},{},{},{},{},{}]}}`,
			`[{"jsonrpc":"2.0","id":` + id + `,"method":"` + a + `"},{"jsonrpc":"2.0","method":"` + b + `"}]`,
			`[]`, a, "\xff" + a,
		}).Draw(t, "message")
	})
	rapid.Check(t, func(rt *rapid.T) {
		var frames []timeline.Frame
		for range rapid.IntRange(1, 12).Draw(rt, "frames") {
			f := timeline.Frame{Via: "stdio", Form: 1, Dir: rapid.SampledFrom([]timeline.Dir{timeline.In, timeline.Out, timeline.Err, timeline.Note}).Draw(rt, "dir")}
			switch body := message.Draw(rt, "body"); f.Dir {
			case timeline.Note:
				f.Name, f.Data = "mark", []byte(`{"text":"undo skip"}`)
			default:
				f.Body = []byte(body)
				f.Form = wire.FormOf(f.Body)
			}
			frames = append(frames, f)
		}
		log := logOf(t, frames...)
		key := rapid.SampledFrom([]string{"tool:", "instance:", "method:", "id:", "toolset:", ""}).Draw(rt, "key")
		q := filter.Parse(key + rapid.SampledFrom([]string{"undo", "skip", "i", "7", "sss1", "s1", "#7", "k", "ok", "request", `"a b"`, "undoo", "12", "1", "15", "199", "b]", "o@u", "tools", "rook"}).Draw(rt, "value"))
		j := judge{log: log, src: log.Stretch(0, log.Len())}
		for i := range log.Len() {
			if got, want := j.matches(&q, i), q.Matches(slow{log, i}); got != want {
				rt.Fatalf("%s of frame %d, %s: %v, want %v", q.Text, i+1, frames[i].Body, got, want)
			}
		}
	})
}

func TestNoKeyOfALargeFilteredLogReadsMoreThanIsInSight(t *testing.T) {
	log, src := manyLog(t, 30_000)
	s := newScreen(t, log, 100, 25)
	s.draw()
	s.press("/")
	// What is looked at at once, the rows in sight and what leads from a
	// keyframe to their revs.
	for _, key := range []string{"t", "o", "o", "l", ":", "t", "7", "7", "7", "down", "enter", "n", "g", "N"} {
		before := src.read.Load()
		s.press(key)
		s.draw()
		if n := src.read.Load() - before; n > 4*firstFrames+3*2048 {
			t.Fatalf("%d frames were read for %s", n, key)
		}
	}
	s.has(s.draw(), "% looked at")
	s.finish()
	s.has(s.draw(), "of 30000 match")
	s.hasNot(s.draw(), "looked at")
	// t777 stands in no even frame; t776 in one of a thousand, with its answer.
	if n := s.v.found.Count(); n != 0 {
		t.Errorf("%d matches", n)
	}
	s.press("esc")
	s.at(29_780)
	s.filter("tool:t776")
	if s.v.found.Count() == 0 {
		t.Error("what is near the playhead is found first")
	}
}

func TestAMatchThatIsNotKnownYetIsGoneToOnceItIs(t *testing.T) {
	log, _ := manyLog(t, 30_000)
	s := newScreen(t, log, 100, 25)
	s.filter("tool:t776")
	s.press("enter")
	s.at(29_000)
	for _, step := range []struct {
		key  string
		want int
	}{{"g", 776}, {"n", 777}, {"n", 1776}, {"N", 777}} {
		s.press(step.key)
		s.finish()
		if s.c.At != step.want {
			t.Errorf("%s goes to %d, not to %d", step.key, s.c.At, step.want)
		}
	}
}

func TestAMatchAmongTheLastFewFramesIsGoneToAsWell(t *testing.T) {
	log, _ := manyLog(t, 30_000)
	s := newScreen(t, log, 100, 25)
	s.at(0)
	s.filter("tool:none")
	f := s.v.found
	for f.To() < log.Len()-firstFrames/2 {
		f.Take(filter.Span{From: f.To(), To: min(f.To()+1000, log.Len()-firstFrames/2)}, nil)
	}
	s.v.found.q = filter.Parse("id:" + strings.TrimPrefix(inspector.HeadlineOf(log, log.Len()-2).ID, "#"))
	s.press("enter", "n") // which looks at the rest at once
	s.at(0)
	f.next = &step{0, 1}
	s.finish()
	if s.c.At < log.Len()-3 {
		t.Errorf("at %d", s.c.At)
	}
}

func TestAnotherKeyGivesUpAMatchThatIsLookedFor(t *testing.T) {
	log, _ := manyLog(t, 30_000)
	s := newScreen(t, log, 100, 25)
	s.at(15_000)
	s.filter("tool:none")
	s.press("enter")
	if do := s.press("n"); do.Kind != view.Say || !strings.Contains(do.Text, "looking") {
		t.Fatalf("%+v", do)
	}
	s.press("%")
	s.finish()
	if s.c.At != 15_001 && s.c.At != 15_000 {
		t.Errorf("at %d", s.c.At)
	}
	if do := s.press("n"); do.Text != "" {
		t.Errorf("nothing is found, and the list says so itself: %q", do.Text)
	}
}

func TestEscEndsASearchThatIsUnderWay(t *testing.T) {
	log, src := manyLog(t, 30_000)
	s := newScreen(t, log, 100, 25)
	s.filter("tool:none")
	piece := s.v.Work(&s.c)
	if piece == nil {
		t.Fatal("there is nothing to look at")
	}
	s.press("esc")
	before := src.read.Load()
	done := piece()
	if n := src.read.Load() - before; n > 0 {
		t.Errorf("%d frames were read for nobody", n)
	}
	s.do(done(&s.c))
	s.has(s.draw(), "all 30000")
	if s.v.Work(&s.c) != nil {
		t.Error("it goes on")
	}
}

func TestTheSearchBeginsAnewWhereThePlayheadWent(t *testing.T) {
	log, _ := manyLog(t, 50_000)
	s := newScreen(t, log, 100, 25)
	s.filter("tool:t776")
	s.press("enter")
	s.at(1000)
	s.draw()
	s.finish()
	s.press("j")
	if s.c.At != 1776 {
		t.Errorf("the next after 1000 is 1776, not %d", s.c.At)
	}
	s.press("k")
	if s.c.At != 777 { // the answer to the call before
		t.Errorf("the one before is 777, not %d", s.c.At)
	}
}

func TestWhatArrivesDoesNotTakeTheListFromWhoScrollsIt(t *testing.T) {
	src := uitest.NewSource(t, uitest.Frames(uitest.Goban()).Cut(90))
	s := newScreen(t, src.Log(), 100, 20)
	s.draw()
	s.v.Click(5, 5, -1, &s.c)
	before := seqs(s.draw())
	src.Show(95)
	s.at(94)
	if got := seqs(s.draw()); got != before {
		t.Errorf("from %s to %s", before, got)
	}
	s.press("G")
	s.has(s.draw(), "    95")
}

func TestTheFilterLineTakesPastedTextAndEditing(t *testing.T) {
	s := goban(t, 100, 25)
	if s.v.Paste("x", &s.c) {
		t.Error("nothing takes text")
	}
	s.press("/")
	s.v.Paste("tool:undo\n dir:in\x1b[2J", &s.c)
	if s.v.line.Text != "tool:undo  dir:in[2J" {
		t.Errorf("%q", s.v.line.Text)
	}
	s.press("ctrl+w")
	if s.v.line.Text != "tool:undo  " {
		t.Errorf("%q", s.v.line.Text)
	}
	s.press("space", " ", "x", "left")
	if s.v.line.Text != "tool:undo    x" {
		t.Errorf("%q", s.v.line.Text)
	}
	s.press("ctrl+u")
	if s.v.line.Text != "" || s.v.found != nil {
		t.Errorf("%q", s.v.line.Text)
	}
	s.v.Paste(strings.Repeat("x", 5000), &s.c)
	if len(s.v.line.Text) > filter.Most {
		t.Errorf("%d bytes", len(s.v.line.Text))
	}
}

func TestOnlyTheRowsInSightAreRead(t *testing.T) {
	log, src := manyLog(t, 20_000)
	s := newScreen(t, log, 160, 43)
	s.draw()
	before := src.read.Load()
	s.draw()
	if n := src.read.Load() - before; n != 0 {
		t.Errorf("%d frames were read to draw the same again", n)
	}
	s.at(log.Len() - 2)
	before = src.read.Load()
	s.v.memo = memo{}
	s.draw()
	// The rows in sight with their pairs, and what leads from a keyframe to
	// the revs in sight.
	if n := src.read.Load() - before; n > 3*2048 {
		t.Errorf("%d frames were read for one screen", n)
	}
}

func TestVeryLargeFramesAreReadAFewAtATime(t *testing.T) {
	big := strings.Repeat("x", 3<<20)
	var frames []timeline.Frame
	for i := range 30 {
		frames = append(frames, timeline.Frame{
			Dir: timeline.In, Via: "stdio", Form: 1, Body: []byte(`{"jsonrpc":"2.0","method":"m` + itoa(i) + `","params":{"text":"` + big + `"}}`),
		})
	}
	s := newScreen(t, logOf(t, frames...), 100, 25)
	s.draw()
	if !s.v.Busy(&s.c) {
		t.Error("there are rows that were left for the next drawing")
	}
	for i := 0; s.v.Busy(&s.c); i++ {
		if i > 30 {
			t.Fatal("it does not end")
		}
		s.draw()
	}
	s.has(s.draw(), "← m29", "← m20")
}

func benchList(b *testing.B, n int, move bool) {
	log, _ := manyLog(b, n)
	s := newScreen(b, log, 160, 43)
	s.draw()
	b.ResetTimer()
	for i := range b.N {
		if move {
			s.at(n/2 + i%100)
		}
		s.draw()
	}
}

func BenchmarkListAgain1000(b *testing.B)     { benchList(b, 1_000, false) }
func BenchmarkListAgain1000000(b *testing.B)  { benchList(b, 1_000_000, false) }
func BenchmarkListMoving1000(b *testing.B)    { benchList(b, 1_000, true) }
func BenchmarkListMoving1000000(b *testing.B) { benchList(b, 1_000_000, true) }

func BenchmarkFilterStep(b *testing.B) {
	log, _ := manyLog(b, 100_000)
	q := filter.Parse("tool:t776")
	for b.Loop() {
		f := newFound(log, q, 50_000, nil)
		f.work(log.Len())()
	}
}
