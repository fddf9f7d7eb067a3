package demo

import (
	"math"
	"slices"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
)

// options are what a game is opened with, defaults filled in. Their schema is
// gameOptions; a test holds the two together.
type options struct {
	opponent string
	size     int
	you      stone
	komi     float64
	handicap int
	rated    bool
	clock    *clock
}

// clock is the time that the host's player has: main seconds in all, and step
// seconds more with each move.
type clock struct{ main, step int }

var sizes = []int{5, 7, 9}

func readOptions(o object) (options, *rpcError) {
	bad := func(words string) (options, *rpcError) {
		return options{}, errorf(mcpl.CodeInvalidParams, "%s", words)
	}
	var out options
	if name, strange := o.stranger("opponent", "size", "color", "komi", "handicap", "rated", "clock"); strange {
		return bad("there is no option " + quote(name) +
			"; there are opponent, size, color, komi, handicap, rated and clock")
	}
	opponent, has, ok := o.text("opponent")
	if out.opponent = opponent; ok && !has {
		out.opponent = opponentNames()[0]
	}
	if !ok || opponentNamed(out.opponent) == nil {
		return bad("opponent must be one of " + list(opponentNames()))
	}
	if out.size, ok = o.whole("size", 9); !ok || !slices.Contains(sizes, out.size) {
		return bad("size must be 5, 7 or 9")
	}
	color, has, ok := o.text("color")
	switch {
	case ok && (!has || color == "black"):
		out.you = black
	case ok && color == "white":
		out.you = white
	default:
		return bad("color must be black or white")
	}
	if out.komi, ok = o.number("komi", 6.5); !ok || out.komi < 0 || out.komi > 20 {
		return bad("komi must be a number from 0 to 20")
	}
	if out.handicap, ok = o.whole("handicap", 0); !ok || out.handicap < 0 || out.handicap > 4 {
		return bad("handicap must be a whole number from 0 to 4")
	}
	if out.rated, ok = o.flag("rated"); !ok {
		return bad("rated must be true or false")
	}
	if raw, has := o["clock"]; has {
		if out.clock = readClock(raw); out.clock == nil {
			return bad("clock must be an object with main, 1 to 3600 seconds, and perhaps step, 0 to 60 seconds")
		}
	}
	return out, nil
}

// readClock returns nil for what is no clock.
func readClock(raw []byte) *clock {
	o, ok := objectOf(raw)
	if !ok {
		return nil
	}
	if _, strange := o.stranger("main", "step"); strange {
		return nil
	}
	main, okMain := o.whole("main", 0)
	step, okStep := o.whole("step", 5)
	if !okMain || !okStep || main < 1 || main > 3600 || step < 0 || step > 60 {
		return nil
	}
	return &clock{main, step}
}

// whole returns the member key as a whole number, as JSON Schema sees it: 9.0
// is one.
func (o object) whole(key string, instead int) (int, bool) {
	f, ok := o.number(key, float64(instead))
	if !ok || f != math.Trunc(f) || math.Abs(f) > 1e6 {
		return 0, false
	}
	return int(f), true
}
