package form

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"
)

func TestDestructiveCallAsksOnce(t *testing.T) {
	d := drive(t, New(Call, play()))
	d.typing("E5").shows("! destructive: its annotations say so")
	if got := d.refuses("enter"); !strings.Contains(got, "enter again sends it") {
		t.Errorf("enter says %q", got)
	}
	d.keys("right") // any other key takes the question back
	d.refuses("enter")
	if got := d.sends("enter"); got != `call play@vs-ada {"at":"F5"}` {
		t.Errorf("sent %s", got)
	}
}

func TestCallNamesTheInstanceThatIsChosen(t *testing.T) {
	d := drive(t, New(Call, play()))
	d.typing("E5").to("instance")
	for _, want := range []string{
		`call play@vs-bot {"at":"E5"}`,
		`raw tools/call {"name":"play","arguments":{"at":"E5"}}`, // "call" itself asks which one is meant
		`call play@vs-ada {"at":"E5"}`,
	} {
		d.keys("right")
		if got, _ := d.Line(); got != want {
			t.Errorf("chosen: %s, want %s", got, want)
		}
	}
	d.keys("right").shows("not usable now", "the server has to refuse")
	if h := d.Help(); h[0].Key != "enter" || h[0].Verb != "send anyway" {
		t.Errorf("the help begins with %+v", h[0])
	}
}

func TestCallOfAnInstanceThatIsNotOpenKeepsItsName(t *testing.T) {
	deps := play()
	deps.Instance = "vs-old"
	d := drive(t, New(Call, deps))
	d.shows("(vs-old)", "not open")
	if got, _ := d.Line(); got != "call play@vs-old" {
		t.Errorf("it would send %s", got)
	}
	deps.Places = nil
	deps.Instance = ""
	d = drive(t, New(Call, deps))
	if got, _ := d.Line(); got != "call play" {
		t.Errorf("with no instance open it would send %s", got)
	}
}

func TestCloseAsksAndSends(t *testing.T) {
	for _, k := range []string{"enter", "y"} {
		if got := closing(t).sends(k); got != "close game vs-ada" {
			t.Errorf("%s sends %s", k, got)
		}
	}
	for _, k := range []string{"esc", "n"} {
		if step := closing(t).Key(k, false); step.Kind != Leave {
			t.Errorf("%s asks for %+v", k, step)
		}
	}
	d := closing(t).keys("x", "j", "k", " ")
	d.Sent(0)
	d.Answered(Outcome{Code: -32603, Message: "not while a move is open"})
	d.shows("! error -32603: not while a move is open")
	d.sends("y")
	d.Sent(0)
	d.Answered(Outcome{OK: true, Result: json.RawMessage(`{"_meta":{"mcpl/hints":{"rev":42}}}`), Took: time.Millisecond})
	d.shows("ok", "rev 42 came with it")
	if step := d.Key("enter", false); step.Kind != Leave {
		t.Errorf("enter on a closed one asks for %+v", step)
	}
}

func TestLineFormSendsItsTextWithItsCommand(t *testing.T) {
	d := marking(t)
	if got := d.sends("enter"); got != "mark second game" {
		t.Errorf("sent %s", got)
	}
	d.keys("ctrl+u")
	if step := d.Key("enter", false); step.Kind != None || d.said == "" {
		t.Errorf("an empty line asks for %+v, and %q is said", step, d.said)
	}
	target := drive(t, New(Line, Deps{Title: "Target", Prefix: "target ", Text: "node a.js", Lines: []string{"demo", "node b.js"}}))
	target.keys("ctrl+p", "ctrl+p")
	if got, _ := target.Line(); got != "target node b.js" {
		t.Errorf("ctrl-p gives %s", got)
	}
	target.keys("ctrl+n", "ctrl+n")
	if got := target.sends("enter"); got != "target node a.js" {
		t.Errorf("sent %s", got)
	}
}

func TestAnswerFormAnswersOrDeclines(t *testing.T) {
	d := elicitation(t)
	d.refuses("enter")
	d.to("name").typing("da")
	if got, want := d.sends("enter"), `answer s18 {"action":"accept","content":{"name":"Ada","colour":"b"}}`; got != want {
		t.Errorf("sent %s, want %s", got, want)
	}
	d.to("do").keys("right").to("reason").typing("not\tnow")
	if got := d.sends("enter"); got != "decline s18 notnow" && got != "decline s18 not now" {
		t.Errorf("declining sends %s", got)
	}
	d.to("do").keys("left").shows("Ada")
	push := drive(t, New(Answer, Deps{
		Title: "push/event mv-0093", Request: "s17", Yes: "accept", No: "refuse",
		Fixed: json.RawMessage("{\n\"accepted\": true}"), Preview: preview,
	}))
	push.shows("(accept)  refuse")
	if got := push.sends("enter"); got != `answer s17 {"accepted":true}` {
		t.Errorf("accepting sends %s", got)
	}
	plain := drive(t, New(Answer, Deps{Title: "sampling/createMessage 7", Request: "7", Prefill: json.RawMessage(`{"role":"assistant"}`), Preview: preview}))
	if got := plain.sends("enter"); got != `answer 7 {"role":"assistant"}` {
		t.Errorf("without a schema it sends %s", got)
	}
}

func TestAnswerNamesTheRequestByItsID(t *testing.T) {
	for id, want := range map[string]string{
		`7`: `7`, `1e2`: `1e2`, `"s18"`: `s18`, `"7"`: `"7"`, `"last"`: `"last"`, `"a b"`: `"a b"`, `"null"`: `"null"`, `s18`: `s18`, `"\u0061"`: `a`,
	} {
		line, _ := New(Answer, Deps{Request: id}).Line()
		if line != "answer "+want+" {}" {
			t.Errorf("the request %s is answered by %s", id, line)
		}
	}
}

func TestNothingIsSentWhereNothingCan(t *testing.T) {
	deps := game()
	d := typedGame(t)
	deps.Cannot = "this is a recording; t connects to its server"
	d.Refresh(deps)
	for _, k := range []string{"enter", "ctrl+s"} {
		if got := d.refuses(k); !strings.Contains(got, "Not sent: this is a recording; t connects to its server") {
			t.Errorf("%s says %q", k, got)
		}
	}
}

func TestALineThatCannotBeReadIsNotSent(t *testing.T) {
	deps := tool(words)
	unreadable := errors.New("no such instance")
	deps.Preview = func(string) (json.RawMessage, error) { return nil, unreadable }
	d := drive(t, New(Call, deps))
	if got := d.refuses("enter"); !strings.Contains(got, unreadable.Error()) {
		t.Errorf("enter says %q", got)
	}
}

func TestClickChoosesTheField(t *testing.T) {
	d := drive(t, New(Open, game()))
	d.screen(100, 25)
	d.Click(20, 12, 0)
	if d.current().name != "handicap" {
		t.Errorf("a click on handicap goes to %s", d.current().name)
	}
	d.Click(80, 9, 0)
	d.Click(20, 1, 0)
	d.Click(-1, 99, 0)
	if d.current().name != "handicap" {
		t.Errorf("a click beside the fields goes to %s", d.current().name)
	}
	d.Click(20, 5, 1)
	if d.current().name != "rated" {
		t.Errorf("the wheel goes to %s", d.current().name)
	}
}

func TestHelpBeginsWithTheVerbOfEnter(t *testing.T) {
	for _, c := range []struct {
		d         *driver
		key, verb string
	}{
		{typedGame(t), "enter", "send"},
		{asJSON(t), "ctrl-s", "send"},
		{runningGame(t), "ctrl-c", "cancel"},
		{hiddenPlay(t), "enter", "send anyway"},
		{closing(t), "enter y", "close vs-ada"},
		{marking(t), "enter", "send"},
		{elicitation(t), "enter", "answer"},
	} {
		h := c.d.Help()
		if h[0].Key != c.key || h[0].Verb != c.verb {
			t.Errorf("%s: the help begins with %+v, want %s %s", c.d.Where(), h[0], c.key, c.verb)
		}
		if !strings.HasPrefix(h[1].Key, "esc") {
			t.Errorf("%s: the help goes on with %+v", c.d.Where(), h[1])
		}
	}
}
