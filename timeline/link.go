package timeline

import (
	"fmt"
	"strconv"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// stepName names the step of the handshake that a request is (mcpl-host.md,
// "Handshake"), "" where it is none.
func stepName(method string) string {
	switch method {
	case mcpl.MethodDiscover:
		return "discover"
	case mcpl.MethodFeatureSets:
		return "policy"
	case mcpl.MethodInitialize:
		return mcpl.MethodInitialize // the method at hand is a view of its message
	case mcpl.MethodToolsList:
		return mcpl.MethodToolsList
	case mcpl.MethodToolsetsList:
		return mcpl.MethodToolsetsList
	}
	return ""
}

// linkRequest follows the handshake: the first request of each of its steps.
func (c *conn) linkRequest(st *step) {
	name := stepName(st.head.Method)
	if (name == "initialize" || name == "discover") && c.link.Phase < Handshake {
		c.link.Phase = Handshake
	}
	if name == "" {
		if st.head.Method != "mcpl/manifest" && st.head.Method != "ping" && c.introducedYet() && c.link.Phase < Closed {
			c.link.Phase = Live // whoever calls takes the handshake for finished
		}
		return
	}
	if c.handshakeStep(name) == nil {
		c.link.Steps = append(c.link.Steps, Step{Name: name, Sent: st.at.frame, SentAt: st.f.T, Answered: -1})
	}
}

func (c *conn) handshakeStep(name string) *Step {
	for i := range c.link.Steps {
		if c.link.Steps[i].Name == name {
			return &c.link.Steps[i]
		}
	}
	return nil
}

// introducedYet reports whether the handshake has begun well: initialize was
// answered, or server/discover of a server that needs no initialize.
func (c *conn) introducedYet() bool {
	s := c.handshakeStep("discover")
	return c.stepDone("initialize") || s != nil && s.OK
}

func (c *conn) stepDone(name string) bool {
	s := c.handshakeStep(name)
	return s != nil && s.Answered >= 0
}

// linkAnswer closes the step of the handshake that was answered, and sees
// whether it was the last.
func (c *conn) linkAnswer(st *step, r *request) {
	s := c.handshakeStep(stepName(r.method))
	if s == nil || s.Answered >= 0 {
		return
	}
	if r.method == "tools/list" && st.head.Kind == wire.Result {
		s.count += elements(wire.Member(st.head.Result, "tools"))
		if wire.StringOf(wire.Member(st.head.Result, "nextCursor")) != "" {
			return // more pages follow
		}
	}
	s.Answered, s.Took = st.at.frame, st.f.T-s.SentAt
	s.OK = st.head.Kind == wire.Result
	if s.Name == "discover" {
		s.OK = s.OK && c.stateless(st, r)
		c.expectLists = s.OK
	}
	s.Note = stepNote(st, s)
	if r.method == "initialize" {
		c.expectLists = s.OK
		c.expectToolsets = c.hostHints && !c.mode.IgnoresHints && string(wire.Path(st.head.Result, "capabilities", "experimental", "mcpl", "toolHints")) == "true"
	}
	c.seeWhetherLive()
}

func (c *conn) seeWhetherLive() {
	if c.link.Phase != Handshake || !c.expectLists || !c.stepDone("tools/list") {
		return
	}
	if !c.expectToolsets || c.stepDone("toolsets/list") {
		c.link.Phase = Live
	}
}

func stepNote(st *step, s *Step) string {
	if st.head.Kind == wire.Error {
		return errorText(st.head.Error)
	}
	res := st.head.Result
	switch s.Name {
	case "initialize":
		return wire.StringOf(wire.Path(res, "serverInfo", "name"))
	case "discover":
		return wire.StringOf(wire.Path(res, "_meta", mcpl.MetaServer, "name"))
	case "policy":
		if string(wire.Member(res, "accepted")) == "false" {
			s.OK = false
			return "refused: " + wire.StringOf(wire.Member(res, "reason"))
		}
	case "tools/list":
		return plural(s.count, "tool")
	case "toolsets/list":
		if rev := wire.Path(res, "_meta", mcpl.MetaHints, "rev"); rev != nil {
			return "rev " + string(rev)
		}
		return "no rev"
	}
	return ""
}

func errorText(raw []byte) string {
	code, text := wire.Member(raw, "code"), wire.StringOf(wire.Member(raw, "message"))
	return fmt.Sprintf("error %s: %s", code, text)
}

func elements(raw []byte) int {
	n := 0
	wire.EachElement(raw, func([]byte) bool { n++; return true })
	return n
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return strconv.Itoa(n) + " " + word + "s"
}

func (c *conn) linkNotification(st *step) {
	if st.head.Method == "notifications/initialized" {
		st.mark(InitDone, c, nil)
		c.seeWhetherLive()
	}
}

// maxChanged is how many files of a note "changed" are kept.
const maxChanged = 100

// linkNote follows the life of the link: connect, connected, closed.
func (c *conn) linkNote(st *step) {
	switch st.f.Name {
	case "connect":
		c.link.After, c.link.Beside = number(wire.Member(st.f.Data, "after")), number(wire.Member(st.f.Data, "beside"))
		if c.link.Phase < Connecting {
			c.link.Phase = Connecting
		}
	case "connected":
		c.link.Connected = st.f.T
		st.mark(LinkUp, c, nil)
		if c.link.Phase < Connecting {
			c.link.Phase = Connecting
		}
	case "stream":
		st.mark(StreamNoted, c, nil)
	case "session":
		st.mark(SessionNoted, c, nil)
	case "closed":
		c.link.Phase = Closed
		st.mark(LinkDown, c, nil)
		c.link.Closed = DecodeClosing(st.f.Data)
		c.link.Closed.T, c.link.Closed.Index = st.f.T, st.at.frame
	case "changed":
		wire.EachElement(wire.Member(st.f.Data, "files"), func(v []byte) bool {
			c.link.Changed = append(c.link.Changed, wire.StringOf(v))
			return len(c.link.Changed) < maxChanged
		})
	case "retry":
		c.link.Retry = decodeRetry(st.f.Data)
		c.link.Retry.T, c.link.Retry.Index = st.f.T, st.at.frame
	}
}

// DecodeClosing reads the data of a note "closed" (outputs.md, "note"); T and
// Index are left to the caller.
func DecodeClosing(raw []byte) *Closing {
	cl := &Closing{}
	wire.EachMember(raw, func(key string, v []byte) bool {
		switch key {
		case "by":
			cl.By = wire.StringOf(v)
		case "code":
			if n, err := strconv.Atoi(string(v)); err == nil {
				cl.Code = &n
			}
		case "signal":
			cl.Signal = wire.StringOf(v)
		case "reason":
			cl.Reason = wire.StringOf(v)
		case "via":
			cl.Via = wire.StringOf(v)
		}
		return true
	})
	return cl
}
