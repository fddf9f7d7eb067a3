package ui

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

// manifested is a recording in which another manifest takes pushes and a
// toolset away; upTo frames of it are there at first.
func manifested() []byte {
	var b strings.Builder
	b.WriteString(`{"mcpl_recording":1,"id":"m","started":"2026-11-29T10:00:00.000000Z","tool":"mcpl-tui 0.1.0","target":{"kind":"stdio","command":["./chat"]},"redacted":false}` + "\n")
	n := 0
	frame := func(rest string) {
		n++
		fmt.Fprintf(&b, `{"seq":%d,"t":%.3f,"conn":1,%s}`+"\n", n, float64(n)/10, rest)
	}
	out := func(msg string) { frame(`"dir":"out","via":"stdio","msg":{"jsonrpc":"2.0",` + msg + `}`) }
	in := func(msg string) { frame(`"dir":"in","via":"stdio","msg":{"jsonrpc":"2.0",` + msg + `}`) }
	frame(`"dir":"note","note":"connect"`)
	frame(`"dir":"note","note":"connected","data":{"pid":7}`)
	out(`"id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"experimental":{"mcpl":{"version":"0.5","toolHints":true,"pushEvents":true,"modelInfo":true}}}}`)
	in(`"id":1,"result":{"protocolVersion":"2025-11-25","serverInfo":{"name":"chat","version":"2"},"capabilities":{"tools":{},"experimental":{"mcpl":` +
		`{"version":"0.5","toolHints":true,"pushEvents":true,"modelInfo":true,"featureSets":{"lines":{"uses":["pushEvents"]}},"toolsets":{"game":{"instances":true},"radio":{}}}}}}`)
	out(`"method":"notifications/initialized"`)
	out(`"id":2,"method":"featureSets/update","params":{"effectiveCapabilities":["tools","pushEvents","modelInfo"],"enabled":["lines"]}`)
	in(`"id":2,"result":{"accepted":true}`)
	out(`"id":3,"method":"tools/list","params":{}`)
	in(`"id":3,"result":{"tools":[{"name":"say","inputSchema":{"type":"object"}}]}`)
	out(`"id":4,"method":"toolsets/list","params":{}`)
	in(`"id":4,"result":{"open":[{"toolset":"game","instance":"ada"}],"ended":[],"_meta":{"mcpl/hints":{"rev":1}}}`)
	in(`"method":"mcpl/manifestChanged","params":{"domains":["capabilities"]}`) // frame 12
	out(`"id":5,"method":"mcpl/manifest","params":{}`)
	in(`"id":5,"result":{"version":"0.5","toolHints":true,"modelInfo":true,"featureSets":{"lines":{"uses":["pushEvents"]}},"toolsets":{"radio":{}}}`)
	out(`"id":6,"method":"featureSets/update","params":{"effectiveCapabilities":["tools","modelInfo"],"disabled":["lines"]}`)
	in(`"id":6,"result":{"accepted":true,"mode":"degraded","unavailableFeatures":[{"featureSet":"lines","missingCapabilities":["pushEvents"],"effect":"silence"}]}`)
	out(`"id":7,"method":"toolsets/list","params":{}`)
	in(`"id":7,"result":{"open":[],"ended":[],"_meta":{"mcpl/hints":{"rev":2}}}`)
	return []byte(b.String())
}

func chatting(t *testing.T, w, h int) *driver {
	s := gobanStatus(true)
	s.Title, s.Now = "stdio: ./chat", 3*time.Second
	return drive(t, newSource(t, manifested(), 11, s), w, h)
}

// section goes to a section of view 6, on a wide screen.
func (d *driver) section(head string) *driver {
	d.press("6").sees(head).press("tab").sees(head).press("/").typed(head).press("enter").sees(head)
	return d.press("esc")
}

func TestAnotherManifestIsToldUntilViewSixWasLookedAt(t *testing.T) {
	d := chatting(t, 160, 48).misses("ANOTHER MANIFEST")
	d.show(18).sees("← manifest", "capability-revoked pushEvents", "! ANOTHER MANIFEST",
		"capability-revoked pushEvents, feature-degraded lines, surface-changed game gone (ada)", "6  look")
	for _, size := range [][2]int{{160, 48}, {100, 30}, {80, 24}, {40, 12}} {
		d.size(size[0], size[1]).golden(fmt.Sprintf("manifest-%dx%d", size[0], size[1]))
	}
	d.size(160, 48).press("6").sees("CHANGES         1 change", "- capability-revoked  pushEvents", "~ surface-changed  game  gone, which closes ada")
	d.press("1").misses("ANOTHER MANIFEST").sees("← manifest")
}

func TestEnterOnALineOfTheGrantEditsIt(t *testing.T) {
	d := chatting(t, 160, 48).section("GRANT").press("j", "j").sees("enter edit the grant…")
	d.act.answer = func(string) Outcome {
		d.src.Show(16)
		return Outcome{OK: true, Request: 15, Answer: 16, Result: json.RawMessage(`{"accepted":true,"mode":"degraded"}`)}
	}
	d.press("enter").sees("GRANT", "CAPABILITIES", "▌  pushEvents", "[x] granted").press(" ").sees("[ ] - denied", ":deny pushEvents")
	if ran := d.act.ran(); len(ran) > 0 {
		t.Fatalf("ran %q before enter", ran)
	}
	d.press("enter").run().changed()
	if got := strings.Join(d.act.ran(), "|"); got != "deny pushEvents" {
		t.Fatalf("ran %q", got)
	}
	d.sees("RECEIPT", "✓ accepted", "mode  degraded", "frame 16").press("esc").sees("[6 Server]")
}

func TestTheGrantOfARecordingIsLookedAtAlone(t *testing.T) {
	s := gobanStatus(false)
	d := drive(t, newSource(t, manifested(), 0, s), 160, 48)
	d.section("GRANT").press("j").misses("edit the grant").press("enter").sees("[3 Wire")
}

func TestManifestsAreComparedWithTheFirstByD(t *testing.T) {
	d := chatting(t, 160, 48).show(18).section("CHANGES")
	d.sees("d against the first").press("d").sees("each manifest is compared with the first", "d against the one before")
	d.press("g", "d").sees("put the cursor into CHANGES")
}
