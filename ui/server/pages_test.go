package server

import (
	"fmt"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// lodgeSession is a server with resources, prompts, channels, hooks and
// checkpoints, each of them used.
func lodgeSession() []byte {
	t := tapeOf{conn: 1}
	t.note("connect", `{"command":["./lodge"]}`)
	t.note("connected", `{"pid":7}`)
	t.request(1, "initialize", `{"protocolVersion":"2025-11-25","clientInfo":{"name":"mcpl-tui","version":"0.1.0"},"capabilities":{"experimental":{"mcpl":{"version":"0.5","channels":true,"contextHooks":{"beforeInference":true}}}}}`)
	t.result(1, `{"protocolVersion":"2025-11-25","serverInfo":{"name":"lodge","version":"1.0"},"capabilities":{"tools":{},"resources":{"subscribe":true,"listChanged":true},"prompts":{},"completions":{},`+
		`"experimental":{"mcpl":{"version":"0.5","channels":true,"contextHooks":{"beforeInference":true},"inferenceLifecycle":true,"featureSets":{"notes":{"description":"Notes","uses":["tools"],"rollback":true}}}}}}`)
	t.out(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	t.request(2, "featureSets/update", `{"effectiveCapabilities":["tools","channels.register","channels.incoming","channels.publish","contextHooks.beforeInference.observe","contextHooks.beforeInference.inject.beforeUser"]}`)
	t.result(2, `{"accepted":true}`)
	t.request(3, "tools/list", `{}`)
	t.result(3, `{"tools":[{"name":"add","inputSchema":{"type":"object"}}]}`)
	t.lodgeOffers()
	t.lodgeChannels()
	t.lodgeStates()
	return t.bytes()
}

func (t *tapeOf) lodgeOffers() {
	t.request(4, "resources/list", `{}`)
	t.result(4, `{"resources":[{"uri":"file:///log.txt","name":"log","description":"What happened","mimeType":"text/plain","size":1234},{"uri":"file:///map.png","name":"map","title":"The map","mimeType":"image/png"}],"nextCursor":"2"}`)
	t.request(5, "resources/list", `{"cursor":"2"}`)
	t.result(5, `{"resources":[{"uri":"file:///a b.txt","name":"evil \u001b[31m name"}]}`)
	t.request(6, "prompts/list", `{}`)
	t.result(6, `{"prompts":[{"name":"tell","title":"Tell a story","arguments":[{"name":"who","required":true},{"name":"where"}],"description":"A story of someone"}]}`)
	t.request(7, "resources/templates/list", `{}`)
	t.fault(7, `{"code":-32601,"message":"no templates here"}`)
	t.request(8, "resources/subscribe", `{"uri":"file:///log.txt"}`)
	t.result(8, `{}`)
	t.in(`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"file:///log.txt"}}`)
	t.request(9, "resources/read", `{"uri":"file:///map.png"}`)
	t.result(9, `{"contents":[{"uri":"file:///map.png","mimeType":"image/png","blob":"iVBORw0KGgo="}]}`)
	t.request(10, "completion/complete", `{"ref":{"type":"ref/prompt","name":"tell"},"argument":{"name":"who","value":"A"},"context":{"arguments":{"where":"sea"}}}`)
	t.result(10, `{"completion":{"values":["Ada","Ann"],"total":5,"hasMore":true}}`)
	t.request(11, "prompts/get", `{"name":"tell","arguments":{"who":"Ada"}}`)
	t.result(11, `{"description":"A story","messages":[{"role":"user","content":{"type":"text","text":"Tell of Ada.\nBe brief."}},{"role":"assistant","content":{"type":"text","text":"Once."}}]}`)
	t.request(12, "resources/read", `{"uri":"file:///log.txt"}`)
	t.result(12, `{"contents":[{"uri":"file:///log.txt","mimeType":"text/plain","text":"first line\nsecond \u001b[2J line"}]}`)
}

func (t *tapeOf) lodgeChannels() {
	t.in(`{"jsonrpc":"2.0","id":"r1","method":"channels/register","params":{"channels":[{"id":"chat:#go","type":"chat","label":"Go players","direction":"bidirectional"},{"id":"mail:in","type":"mail","label":"Inbox"}]}}`)
	t.out(`{"jsonrpc":"2.0","id":"r1","result":{"results":[{"id":"chat:#go","accepted":true},{"id":"mail:in","accepted":false,"reason":"no mail here"}]}}`)
	t.request(13, "channels/open", `{"channelId":"chat:#go","type":"chat"}`)
	t.result(13, `{"channel":{"id":"chat:#go","type":"chat","label":"Go players","direction":"bidirectional"}}`)
	t.in(`{"jsonrpc":"2.0","id":"r2","method":"channels/incoming","params":{"messages":[{"channelId":"chat:#go","messageId":"m1","author":{"name":"Ada"},"content":[{"type":"text","text":"Who is up for a game?"}],"tags":["chat:ambient"]}]}}`)
	t.out(`{"jsonrpc":"2.0","id":"r2","result":{"results":[{"messageId":"m1","accepted":true}]}}`)
	t.request(14, "channels/publish", `{"channelId":"chat:#go","content":[{"type":"text","text":"Me."}]}`)
	t.result(14, `{"delivered":true,"messageId":"m2"}`)
	t.request(15, "channels/publish", `{"channelId":"mail:in","content":[{"type":"text","text":"Lost."}]}`)
	t.fault(15, `{"code":-32017,"message":"channel not permitted"}`)
}

func (t *tapeOf) lodgeStates() {
	t.request(16, "tools/call", `{"name":"add"}`)
	t.result(16, `{"content":[],"state":{"featureSet":"notes","checkpoint":"c1","parent":null,"data":{"notes":[]}}}`)
	t.request(17, "tools/call", `{"name":"add"}`)
	t.result(17, `{"content":[],"state":{"featureSet":"notes","checkpoint":"c2","parent":"c1","patch":[{"op":"add","path":"/notes/-","value":"milk"}]}}`)
	t.request(18, "state/rollback", `{"featureSet":"notes","checkpoint":"c1"}`)
	t.result(18, `{"checkpoint":"c1","success":true}`)
	t.request(19, "tools/call", `{"name":"add"}`)
	t.result(19, `{"content":[],"state":{"featureSet":"notes","checkpoint":"c3","parent":"c1","patch":[{"op":"add","path":"/notes/-","value":"tea"}]}}`)
	t.request(20, "state/rollback", `{"featureSet":"notes","checkpoint":"c2"}`)
	t.result(20, `{"success":false,"reason":"the milk is drunk"}`)
	t.request(21, "context/beforeInference", `{"inferenceId":"inference-1","turnIndex":0,"userMessage":"Shall we play?"}`)
	t.result(21, `{"featureSet":"notes","contextInjections":[{"namespace":"notes","position":"system","content":"Tea is out."},{"namespace":"body","position":"beforeUser","content":[{"type":"text","text":"battery 62%"}]}]}`)
	t.out(`{"jsonrpc":"2.0","method":"inference/lifecycle","params":{"inferenceId":"inference-1","phase":"completed"}}`)
}

func lodge(t testing.TB) (*View, *view.Context) {
	v := New()
	v.Set(Facts{Kind: "stdio", File: "x.mcpl.jsonl", CanAct: true})
	return v, of(t, uitest.Frames(lodgeSession()))
}

func TestThePagesAreDrawnAtEverySize(t *testing.T) {
	for _, page := range Pages()[1:] {
		for _, size := range sizes {
			name := fmt.Sprintf("page-%s-%dx%d", page, size[0], size[1])
			t.Run(name, func(t *testing.T) {
				v, c := lodge(t)
				v.ShowPage(page)
				uitest.Golden(t, name, screen(v, c, size[0], size[1]))
			})
		}
	}
}

func TestSixGoesFromPageToPageAndBack(t *testing.T) {
	v, c := lodge(t)
	sees(t, screen(v, c, 160, 48), "━ SERVER ━", "HANDSHAKE")
	for _, title := range []string{"━ RESOURCES AND PROMPTS ━", "━ CHANNELS ━", "━ HOOKS ━", "━ SERVER ━"} {
		if do := uitest.Press(v, c, "6"); do.Kind != view.Nothing {
			t.Errorf("6 does %+v although all was read", do)
		}
		sees(t, screen(v, c, 160, 48), title)
	}
	// Each page keeps its cursor.
	uitest.Press(v, c, "6", "j")
	screen(v, c, 160, 48)
	uitest.Press(v, c, "6", "6", "6", "6")
	sees(t, screen(v, c, 160, 48), "▌    The map")
}

// What was never read is read when it is first looked at, but not in a
// recording, in the past, or after the end.
func TestListsAreReadWhenTheirPageIsFirstSeen(t *testing.T) {
	v, c := recorded(t, "changed")
	if v.ShowPage("resources"); v.Unread(c) {
		t.Error("what a server does not offer is to be read")
	}
	v, c = lodge(t)
	early := goTo(t, c, 8)
	early.Follow = true
	screen(v, early, 100, 30)
	if do := uitest.Press(v, early, "6"); do.Kind != view.Reread {
		t.Errorf("6 does %+v", do)
	}
	if got := fmt.Sprint(v.Rereads(early)); got != "[resources prompts templates]" {
		t.Errorf("it reads %s", got)
	}
	for name, change := range map[string]func(*view.Context){
		"a recording": func(c *view.Context) { c.Replay = true },
		"the past":    func(c *view.Context) { c.Follow = false },
		"the end":     func(c *view.Context) { c.Ended = true },
	} {
		d := *early
		change(&d)
		if v.Unread(&d) {
			t.Errorf("in %s it would be read", name)
		}
	}
}

func TestEnterTypesACommandAndSendsNothing(t *testing.T) {
	v, c := lodge(t)
	v.ShowPage("resources")
	screen(v, c, 160, 48)
	for _, step := range []struct{ keys, line string }{
		{"", "read file:///log.txt"}, {"jj", `read "file:///a b.txt"`}, {"G", `prompt tell {"who":""}`},
	} {
		for _, k := range step.keys {
			uitest.Press(v, c, string(k))
		}
		if do := uitest.Press(v, c, "enter"); do.Kind != view.Type || do.Line != step.line {
			t.Errorf("after %q enter does %+v, want %q typed", step.keys, do, step.line)
		}
	}
	if do := uitest.Press(v, c, "c"); do.Kind != view.Type || do.Line != "complete prompt tell who " {
		t.Errorf("c does %+v", do)
	}
	if do := uitest.Press(v, c, "i"); do.Kind != view.ShowAt || c.Log.Entry(do.Index).Seq != 15 {
		t.Errorf("i does %+v", do)
	}
	// In a recording nothing can be sent: enter leads to the frame.
	c.Replay = true
	if do := uitest.Press(v, c, "enter"); do.Kind != view.ShowAt {
		t.Errorf("in a recording enter does %+v", do)
	}
	// A value that completed goes into the prompt, what was read into a file.
	c.Replay = false
	for command, line := range map[string]string{
		"complete": `prompt tell {"where":"sea","who":"Ada"}`, "read": "save content 28.1 ", "rollback": "rollback notes c1",
	} {
		if !v.ShowEffect([]string{command}) {
			t.Fatalf("the effect of %s is seen nowhere", command)
		}
		screen(v, c, 160, 48)
		if do := uitest.Press(v, c, "j", "j", "enter"); do.Line != line {
			t.Errorf("%s: enter types %q, want %q", command, do.Line, line)
		}
	}
}

// What was read stands at the top of its pane, however long the lists are.
func TestTheEffectOfACommandComesIntoSight(t *testing.T) {
	for _, size := range sizes {
		v, c := lodge(t)
		screen(v, c, size[0], size[1])
		v.ShowEffect([]string{"read", "file:///log.txt"})
		sees(t, screen(v, c, size[0], size[1]), "▌▾ READ", "file:///log.txt", "first line")
	}
}

func TestNewMessagesStayInSight(t *testing.T) {
	v, c := lodge(t)
	v.ShowPage("channels")
	early := goTo(t, c, 35)
	screen(v, early, 160, 48)
	uitest.Press(v, early, "tab")
	sees(t, screen(v, early, 160, 48), "▌  ✓ 0:03.400  chat:#go → Me.")
	sees(t, screen(v, c, 160, 48), "! 0:03.600  mail:in → Lost.  not delivered: error -32017: channel", "▌            not permitted")
	// Who went away from the end stays where they are.
	screen(v, early, 160, 48)
	uitest.Press(v, early, "k")
	sees(t, screen(v, c, 160, 48), "▌    0:03.200  chat:#go ← Ada")
}

func TestWhatIsReadIsShownAsData(t *testing.T) {
	v, c := lodge(t)
	v.ShowPage("resources")
	got := screen(v, c, 160, 48)
	seesNot(t, got, "\x1b[")
	sees(t, got, "second ␛[2J line", "evil ␛[31m name")
}

// A line of several styles that is cut ends in one whole sign, at any width.
func TestALineThatIsCutEndsInOneWholeSign(t *testing.T) {
	for w := 30; w < 160; w++ {
		v, c := lodge(t)
		for _, page := range Pages()[1:] {
			v.ShowPage(page)
			seesNot(t, screen(v, c, w, 30), `\…`, "\uFFFD")
		}
	}
}
