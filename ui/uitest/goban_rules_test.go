package uitest

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// stones is a board: Black or White at each taken point, with Go's one rule:
// a chain without a free neighbour is taken off.
type stones struct {
	size int
	at   map[string]string
}

func (b *stones) neighbours(p string) []string {
	col, row := strings.IndexByte(columns, p[0]), 0
	row, _ = strconv.Atoi(p[1:])
	var out []string
	for _, d := range [][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
		if c, r := col+d[0], row+d[1]; c >= 0 && c < b.size && r >= 1 && r <= b.size {
			out = append(out, columns[c:c+1]+strconv.Itoa(r))
		}
	}
	return out
}

// chain returns the stones that hang together with the one on p, and whether
// they have a free neighbour.
func (b *stones) chain(p string) (chain []string, free bool) {
	chain = []string{p}
	for i := 0; i < len(chain); i++ {
		for _, n := range b.neighbours(chain[i]) {
			switch {
			case b.at[n] == "":
				free = true
			case b.at[n] == b.at[p] && !slices.Contains(chain, n):
				chain = append(chain, n)
			}
		}
	}
	return chain, free
}

// play puts a stone and returns what it takes, in order. ok is false where
// the rules forbid it.
func (b *stones) play(color, p string) (taken []string, ok bool) {
	row, err := strconv.Atoi(p[1:])
	if col := strings.IndexByte(columns[:b.size], p[0]); err != nil || col < 0 || row < 1 || row > b.size || b.at[p] != "" {
		return nil, false
	}
	b.at[p] = color
	for _, n := range b.neighbours(p) {
		if b.at[n] == "" || b.at[n] == color {
			continue
		}
		if chain, free := b.chain(n); !free {
			for _, s := range chain {
				delete(b.at, s)
			}
			taken = append(taken, chain...)
		}
	}
	_, free := b.chain(p)
	slices.Sort(taken)
	return taken, free
}

// moves of both games, as told by results ("Black E7"), by pushes ("White
// plays D3. Your move, Black.", "White D5 takes C4 and D4. …") and by what
// the bot said when its game was opened.
var (
	myMove    = regexp.MustCompile(`"text":"(Black|White) ([A-T]\d+)"`)
	theirMove = regexp.MustCompile(`"text":"(Black|White) (?:plays )?([A-T]\d+)(\.| takes C4 and D4\.) Your move, (Black|White)\."`)
	botsFirst = regexp.MustCompile(`The bot is (Black) and has played ([A-T]\d+)`)
)

func TestBothGamesFollowTheRulesOfGo(t *testing.T) {
	boards := map[string]*stones{
		"vs-ada": {size: 9, at: map[string]string{}}, "vs-bot": {size: 19, at: map[string]string{}},
	}
	moves := 0
	for _, f := range all(t, Frames(Goban())) {
		move, color := myMove.FindSubmatch(f.Body), ""
		for _, other := range []*regexp.Regexp{theirMove, botsFirst} {
			if m := other.FindSubmatch(f.Body); m != nil {
				move = m
			}
		}
		if f.Dir != timeline.In || move == nil {
			continue
		}
		name := "vs-ada"
		if strings.Contains(string(f.Body), `"vs-bot"`) {
			name = "vs-bot"
		}
		moves++
		color = string(move[1])
		taken, ok := boards[name].play(color, string(move[2]))
		if !ok {
			t.Fatalf("frame %d: %s may not play %s in %s", f.Seq, color, move[2], name)
		}
		if want := map[bool]string{true: "C4 D4"}[f.Seq == 75]; strings.Join(taken, " ") != want {
			t.Errorf("frame %d: %s %s takes %v, not %q", f.Seq, color, move[2], taken, want)
		}
	}
	if moves != 20+11 {
		t.Errorf("%d moves: 20 against Ada and 11 against the bot are drawn", moves)
	}
}

// TestPlayListsThePointsThatAreFree replays the small board beside the
// definitions that the server pushes, and finds each of my stones among the
// points that were listed for it.
func TestPlayListsThePointsThatAreFree(t *testing.T) {
	tape := Frames(Goban())
	board := &stones{size: 9, at: map[string]string{}}
	listed := (&game{size: 9}).free() // the declared definition lists none
	defined := map[int64][]string{}
	for _, r := range revsOf(t, tape) {
		for _, e := range r.tools {
			if e.Instance == "vs-ada" && e.Definition != nil {
				defined[r.seq] = enumOf(t, e.Definition)
			}
		}
	}
	for _, f := range all(t, tape) {
		if !strings.Contains(string(f.Body), "vs-ada") || f.Dir != timeline.In {
			continue
		}
		if m := myMove.FindSubmatch(f.Body); m != nil {
			if !slices.Contains(listed, string(m[2])) {
				t.Errorf("frame %d: %s was not listed", f.Seq, m[2])
			}
			board.play(string(m[1]), string(m[2]))
		}
		if m := theirMove.FindSubmatch(f.Body); m != nil {
			board.play(string(m[1]), string(m[2]))
			listed = defined[f.Seq]
			if want := (&game{size: 9, taken: boolean(board.at)}).free(); !slices.Equal(listed, want) {
				t.Errorf("frame %d lists %v, free are %v", f.Seq, listed, want)
			}
		}
	}
	if len(defined) != 10 {
		t.Errorf("%d definitions for vs-ada", len(defined))
	}
}

func boolean(at map[string]string) map[string]bool {
	taken := map[string]bool{}
	for p := range at {
		taken[p] = true
	}
	return taken
}
