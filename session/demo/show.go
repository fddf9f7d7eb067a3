package demo

import (
	"encoding/json"
	"fmt"
	"strings"
)

// What the server does by itself: greetings, moves of opponents, what follows
// a game. Each is a function of a timer, and ends in telling all connections.

// greet is the opponent sitting down: play gets its points, and the chat is
// suggested.
func (g *game) greet() {
	g.define()
	g.p.tell(nil, event{
		set: setMoves, about: g.key(),
		text:    fmt.Sprintf("%s sits down: %s You are %s, it is your move.", g.who.called, g.who.hello, g.you),
		suggest: g.hello(),
	})
}

// hello suggests the chat with a game's first event, where it is closed.
func (g *game) hello() []suggestion {
	if g.greeted {
		return nil
	}
	g.greeted = true
	if g.p.isOpen(openKey{toolset: toolsetChat}) {
		return nil
	}
	return []suggestion{{
		Toolset: toolsetChat, Action: "open", Reason: fmt.Sprintf("%s says hello, answer %s?", g.who.called, g.who.them),
	}}
}

// answer is the opponent's move.
func (g *game) answer() {
	size := g.match.size
	words := ""
	switch at := choose(g.match, g.p.rng); {
	case at == pass:
		g.match.pass()
		words = fmt.Sprintf("%s passes.", g.you.other())
	default:
		if err := g.match.play(at); err != nil { // choose takes legal moves only
			g.match.pass()
			words = fmt.Sprintf("%s passes.", g.you.other())
			break
		}
		words = fmt.Sprintf("%s plays %s", g.you.other(), pointName(at, size))
		if taken := g.match.moves[len(g.match.moves)-1].taken; len(taken) > 0 {
			words += " and takes " + pointNames(taken, size)
		}
		words += "."
	}
	if g.match.over() {
		g.end(g.match.outcome())
		words += " That ends the game: " + g.over + "."
	} else {
		words += fmt.Sprintf(" Your move, %s.", g.you)
		if g.undo = g.agrees(); g.undo {
			words += fmt.Sprintf(" %s would let you take your last move back.", g.who.called)
		}
		g.define()
		g.startClock()
	}
	if !g.greeted {
		words = fmt.Sprintf("%s: %s %s", g.who.called, g.who.hello, words)
	}
	g.p.tell(nil, event{set: setMoves, about: g.key(), text: words, suggest: g.hello()})
}

// agrees reports whether the opponent lets you take back your last move: kind
// ones do after they took something of yours, and after each third move.
func (g *game) agrees() bool {
	n := len(g.match.moves)
	if !g.who.kind || g.opts.rated || n < 2 || g.match.moves[n-2].by != g.you {
		return false
	}
	mine := 0
	for _, m := range g.match.moves {
		if m.by == g.you {
			mine++
		}
	}
	return len(g.match.moves[n-1].taken) > 0 || mine%3 == 0
}

// thank is the opponent getting up: a rematch is on offer, and the server
// suggests to close what is over.
func (g *game) thank() {
	g.thanked = true
	g.p.offerRematch(g)
	g.next = g.p.after(g.p.beats(clearAfter), g.clear)
	g.p.tell(nil, event{
		set: setMoves, about: g.key(),
		text: fmt.Sprintf("%s: %s Call rematch to play again.", g.who.called, g.who.thanks),
		suggest: []suggestion{{
			Toolset: toolsetGame, Instance: g.name, Action: "close",
			Reason: fmt.Sprintf("The game is over: %s. Close it?", g.over),
		}},
	})
}

// clear ends the instance by itself, which leaves a record, and suggests
// another game.
func (g *game) clear() {
	g.remove()
	reason := "the game is over: " + g.over
	g.p.remember(g.key(), reason)
	other := g.p.idle(g.who.name)
	g.p.tell(nil, event{
		set: setMoves, about: g.key(),
		text:    fmt.Sprintf("The board of %s is cleared away: %s.", g.name, g.over),
		reasons: map[openKey]string{g.key(): reason},
		suggest: []suggestion{{
			Toolset: toolsetGame, Action: "open",
			Options: json.RawMessage(fmt.Sprintf(`{"opponent":%q,"size":7}`, other.name)),
			Reason:  other.called + " is free and would like a small game.",
		}},
	})
}

// idle returns an opponent who plays no game now, other than one if it can be.
func (p *Principal) idle(but string) *opponent {
	busy := map[string]bool{but: true}
	for _, g := range p.games {
		busy[g.who.name] = true
	}
	for i := range opponents {
		if !busy[opponents[i].name] {
			return &opponents[i]
		}
	}
	return &opponents[0]
}

// offer is a game that can be played again.
type offer struct {
	name string
	opts options
}

// offerRematch puts a rematch on offer for a while.
func (p *Principal) offerRematch(g *game) {
	o := g.opts
	o.you = g.you.other()
	p.offer = &offer{g.name, o}
	p.offerDef = toolNamed("rematch").declared()
	p.offerDef.Description = fmt.Sprintf("Play %s again, %dx%d; this time you are %s.", g.who.called, o.size, o.size, o.you)
	p.offerDef.Annotations = json.RawMessage(fmt.Sprintf(`{"title":"Rematch with %s",%s}`, g.who.called, changes))
	p.offerEnds.stop()
	// Nobody needs to be told in words that an offer has expired: where hints
	// are all there is to say, they come as tools/hints.
	p.offerEnds = p.after(p.beats(offerExpires), func() {
		p.offer = nil
		p.tell(nil, event{})
	})
}

// chat is the toolset chat, and radio the toolset radio.
type chat struct {
	lines int    // what was said by the host
	reply *timer // what someone is about to say
}

type radio struct {
	station string
	def     *definition // of now_playing
	track   int
}

var (
	stations = []string{"jazz", "folk", "chip"}
	tracks   = map[string][]string{
		"jazz": {"Late Train", "Blue Corner", "Nine by Nine"},
		"folk": {"The Ferryman", "Two Stones", "Over the Pass"},
		"chip": {"Level One", "Insert Coin", "Ladder"},
	}
	replies = []string{
		"corners first, then the sides.", "I like your last move.", "have you tried the radio?",
		"let us see who lives.", "that made me think.",
	}
)

// speak lets the one who hosts the chat say something in a beat. One answer
// at a time: who says three things at once gets one.
func (p *Principal) speak(words string) {
	p.chat.reply.stop()
	p.chat.reply = p.after(p.beats(1), func() {
		p.tell(nil, event{set: setLines, about: openKey{toolset: toolsetChat}, text: "Ada: " + words})
	})
}

func (p *Principal) openChat() string {
	p.redefine()
	p.speak("hello! Good to see you here.")
	return "The chat is open. " + strings.Join([]string{"Ada", "Eve", "Kai"}, ", ") + " are here."
}

func (p *Principal) closeChat() {
	p.chat.reply.stop()
	p.redefine()
}

// redefine renews play in the games where it is your turn: with the chat, a
// move takes a comment, or no longer does.
func (p *Principal) redefine() {
	for _, name := range p.instances() {
		if g := p.games[name]; g.yourTurn() && g.def != nil {
			g.define()
		}
	}
}
