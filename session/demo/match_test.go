package demo

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// drawn reads a position from rows, the top one first: X Black, O White.
func drawn(t *testing.T, rows string) board {
	t.Helper()
	lines := strings.Fields(rows)
	b := newBoard(len(lines))
	for y, line := range lines {
		if len(line) != b.size {
			t.Fatalf("row %q has not %d points", line, b.size)
		}
		for x, s := range line {
			put(b, x, b.size-1-y, s, black)
		}
	}
	return b
}

// at starts a match from a position.
func at(b board, turn stone) *match {
	m := newMatch(b.size, 0.5, 0)
	m.boards, m.keys, m.turn = []board{b}, []string{b.key()}, turn
	return m
}

func point(t *testing.T, name string, size int) int {
	t.Helper()
	p, ok := parsePoint(name, size)
	if !ok {
		t.Fatalf("%s is no point of a %d board", name, size)
	}
	return p
}

func rowsOf(b board) string {
	var rows []string
	for y := b.size - 1; y >= 0; y-- {
		row := ""
		for x := range b.size {
			row += string(".XO"[b.at[y*b.size+x]])
		}
		rows = append(rows, row)
	}
	return strings.Join(rows, " ")
}

func TestPlacingAStoneFollowsTheRules(t *testing.T) {
	for name, tt := range map[string]struct {
		before string
		turn   stone
		move   string
		after  string // empty: refused
		taken  string
		err    error
	}{
		"on an empty point": {
			"..... ..... ..... ..... .....", black, "C3", "..... ..... ..X.. ..... .....", "", nil,
		},
		"not on a stone": {
			"..... ..... ..O.. ..... .....", black, "C3", "", "", errTaken,
		},
		"takes a single stone": {
			"..... ..X.. .XO.. ..X.. .....", black, "D3", "..... ..X.. .X.X. ..X.. .....", "C3", nil,
		},
		"takes a stone in the corner": {
			"OX... ..... ..... ..... .....", black, "A4", ".X... X.... ..... ..... .....", "A5", nil,
		},
		"takes a group": {
			".XX.. XOO.. .XX.. ..... .....", black, "D4", ".XX.. X..X. .XX.. ..... .....", "B4 and C4", nil,
		},
		"takes two groups at once": {
			".X.X. XO.OX .X.X. ..... .....", black, "C4", ".X.X. X.X.X .X.X. ..... .....", "B4 and D4", nil,
		},
		"leaves a group its last liberty": {
			".XX.. XOO.. .X... ..... .....", black, "C3", ".XX.. XOO.. .XX.. ..... .....", "", nil,
		},
		"no suicide of one stone": {
			".O... O.... ..... ..... .....", black, "A5", "", "", errSuicide,
		},
		"no suicide of a group": {
			"X.O.. OO... ..... ..... .....", black, "B5", "", "", errSuicide,
		},
		"taking is no suicide": {
			".OX.. OX... X.... ..... .....", black, "A5", "X.X.. .X... X.... ..... .....", "A4 and B5", nil,
		},
		"joining a group that has liberties is no suicide": {
			"X.O.. .OO.. ..... ..... .....", black, "B5", "XXO.. .OO.. ..... ..... .....", "", nil,
		},
		"White by the same rules": {
			"..... ..O.. .OX.. ..O.. .....", white, "D3", "..... ..O.. .O.O. ..O.. .....", "C3", nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := at(drawn(t, tt.before), tt.turn)
			err := m.play(point(t, tt.move, 5))
			if !errors.Is(err, tt.err) {
				t.Fatalf("%s: %v, want %v", tt.move, err, tt.err)
			}
			if err != nil {
				if rowsOf(m.board()) != tt.before || m.turn != tt.turn {
					t.Fatalf("a refused move changed the match: %s", rowsOf(m.board()))
				}
				return
			}
			if got := rowsOf(m.board()); got != tt.after {
				t.Errorf("after %s: %s, want %s", tt.move, got, tt.after)
			}
			if got := pointNames(m.moves[0].taken, 5); got != tt.taken {
				t.Errorf("took %q, want %q", got, tt.taken)
			}
			if m.turn != tt.turn.other() {
				t.Errorf("it is still %v's turn", m.turn)
			}
		})
	}
}

func TestKoMayNotBeTakenBackAtOnce(t *testing.T) {
	m := at(drawn(t, ".XO.. XO.O. .XO.. ..... ....."), black)
	play := func(name string) error { return m.play(point(t, name, 5)) }
	if err := play("C4"); err != nil {
		t.Fatal(err)
	}
	if err := play("B4"); !errors.Is(err, errKo) {
		t.Fatalf("taking back at once: %v, want %v", err, errKo)
	}
	for _, p := range m.legal() {
		if p == point(t, "B4", 5) {
			t.Error("the ko is among the legal points")
		}
	}
	for _, name := range []string{"E1", "A1"} { // a threat, and its answer
		if err := play(name); err != nil {
			t.Fatal(err)
		}
	}
	if err := play("B4"); err != nil {
		t.Fatalf("taking back after a threat: %v", err)
	}
}

func TestSuperkoForbidsAnyEarlierPosition(t *testing.T) {
	// White takes the ko back when Black has passed: the position between is
	// not the one before, and still it was there already.
	m := at(drawn(t, ".XO.. XO.O. .XO.. ..... ....."), black)
	if err := m.play(point(t, "C4", 5)); err != nil {
		t.Fatal(err)
	}
	m.pass()
	m.pass()
	if err := m.play(point(t, "B4", 5)); !errors.Is(err, errSuperko) {
		t.Fatalf("%v, want %v", err, errSuperko)
	}
}

func TestTwoPassesEndAMatch(t *testing.T) {
	m := newMatch(5, 6.5, 0)
	m.pass()
	if m.over() {
		t.Fatal("over after one pass")
	}
	if err := m.play(0); err != nil {
		t.Fatal(err)
	}
	m.pass()
	if m.over() {
		t.Fatal("over after two passes that do not follow one another")
	}
	m.pass()
	if !m.over() {
		t.Fatal("not over after two passes")
	}
}

func TestAreaCountsStonesAndWhatOneColourSurrounds(t *testing.T) {
	for name, tt := range map[string]struct {
		rows        string
		komi        float64
		black       float64
		white       float64
		outcomeSays string
	}{
		"nothing":       {"..... ..... ..... ..... .....", 6.5, 0, 6.5, "White wins by 6.5"},
		"one stone":     {"..... ..... ..X.. ..... .....", 6.5, 25, 6.5, "Black wins by 18.5"},
		"a wall each":   {"..XO. ..XO. ..XO. ..XO. ..XO.", 0.5, 15, 10.5, "Black wins by 4.5"},
		"neutral point": {"..X.O ..XOO ..XO. ..XO. ..XO.", 0, 15, 9, "Black wins by 6"},
		"with komi":     {"XXXXX X.X.X XXXXX OOOOO O.O.O", 10, 15, 20, "White wins by 5"},
		"even":          {".X.O. .X.O. .X.O. .X.O. .X.O.", 0, 10, 10, "a draw"},
	} {
		t.Run(name, func(t *testing.T) {
			m := at(drawn(t, tt.rows), black)
			m.komi = tt.komi
			b, w := m.score()
			if b != tt.black || w != tt.white || m.outcome() != tt.outcomeSays {
				t.Errorf("%g to %g, %s; want %g to %g, %s", b, w, m.outcome(), tt.black, tt.white, tt.outcomeSays)
			}
		})
	}
}

func TestHandicapStonesStandOnFourPointsAndWhiteBegins(t *testing.T) {
	for _, size := range sizes {
		for n := range 5 {
			m := newMatch(size, 0.5, n)
			stones, whites := m.board().area()
			count := 0
			for _, s := range m.board().at {
				if s == black {
					count++
				}
			}
			if count != n || whites != 0 || n == 0 && stones != 0 {
				t.Errorf("%d handicap stones on %d: %d stand", n, size, count)
			}
			if want := map[bool]stone{true: black, false: white}[n == 0]; m.turn != want {
				t.Errorf("with %d stones %v begins", n, m.turn)
			}
		}
	}
}

func TestPointsAreNamedByColumnAndRow(t *testing.T) {
	for _, size := range sizes {
		for p := range size * size {
			if back, ok := parsePoint(pointName(p, size), size); !ok || back != p {
				t.Errorf("%s on %d is read as %d", pointName(p, size), size, back)
			}
		}
	}
	for _, bad := range []string{"", "A", "A0", "I5", "a1", "A10", "J9", "A6", "é1", "11"} {
		if p, ok := parsePoint(bad, 5); ok {
			t.Errorf("%q is read as %d", bad, p)
		}
	}
}

// sound fails when a group without liberties stands on the board.
func sound(t interface{ Fatalf(string, ...any) }, b board) {
	var seen [maxSize * maxSize]bool
	for p, s := range b.at {
		if s == empty || seen[p] {
			continue
		}
		stones, liberties := b.group(p)
		if len(liberties) == 0 {
			t.Fatalf("a group without liberties is left:\n%s", rowsOf(b))
		}
		for _, q := range stones {
			seen[q] = true
		}
	}
}

// anySize draws a size, small ones more often: they are quick to play out.
var anySize = rapid.SampledFrom([]int{5, 5, 5, 7, 9})

func TestRandomLegalGamesEndAndLeaveOnlyGroupsWithLiberties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := newMatch(anySize.Draw(t, "size"), 6.5, rapid.IntRange(0, 4).Draw(t, "handicap"))
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		seen := map[string]bool{m.board().key(): true}
		for !m.over() {
			legal := m.legal()
			if len(legal) == 0 || rng.IntN(30) == 0 {
				m.pass()
				continue
			}
			if err := m.play(legal[rng.IntN(len(legal))]); err != nil {
				t.Fatalf("a legal move is refused: %v", err)
			}
			sound(t, m.board())
			if key := m.board().key(); seen[key] {
				t.Fatalf("a position came again:\n%s", rowsOf(m.board()))
			} else {
				seen[key] = true
			}
		}
		if len(m.moves) > m.limit() {
			t.Fatalf("%d moves, the limit is %d", len(m.moves), m.limit())
		}
	})
}

func TestTakingMovesBackRestoresThePosition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := newMatch(5, 6.5, 0)
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
		type moment struct {
			rows string
			turn stone
		}
		moments := []moment{{rowsOf(m.board()), m.turn}}
		for range rapid.IntRange(1, 40).Draw(t, "moves") {
			if at := choose(m, rng); at == pass {
				m.pass()
			} else if err := m.play(at); err != nil {
				t.Fatal(err)
			}
			moments = append(moments, moment{rowsOf(m.board()), m.turn})
		}
		n := rapid.IntRange(0, len(m.moves)).Draw(t, "back")
		m.takeBack(n)
		if got, want := (moment{rowsOf(m.board()), m.turn}), moments[len(moments)-1-n]; got != want {
			t.Fatalf("after taking back %d: %v, want %v", n, got, want)
		}
	})
}

func TestBotTakesWhatItCan(t *testing.T) {
	m := at(drawn(t, "..... ..X.. .XO.. ..X.. ....."), black)
	for seed := range uint64(20) {
		if got := choose(m, rand.New(rand.NewPCG(seed, 0))); got != point(t, "D3", 5) {
			t.Fatalf("seed %d plays %d", seed, got)
		}
	}
}

func TestBotSavesAGroupInAtari(t *testing.T) {
	m := at(drawn(t, "..... ..O.. .OXX. ..OO. ....."), black)
	for seed := range uint64(20) {
		got := choose(m, rand.New(rand.NewPCG(seed, 0)))
		next, _, err := m.try(got)
		if err != nil {
			t.Fatal(err)
		}
		if _, liberties := next.group(point(t, "C3", 5)); len(liberties) < 2 {
			t.Fatalf("seed %d plays %s and leaves the group in atari", seed, pointName(got, 5))
		}
	}
}

func TestBotDoesNotFillItsEyesAndPassesWhenNothingIsLeft(t *testing.T) {
	m := at(drawn(t, ".XO.O XXOOO .XO.O XXOOO XXOOO"), black)
	if got := choose(m, rand.New(rand.NewPCG(1, 0))); got != pass {
		t.Fatalf("plays %s", pointName(got, 5))
	}
}

func TestBotPassesAfterAPassWhenItIsAhead(t *testing.T) {
	m := newMatch(9, 6.5, 0)
	m.pass()
	if got := choose(m, rand.New(rand.NewPCG(1, 0))); got != pass {
		t.Fatalf("White is ahead by komi and plays %s", pointName(got, 9))
	}
	m = at(drawn(t, "..... ..X.. ..... ..... ....."), black)
	m.turn = black
	m.pass()
	if got := choose(m, rand.New(rand.NewPCG(1, 0))); got == pass {
		t.Fatal("White is behind and passes on an open board")
	}
}

func TestBotsFinishGamesAmongThemselvesByPassing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := newMatch(anySize.Draw(t, "size"), 6.5, 0)
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 3))
		for !m.over() {
			at := choose(m, rng)
			if at == pass {
				m.pass()
				continue
			}
			if ownEye(m.board(), at, m.turn) && len(m.board().neighbours(at)) > 0 {
				if _, taken, _ := m.try(at); len(taken) == 0 {
					t.Fatalf("fills its own eye at %s:\n%s", pointName(at, m.size), rowsOf(m.board()))
				}
			}
			if err := m.play(at); err != nil {
				t.Fatalf("chose an illegal move: %v", err)
			}
			sound(t, m.board())
		}
		if len(m.moves) >= m.limit() {
			t.Fatalf("no end before the limit of %d moves:\n%s", m.limit(), rowsOf(m.board()))
		}
	})
}
