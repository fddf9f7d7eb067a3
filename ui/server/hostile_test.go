package server

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
)

var nasty = []string{
	"", "plain words", `\u001b[2J\u001b]0;x\u0007`, `\u202egnp.exe\u2066`, strings.Repeat("日本", 60), "👩‍👩‍👧‍👦🎲", `a\u0301\u0301`, `\t\r\n\u0000`,
	strings.Repeat("x", 900), strings.Repeat("word ", 200), `\u009b31m`, strings.Repeat(`\u0301`, 500), "ﷺ", "🇦🇶🇦", "\u200b",
}

var viewKeys = []string{
	"j", "k", "g", "G", "ctrl+d", "ctrl+u", "pgdown", "pgup", "tab", "shift+tab", "enter", "left", "right", "h", "l", "z", "/", "n", "N", "y",
	"esc", "backspace", "space", "e", "o", "é", "ctrl+w", "home", "end", "x",
}

// hostileSession is a session whose every text is a nasty one.
func hostileSession(t *rapid.T) []byte {
	word := func() string { return `"` + rapid.SampledFrom(nasty).Draw(t, "word") + `"` }
	manifest := func() string {
		return fmt.Sprintf(`{"version":%s,"toolHints":%t,"revision":%s,"surface":{"title":%s,"summary":%s},"toolsets":{%s:{"title":%s,"summary":%s,"instances":true,"options":{"type":"object","properties":{%s:{"type":"string","description":%s}}}}},"featureSets":{%s:{"description":%s,"uses":[%s,"pushEvents"]}},%s:[%s],"pushEvents":true}`,
			word(), rapid.Bool().Draw(t, "hints"), word(), word(), word(), word(), word(), word(), word(), word(), word(), word(), word(), word(), word())
	}
	p := tapeOf{conn: 1}
	p.note("connect", fmt.Sprintf(`{"command":[%s,%s],"cwd":%s,"env":[%s]}`, word(), word(), word(), word()))
	p.note("connected", fmt.Sprintf(`{"pid":%s}`, word()))
	p.request(1, "initialize", fmt.Sprintf(`{"protocolVersion":%s,"clientInfo":{"name":%s},"capabilities":{%s:{},"experimental":{"mcpl":{"toolHints":true}}}}`, word(), word(), word()))
	p.result(1, fmt.Sprintf(`{"protocolVersion":%s,"serverInfo":{"name":%s,"version":%s,"title":%s},"instructions":%s,"capabilities":{"tools":{},"experimental":{"mcpl":%s}}}`,
		word(), word(), word(), word(), word(), manifest()))
	p.request(2, "tools/list", `{}`)
	p.result(2, `{"tools":[]}`)
	p.request(3, "toolsets/list", `{}`)
	p.result(3, `{"open":[],"_meta":{"mcpl/hints":{"rev":1}}}`)
	for i := range rapid.IntRange(0, 12).Draw(t, "more") {
		switch rapid.IntRange(0, 6).Draw(t, "what") {
		case 0, 1:
			p.frame(`"dir":"err","via":"stdio","text":` + word())
		case 2:
			p.request(10+i, "featureSets/update", fmt.Sprintf(`{"effectiveCapabilities":["pushEvents",%s],"deniedCapabilities":[%s],%s:1}`, word(), word(), word()))
			p.result(10+i, fmt.Sprintf(`{"accepted":%t,"mode":%s,"reason":%s,"fallback":%s,"notes":%s,"unavailableFeatures":[{"featureSet":%s,"missingCapabilities":[%s],"effect":%s}]}`,
				rapid.Bool().Draw(t, "accepted"), word(), word(), word(), word(), word(), word(), word()))
		case 3:
			p.in(fmt.Sprintf(`{"jsonrpc":"2.0","method":"mcpl/manifestChanged","params":{"revision":%s,"domains":[%s],%s:%s}}`, word(), word(), word(), word()))
		case 4:
			p.request(10+i, "mcpl/manifest", `{}`)
			p.result(10+i, manifest())
		case 5:
			p.frame(`"dir":"err","via":"stdio","b64":"//5hG1sySgo="`)
		default:
			p.note("closed", fmt.Sprintf(`{"by":"server","signal":%s,"reason":%s}`, word(), word()))
		}
	}
	return p.bytes()
}

// Whatever a peer sends, at whatever size and after whatever keys: the view
// stays in its place, and nothing that a terminal would act on gets out.
func TestNothingOfTheServerLeavesItsPlace(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		recording := hostileSession(rt)
		if rapid.IntRange(0, 3).Draw(rt, "real") == 0 {
			recording = rapid.SampledFrom([][]byte{uitest.Many(), uitest.Reconnect(), uitest.Ended(), uitest.Failed(), uitest.Silent(), changedSession()}).Draw(rt, "recording")
		}
		log := uitest.NewSource(t, uitest.Frames(recording)).Log()
		last := present(log)
		last.Replay, last.Ended = rapid.Bool().Draw(rt, "replay"), last.Board.Link.Phase == timeline.Closed
		v, c := live(), last
		for range rapid.IntRange(1, 16).Draw(rt, "steps") {
			w, h := rapid.IntRange(0, 170).Draw(rt, "w"), rapid.IntRange(0, 50).Draw(rt, "h")
			if rapid.IntRange(0, 4).Draw(rt, "drawn size") == 0 {
				size := rapid.SampledFrom([][2]int{{160, 43}, {100, 25}, {80, 19}, {40, 7}, {40, 6}, {4, 1}}).Draw(rt, "size")
				w, h = size[0], size[1]
			}
			uitest.InPlace(rt, v, c, w, h)
			switch rapid.IntRange(0, 6).Draw(rt, "what") {
			case 0:
				v.Click(rapid.IntRange(-1, w).Draw(rt, "x"), rapid.IntRange(-1, h).Draw(rt, "y"), rapid.IntRange(-1, 1).Draw(rt, "wheel"), c)
			case 1:
				c = goTo(t, last, rapid.IntRange(0, log.Len()-1).Draw(rt, "at"))
			case 2:
				v.Paste("text\x1b[2J\u202e", c)
			default:
				v.Key(rapid.SampledFrom(viewKeys).Draw(rt, "key"), c)
			}
			v.Help(c)
			v.Where(c)
			v.Narrow(c, w, h)
			v.Pick(c)
			v.Busy(c)
			uitest.InPlace(rt, v, c, w, h)
		}
	})
}
