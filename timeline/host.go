package timeline

import (
	"strconv"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// Mode is in what the host behaves otherwise than a host should, because its
// user wants to see how the server takes it. Its note "host" says it; the
// zero value is a host as it should be.
type Mode struct {
	RefusesPushes bool
	Silent        bool          // it never answers the server's requests
	Late          time.Duration // it answers them so much later, 0: at once
	IgnoresHints  bool          // it advertises toolHints, but uses the plain list
	NoToolHints   bool          // it does not advertise toolHints
	Plain         bool          // it does not advertise MCPL
}

// DecodeMode reads the data of a note "host".
func DecodeMode(raw []byte) Mode {
	var m Mode
	wire.EachMember(raw, func(key string, v []byte) bool {
		switch key {
		case "push":
			m.RefusesPushes = wire.StringOf(v) == "refuse"
		case "answers":
			m.Silent = wire.StringOf(v) == "never"
		case "after":
			m.Late = secondsOf(v)
		case "hints":
			m.IgnoresHints = wire.StringOf(v) == "ignored"
		case "as":
			m.Plain, m.NoToolHints = wire.StringOf(v) == "plain", wire.StringOf(v) == "no-toolhints"
		}
		return true
	})
	if m.Silent {
		m.Late = 0
	}
	return m
}

// secondsOf reads a number of seconds, 0 where it is none that makes sense.
func secondsOf(raw []byte) time.Duration {
	const most = 1e6
	s, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || !(s > 0 && s < most) {
		return 0
	}
	return time.Duration(s * float64(time.Second))
}

// behaves takes a note "host".
func (c *conn) behaves(st *step) {
	mode := DecodeMode(st.f.Data)
	if mode.IgnoresHints {
		c.expectToolsets = false
	}
	c.mode = mode
}

// heldBack takes a note "held-back": the answer to a request of the server
// exists, and does not go out yet, or never.
func (c *conn) heldBack(id []byte) {
	key := wire.ID(id).Key()
	if o, open := c.asks[key]; open {
		o.heldBack = true
		c.asks[key] = o
	}
}
