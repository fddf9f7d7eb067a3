package ui

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
)

func TestOpeningSendsTheLineAndGoesToTheNewColumn(t *testing.T) {
	d := live(t, 160, 48)
	d.act.answer = func(string) Outcome {
		return Outcome{OK: true, Result: json.RawMessage(`{"instance":"vs-bot"}`), Request: 35, Answer: 36}
	}
	d.press("k", "o").sees("OPEN game", "WILL SEND", ":open game as game-3")
	d.typed("eve").press("tab", "right", "enter").run()
	if got := strings.Join(d.act.ran(), "|"); got != `open game as game-3 {"opponent":"eve","size":9}` {
		t.Fatalf("ran %q", got)
	}
	d.misses("OPEN game").sees("opened game vs-bot, frame 36", "INSPECT  ")
	if where := d.m.view().Where(&d.m.cx); !strings.HasSuffix(where, "@ vs-bot") {
		t.Fatalf("the focus is %s", where)
	}
}

func TestWhatWaitsOpensItsForm(t *testing.T) {
	d := live(t, 100, 30).press("3", "a").sees("OPEN chat", "not now").press("enter").run()
	if got := strings.Join(d.act.ran(), "|"); !strings.HasPrefix(got, "open chat") {
		t.Fatalf("ran %q", got)
	}
	d.misses("OPEN chat").sees("[1 Board]", "opened chat")
}

func TestARefusalStaysInItsForm(t *testing.T) {
	d := live(t, 160, 48).press("enter").sees("OPEN chat")
	d.act.answer = func(string) Outcome { return Outcome{Code: -32000, Message: "the lobby is closed", Answer: 96} }
	d.press("enter").run().sees("OPEN chat", "the lobby is closed")
	d.press("esc").misses("OPEN chat", "the lobby is closed")
}

func TestAFormKeepsWhatWasTyped(t *testing.T) {
	d := live(t, 160, 48)
	d.press("k", "k", "k", "k", "k").sees("[+~● ]").press("enter").sees("CALL play")
	d.typed("D7").sees("(D7)").press("esc").misses("CALL play").press("enter").sees("(D7)")
}

func TestClosingAsksFirst(t *testing.T) {
	d := live(t, 100, 30)
	d.press("k", "k", "k", "k", "k", "x").sees("vs-ada", "leave it open")
	if got := d.act.ran(); len(got) > 0 {
		t.Fatalf("ran %q without asking", got)
	}
	d.press("n").misses("leave it open").press("x", "y").run().misses("leave it open")
	if got := strings.Join(d.act.ran(), "|"); got != "close game vs-ada" {
		t.Fatalf("ran %q", got)
	}
}

func TestTheLastCallIsSentAgainEditedFirst(t *testing.T) {
	d := live(t, 160, 48).press("r").sees("CALL pass @ vs-bot", ":call pass@vs-bot")
	if got := d.act.ran(); len(got) > 0 {
		t.Fatalf("ran %q unasked", got)
	}
}

func TestAFormLearnsWhatChangedMeanwhile(t *testing.T) {
	d := drive(t, newSource(t, uitest.Goban(), 94, gobanStatus(true)), 160, 48)
	d.press("k", "k", "k", "k", "k", "enter").sees("CALL play", "You are Black, move 19.")
	d.show(96).sees("CALL play", "You are Black, move 21.", "rev 41")
}

func TestTheFormOfACallThatRunsCanBeLeft(t *testing.T) {
	d := live(t, 160, 48)
	d.act.answer = func(string) Outcome {
		return Outcome{OK: true, Result: json.RawMessage(`{"content":[]}`), Request: 93, Answer: 94}
	}
	d.press("k", "k", "k", "k", "enter").sees("CALL pass").press("enter").sees("may destroy: its annotations do not say").press("enter")
	d.sees("ctrl-c cancel").press("esc").misses("CALL pass").sees("● LIVE")
	d.run().sees("call pass@vs-ada: ok")
}
