package inspector_test

import (
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/inspector"
)

func TestTheLinkOverHTTPTellsItsSessionAndWhichStreamsAreOpenSinceWhen(t *testing.T) {
	p := newTape(t)
	p.via = "http:post:1"
	p.meets("")
	p.note("session", `{"id":"23a1***"}`)
	p.note("stream", `{"via":"http:get:1","state":"open","http":{"status":200,"headers":{}}}`)
	link := func() string { return told(t, p, inspector.ServerTarget{Kind: "http"})[inspector.KeyLink] }
	for _, want := range []string{"23a1*** begun by the server", "http:get:1  open since ", "2025-06-18   said with each request"} {
		if got := link(); !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	p.note("stream", `{"via":"http:get:1","state":"closed","reason":"the server ended it"}`)
	p.note("stream", `{"via":"http:get:1","state":"waiting","seconds":1.5,"reason":"the server ended it"}`)
	if got := link(); !strings.Contains(got, "http:get:1  rests since ") || !strings.Contains(got, "for 1.5 s   the server ended it") || strings.Contains(got, "open since") {
		t.Errorf("while it rests:\n%s", got)
	}
	p.note("stream", `{"via":"http:get:2","state":"open","follows":"http:get:1"}`)
	if got := link(); strings.Contains(got, "http:get:1") || !strings.Contains(got, "http:get:2  open since ") {
		t.Errorf("after it was taken up:\n%s", got)
	}
	p.note("session", `{"ended":true,"status":204}`)
	p.note("closed", `{"by":"host"}`)
	if got := link(); strings.Contains(got, "http:get:") || !strings.Contains(got, "given back") {
		t.Errorf("at the end:\n%s", got)
	}
}

func TestAServerWithoutListeningStreamIsSaidToHaveNone(t *testing.T) {
	p := newTape(t)
	p.via = "http:post:1"
	p.meets("")
	p.note("stream", `{"via":"http:get:1","state":"none","http":{"status":405,"headers":{}}}`)
	if got := told(t, p, inspector.ServerTarget{Kind: "http"})[inspector.KeyLink]; !strings.Contains(got, "no listening stream   status 405") {
		t.Errorf("%s", got)
	}
}

func TestTheNotesOfALinkOverHTTPAreToldInWords(t *testing.T) {
	for want, note := range map[string][2]string{
		"failed #7 the answer was cut":                         {"failed", `{"id":7,"via":"http:post:3","by":"server","reason":"the answer was cut"}`},
		"stream http:get:1 rests 2 s":                          {"stream", `{"via":"http:get:1","state":"waiting","seconds":2}`},
		"no listening stream, status 405":                      {"stream", `{"via":"http:get:1","state":"none","http":{"status":405}}`},
		"session 23a1*** begun by the server":                  {"session", `{"id":"23a1***"}`},
		"session not given back, status 405":                   {"session", `{"ended":false,"status":405}`},
		"redirect, status 307 to https://b.example/mcp":        {"redirect", `{"status":307,"from":"https://a.example/mcp","to":"https://b.example/mcp"}`},
		"OAuth: waiting for you https://login.example/x?a=***": {"auth", `{"step":"waiting for you","url":"https://login.example/x?a=***","seconds":300}`},
	} {
		p := newTape(t)
		p.note(note[0], note[1])
		h := inspector.HeadlineOf(p.log(), 0)
		if got := strings.Join(strings.Fields(h.What+" "+h.ID+" "+h.Words), " "); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
