package inspector_test

import (
	"testing"

	"github.com/mcpl-tui/mcpl-tui/inspector"
)

func TestARequestOrItsAnswerGivesTheLineThatRepeatsIt(t *testing.T) {
	const rpc = `{"jsonrpc":"2.0",`
	for want, body := range map[string]string{
		`call play@vs-ada {"at":"D4"}`: rpc + `"id":1,"method":"tools/call","params":{"name":"play","arguments":{"at":"D4"},"_meta":{"mcpl/instance":"vs-ada"}}}`,
		`call status`:                  rpc + `"id":1,"method":"tools/call","params":{"name":"status","arguments":{}}}`,
		`open game as ada {"size":9}`:  rpc + `"id":1,"method":"toolsets/open","params":{"toolset":"game","instance":"ada","options":{"size":9}}}`,
		`close game ada`:               rpc + `"id":1,"method":"toolsets/close","params":{"toolset":"game","instance":"ada"}}`,
		`tools`:                        rpc + `"id":1,"method":"tools/list"}`,
		`toolsets`:                     rpc + `"id":1,"method":"toolsets/list","params":{}}`,
		`raw x/y [1]`:                  rpc + `"id":1,"method":"x/y","params":[1]}`,
	} {
		p := newTape(t)
		p.out(body)
		p.in(rpc + `"id":1,"result":{}}`)
		log := p.log()
		for i := range 2 {
			r, ok := inspector.RequestOf(log, i)
			if !ok || r.Line != want || r.Index != 0 {
				t.Errorf("frame %d: %q at %d, want %q", i+1, r.Line, r.Index, want)
			}
		}
	}
	p := newTape(t)
	p.out(rpc + `"method":"notifications/roots/list_changed"}`)
	p.in(rpc + `"id":"s1","method":"push/event","params":{}}`)
	p.out(rpc + `"id":"s1","result":{}}`)
	p.stderr("x")
	p.in(rpc + `"id":99,"result":{}}`)
	log := p.log()
	if r, ok := inspector.RequestOf(log, 0); !ok || r.Line != "notify notifications/roots/list_changed" {
		t.Errorf("%q", r.Line)
	}
	for i := 1; i < log.Len(); i++ {
		if r, ok := inspector.RequestOf(log, i); ok {
			t.Errorf("frame %d asked nothing of the server: %q", i+1, r.Line)
		}
	}
	if _, ok := inspector.RequestOf(log, 99); ok {
		t.Error("a frame that is not there")
	}
}

func TestACommandIsQuotedForAShell(t *testing.T) {
	r := inspector.Request{Line: `call say {"text":"it's"}`}
	if got, want := r.DoCommand("demo"), `mcpl-tui do -c 'call say {"text":"it'\''s"}' demo`; got != want {
		t.Errorf("%s", got)
	}
}

func TestMentionsAreWhatHintsSpeakOf(t *testing.T) {
	p := newTape(t)
	p.negotiated()
	i := p.in(`{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":2,"tools":[{"name":"undo","instance":"ada"}],"toolsets":[{"toolset":"chat","state":"open"}],"suggest":[{"toolset":"game"}]}}`)
	log := p.log()
	got := inspector.Mentions(log, i)
	want := []inspector.Mention{{Tool: "undo", Instance: "ada"}, {Toolset: "chat"}, {Toolset: "game"}}
	if len(got) != 3 || got[0] != want[0] || got[1] != want[1] || got[2] != want[2] {
		t.Errorf("%+v", got)
	}
	if m := inspector.Mentions(log, 0); m != nil {
		t.Errorf("%+v", m)
	}
}
