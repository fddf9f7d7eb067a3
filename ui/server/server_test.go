package server

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

const (
	started    = `"dir":"note","note":"connect","data":{"command":["node","x.js"],"cwd":"/home/dev","env":["TOKEN"]}`
	initialize = `"dir":"out","via":"stdio","msg":{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`
)

// session makes a recording of frames a tenth of a second apart, each given
// without seq, t and conn.
func session(frames ...string) []byte {
	var b strings.Builder
	b.WriteString(`{"mcpl_recording":1,"id":"x","started":"2026-11-29T10:00:00Z","tool":"t","target":{"kind":"stdio"}}` + "\n")
	for i, f := range frames {
		fmt.Fprintf(&b, `{"seq":%d,"t":%.1f,"conn":1,%s}`+"\n", i+1, float64(i)/10, f)
	}
	return []byte(b.String())
}

// at is the context at the end of a recording, live.
func at(t testing.TB, recording []byte) *view.Context {
	t.Helper()
	return of(t, uitest.Frames(recording))
}

func of(t testing.TB, tape *uitest.Tape) *view.Context {
	t.Helper()
	log := uitest.NewSource(t, tape).Log()
	b, err := log.Board(log.Len() - 1)
	if err != nil {
		t.Fatal(err)
	}
	return &view.Context{
		Log: log, Len: log.Len(), At: log.Len() - 1, Follow: true, Board: b, Newest: b, Now: b.T, Limit: 30 * time.Second,
		Ended: b.Link.Phase == timeline.Closed,
	}
}

func page100(v *View, c *view.Context) string {
	return uitest.Screen(v, c, 100, 25)
}

func live() *View {
	v := New()
	v.Set(Facts{Kind: "stdio", Title: "stdio: node x.js", File: "x.mcpl.jsonl", Recording: true, CanAct: true})
	return v
}

func TestThePageNamesWhatHappened(t *testing.T) {
	stderr := `"dir":"err","via":"stdio","text":"Error: it broke"`
	garbage := `"dir":"in","via":"stdio","text":"Server listening on port 3000"`
	closed := func(data string) string { return `"dir":"note","note":"closed","data":` + data }
	for _, c := range []struct {
		name   string
		frames []string
		wants  []string
	}{
		{
			"a command that does not exist",
			[]string{started, closed(`{"by":"link","reason":"node: no such file"}`)},
			[]string{"✗ The connection could not be made: node: no such file", "not started", "did not start", "r  try again"},
		},
		{
			"one that exits at once",
			[]string{started, initialize, stderr, closed(`{"by":"server","code":1}`)},
			[]string{"✗ The server ended before it said a word of MCP.", "exit code 1, no signal", "Error: it broke", "frame 3", "with TOKEN set"},
		},
		{
			"one that is killed",
			[]string{started, initialize, closed(`{"by":"server","signal":"SIGKILL"}`)},
			[]string{"ended by signal SIGKILL"},
		},
		{
			"one that prints something else and ends",
			[]string{started, initialize, garbage, closed(`{"by":"server","code":0}`)},
			[]string{"✗ What the server wrote on stdout is no JSON", "← Server listening on port 3000", "frame 3"},
		},
		{
			"one that prints something else and goes on",
			[]string{started, initialize, garbage},
			[]string{"! What the server writes on stdout is no JSON", "← Server listening", "starting"},
		},
		{
			"one that says something else in place of the answer",
			[]string{started, initialize, `"dir":"note","note":"timeout","data":{"id":1,"instead":"an answer came with the id 7"}`},
			[]string{"✗ The server did not answer initialize within", ", but an answer came with the id 7. It may"},
		},
		{
			"one that only repeats what it reads",
			[]string{started, initialize, closed(`{"by":"host","code":0,"reason":"the program sends back what it is sent"}`)},
			[]string{"before it was ready: the program sends back what it is sent."},
		},
		{
			"one that refuses initialize",
			[]string{
				started, initialize, `"dir":"in","via":"stdio","msg":{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"not you"}}`,
				closed(`{"by":"host"}`),
			},
			[]string{"The connection was closed from here", "not you"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := page100(live(), at(t, session(c.frames...)))
			for _, want := range c.wants {
				if !strings.Contains(got, want) {
					t.Errorf("%q is not on the page:\n%s", want, got)
				}
			}
		})
	}
}

func TestNobodyAtAnAddressIsNoServerThatDidNotStart(t *testing.T) {
	v := live()
	v.Set(Facts{Kind: "ws", Title: "ws://127.0.0.1:1/", Recording: true, CanAct: true})
	got := page100(v, at(t, session(`"dir":"note","note":"connect","data":{"url":"ws://127.0.0.1:1/"}`,
		`"dir":"note","note":"closed","data":{"by":"link","reason":"nothing answers at 127.0.0.1:1"}`)))
	if strings.Contains(got, "start") || strings.Count(got, "no connection") != 2 {
		t.Errorf("the page:\n%s", got)
	}
}

func TestTheNextSaveOfAWatchedFileIsNamedAsAWayToGoOn(t *testing.T) {
	const words = "The next save of a watched file starts it anew"
	v, c := live(), at(t, session(started, initialize, `"dir":"note","note":"closed","data":{"by":"server","code":1}`))
	if got := page100(v, c); strings.Contains(got, words) {
		t.Errorf("nothing is watched:\n%s", got)
	}
	v.Set(Facts{Kind: "stdio", Title: "stdio: node x.js", CanAct: true, Watched: true})
	if got := page100(v, c); !strings.Contains(got, words) {
		t.Errorf("the page:\n%s", got)
	}
}

func TestASilentServerHasItsLimitNamed(t *testing.T) {
	c := at(t, session(started, initialize))
	if got := page100(live(), c); strings.Contains(got, "has not answered") {
		t.Errorf("a server that was just started is called silent:\n%s", got)
	}
	c.Now += 4 * time.Second
	if got := page100(live(), c); !strings.Contains(got, "◌ The server has not answered initialize so far. It has 30 s; --timeout changes that.") {
		t.Errorf("the limit is not named:\n%s", got)
	}
}

func TestAConnectedServerIsDescribed(t *testing.T) {
	c := of(t, uitest.Frames(uitest.Goban()).Cut(uitest.WireFrames))
	got := page100(live(), c)
	for _, want := range []string{
		"connected", "goban 0.4.1, MCPL 0.5", "→ initialize", "✓", "14 tools", "rev 1", "revision ✓", "2 of 2 granted",
		"STDERR", "undo refused",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not on the page:\n%s", want, got)
		}
	}
	if strings.Contains(got, "WHAT NOW") {
		t.Errorf("a living server is offered an end:\n%s", got)
	}
}

func TestTheChoiceIsMovedAndTaken(t *testing.T) {
	c := at(t, session(started, initialize, `"dir":"note","note":"closed","data":{"by":"server","code":1}`))
	v := live()
	if do, ok := v.Key("enter", c); !ok || do.Line != "reconnect" {
		t.Errorf("the first choice asks %+v", do)
	}
	v.Key("j", c)
	if key := v.Pick(c); key != "t" {
		t.Errorf("the second choice is %q", key)
	}
	v.Key("j", c)
	if do, _ := v.Key("enter", c); do.Kind != view.Show || do.View != 3 {
		t.Errorf("the third choice asks %+v", do)
	}
	v.Key("j", c)
	v.Key("j", c)
	do, _ := v.Key("enter", c)
	if do.Kind != view.Copy || !strings.Contains(do.Text, "The server ended before it said a word of MCP.") || !strings.Contains(do.Text, "node x.js") {
		t.Errorf("the last choice asks %+v", do)
	}
	if strings.Contains(do.Text, "\x1b") {
		t.Error("the copied page holds escape sequences")
	}
}

func TestTheChoiceIsInSightOnASmallScreen(t *testing.T) {
	c := at(t, session(started, initialize, `"dir":"note","note":"closed","data":{"by":"server","code":1}`))
	v := live()
	canvas := kit.NewCanvas(40, 7)
	v.Draw(canvas.All(), c)
	v.Key("j", c)
	canvas = kit.NewCanvas(40, 7)
	v.Draw(canvas.All(), c)
	if got := canvas.Plain(); !strings.Contains(got, "▌  t  change the command") {
		t.Errorf("the choice is out of sight:\n%s", got)
	}
}

func TestARecordingOffersNoReconnect(t *testing.T) {
	c := at(t, session(started, initialize, `"dir":"note","note":"closed","data":{"by":"server","code":1}`))
	c.Replay, c.Ended = true, false
	v := New()
	v.Set(Facts{File: "x.mcpl.jsonl", Skipped: []string{"line 7: no JSON"}, Cut: true})
	got := page100(v, c)
	for _, want := range []string{"3  see the wire", "3 frames, kept in", "line 7: no JSON", "ends in the middle of a line"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not on the page:\n%s", want, got)
		}
	}
	if strings.Contains(got, "try again") {
		t.Errorf("a recording offers to connect:\n%s", got)
	}
}

func TestHostileStderrIsShownAsSigns(t *testing.T) {
	c := at(t, uitest.Many())
	got := page100(live(), c)
	if strings.ContainsAny(got, "\x1b\x07") || !strings.Contains(got, "␛") {
		t.Errorf("escape sequences are not shown as signs:\n%q", got)
	}
}
