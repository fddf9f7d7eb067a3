package demo

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// How long things take after a game, in beats of the principal's pace.
const (
	greetAfter   = 1
	thankAfter   = 1
	clearAfter   = 8
	offerExpires = 40
)

// game is an open instance of the toolset game: a match of the host against
// an opponent. Everything it does is under the principal's lock.
type game struct {
	p     *Principal
	name  string
	who   *opponent
	opts  options
	you   stone
	match *match

	over    string      // the outcome; empty while it is played
	def     *definition // of play, as last told; nil: as declared
	undo    bool        // the opponent agrees to a takeback now
	greeted bool
	thanked bool

	next  *timer // the opponent's move, or what follows the end
	flag  *timer // the end of your time
	left  time.Duration
	since time.Time // your clock runs since then
}

func (g *game) key() openKey { return openKey{toolsetGame, g.name} }

// startGame opens a game and sets its first event going.
func (p *Principal) startGame(name string, o options) *game {
	g := &game{
		p: p, name: name, who: opponentNamed(o.opponent), opts: o, you: o.you,
		match: newMatch(o.size, o.komi, o.handicap),
	}
	if o.clock != nil {
		g.left = time.Duration(o.clock.main) * time.Second
	}
	p.games[name] = g
	p.open = append(p.open, g.key())
	if g.match.turn == g.you {
		g.next = p.after(p.beats(greetAfter), g.greet)
		g.startClock()
	} else {
		g.awaitMove()
	}
	return g
}

func (g *game) title() string {
	t := fmt.Sprintf("Go %dx%d", g.opts.size, g.opts.size)
	if g.opts.rated {
		t += ", rated"
	}
	if g.over != "" {
		t += ", over"
	}
	return t
}

func (g *game) welcome() string {
	s := fmt.Sprintf("%s: %s against %s. You are %s, komi %g", g.name, g.title(), g.who.called, g.you, g.opts.komi)
	if g.opts.handicap > 0 {
		s += fmt.Sprintf(", %d handicap stones", g.opts.handicap)
	}
	if g.opts.clock != nil {
		s += fmt.Sprintf(", %d s on your clock and %d s more with each move", g.opts.clock.main, g.opts.clock.step)
	}
	if g.yourTurn() {
		return s + ". It is your move."
	}
	return s + ". " + g.who.called + " moves first."
}

func (g *game) yourTurn() bool { return g.over == "" && g.match.turn == g.you }

// state says whether a tool is usable in this game, and how it is defined.
func (g *game) state(name string) toolState {
	s := toolState{toolset: toolsetGame}
	switch name {
	case "play":
		s.visible, s.def = g.yourTurn() && len(g.match.legal()) > 0, g.def
	case "pass":
		s.visible = g.yourTurn()
	case "undo":
		s.visible = g.yourTurn() && g.undo
	case "score":
		s.visible = g.over != "" || g.match.passed() || g.match.full()
	case "resign":
		s.visible = g.over == ""
	case "board":
		s.visible = true
	}
	return s
}

// whyNot says why a tool is not usable.
func (g *game) whyNot(name string) string {
	switch {
	case name == "score":
		return "counting begins when the board is nearly full, or after a pass"
	case g.over != "":
		return "the game is over, " + g.over
	case !g.yourTurn():
		return fmt.Sprintf("it is %s's turn, and %s is thinking", g.match.turn, g.who.called)
	case name == "undo" && g.opts.rated:
		return "a rated game has no takebacks"
	case name == "undo":
		return g.who.called + " has not agreed to a takeback"
	}
	return "there is no point left where a stone may stand; pass or resign"
}

// define renews the definition of play for the position on the board. Where
// no stone may stand play is hidden, and its definition left alone.
func (g *game) define() {
	size := g.match.size
	legal := g.match.legal()
	if len(legal) == 0 {
		return
	}
	points := make([]string, len(legal))
	for i, p := range legal {
		points[i] = `"` + pointName(p, size) + `"`
	}
	n := len(g.match.moves) + 1
	words := fmt.Sprintf("Place a stone. You are %s, move %d.", g.you, n)
	if last := len(g.match.moves) - 1; last >= 0 && len(g.match.moves[last].taken) > 0 {
		words += fmt.Sprintf(" %s took %s.", g.you.other(), pointNames(g.match.moves[last].taken, size))
	}
	at := `"at":{"type":"string","title":"Point, column then row","enum":[` + strings.Join(points, ",") + `]}`
	if g.p.isOpen(openKey{toolset: toolsetChat}) {
		at += `,"comment":{"type":"string","maxLength":80,"description":"a word to your opponent"}`
	}
	g.def = &definition{
		Name: "play", Description: words,
		InputSchema: json.RawMessage(`{"type":"object","properties":{` + at +
			`},"required":["at"],"additionalProperties":false}`),
		Annotations: json.RawMessage(fmt.Sprintf(`{"title":"Play (move %d)",%s}`, n, changes)),
	}
}

// startClock begins your turn's time.
func (g *game) startClock() {
	if g.opts.clock == nil || g.over != "" {
		return
	}
	g.since = time.Now()
	g.flag = g.p.after(g.left, func() {
		g.end(fmt.Sprintf("%s wins on time", g.you.other()))
		g.p.tell(nil, event{
			set: setMoves, about: g.key(),
			text: fmt.Sprintf("Your time is up: %s.", g.over),
		})
	})
}

// stopClock ends your turn's time; a move adds the step.
func (g *game) stopClock(moved bool) {
	if g.flag == nil {
		return
	}
	g.flag.stop()
	g.flag = nil
	g.left -= time.Since(g.since)
	if moved {
		g.left += time.Duration(g.opts.clock.step) * time.Second
	}
}

// awaitMove lets the opponent think.
func (g *game) awaitMove() {
	g.next.stop()
	g.next = g.p.after(g.p.beats(g.who.pace), g.answer)
}

// quiet stops whatever the game would do by itself.
func (g *game) quiet() {
	g.next.stop()
	g.stopClock(false)
}

// end ends the match. The instance stays open for a while, so that one can
// look at the board.
func (g *game) end(outcome string) {
	g.over = outcome
	g.quiet()
	g.next = g.p.after(g.p.beats(thankAfter), g.thank)
}

// remove takes the instance away.
func (g *game) remove() {
	g.quiet()
	g.p.shut(g.key())
	delete(g.p.games, g.name)
}

// leave closes the game at the host's wish, and says what became of it.
func (g *game) leave() string {
	g.remove()
	if g.over == "" {
		return fmt.Sprintf("%s is closed. The game was not finished.", g.name)
	}
	if !g.thanked {
		g.p.offerRematch(g)
	}
	return fmt.Sprintf("%s is closed: %s.", g.name, g.over)
}
