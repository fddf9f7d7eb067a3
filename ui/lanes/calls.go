package lanes

import (
	"sort"
	"time"

	"github.com/tidwall/gjson"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/label"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// callKey is what a call names.
type callKey struct {
	conn           int32
	tool, instance string
}

// callIndex knows the frames that called a tool. It looks at each frame once:
// a few with the drawing, many beside the screen. Of those that are no request
// it sees the log's entry alone.
type callIndex struct {
	seen int
	busy bool // some are being looked at beside the screen
	at   map[callKey][]int32
}

// called is a call that was found.
type called struct {
	key   callKey
	index int32
}

// How much is looked at in one go: with a drawing no more frames than cost it
// nothing, beside the screen as many as show that it goes on.
const (
	callFrames = 128
	callBlock  = 512
	callTime   = 40 * time.Millisecond
	// mostCalled is how many different names calls are kept apart by.
	mostCalled = 1 << 14
)

// behind reports whether there are frames that were not looked at yet.
func (ci *callIndex) behind(c *view.Context) bool { return ci.seen < c.Len }

// few reports whether there are so few of them that a drawing does it.
func (ci *callIndex) few(c *view.Context) bool { return !ci.busy && c.Len-ci.seen <= callFrames }

// work looks at what has just arrived.
func (ci *callIndex) work(c *view.Context) {
	if ci.behind(c) && ci.few(c) {
		ci.take(callsIn(c.Log, ci.seen, c.Len), c.Len)
	}
}

// take adds the calls of all frames before to.
func (ci *callIndex) take(calls []called, to int) {
	if ci.at == nil {
		ci.at = map[callKey][]int32{}
	}
	for _, k := range calls {
		if _, known := ci.at[k.key]; known || len(ci.at) < mostCalled {
			ci.at[k.key] = append(ci.at[k.key], k.index)
		}
	}
	ci.seen = to
}

// callsIn returns the calls in the frames from ≤ i < to. It may be used beside
// the screen. What cannot be read called nothing.
func callsIn(log *timeline.Log, from, to int) (out []called) {
	src := log.Stretch(from, to)
	for i := from; i < to; i++ {
		e := src.Entry(i)
		if e.Dir != timeline.Out || e.Kind != timeline.Request {
			continue
		}
		f, err := src.Frame(i)
		if err != nil {
			continue
		}
		for h := range f.Messages {
			if h.Method != "tools/call" || h.Kind != timeline.Request {
				continue
			}
			k := callKey{int32(e.Conn), gjson.GetBytes(h.Params, "name").String(), gjson.GetBytes(h.Params, "_meta.mcpl/instance").String()}
			out = append(out, called{k, int32(i)})
		}
	}
	return out
}

// Work looks for calls beside the screen, where there are many frames to look
// at; nil where there are not, or nobody is told of calls.
func (v *View) Work(c *view.Context) view.Work {
	ci := &v.calls
	if c.Log == nil || v.log != c.Log || !v.tells || ci.busy || !ci.behind(c) || ci.few(c) {
		return nil
	}
	ci.busy = true
	log, from, n := v.log, ci.seen, c.Len
	return func() func(*view.Context) view.Intent {
		var calls []called
		to := from
		for until := time.Now().Add(callTime); to < n && (to == from || time.Now().Before(until)); {
			next := min(to+callBlock, n)
			calls = append(calls, callsIn(log, to, next)...)
			to = next
		}
		return func(*view.Context) view.Intent {
			if v.log == log { // else another session is looked at
				v.calls.busy = false
				v.calls.take(calls, to)
			}
			return view.Intent{}
		}
	}
}

// tell says how often a tool was called up to the playhead, and later.
func (ci *callIndex) tell(c *view.Context, k callKey) string {
	in := "in " + inspector.Count(ci.seen, "frame")
	if ci.seen < c.Len {
		in = "in the first " + inspector.Count(ci.seen, "frame") + ", the rest is being read"
	}
	at := ci.at[k]
	n := sort.Search(len(at), func(n int) bool { return int(at[n]) > c.At })
	switch {
	case len(at) == 0:
		return "none to it, " + in
	case n == 0:
		return "none to it so far, " + later(len(at))
	}
	e := c.Log.Entry(int(at[n-1]))
	text := inspector.Count(n, "call") + " to it, the last in frame " + seqOf(e) + ", " + inspector.ClockShort(e.T)
	if n < len(at) {
		text += "; " + later(len(at)-n)
	}
	return text
}

func later(n int) string {
	if n == 1 {
		return "1 later"
	}
	return label.Rev(0, int64(n)) + " later"
}
