package inspector_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/inspector"
)

const (
	fullManifest = `{"version":"0.5","toolHints":true,"pushEvents":true,"featureSets":{"chat":{"uses":["pushEvents"]},"idle":{"uses":["modelInfo"]}},` +
		`"tagOntology":{"tags":{}},"toolsets":{"game":{"instances":true},"radio":{"default":"open"}}}`
	leanManifest = `{"version":"0.5","toolHints":true,"modelInfo":true,"featureSets":{"chat":{"uses":["pushEvents"]},"idle":{"uses":["modelInfo"]}},` +
		`"toolsets":{"polls":{}}}`
)

// changes writes a session whose manifest loses pushes and its toolsets, one
// of which is open, and gains modelInfo.
func (p *tape) changes() {
	p.meets(fullManifest)
	p.grants(2, `{"effectiveCapabilities":["tools","pushEvents"],"enabled":["chat"],"disabled":["idle"]}`, `"result":{"accepted":true}`)
	p.out(`{"jsonrpc":"2.0","id":3,"method":"tools/list"}`)
	p.in(`{"jsonrpc":"2.0","id":3,"result":{"tools":[{"name":"play","_meta":{"mcpl/toolset":"game"}}]}}`)
	p.out(`{"jsonrpc":"2.0","id":4,"method":"toolsets/list"}`)
	p.in(`{"jsonrpc":"2.0","id":4,"result":{"open":[{"toolset":"game","instance":"ada"},{"toolset":"radio"}],"ended":[],"_meta":{"mcpl/hints":{"rev":1}}}}`)
	p.in(`{"jsonrpc":"2.0","method":"mcpl/manifestChanged","params":{"domains":["capabilities"]}}`)
	p.out(`{"jsonrpc":"2.0","id":5,"method":"mcpl/manifest"}`)
	p.in(`{"jsonrpc":"2.0","id":5,"result":` + leanManifest + `}`)
}

func TestTheImpactsOfAManifestAreToldWithWhatBecameOfThem(t *testing.T) {
	p := newTape(t)
	p.changes()
	got := told(t, p, inspector.ServerTarget{})[inspector.KeyChanges]
	has(t, got,
		"domains: capabilities, tagOntology, toolsets", "! tagOntology, toolsets changed too, unannounced",
		"- capability-revoked  pushEvents  the server offers it no more",
		"◌ capability-expansion-pending  modelInfo  offered now, not told so far",
		"! feature-degraded  chat  lacks pushEvents", "+ feature-restored  idle  has all that it uses",
		"~ ontology-acceptance-invalidated  what was accepted of its tags counts no more",
		"~ surface-changed  game  gone, which closes ada", "~ surface-changed  radio  gone, which closes it", "~ surface-changed  polls  new")
	for _, c := range []struct{ id, params, answer, want string }{
		{"6", `{"effectiveCapabilities":["tools","modelInfo"],"enabled":["idle"],"disabled":["chat"]}`, "", "◌ capability-expansion-pending  modelInfo  told in frame 15, waits for the receipt"},
		{"", "", `{"jsonrpc":"2.0","id":6,"result":{"accepted":true}}`, "+ capability-expansion-pending  modelInfo  granted with the receipt, frame 16"},
	} {
		if c.id != "" {
			p.grants(6, c.params, c.answer)
		} else {
			p.in(c.answer)
		}
		has(t, told(t, p, inspector.ServerTarget{})[inspector.KeyChanges], c.want)
	}
	has(t, told(t, p, inspector.ServerTarget{})[inspector.KeyReceipts], "disabled      chat   lacks pushEvents")
}

func TestAnExpansionThatIsDeniedOrRefusedIsToldSo(t *testing.T) {
	for answer, want := range map[string]string{
		`{"effectiveCapabilities":["tools"],"deniedCapabilities":["modelInfo"]}`: "- capability-expansion-pending  modelInfo  offered now, denied by this host, frame 15",
		`{"effectiveCapabilities":["tools","modelInfo"]}`:                        "! capability-expansion-pending  modelInfo  told, and refused by the server, frame 16",
	} {
		p := newTape(t)
		p.changes()
		p.grants(6, answer, `"result":{"accepted":false,"fallback":"mcp-only"}`)
		all := told(t, p, inspector.ServerTarget{})
		has(t, all[inspector.KeyChanges], want)
		has(t, all[inspector.KeyReceipts], "then          nothing is granted that was not before; tools go on as in plain MCP")
	}
}

func TestRowThreeTellsAManifestUntilSomethingElseHappens(t *testing.T) {
	p := newTape(t)
	p.changes()
	var teller inspector.ManifestTeller
	says := func() string {
		s, ok := teller.Sentence(p.log(), len(p.all))
		if !ok {
			return ""
		}
		return fmt.Sprintf("%s %s %s: %s", s.About, s.Arrow, s.Carrier, strings.Join(s.Notes, "; "))
	}
	const want = "frame 14 ← manifest: capability-revoked pushEvents; capability-expansion-pending modelInfo; feature-degraded chat; " +
		"feature-restored idle; ontology-acceptance-invalidated; surface-changed game gone (ada), radio gone, polls new"
	if got := says(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	p.grants(6, `{"effectiveCapabilities":["tools","modelInfo"]}`, `"result":{"accepted":true}`)
	p.out(`{"jsonrpc":"2.0","id":7,"method":"toolsets/list"}`)
	p.in(`{"jsonrpc":"2.0","id":7,"result":{"open":[],"ended":[],"_meta":{"mcpl/hints":{"rev":2}}}}`)
	if got := says(); got != want {
		t.Errorf("after what follows from it: %s", got)
	}
	p.in(`{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":3,"toolsets":[{"toolset":"polls","state":"open"}]}}`)
	if got := says(); got != "" {
		t.Errorf("after a rev: %s", got)
	}
	for i, want := range map[int]string{13: "capability-revoked pushEvents", 12: ""} {
		if got := strings.Join(teller.At(p.log(), i).Words, "; "); !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("frame %d: %q", i+1, got)
		}
	}
}

func TestAnAnswerThatIsNoManifestLeavesTheOneBefore(t *testing.T) {
	for answer, want := range map[string]string{
		`"result":["no"]`:                          "not read: what came is no object; the one before stays in force",
		`"error":{"code":-32603,"message":"busy"}`: "not read: error -32603: busy",
	} {
		p := newTape(t)
		p.meets(fullManifest)
		p.out(`{"jsonrpc":"2.0","id":5,"method":"mcpl/manifest"}`)
		p.in(`{"jsonrpc":"2.0","id":5,` + answer + `}`)
		all := told(t, p, inspector.ServerTarget{})
		has(t, all[inspector.KeyChanges], "# CHANGES | ! the last could not be read", want)
		has(t, all[inspector.KeyToolsets], "# TOOLSETS | game, radio")
		var teller inspector.ManifestTeller
		if s, ok := teller.Sentence(p.log(), len(p.all)); !ok || s.Notes[0] != want {
			t.Errorf("row 3: %+v", s)
		}
	}
}

func TestManifestsAreComparedWithTheFirstAndWithTheMark(t *testing.T) {
	p := newTape(t)
	p.meets(firstManifest)
	for i := range 4 {
		p.out(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"mcpl/manifest"}`, 100+i))
		p.in(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"version":"0.5","n":%d}}`, 100+i, i))
	}
	log := p.log()
	b, err := log.Board(log.Len() - 1)
	if err != nil {
		t.Fatal(err)
	}
	for base, want := range map[inspector.ManifestBase]string{
		inspector.WithBefore: "~ mcpl/manifest   0:00.130   against frame 11: n differs",
		inspector.WithFirst:  "against frame 4: n, toolHints, pushEvents, toolsets, coreTags differ",
		inspector.WithMark:   "~ mcpl/manifest   0:00.130   against frame 7: n differs",
	} {
		teller := inspector.ServerTeller{Against: base, Mark: 7}
		for _, s := range teller.Sections(log, b, inspector.ServerTarget{}) {
			if s.Key == inspector.KeyChanges {
				has(t, printSection(s), want)
			}
		}
	}
}

func TestReceiptsAreToldInWords(t *testing.T) {
	for result, want := range map[string]string{
		`{"accepted":true,"mode":"degraded","unavailableFeatures":[{"featureSet":"chat","missingCapabilities":["pushEvents"],"effect":"disabled"}],"notes":["as you like"]}`: "✓ accepted\n" +
			" mode          degraded\n unavailable   chat   lacks pushEvents, effect: disabled\n notes         “as you like”",
		`{"accepted":false,"fallback":"close","reason":"no"}`: "! not accepted\n answer        refused, asks to close (close): “no”\n then          nothing is granted that was not before; the connection is to be closed",
	} {
		var lines []string
		for _, l := range inspector.ReceiptWords([]byte(result)) {
			lines = append(lines, l.Sign+" "+l.Plain())
		}
		if got := strings.Join(lines, "\n"); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}
