package uitest

import (
	"strconv"
	"time"
)

// Reconnect is a goban over Streamable HTTP whose link broke once: connection
// 2 stands at rev 2.7, and rev 9 has come before rev 8, so that it is held
// (screen (k), the row with "1 rev held"). vs-ada outlived the break, vs-bot
// ended during it.
func Reconnect() []byte {
	s := broken()
	s.conn, s.rev = 2, 0
	s.lists("0:31.000", s.statement)
	s.play("0:36.000", "0:36.205", "vs-ada", "F3")
	s.reply("0:40.100", "vs-ada", "E4")
	s.hint("0:43.000", "Kai joined", entry("rematch", "", true))
	s.play("0:45.000", "0:45.210", "vs-ada", "F4")
	s.reply("0:48.400", "vs-ada", "G4")
	s.hint("0:50.000", "end is near", entry("score", "vs-ada", true))
	s.rev++ // rev 8 is still on another stream
	s.hint("0:52.000", "Kai left", entry("rematch", "", false))
	return s.bytes()
}

// Lost is the same goban with its link still broken: the third try was made in
// vain, and the next one comes after four seconds, at LostAt + 3 s.
func Lost() []byte {
	s := broken()
	s.note("0:30.000", "retry", obj("in", "4", "attempt", "3"))
	return s.bytes()
}

// broken is the session up to the moment at which its link breaks.
func broken() *gobanSession {
	s := newGoban("goban-1129-1100")
	s.script = newScript("goban-1129-1100", "11:00:00", obj("kind", str("http"), "url", str("http://localhost:8420/mcp")))
	s.http = true
	s.lists("0:00.000", func() string {
		return obj("open", "[]", "ended", "[]", "_meta", withHints(hints(s.next(), "tools", "[]")))
	})
	s.open("0:05.000", "0:05.260", "vs-ada", "Go 9x9", obj("opponent", str("ada"), "size", "9"),
		"Ada accepts: 9x9, komi 6.5. You are Black, move 1.", func() {})
	s.open("0:11.000", "0:11.180", "vs-bot", "Go 19x19", obj("opponent", str("bot"), "size", "19"),
		"The bot is Black and has played Q16. You are White, move 2.", func() { s.games["vs-bot"].place("Q16") })
	s.play("0:15.100", "0:15.310", "vs-ada", "D4")
	s.reply("0:18.200", "vs-ada", "C3")
	s.note("0:30.000", "closed", obj("by", str("link"), "reason", str("connection reset by peer")))
	return s
}

// lists writes a connection's handshake from at on, up to the answer to
// toolsets/list, which is statement's.
func (s *gobanSession) lists(at string, statement func() string) {
	step := func(ms int) string { return later(at, time.Duration(ms)*time.Millisecond) }
	s.gets++
	about := []string{"url", str("http://localhost:8420/mcp")}
	if s.beside > 0 {
		about = append(about, "beside", strconv.Itoa(s.beside))
	}
	s.note(step(0), "connect", obj(about...))
	s.note(step(1), "connected", "")
	id := s.request(step(2), "initialize", initialize())
	s.result(step(9), id, initialized("goban", "0.4.1", gobanManifest()))
	s.policy(step(11), step(16))
	id = s.request(step(17), "tools/list", "{}")
	s.result(step(22), id, obj("tools", gobanTools(), "_meta", obj("mcpl/rev", "0")))
	id = s.request(step(23), "toolsets/list", "{}")
	s.result(step(27), id, statement())
}

// statement is what toolsets/list says after the break: the state of the one
// game that is left, in full, and how the other ended.
func (s *gobanSession) statement() string {
	g := s.games["vs-ada"]
	return obj(
		"open", arr(obj("toolset", str("game"), "instance", str("vs-ada"), "title", str("Go 9x9"))),
		"ended", arr(obj("id", str("e-17"), "toolset", str("game"), "instance", str("vs-bot"),
			"reason", str("The bot's engine crashed."))),
		"_meta", withHints(hints(s.next(), "tools", arr(
			entry("play", "vs-ada", true, "definition", g.definition("", false)),
			entry("pass", "vs-ada", true), entry("resign", "vs-ada", true),
		))),
	)
}
