package ui

import (
	"slices"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
)

func TestATypedCommandLeadsToWhereItsEffectIsSeen(t *testing.T) {
	for line, sees := range map[string]string{
		"read x:y": "RESOURCES AND PROMPTS", "prompt tell": "RESOURCES AND PROMPTS", "channel list": "━ CHANNELS ━", "hook before": "━ HOOKS AND STATE ━",
		"rollback a b": "━ HOOKS AND STATE ━", "channels": "━ CHANNELS ━", "page state": "━ HOOKS AND STATE ━", "page server": "HANDSHAKE",
	} {
		d := drive(t, newSource(t, uitest.Goban(), uitest.BoardFrames, gobanStatus(true)), 100, 30)
		d.press(":").typed(line).press("enter").run().sees("[6 Server]", sees)
		d.press("esc").sees("[1 Board]")
	}
}

func TestOtherCommandsStayWhereTheyAreTyped(t *testing.T) {
	d := drive(t, newSource(t, uitest.Goban(), uitest.BoardFrames, gobanStatus(true)), 100, 30)
	d.press(":").typed("call status").press("enter").run().sees("[1 Board]")
	d.press(":").typed("page nowhere").press("enter").sees("page takes server, resources, channels, state")
}

func TestRReadsAgainWhatThePageShows(t *testing.T) {
	d := drive(t, newSource(t, uitest.Goban(), uitest.BoardFrames, gobanStatus(true)), 100, 30)
	d.press(":").typed("channels").press("enter").run()
	d.press("R").run()
	if got := d.act.ran(); !slices.Equal(got, []string{"channel list"}) {
		t.Errorf("R ran %q", got)
	}
	d.press(":").typed("page server").press("enter").run().press("R").run()
	if got := d.act.ran(); !slices.Equal(got, []string{"channel list", "tools", "toolsets"}) {
		t.Errorf("R ran %q", got)
	}
}
