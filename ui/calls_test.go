package ui

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

func TestACallThatMayDestroyIsAskedAboutOnceAndNoMoreWhereOneSaysSo(t *testing.T) {
	d := live(t, 160, 48)
	d.act.answer = func(string) Outcome { return Outcome{OK: true, Result: json.RawMessage(`{"content":[]}`)} }
	d.press("k", "k", "k", "k", "enter").sees("CALL pass", `annotations {"readOnlyHint":false}`)
	d.press("enter").sees("Not sent yet: it may destroy: its annotations do not say.", "ctrl-a does, and asks no more")
	if got := d.act.ran(); len(got) > 0 {
		t.Fatalf("ran %q unasked", got)
	}
	d.press("tab").misses("Not sent yet").press("enter").sees("Not sent yet").press("enter").run()
	d.press("esc", "enter", "enter").sees("Not sent yet").press("ctrl+a").run()
	d.press("esc", "enter", "enter").misses("Not sent yet").run()
	if got := strings.Join(d.act.ran(), "|"); got != "call pass@vs-ada|call pass@vs-ada|call pass@vs-ada" {
		t.Fatalf("ran %q", got)
	}
	d.press("esc", "k", "enter").sees("CALL play").typed("E").press("enter").sees("Not sent yet").press("esc")
}

// slowly is a call that runs, and tells of it.
const slowly = `{"mcpl_recording":1,"id":"x","started":"2026-11-29T10:00:00.000000Z","tool":"hand","target":{"kind":"stdio","command":["s"]},"redacted":false}
{"seq":1,"t":0.01,"conn":1,"dir":"note","note":"connect"}
{"seq":2,"t":0.02,"conn":1,"dir":"note","note":"connected"}
{"seq":3,"t":0.03,"conn":1,"dir":"out","via":"stdio","msg":{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}}
{"seq":4,"t":0.04,"conn":1,"dir":"in","via":"stdio","msg":{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","serverInfo":{"name":"s","version":"1"},"capabilities":{"tools":{},"logging":{}}}}}
{"seq":5,"t":0.05,"conn":1,"dir":"out","via":"stdio","msg":{"jsonrpc":"2.0","method":"notifications/initialized"}}
{"seq":6,"t":0.06,"conn":1,"dir":"out","via":"stdio","msg":{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}}
{"seq":7,"t":0.07,"conn":1,"dir":"in","via":"stdio","msg":{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"draw","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}]}}}
{"seq":8,"t":1,"conn":1,"dir":"out","via":"stdio","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"draw","arguments":{},"_meta":{"progressToken":3}}}}
{"seq":9,"t":1,"conn":1,"dir":"note","note":"limit","data":{"id":3,"seconds":90}}
{"seq":10,"t":1.5,"conn":1,"dir":"in","via":"stdio","msg":{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"warning","data":"low on ink"}}}
{"seq":11,"t":1.6,"conn":1,"dir":"in","via":"stdio","msg":{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":3,"progress":3,"total":8,"message":"the tail"}}}
{"seq":12,"t":2,"conn":1,"dir":"in","via":"stdio","msg":{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":3,"progress":5}}}
`

func TestAnOpenCallTellsOfItsProgressItsLogAndItsOwnLimit(t *testing.T) {
	for _, c := range []struct {
		w, h int
		want string
	}{
		{160, 48, "⋯ 1 CALL OPEN ── #3 draw, 3.0 s of 90 s ── ▄▄▄▄▄▄·········· 3 of 8 ── “the tail” ── warning “low on ink”"},
		{100, 30, "⋯ 1 CALL OPEN ── #3 draw, 3.0 s of 90 s ── ▄▄▄······· 3 of 8"},
		{80, 24, "⋯ #3 draw, 3.0 s of 90 s ── ▄▄···· 3 of 8"},
		{40, 12, "⋯ #3 draw, 3.0 s ──"},
	} {
		status := gobanStatus(true)
		status.Now = 4 * time.Second
		d := drive(t, newSource(t, []byte(slowly), 11, status), c.w, c.h)
		d.sees(c.want, "ctrl-c")
		d.show(12).sees("#3 draw").misses("▄")
	}
}

// Questions wait beside a call that runs: its bar stays, the first question's
// words go.
func TestTheBarOfAnOpenCallStaysWhileQuestionsWait(t *testing.T) {
	asked := slowly + `{"seq":13,"t":2.5,"conn":1,"dir":"in","via":"stdio","msg":` + serverAsks("7", "elicitation/create", whoAreYou) + "}\n" +
		`{"seq":14,"t":2.6,"conn":1,"dir":"in","via":"stdio","msg":` + serverAsks("8", "elicitation/create", whoAreYou) + "}\n"
	asked = strings.Replace(asked, `"progress":5`, `"progress":5,"total":8`, 1)
	for _, c := range []struct {
		w, h int
		want []string
	}{
		{160, 48, []string{"⋯ 1 CALL OPEN ── #3 draw, 3.0 s of 90 s ── ▄▄▄▄▄▄▄▄▄▄······ 5 of 8", "? 2 WAIT ── asks: elicitation/create"}},
		{100, 30, []string{"⋯ 1 call open", "⋯ #3 draw, 3.0 s of 90 s ── ▄▄▄▄▄▄···· 5 of 8", "? 2 WAIT"}},
		{80, 24, []string{"⋯ #3 draw, 3.0 s ── ▄▄▄··· 5 of 8 ── ? 2 WAIT"}},
		{40, 12, []string{"─ ⋯ #3 draw ── ? 2 ──"}},
	} {
		status := gobanStatus(true)
		status.Now = 4 * time.Second
		d := drive(t, newSource(t, []byte(asked), 0, status), c.w, c.h)
		d.sees(append(c.want, "ctrl-c", "a")...)
	}
}
