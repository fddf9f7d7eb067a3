package uitest

import (
	"fmt"
	"slices"
	"strconv"
	"time"
)

// game is one game of the session, as far as its server speaks of it.
type game struct {
	instance  string
	me, other string // Black or White
	size      int
	ply       int             // moves made
	began     time.Duration   // when it was opened
	taken     map[string]bool // points with a stone
	listed    bool            // play lists the free points (the small board)
}

// columns names the columns of a board: there is no I.
const columns = "ABCDEFGHJKLMNOPQRST"

// free returns the points without a stone, column by column.
func (g *game) free() []string {
	var points []string
	for _, c := range columns[:g.size] {
		for row := 1; row <= g.size; row++ {
			if p := string(c) + strconv.Itoa(row); !g.taken[p] {
				points = append(points, p)
			}
		}
	}
	return points
}

// seconds is how long the game has been going on.
func (g *game) seconds(at string) string {
	return strconv.Itoa(int((clock(at) - g.began).Seconds()))
}

// place puts a stone, and takes away the ones that it captures.
func (g *game) place(point string, captured ...string) {
	if g.taken[point] || (g.listed && !slices.Contains(g.free(), point)) {
		panic(g.instance + ": there is a stone on " + point + " already, or no such point")
	}
	g.ply++
	g.taken[point] = true
	for _, p := range captured {
		delete(g.taken, p)
	}
}

// definition is play as it is for the player's next move. after is the
// sentence that stands behind the move's number; comment gives play a second
// argument.
func (g *game) definition(after string, comment bool) string {
	next := g.ply + 1
	pairs := []string{
		"name", str("play"),
		"description", str(fmt.Sprintf("Place a stone. You are %s, move %d.%s", g.me, next, after)),
	}
	if g.listed {
		pairs = append(pairs, "inputSchema", playSchemaWith(comment, g.free()))
	}
	return obj(append(pairs, "annotations", obj(
		"title", str(fmt.Sprintf("Play (move %d)", next)), "readOnlyHint", "false",
	))...)
}

// gobanSession writes the session: a script with its revs, events and games.
type gobanSession struct {
	*script
	rev   int
	event int // number of the last mv-00NN
	asked int // number of the last request of the server
	games map[string]*game
}

func newGoban(id string) *gobanSession {
	return &gobanSession{
		script: newScript(id, "10:00:00", gobanTarget()), event: 76,
		games: map[string]*game{
			"vs-ada": {instance: "vs-ada", me: "Black", other: "White", size: 9, taken: map[string]bool{}, listed: true},
			"vs-bot": {instance: "vs-bot", me: "White", other: "Black", size: 19, taken: map[string]bool{}},
		},
	}
}

// next takes the next rev.
func (s *gobanSession) next() int { s.rev++; return s.rev }

// entry is a hint's entry about a tool: of an instance, unless it is "".
func entry(name, instance string, visible bool, more ...string) string {
	pairs := []string{"name", str(name)}
	if instance != "" {
		pairs = append(pairs, "instance", str(instance))
	}
	return obj(append(append(pairs, "visible", strconv.FormatBool(visible)), more...)...)
}

// open opens the instance and says so at the server's time answered.
func (s *gobanSession) open(asked, answered, instance, title, options, said string, between func()) {
	id := s.request(asked, "toolsets/open", obj("toolset", str("game"), "instance", str(instance), "options", options))
	between()
	s.games[instance].began = clock(answered)
	s.result(answered, id, obj("instance", str(instance), "content", text(said), "_meta", withHints(hints(s.next(),
		"toolsets", arr(obj("toolset", str("game"), "instance", str(instance), "state", str("open"), "title", str(title))),
		"tools", arr(entry("play", instance, true), entry("pass", instance, true), entry("resign", instance, true)),
	))))
}

// call writes a call to a tool of a game and returns its id.
func (s *gobanSession) call(at, tool, instance, arguments string) int {
	return s.request(at, "tools/call", obj(
		"name", str(tool), "arguments", arguments, "_meta", obj("mcpl/instance", str(instance)),
	))
}

// myTurnIsOver is the hints of a result after which the opponent moves.
func (s *gobanSession) myTurnIsOver(instance string) string {
	return withHints(hints(s.next(), "tools", arr(entry("play", instance, false), entry("pass", instance, false))))
}

// play plays a stone of mine. The answer is 268 bytes long, as screen (f)
// counts it: the clock is told as exactly as that takes.
func (s *gobanSession) play(asked, answered, instance, point string) {
	g := s.games[instance]
	id := s.call(asked, "play", instance, obj("at", str(point)))
	g.place(point)
	meta := s.myTurnIsOver(instance)
	result := func(clock string) string {
		return obj(
			"content", text(g.me+" "+point), "structuredContent", obj("clock", clock), "_meta", meta,
		)
	}
	frame := len(`{"jsonrpc":"2.0","id":,"result":}`) + len(strconv.Itoa(id))
	digits := 268 - frame - len(result(""))
	left := fmt.Sprintf("%.9f", (10*time.Minute - clock(answered)).Seconds())
	s.result(answered, id, result(left[:digits]))
}

// push writes a push event with hints, and the host's acceptance.
func (s *gobanSession) push(at, set, said, changes string, more ...string) {
	s.event++
	s.asked++
	params := []string{
		"featureSet", str(set), "eventId", str(fmt.Sprintf("mv-%04d", s.event)), "timestamp", str(stamp(at)),
		"hints", changes, "payload", obj("content", text(said)),
	}
	s.ask(at, fmt.Sprintf("s%d", s.asked), "push/event", obj(append(params, more...)...), obj("accepted", "true"))
}

// reply is the opponent's stone: it makes play and pass usable again, and
// redefines play.
func (s *gobanSession) reply(at, instance, point string) {
	g := s.games[instance]
	g.place(point)
	said := fmt.Sprintf("%s plays %s. Your move, %s.", g.other, point, g.me)
	s.push(at, "game.moves", said, s.myTurn(g, g.definition("", false), g.other+" "+point),
		"origin", obj("game", str(instance), "s", g.seconds(at)))
}

func (s *gobanSession) myTurn(g *game, definition, reason string) string {
	return hints(s.next(), "tools", arr(
		entry("play", g.instance, true, "definition", definition), entry("pass", g.instance, true),
	), "reason", str(reason))
}

// hint writes a tools/hints notification about one tool.
func (s *gobanSession) hint(at, reason, tool string) {
	s.notify(at, "tools/hints", hints(s.next(), "tools", arr(tool), "reason", str(reason)))
}
