package uitest

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"

	"github.com/gowebpki/jcs"
)

// gobanTarget is the header's target of everything that runs the goban server.
func gobanTarget() string {
	return obj("kind", str("stdio"), "command", gobanCommand(), "cwd", str("/home/dev/goban"))
}

func gobanCommand() string { return strs("node", "dist/server.js") }

// connecting is what the note "connect" says: what is started, and the names
// of the variables that were set for it, never their values.
func connecting() string {
	return obj("command", gobanCommand(), "cwd", str("/home/dev/goban"), "env", strs(EnvSet()...))
}

// initialize is the host's first request: 412 bytes with its frame, as screen
// (g) counts them.
func initialize() string {
	return obj(
		"protocolVersion", str("2025-06-18"),
		"clientInfo", obj("name", str("mcpl-tui"), "version", str("0.1.0")),
		"capabilities", obj(
			"roots", "{}", "sampling", "{}", "elicitation", "{}",
			"experimental", obj("mcpl", obj(
				"version", str("0.5"), "toolHints", "true", "pushEvents", "true", "featureSets", "true",
				"channels", obj("register", "true", "lifecycle", "true", "publish", "true", "incoming", "true"),
				"inferenceRequest", "true", "modelInfo", "true",
			)),
		),
	)
}

// initialized is the server's answer. manifest "" makes it a plain MCP server.
func initialized(name, version, manifest string) string {
	caps := []string{"tools", obj("listChanged", "true")}
	if manifest != "" {
		caps = append(caps, "experimental", obj("mcpl", manifest))
	}
	return obj(
		"protocolVersion", str("2025-06-18"),
		"serverInfo", obj("name", str(name), "version", str(version)),
		"capabilities", obj(caps...),
	)
}

// withRevision puts the manifest's digest at its end (mcpl-host.md,
// "Manifest").
func withRevision(manifest string) string {
	canonical, err := jcs.Transform([]byte(manifest))
	must(err)
	sum := sha256.Sum256(canonical)
	revision := "sha256:" + base64.RawURLEncoding.EncodeToString(sum[:])
	return strings.TrimSuffix(manifest, "}") + `,"revision":` + str(revision) + "}"
}

// gobanManifest declares the toolsets game, with instances, and chat.
func gobanManifest() string {
	return withRevision(obj(
		"version", str("0.5"), "toolHints", "true", "pushEvents", "true",
		"featureSets", gobanFeatures(),
		"toolsets", obj(
			"game", obj(
				"title", str("Go games"), "summary", str("Play Go against people in the lobby or against the bot."),
				"default", str("closed"), "instances", "true", "options", gameOptions(),
			),
			"chat", obj(
				"title", str("Talk to players"), "summary", str("The lobby's chat: say a line, react to one."),
				"default", str("closed"),
			),
		),
		"surface", obj("title", str("goban"), "summary", str("A lobby for Go.")),
	))
}

func gobanFeatures() string {
	set := func(description string) string {
		return obj("description", str(description), "uses", strs("pushEvents"))
	}
	return obj("game.moves", set("Moves in your games"), "talk", set("What people say to you"))
}

// gameOptions is the schema behind the form of screen (d), in its order.
func gameOptions() string {
	return obj(
		"type", str("object"), "required", strs("opponent", "size"),
		"properties", obj(
			"opponent", obj("type", str("string"), "description", str("a name from the lobby")),
			"size", obj("type", str("integer"), "enum", "[9,13,19]", "description", str("points a side")),
			"color", obj("type", str("string"), "enum", strs("black", "white", "random"), "default", str("random")),
			"komi", obj("type", str("number"), "minimum", "0", "maximum", "20", "default", "6.5"),
			"handicap", obj("type", str("integer"), "minimum", "0", "maximum", "9", "default", "0"),
			"rated", obj("type", str("boolean"), "default", "false"),
			"clock", obj("type", str("object"), "default", obj("main", "600", "step", "30")),
		),
		"additionalProperties", "false",
	)
}

// tool makes a tool as tools/list names it; more are pairs after its schema.
func tool(name, title, description, schema string, more ...string) string {
	return obj(append([]string{
		"name", str(name), "title", str(title), "description", str(description), "inputSchema", schema,
	}, more...)...)
}

// object makes the schema of an object that takes the given properties, all
// of them required.
func object(properties ...string) string {
	pairs := []string{"type", str("object")}
	var required []string
	for i := 0; i < len(properties); i += 2 {
		required = append(required, properties[i])
	}
	if required != nil {
		pairs = append(pairs, "required", strs(required...))
	}
	return obj(append(pairs, "properties", obj(properties...), "additionalProperties", "false")...)
}

func typed(kind, description string) string {
	return obj("type", str(kind), "description", str(description))
}

// gobanTools is the list of 14, in its order: four static tools, one of no
// toolset, five of game, two of chat, two of the undeclared group debug.
func gobanTools() string {
	return arr(append(gobanStatic(), gobanDynamic()...)...)
}

// gobanStatic are the tools in every prompt: 560, 680, 520 and 680 bytes, so
// that at four bytes a token they are the 140, 170, 130 and 170 of screen (q).
func gobanStatic() []string {
	return []string{
		tool("status", "Who you are", "Tells who you are in the lobby: your name and rank, whether you are signed in, "+
			"which games you have open and whose move it is in each of them, how much time is left on both clocks, and whether "+
			"anybody has written to you since you asked last. It changes nothing and can be asked at any time. A guest has a "+
			"name that the lobby made up, no rank, and games that do not count. "+
			"The rank is that of last month, as the lobby counts it.", object()),
		tool("login", "Sign in", "Signs in to the lobby under the name given. Whoever has not signed in is a guest: a "+
			"guest can play against the bot and look at games, but cannot invite people, talk in the lobby's chat or play "+
			"games that count. Signing in twice does no harm, the second time nothing happens. Games that were open "+
			"stay open and keep their names. The name must be one that the lobby knows. "+
			"People see you come in. Nothing else of yours is kept or shown. No password is used.",
			object("name", typed("string", "the name that the lobby knows you by"))),
		tool("lobby", "Who is online", "Lists the people who are in the lobby right now, each with name, rank, and whether "+
			"they are free or in a game, strongest first. The bot is always there, always free, and stands last in the "+
			"list. The names are the ones that can be given as the opponent when a game is opened. Nobody is told "+
			"that you have looked. It changes nothing and can be asked at any time. Names are case sensitive.", object()),
		tool("help", "How to play", "Explains one thing about playing here, in a few lines: the rules of Go as this "+
			"lobby has them, how points are named (a column's letter, then a row's number, there is no column I), how clocks "+
			"run and what happens when one runs out, how a game is scored after both sides have passed, or how "+
			"people are expected to behave to each other. "+
			"For all the rules in full, with examples and pictures, the lobby has a page for that.",
			object("topic", obj("type", str("string"), "enum", strs("rules", "points", "clock", "score", "manners"),
				"description", str("what to explain")))),
	}
}

func gobanDynamic() []string {
	hidden := func(toolset string) string { return obj("mcpl/toolset", str(toolset), "mcpl/visible", "false") }
	writes := obj("readOnlyHint", "false")
	return []string{
		tool("rematch", "Offer a game", "Offer another game to whoever you played last.", object(),
			"_meta", obj("mcpl/presence", str("dynamic"), "mcpl/visible", "false")),
		tool("play", "Place a stone", "Place a stone on a free point of the board.", playSchema(),
			"annotations", obj("title", str("Play"), "readOnlyHint", "false"), "_meta", hidden("game")),
		tool("pass", "Pass this turn", "Pass. When both sides pass, the game is over.", object(),
			"annotations", writes, "_meta", hidden("game")),
		tool("undo", "Take a move back", "Take back your last move, if the opponent agrees.", object(),
			"annotations", writes, "_meta", hidden("game")),
		tool("score", "Count territory", "Count territory and prisoners as the board stands.", object(),
			"annotations", obj("readOnlyHint", "true"), "_meta", hidden("game")),
		tool("resign", "Give up", "Give the game up. It cannot be taken back.", object(),
			"annotations", obj("readOnlyHint", "false", "destructiveHint", "true"), "_meta", hidden("game")),
		tool("say", "Say something", "Say a line to everybody in the lobby.", object("text", typed("string", "the line")),
			"annotations", writes, "_meta", hidden("chat")),
		tool("react", "React to a line", "React to a line of the chat with a word.",
			object("line", typed("integer", "the line's number"), "word", typed("string", "one word")),
			"annotations", writes, "_meta", hidden("chat")),
		tool("dump_board", "Print the board", "Print the board of a game as the server keeps it.",
			object("game", typed("string", "name of the game")), "_meta", hidden("debug")),
		tool("seed_game", "Set a position", "Set up a position from its record.",
			object("game", typed("string", "name of the game"), "sgf", typed("string", "the position")),
			"_meta", hidden("debug")),
	}
}

// playSchema is what play takes; points are the ones that are free, none
// given where any is taken. comment adds the second argument that only the
// definition of rev 31 has.
func playSchema(points ...string) string { return playSchemaWith(false, points) }

func playSchemaWith(comment bool, points []string) string {
	at := []string{"type", str("string"), "title", str("Point, column then row")}
	if len(points) > 0 {
		at = append(at, "enum", strs(points...))
	}
	properties := []string{"at", obj(at...)}
	if comment {
		properties = append(properties, "comment", obj("type", str("string"), "maxLength", "80"))
	}
	return obj(
		"type", str("object"), "required", strs("at"), "properties", obj(properties...), "additionalProperties", "false",
	)
}
