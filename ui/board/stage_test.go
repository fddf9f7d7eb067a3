package board

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
)

func onStage() *Board {
	b := bare()
	b.OnStage()
	return b
}

// Many instances and long names on a stage: what fits stands spaced.
func TestAStageScrollsWhatItHasNoRoomFor(t *testing.T) {
	many := uitest.Moment(t, "many", 0, -1)
	for _, z := range [][2]int{{160, 43}, {100, 23}, {80, 19}, {40, 7}} {
		b := onStage()
		uitest.Screen(b, many, z[0], z[1])
		uitest.Press(b, many, "k", "k", "k", "l", "l", "l")
		uitest.Golden(t, fmt.Sprintf("stage-many-%dx%d", z[0], z[1]), uitest.Screen(b, many, z[0], z[1]))
	}
}

// Air goes before rows do.
func TestAStageGivesUpAirBeforeRows(t *testing.T) {
	c := uitest.GobanLive(t)
	b := onStage()
	airy := uitest.Screen(b, c, 100, 23)
	wantText(t, airy, "Go 9x9         Go 19x19\n\n       play", "● usable   ○ not now   + - came, went")
	wantText(t, uitest.Screen(b, c, 100, 19), "Go 9x9         Go 19x19\n       play", "\n\n  ▾ game")
	tight := uitest.Screen(b, c, 100, 16)
	wantText(t, tight, "Go 9x9         Go 19x19\n       play", "debug")
	if strings.Contains(tight, "↓") {
		t.Errorf("rows are out of sight:\n%s", tight)
	}
}

func TestTheMouseHitsSpacedCells(t *testing.T) {
	c := uitest.GobanLive(t)
	b := onStage()
	lines := strings.Split(uitest.Screen(b, c, 100, 23), "\n")
	for y, line := range lines {
		if strings.HasPrefix(strings.TrimSpace(line), "score") {
			b.Click(65, y, 0, c)
		}
	}
	if got := b.Selected(c); got.Tool != "score" || got.Instance != "vs-bot" {
		t.Errorf("the click selected %+v", got)
	}
	wantText(t, uitest.Screen(b, c, 100, 23), "[    ● ]")
}
