package timeline_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/timeline/timelinetest"
)

// flood is a session in which the server tells n changes at full speed.
func flood(n int) tape {
	s := tape{}
	add := func(dir wire.Dir, body string) {
		s = append(s, wire.Frame{
			Seq: int64(len(s) + 1), T: time.Duration(len(s)) * time.Millisecond, Conn: 1,
			Dir: dir, Via: "stdio", Form: wire.Msg, Body: []byte(body),
		})
	}
	add(wire.Out, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{"experimental":{"mcpl":{"version":"0.5","toolHints":true}}}}}`)
	add(wire.In, `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","serverInfo":{"name":"s","version":"1"},"capabilities":{"experimental":{"mcpl":`+manifestJSON+`}}}}`)
	add(wire.Out, `{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}`)
	tools := ""
	for i := range 40 {
		tools += fmt.Sprintf(`,{"name":"tool%d","description":"does %d","inputSchema":{"type":"object"},"_meta":{"mcpl/toolset":"game"}}`, i, i)
	}
	add(wire.In, `{"jsonrpc":"2.0","id":2,"result":{"tools":[`+tools[1:]+`]}}`)
	add(wire.In, `{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":1,"toolsets":[{"toolset":"game","instance":"a","state":"open"},{"toolset":"game","instance":"b","state":"open"}]}}`)
	for i := range n {
		add(wire.In, fmt.Sprintf(`{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":%d,"tools":[{"name":"tool%d","instance":"a","visible":%t},{"name":"tool%d","instance":"b","visible":%t}]}}`,
			i+2, i%40, i/40%2 == 0, i%37, i/37%2 == 0))
	}
	return s
}

func bytesOf(s tape) (n int64) {
	for _, f := range s {
		n += int64(len(f.Body))
	}
	return n
}

func perMessage(b *testing.B, s tape) {
	b.ReportAllocs()
	b.SetBytes(bytesOf(s))
	defer func() {
		b.ReportMetric(float64(b.N*len(s))/b.Elapsed().Seconds(), "msgs/s")
	}()
}

// BenchmarkReduce is the reducer alone; BenchmarkValid, beside it, is the
// floor: encoding/json.Valid called once on each message.
func BenchmarkReduce(b *testing.B) {
	s := flood(20_000)
	perMessage(b, s)
	for b.Loop() {
		state := timeline.NewState()
		for _, f := range s {
			state.Apply(f)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(s)), "ns/msg")
}

func BenchmarkLog(b *testing.B) {
	s := flood(20_000)
	perMessage(b, s)
	for b.Loop() {
		l := timeline.NewLog(s)
		if _, err := l.Advance(len(s)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkValid(b *testing.B) {
	s := flood(20_000)
	perMessage(b, s)
	for b.Loop() {
		for _, f := range s {
			if !json.Valid(f.Body) {
				b.Fatal("not valid")
			}
		}
	}
}

// BenchmarkBoard is the board at a frame far from the last one asked for.
func BenchmarkBoard(b *testing.B) {
	s := flood(100_000)
	l := timelinetest.Log(b, s)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		i = (i + 61_803) % len(s)
		if _, err := l.Board(i); err != nil {
			b.Fatal(err)
		}
	}
}
