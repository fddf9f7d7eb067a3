//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// Answers of the server that the traffic is of: 40 tools in a toolset with two
// open instances.
const (
	answerInit = `{"protocolVersion":"2025-11-25","serverInfo":{"name":"flood","version":"1"},"capabilities":{"tools":{},"experimental":{"mcpl":` +
		`{"version":"0.5","toolHints":true,"pushEvents":true,"featureSets":{"game.moves":{"description":"moves","uses":["pushEvents"]}},"toolsets":{"game":{"title":"Go","instances":true}}}}}}`
	answerSets = `{"open":[],"ended":[],"_meta":{"mcpl/hints":{"rev":1}}}`
	firstOpen  = `{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":2,"toolsets":[{"toolset":"game","instance":"a","state":"open"},{"toolset":"game","instance":"b","state":"open"}]}}`
)

func answerTools() string {
	out := ""
	for i := range 40 {
		out += fmt.Sprintf(`,{"name":"tool%d","description":"does %d","inputSchema":{"type":"object","properties":{"at":{"type":"string"}},"additionalProperties":false},"_meta":{"mcpl/toolset":"game"}}`, i, i)
	}
	return `{"tools":[` + out[1:] + `],"_meta":{"mcpl/rev":0}}`
}

func hint(rev int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":%d,"tools":[{"name":"tool%d","instance":"a","visible":%t},{"name":"tool%d","instance":"b","visible":%t}]}}`,
		rev, rev%40, rev/40%2 == 0, rev%37, rev/37%2 == 0)
}

// tape writes a recording.
type tape struct {
	w            *bufio.Writer
	seq, id, rev int
}

func (t *tape) line(dir, msg string) {
	t.seq++
	us := t.seq * 500
	fmt.Fprintf(t.w, `{"seq":%d,"t":%d.%06d,"conn":1,"dir":"%s","via":"stdio","msg":%s}`+"\n", t.seq, us/1e6, us%1e6, dir, msg)
}

func (t *tape) ask(method, params, result string) {
	t.id++
	t.line("out", fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"%s","params":%s}`, t.id, method, params))
	t.line("in", fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":%s}`, t.id, result))
}

// record writes a recording of n messages: of five, one is a hint by itself,
// two are calls whose results carry hints, one is a push that redefines a
// tool, one is a line of a log. They are about 270 bytes long.
func record(path string, n int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	t := &tape{w: bufio.NewWriterSize(f, 1<<20), rev: 2}
	fmt.Fprintln(t.w, `{"mcpl_recording":1,"id":"bench","started":"2026-11-29T10:00:00.000000Z","tool":"bench","target":{"kind":"stdio","command":["bench"]}}`)
	t.ask("initialize", `{"protocolVersion":"2025-11-25","clientInfo":{"name":"bench","version":"1"},"capabilities":{"experimental":{"mcpl":{"version":"0.5","toolHints":true,"pushEvents":true}}}}`, answerInit)
	t.line("out", `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	t.ask("featureSets/update", `{"effectiveCapabilities":["tools","pushEvents"]}`, `{"accepted":true}`)
	t.ask("tools/list", `{}`, answerTools())
	t.ask("toolsets/list", `{}`, answerSets)
	t.line("in", firstOpen)
	for i := 0; t.seq < n; i++ {
		t.some(i)
	}
	if err := t.w.Flush(); err != nil {
		return err
	}
	return f.Close()
}

func (t *tape) some(i int) {
	if i%5 != 4 {
		t.rev++
	}
	switch i % 5 {
	case 0:
		t.line("in", hint(t.rev))
	case 1, 2:
		t.ask("tools/call", `{"name":"tool1","arguments":{"at":"B2"},"_meta":{"mcpl/instance":"a"}}`,
			fmt.Sprintf(`{"content":[{"type":"text","text":"You play B2. Ada is thinking."}],"_meta":{"mcpl/hints":{"rev":%d,"tools":[{"name":"tool1","instance":"a","visible":true},{"name":"tool2","instance":"a","visible":%t}]}}}`, t.rev, t.rev%4 == 1))
	case 3:
		t.line("in", fmt.Sprintf(`{"jsonrpc":"2.0","id":"s%d","method":"push/event","params":{"featureSet":"game.moves","eventId":"mv-%d","timestamp":"2026-11-29T10:00:00.000Z","payload":{"content":[{"type":"text","text":"White plays C3. Your move, Black."}]},"hints":{"rev":%d,"tools":[{"name":"tool2","instance":"a","visible":%t,"definition":{"description":"move %d","inputSchema":{"type":"object","properties":{"at":{"type":"string","enum":["A1","B2","C3","D4"]}},"required":["at"]}}}]}}}`,
			t.rev, t.rev, t.rev, t.rev%4 == 3, t.rev))
		t.line("out", fmt.Sprintf(`{"jsonrpc":"2.0","id":"s%d","result":{"accepted":true}}`, t.rev))
	default:
		t.line("in", `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"a line of a log that is as long as lines of logs mostly are"}}`)
	}
}

// floor reads a file and calls encoding/json.Valid once on each line.
func floor(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	lines := bufio.NewReaderSize(f, 256<<10)
	for {
		line, err := lines.ReadSlice('\n')
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		case !json.Valid(line):
			return fmt.Errorf("a line of %s is no JSON", path)
		}
	}
}

// flood is an MCPL server that, once it has answered the handshake, sends n
// hints as fast as they are taken.
func flood(count string) error {
	n, err := strconv.Atoi(count)
	if err != nil {
		return err
	}
	lines, out := wire.NewLines(os.Stdin, 0), bufio.NewWriterSize(os.Stdout, 64<<10)
	for {
		line, err := lines.Next()
		if err != nil {
			return nil // the host has left
		}
		h := wire.Peek(line)
		result := map[string]string{
			"initialize": answerInit, "featureSets/update": `{"accepted":true}`, "tools/list": answerTools(), "toolsets/list": answerSets, "ping": `{}`,
		}[h.Method]
		if h.Kind != wire.Request {
			continue
		}
		fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", h.ID, result)
		if err := out.Flush(); err != nil {
			return nil
		}
		if h.Method == "toolsets/list" {
			if err := pour(out, n); err != nil {
				return nil
			}
		}
	}
}

// pour sends hints that were made before, so that what is measured is how they
// are taken.
func pour(out *bufio.Writer, n int) error {
	made := make([]byte, 0, n*160)
	made = append(append(made, firstOpen...), '\n')
	for i := range n {
		made = append(append(made, hint(i+3)...), '\n')
	}
	for len(made) > 0 {
		part := made[:min(len(made), 64<<10)]
		if _, err := os.Stdout.Write(part); err != nil {
			return err
		}
		made = made[len(part):]
	}
	return out.Flush()
}
