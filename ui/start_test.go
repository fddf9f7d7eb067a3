package ui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/mcpl-tui/mcpl-tui/ui/start"
	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
)

// somewhere is an Actions with places.
type somewhere struct {
	*actions
	places start.Places
	went   []string
	forgot []string
	asked  []string
	refuse error
}

func (s *somewhere) Places(context.Context) start.Places {
	p := s.places
	p.Entries = nil
	for _, e := range s.places.Entries {
		if !strings.Contains(strings.Join(s.forgot, "\n"), e.Line) {
			p.Entries = append(p.Entries, e)
		}
	}
	return p
}

func (s *somewhere) Describe(_ context.Context, e start.Entry) start.Entry {
	s.asked = append(s.asked, e.Line)
	e.Read = true
	switch e.Name {
	case "goban-1129-1000":
		e.Server, e.Revs, e.Length, e.Findings = "goban 0.4.1", 41, 204*time.Second, 1
	case "goban-1129-0952":
		e.Findings = 1
	default:
		e.Broken = "this is no recording"
	}
	return e
}

func (s *somewhere) Understand(_ context.Context, line string) start.Meaning {
	switch {
	case strings.Contains(line, "://"):
		return start.Meaning{Text: "an address, Streamable HTTP", Sure: true}
	case strings.Contains(line, " "):
		return start.Meaning{Text: "a command, stdio", Sure: true}
	case line == "go":
		return start.Meaning{Text: "a command, stdio", Maybe: true}
	case line == "goban" || line == "demo":
		return start.Meaning{Text: "a server of ~/goban/.mcp.json", Sure: true}
	}
	return start.Meaning{Text: fmt.Sprintf("nothing is known as %q", line)}
}

func (s *somewhere) Ways(_ context.Context, line string) []Completion {
	var out []Completion
	for _, w := range []string{"dist/", "dist/a.js", "dist/b.js", "dusty"} {
		if strings.HasPrefix(w, line) && w != line {
			out = append(out, Completion{Text: w})
		}
	}
	return out
}

func (s *somewhere) Forget(_ context.Context, e start.Entry) error {
	s.forgot = append(s.forgot, e.Line)
	return nil
}

func (s *somewhere) Target(_ context.Context, line string) error {
	s.went = append(s.went, line)
	return s.refuse
}

// somePlaces are those that the screen is drawn with.
func somePlaces() start.Places {
	desktop := "~/.config/Claude/claude_desktop_config.json"
	server := func(name, what, where string) start.Entry {
		return start.Entry{Section: start.Servers, Line: name, Edit: "--like " + name + " -- " + what, Name: name, What: what, Where: where}
	}
	return start.Places{
		Files: 2, Dir: "~/.local/state/mcpl-tui", Kept: true,
		Entries: []start.Entry{
			{Section: start.Try, Line: "demo", Name: "demo", What: "arcade, built in: two games, a chat, suggestions. Nothing to install"},
			server("goban", "node dist/server.js", "~/goban/.mcp.json"),
			server("everything", "npx -y @modelcontextprotocol/server-everything", desktop),
			server("heartbeat", "http://localhost:8420/mcp", desktop),
			{Section: start.Recordings, Line: "goban-1129-1000", Name: "goban-1129-1000", Started: time.Date(2026, 11, 29, 10, 0, 0, 0, time.UTC)},
			{Section: start.Recordings, Line: "goban-1129-0952", Name: "goban-1129-0952", Started: time.Date(2026, 11, 28, 9, 52, 0, 0, time.UTC)},
		},
	}
}

func recent(line, name, what, dir string) start.Entry {
	return start.Entry{Section: start.Recent, Line: line, Name: name, What: what, Where: dir}
}

// atStart is a screen on which nothing is connected.
func atStart(t *testing.T, w, h int, change ...func(*start.Places)) (*driver, *somewhere) {
	t.Helper()
	src := newSource(t, uitest.Empty(), 1, Status{Empty: true, Title: "mcpl-tui 0.1.0", Loading: 1})
	return overSession(t, src, w, h, change...)
}

func overSession(t *testing.T, src *source, w, h int, change ...func(*start.Places)) (*driver, *somewhere) {
	t.Helper()
	d := drive(t, src, w, h)
	s := &somewhere{actions: d.act, places: somePlaces()}
	for _, c := range change {
		c(&s.places)
	}
	d.m.act = s
	d.cmd = append(d.cmd, d.m.findPlaces())
	return d.run(), s
}

func TestTheStartScreenLooksAsDrawn(t *testing.T) {
	for _, size := range [][2]int{{160, 48}, {100, 30}, {80, 24}, {40, 12}} {
		d, _ := atStart(t, size[0], size[1])
		d.golden(fmt.Sprintf("start-%dx%d", size[0], size[1]))
		d, _ = atStart(t, size[0], size[1], func(p *start.Places) {
			p.Problems = []string{"~/.cursor/mcp.json:3:5: it is no JSON: invalid character 'x' after object key"}
			p.Entries = append(p.Entries[:4:4], append([]start.Entry{
				recent("--cwd '/home/dev/x' -- node other.js", "x", "node other.js", "/home/dev/x"),
				recent("wss://example.com/mcp", "example.com", "wss://example.com/mcp", ""),
			}, p.Entries[4:]...)...)
			p.Entries = append(p.Entries, start.Entry{Section: start.Recordings, Line: "junk", Name: "junk-1129-0900"})
		})
		d.press("down", "down", "down", "down").golden(fmt.Sprintf("start-recent-%dx%d", size[0], size[1]))
		d, _ = atStart(t, size[0], size[1], func(p *start.Places) { p.Entries, p.Kept = p.Entries[:1], false })
		d.golden(fmt.Sprintf("start-bare-%dx%d", size[0], size[1]))
	}
}

func TestEnterWithoutTouchingAnythingRunsTheDemo(t *testing.T) {
	d, s := atStart(t, 100, 30)
	d.press("enter").run()
	if fmt.Sprint(s.went) != "[demo]" {
		t.Fatalf("went to %q", s.went)
	}
}

func TestWhatIsTypedGoesIntoTheLineAndFilters(t *testing.T) {
	d, s := atStart(t, 100, 30)
	d.typed("heart").run().sees("›  heart", "enter: heartbeat", "▌  heartbeat").misses("everything", "TRY IT", "goban")
	d.press("enter").run()
	d.press("esc").run().sees("TRY IT", "everything", "▌  demo")
	d.typed("http://h:1/mcp").run().sees("an address, Streamable HTTP", "enter goes to what is typed").press("enter").run()
	d.press("ctrl+u").typed("node dist/server.js").run().sees("a command, stdio").press("enter").run()
	d.press("ctrl+u").typed("go").run().sees("▌  goban", "enter: goban").press("enter").run()
	if got := strings.Join(s.went, "|"); got != "heartbeat|http://h:1/mcp|node dist/server.js|goban" {
		t.Fatalf("went to %s", got)
	}
}

func TestALetterIsNoCommandHereAndTwoSignsAreWhileTheLineIsEmpty(t *testing.T) {
	d, _ := atStart(t, 100, 30)
	d.typed("q").run().sees("›  q")
	d.typed("?:").run().sees("›  q?:")
	d.press("ctrl+u", "?").sees("KEYS", "put it into the line").press("esc").sees("WHAT DO YOU WANT TO LOOK AT?")
	d.press(":").sees("ways to go on").press("esc").run().sees("WHAT DO YOU WANT TO LOOK AT?")
	d.press(":").typed("call x").press("enter").sees("nothing is connected yet")
	d.press("esc", "esc", "esc").sees("WHAT DO YOU WANT TO LOOK AT?", "○ NOTHING CONNECTED")
}

func TestWhatIsNothingIsToldAndTheLineStays(t *testing.T) {
	d, s := atStart(t, 100, 30)
	d.typed("xyzzy").run().sees("Nothing here matches", `nothing is known as "xyzzy"`).press("enter").run()
	d.sees(`! nothing is known as "xyzzy"`, "›  xyzzy")
	if len(s.went) > 0 {
		t.Fatalf("went to %q", s.went)
	}
}

func TestATargetThatFailsComesBackWithItsLine(t *testing.T) {
	d, s := atStart(t, 100, 30)
	s.refuse = errors.New("goban cannot be connected to: the variable TOKEN is not set")
	d.typed("goban").press("enter").run()
	d.sees("! goban cannot be connected to: the variable TOKEN is not set", "›  goban", "○ NOTHING CONNECTED")
	d.press("ctrl+u", "down", "down", "enter").run().sees("! goban cannot", "›  everything")
	for _, size := range [][2]int{{160, 48}, {80, 24}, {40, 12}} {
		d.size(size[0], size[1]).sees("! goban cannot")
	}
}

func TestTabCompletesAndListsWhatThereIs(t *testing.T) {
	d, _ := atStart(t, 100, 30)
	d.press("down", "tab").run().sees("›  goban", "a server of ~/goban/.mcp.json")
	d.press("ctrl+u").typed("dis").press("tab").run().sees("›  dist/", "3 ways to go on", "dist/b.js")
	d.press("tab", "tab").run().sees("›  dist/a.js")
	d.press("ctrl+u").typed("du").press("tab").run().sees("›  dusty")
	d.press("ctrl+u").typed("hea").press("tab").run().sees("›  heartbeat")
}

func TestAnEntryIsPutIntoTheLineToBeChanged(t *testing.T) {
	d, s := atStart(t, 100, 30)
	d.press("down", "right").run().sees("›  --like goban -- node dist/server.js", "a command, stdio", "everything")
	d.typed(" --debug").run().press("enter").run()
	if fmt.Sprint(s.went) != "[--like goban -- node dist/server.js --debug]" {
		t.Fatalf("went to %q", s.went)
	}
}

func TestARecentTargetIsForgottenAndNothingElse(t *testing.T) {
	d, s := atStart(t, 100, 30, func(p *start.Places) {
		p.Entries = append(p.Entries[:4:4], recent("-- a", "a", "a", ""), recent("-- b", "b", "b", ""))
	})
	d.press("down", "ctrl+x").run().sees("only what stands under RECENT can be forgotten")
	d.press("down", "down", "down").sees("ctrl-x forget").press("ctrl+x").run().misses("▌  a ").sees("▌  b")
	if fmt.Sprint(s.forgot) != "[-- a]" {
		t.Fatalf("forgot %q", s.forgot)
	}
}

func TestTheMouseChoosesAndASecondClickGoesThere(t *testing.T) {
	d, s := atStart(t, 100, 30)
	at := -1
	for y, row := range strings.Split(d.screen(), "\n") {
		if strings.Contains(row, "everything") {
			at = y
		}
	}
	click := func() {
		d.send(tea.MouseMsg{X: 10, Y: at, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress}).run()
	}
	click()
	d.sees("▌  everything")
	click()
	if fmt.Sprint(s.went) != "[everything]" {
		t.Fatalf("went to %q", s.went)
	}
	d.size(40, 12).send(tea.MouseMsg{X: 10, Y: 8, Button: tea.MouseButtonWheelDown, Action: tea.MouseActionPress}).sees("RECORDINGS")
}

func TestAClickOnAViewLeavesThePageAndTypesNothing(t *testing.T) {
	d, _ := overSession(t, newSource(t, uitest.Goban(), uitest.BoardFrames, gobanStatus(true)), 100, 30)
	d.press("t").run().sees("WHAT DO YOU WANT")
	d.send(tea.MouseMsg{X: strings.Index(d.row(1), "Wire"), Y: 1, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
	d.sees("[3 Wire").misses("WHAT DO YOU WANT")
	d.press("t").run().misses("›  3")
}

func TestHostileNamesAreDrawnAsSigns(t *testing.T) {
	d, _ := atStart(t, 100, 30, func(p *start.Places) {
		p.Entries[1].Name, p.Entries[1].What = "\x1b]0;owned\x07", "run\u202egnp.sj\x1b[2J"
		p.Problems = []string{"~/\x1b[31mx: broken"}
	})
	d.sees(`␛]0;owned␇`, `run\u202egnp.sj␛[2J`, `! ~/␛[31mx: broken`)
	if strings.ContainsAny(d.screen(), "\x1b\x07\u202e") {
		t.Fatal("the screen holds escape sequences")
	}
}

func TestAnotherTargetIsAskedForWhereSomethingIsOpen(t *testing.T) {
	d, s := overSession(t, newSource(t, uitest.Goban(), uitest.BoardFrames, gobanStatus(true)), 100, 30)
	d.press("t").run().sees("WHAT DO YOU WANT TO LOOK AT?", "● LIVE", "LAST   rev 41").misses("▌")
	d.press("enter").sees("! nothing is chosen")
	d.press("down", "enter").sees("connect to demo? 2 instances are open here; this connection is closed")
	d.press("esc").sees("WHAT DO YOU WANT TO LOOK AT?", "▌  demo")
	if len(s.went) > 0 {
		t.Fatalf("went to %q unasked", s.went)
	}
	d.press("enter", "y").run()
	if fmt.Sprint(s.went) != "[demo]" {
		t.Fatalf("went to %q", s.went)
	}
	d.press("esc").sees("TOOLS")
}

func TestATargetOfThePromptThatFailsComesBackWithItsLine(t *testing.T) {
	d, s := overSession(t, newSource(t, uitest.Goban(), uitest.BoardFrames, gobanStatus(true)), 100, 30)
	s.refuse = errors.New("there is no program nod")
	d.press(":").typed("target nod x.js").press("enter", "y").run()
	d.sees("! there is no program nod", "›  nod x.js", "● LIVE", "everything")
	d.press("esc").sees("TOOLS").misses("WHAT DO YOU WANT")
}

func TestADeadServersTargetStandsInTheLine(t *testing.T) {
	d, s := overSession(t, newSource(t, uitest.Failed(), 0, gobanStatus(true)), 100, 30)
	d.press("t").run().sees("›  -- node dist/server.js", "a command, stdio", "TRY IT", "everything").press("enter").run()
	if fmt.Sprint(s.went) != "[-- node dist/server.js]" {
		t.Fatalf("went to %q", s.went)
	}
	d.size(80, 24).golden("start-over-80x24")
}

func TestTheSessionBeforeIsNamedWhenAnotherComes(t *testing.T) {
	d, _ := overSession(t, newSource(t, uitest.Goban(), uitest.BoardFrames, gobanStatus(true)), 160, 48)
	d.src.set(func(s *Status) { s.Generation, s.Before, s.Title = 2, "goban-1129-1000", "demo: arcade, built in" })
	d.send(changedMsg{0}).sees("now: demo: arcade, built in; the session before is kept in goban-1129-1000")
}

func TestOnlyTheRecordingsInSightAreRead(t *testing.T) {
	_, s := atStart(t, 100, 30, func(p *start.Places) {
		for i := range 100 {
			p.Entries = append(p.Entries, start.Entry{Section: start.Recordings, Line: fmt.Sprint("r", i), Name: fmt.Sprint("r", i)})
		}
	})
	if len(s.asked) != 8 {
		t.Fatalf("%d recordings were read", len(s.asked))
	}
}
