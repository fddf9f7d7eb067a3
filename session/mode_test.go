package session

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

func run(t *testing.T, s *Session, lines ...string) Outcome {
	t.Helper()
	var o Outcome
	for _, line := range lines {
		if o = s.Run(t.Context(), line); !o.OK {
			t.Fatalf("%s: %v", line, o.Err)
		}
	}
	return o
}

// untilWaits returns when a request waits for the user.
func untilWaits(t *testing.T, s *Session, id string) {
	t.Helper()
	for deadline := time.Now().Add(patience); !strings.Contains(string(run(t, s, "asks").Result), `"id":`+id+`,`); {
		if time.Now().After(deadline) {
			t.Fatalf("%s does not wait", id)
		}
		run(t, s, "wait 1ms")
	}
}

// answersTo counts the answers to a request of the server.
func answersTo(frames *sink, id string) int {
	return count(frames.all(), func(f wire.Frame) bool {
		h := wire.Peek(f.Body)
		return f.Dir == wire.Out && h.Method == "" && string(h.ID) == id
	})
}

// asking is a server that is ready, and then says what the channel gives.
func asking(next <-chan string) func(*Config) {
	return inproc(func(p *peerEnd) {
		atReady(p, hintManifest, func() {
			go func() {
				for l := range next {
					p.say("%s", l)
				}
			}()
		}, nil)
	})
}

func TestALateAnswerIsHeldBackAndGoesOutOnce(t *testing.T) {
	_, frames := ready(t, asks(hintManifest, req("7", "ping", "{}")), func(c *Config) { c.Answers.Late = time.Millisecond })
	note := frames.wait(t, "the note", noteIs("held-back"))
	if string(note.Data) != `{"id":7,"after":0.001}` {
		t.Errorf("the note says %s", note.Data)
	}
	answering(t, frames, "7")
	if f := frames.wait(t, "the answer", has(wire.Out, `"id":7,"result"`)); f.Seq < note.Seq {
		t.Error("the answer came before the note")
	}
	mode := frames.wait(t, "the mode", noteIs("host"))
	if string(mode.Data) != `{"answers":"late","after":0.001}` || mode.Seq != 2 {
		t.Errorf("frame %d says of the host %s", mode.Seq, mode.Data)
	}
}

func TestWhatIsHeldBackGoesOutWhenTheRuleEnds(t *testing.T) {
	next := make(chan string)
	s, frames := ready(t, asking(next), func(c *Config) { c.Elicit = Ask })
	defer close(next)
	run(t, s, "answers late 1h")
	next <- req("1", "ping", "{}")
	next <- req("2", "elicitation/create", "{}")
	next <- req("3", "ping", "{}")
	next <- req("4", "ping", "{}")
	frames.wait(t, "4 held back", func(f wire.Frame) bool { return f.Name == "held-back" && strings.Contains(string(f.Data), `"id":4`) })
	if o := run(t, s, `answer last {"action":"cancel"}`); string(o.Result) != `{"answers":"late","after":3600}` || o.Request != 0 {
		t.Errorf("an answer that is held back: %s, frame %d", o.Result, o.Request)
	}
	if o := s.Run(t.Context(), `answer 2 {}`); o.OK {
		t.Error("2 could be answered twice")
	}
	next <- `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}`
	next <- req("5", "ping", "{}")
	frames.wait(t, "5 held back", func(f wire.Frame) bool { return f.Name == "held-back" && strings.Contains(string(f.Data), `"id":5`) })
	run(t, s, "answers never", "answers at once")
	for _, id := range []string{"1", "2", "4", "5"} {
		answering(t, frames, id)
		if n := answersTo(frames, id); n != 1 {
			t.Errorf("%s has %d answers", id, n)
		}
	}
	if answersTo(frames, "3") != 0 {
		t.Error("a request that was withdrawn was answered")
	}
}

func TestASilentHostAnswersNothingAlsoAtTheEnd(t *testing.T) {
	s, frames := ready(t, asks(hintManifest, req("1", "ping", "{}"), req("2", "elicitation/create", "{}"), req("3", "x/y", "{}")),
		func(c *Config) { c.Answers.Never, c.Elicit = true, Ask })
	f := frames.wait(t, "3 held back", func(f wire.Frame) bool { return f.Name == "held-back" && strings.Contains(string(f.Data), `"id":3`) })
	if string(f.Data) != `{"id":3}` {
		t.Errorf("the note says %s", f.Data)
	}
	s.Close(context.Background())
	for _, id := range []string{"1", "2", "3"} {
		if n := answersTo(frames, id); n != 0 {
			t.Errorf("%s has %d answers", id, n)
		}
	}
}

func TestWhatIsHeldBackIsAnsweredWhenTheUserLeaves(t *testing.T) {
	s, frames := ready(t, asks(hintManifest, req("1", "ping", "{}"), req("2", "elicitation/create", "{}"), req("3", "ping", "{}")),
		func(c *Config) { c.Answers.Late, c.Elicit = time.Hour, Ask })
	frames.wait(t, "3 held back", func(f wire.Frame) bool { return f.Name == "held-back" && strings.Contains(string(f.Data), `"id":3`) })
	s.Close(context.Background())
	for _, id := range []string{"1", "2", "3"} {
		if n := answersTo(frames, id); n != 1 {
			t.Errorf("%s has %d answers", id, n)
		}
	}
}

func TestTheRecordingSaysHowTheHostBehavesWhenThatChanges(t *testing.T) {
	s, frames := ready(t, inproc(good))
	run(t, s, "push ask", "push refuse", "push refuse busy", "elicit accept", "answers late 1.5s", "hints ignore", "push accept", "answers at once", "hints use")
	var said []string
	for _, f := range frames.all() {
		if f.Name == "host" {
			said = append(said, string(f.Data))
		}
	}
	want := []string{
		`{"push":"refuse"}`, `{"push":"refuse","answers":"late","after":1.5}`, `{"push":"refuse","answers":"late","after":1.5,"hints":"ignored"}`,
		`{"answers":"late","after":1.5,"hints":"ignored"}`, `{"hints":"ignored"}`, `{}`,
	}
	if fmt.Sprint(said) != fmt.Sprint(want) {
		t.Errorf("the notes say\n%s\nwant\n%s", strings.Join(said, "\n"), strings.Join(want, "\n"))
	}
	run(t, s, "push refuse", "reconnect")
	if f := frames.wait(t, "the note", func(f wire.Frame) bool { return f.Name == "host" && f.Conn == 2 }); string(f.Data) != `{"push":"refuse"}` {
		t.Errorf("connection 2 says %s", f.Data)
	}
}

func TestAHostThatIgnoresHintsAsksForThemAndReadsThePlainListAlone(t *testing.T) {
	s, frames := ready(t, inproc(good), func(c *Config) { c.IgnoreHints = true })
	if body := bodyOf(t, frames, mcpl.MethodInitialize); !strings.Contains(body, `"toolHints":true`) {
		t.Errorf("it advertises %s", body)
	}
	s.Lost(1)
	run(t, s, "tools")
	if count(frames.all(), has(wire.Out, mcpl.MethodToolsetsList)) != 0 {
		t.Error("it reads toolsets/list")
	}
	run(t, s, "hints use")
	bodyOf(t, frames, mcpl.MethodToolsetsList)
}

func TestChannelsAreAskedAboutOneByOne(t *testing.T) {
	next := make(chan string)
	s, frames := ready(t, asking(next), func(c *Config) { c.Channels = Ask })
	defer close(next)
	next <- req("1", "channels/register", `{"channels":[{"id":"a","n":1.0},{"id":"b"},{"id":"c"}]}`)
	untilWaits(t, s, "1")
	run(t, s, `answer 1 {"results":[{"id":"a","accepted":true},{"id":"b","accepted":false,"reason":"no"},{"id":"x","accepted":true}]}`)
	next <- req("2", "channels/list", "{}")
	if h := answering(t, frames, "2"); string(h.Result) != `{"channels":[{"id":"a","n":1.0}]}` {
		t.Errorf("kept: %s", h.Result)
	}
	next <- req("3", "channels/changed", `{"removed":["a"],"added":[{"id":"d"}]}`)
	untilWaits(t, s, "3")
	run(t, s, "decline 3 not these")
	if h := answering(t, frames, "3"); string(h.Result) != `{"results":[{"id":"d","accepted":false,"reason":"not these"}]}` {
		t.Errorf("declined: %s", h.Result)
	}
	run(t, s, "channels decline full")
	next <- req("4", "channels/register", `{"channels":[{"id":"e"}]}`)
	if h := answering(t, frames, "4"); string(h.Result) != `{"results":[{"id":"e","accepted":false,"reason":"full"}]}` {
		t.Errorf("declined by rule: %s", h.Result)
	}
	next <- `{"jsonrpc":"2.0","method":"channels/changed","params":{"added":[{"id":"f"}]}}`
	next <- req("5", "channels/list", "{}")
	if h := answering(t, frames, "5"); string(h.Result) != `{"channels":[]}` {
		t.Errorf("kept in the end: %s", h.Result)
	}
	run(t, s, "channels ask")
	next <- req("6", "channels/changed", `{"removed":["z"]}`)
	if h := answering(t, frames, "6"); string(h.Result) != `{"results":[]}` {
		t.Errorf("nothing to ask about: %s", h.Result)
	}
}

func TestRootsAreToldAndTheirChangeIsAnnounced(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a b#c")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	root, err := DirRoot(dir)
	if err != nil || !strings.HasPrefix(root.URI, "file:///") || !strings.HasSuffix(root.URI, "/a%20b%23c") || root.Name != "a b#c" {
		t.Fatalf("%+v, %v", root, err)
	}
	next := make(chan string)
	s, frames := ready(t, asking(next), func(c *Config) { c.Roots = []Root{root} })
	defer close(next)
	next <- req("1", "roots/list", "{}")
	if h := answering(t, frames, "1"); string(h.Result) != `{"roots":[{"uri":"`+root.URI+`","name":"a b#c"}]}` {
		t.Errorf("answered %s", h.Result)
	}
	if preview, err := s.Preview("roots none"); err != nil || string(preview) != `{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}` {
		t.Errorf("preview %s, %v", preview, err)
	}
	if o := run(t, s, "roots none"); string(o.Result) != `{"roots":[]}` || o.Request == 0 {
		t.Errorf("roots none: %s, frame %d", o.Result, o.Request)
	}
	next <- req("2", "roots/list", "{}")
	if h := answering(t, frames, "2"); string(h.Result) != `{"roots":[]}` {
		t.Errorf("answered %s", h.Result)
	}
	if o := run(t, s, "roots "+QuoteWord(dir)); !strings.Contains(string(o.Result), root.URI) {
		t.Errorf("roots DIR: %s", o.Result)
	}
}

func TestWhatIsAdvertisedIsWhatSomebodyAnswers(t *testing.T) {
	s, frames := ready(t, inproc(good))
	if body := bodyOf(t, frames, mcpl.MethodInitialize); strings.Contains(body, "sampling") || strings.Contains(body, "inferenceRequest") || strings.Contains(body, `"url"`) {
		t.Errorf("it advertises %s", body)
	}
	run(t, s, "sampling ask", "elicit ask", "reconnect")
	f := frames.wait(t, "initialize of connection 2", func(f wire.Frame) bool {
		return f.Conn == 2 && wire.Peek(f.Body).Method == mcpl.MethodInitialize
	})
	for _, want := range []string{`"sampling":{}`, `"inferenceRequest":{"streaming":false}`, `"elicitation":{"form":{},"url":{}}`} {
		if !strings.Contains(string(f.Body), want) {
			t.Errorf("it advertises %s, without %s", f.Body, want)
		}
	}
}

func TestWhatWaitsIsListedOldestFirst(t *testing.T) {
	s, frames := ready(t, asks(hintManifest, req("1", "elicitation/create", `{"message":"a"}`), req(`"2"`, "elicitation/create", "{}"), req("3", "ping", "{}")),
		func(c *Config) { c.Elicit = Ask })
	answering(t, frames, "3")
	got := string(run(t, s, "asks").Result)
	if !strings.HasPrefix(got, `[{"seq":`) || !strings.Contains(got, `"id":1,"method":"elicitation/create","params":{"message":"a"}},{"seq":`) || !strings.HasSuffix(got, `"id":"2","method":"elicitation/create","params":{}}]`) {
		t.Errorf("asks: %s", got)
	}
}
