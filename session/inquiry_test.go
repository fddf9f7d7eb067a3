package session

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

func askingAll(c *Config) { c.Elicit, c.Sampling = Ask, Ask }

// result runs a line that must succeed.
func result(t *testing.T, s *Session, line string) string {
	t.Helper()
	o := s.Run(t.Context(), line)
	if !o.OK {
		t.Fatalf("%s: %s", line, o.JSON())
	}
	return string(o.Result)
}

// waitsFor returns the id of what waits for a person next.
func waitsFor(t *testing.T, s *Session) string {
	t.Helper()
	var r struct{ ID string }
	if err := json.Unmarshal([]byte(result(t, s, "wait request")), &r); err != nil {
		t.Fatal(err)
	}
	return r.ID
}

func TestACallThatAsksForInputIsSentAgainWithTheAnswers(t *testing.T) {
	newest(t, func(t *testing.T, s *Session, frames *sink) {
		call := result(t, s, "call deploy &")
		id := strings.Trim(call, `{"id:}`) + "/confirm"
		if got := waitsFor(t, s); got != id {
			t.Fatalf("%s waits, want %s", got, id)
		}
		line := `answer ` + id + ` {"action":"accept","content":{"approve":true}}`
		preview, err := s.Preview(line)
		if err != nil {
			t.Fatal(err)
		}
		result(t, s, line)
		frames.wait(t, "the preview is what was sent", func(f wire.Frame) bool { return f.Dir == wire.Out && string(f.Body) == string(preview) })
		if name := waitsFor(t, s); !strings.HasSuffix(name, "/name") {
			t.Fatalf("%s waits", name)
		}
		result(t, s, `answer last {"role":"assistant","model":"human","content":{"type":"text","text":"Ada"}}`)
		if got := result(t, s, "wait calls"); !strings.Contains(got, `"deployed"`) {
			t.Errorf("the call ended with %s", got)
		}
		var states []string
		for _, f := range frames.all() {
			if h := wire.Peek(f.Body); f.Dir == wire.Out && h.Method == mcpl.MethodToolsCall {
				states = append(states, string(wire.Member(h.Params, "requestState")))
			}
		}
		// Byte for byte as the server wrote it, its escapes included.
		if got := strings.Join(states, " "); got != ` "a \u003cstate\u003e \u0026 é" "b \u003cstate\u003e"` {
			t.Errorf("the states went back as %s", got)
		}
		if n := count(frames.all(), has(wire.Out, `"where":{"roots":[`)); n != 1 {
			t.Errorf("the roots were told %d times", n)
		}
		if n := count(frames.all(), noteIs("input-answered")); n != 3 {
			t.Errorf("%d notes of an answer, want 3", n)
		}
		if n := count(frames.all(), func(f wire.Frame) bool { return f.Dir == wire.Out && wire.Peek(f.Body).Method == "" }); n != 0 {
			t.Errorf("%d answers went out by themselves", n)
		}
	}, askingAll)
}

func TestWhatNobodyAnswersIsDeclinedAtOnceAndTheCallSentAgain(t *testing.T) {
	newest(t, func(t *testing.T, s *Session, _ *sink) {
		if got := result(t, s, "call deploy"); !strings.Contains(got, "not deployed") {
			t.Errorf("the call ended with %s", got)
		}
	})
}

func TestACallWhoseQuestionIsRefusedIsNotSentAgain(t *testing.T) {
	s, frames := ready(t, child("newest"), speaking(mcpl.ProtocolStateless), func(c *Config) { c.Elicit = Accept })
	o := s.Run(t.Context(), "call deploy")
	if o.OK || o.Err.Code != mcpl.CodeUserRejected || o.Answer == 0 {
		t.Errorf("the call ended with %s", o.JSON())
	}
	frames.wait(t, "why", func(f wire.Frame) bool {
		return noteIs("input-dropped")(f) && strings.Contains(string(f.Data), "sampling is declined")
	})
	if n := count(frames.all(), has(wire.Out, mcpl.MethodToolsCall)); n != 2 {
		t.Errorf("the call was sent %d times", n)
	}
}

func TestAServerThatIsBusyIsAskedAgain(t *testing.T) {
	s, _ := ready(t, child("newest"), speaking(mcpl.ProtocolStateless))
	if got := result(t, s, "call busy"); !strings.Contains(got, "now it is done") {
		t.Errorf("the call ended with %s", got)
	}
}

func TestAServerThatNeverHasEnoughIsLeftAlone(t *testing.T) {
	s, frames := ready(t, child("newest"), speaking(mcpl.ProtocolStateless))
	o := s.Run(t.Context(), "call never")
	if o.OK || !strings.Contains(o.Err.Message, "asked for input 20 times") {
		t.Errorf("the call ended with %s", o.JSON())
	}
	if n := count(frames.all(), has(wire.Out, mcpl.MethodToolsCall)); n != maxTurns {
		t.Errorf("the call was sent %d times", n)
	}
}

func TestAQuestionOfACallEndsWithTheCall(t *testing.T) {
	for name, end := range map[string]func(t *testing.T, s *Session){
		"cancelled": func(t *testing.T, s *Session) { result(t, s, "cancel last") },
		"reconnect": func(t *testing.T, s *Session) { result(t, s, "reconnect") },
	} {
		t.Run(name, func(t *testing.T) {
			s, frames := ready(t, child("newest"), speaking(mcpl.ProtocolStateless), askingAll)
			result(t, s, "call deploy &")
			waitsFor(t, s)
			end(t, s)
			frames.wait(t, "the end of the question", noteIs("input-dropped"))
			if got := result(t, s, "asks"); got != "[]" {
				t.Errorf("%s waits", got)
			}
			if n := count(frames.all(), has(wire.Out, mcpl.MethodToolsCall)); n != 1 {
				t.Errorf("the call was sent %d times", n)
			}
		})
	}
}

func TestAQuestionThatNobodyAnswersInTimeEndsTheCall(t *testing.T) {
	s, _ := ready(t, child("newest"), speaking(mcpl.ProtocolStateless), askingAll, func(c *Config) { c.InputLimit = 20 * time.Millisecond })
	if o := s.Run(t.Context(), "call deploy"); o.OK || !strings.Contains(o.Err.Message, "--timeout changes the limit") {
		t.Errorf("the call ended with %s", o.JSON())
	}
}

func TestACallIsLeftWhenItsCallerGoes(t *testing.T) {
	s, frames := ready(t, child("newest"), speaking(mcpl.ProtocolStateless), askingAll)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan Outcome)
	go func() { done <- s.Run(ctx, "call deploy") }()
	waitsFor(t, s)
	stop()
	if o := <-done; o.OK || o.Err.Message != "cancelled" {
		t.Errorf("the call ended with %s", o.JSON())
	}
	frames.wait(t, "the end of the question", noteIs("input-dropped"))
}

func TestWhatIsTypedRawIsNotSentAgain(t *testing.T) {
	s, _ := ready(t, child("newest"), speaking(mcpl.ProtocolStateless))
	if got := result(t, s, `raw tools/call {"name":"deploy"}`); !strings.Contains(got, `"input_required"`) {
		t.Errorf("it was answered with %s", got)
	}
}

// pages is a server whose call wants a page visited first.
func pages(p *peerEnd) {
	calls := 0
	p.host("", func(h wire.Head) bool {
		if h.Method != mcpl.MethodToolsCall {
			return false
		}
		if calls++; calls > 1 {
			p.result(h, `{"content":[{"type":"text","text":"done"}]}`)
			return true
		}
		p.say(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32042,"message":"Visit a page first","data":{"elicitations":[`+
			`{"mode":"url","elicitationId":"e1","url":"https://example.com/allow","message":"Allow it"}]}}}`, h.ID)
		return true
	})
}

func TestACallThatWantsAPageVisitedIsSentAgainOnceThatIsAgreedTo(t *testing.T) {
	s, frames := ready(t, inproc(pages), askingAll)
	result(t, s, "call status &")
	id := waitsFor(t, s)
	if !strings.HasSuffix(id, "/e1") {
		t.Fatalf("%s waits", id)
	}
	result(t, s, `answer `+id+` {"action":"accept"}`)
	if got := result(t, s, "wait calls"); !strings.Contains(got, "done") {
		t.Errorf("the call ended with %s", got)
	}
	if n := count(frames.all(), has(wire.Out, "inputResponses")); n != 0 {
		t.Errorf("the handshake's versions know no inputResponses:\n%s", dump(frames.all()))
	}
}

func TestACallWhosePageIsDeclinedEndsWithTheServersError(t *testing.T) {
	for name, policy := range map[string]Policy{"declined": Decline, "never accepted unseen": Accept} {
		t.Run(name, func(t *testing.T) {
			s, _ := ready(t, inproc(pages), func(c *Config) { c.Elicit = policy })
			if o := s.Run(t.Context(), "call status"); o.OK || o.Err.Code != mcpl.CodeURLElicitation || len(o.Err.Data) == 0 {
				t.Errorf("the call ended with %s", o.JSON())
			}
		})
	}
}
