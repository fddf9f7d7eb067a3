package demo

import (
	"encoding/json"
	"fmt"
	"testing"
)

// FuzzConn hands a connection anything at all, before and after the
// handshake: it never panics, and whatever it emits is one JSON message on
// one line, by the reference's rules.
func FuzzConn(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":1,"method":"toolsets/open","params":` + adaOn5 + `}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"play","arguments":{"at":"C3"},"_meta":{"mcpl/instance":"one"}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"think","_meta":{"progressToken":1}}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
		`{"jsonrpc":"2.0","id":1e400,"method":"featureSets/update","params":{"effectiveCapabilities":["*"]}}`,
		`[{"jsonrpc":"2.0","id":"a","method":"ping"},[],{}]`,
		"{\"jsonrpc\":\"2.0\",\"id\":\"\\ud800\",\"method\":\"\\u0000\"}",
		`{"id":1,"result":{},"error":null}`,
		`not json`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		p := NewPrincipal(Options{Seed: 1})
		defer p.Close()
		r := newReference(func(rule, message string) { t.Errorf("%s: %s", rule, message) }, map[string]string{})
		quiet := false // ids that the fuzzer makes up twice are not the server's fault
		c := NewConn(p, func(msg []byte) {
			if !json.Valid(msg) {
				t.Errorf("no JSON: %q", msg)
			}
			if !quiet {
				r.in(msg)
			}
		})
		defer c.Close()
		take := func(msg string) {
			r.out([]byte(msg))
			c.Handle([]byte(msg))
		}
		quiet = true
		c.Handle(line)
		quiet = false
		for i, msg := range []string{
			`"method":"initialize","params":{"capabilities":` + hintsHost + `}`,
			`"method":"featureSets/update","params":{"effectiveCapabilities":["pushEvents"]}`,
			`"method":"tools/list"`, `"method":"toolsets/list"`,
			`"method":"toolsets/open","params":{"toolset":"game","instance":"one","options":{"opponent":"ada","size":5}}`,
		} {
			take(fmt.Sprintf(`{"jsonrpc":"2.0","id":"h%d",%s}`, i, msg))
		}
		quiet = true
		c.Handle(line)
	})
}
