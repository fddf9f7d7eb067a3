package conform_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/inspector/conform"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
)

// benchFrames is how many messages the benchmarks judge.
const benchFrames = 100_000

// script builds frames of one connection.
type script struct {
	tape
	id int
}

func (s *script) add(dir wire.Dir, body string) {
	s.tape = append(s.tape, wire.Frame{
		Seq: int64(len(s.tape) + 1), T: time.Duration(len(s.tape)) * time.Millisecond, Conn: 1,
		Dir: dir, Via: "stdio", Form: wire.Msg, Body: []byte(body),
	})
}

func (s *script) ask(method, params, result string) {
	s.id++
	s.add(wire.Out, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, s.id, method, params))
	s.add(wire.In, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":%s}`, s.id, result))
}

// handshake is a server with 40 tools in a toolset with two open instances.
func handshake() *script {
	s := &script{}
	s.ask("initialize", `{"capabilities":{"experimental":{"mcpl":{"version":"0.5","toolHints":true}}}}`,
		`{"protocolVersion":"2025-06-18","serverInfo":{"name":"s","version":"1"},"capabilities":{"tools":{"listChanged":true},"experimental":{"mcpl":{"version":"0.5","toolHints":true,"pushEvents":true,"toolsets":{"game":{"title":"Go","instances":true}}}}}}`)
	s.add(wire.Out, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	s.ask("featureSets/update", `{"effectiveCapabilities":["tools","pushEvents"]}`, `{"accepted":true}`)
	tools := ""
	for i := range 40 {
		tools += fmt.Sprintf(`,{"name":"tool%d","description":"does %d","inputSchema":{"type":"object","properties":{"at":{"type":"string","enum":["A1","B2","C3"]}},"required":["at"],"additionalProperties":false},"_meta":{"mcpl/toolset":"game"}}`, i, i)
	}
	s.ask("tools/list", `{}`, `{"tools":[`+tools[1:]+`],"_meta":{"mcpl/rev":0}}`)
	s.ask("toolsets/list", `{}`, `{"open":[],"ended":[],"_meta":{"mcpl/hints":{"rev":1}}}`)
	s.add(wire.In, `{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":2,"toolsets":[{"toolset":"game","instance":"a","state":"open"},{"toolset":"game","instance":"b","state":"open"}]}}`)
	return s
}

// hintFlood is a server that tells changes at full speed.
func hintFlood() tape {
	s := handshake()
	for i := 0; len(s.tape) < benchFrames; i++ {
		s.add(wire.In, fmt.Sprintf(`{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":%d,"tools":[{"name":"tool%d","instance":"a","visible":%t},{"name":"tool%d","instance":"b","visible":%t}]}}`,
			i+3, i%40, i/40%2 == 0, i%37, i/37%2 == 0))
	}
	return s.tape
}

// callFlood is calls and their results with hints, and pushes that explain.
func callFlood() tape {
	s := handshake()
	for rev := 3; len(s.tape) < benchFrames; rev += 2 {
		s.ask("tools/call", `{"name":"tool1","arguments":{"at":"B2"},"_meta":{"mcpl/instance":"a"}}`,
			fmt.Sprintf(`{"content":[{"type":"text","text":"You play B2. Ada is thinking."}],"_meta":{"mcpl/hints":{"rev":%d,"tools":[{"name":"tool1","instance":"a","visible":true},{"name":"tool2","instance":"a","visible":%t}]}}}`, rev, rev%4 == 1))
		s.add(wire.In, fmt.Sprintf(`{"jsonrpc":"2.0","id":"s%d","method":"push/event","params":{"featureSet":"game.moves","eventId":"mv-%d","timestamp":"2026-11-29T10:00:00.000Z","payload":{"content":[{"type":"text","text":"White plays C3. Your move, Black."}]},"hints":{"rev":%d,"tools":[{"name":"tool2","instance":"a","visible":%t,"definition":{"name":"tool2","description":"move %d","inputSchema":{"type":"object","properties":{"at":{"type":"string","enum":["A1","B2","C3","D4"]}},"required":["at"]}}}]}}}`, rev, rev, rev+1, rev%4 == 3, rev))
		s.add(wire.Out, fmt.Sprintf(`{"jsonrpc":"2.0","id":"s%d","result":{"accepted":true}}`, rev))
	}
	return s.tape
}

// gobanAgain is the goban session over and over, each a connection.
func gobanAgain(tb testing.TB) tape {
	frames, _ := readTape(tb, uitest.Goban())
	var out tape
	for n := 1; len(out) < benchFrames; n++ {
		for _, f := range frames {
			f.Seq, f.Conn = int64(len(out)+1), n
			f.T += time.Duration(n) * time.Hour
			out = append(out, f)
		}
	}
	return out
}

// BenchmarkJudge reduces 100,000 messages with a judge beside, and without, in
// turn. "ratio" is what both cost together to what reducing costs, of the best
// turn of each.
func BenchmarkJudge(b *testing.B) {
	for _, s := range []struct {
		name   string
		frames func() tape
	}{
		{"hints", hintFlood},
		{"calls", callFlood},
		{"goban", func() tape { return gobanAgain(b) }},
		{"lists", listFlood},
	} {
		b.Run(s.name, func(b *testing.B) {
			frames := s.frames()
			best := [2]time.Duration{1 << 62, 1 << 62}
			for b.Loop() {
				for i, do := range []func(tape){reduce, judge} {
					start := time.Now()
					do(frames)
					best[i] = min(best[i], time.Since(start))
				}
			}
			b.ReportMetric(float64(best[1])/float64(best[0]), "ratio")
			for i, what := range []string{"reduce-ns/msg", "both-ns/msg"} {
				b.ReportMetric(float64(best[i].Nanoseconds())/float64(len(frames)), what)
			}
		})
	}
}

func judge(frames tape) {
	run := conform.NewRun(conform.Options{})
	for _, f := range frames {
		run.Frame(f)
	}
	run.End()
}

func reduce(frames tape) {
	state := timeline.NewState()
	for _, f := range frames {
		state.Apply(f)
	}
}

// listFlood is a server whose lists are read over and over.
func listFlood() tape {
	s := handshake()
	list := string(wire.Member(s.tape[7].Body, "result"))
	for rev := 3; len(s.tape) < benchFrames/10; rev++ {
		s.ask("tools/list", `{}`, list)
		s.ask("toolsets/list", `{}`, fmt.Sprintf(`{"open":[{"toolset":"game","instance":"a"},{"toolset":"game","instance":"b"}],"ended":[],"_meta":{"mcpl/hints":{"rev":%d,"tools":[{"name":"tool1","instance":"a","visible":true}]}}}`, rev))
	}
	return s.tape
}
