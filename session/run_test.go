package session

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// fakeView is a state that a test sets by hand.
type fakeView struct {
	mu       sync.Mutex
	toolsets map[string]ToolsetInfo
	names    []string
	tools    map[string]ToolInfo
	list     []string
	rev      int64
	synced   int64
	changed  chan struct{}
}

func newView() *fakeView {
	v := &fakeView{changed: make(chan struct{}), toolsets: map[string]ToolsetInfo{}, tools: map[string]ToolInfo{}}
	v.toolset("game", ToolsetInfo{Declared: true, HasInstances: true, Instances: []string{"vs-ada", "vs bot"}})
	v.toolset("solo", ToolsetInfo{Declared: true, HasInstances: true, Instances: []string{"one"}})
	v.toolset("radio", ToolsetInfo{Declared: true})
	v.toolset("attic", ToolsetInfo{})
	for _, t := range [][2]string{{"status", ""}, {"play", "game"}, {"go", "solo"}, {"tune", "radio"}, {"dust", "attic"}, {"me@home", "game"}, {"two words", "game"}} {
		v.tools[t[0]] = ToolInfo{Toolset: t[1]}
		v.list = append(v.list, t[0])
	}
	return v
}

func (v *fakeView) toolset(name string, info ToolsetInfo) {
	v.toolsets[name] = info
	v.names = append(v.names, name)
}

func (v *fakeView) On(int) View { return v }

func (v *fakeView) Toolset(name string) (ToolsetInfo, bool) { t, ok := v.toolsets[name]; return t, ok }
func (v *fakeView) Toolsets() []string                      { return v.names }
func (v *fakeView) Tool(name string) (ToolInfo, bool)       { t, ok := v.tools[name]; return t, ok }
func (v *fakeView) Tools() []string                         { return v.list }

func (v *fakeView) Applied(rev int64) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return rev <= v.rev
}

func (v *fakeView) Changed() <-chan struct{} {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.changed
}

func (v *fakeView) Sync(_ context.Context, seq int64) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.synced = max(v.synced, seq)
	return nil
}

func (v *fakeView) apply(rev int64) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.rev = rev
	close(v.changed)
	v.changed = make(chan struct{})
}

func viewed(v *fakeView) option { return func(c *Config) { c.View = v } }

func TestEachCommandSendsTheVeryBytesOfItsPreview(t *testing.T) {
	s, frames := ready(t, inproc(good), viewed(newView()))
	for _, c := range []struct{ line, method, params string }{
		{`open game`, "toolsets/open", `{"toolset":"game"}`},
		{`open game as vs-eve {"opponent": "eve","size":1.0, "x":"<&>é\u0041"}`, "toolsets/open", `{"toolset":"game","instance":"vs-eve","options":{"opponent": "eve","size":1.0, "x":"<&>é\u0041"}}`},
		{`open game as "vs <eve>"`, "toolsets/open", `{"toolset":"game","instance":"vs <eve>"}`},
		{`open game {"as":1}`, "toolsets/open", `{"toolset":"game","options":{"as":1}}`},
		{`  open   radio  []  `, "toolsets/open", `{"toolset":"radio","options":[]}`},
		{`open "no such"`, "toolsets/open", `{"toolset":"no such"}`},
		{`open as as as`, "toolsets/open", `{"toolset":"as","instance":"as"}`},
		{`close radio`, "toolsets/close", `{"toolset":"radio"}`},
		{`close solo`, "toolsets/close", `{"toolset":"solo","instance":"one"}`},
		{`close game "vs bot"`, "toolsets/close", `{"toolset":"game","instance":"vs bot"}`},
		{`call status`, "tools/call", `{"name":"status","arguments":{},"_meta":{"progressToken":ID}}`},
		{`call status {"a":1,"a":2, "n":9007199254740993}`, "tools/call", `{"name":"status","arguments":{"a":1,"a":2, "n":9007199254740993},"_meta":{"progressToken":ID}}`},
		{`call status 5`, "tools/call", `{"name":"status","arguments":5,"_meta":{"progressToken":ID}}`},
		{`call play@vs-ada {"at":"E5"}`, "tools/call", `{"name":"play","arguments":{"at":"E5"},"_meta":{"mcpl/instance":"vs-ada","progressToken":ID}}`},
		{`call play@"vs bot"`, "tools/call", `{"name":"play","arguments":{},"_meta":{"mcpl/instance":"vs bot","progressToken":ID}}`},
		{`call "two words"@vs-ada`, "tools/call", `{"name":"two words","arguments":{},"_meta":{"mcpl/instance":"vs-ada","progressToken":ID}}`},
		{`call me@home@vs-ada`, "tools/call", `{"name":"me@home","arguments":{},"_meta":{"mcpl/instance":"vs-ada","progressToken":ID}}`},
		{`call go`, "tools/call", `{"name":"go","arguments":{},"_meta":{"progressToken":ID}}`},
		{`call tune`, "tools/call", `{"name":"tune","arguments":{},"_meta":{"progressToken":ID}}`},
		{`call dust`, "tools/call", `{"name":"dust","arguments":{},"_meta":{"progressToken":ID}}`},
		{`call nobody@knows`, "tools/call", `{"name":"nobody","arguments":{},"_meta":{"mcpl/instance":"knows","progressToken":ID}}`},
		{`call @x`, "tools/call", `{"name":"@x","arguments":{},"_meta":{"progressToken":ID}}`},
		{`raw resources/read {"uri":"a b"}`, "resources/read", `{"uri":"a b"}`},
		{`raw "odd <method>"`, "odd <method>", ``},
		{"raw x {\n\"a\":\r1}", "x", `{ "a": 1}`},
		{`tools`, "tools/list", `{}`},
		{`toolsets`, "toolsets/list", `{}`},
	} {
		preview, err := s.Preview(c.line)
		o := s.Run(t.Context(), c.line)
		if err != nil || !o.OK || o.Err != nil || o.Command != c.line {
			t.Fatalf("%s: preview %v, run %+v %+v", c.line, err, o, o.Err)
		}
		f := frames.all()[o.Request-1]
		h := wire.Peek(f.Body)
		if string(f.Body) != string(preview) || f.Form != wire.Msg {
			t.Errorf("%s sent\n%s\npreview\n%s", c.line, f.Body, preview)
		}
		if want := strings.Replace(c.params, "ID", h.ID.String(), 1); h.Method != c.method || string(h.Params) != want {
			t.Errorf("%s sent %s %s, want %s", c.line, h.Method, h.Params, want)
		}
		if a := frames.all()[o.Answer-1]; wire.Peek(a.Body).ID != h.ID || a.Dir != wire.In {
			t.Errorf("%s: the answer is said to be %s", c.line, a.Body)
		}
	}
}

func commandNames() []string {
	var out []string
	for _, c := range Commands() {
		out = append(out, c.Name)
	}
	return out
}

func TestALineThatIsWrongIsToldWithItsPlaceAndSendsNothing(t *testing.T) {
	s, _ := ready(t, inproc(good), viewed(newView()))
	for line, want := range map[string]string{
		`opne game`:              `no command "opne". Did you mean open?`,
		`xyzzy`:                  `no command "xyzzy". The commands are ` + strings.Join(commandNames(), ", "),
		`open`:                   `the toolset is missing; it is: open TOOLSET [as NAME] [JSON-options]`,
		`open game as`:           `the name after as is missing; it is: open TOOLSET [as NAME] [JSON-options]`,
		`open game as x {"a": }`: `bad JSON at column 22: invalid character '}' looking for beginning of value`,
		`open game {"é": tru}`:   `bad JSON at column 20: invalid character '}' in literal true (expecting 'e')`,
		`open game {"a":1`:       `bad JSON at column 17: unexpected end of JSON input`,
		`open game {} x`:         `bad JSON at column 14: invalid character 'x' after top-level value`,
		`open game vs-eve`:       `bad JSON at column 11: invalid character 'v' looking for beginning of value; to name the instance: open game as vs-eve`,
		`open "game`:             `the quotes that open at column 6 are not closed`,
		`open "\q"`:              `bad quotes at column 6: invalid character 'q' in string escape code`,
		"call status \"\xff\"":   `bad JSON at column 14: bytes that are no UTF-8`,
		`open attic as x`:        `attic is a group that the server does not track: it takes no name and no options`,
		`close attic x`:          `attic is a group that the server does not track: it has no instances`,
		`close game`:             `several instances of game are open: vs-ada, vs bot; say which: close game NAME`,
		`close game a b`:         `nothing more can follow at column 14; it is: close TOOLSET [NAME]`,
		`call play`:              `several instances are open: vs-ada, vs bot; say which: call play@NAME`,
		`call tune@x`:            `tune is of no toolset with instances: call it without @x`,
		`call`:                   `the tool is missing; it is: call TOOL[@INSTANCE] [JSON-arguments]`,
		`cancel`:                 `no request is open`,
		`cancel 99`:              `no request with the id 99 is open`,
		`tools now`:              `nothing more can follow at column 7; it is: tools`,
		`push maybe`:             `"maybe" is no way to answer; it is: push accept|refuse|ask [REASON]`,
		`push ask why`:           `only refuse takes a reason; it is: push accept|refuse|ask [REASON]`,
		`elicit refuse`:          `"refuse" is no way to answer; it is: elicit accept|decline|ask`,
		`sampling accept`:        `"accept" is no way to answer; it is: sampling ask|decline`,
		`channels ask why`:       `only decline takes a reason; it is: channels accept|ask|decline [REASON]`,
		`answers`:                `say when; it is: answers at once|late DURATION|never`,
		`answers at`:             `say when; it is: answers at once|late DURATION|never`,
		`answers late`:           `how late is missing; it is: answers at once|late DURATION|never`,
		`answers late 2`:         `"2" is no time to be late by: give 500ms, 2s, 1m, up to 1h0m0s`,
		`answers never more`:     `nothing more can follow at column 15; it is: answers at once|late DURATION|never`,
		`hints`:                  `use or ignore is missing; it is: hints use|ignore`,
		`hints maybe`:            `"maybe" is nothing to do with hints; it is: hints use|ignore`,
		`roots /no/such`:         `the root /no/such is no directory: give one that exists`,
		`grant`:                  `a path is missing; it is: grant PATH|FEATURE-SET… [deny PATH…]`,
		`answer last {}`:         `no request of the server waits`,
		`decline 7`:              `no request of the server with the id 7 waits`,
		`wait rev x`:             `"x" is no rev: they are 1, 2, 3, …`,
		`wait rev 0`:             `"0" is no rev: they are 1, 2, 3, …`,
		`wait 5`:                 `"5" is nothing to wait for; it is: wait rev N | push | request | calls | DURATION (a duration is 500ms, 2s, 1m)`,
		`wait`:                   `what to wait for is missing; it is: wait rev N | push | request | calls | DURATION`,
		`mark`:                   `the text is missing; it is: mark TEXT`,
		`raw`:                    `the method is missing; it is: raw METHOD [JSON-params]`,
		`tools &`:                `& stands after open, close, call and raw; tools is done at once`,
	} {
		before := s.tap.newest()
		o := s.Run(t.Context(), line)
		if o.OK || o.Err == nil || o.Err.Message != want {
			t.Errorf("%s:\n%+v\nwant %s", line, o.Err, want)
		}
		if s.tap.newest() != before {
			t.Errorf("%s left frames", line)
		}
		if _, err := s.Preview(line); err == nil {
			t.Errorf("%s has a preview", line)
		}
	}
}

func TestWhatSendsNothingHasNoPreview(t *testing.T) {
	s, frames := ready(t, inproc(good), viewed(newView()))
	for line, note := range map[string]string{
		`open attic`: `group-open {"toolset":"attic"}`, `close attic`: `group-close {"toolset":"attic"}`,
		`mark here <&> it is &`: `mark {"text":"here <&> it is &"}`,
		`push ask`:              "", `elicit ask`: "", `sampling ask`: "", `channels ask`: "", `roots`: "", `asks`: "", `wait 1ms`: "", ``: "", `  # a comment`: "",
	} {
		if preview, err := s.Preview(line); preview != nil || err != nil {
			t.Errorf("preview of %q: %s, %v", line, preview, err)
		}
		before := s.tap.newest()
		if o := s.Run(t.Context(), line); !o.OK || o.Request != 0 {
			t.Errorf("%q: %+v", line, o)
		}
		got := ""
		for _, f := range frames.all()[before:] {
			got += f.Name + " " + string(f.Data)
		}
		if got != note {
			t.Errorf("%q left %q, want %q", line, got, note)
		}
	}
	if o := s.Run(t.Context(), `notify notifications/roots/list_changed`); !o.OK || string(frames.all()[o.Request-1].Body) != `{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}` {
		t.Errorf("notify: %+v", o)
	}
}

func TestCommandsKnowWhatTheAnswerBeforeThemChanged(t *testing.T) {
	v := newView()
	s, _ := ready(t, inproc(good), viewed(v))
	o := s.Run(t.Context(), "open radio")
	s.Run(t.Context(), "close radio")
	if v.synced < o.Answer {
		t.Errorf("the view was asked at frame %d, the answer is %d", v.synced, o.Answer)
	}
}

func TestAnErrorOfTheServerComesInItsWordsAndAToolErrorIsAResult(t *testing.T) {
	s, _ := ready(t, inproc(func(p *peerEnd) {
		p.host(hintManifest, func(h wire.Head) bool {
			switch wire.StringOf(wire.Member(h.Params, "name")) {
			case "refused":
				p.say(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32001,"message":"not <now>","data":{"a": 1}}}`, h.ID)
			case "wordless":
				p.say(`{"jsonrpc":"2.0","id":%s,"error":"no"}`, h.ID)
			case "toolerror":
				p.result(h, `{"isError":true, "content":[]}`)
			default:
				return false
			}
			return true
		})
	}))
	for line, want := range map[string]string{
		"call refused":   `{"command":"call refused","ok":false,"error":{"code":-32001,"message":"not <now>","data":{"a": 1}}}`,
		"call wordless":  `{"command":"call wordless","ok":false,"error":{"code":0,"message":"the server answered with an error that has no message"}}`,
		"call toolerror": `{"command":"call toolerror","ok":true,"result":{"isError":true, "content":[]}}`,
		"mark x":         `{"command":"mark x","ok":true,"result":null}`,
	} {
		if got := string(s.Run(t.Context(), line).JSON()); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}

// slow is a server that answers calls only when the test says so.
func slow(manifest string, go_ <-chan string) option {
	return inproc(func(p *peerEnd) {
		p.host(manifest, func(h wire.Head) bool {
			if h.Method != mcpl.MethodToolsCall {
				return false
			}
			go func() { p.say("%s", strings.ReplaceAll(<-go_, "ID", string(h.ID))) }()
			return true
		})
	})
}

func TestARequestBeyondItsTimeIsGivenUpAndALateAnswerIsOnRecord(t *testing.T) {
	late := make(chan string, 1)
	s, frames := ready(t, slow(hintManifest, late))
	o := s.Run(t.Context(), "timeout 20ms call status")
	if o.OK || o.Err.Message != "no answer to tools/call within 20ms; --timeout changes the limit" || o.Request == 0 || o.Answer != 0 {
		t.Errorf("%+v %v", o, o.Err)
	}
	id := wire.Peek(frames.all()[o.Request-1].Body).ID
	frames.wait(t, "the note", func(f wire.Frame) bool { return f.Name == "timeout" && string(f.Data) == `{"id":`+string(id)+`}` })
	frames.wait(t, "the cancellation", has(wire.Out, `"method":"notifications/cancelled","params":{"requestId":`+string(id)+`,`))
	late <- `{"jsonrpc":"2.0","id":ID,"result":{"late":true}}`
	frames.wait(t, "the late answer", has(wire.In, `"late":true`))
	if o := s.Run(t.Context(), "raw ping"); !o.OK {
		t.Errorf("afterwards: %v", o.Err)
	}
}

func TestAnswersFindTheirRequestsInAnyOrder(t *testing.T) {
	s, _ := ready(t, inproc(func(p *peerEnd) {
		var held []wire.Head
		p.host(hintManifest, func(h wire.Head) bool {
			if h.Method != mcpl.MethodToolsCall {
				return false
			}
			if held = append(held, h); len(held) == 20 {
				for i := len(held) - 1; i >= 0; i-- {
					p.say(`{"jsonrpc":"2.0","id":"%s","result":{"wrong":"type of id"}}`, held[i].ID)
					p.say(`{"jsonrpc":"2.0","result":{"got":%s},"id":%s.0}`, wire.Member(held[i].Params, "arguments"), held[i].ID)
					p.result(held[i], `{"second":true}`)
				}
			}
			return true
		})
	}))
	var group sync.WaitGroup
	for i := range 20 {
		group.Go(func() {
			if o := s.Run(t.Context(), fmt.Sprintf("call status %d", i)); string(o.Result) != fmt.Sprintf(`{"got":%d}`, i) {
				t.Errorf("call %d: %s %v", i, o.Result, o.Err)
			}
		})
	}
	group.Wait()
}

func TestAnOpenRequestCanBeCancelled(t *testing.T) {
	hold := make(chan string)
	defer close(hold)
	s, frames := ready(t, slow(hintManifest, hold))
	for _, c := range []struct {
		name   string
		cancel func(id string)
	}{
		{"by its id", func(id string) {
			if o := s.Run(t.Context(), "cancel "+id); !o.OK {
				t.Error(o.Err)
			}
		}},
		{"as the last", func(string) {
			if o := s.Run(t.Context(), "cancel"); !o.OK {
				t.Error(o.Err)
			}
		}},
		{"by its context", nil},
	} {
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan Outcome)
		from := s.tap.newest()
		go func() { done <- s.Run(ctx, "call status") }()
		f := frames.wait(t, "the call", func(f wire.Frame) bool { return f.Seq > from && has(wire.Out, "tools/call")(f) })
		id := string(wire.Peek(f.Body).ID)
		if c.cancel == nil {
			stop()
		} else {
			c.cancel(id)
		}
		if o := <-done; o.OK || o.Err.Message != "cancelled" {
			t.Errorf("%s: %+v", c.name, o)
		}
		stop()
		frames.wait(t, "the note", func(f wire.Frame) bool { return f.Name == "cancelled" && string(f.Data) == `{"id":`+id+`}` })
		if n := count(frames.all(), has(wire.Out, `"params":{"requestId":`+id+`,"reason":"cancelled by the user"}`)); n != 1 {
			t.Errorf("%s: %d cancellations were sent", c.name, n)
		}
	}
}

func TestCallsSentWithAndAreWaitedForByWaitCalls(t *testing.T) {
	answers := make(chan string)
	s, frames := ready(t, slow(hintManifest, answers))
	o := s.Run(t.Context(), `call status {"n":1} &`)
	id := string(wire.Peek(frames.all()[o.Request-1].Body).ID)
	if !o.OK || string(o.Result) != `{"id":`+id+`}` || o.Answer != 0 {
		t.Fatalf("%+v", o)
	}
	s.Run(t.Context(), `raw tools/call &`)
	if o := s.Run(t.Context(), "cancel last"); !o.OK {
		t.Fatal(o.Err)
	}
	var answered sync.WaitGroup
	for range 2 { // one of them late, for the call that was cancelled
		answered.Go(func() { answers <- `{"jsonrpc":"2.0","id":ID,"result":{"x":1.0}}` })
	}
	o = s.Run(t.Context(), "wait calls")
	answered.Wait()
	want := `[{"command":"call status {\"n\":1}","ok":true,"result":{"x":1.0}},{"command":"raw tools/call","ok":false,"error":{"code":0,"message":"cancelled"}}]`
	if !o.OK || string(o.Result) != want {
		t.Errorf("%s %v\nwant %s", o.Result, o.Err, want)
	}
	if o := s.Run(t.Context(), "wait calls"); !o.OK || string(o.Result) != "[]" {
		t.Errorf("a second wait: %s", o.JSON())
	}
	s.Run(t.Context(), "call status &")
	answers <- `{"jsonrpc":"2.0","id":ID,"error":{"code":5,"message":"no"}}`
	if o := s.Run(t.Context(), "wait calls"); o.OK || o.Err.Code != 5 || o.Err.Message != "call status: no" || !json.Valid(o.JSON()) {
		t.Errorf("a call that failed: %s", o.JSON())
	}
}

func TestWaitsAreOverWhenItHappensAndGiveUpInTime(t *testing.T) {
	v := newView()
	hold := make(chan string)
	defer close(hold)
	s, frames := ready(t, viewed(v), func(c *Config) { c.Elicit = Ask }, inproc(func(p *peerEnd) {
		p.host(hintManifest, func(h wire.Head) bool {
			if h.Method == "two/pushes" {
				p.say("%s\n%s", pushOf("1", "a"), pushOf("2", "b"))
			}
			if h.Method == "a/question" {
				p.say("%s", req(`"q"`, "elicitation/create", "{}"))
			}
			return h.Method == mcpl.MethodToolsCall
		})
	}))
	run := func(line string) Outcome { t.Helper(); return s.Run(t.Context(), line) }
	v.apply(4)
	if o := run("wait rev 4"); !o.OK {
		t.Errorf("a rev that is there: %v", o.Err)
	}
	go v.apply(5)
	if o := run("wait rev 5"); !o.OK {
		t.Errorf("a rev that comes: %v", o.Err)
	}
	run("raw two/pushes") // both come before its answer, and count all the same
	for _, id := range []string{"1", "2"} {
		if o := run("wait push"); !o.OK || string(wire.Member(o.Result, "id")) != id || string(wire.Path(o.Result, "params", "featureSet")) != `"play"` {
			t.Errorf("push %s: %s %v", id, o.Result, o.Err)
		}
	}
	run("raw a/question")
	if o := run("wait request"); !o.OK || string(wire.Member(o.Result, "id")) != `"q"` {
		t.Errorf("a request: %s %v", o.Result, o.Err)
	}
	run("decline last")
	s.cfg.WaitTimeout = time.Millisecond
	run("call status &")
	for line, what := range map[string]string{"wait rev 6": "rev 6", "wait push": "a push", "wait request": "a request of the server", "wait calls": "the end of all calls"} {
		if o := run(line); o.OK || o.Err.Message != what+" did not come within 1ms; --timeout changes the limit" {
			t.Errorf("%s: %+v", line, o.Err)
		}
	}
	if o := run("wait 20ms"); !o.OK {
		t.Errorf("a duration beyond the limit of waits: %v", o.Err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	for _, line := range []string{"wait push", "wait 1h", "wait rev 9"} {
		if o := s.Run(ctx, line); o.OK || o.Err.Message != "cancelled" {
			t.Errorf("%s, cancelled: %+v", line, o.Err)
		}
	}
	_ = frames
}

func TestWaitsEndWithTheConnection(t *testing.T) {
	v := newView()
	leave := make(chan struct{})
	s, _ := ready(t, viewed(v), inproc(func(p *peerEnd) {
		go good(p)
		<-leave
	}))
	var group sync.WaitGroup
	for _, line := range []string{"wait rev 9", "wait push", "wait request"} {
		group.Go(func() {
			if o := s.Run(t.Context(), line); o.OK || !strings.Contains(o.Err.Message, "the server closed the connection") {
				t.Errorf("%s: %+v", line, o.Err)
			}
		})
	}
	close(leave)
	group.Wait()
}

func TestAnOpenRequestFailsWithTheEndOfTheServer(t *testing.T) {
	s, frames := ready(t, inproc(func(p *peerEnd) {
		left := false
		for !left {
			h, ok := p.next()
			if left = !ok || h.Method == mcpl.MethodToolsCall; !left {
				p.usual("", h)
			}
		}
	}))
	o := s.Run(t.Context(), "call status")
	if o.OK || o.Err.Message != "the server closed the connection; `reconnect` connects again" {
		t.Errorf("%+v", o.Err)
	}
	s.Run(t.Context(), "mark after the end")
	frames.wait(t, "the mark", noteIs("mark"))
}
