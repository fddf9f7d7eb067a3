package lanes

import (
	"fmt"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/timeline/timelinetest"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// flood is a session in which the server tells n changes at full speed. Its
// frames are made when they are asked for.
type flood int

func (f flood) Len() int { return int(f) + 5 }

const floodTools = 40

func (f flood) Frame(i int) (timeline.Frame, error) {
	fr := timeline.Frame{Seq: int64(i + 1), T: time.Duration(i) * time.Millisecond, Conn: 1, Dir: timeline.In, Via: "stdio", Form: 1}
	switch i {
	case 0:
		fr.Dir = timeline.Out
		fr.Body = []byte(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{"experimental":{"mcpl":{"version":"0.5","toolHints":true}}}}}`)
	case 1:
		fr.Body = []byte(`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","serverInfo":{"name":"s","version":"1"},"capabilities":{"experimental":{"mcpl":` +
			`{"version":"0.5","toolHints":true,"toolsets":{"game":{"title":"Go","instances":true}}}}}}}`)
	case 2:
		fr.Dir = timeline.Out
		fr.Body = []byte(`{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}`)
	case 3:
		tools := ""
		for k := range floodTools {
			tools += fmt.Sprintf(`,{"name":"tool%d","description":"does %d","inputSchema":{"type":"object"},"_meta":{"mcpl/toolset":"game"}}`, k, k)
		}
		fr.Body = []byte(`{"jsonrpc":"2.0","id":2,"result":{"tools":[` + tools[1:] + `]}}`)
	case 4:
		fr.Body = []byte(`{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":1,"toolsets":[{"toolset":"game","instance":"a","state":"open"},{"toolset":"game","instance":"b","state":"open"}]}}`)
	default:
		n := i - 5
		fr.Body = fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":%d,"tools":[{"name":"tool%d","instance":"a","visible":%t},{"name":"tool%d","instance":"b","definition":{"description":"now %d"}}]}}`,
			n+2, n%floodTools, n/floodTools%2 == 0, n%37, n)
	}
	return fr, nil
}

func floodContext(tb testing.TB, n, at int) *view.Context {
	tb.Helper()
	log := timelinetest.Log(tb, flood(n))
	if at < 0 {
		at = log.Len() - 1
	}
	return uitest.MomentOf(tb, log, at, log.Entry(log.Len()-1).T)
}

// BenchmarkDraw is one screen of 160 × 48 at 1,000 and at 1,000,000 revs: all
// of them in sight, and the last ones with three columns each.
func BenchmarkDraw(b *testing.B) {
	for _, n := range []int{1000, 1_000_000} {
		c := floodContext(b, n, -1)
		for _, zoom := range []struct {
			name string
			z    zoom
			keys []string
		}{
			{"all", zoom{}, nil},
			{"all-folded", zoom{}, []string{"enter", "home", "j", "j", "enter"}},
			{"wide", zoom{revs: 1, cols: 3}, nil},
			{"time", zoom{byTime: true}, nil},
		} {
			b.Run(fmt.Sprintf("%s/%d", zoom.name, n), func(b *testing.B) {
				v := New()
				v.Flags = func(*view.Context, int) []Flag { return nil }
				v.zoom = zoom.z
				canvas := kit.NewCanvas(160, 43)
				v.Draw(canvas.All(), c)
				uitest.Press(v, c, zoom.keys...)
				for v.Busy(c) {
					v.Draw(canvas.All(), c)
				}
				b.ReportAllocs()
				for b.Loop() {
					v.Draw(canvas.All(), c)
				}
			})
		}
	}
}

// BenchmarkFirstDraw is the first screen of a session: lanes are looked at as
// a whole, once.
func BenchmarkFirstDraw(b *testing.B) {
	for _, n := range []int{1000, 1_000_000} {
		c := floodContext(b, n, -1)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			canvas := kit.NewCanvas(160, 43)
			for b.Loop() {
				New().Draw(canvas.All(), c)
			}
		})
	}
}

// BenchmarkMove is the first screen after the playhead was moved far, at
// 1,000,000 revs: LANE then reads the frames that it tells of.
func BenchmarkMove(b *testing.B) {
	c := floodContext(b, 1_000_000, -1)
	var moments []*view.Context
	for i := range 40 {
		m := uitest.MomentOf(b, c.Log, (i*314_159+10)%c.Len, c.Now)
		m.Follow = false
		moments = append(moments, m)
	}
	for _, h := range []int{19, 43} {
		b.Run(fmt.Sprintf("160x%d", h), func(b *testing.B) {
			v := New()
			v.Flags = func(*view.Context, int) []Flag { return nil }
			v.Select("game", "a", "tool7")
			canvas := kit.NewCanvas(160, h)
			n := 0
			for b.Loop() {
				v.Draw(canvas.All(), moments[n%len(moments)])
				n++
			}
		})
	}
}
