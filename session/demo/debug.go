package demo

import (
	"fmt"
	"strings"
)

// The undeclared group: a host opens and closes it alone, so its tools work
// at any time (toolhints.md §3).

// debugged returns the game that a debug tool speaks of.
func (k *call) debugged(asked string) (*game, error) {
	name, has, ok := k.args.text("game")
	if !ok {
		return nil, refuse("game must be the name of an open game")
	}
	names := k.p.instances()
	switch {
	case !has && len(names) > 1:
		return nil, refuse("%s needs to know which game: %s are open; name one as the argument game", asked, list(names))
	case has && k.p.games[name] == nil:
		return nil, refuse("no game %s is open; %s", quote(name), openNow(names))
	}
	return k.p.findGame(name, asked)
}

func runDump(k *call) (answer, error) {
	if err := k.only("game"); err != nil {
		return answer{}, err
	}
	g, err := k.debugged("dump_board")
	if err != nil {
		return answer{}, err
	}
	moves := make([]string, len(g.match.moves))
	for i, m := range g.match.moves {
		moves[i] = "pass"
		if m.at != pass {
			moves[i] = pointName(m.at, g.match.size)
		}
	}
	return answer{text: fmt.Sprintf("%s: turn %s, komi %g, %d legal points, undo %t\nmoves: %s\n%s",
		g.name, g.match.turn, g.match.komi, len(g.match.legal()), g.undo,
		strings.Join(moves, " "), g.match.draw())}, nil
}

// setups are positions to set up, row by row from the top, for every size: the
// rest of the board stays empty. X is you, O the opponent.
var setups = map[string][]string{
	"empty":   {},
	"capture": {".OX", "XOX", ".X."},
	"ko":      {".XO.", "XO.O", ".XO."},
	"suicide": {".O.", "O.."},
}

func runSeed(k *call) (answer, error) {
	if err := k.only("position", "game"); err != nil {
		return answer{}, err
	}
	name, err := k.word("position", "", "empty", "capture", "ko", "suicide", "endgame")
	if err != nil {
		return answer{}, err
	}
	g, err := k.debugged("seed_game")
	if err != nil {
		return answer{}, err
	}
	if g.over != "" {
		return answer{}, refuse("the game %s is over: %s", g.name, g.over)
	}
	g.quiet()
	start := newBoard(g.match.size)
	if name == "endgame" {
		fillEndgame(start, g.you)
	} else {
		for y, row := range setups[name] {
			for x, s := range row {
				put(start, x, g.match.size-1-y, s, g.you)
			}
		}
	}
	g.match = newMatch(g.match.size, g.match.komi, 0)
	g.match.boards, g.match.keys = []board{start}, []string{start.key()}
	g.match.turn = g.you
	g.undo = false
	g.define()
	g.startClock()
	return answer{text: fmt.Sprintf("Set up %s in %s. You are %s, it is your move.\n%s",
		name, g.name, g.you, g.match.draw())}, nil
}

func put(b board, x, y int, s rune, you stone) {
	switch s {
	case 'X':
		b.at[y*b.size+x] = you
	case 'O':
		b.at[y*b.size+x] = you.other()
	}
}

// fillEndgame splits the board between both, each with two eyes, and leaves
// one neutral point; after it there is nothing to do but to pass.
func fillEndgame(b board, you stone) {
	half := b.size / 2
	for p := range b.at {
		x, y := p%b.size, p/b.size
		c := you
		if x > half {
			c = you.other()
		}
		eye := (x == 0 || x == b.size-1) && (y == 0 || y == 2)
		neutral := x == half+1 && y == b.size-1
		if !eye && !neutral {
			b.at[p] = c
		}
	}
}

func runPin(k *call) (answer, error) {
	if err := k.only("tool", "pinned"); err != nil {
		return answer{}, err
	}
	name, err := k.word("tool", "", "rematch", "advice")
	if err != nil {
		return answer{}, err
	}
	pinned, ok := k.args.flag("pinned")
	if !ok {
		return answer{}, refuse("pinned must be true or false")
	}
	if !pinned {
		delete(k.p.pinned, name)
		return answer{text: name + " comes and goes."}, nil
	}
	k.p.pinned[name] = true
	return answer{text: name + " is in the static head of the list, and may be called at any time."}, nil
}
