package lanes

import (
	"sort"

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

// callIndex knows the frames that called a tool. It looks at frames in
// pieces, and at each once; of those that are no request it sees the log's
// entry alone.
type callIndex struct {
	seen int
	at   map[callKey][]int32
}

// How many frames are looked at, and how many of them are read, for one
// drawing.
const (
	callFrames = 4096
	callReads  = 256
	// mostCalled is how many different names calls are kept apart by.
	mostCalled = 1 << 14
)

func (ci *callIndex) behind(c *view.Context) bool { return ci.seen < c.Len }

// work looks at some further frames.
func (ci *callIndex) work(c *view.Context) {
	reads := 0
	for n := 0; ci.seen < c.Len && n < callFrames && reads < callReads; n++ {
		e := c.Log.Entry(ci.seen)
		if e.Dir == timeline.Out && e.Kind == timeline.Request {
			ci.read(c, e)
			reads++
		}
		ci.seen++
	}
}

func (ci *callIndex) read(c *view.Context, e timeline.Entry) {
	f, err := c.Log.Frame(ci.seen)
	if err != nil {
		return
	}
	if ci.at == nil {
		ci.at = map[callKey][]int32{}
	}
	for h := range f.Messages {
		if h.Method != "tools/call" || h.Kind != timeline.Request {
			continue
		}
		k := callKey{int32(e.Conn), gjson.GetBytes(h.Params, "name").String(), gjson.GetBytes(h.Params, "_meta.mcpl/instance").String()}
		if _, known := ci.at[k]; known || len(ci.at) < mostCalled {
			ci.at[k] = append(ci.at[k], int32(ci.seen))
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
