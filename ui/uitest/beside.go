package uitest

// The sides of Beside: each has its number and its revs.
const (
	firstConn  = 1
	secondConn = 2
)

// Beside is a goban over Streamable HTTP that is connected to twice at once:
// vs-ada is opened on connection 1, then connection 2 begins beside it, opens
// vs-bot and closes chat, which connection 1 opened. What one does arrives on
// the other, as hints on its own revs. Connection 1 stands at rev 5, connection
// 2 at rev 2.4.
func Beside() []byte {
	s := newGoban("goban-1129-1130")
	s.script = newScript("goban-1129-1130", "11:30:00", obj("kind", str("http"), "url", str("http://localhost:8420/mcp")))
	s.http = true
	var revs [secondConn + 1]int
	on := func(conn int) {
		revs[s.conn] = s.rev
		s.conn, s.rev = conn, revs[conn]
	}
	s.lists("0:00.000", func() string {
		return obj("open", "[]", "ended", "[]", "_meta", withHints(hints(s.next(), "tools", "[]")))
	})
	s.open("0:05.000", "0:05.260", "vs-ada", "Go 9x9", obj("opponent", str("ada"), "size", "9"),
		"Ada accepts: 9x9, komi 6.5. You are Black, move 1.", func() {})
	on(secondConn)
	s.beside = firstConn
	s.lists("0:08.000", func() string {
		return obj(
			"open", arr(obj("toolset", str("game"), "instance", str("vs-ada"), "title", str("Go 9x9"))), "ended", "[]",
			"_meta", withHints(hints(s.next(), "tools", arr(
				entry("play", "vs-ada", true), entry("pass", "vs-ada", true), entry("resign", "vs-ada", true),
			))),
		)
	})
	s.open("0:12.000", "0:12.180", "vs-bot", "Go 19x19", obj("opponent", str("bot"), "size", "19"),
		"The bot is Black and has played Q16. You are White, move 2.", func() {})
	on(firstConn)
	s.notify("0:12.182", "tools/hints", hints(s.next(),
		"toolsets", arr(obj("toolset", str("game"), "instance", str("vs-bot"), "state", str("open"), "title", str("Go 19x19"),
			"reason", str("opened elsewhere"))),
		"tools", arr(entry("play", "vs-bot", true), entry("pass", "vs-bot", true), entry("resign", "vs-bot", true)),
	))
	id := s.request("0:15.000", "toolsets/open", obj("toolset", str("chat")))
	s.result("0:15.006", id, obj("content", text("2 people are listening."), "_meta", withHints(hints(s.next(),
		"toolsets", arr(obj("toolset", str("chat"), "state", str("open"))),
		"tools", arr(entry("say", "", true), entry("react", "", true)),
	))))
	chat := func(state, reason string) string {
		return hints(s.next(), "toolsets", arr(obj("toolset", str("chat"), "state", str(state), "reason", str(reason))),
			"tools", arr(entry("say", "", state == "open"), entry("react", "", state == "open")))
	}
	on(secondConn)
	s.notify("0:15.007", "tools/hints", chat("open", "opened elsewhere"))
	id = s.request("0:20.000", "toolsets/close", obj("toolset", str("chat")))
	s.result("0:20.004", id, obj("lines", "3", "_meta", withHints(chat("closed", "you closed it"))))
	on(firstConn)
	s.notify("0:20.005", "tools/hints", chat("closed", "closed elsewhere"))
	return s.bytes()
}
