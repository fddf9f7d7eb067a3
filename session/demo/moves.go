package demo

import (
	"fmt"
	"unicode/utf8"
)

// The tools of a game. Each is called only where game.state says that it is
// usable.

func runPlay(k *call) (answer, error) {
	g := k.game
	known := []string{"at"}
	chatting := k.p.isOpen(openKey{toolset: toolsetChat})
	if chatting {
		known = append(known, "comment")
	}
	if err := k.only(known...); err != nil {
		return answer{}, err
	}
	name, has, ok := k.args.text("at")
	if !has || !ok {
		return answer{}, refuse("at must be a point: a column and a row, as C3")
	}
	comment, said, ok := k.args.text("comment")
	if !ok || utf8.RuneCountInString(comment) > 80 {
		return answer{}, refuse("comment must be a line of at most 80 characters")
	}
	at, ok := parsePoint(name, g.match.size)
	if !ok {
		last := pointName(g.match.size*g.match.size-1, g.match.size)
		return answer{}, refuse("%s is no point of this board, which goes from A1 to %s", quote(name), last)
	}
	if err := g.match.play(at); err != nil {
		return answer{}, refuse("%s is not legal: %v", pointName(at, g.match.size), err)
	}
	words := "You play " + pointName(at, g.match.size)
	if taken := g.match.moves[len(g.match.moves)-1].taken; len(taken) > 0 {
		words += " and take " + pointNames(taken, g.match.size)
	}
	if said {
		k.p.heard()
	}
	return g.moved(words + "."), nil
}

func runPass(k *call) (answer, error) {
	k.game.match.pass()
	return k.game.moved("You pass."), nil
}

// moved ends your turn: the opponent thinks, or the game is over.
func (g *game) moved(words string) answer {
	g.undo = false
	g.stopClock(true)
	if g.match.over() {
		g.end(g.match.outcome())
		return answer{text: words + " That ends the game: " + g.over + "."}
	}
	g.awaitMove()
	return answer{text: fmt.Sprintf("%s %s is thinking.", words, g.who.called)}
}

func runUndo(k *call) (answer, error) {
	g := k.game
	g.match.takeBack(2)
	g.undo = false
	g.define()
	return answer{text: fmt.Sprintf("Your move and the answer to it are taken back. It is your move, number %d.",
		len(g.match.moves)+1)}, nil
}

func runScore(k *call) (answer, error) {
	m := k.game.match
	b, w := m.score()
	return answer{text: fmt.Sprintf("Black %g, White %g with komi %g: as it stands, %s.", b, w, m.komi, m.outcome())}, nil
}

func runResign(k *call) (answer, error) {
	g := k.game
	g.end(fmt.Sprintf("%s wins by resignation", g.you.other()))
	return answer{text: "You resign. " + g.over + "."}, nil
}

func runBoard(k *call) (answer, error) {
	return answer{text: k.game.describe()}, nil
}

// describe draws the board and says how the game stands.
func (g *game) describe() string {
	words := g.match.draw() + "\n"
	if n := len(g.match.moves); n > 0 {
		last := g.match.moves[n-1]
		if last.at == pass {
			words += fmt.Sprintf("Last: %s passed. ", last.by)
		} else {
			words += fmt.Sprintf("Last: %s at %s. ", last.by, pointName(last.at, g.match.size))
		}
	}
	switch {
	case g.over != "":
		return words + "The game is over: " + g.over + "."
	case g.yourTurn():
		return words + fmt.Sprintf("You are %s (%c), it is your move.", g.you, ".XO"[g.you])
	}
	return words + fmt.Sprintf("You are %s (%c), %s is thinking.", g.you, ".XO"[g.you], g.who.called)
}
