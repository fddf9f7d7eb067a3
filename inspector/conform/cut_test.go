package conform_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/inspector/conform"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

func TestAMessageThatWasCutIsInvalidAlthoughItCanBeRead(t *testing.T) {
	note := func(data string) wire.Frame {
		return wire.Frame{Seq: 1, Conn: 1, Dir: wire.Note, Name: "stream", Data: []byte(data)}
	}
	run := judged(tape{note(`{"via":"http:post:1","state":"cut","reason":"the body ended after 12 bytes","seen":"{\"id\":1}"}`)}, conform.Options{})
	found := worse(run.Findings(), conform.Error)
	if len(found) != 1 || found[0].Rule != "json-invalid" || found[0].Seen != `{"id":1}` || !strings.Contains(found[0].Message, "was cut: the body ended after 12 bytes") {
		t.Errorf("found %s", lines(found))
	}
	if run := judged(tape{note(`{"via":"http:get:1","state":"open"}`)}, conform.Options{}); len(run.Findings()) != 0 {
		t.Errorf("a stream that opens is no fault: %s", lines(run.Findings()))
	}
}

func TestALineOfALogHidesNoOtherFaultAndAMessageThatWasCutMay(t *testing.T) {
	for line, hides := range map[string]bool{
		"debug: status was asked for":                             false,
		`debug: args {"to":"e4"}`:                                 false,
		`{"jsonrpc":"2.0","id":5,"resu`:                           true,
		`debug: sent {"jsonrpc":"2.0","method":"tools/list_ch`:    true,
		"[{\"jsonrpc\":\"2.0\",\"method\":\"tools/list_chang\xe9": true,
	} {
		s := handshake()
		s.add(wire.In, line)
		s.tape[len(s.tape)-1].Form = wire.FormOf([]byte(line))
		s.ask("tools/call", `{"name":"tool3","arguments":{"at":"A1"},"_meta":{"mcpl/instance":"c"}}`, `{"content":[]}`) // c is not open
		found := worse(judged(s.tape, conform.Options{}).Findings(), conform.Error)
		told := slices.ContainsFunc(found, func(f conform.Finding) bool { return f.Rule == "call-closed-toolset" })
		if told == hides {
			t.Errorf("%s: found\n%s", line, lines(found))
		}
	}
}
