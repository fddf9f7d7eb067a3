//go:build unix

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
)

func TestAStageOpensAtTheFirstMarkAndAClickerGoesOn(t *testing.T) {
	home := t.TempDir()
	if err := os.WriteFile(filepath.Join(home, "talk.mcpl.jsonl"), uitest.Goban(), 0o600); err != nil {
		t.Fatal(err)
	}
	c := startOnPty(t, home, "--stage", "talk.mcpl.jsonl")
	c.sees(0, "“second game”", "‖ REPLAY, PAUSED", "rev 10 of 41", "TOOLS", "+ ~ ●")
	from := c.press("\x1b[6~") // PgDn, as a clicker sends it
	c.sees(from, "this is the last mark", "PgDn")
	from = c.press("]")
	c.sees(from, "rev 11 of 41")
	from = c.press("z")
	c.sees(from, "REVS", "INSPECT")
	c.press("q")
	<-c.done
	if err := c.cmd.Wait(); err != nil {
		t.Errorf("it ended with %v", err)
	}
}

// A talk that is given live: what is marked in one session is where a clicker
// goes, there and in the recording of it.
func TestWhatIsMarkedLiveIsAChapterOfTheRecording(t *testing.T) {
	home := t.TempDir()
	c := startOnPty(t, home, "--stage", "-o", "talk.mcpl.jsonl", "demo")
	c.sees(0, "LIVE", "TOOLS", "none open")
	c.press("m")
	from := c.press("first steps\r")
	c.sees(from, "“first steps”")
	from = c.press("q")
	c.sees(from, "quit?")
	c.press("q")
	<-c.done
	if err := c.cmd.Wait(); err != nil {
		t.Errorf("it ended with %v", err)
	}
	again := startOnPty(t, home, "replay", "--stage", "talk.mcpl.jsonl")
	again.sees(0, "“first steps”", "REPLAY, PAUSED")
	again.press("q")
	<-again.done
}
