package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/inspector/conform"
	"github.com/mcpl-tui/mcpl-tui/record"
	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
)

// someTraffic writes a recording of n messages that says much in little: hints,
// calls, pushes, redefinitions, errors, lists, lines that are cut, and bodies
// of all forms, with names that differ, so that whatever were kept of a frame
// without a copy would be seen.
func someTraffic(tb testing.TB, n int) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "some.mcpl.jsonl")
	var b bytes.Buffer
	b.WriteString(`{"mcpl_recording":1,"id":"x","started":"2026-11-29T10:00:00Z","tool":"test","target":{"kind":"stdio","command":["x"]}}` + "\n")
	dice := rand.New(rand.NewPCG(1, 2))
	seq, id, rev := 0, 0, 0
	line := func(dir, form, body string) {
		seq++
		fmt.Fprintf(&b, `{"seq":%d,"t":%d.%06d,"conn":1,"dir":"%s","via":"stdio","%s":%s}`+"\n", seq, seq/1000, seq%1000*1000, dir, form, body)
	}
	ask := func(method, params, result string) {
		id++
		line("out", "msg", fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, params))
		line("in", "msg", fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":%s}`, id, result))
	}
	ask("initialize", `{"capabilities":{"experimental":{"mcpl":{"version":"0.5","toolHints":true}}}}`,
		`{"protocolVersion":"2025-11-25","serverInfo":{"name":"s","version":"1"},"capabilities":{"tools":{},"experimental":{"mcpl":{"version":"0.5","toolHints":true,"pushEvents":true,"toolsets":{"game":{"title":"Go","instances":true},"radio":{"default":"open"}}}}}}`)
	ask("featureSets/update", `{"effectiveCapabilities":["tools","pushEvents"]}`, `{"accepted":true}`)
	tools := `{"name":"help"}`
	for i := range 30 {
		tools += fmt.Sprintf(`,{"name":"tool-%d","description":"does %d","inputSchema":{"type":"object"},"_meta":{"mcpl/toolset":"game"}}`, i, i)
	}
	ask("tools/list", `{}`, `{"tools":[`+tools+`],"_meta":{"mcpl/rev":0}}`)
	for seq < n {
		rev++
		hints := fmt.Sprintf(`{"rev":%d,"tools":[{"name":"tool-%d","instance":"i%d","visible":%t,"definition":{"description":"%d"}},{"name":"none-%d"}]}`,
			rev, dice.IntN(30), dice.IntN(4), dice.IntN(2) == 0, seq, seq)
		switch dice.IntN(12) {
		case 0:
			ask("toolsets/open", fmt.Sprintf(`{"toolset":"game","instance":"i%d"}`, dice.IntN(4)),
				fmt.Sprintf(`{"_meta":{"mcpl/hints":{"rev":%d,"toolsets":[{"toolset":"game","instance":"i%d","state":"open","title":"game %d"}]}}}`, rev, dice.IntN(4), seq))
		case 1:
			ask("toolsets/close", fmt.Sprintf(`{"toolset":"game","instance":"i%d"}`, dice.IntN(4)), `{"_meta":{"mcpl/hints":`+hints+`}}`)
		case 2:
			line("in", "msg", fmt.Sprintf(`{"jsonrpc":"2.0","id":"p%d","method":"push/event","params":{"featureSet":"f","eventId":"e%d","payload":{"content":[]},"hints":%s}}`, seq, dice.IntN(n), hints))
		case 3:
			line("in", "text", fmt.Sprintf("%q", fmt.Sprintf("[\n {\"method\":\"tools/hints\",\"params\":%s}]", hints)))
		case 4:
			line("in", "msg", fmt.Sprintf(`[{"method":"tools/hints","params":%s},{"id":%d,"result":{}}]`, hints, seq))
		case 5:
			line("err", "text", fmt.Sprintf(`"a line of stderr, %d"`, seq))
			fmt.Fprintf(&b, `{"seq":%d,"dir":"note","note":"mark","data":{"text":"m%d"}}`+"\n", seq, seq)
		case 6:
			b.WriteString(`{"seq":1,"t":` + "\n")
		case 7:
			line("in", "msg", fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32000,"message":"no %d \u001b"}}`, dice.IntN(id+2), seq))
		case 8:
			line("in", "msg", fmt.Sprintf(`{"method":"tools/hints","params":{"rev":%d,"suggest":[{"toolset":"radio","reason":"why %d"}]},"id":%d,"id":%d}`, rev, seq, seq, seq))
		default:
			ask("tools/call", fmt.Sprintf(`{"name":"tool-%d","arguments":{"n":%d},"_meta":{"mcpl/instance":"i1"}}`, dice.IntN(30), seq), `{"content":[{"type":"text","text":"x"}],"_meta":{"mcpl/hints":`+hints+`}}`)
		}
	}
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		tb.Fatal(err)
	}
	return path
}

func recordings(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "ui", "uitest", "testdata", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	goban := filepath.Join(t.TempDir(), "goban.mcpl.jsonl")
	if err := os.WriteFile(goban, []byte(uitest.Goban()), 0o600); err != nil {
		t.Fatal(err)
	}
	return append(files, goban, someTraffic(t, 30_000))
}

func TestOnePassFindsWhatReadingFrameByFrameFinds(t *testing.T) {
	for _, path := range recordings(t) {
		rec, err := record.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer rec.Close()
		byFrame, err := judge(t.Context(), rec, conform.Options{})
		if err != nil {
			t.Fatal(err)
		}
		pass, err := record.Begin(path)
		if err != nil {
			t.Fatal(err)
		}
		once, err := judgeFile(t.Context(), pass, conform.Options{})
		if err != nil {
			t.Fatal(err)
		}
		a, b := asJSON(t, byFrame.report(path, rec.Header())), asJSON(t, once.report(path, pass.Header))
		if !bytes.Equal(a, b) {
			t.Errorf("%s: frame by frame, and in one pass:%s", filepath.Base(path), firstDifference(a, b))
		}
	}
}

func TestTheStateAfterOnePassIsTheOneOfTheLog(t *testing.T) {
	for _, path := range recordings(t) {
		l, err := load(t.Context(), path, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		defer l.rec.Close()
		last := l.log.Len() - 1
		for _, i := range []int{0, last / 3, last / 2, last} {
			want, err := l.log.Board(i)
			if err != nil {
				t.Fatal(err)
			}
			got, err := boardAt(t.Context(), path, moment{seq: l.log.Entry(i).Seq}, io.Discard)
			if err != nil {
				t.Fatal(err)
			}
			if l.log.IndexOf(want.Seq) == i && !bytes.Equal(asJSON(t, got), asJSON(t, want)) {
				t.Errorf("%s: frame %d of the log, and in one pass:%s", filepath.Base(path), want.Seq, firstDifference(asJSON(t, want), asJSON(t, got)))
			}
		}
		if n := l.log.RowCount(); n > 0 {
			rev := l.log.RowHead(n / 2).Rev
			want, wantErr := l.log.BoardOfRev(0, rev)
			got, err := boardAt(t.Context(), path, moment{rev: rev}, io.Discard)
			if (err == nil) != (wantErr == nil) || err == nil && !bytes.Equal(asJSON(t, got), asJSON(t, want)) {
				t.Errorf("%s: rev %d of the log (%v), and in one pass (%v):%s", filepath.Base(path), rev, wantErr, err, firstDifference(asJSON(t, want), asJSON(t, got)))
			}
		}
	}
}

// firstDifference returns what stands around the first byte that differs.
func firstDifference(a, b []byte) string {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	from := max(i-120, 0)
	return fmt.Sprintf("\n%s\n%s", a[from:min(i+120, len(a))], b[from:min(i+120, len(b))])
}

func asJSON(t *testing.T, v any) []byte {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}
