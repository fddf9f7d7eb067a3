package uitest

import (
	"fmt"
	"strings"
)

// Many is a server that strains the screen: 40 tools, five instances, names
// that are long, in East Asian script, with emoji or written from right to
// left, escape sequences and direction overrides in every kind of text, bytes
// that are no UTF-8 on stderr, and a line that is no JSON on stdout.
func Many() []byte {
	s := newGoban("many-1129-1200")
	s.script = newScript("many-1129-1200", "12:00:00", obj(
		"kind", str("stdio"), "command", strs("./棋院サーバー", "--hall=東京", "--motto", "one two"), "cwd", str("/home/dev/棋院"),
	))
	s.note("0:00.000", "connect", obj("command", strs("./棋院サーバー", "--hall=東京", "--motto", "one two"), "env", "[]"))
	s.note("0:00.010", "connected", "")
	id := s.request("0:00.011", "initialize", initialize())
	s.stderr("0:00.015", "\x1b[1;31mboot\x1b[0m \x1b]0;pwned\x07 棋院 ready, 5 halls")
	s.binary("0:00.016", []byte("caf\xe9 \xff\xfe open"))
	s.result("0:00.020", id, initialized("棋院 Go House \x1b[5m🎲", "12.0.0-rc.1+"+strings.Repeat("build", 8), manyManifest()))
	s.policy("0:00.021", "0:00.024")
	id = s.request("0:00.025", "tools/list", "{}")
	s.frame("0:00.026", "in", "via", str("stdio"), "text", str("listening on stdio ... 好的"))
	s.result("0:00.030", id, obj("tools", arr(manyTools()...), "_meta", obj("mcpl/rev", "0")))
	id = s.request("0:00.031", "toolsets/list", "{}")
	s.result("0:00.033", id, obj(
		"open", arr(obj("toolset", str("対話"))),
		"ended", arr(
			obj("id", str("e-1"), "toolset", str("game"), "instance", str("yesterday"), "reason", str("\u202etime ran out\u202c \x1b[2J")),
			obj("id", str("e-2"), "toolset", str("game"), "instance", str("🀄-table"), "reason", str("both left")),
		),
		"_meta", withHints(hints(s.next(), "tools", arr(entry("話す", "", true), entry("聞く", "", true)))),
	))
	s.manyInstances()
	s.manyEvents()
	return s.bytes()
}

// ManyInstances names the five instances of Many, in the order in which they
// are opened first. The first one is closed by the server and opened again,
// so that it stands last at the end.
func ManyInstances() []string {
	return []string{
		"vs-ada", "tournament-2026-11-29-final-round-table-01-of-16-board-of-honour",
		"対局-鈴木さん", "🎲-table-👩‍👩‍👧", "שולחן-3",
	}
}

func manyManifest() string {
	return withRevision(obj(
		"version", str("0.5"), "toolHints", "true", "pushEvents", "true", "featureSets", gobanFeatures(),
		"toolsets", obj(
			"game", obj(
				"title", str("Games \x1b[7mof Go\x1b[0m"), "summary", str("Go, 囲碁, 바둑, גו"),
				"instances", "true", "options", gameOptions(),
			),
			"対話", obj("title", str("対局者と話す"), "default", str("open")),
			manyLongName, obj("title", str(strings.Repeat("a title that goes on and on, ", 6)), "default", str("closed")),
		),
	))
}

// manyLongName is as long as a toolset's name may be.
const manyLongName = "archive-of-every-game-which-was-ever-played-here-since-we-opened"

// manyTools is 40 tools: 6 static, 4 of no toolset, 14 of game, 6 of 対話, 6
// of the long one, 4 of an undeclared group.
func manyTools() []string {
	groups := []struct {
		toolset string
		names   []string
	}{
		{"", []string{"status", "help", "サインイン", "who_is_in_the_house_tonight_and_what_are_they_doing", "🕐now", "מי"}},
		{"-", []string{"rematch", "賭ける", "tip", "escape\u202egnp"}},
		{"game", []string{
			"play", "pass", "undo", "score", "resign", "投了", "時計", "adjourn_until_both_players_agree_on_another_day",
			"review", "🎲roll", "komi", "swap", "תיקו", "annotate",
		}},
		{"対話", []string{"話す", "聞く", "笑う", "react", "mute", "translate"}},
		{manyLongName, []string{"search", "fetch", "download_the_record_of_a_game_with_all_its_variations_as_sgf", "図書", "stats", "cite"}},
		{"debug-בדיקה", []string{"dump_board", "seed_game", "crash", "眠る"}},
	}
	var tools []string
	for _, g := range groups {
		for i, name := range g.names {
			tools = append(tools, manyTool(name, g.toolset, i))
		}
	}
	return tools
}

func manyTool(name, toolset string, i int) string {
	titles := []string{
		"Plain words", "石を置く、よく考えてから", "A title that is \x1b[31mred\x1b[0m and long enough to be cut",
		"הנח אבן על הלוח", "🎲🎲🎲 roll",
	}
	texts := []string{
		"Does one thing.", "盤の空いている点に石を置きます。\n二行目。",
		"Click \x1b]8;;http://example.invalid\x1b\\here\x1b]8;;\x1b\\ or \x1b[2J\x1b[H, then \u202ednuora nrut\u202c.\tTab.\x00NUL.\u009b31mC1.",
		"מניח אבן, ואז (move 3) ממשיך.", strings.Repeat("It goes on and on. ", 40),
	}
	schema := object("at", obj("type", str("string"), "title", str("点 point"), "description", str("column, then row\x07")))
	meta := obj("mcpl/toolset", str(toolset), "mcpl/visible", "false")
	switch toolset {
	case "":
		return tool(name, titles[i%len(titles)], texts[i%len(texts)], schema)
	case "-":
		meta = obj("mcpl/presence", str("dynamic"), "mcpl/visible", "false")
	}
	return tool(name, titles[i%len(titles)], texts[i%len(texts)], schema, "_meta", meta)
}

// manyInstances opens the five: revs 2 to 6.
func (s *gobanSession) manyInstances() {
	titles := []string{
		"Go 9x9", "Go 19x19, the final \x1b[1mof finals\x1b[0m, table 1", "囲碁 十九路", "🎲 13x13 👩‍👩‍👧", "גו 9x9 \u202eabc",
	}
	for i, name := range ManyInstances() {
		s.games[name] = &game{instance: name, me: "Black", other: "White", size: 9, taken: map[string]bool{}}
		s.open(fmt.Sprintf("0:%02d.000", 2+i), fmt.Sprintf("0:%02d.140", 2+i), name, titles[i],
			obj("opponent", str("鈴木 \x1b[K"), "size", "9"), "石を握ってください。\x1b[31m", func() {})
	}
}

// manyEvents: revs 7 to 12, with four suggestions and an end.
func (s *gobanSession) manyEvents() {
	at := ManyInstances()
	s.call("0:08.000", "play", at[2], obj("at", str("D4"))) // stays open
	s.reply("0:09.000", at[3], "E4")
	s.push("0:10.000", "talk", "鈴木さん: こんにちは \x1b[5m点滅\x1b[0m \u202eolleh", hints(s.next(),
		"suggest", arr(
			obj("toolset", str(manyLongName), "action", str("open"),
				"reason", str("Look \x1b[31mthere\x1b[0m: "+strings.Repeat("a very long reason, ", 12))),
			obj("toolset", str("game"), "instance", str(at[1]), "action", str("close"),
				"reason", str("\u202eyaw siht\u202c הפסק")),
			obj("toolset", str("game"), "instance", str("第六局"), "action", str("open"),
				"options", obj("opponent", str("田中"), "size", "13"), "reason", str("田中さんがもう一局、と言っています。👋🏽")),
		),
	))
	s.notify("0:11.000", "tools/hints", hints(s.next(), "tools", arr(
		entry("賭ける", "", true), entry("escape\u202egnp", "", true),
		entry("投了", at[2], true, "definition", obj("name", str("投了"), "description", str("負けを認めます。\x1b[31m(取り消せません)\x1b[0m"))),
	), "reason", str("夜が更けた")))
	s.notify("0:12.000", "tools/hints", hints(s.next(), "toolsets", arr(
		obj("toolset", str("game"), "instance", str(at[0]), "state", str("closed"), "reason", str("Ada \x1b[9mleft\x1b[0m the house")),
	)))
	s.open("0:13.000", "0:13.090", at[0], "Go 9x9 again", obj("opponent", str("ada"), "size", "9"), "Ada is back.", func() {})
	s.push("0:14.000", "talk", strings.Repeat("長い話。", 60), hints(s.next(),
		"suggest", arr(obj("toolset", str("対話"), "action", str("close"), "reason", str("静かに"))),
	))
	s.stderr("0:15.000", strings.Repeat("stderr without an end ", 200))
}
