package form

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// played is a call that was answered, after which the tool is hidden and its
// schema has the value no more that was just sent.
func played(t *testing.T) (*driver, Deps) {
	deps := play()
	d := drive(t, New(Call, deps)).typing("E5")
	d.refuses("enter")
	d.sends("enter")
	d.Sent(d.c.Now)
	d.Answered(Outcome{OK: true, Answer: 98, Result: json.RawMessage(`{"content":[{"type":"text","text":"E5 it is."}]}`)})
	deps.Places = append([]Place(nil), deps.Places...)
	def := deps.Places[0].Def
	def.Schema = []byte(strings.Replace(string(def.Schema), `"E5",`, "", 1))
	def.Rev = 5
	deps.Places[0].Def, deps.Places[0].Hidden = def, true
	return d, deps
}

func TestRedefinitionAfterAnAnswerIsNoFailureUntilAFieldIsTouched(t *testing.T) {
	d, deps := played(t)
	d.Refresh(deps)
	d.keys("tab", "shift+tab") // moving is not typing
	d.shows("answered", "~ redefined by rev 5 since", "E5 it is.", "(E5)").
		hides("has to refuse", "while you typed", "breaks the schema", "none of the", "━ not usable now ━")
	if got := colours(t, d, "~ redefined by rev 5 since"); got != dim {
		t.Errorf("the redefinition is told in %+v", got)
	}
	d.to("comment").typing("x")
	if got := colours(t, d, "~ redefined by rev 5 while you typed"); got != warn {
		t.Errorf("once typed, the redefinition is told in %+v", got)
	}
	d.shows("not usable now ━", "has to refuse", "~ redefined by rev 5 while you typed", "1 value breaks the schema", "E5 it is.")
}

// colours tells in which of the form's styles a text is drawn.
func colours(t *testing.T, d *driver, text string) kit.Style {
	t.Helper()
	theme := kit.NewTheme(termenv.ANSI256, true)
	canvas := kit.NewCanvas(100, 25)
	d.Draw(canvas.All(), d.c)
	drawn := theme.Render(canvas)
	for _, st := range []kit.Style{dim, bright, warn, title} {
		alone := kit.NewCanvas(kit.Width(text), 1)
		alone.All().Put(0, 0, st, text)
		if strings.Contains(drawn, strings.TrimSpace(theme.Render(alone))) {
			return st
		}
	}
	return normal
}

func TestRedefinitionThatComesBeforeItsAnswerIsCalmToo(t *testing.T) {
	deps := play()
	d := drive(t, New(Call, deps)).typing("E5")
	d.Sent(d.c.Now)
	_, after := played(t)
	d.Refresh(after)
	d.shows("sent ━", "~ redefined by rev 5 since").hides("breaks the schema", "has to refuse")
	d.Answered(Outcome{OK: true})
	d.shows("answered ━", "~ redefined by rev 5 since").hides("breaks the schema", "has to refuse")
}

func TestEnterOnWhatBreaksTheNewSchemaIsRefusedAsEver(t *testing.T) {
	d, deps := played(t)
	d.Refresh(deps)
	if got := d.refuses("enter"); !strings.Contains(got, "1 value breaks the schema") || !strings.Contains(got, "Not sent.") {
		t.Errorf("enter says %q", got)
	}
	d.refuses("ctrl+s") // it is destructive: asked once
	if got := d.sends("ctrl+s"); got != `call play@vs-ada {"at":"E5"}` {
		t.Errorf("sent %s", got)
	}
}

func TestEveryWayToChangeAValueEndsTheCalm(t *testing.T) {
	for name, change := range map[string]func(*driver){
		"a letter":     func(d *driver) { d.to("comment").typing("x") },
		"a choice":     func(d *driver) { d.to("at").keys("right") },
		"a paste":      func(d *driver) { d.to("comment").Key("pasted", true) },
		"ctrl-p":       func(d *driver) { d.keys("ctrl+p") },
		"the editor":   func(d *driver) { d.to("comment").Key("ctrl+o", false); d.Edited("text") },
		"the instance": func(d *driver) { d.to("instance").keys("right") },
	} {
		d, deps := played(t)
		d.Refresh(deps)
		if change(d); d.calm() {
			t.Errorf("%s is taken for nothing", name)
		}
	}
}

func TestNoteTellsWhatACallCameTo(t *testing.T) {
	for _, c := range []struct {
		o    Outcome
		want string
	}{
		{Outcome{OK: true}, "answered"},
		{Outcome{Code: -32000, Message: "not your turn"}, "answered"},
		{Outcome{Message: "no answer in 30 s"}, "no answer"},
	} {
		d := call(t, words)
		d.Sent(0)
		d.Answered(c.o)
		if got := d.note(); got != c.want {
			t.Errorf("%+v: the note is %q, want %q", c.o, got, c.want)
		}
	}
}

func TestAnswerIsSeenOnASmallScreenUntilSomethingIsTyped(t *testing.T) {
	for _, h := range []int{4, 5, 7, 9, 11, 14, 19} {
		d := hiddenPlay(t) // its clock breaks the schema
		d.Sent(d.c.Now)
		if s := d.screen(40, h); !strings.Contains(s, "⋯ 0.0 s, gives up at 30 s") {
			t.Errorf("40x%d does not show that it runs:\n%s", h, s)
		}
		d.Answered(Outcome{Code: -32000, Message: "not your turn"})
		d.keys("tab")
		s := d.screen(40, h)
		if !strings.Contains(s, "! error -32000: not your turn") || strings.Contains(s, "clock.main") || (h > 4 && !strings.Contains(s, "─ ANSWER ─")) {
			t.Errorf("40x%d:\n%s", h, s)
		}
		d.to("comment").typing("x")
		if s := d.screen(40, h); h > 5 && !strings.Contains(s, "clock.main") {
			t.Errorf("40x%d does not come back to what breaks the schema:\n%s", h, s)
		}
	}
}

func TestAnswerStandsUnderItsOwnHeadingBesideWhatWillBeSent(t *testing.T) {
	d := refusedByServer(t)
	d.to("komi").typing("7")
	s := d.screen(80, 19)
	send, head, answer := strings.Index(s, "─ WILL SEND ─"), strings.Index(s, "─ ANSWER ─"), strings.Index(s, "! error -32602")
	if send < 0 || head < send || answer < head {
		t.Errorf("what is sent and what was answered are not told apart:\n%s", s)
	}
	if s := elicitation(t).screen(80, 19); !strings.Contains(s, "─ WHAT CAME OF IT ─") {
		t.Errorf("an answer form has no heading:\n%s", s)
	}
}

func TestOpenFormSaysWhereItsAnswerGoes(t *testing.T) {
	drive(t, New(Open, game())).hides("the form stays").shows("It comes here if it is a refusal; once open, the board", "shows it.")
	call(t, words).shows("None yet. It comes here, and so does a refusal; the form", "stays.")
}

func TestRunningLineSaysWhenItGivesUp(t *testing.T) {
	d := runningGame(t).shows("⋯ 1.2 s, gives up at 30 s", "ctrl-c cancels").hides("of 30 s")
	for _, w := range []int{40, 80, 100, 120} {
		if s := d.screen(w, 25); !strings.Contains(s, "gives up at 30 s") {
			t.Errorf("at %d columns it is cut:\n%s", w, s)
		}
	}
	d.c.Limit = 0
	d.shows("⋯ 1.2 s").hides("gives up")
}

func TestAFormOfAnotherInstanceIsAnotherForm(t *testing.T) {
	ada := drive(t, New(Call, play())).typing("E5")
	deps := play()
	deps.Instance = "vs-bot"
	if Identity(Call, deps) == ada.ID() {
		t.Fatal("what was typed for vs-ada is found again for vs-bot")
	}
	bot := drive(t, New(Call, deps))
	if got, _ := bot.Line(); got != "call play@vs-bot" {
		t.Errorf("it begins with %s", got)
	}
	bot.keys("ctrl+p")
	if got, _ := bot.Line(); got != `call play@vs-bot {"at":"C4"}` {
		t.Errorf("ctrl-p gives %s", got)
	}
	deps.Instance = ""
	if Identity(Call, deps) != ada.ID() {
		t.Error("a call that names no instance does not find the form of the first one")
	}
	deps.Places = deps.Places[1:]
	id := ada.ID()
	if ada.Refresh(deps); ada.ID() != id {
		t.Error("an instance that closes makes another form of an open one")
	}
}

func TestValuesTypedForAnotherInstanceAreSaidToBe(t *testing.T) {
	d := drive(t, New(Call, play())).typing("E5").to("instance").keys("right")
	d.Reopen(play())
	d.shows("What stands here was typed for vs-bot.")
	if got, _ := d.Line(); got != `call play@vs-ada {"at":"E5"}` {
		t.Errorf("it would send %s", got)
	}
	d.Reopen(play())
	d.hides("was typed for")
}

func TestWhatIsOfThisSessionAloneIsNoShellCommand(t *testing.T) {
	ask := Deps{Title: "sampling/createMessage 7", Request: "7", Preview: preview, DoArgs: "demo"}
	d := drive(t, New(Answer, ask)).hides("FROM A SHELL", "mcpl-tui do")
	if step := d.Key("ctrl+y", false); step.Kind != Copy || step.Text != "answer 7 {}" {
		t.Errorf("ctrl-y asks for %+v", step)
	}
	d.keys("ctrl+v")
	if s := d.screen(80, 19); strings.Contains(s, "FROM A SHELL") {
		t.Errorf("the second page offers it:\n%s", s)
	}
	over := drive(t, New(Close, Deps{Toolset: "game", Instance: "vs-ada", Preview: preview, DoArgs: "demo"}))
	if step := over.Key("ctrl+y", false); step.Text != "close game vs-ada" {
		t.Errorf("ctrl-y on a close asks for %+v", step)
	}
	drive(t, New(Open, game())).shows("FROM A SHELL", "mcpl-tui do -c")
}
