package uitest

import "time"

// Goban is the session that all screens show. Its numbers, times and texts
// are those of the drawn screens, which fix more of it than is seen at first:
// frames 36 and 39 of vs-bot, 61 to 101 of the wire, and the moves of both
// games, which are moves of Go (D5 does take C4 and D4).
//
// Where the drawings say two things, this is what was chosen:
//   - The definition of play on the 9x9 board lists its 63 to 67 free points,
//     as screens (a) and (e) compare them. A push with such a list takes
//     about 1,050 bytes; (f) counts 560, (a) 412 for the hints alone. The
//     points win, the count does not.
//   - Bytes that are drawn win over counts: the call of undo and its answer
//     are 122 bytes each, (f) says 128 and 141. So do the shapes of toolHints
//     over counts: tools/hints 25 and 36 (120 each), the close (98), the
//     answers to pushes (62), the answer to pass (214).
//   - (f) counts a line of stderr with its line end (36, 40, 30); a message
//     without it.
//   - The short words of REVS ("Kai joined", "D5 takes two", "takeback ok")
//     are in no text that is drawn. They stand in the hints, as "reason".
//   - The wire counts requests up to 29, and its frames have room for 28 of
//     them: id 6 was never sent.
//   - (p) counts no info. Frames 9, 35, 90, 98 and 101 are stderr, so
//     stderr-noise is one, and from frame 99 on result-is-error is another.
//   - (g) and (k) show initialize as frame 2, so with one note before it;
//     here it is frame 3, after connect and connected, and its answer is
//     frame 4 as in (d).
func Goban() []byte {
	s := gobanUpTo96("goban-1129-1000")
	// Frames 97 to 99: undo was never made visible, and is refused.
	id := s.call("3:14.020", "undo", "vs-ada", "{}")
	s.stderr("3:14.056", "undo refused game=vs-ada: not permitted")
	s.result("3:14.058", id, obj("content", text("Ada has not agreed to a takeback."), "isError", "true"))
	// Frames 100 to 103: score takes its time; screen (f) stands before its
	// answer.
	id = s.call("3:16.870", "score", "vs-bot", "{}")
	s.stderr("3:16.874", "scoring 19x19, 214 stones ...")
	s.result("3:21.912", id, obj("content", text("Black leads by 9.5 points.")))
	s.note("3:24.006", "closed", obj("by", str("host"), "code", "0"))
	return s.bytes()
}

// Ended is Goban up to 3:12, when its process was killed (screen (k), the row
// with exit code 137).
func Ended() []byte {
	s := gobanUpTo96("goban-1129-1000-ended")
	s.note("3:12.400", "closed", obj("by", str("server"), "code", "137"))
	return s.bytes()
}

func gobanUpTo96(id string) *gobanSession {
	s := newGoban(id)
	s.handshake(gobanTools())
	s.firstGame()
	s.secondGame()
	s.chat()
	s.middleGame()
	s.endGame()
	return s
}

// handshake: frames 1 to 12, rev 1.
func (s *gobanSession) handshake(tools string) {
	s.note("0:00.000", "connect", connecting())
	s.note("0:00.009", "connected", "")
	id := s.request("0:00.010", "initialize", initialize())
	s.result("0:00.022", id, initialized("goban", "0.4.1", gobanManifest()))
	s.policy("0:00.023", "0:00.026")
	id = s.request("0:00.027", "tools/list", "{}")
	s.stderr("0:00.029", "lobby connected, 3 online")
	s.result("0:00.032", id, obj("tools", tools, "_meta", obj("mcpl/rev", "0")))
	id = s.request("0:00.033", "toolsets/list", "{}")
	s.result("0:00.035", id, obj("open", "[]", "ended", "[]", "_meta", withHints(hints(s.next(), "tools", "[]"))))
}

// policy writes notifications/initialized, the policy and its receipt:
// three frames.
func (s *script) policy(at, answered string) {
	s.out(at, obj("jsonrpc", str("2.0"), "method", str("notifications/initialized")))
	id := s.request(later(at, time.Millisecond), "featureSets/update", obj(
		"effectiveCapabilities", strs("tools", "pushEvents"), "enabled", strs("game.moves", "talk"),
	))
	s.result(answered, id, obj("accepted", "true"))
}

// firstGame: frames 13 to 32, revs 2 to 10.
func (s *gobanSession) firstGame() {
	id := s.request("0:06.200", "tools/call", obj("name", str("login"), "arguments", obj("name", str("dev"))))
	s.result("0:06.411", id, obj("content", text("Signed in as dev, 4 kyu.")))
	s.nextID++ // see Goban: the frames leave no room for the request with this id
	s.open("0:14.050", "0:14.310", "vs-ada", "Go 9x9", obj("opponent", str("ada"), "size", "9"),
		"Ada accepts: 9x9, komi 6.5. You are Black, move 1.", func() {})
	s.play("0:21.300", "0:21.510", "vs-ada", "D4")
	s.reply("0:24.400", "vs-ada", "C3")
	s.play("0:31.000", "0:31.210", "vs-ada", "F3")
	s.reply("0:33.600", "vs-ada", "E4")
	s.play("0:41.200", "0:41.405", "vs-ada", "F4")
	s.reply("0:45.900", "vs-ada", "G4")
	s.play("0:53.100", "0:53.310", "vs-ada", "G5")
	s.reply("0:55.500", "vs-ada", "B4")
}

// secondGame: frames 33 to 57, revs 11 to 22.
func (s *gobanSession) secondGame() {
	s.note("1:00.000", "mark", obj("text", str("second game")))
	s.open("1:01.060", "1:01.280", "vs-bot", "Go 19x19", obj("opponent", str("bot"), "size", "19"),
		"The bot is Black and has played Q16. You are White, move 2.", func() {
			s.stderr("1:01.180", "bot engine started game=vs-bot level=3")
			s.games["vs-bot"].place("Q16")
		})
	s.play("1:05.200", "1:05.410", "vs-bot", "D16")
	s.reply("1:06.000", "vs-bot", "D4")
	s.play("1:10.300", "1:10.505", "vs-ada", "C6")
	s.reply("1:13.700", "vs-ada", "D6")
	s.play("1:16.000", "1:16.210", "vs-bot", "Q4")
	s.reply("1:16.800", "vs-bot", "C16")
	s.hint("1:20.500", "Kai joined", entry("rematch", "", true))
	s.play("1:24.100", "1:24.310", "vs-ada", "G3")
	s.reply("1:29.300", "vs-ada", "C5")
	s.play("1:33.000", "1:33.210", "vs-bot", "C17")
	s.reply("1:33.800", "vs-bot", "R14")
}

// chat: frames 58 to 64, revs 23 to 25.
func (s *gobanSession) chat() {
	id := s.request("1:40.100", "toolsets/open", obj("toolset", str("chat")))
	s.result("1:40.106", id, obj("content", text("3 people are listening."), "_meta", withHints(hints(s.next(),
		"toolsets", arr(obj("toolset", str("chat"), "state", str("open"))),
		"tools", arr(entry("say", "", true), entry("react", "", true)),
	))))
	id = s.request("1:46.200", "tools/call", obj("name", str("say"), "arguments", obj("text", str("hello, all"))))
	s.result("1:46.350", id, obj("content", text("sent"), "line", "1041"))
	id = s.request("1:55.300", "toolsets/close", obj("toolset", str("chat")))
	s.result("1:55.304", id, obj("lines", "12", "_meta", withHints(hints(s.next(),
		"toolsets", arr(obj("toolset", str("chat"), "state", str("closed"))),
	))))
	s.hint("2:00.800", "Kai left", entry("rematch", "", false))
}

// middleGame: frames 65 to 85, revs 26 to 36.
func (s *gobanSession) middleGame() {
	s.play("2:04.600", "2:04.810", "vs-ada", "E7")
	s.reply("2:08.700", "vs-ada", "D3")
	s.play("2:13.300", "2:13.510", "vs-bot", "P17")
	s.reply("2:14.100", "vs-bot", "Q6")
	s.play("2:19.000", "2:19.212", "vs-ada", "C4")
	s.takesTwo()
	s.play("2:26.100", "2:26.310", "vs-bot", "F17")
	s.reply("2:26.900", "vs-bot", "J4")
	s.play("2:33.400", "2:33.610", "vs-ada", "G6")
	s.reply("2:38.000", "vs-ada", "H5")
	s.hint("2:42.700", "end is near", entry("score", "vs-bot", true))
}

// takesTwo: frame 75, rev 31, the redefinition of screen (e).
func (s *gobanSession) takesTwo() {
	g := s.games["vs-ada"]
	g.place("D5", "C4", "D4")
	s.push("2:20.900", "game.moves", "White D5 takes C4 and D4. Your move, Black.",
		s.myTurn(g, g.definition(" White took two stones, C4 and D4.", true), "D5 takes two"),
		"origin", obj("game", str("vs-ada"), "s", g.seconds("2:20.900"), "captured", strs("C4", "D4"),
			"prisoners", obj("black", "0", "white", "2")))
}

// endGame: frames 86 to 96, revs 37 to 41.
func (s *gobanSession) endGame() {
	s.play("2:47.200", "2:47.405", "vs-ada", "F5")
	s.push("2:52.300", "talk", "Ada says: hello!", hints(s.next(),
		"suggest", arr(obj("toolset", str("chat"), "reason", str("Ada says hello, answer her?"))),
		"reason", str("Ada: hello!"),
	))
	// Rev 39 means undo in vs-ada and does not say so: the one finding.
	s.stderr("2:57.900", "takeback allowed game=vs-ada by=ada")
	s.push("2:58.000", "game.moves", "Ada allows a takeback.",
		hints(s.next(), "tools", arr(entry("undo", "", true)), "reason", str("takeback ok")))
	id := s.call("3:03.100", "pass", "vs-bot", "{}")
	s.games["vs-bot"].ply++
	s.result("3:03.288", id, obj("content", text("White passes"), "_meta", s.myTurnIsOver("vs-bot")))
	s.reply("3:10.412", "vs-ada", "E5")
}
