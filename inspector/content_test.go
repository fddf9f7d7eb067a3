package inspector_test

import (
	"bytes"
	"encoding/base64"
	"io"
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/inspector"
)

const mixed = `{"content":[` +
	`{"type":"text","text":"a line\nand another"},` +
	`{"type":"image","mimeType":"image/png","data":"iVBORw0KGgo="},` +
	`{"type":"audio","mimeType":"audio/wav","data":"UklGRg"},` +
	`{"type":"resource","resource":{"uri":"file:///a.txt","mimeType":"text/plain","text":"in it"}},` +
	`{"type":"resource","resource":{"uri":"file:///b.bin","blob":"-_-_"}},` +
	`{"type":"resource_link","uri":"file:///main.go","name":"main.go","mimeType":"text/x-go"},` +
	`{"type":"hologram","depth":3}]}`

func TestEachKindOfContentIsToldWithItsTypeAndSize(t *testing.T) {
	want := []string{
		"text, 18 B", "image/png, 8 B", "audio/wav, 4 B", "file:///a.txt, text/plain, 5 B", "file:///b.bin, resource, 3 B",
		"a link to main.go, text/x-go", "hologram",
	}
	list := inspector.Contents([]byte(mixed))
	if len(list) != len(want) {
		t.Fatalf("%d items: %+v", len(list), list)
	}
	for i, c := range list {
		if c.N != i+1 || c.Words() != want[i] {
			t.Errorf("item %d is told as %q, want %q", c.N, c.Words(), want[i])
		}
	}
	for result, words := range map[string]string{
		`{"contents":[{"uri":"test://1","mimeType":"text/plain","text":"x"},{"uri":"test://2","blob":"AAA="}]}`:                     "test://1, text/plain, 1 B|test://2, resource, 2 B",
		`{"messages":[{"role":"user","content":{"type":"text","text":"hi"}},{"role":"user","content":{"type":"image","data":""}}]}`: "text, 2 B|image, 0 B",
		`{"content":{"type":"text","text":"alone"}}`: "text, 5 B",
		`{"content":"words"}`:                        "",
		`{"content":[1,null,"x",[]]}`:                "resource|resource|resource|resource",
		`{}`:                                         "",
	} {
		var got []string
		for _, c := range inspector.Contents([]byte(result)) {
			got = append(got, c.Words())
		}
		if strings.Join(got, "|") != words {
			t.Errorf("%s: %q", result, got)
		}
	}
}

func TestContentIsReadAsItsBytes(t *testing.T) {
	list := inspector.Contents([]byte(mixed))
	for n, want := range map[int]string{0: "a line\nand another", 1: "\x89PNG\r\n\x1a\n", 2: "RIFF", 3: "in it", 4: "\xfb\xff\xbf"} {
		got, err := io.ReadAll(list[n].Open())
		if err != nil || string(got) != want || int64(len(got)) != list[n].Size {
			t.Errorf("item %d reads %q, %v; told as %d bytes", n+1, got, err, list[n].Size)
		}
	}
	for raw, want := range map[string]string{`"AA\/A"`: "\x00\x0f\xc0", `"AA\nAA"`: "\x00\x00\x00", `"!?"`: "error", `"A"`: "error", `""`: ""} {
		c := inspector.Contents([]byte(`{"content":[{"type":"image","data":` + raw + `}]}`))[0]
		got, err := io.ReadAll(c.Open())
		if (err != nil) != (want == "error") || err == nil && string(got) != want {
			t.Errorf("%s reads %q, %v", raw, got, err)
		}
	}
}

func TestALargeContentIsDecodedAsItIsRead(t *testing.T) {
	data := bytes.Repeat([]byte{1, 2, 3}, 10<<20/3)
	result := []byte(`{"content":[{"type":"image","data":"` + base64.StdEncoding.EncodeToString(data) + `"}]}`)
	if n := testing.AllocsPerRun(1, func() {
		c, err := inspector.ContentOf(result, 1)
		if err != nil || c.Size != int64(len(data)) {
			t.Fatal(c.Size, err)
		}
		if n, err := io.Copy(io.Discard, c.Open()); err != nil || n != c.Size {
			t.Fatal(n, err)
		}
	}); n > 50 {
		t.Errorf("%v allocations", n)
	}
}

func TestAContentThatIsNotThereIsTold(t *testing.T) {
	for n, want := range map[int]string{0: "no content 0; it has 7 items", 8: "no content 8", 6: "content 6 holds no bytes: a link to main.go"} {
		if _, err := inspector.ContentOf([]byte(mixed), n); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d: %v", n, err)
		}
	}
	if _, err := inspector.ContentOf([]byte(`{}`), 1); err == nil || !strings.Contains(err.Error(), "holds no content") {
		t.Error(err)
	}
}

func TestAWordForProgramsIsFoundInTheMetaOfAToolError(t *testing.T) {
	for result, want := range map[string]string{
		`{"isError":true,"_meta":{"vendor.example/code":"NOT_ALLOWED"}}`:                           "NOT_ALLOWED",
		`{"isError":true,"_meta":{"vendor":{"error":{"code":"E42","reason":"x"}}}}`:                "E42",
		`{"isError":true,"_meta":{"status":"failed","errorCode":-7}}`:                              "-7",
		`{"isError":true,"_meta":{"mcpl/hints":{"rev":3,"code":"no"},"note":"x"}}`:                 "",
		`{"isError":true,"_meta":{"code":"` + strings.Repeat("long", 40) + `"}}`:                   "",
		`{"isError":false,"_meta":{"code":"FINE"}}`:                                                "",
		`{"isError":true,"_meta":{"a":{"b":{"c":{"d":{"code":"DEEP"}}}}}}`:                         "",
		`{"isError":true,"_meta":5}`:                                                               "",
		`{"isError":true,"_meta":{"com.example.error_code":"quota","com.example.retryAfter":"1"}}`: "quota",
	} {
		if got := inspector.ErrorWord([]byte(result)); got != want {
			t.Errorf("%s: %q, want %q", result, got, want)
		}
	}
}

func TestAResultIsShownWithItsContentsAndTheWordOfItsError(t *testing.T) {
	p := newTape(t)
	p.negotiated()
	p.out(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"status"}}`)
	a := p.in(`{"jsonrpc":"2.0","id":5,"result":` + mixed + `}`)
	p.out(`{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"status"}}`)
	e := p.in(`{"jsonrpc":"2.0","id":6,"result":{"isError":true,"content":[{"type":"text","text":"no"}],"_meta":{"x/code":"DENIED"}}}`)
	log := p.log()
	has(
		t, print(inspector.Frame(log, a)), "CONTENT    «7 items»", "2  image      image/png, 8 B", ":save content 8.2 FILE",
		"6  resource_link  a link to main.go",
	)
	got := print(inspector.Frame(log, e))
	has(t, got, "tool error DENIED")
	hasNot(t, got, "CONTENT")
	has(t, inspector.HeadlineOf(log, e).Text(), "! tool error DENIED  no")
}

func TestStructuredContentIsJudgedByTheOutputSchema(t *testing.T) {
	for result, want := range map[string]string{
		`"structuredContent":{"n":1}`:   "✓ its structuredContent is as its outputSchema says",
		`"structuredContent":{"n":"x"}`: "! its structuredContent breaks its outputSchema",
		`"content":[]`:                  "! the tool declares an outputSchema, and the result has no structuredContent",
	} {
		p := newTape(t)
		p.out(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
		p.in(`{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"count","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"n":{"type":"integer"}}}}]}}`)
		p.out(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"count"}}`)
		a := p.in(`{"jsonrpc":"2.0","id":2,"result":{` + result + `}}`)
		has(t, print(inspector.Frame(p.log(), a)), want)
	}
}
