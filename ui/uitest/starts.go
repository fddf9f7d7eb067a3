package uitest

// Failed is screen (g): the server's file is not there, so its process ends
// before it answers.
func Failed() []byte {
	s := newScript("goban-1129-1012", "10:12:00", gobanTarget())
	s.note("0:00.000", "connect", connecting())
	s.request("0:00.000", "initialize", initialize())
	s.stderr("0:00.287", "node:internal/modules/cjs/loader:1228")
	s.stderr("0:00.287", "  throw err;")
	s.stderr("0:00.287020", "Error: Cannot find module '/home/dev/goban/dist/server.js'")
	s.stderr("0:00.287020", "    at Function._resolveFilename (node:internal/modules/cjs/loader:1225:15)")
	s.stderr("0:00.287041", "  code: 'MODULE_NOT_FOUND', requireStack: []")
	s.stderr("0:00.287300", "Node.js v22.11.0")
	s.note("0:00.309", "closed", obj("by", str("server"), "code", "1"))
	return s.bytes()
}

// Silent is a server that has said nothing yet: initialize was sent, 2 frames.
func Silent() []byte {
	s := newScript("goban-1129-1015", "10:15:00", gobanTarget())
	s.note("0:00.000", "connect", connecting())
	s.request("0:00.000", "initialize", initialize())
	return s.bytes()
}

// Empty is a goban whose list of tools came back empty, in frame 10.
func Empty() []byte {
	s := newGoban("goban-1129-1020")
	s.handshake("[]")
	return s.bytes()
}

// NoHints is a server that speaks MCPL and does not offer toolHints: no rev,
// every tool is static. It lasts 9 seconds.
func NoHints() []byte {
	s := newGoban("goban-1129-1030")
	s.note("0:00.000", "connect", connecting())
	s.note("0:00.008", "connected", "")
	id := s.request("0:00.009", "initialize", initialize())
	s.result("0:00.021", id, initialized("goban", "0.4.1", withRevision(obj(
		"version", str("0.5"), "pushEvents", "true", "featureSets", gobanFeatures(),
	))))
	s.policy("0:00.022", "0:00.025")
	id = s.request("0:00.026", "tools/list", "{}")
	s.result("0:00.030", id, obj("tools", arr(append(gobanStatic(),
		tool("play", "Place a stone", "Place a stone on a free point of a game's board.",
			object("game", typed("string", "name of the game"), "at", typed("string", "the point"))),
		tool("pass", "Pass this turn", "Pass. When both sides pass, the game is over.",
			object("game", typed("string", "name of the game"))),
	)...)))
	id = s.request("0:04.100", "tools/call", obj(
		"name", str("play"), "arguments", obj("game", str("vs-ada"), "at", str("D4")),
	))
	s.result("0:04.290", id, obj("content", text("Black D4")))
	s.event, s.asked = s.event+1, s.asked+1
	s.ask("0:07.300", "s1", "push/event", obj(
		"featureSet", str("game.moves"), "eventId", str("mv-0077"), "timestamp", str(stamp("0:07.300")),
		"payload", obj("content", text("White plays C3. Your move, Black.")),
	), obj("accepted", "true"))
	return s.bytes()
}

// Plain is a server of plain MCP: no MCPL, no policy. It gets a tool while it
// runs, says so by tools/list_changed, and refuses a call.
func Plain() []byte {
	s := newScript("notes-1129-1040", "10:40:00", obj(
		"kind", str("stdio"), "command", strs("notes-server", "--folder", "notes"), "cwd", str("/home/dev"),
	))
	add := tool("add_note", "Add a note", "Keeps a text under a title.",
		object("title", typed("string", "its title"), "text", typed("string", "the text")))
	find := tool("find_notes", "Find notes", "Finds the notes that have a word in them.",
		object("word", typed("string", "the word")), "annotations", obj("readOnlyHint", "true"))
	remove := tool("remove_note", "Remove a note", "Removes a note for good.",
		object("title", typed("string", "its title")), "annotations", obj("destructiveHint", "true"))
	s.note("0:00.000", "connect", obj("command", strs("notes-server", "--folder", "notes"), "cwd", str("/home/dev"), "env", "[]"))
	s.note("0:00.004", "connected", "")
	id := s.request("0:00.005", "initialize", initialize())
	s.result("0:00.031", id, initialized("notes", "1.3.0", ""))
	s.out("0:00.032", obj("jsonrpc", str("2.0"), "method", str("notifications/initialized")))
	id = s.request("0:00.033", "tools/list", "{}")
	s.result("0:00.036", id, obj("tools", arr(add, find)))
	id = s.request("0:05.500", "tools/call", obj(
		"name", str("add_note"), "arguments", obj("title", str("milk"), "text", str("Buy milk.")),
	))
	s.result("0:05.520", id, obj("content", text("kept")))
	s.in("0:05.521", obj("jsonrpc", str("2.0"), "method", str("notifications/tools/list_changed")))
	id = s.request("0:05.523", "tools/list", "{}")
	s.result("0:05.526", id, obj("tools", arr(add, find, remove)))
	id = s.request("0:09.100", "tools/call", obj("name", str("remove_note"), "arguments", obj("title", str("bread"))))
	s.result("0:09.112", id, obj("content", text("There is no note “bread”."), "isError", "true"))
	return s.bytes()
}
