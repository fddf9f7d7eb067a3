package uitest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// hinted is a message of the session with its hints.
type hinted struct {
	seq   int64
	t     time.Duration
	by    string // call, open, close, list, push, hints
	rev   int
	label string // the hints' reason
	tools []struct {
		Name       string
		Instance   string
		Visible    *bool
		Definition json.RawMessage
	}
	suggest []json.RawMessage
	sets    []struct{ Toolset, Instance, State string }
}

// revsOf reads the messages with hints off a tape, in order, without the
// timeline.
func revsOf(t *testing.T, tape *Tape) []hinted {
	t.Helper()
	var revs []hinted
	methods := map[string]string{}
	for _, f := range all(t, tape) {
		for h := range f.Messages {
			var raw json.RawMessage
			by := map[string]string{"push/event": "push", "tools/hints": "hints"}[h.Method]
			switch {
			case f.Dir == timeline.Out:
				methods[h.ID.Key()] = h.Method
			case by == "push":
				raw = dig(t, h.Params, "hints")
			case by == "hints":
				raw = h.Params
			default:
				raw = dig(t, h.Result, "_meta", "mcpl/hints")
				by = map[string]string{
					"tools/call": "call", "toolsets/open": "open", "toolsets/close": "close", "toolsets/list": "list",
				}[methods[h.ID.Key()]]
			}
			if raw != nil {
				revs = append(revs, readHints(t, f, by, raw))
			}
		}
	}
	return revs
}

func readHints(t *testing.T, f timeline.Frame, by string, raw json.RawMessage) hinted {
	t.Helper()
	r := hinted{seq: f.Seq, t: f.T, by: by}
	err := json.Unmarshal(raw, &struct {
		Rev      *int
		Reason   *string
		Tools    any
		Suggest  *[]json.RawMessage
		Toolsets any
	}{&r.rev, &r.label, &r.tools, &r.suggest, &r.sets})
	if err != nil {
		t.Fatalf("frame %d: %v", f.Seq, err)
	}
	return r
}

// dig returns the value below the named members, or nil.
func dig(t *testing.T, raw json.RawMessage, keys ...string) json.RawMessage {
	t.Helper()
	for _, k := range keys {
		var members map[string]json.RawMessage
		if json.Unmarshal(raw, &members) != nil || members[k] == nil {
			return nil
		}
		raw = members[k]
	}
	return raw
}

// The list of revs as screens (a) and (e) draw it: time, carrier, the words,
// and the signs.
const drawnRevs = `
 1 0:00 list  all
 2 0:14 open  game vs-ada      +3
 3 0:21 call  play@vs-ada      -2
 4 0:24 push  White C3         +2 ~1
 5 0:31 call  play@vs-ada      -2
 6 0:33 push  White E4         +2 ~1
 7 0:41 call  play@vs-ada      -2
 8 0:45 push  White G4         +2 ~1
 9 0:53 call  play@vs-ada      -2
10 0:55 push  White B4         +2 ~1
11 1:01 open  game vs-bot      +3
12 1:05 call  play@vs-bot      -2
13 1:06 push  Black D4         +2 ~1
14 1:10 call  play@vs-ada      -2
15 1:13 push  White D6         +2 ~1
16 1:16 call  play@vs-bot      -2
17 1:16 push  Black C16        +2 ~1
18 1:20 hints Kai joined       +1
19 1:24 call  play@vs-ada      -2
20 1:29 push  White C5         +2 ~1
21 1:33 call  play@vs-bot      -2
22 1:33 push  Black R14        +2 ~1
23 1:40 open  chat             +2
24 1:55 close chat
25 2:00 hints Kai left         -1
26 2:04 call  play@vs-ada      -2
27 2:08 push  White D3         +2 ~1
28 2:13 call  play@vs-bot      -2
29 2:14 push  Black Q6         +2 ~1
30 2:19 call  play@vs-ada      -2
31 2:20 push  D5 takes two     +2 ~1
32 2:26 call  play@vs-bot      -2
33 2:26 push  Black J4         +2 ~1
34 2:33 call  play@vs-ada      -2
35 2:38 push  White H5         +2 ~1
36 2:42 hints end is near      +1
37 2:47 call  play@vs-ada      -2
38 2:52 push  Ada: hello!      ?
39 2:58 push  takeback ok      +1
40 3:03 call  pass@vs-bot      -2
41 3:10 push  White E5         +2 ~1`

// TestTheRevsAreTheOnesDrawn compares each rev with its row. What a rev
// states is not yet what changed: the +1 of rev 39 is the entry that a host
// has to ignore.
func TestTheRevsAreTheOnesDrawn(t *testing.T) {
	revs := revsOf(t, Frames(Goban()))
	drawn := strings.Split(strings.TrimPrefix(drawnRevs, "\n"), "\n")
	if len(revs) != 41 || len(drawn) != 41 {
		t.Fatalf("%d messages with hints, %d rows", len(revs), len(drawn))
	}
	tape := Frames(Goban())
	for i, r := range revs {
		got := fmt.Sprintf("%2d %d:%02d %-5s %-16s %s",
			r.rev, int(r.t.Minutes()), int(r.t.Seconds())%60, r.by, words(t, tape, r), strings.Join(signs(r), " "))
		if got = strings.TrimRight(got, " "); got != drawn[i] {
			t.Errorf("frame %d\n got %q\nwant %q", r.seq, got, drawn[i])
		}
	}
}

// words tells the cause of a rev as its row does.
func words(t *testing.T, tape *Tape, r hinted) string {
	t.Helper()
	switch r.by {
	case "list":
		return "all"
	case "push", "hints":
		return r.label
	case "open", "close":
		return strings.TrimSpace(r.sets[0].Toolset + " " + r.sets[0].Instance)
	}
	answer := one(t, tape, r.seq)
	for _, f := range all(t, tape)[:r.seq-1] {
		for h := range f.Messages {
			if f.Dir == timeline.Out && h.ID.Key() == answer.ID.Key() {
				return member[string](t, string(h.Params), "name") + "@" +
					member[string](t, string(dig(t, h.Params, "_meta")), "mcpl/instance")
			}
		}
	}
	return "?"
}

func signs(r hinted) []string {
	var on, off, defined int
	for _, e := range r.tools {
		if e.Visible != nil && *e.Visible {
			on++
		} else {
			off++
		}
		if e.Definition != nil {
			defined++
		}
	}
	var out []string
	for _, s := range []struct {
		sign string
		n    int
	}{{"+", on}, {"-", off}, {"~", defined}} {
		if s.n > 0 {
			out = append(out, fmt.Sprint(s.sign, s.n))
		}
	}
	if len(r.suggest) > 0 {
		out = append(out, "?")
	}
	return out
}

func one(t *testing.T, tape *Tape, seq int64) timeline.Head {
	t.Helper()
	for h := range all(t, tape)[seq-1].Messages {
		return h
	}
	t.Fatalf("frame %d is no message", seq)
	return timeline.Head{}
}

// TestTracksAreTheOnesDrawn follows single tools through the revs and
// compares them with the lanes of screens (e) and (n), from the rev at which
// their instance opened.
func TestTracksAreTheOnesDrawn(t *testing.T) {
	for _, c := range []struct {
		tool, instance string
		from           int
		track, defined string
	}{
		{
			"play", "vs-ada", 2, "●·●·●·●·●●●●·●●●●·●●●●●●·●●●·●●●·●●····●",
			"  ~ ~ ~ ~    ~    ~      ~   ~   ~     ~",
		},
		{"pass", "vs-ada", 2, "●·●·●·●·●●●●·●●●●·●●●●●●·●●●·●●●·●●····●", ""},
		{"undo", "vs-ada", 2, strings.Repeat("·", 40), ""},
		{"resign", "vs-ada", 2, strings.Repeat("●", 40), ""},
		{"rematch", "", 1, "·················●●●●●●●·················", ""},
		{"score", "vs-bot", 11, strings.Repeat("·", 25) + "●●●●●●", ""},
		{"play", "vs-bot", 11, "●·●●●·●●●●·●●●●●●·●●●·●●●●●●●··", "  ~   ~    ~      ~   ~"},
		{"pass", "vs-bot", 11, "●·●●●·●●●●·●●●●●●·●●●·●●●●●●●··", ""},
	} {
		track, defined := "", ""
		usable := false
		for _, r := range revsOf(t, Frames(Goban())) {
			sign := " "
			for _, e := range r.tools {
				if e.Name == c.tool && e.Instance == c.instance {
					usable = *e.Visible
					if e.Definition != nil {
						sign = "~"
					}
				}
			}
			if r.rev >= c.from {
				track += map[bool]string{true: "●", false: "·"}[usable]
				defined += sign
			}
		}
		if track != c.track || strings.TrimRight(defined, " ") != c.defined {
			t.Errorf("%s @ %s\n got %s\nwant %s\n got %s\nwant %s", c.tool, c.instance, track, c.track, defined, c.defined)
		}
	}
}

// TestPlayIsRedefinedAsDrawn compares the definitions around revs 31 and 41
// with screens (e) and (a).
func TestPlayIsRedefinedAsDrawn(t *testing.T) {
	definitions := map[int]json.RawMessage{}
	for _, r := range revsOf(t, Frames(Goban())) {
		for _, e := range r.tools {
			if e.Name == "play" && e.Instance == "vs-ada" && e.Definition != nil {
				definitions[r.rev] = e.Definition
			}
		}
	}
	for _, c := range []struct {
		before, here int
		points       int
		gone, come   string
		description  string
		title        string
		comment      string
	}{
		{
			27, 31, 67, "D5", "D4", "Place a stone. You are Black, move 17. White took two stones, C4 and D4.",
			"Play (move 17)", `{"type":"string","maxLength":80}`,
		},
		{35, 41, 63, "E5 F5", "", "Place a stone. You are Black, move 21.", "Play (move 21)", ""},
	} {
		old, now := definitions[c.before], definitions[c.here]
		was, is := enumOf(t, old), enumOf(t, now)
		if len(is) != c.points || strings.Join(without(was, is), " ") != c.gone || strings.Join(without(is, was), " ") != c.come {
			t.Errorf("rev %d: %d points, - %v + %v", c.here, len(is), without(was, is), without(is, was))
		}
		if got := member[string](t, string(now), "description"); got != c.description {
			t.Errorf("rev %d: %q", c.here, got)
		}
		if got := member[string](t, string(dig(t, now, "annotations")), "title"); got != c.title {
			t.Errorf("rev %d: %q", c.here, got)
		}
		if got := dig(t, now, "inputSchema", "properties", "comment"); string(got) != c.comment {
			t.Errorf("rev %d: comment %s", c.here, got)
		}
	}
	if n := len(enumOf(t, definitions[27])); n != 67 {
		t.Errorf("67 points before rev 31, not %d", n)
	}
	if got := member[string](t, string(definitions[35]), "description"); got != "Place a stone. You are Black, move 19." {
		t.Errorf("rev 35: %q", got)
	}
}

func enumOf(t *testing.T, definition json.RawMessage) []string {
	t.Helper()
	return member[[]string](t, string(dig(t, definition, "inputSchema", "properties", "at")), "enum")
}

func without(a, b []string) []string {
	var out []string
	for _, s := range a {
		if !slices.Contains(b, s) {
			out = append(out, s)
		}
	}
	return out
}
