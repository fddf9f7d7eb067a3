package ui

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
)

// asker is the recording of a session with a server that asks, a tenth of a
// second from frame to frame; lines are what it says after the handshake:
// messages of the server, answers of the host ("→…"), notes ("# NAME DATA").
func asker(lines ...string) []byte {
	var b strings.Builder
	b.WriteString(`{"mcpl_recording":1,"id":"asks","started":"2026-11-29T10:00:00Z","tool":"test","target":{"kind":"stdio","command":["asker"]}}` + "\n")
	seq := 0
	frame := func(dir, body string) {
		seq++
		fmt.Fprintf(&b, `{"seq":%d,"t":%.1f,"conn":1,"dir":"%s",%s}`+"\n", seq, float64(seq)/10, dir, body)
	}
	msg := func(dir, m string) { frame(dir, `"via":"stdio","msg":`+m) }
	frame("note", `"note":"connect","data":{}`)
	msg("out", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{"form":{},"url":{}}},"clientInfo":{"name":"mcpl-tui","version":"1"}}}`)
	msg("in", `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","serverInfo":{"name":"asker","version":"1"},"capabilities":{"tools":{}}}}`)
	msg("out", `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	msg("out", `{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}`)
	msg("in", `{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"order","inputSchema":{"type":"object"}}]}}`)
	for _, l := range lines {
		if note, ok := strings.CutPrefix(l, "# "); ok {
			name, data, _ := strings.Cut(note, " ")
			frame("note", `"note":"`+name+`","data":`+data)
		} else if m, ok := strings.CutPrefix(l, "→"); ok {
			msg("out", m)
		} else {
			msg("in", l)
		}
	}
	return []byte(b.String())
}

const handshakeFrames = 6

func serverAsks(id, method, params string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":` + params + `}`
}

const (
	whoAreYou = `{"message":"Who are you, and which colour do you take?","requestedSchema":{"type":"object","properties":{` +
		`"name":{"type":"string","minLength":2,"default":"Ada"},"colour":{"type":"string","enum":["black","white"],"default":"white"},"age":{"type":"integer"}},"required":["name"]}}`
	bankPage  = `{"mode":"url","elicitationId":"x1","message":"Log in with your bank","url":"http://bank@evil.example:8080/login?state=0123456789abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz&next=%2F"}`
	sampleAsk = `{"systemPrompt":"You are terse.","messages":[{"role":"user","content":{"type":"text","text":"Summarize: the quick brown fox."}},` +
		`{"role":"user","content":[{"type":"image","data":"AAAA","mimeType":"image/png"},{"type":"text","text":"and this"}]}],"maxTokens":100,"tools":[{"name":"search"}]}`
	threeChannels = `{"channels":[{"id":"chat:#general","label":"#general","type":"chat","direction":"bidirectional"},{"id":"t\"1","label":"T"},{"label":"nameless"}]}`
)

// allKinds is one of everything that can wait.
func allKinds() []string {
	return []string{
		serverAsks(`"e1"`, "elicitation/create", whoAreYou),
		serverAsks(`"e2"`, "elicitation/create", bankPage),
		serverAsks("7", "sampling/createMessage", sampleAsk),
		serverAsks(`"7"`, "inference/request", `{"featureSet":"a","messages":[{"role":"user","content":"Tell me a joke"}],"preferences":{"maxTokens":50}}`),
		serverAsks("9", "channels/register", threeChannels),
		serverAsks("10", "push/event", `{"eventId":"ev1","payload":{"content":[{"type":"text","text":"Mail from Bob: lunch?"}]}}`),
		serverAsks("11", "elicitation/create", `{"message":"a broken schema","requestedSchema":"nonsense"}`),
		serverAsks("12", "elicitation/create", `{"message":"a bad type","requestedSchema":{"type":"object","properties":{"n":{"type":"strong"}}}}`),
		serverAsks("13", "tea/brew", `{}`),
	}
}

func askedOf(t testing.TB, w, h, shown int, lines ...string) *driver {
	t.Helper()
	s := gobanStatus(true)
	s.Now = 5 * time.Second
	if shown > 0 {
		shown += handshakeFrames
	}
	return drive(t, newSource(t, asker(lines...), shown, s), w, h)
}

var sizes = [][2]int{{160, 48}, {100, 30}, {80, 24}, {40, 12}}

func TestEverythingThatWaitsStandsInOneList(t *testing.T) {
	for _, z := range sizes {
		d := askedOf(t, z[0], z[1], 0, append(allKinds(), `# held-back {"id":10,"after":2}`)...).press("A")
		d.golden(fmt.Sprintf("asks-%dx%d", z[0], z[1]))
	}
	askedOf(t, 80, 24, 0).press("A").sees("Nothing waits.").press("enter", "esc").misses("WHAT WAITS")
	askedOf(t, 80, 24, 0).press(":").typed("asks").press("enter").sees("WHAT WAITS FOR YOU")
}

func TestTheFormsOfWhatAServerAsks(t *testing.T) {
	for name, steps := range map[string]int{"form": 0, "page": 1, "sample": 2, "channels": 4} {
		for _, z := range sizes {
			d := askedOf(t, z[0], z[1], 0, allKinds()...).press("A")
			for range steps {
				d.press("j")
			}
			d.press("enter").golden(fmt.Sprintf("asks-%s-%dx%d", name, z[0], z[1]))
		}
	}
}

func TestEachKindIsAnsweredInItsForm(t *testing.T) {
	for name, c := range map[string]struct {
		row  int
		keys []string
		text string
		want string
	}{
		"defaults are filled in":     {0, nil, "", `answer e1 {"action":"accept","content":{"name":"Ada","colour":"white"}}`},
		"a form is declined":         {0, []string{"up", "right"}, "", `decline e1`},
		"a form is cancelled":        {0, []string{"up", "right", "right"}, "", `answer e1 {"action":"cancel"}`},
		"a page is accepted":         {1, nil, "", `answer e2 {"action":"accept"}`},
		"a page is cancelled":        {1, []string{"right", "right"}, "", `answer e2 {"action":"cancel"}`},
		"the user is the model":      {2, nil, `a "fox"`, `answer 7 {"role":"assistant","model":"human-at-the-keyboard","stopReason":"endTurn","content":{"type":"text","text":"a \"fox\""}}`},
		"and infers":                 {3, nil, "knock", `answer "7" {"content":"knock","model":"human-at-the-keyboard","finishReason":"end_turn"}`},
		"or declines to":             {3, []string{"up", "right", "down"}, "no model", `decline "7" no model`},
		"channels, one by one":       {4, []string{"down", "right"}, "", `answer 9 {"results":[{"id":"chat:#general","accepted":true},{"id":"t\"1","accepted":false,"reason":"declined by the user"},{"id":null,"accepted":false,"reason":"a channel needs an id"}]}`},
		"a push is refused":          {5, []string{"right", "down"}, "quiet hours", `decline 10 quiet hours`},
		"a push is accepted":         {5, nil, "", `answer 10 {"accepted":true}`},
		"a broken schema, left out":  {6, nil, "", `answer 11 {"action":"accept","content":{}}`},
		"a broken schema, as JSON":   {6, nil, `{"a":1}`, `answer 11 {"action":"accept","content":{"a":1}}`},
		"a schema with a bad type":   {7, nil, `3`, `answer 12 {"action":"accept","content":{"n":3}}`},
		"a method that nobody knows": {8, nil, `{"tea":true}`, `answer 13 {"tea":true}`},
	} {
		d := askedOf(t, 100, 30, 0, allKinds()...).press("A")
		for range c.row {
			d.press("j")
		}
		d.press("enter").press(c.keys...).typed(c.text).press("enter").run()
		if got := strings.Join(d.act.ran(), "|"); got != c.want {
			t.Errorf("%s: ran\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

func TestManyChannelsAreAcceptedTogether(t *testing.T) {
	var list []string
	for i := range 101 {
		list = append(list, fmt.Sprintf(`{"id":"c%d"}`, i))
	}
	d := askedOf(t, 100, 30, 0, serverAsks("1", "channels/register", `{"channels":[`+strings.Join(list, ",")+`]}`))
	d.press("a").sees("101 channels", "all of them, or none").press("enter").run()
	var answer struct {
		Results []struct{ Accepted bool }
	}
	line, _ := strings.CutPrefix(strings.Join(d.act.ran(), ""), "answer 1 ")
	if err := json.Unmarshal([]byte(line), &answer); err != nil || len(answer.Results) != 101 || !answer.Results[100].Accepted {
		t.Errorf("ran %.200s, %v", line, err)
	}
}

func TestAnAddressIsCopiedAndNeverOpened(t *testing.T) {
	d := askedOf(t, 100, 30, 0, serverAsks("1", "elicitation/create", bankPage)).press("a")
	d.sees("at evil.example:8080", "http://bank@evil.example:8080/login?state=0123", "%2F", "no https", "the host is only what follows the @", "ctrl-y copies it")
	d.press("ctrl+y").run().press("esc").sees("copied the address")
	if ran := d.act.ran(); len(ran) != 0 {
		t.Errorf("ran %q", ran)
	}
	askedOf(t, 100, 30, 0, serverAsks("1", "elicitation/create", `{"mode":"url","url":"javascript:alert(1)"}`)).press("a").sees("neither https nor http", "no host that can be read")
	askedOf(t, 100, 30, 0, serverAsks("1", "elicitation/create", `{"mode":"url","url":"https://xn--pple-43d.example/"}`)).press("a").sees("may look like others")
}

func TestAQuestionThatComesWhileAFormIsOpenWaits(t *testing.T) {
	d := askedOf(t, 100, 30, 1, serverAsks("1", "elicitation/create", whoAreYou), serverAsks("2", "elicitation/create", `{"message":"second"}`))
	d.press("a").typed("x").sees("Adax")
	d.show(handshakeFrames+2).wait(time.Second).sees("ANSWER elicitation/create 1", "Adax", "? 2 WAIT", "not now")
	d.press("esc").misses("Adax").press("A").sees("second", "Who are you").press("enter").sees("Adax")
	d.press("enter").run()
	if got := strings.Join(d.act.ran(), "|"); got != `answer 1 {"action":"accept","content":{"name":"Adax","colour":"white"}}` {
		t.Errorf("ran %s", got)
	}
}

func TestAQuestionThatIsWithdrawnEndsInASentence(t *testing.T) {
	lines := []string{serverAsks(`"q"`, "elicitation/create", whoAreYou), `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"q"}}`}
	d := askedOf(t, 100, 30, 1, lines...).show(handshakeFrames + 2)
	if row := d.row(-2); !strings.Contains(row, "elicitation/create q: the server withdrew it") {
		t.Errorf("the row above the help says %q", row)
	}
	d = askedOf(t, 100, 30, 1, lines...).press("a").typed("y").show(handshakeFrames + 2)
	d.sees("the server withdrew it, and waits for no answer", "Aday").press("enter").run().sees("Not sent: the server withdrew it", "Aday")
	if ran := d.act.ran(); len(ran) != 0 {
		t.Errorf("ran %q", ran)
	}
}

func TestTenQuestionsThatEndWithTheConnectionEndInOneSentence(t *testing.T) {
	var lines []string
	for i := range 10 {
		lines = append(lines, serverAsks(fmt.Sprint(i), "elicitation/create", `{"message":"q"}`))
	}
	lines = append(lines, `# closed {"by":"server","code":1}`)
	d := askedOf(t, 100, 30, 10, lines...).sees("? 10 WAIT").press("a").sees("ANSWER elicitation/create 0")
	d.show(handshakeFrames + 11)
	if row := d.row(-2); !strings.Contains(row, "the connection is over: 10 questions of the server stayed without an answer") {
		t.Errorf("the row above the help says %q", row)
	}
	d.press("enter").run().sees("Not sent:")
	if ran := d.act.ran(); len(ran) != 0 {
		t.Errorf("ran %q", ran)
	}
}

func TestAnAnswerThatCameTooLateSaysSoAndKeepsWhatWasTyped(t *testing.T) {
	d := askedOf(t, 100, 30, 0, serverAsks("1", "elicitation/create", whoAreYou)).press("a").typed("z")
	d.act.answer = func(string) Outcome {
		return Outcome{Message: "the server closed the connection; `reconnect` starts it again"}
	}
	d.press("enter").run().sees("Adaz", "the server closed the connection")
}

func TestARequestWithTheIDOfAnEarlierOneBeginsAnew(t *testing.T) {
	d := askedOf(t, 100, 30, 1, serverAsks("1", "elicitation/create", whoAreYou), `→{"jsonrpc":"2.0","id":1,"result":{"action":"decline"}}`,
		serverAsks("1", "elicitation/create", whoAreYou))
	d.press("a").typed("old").press("esc").show(handshakeFrames + 3).wait(time.Second).press("a").sees("ANSWER elicitation/create 1").misses("Adaold")
}

func TestRow1SaysInWhatTheHostIsAnother(t *testing.T) {
	for mode, want := range map[string]string{
		`{"push":"refuse"}`:   "STRICT: pushes refused",
		`{"answers":"never"}`: "STRICT: silent",
		`{"answers":"late","after":0.5,"hints":"ignored"}`: "STRICT: answers 500 ms late",
		`{"as":"plain"}`:        "STRICT: plain MCP",
		`{"as":"no-toolhints"}`: "STRICT: no toolHints",
	} {
		for _, z := range sizes {
			d := askedOf(t, z[0], z[1], 0, "# host "+mode)
			word := want
			if z[0] < narrowFrom {
				word = "STRICT"
			}
			if row := d.row(0); !strings.Contains(row, word) || !strings.Contains(row, "● LIVE") || z[0] >= 100 && !strings.Contains(row, "● REC") {
				t.Errorf("%v, %s: row 1 says %q", z, mode, row)
			}
			s := gobanStatus(false)
			r := drive(t, newSource(t, asker("# host "+mode), 0, s), z[0], z[1]).press("G")
			if row := r.row(0); !strings.Contains(row, word) || !strings.Contains(row, "REPLAY") {
				t.Errorf("%v, %s: on replay row 1 says %q", z, mode, row)
			}
			if row := r.press(":").typed("goto 3").press("enter").row(0); strings.Contains(row, "STRICT") {
				t.Errorf("%v, %s: before it was so row 1 says %q", z, mode, row)
			}
		}
	}
	askedOf(t, 160, 48, 0, `# host {"push":"refuse"}`, "# host {}").misses("STRICT")
}

func TestWhatIsHeldBackDoesNotWaitForTheUser(t *testing.T) {
	d := askedOf(t, 100, 30, 0, serverAsks("1", "elicitation/create", whoAreYou), `# held-back {"id":1}`).misses("WAITS")
	d.press("a").sees("nothing waits for you").press("A").sees("held back").press("enter").sees(":answers at once sends it")
}

func TestAHostThatIgnoresHintsShowsThePlainList(t *testing.T) {
	tape := strings.Replace(string(uitest.Goban()), "\n{", "\n"+`{"seq":0,"t":0,"conn":1,"dir":"note","note":"host","data":{"hints":"ignored"}}`+"\n{", 1)
	s := gobanStatus(false)
	d := drive(t, newSource(t, []byte(tape), 0, s), 160, 48).press("G")
	d.sees("STRICT: hints ignored", "toolHints ignored", "STATIC").misses("told rev by rev      1", "OPEN   game", "this host did not offer")
}

func TestAnAnswerThatIsHeldBackIsSaidToBe(t *testing.T) {
	for result, want := range map[string]string{
		`{"answers":"never"}`:            "held back, for this host is silent",
		`{"answers":"late","after":0.5}`: "held back, it goes out late",
	} {
		d := askedOf(t, 160, 48, 0, serverAsks("1", "elicitation/create", whoAreYou)).press("a")
		d.act.answer = func(string) Outcome { return Outcome{OK: true, Result: json.RawMessage(result)} }
		if row := d.press("enter").run().row(-2); !strings.Contains(row, want) {
			t.Errorf("%s: the row above the help says %q", result, row)
		}
	}
}

func TestChannelsAloneShowsThemAndWithAWordSaysHowTheyAreAnswered(t *testing.T) {
	d := askedOf(t, 100, 30, 0).press(":").typed("channels").press("enter").run().sees("[6 Server]")
	if ran := d.act.ran(); len(ran) != 0 {
		t.Errorf("channels alone ran %q", ran)
	}
	d.press(":").typed("channels ask").press("enter").run()
	if ran := strings.Join(d.act.ran(), "|"); ran != "channels ask" {
		t.Errorf("ran %q", ran)
	}
}

// What waits is told by itself a moment later; a key for it does not wait.
func TestAQuestionThatJustCameIsAnsweredAtOnce(t *testing.T) {
	fresh := func() *driver {
		d := askedOf(t, 100, 30, 0, serverAsks("1", "elicitation/create", whoAreYou))
		asks := d.m.cx.Newest.Asks
		d.m.status.Now = asks[len(asks)-1].T
		return d
	}
	if n := len(fresh().m.waits()); n != 0 {
		t.Fatalf("%d wait at once", n)
	}
	fresh().press("a").sees("ANSWER elicitation/create 1")
	fresh().press("A").sees("Who are you").press("enter").sees("ANSWER elicitation/create 1")
}

func TestTheHostOfALongAddressStandsBesideTheChoice(t *testing.T) {
	page := `{"mode":"url","message":"Visit","url":"https://bank.example@evil.example/` + strings.Repeat("a", 5000) + `"}`
	for _, z := range sizes {
		askedOf(t, z[0], z[1], 0, serverAsks("1", "elicitation/create", page)).press("a").sees("evil.example", "decline")
	}
	askedOf(t, 100, 30, 0, serverAsks("1", "elicitation/create", page)).press("a").sees("it is at evil.example", "the host is only what follows the @")
}

func TestAPageWithoutAnAddressSaysSo(t *testing.T) {
	for _, address := range []string{`""`, `5`, `null`} {
		askedOf(t, 100, 30, 0, serverAsks("1", "elicitation/create", `{"mode":"url","message":"Visit","url":`+address+`}`)).press("a").sees("names no address")
	}
}

func TestAQuestionTooLargeToShowSaysThat(t *testing.T) {
	large := `{"message":"q","requestedSchema":{"type":"object","description":"` + strings.Repeat("x", 1<<20) + `"}}`
	askedOf(t, 100, 30, 0, serverAsks("1", "elicitation/create", large)).press("a").sees("too large to be shown here").misses("no schema")
}

func TestTheListOfWhatWaitsTellsAlikeQuestionsApart(t *testing.T) {
	d := askedOf(t, 100, 30, 0, serverAsks(`"u1"`, "elicitation/create", bankPage), serverAsks(`"u2"`, "elicitation/create", bankPage)).press("A")
	d.sees("elicitation/create url u1", "elicitation/create url u2")
}

func TestAQuestionWhoseIDIsUsedAgainIsNotCalledWithdrawn(t *testing.T) {
	lines := []string{serverAsks("1", "elicitation/create", whoAreYou), serverAsks("1", "elicitation/create", `{"message":"second"}`)}
	d := askedOf(t, 100, 30, 1, lines...).press("a").typed("y").show(handshakeFrames + 2)
	d.sees("used its id again", "Aday").press("enter").run().sees("Not sent:", "Aday").press("esc").misses("withdrew")
	if ran := d.act.ran(); len(ran) != 0 {
		t.Errorf("ran %q", ran)
	}
	d = askedOf(t, 100, 30, 1, lines...).show(handshakeFrames + 2)
	if row := d.row(-2); !strings.Contains(row, "asks with this id again") {
		t.Errorf("the row above the help says %q", row)
	}
}

func TestTheEndOfALongHostIsShownSinceItSaysWhoseItIs(t *testing.T) {
	page := `{"mode":"url","message":"Visit","url":"https://bank.example.` + strings.Repeat("a", 300) + `.evil.example/"}`
	for _, z := range sizes {
		askedOf(t, z[0], z[1], 0, serverAsks("1", "elicitation/create", page)).press("a").sees(".evil.example", "decline")
	}
}
