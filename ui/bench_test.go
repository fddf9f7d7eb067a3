package ui

import (
	"fmt"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
)

// endless is a session in which a server tells n changes of 40 tools in two
// instances. Its frames are made when they are asked for.
type endless int

func (n endless) Len() int { return int(n) + 5 }

func (n endless) Frame(i int) (timeline.Frame, error) {
	f := timeline.Frame{Seq: int64(i + 1), T: time.Duration(i) * time.Millisecond, Conn: 1, Dir: timeline.In, Via: "stdio", Form: 1}
	const begin = `{"jsonrpc":"2.0",`
	switch i {
	case 0:
		f.Dir = timeline.Out
		f.Body = []byte(begin + `"id":1,"method":"initialize","params":{"capabilities":{"experimental":{"mcpl":{"version":"0.5","toolHints":true}}}}}`)
	case 1:
		f.Body = []byte(begin + `"id":1,"result":{"protocolVersion":"2025-06-18","serverInfo":{"name":"endless","version":"1"},"capabilities":{"experimental":{"mcpl":` +
			`{"version":"0.5","toolHints":true,"toolsets":{"game":{"title":"Go","instances":true}}}}}}}`)
	case 2:
		f.Dir = timeline.Out
		f.Body = []byte(begin + `"id":2,"method":"tools/list","params":{}}`)
	case 3:
		f.Body = []byte(begin + `"id":2,"result":{"tools":[`)
		for k := range 40 {
			if k > 0 {
				f.Body = append(f.Body, ',')
			}
			f.Body = fmt.Appendf(f.Body, `{"name":"tool%d","inputSchema":{"type":"object"},"_meta":{"mcpl/toolset":"game"}}`, k)
		}
		f.Body = append(f.Body, `]}}`...)
	case 4:
		f.Body = []byte(begin + `"method":"tools/hints","params":{"rev":1,"toolsets":[{"toolset":"game","instance":"a","state":"open"},{"toolset":"game","instance":"b","state":"open"}]}}`)
	default:
		k := i - 5
		f.Body = fmt.Appendf(nil, begin+`"method":"tools/hints","params":{"rev":%d,"tools":[{"name":"tool%d","instance":"a","visible":%t},{"name":"tool%d","instance":"b","definition":{"description":"now %d"}}]}}`,
			k+2, k%40, k/40%2 == 0, k%37, k)
	}
	return f, nil
}

type endlessSource struct {
	log     *timeline.Log
	changed chan struct{}
}

func (s endlessSource) Log() *timeline.Log       { return s.log }
func (s endlessSource) Changed() <-chan struct{} { return s.changed }
func (s endlessSource) Status() Status           { return gobanStatus(false) }

// BenchmarkScreen is one whole screen of 160 × 48, as text for the terminal:
// again, and after a step of one rev, in sessions of 1,000 and of 1,000,000
// revs. It is to cost at most 4 ms, however long the session is.
func BenchmarkScreen(b *testing.B) {
	for _, n := range []int{1_000, 1_000_000} {
		log := uitest.Log(b, endless(n))
		for key, name := range map[string]string{"1": "board", "2": "lanes", "3": "wire"} {
			m := New(endlessSource{log, make(chan struct{})}, &actions{}, Options{StartPaused: true, Unicode: true, Env: func(string) string { return "" }})
			m.still = true
			press := func(k string) { m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(k)}) }
			m.Update(tea.WindowSizeMsg{Width: 160, Height: 48})
			press(key)
			m.goTo(n / 2)
			m.theme.Render(m.Draw())
			b.Run(fmt.Sprintf("%s/%d/again", name, n), func(b *testing.B) {
				for b.Loop() {
					m.theme.Render(m.Draw())
				}
			})
			b.Run(fmt.Sprintf("%s/%d/step", name, n), func(b *testing.B) {
				for i := 0; b.Loop(); i++ {
					press("]")
					m.theme.Render(m.Draw())
				}
			})
			m.Close()
		}
	}
}
