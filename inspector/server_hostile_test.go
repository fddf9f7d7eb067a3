package inspector_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mcpl-tui/mcpl-tui/inspector"
)

// Whatever a peer sends in the messages that a server is told from, sections
// are bounded, and frames that they lead to are there.
func TestNothingAPeerSendsBreaksWhatIsToldOfAServer(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p := newTape(t)
		if rapid.Bool().Draw(rt, "met") {
			p.meets(anyJSON(rt, 0))
		}
		methods := []string{"initialize", "featureSets/update", "mcpl/manifest", "tools/list", "toolsets/list", "mcpl/manifestChanged", "notifications/initialized"}
		for range rapid.IntRange(1, 14).Draw(rt, "frames") {
			p.conn = rapid.SampledFrom([]int{1, 1, 1, 2}).Draw(rt, "conn")
			id := rapid.IntRange(1, 3).Draw(rt, "id")
			send := p.out
			if rapid.IntRange(0, 3).Draw(rt, "in") == 0 {
				send = p.in
			}
			switch rapid.IntRange(0, 6).Draw(rt, "what") {
			case 0, 1:
				send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, rapid.SampledFrom(methods).Draw(rt, "method"), grantJSON(rt)))
			case 2:
				p.in(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":%s}`, id, grantJSON(rt)))
			case 3:
				p.in(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"capabilities":{"experimental":{"mcpl":%s}},"serverInfo":%s}}`, id, grantJSON(rt), anyJSON(rt, 0)))
			case 4:
				send(fmt.Sprintf(`[{"jsonrpc":"2.0","method":%q,"params":%s},{"jsonrpc":"2.0","id":%d,"error":%s}]`,
					rapid.SampledFrom(methods).Draw(rt, "method"), anyJSON(rt, 0), id, anyJSON(rt, 0)))
			case 5:
				p.note(rapid.SampledFrom([]string{"connect", "connected", "closed"}).Draw(rt, "note"), anyJSON(rt, 0))
			default:
				p.stderr(rapid.SampledFrom(hostileWords).Draw(rt, "stderr"))
			}
		}
		log := p.log()
		var teller inspector.ServerTeller
		for at := range log.Len() {
			b, err := log.Board(at)
			if err != nil {
				rt.Fatal(err)
			}
			for _, s := range teller.Sections(log, b, inspector.ServerTarget{}) {
				boundedSection(rt, s, at)
			}
		}
	})
}

// grantJSON is a value with members that a grant, a receipt or a manifest has.
func grantJSON(t *rapid.T) string {
	if rapid.IntRange(0, 3).Draw(t, "any") == 0 {
		return anyJSON(t, 0)
	}
	keys := []string{
		"effectiveCapabilities", "deniedCapabilities", "enabled", "disabled", "accepted", "fallback", "unavailableFeatures", "notes", "mode",
		"revision", "toolsets", "featureSets", "surface", "version", "toolHints", "domains", "capabilities", "protocolVersion", "channels", "clientInfo",
	}
	var parts []string
	for range rapid.IntRange(0, 5).Draw(t, "members") {
		v := anyJSON(t, 1)
		if rapid.Bool().Draw(t, "usual") {
			v = rapid.SampledFrom([]string{
				`["tools","pushEvents"]`, `{"a":{"uses":["tools"]}}`, `true`, `false`, `"mcp-only"`, `[{"featureSet":"a"}]`, `{"experimental":{"mcpl":{"version":"1"}}}`,
			}).Draw(t, "value")
		}
		parts = append(parts, fmt.Sprintf("%q:%s", rapid.SampledFrom(keys).Draw(t, "key"), v))
	}
	return "{" + strings.Join(parts, ",") + "}"
}

func boundedSection(t interface{ Fatalf(string, ...any) }, s inspector.ServerSection, at int) {
	if len(s.Lines) > 400 || len(s.Lines) == 0 || len(s.Note) > 3000 || s.Head == "" || s.Key == "" {
		t.Fatalf("%s: %d lines, note %d", s.Head, len(s.Lines), len(s.Note))
	}
	for _, l := range s.Lines {
		if n := len(l.Plain()) + len(l.Right); n > 40_000 {
			t.Fatalf("a line of %d bytes under %s", n, s.Head)
		}
		if l.Index < -1 || l.Index > at {
			t.Fatalf("a line of %s leads to frame %d, after %d", s.Head, l.Index, at)
		}
	}
}

func TestAVeryLargeManifestIsToldInBoundedSections(t *testing.T) {
	p := newTape(t)
	huge := strings.Repeat("x", 1<<20)
	var sets, features, paths []string
	for i := range 5000 {
		sets = append(sets, fmt.Sprintf(`"t%d":{"title":"%s","options":{"type":"object","properties":{"a":{"type":"string"}}}}`, i, huge[:100]))
		features = append(features, fmt.Sprintf(`"f%d":{"uses":["p%d"],"description":"d"}`, i, i))
		paths = append(paths, fmt.Sprintf(`"p%d"`, i))
	}
	manifest := `{"version":"` + huge + `","toolsets":{` + strings.Join(sets, ",") + `},"featureSets":{` + strings.Join(features, ",") + `},"revision":"` + huge + `","` + huge + `":1}`
	p.meets(manifest)
	p.grants(2, `{"effectiveCapabilities":[`+strings.Join(paths, ",")+`]}`, `"result":{"accepted":true,"notes":[`+strings.Join(paths, ",")+`],"unavailableFeatures":[`+strings.Repeat(`{"featureSet":"f1"},`, 4999)+`{}]}`)
	p.out(`{"jsonrpc":"2.0","id":5,"method":"mcpl/manifest"}`)
	p.in(`{"jsonrpc":"2.0","id":5,"result":` + strings.Replace(manifest, `"t1":`, `"other":`, 1) + `}`)
	log := p.log()
	b, err := log.Board(log.Len() - 1)
	if err != nil {
		t.Fatal(err)
	}
	var teller inspector.ServerTeller
	for _, s := range teller.Sections(log, b, inspector.ServerTarget{}) {
		boundedSection(t, s, b.Index)
	}
}
