package session

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// done runs a line that must succeed.
func done(t testing.TB, s *Session, line string) Outcome {
	t.Helper()
	o := s.Run(t.Context(), line)
	if !o.OK {
		t.Fatalf("%s: %s", line, o.JSON())
	}
	return o
}

// refusedWith runs a line that must be refused with these words.
func refusedWith(t testing.TB, s *Session, line, want string) {
	t.Helper()
	if o := s.Run(t.Context(), line); o.OK || !strings.Contains(o.Err.Message, want) {
		t.Errorf("%s: %s, want %q", line, o.JSON(), want)
	}
}

// keysOf are the Idempotency-Keys of the calls that a peer got.
func (p *webPeer) keysOf() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []string
	for _, c := range p.calls {
		if c.head.Method == mcpl.MethodToolsCall {
			out = append(out, strings.Join(c.r.Header["Idempotency-Key"], "|"))
		}
	}
	return out
}

func TestTheSameCallTwiceCarriesOneIdempotencyKey(t *testing.T) {
	s, frames, p := overHTTP(t, nil)
	first := done(t, s, `key order-7 call status {"a":1}`)
	second := done(t, s, "again")
	done(t, s, "call status")
	done(t, s, "again")
	if got, want := fmt.Sprint(p.keysOf()), "[order-7 order-7  ]"; got != want {
		t.Errorf("the server got the keys %s, want %s", got, want)
	}
	one, two := frames.all()[first.Request-1], frames.all()[second.Request-1]
	for _, f := range []wire.Frame{one, two} {
		if string(f.HTTP) != `{"headers":{"Idempotency-Key":"order-7"}}` {
			t.Errorf("frame %d is recorded with %s", f.Seq, f.HTTP)
		}
	}
	a, b := wire.Peek(one.Body), wire.Peek(two.Body)
	if a.ID.Key() == b.ID.Key() || !bytes.Equal(wire.Member(a.Params, "arguments"), wire.Member(b.Params, "arguments")) ||
		string(wire.Path(b.Params, "_meta", "progressToken")) != string(b.ID) {
		t.Errorf("the second call is\n%s\nthe first\n%s", two.Body, one.Body)
	}
}

func TestEachCallCanHaveAnIdempotencyKeyOfItsOwn(t *testing.T) {
	s, _, p := overHTTP(t, nil, func(c *Config) { c.Keyed = true })
	for _, line := range []string{"call status", "again", "call status", "key mine call status", "again"} {
		done(t, s, line)
	}
	k := p.keysOf()
	if k[0] == "" || k[0] != k[1] || k[2] == k[0] || k[2] == "" || k[3] != "mine" || k[4] != "mine" {
		t.Errorf("the keys are %q", k)
	}
}

func TestKeysOfMessagesThatAreSentAtOnceAreNotMixedUp(t *testing.T) {
	s, _, p := overHTTP(t, nil)
	for i := range 20 {
		done(t, s, fmt.Sprintf(`key k%d call status {"k":"k%d"} &`, i, i))
	}
	done(t, s, "wait calls")
	p.mu.Lock()
	defer p.mu.Unlock()
	n := 0
	for _, c := range p.calls {
		if c.head.Method != mcpl.MethodToolsCall {
			continue
		}
		want := wire.StringOf(wire.Path(c.head.Params, "arguments", "k"))
		if got := c.r.Header.Get("Idempotency-Key"); got != want || got == "" {
			t.Errorf("a call of %q came with the key %q", want, got)
		}
		n++
	}
	if n != 20 {
		t.Errorf("%d calls came", n)
	}
}

func TestAKeyThatCannotTravelIsRefusedAndNothingIsSent(t *testing.T) {
	s, frames := ready(t, inproc(good))
	refusedWith(t, s, "again", "no call was made yet")
	refusedWith(t, s, "key k1 call status", "a header of HTTP")
	if n := count(frames.all(), has(wire.Out, "tools/call")); n != 0 {
		t.Errorf("%d calls were sent", n)
	}
}

func TestWhatCannotFollowAKeyIsToldAndNothingIsSent(t *testing.T) {
	web, _, p := overHTTP(t, nil)
	refusedWith(t, web, "key \"a\\r\\nX: y\" call status", "no Idempotency-Key")
	refusedWith(t, web, "key k1 tools", "not tools")
	refusedWith(t, web, "key k1", "the command is missing")
	refusedWith(t, web, "key k1 timeout 1s", "not timeout")
	refusedWith(t, web, "key k1 opne game", "Did you mean open?")
	if k := p.keysOf(); len(k) > 0 {
		t.Errorf("calls were sent: %q", k)
	}
}

func TestATimeoutBeforeACommandIsOfThatRequestAlone(t *testing.T) {
	s, frames := ready(t, slow(hintManifest, make(chan string)))
	o := s.Run(t.Context(), "timeout 30ms call status")
	if o.OK || !strings.Contains(o.Err.Message, "within 30ms") {
		t.Fatalf("%s", o.JSON())
	}
	id := string(wire.Peek(frames.all()[o.Request-1].Body).ID)
	if f := frames.all()[o.Request]; f.Name != "limit" || string(f.Data) != `{"id":`+id+`,"seconds":0.03}` {
		t.Errorf("after the request comes %s %s", f.Name, f.Data)
	}
	done(t, s, "raw ping")
	if s.Timeout() != patience {
		t.Errorf("the limit of others is now %s", s.Timeout())
	}
	for line, want := range map[string]string{"timeout": "the time is missing", "timeout soon": "no time", "timeout -1s": "no time", "timeout 1s mark x": "not mark"} {
		refusedWith(t, s, line, want)
	}
}

func TestATimeoutAloneHoldsFromThenOnAndOnTheNextConnection(t *testing.T) {
	s, frames := ready(t, inproc(good))
	done(t, s, "timeout 45s")
	if s.Timeout() != 45*time.Second {
		t.Errorf("the limit is %s", s.Timeout())
	}
	done(t, s, "reconnect")
	said := count(frames.all(), func(f wire.Frame) bool { return f.Name == "limit" && string(f.Data) == `{"seconds":45}` })
	if said != 2 {
		t.Errorf("it is noted %d times:\n%s", said, dump(frames.all()))
	}
}

func TestTheLogLevelIsAskedForWhereTheServerLogs(t *testing.T) {
	s, frames, _ := overHTTP(t, func(p *webPeer) {
		p.post = func(c *webCall) bool {
			if c.head.Method != mcpl.MethodInitialize {
				return false
			}
			c.json(strings.Replace(c.answer(), `"tools":{}`, `"tools":{},"logging":{}`, 1))
			return true
		}
	})
	o := done(t, s, "log debug")
	if h := wire.Peek(frames.all()[o.Request-1].Body); h.Method != "logging/setLevel" || string(h.Params) != `{"level":"debug"}` {
		t.Errorf("it sent %s %s", h.Method, h.Params)
	}
	refusedWith(t, s, "log loud", "no level: debug, info, notice")
	refusedWith(t, s, "log", "the level is missing")
}

func TestAServerThatDoesNotLogIsNotAskedFor(t *testing.T) {
	mute, _ := ready(t, inproc(good))
	refusedWith(t, mute, "log info", "raw logging/setLevel")
}

func TestPrefixedCommandsAreCompletedAsTheCommandsAre(t *testing.T) {
	s, _ := ready(t, inproc(good), viewed(newView()))
	for line, want := range map[string]string{
		"timeout 5s ca":          "timeout 5s call",
		"timeout 5s call tu":     "timeout 5s call tune",
		"log e":                  "log error",
		"timeout 5s call play@":  "timeout 5s call play@vs-ada",
		"key k timeout 5s cal":   "key k timeout 5s call",
		"timeout 5s close game ": "timeout 5s close game vs-ada",
	} {
		got := s.Complete(line)
		if len(got) == 0 || got[0].Text != want {
			t.Errorf("%q is completed as %v, want %q", line, got, want)
		}
	}
}
