// Package uitest is test support for the screens: recordings of made-up
// sessions, made by generators, a reader for them, and a source over them; the
// moments of these sessions that a view is drawn at; and what each view is
// tested with: its screen, its keys, its goldens, and that it stays in place.
//
// The main one is Goban, the session that the golden screens show: a Go
// server with two games, 41 revs and 103 frames. The others (Failed, Silent,
// Plain, NoHints, Ended, Empty, Reconnect, Lost, Beside, Many) each are one start or one
// state that Goban does not reach. The same bytes stand in testdata; a test
// fails when a file differs from its generator, and writes it with -update.
//
// Nothing here reads a clock or the network: the same call gives the same
// bytes. Only well-formed recordings are read here, and a broken one panics;
// reading what users bring is package record's.
package uitest

import "time"

// The moments at which the golden screens of Goban are drawn: the session's
// clock, and how many of its frames had arrived.
const (
	BoardAt     = 3*time.Minute + 12400*time.Millisecond // the live board, lanes, findings, model
	BoardFrames = 96
	FormAt      = 3*time.Minute + 13400*time.Millisecond // the open form, one second later
	WireAt      = 3*time.Minute + 20270*time.Millisecond // the wire, while score is open
	WireFrames  = 101

	// HeldAt is the moment of Reconnect at which a rev has been held for 0.4 s.
	HeldAt = 52400 * time.Millisecond
	// LostAt is the moment of Lost at which the next try is three seconds away.
	LostAt = 31000 * time.Millisecond
	// BesideAt is the moment of Beside a second after its last frame.
	BesideAt = 21000 * time.Millisecond
)

// EnvSet names the variables that the goban server was started with, as the
// note "connect" of Goban and Failed names them.
func EnvSet() []string { return []string{"GOBAN_LOBBY", "GOBAN_TOKEN"} }

// Recordings returns every recording by the name of its file in testdata,
// without ".mcpl.jsonl".
func Recordings() map[string][]byte {
	return map[string][]byte{
		"goban": Goban(), "failed": Failed(), "silent": Silent(), "plain": Plain(), "nohints": NoHints(),
		"ended": Ended(), "empty": Empty(), "reconnect": Reconnect(), "lost": Lost(), "beside": Beside(), "many": Many(),
	}
}
