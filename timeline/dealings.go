package timeline

import (
	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// dealingOf returns which dealing a message with that method is, an answer
// going by its request; ok is false for none.
func dealingOf(method string) (kind LandmarkKind, ok bool) {
	switch method {
	case mcpl.MethodResourcesList, mcpl.MethodTemplatesList, mcpl.MethodSubscribe, mcpl.MethodUnsubscribe, mcpl.MethodResourcesChanged:
		return OnResources, true
	case mcpl.MethodResourceUpdated:
		return OnUpdates, true
	case mcpl.MethodPromptsList, mcpl.MethodPromptsChanged:
		return OnPrompts, true
	case mcpl.MethodResourcesRead, mcpl.MethodPromptsGet, mcpl.MethodComplete:
		return OnReads, true
	case mcpl.MethodChannelsRegister, mcpl.MethodChannelsChanged, mcpl.MethodChannelsList, mcpl.MethodChannelsOpen, mcpl.MethodChannelsClose:
		return OnChannels, true
	case mcpl.MethodChannelsIncoming, mcpl.MethodChannelsPublish, mcpl.MethodChannelsAck, mcpl.MethodChannelsTyping:
		return OnMessages, true
	case mcpl.MethodBeforeInference, mcpl.MethodLifecycle:
		return OnHooks, true
	case mcpl.MethodStateUpdate, mcpl.MethodStateGet, mcpl.MethodStateRollback:
		return OnState, true
	}
	return 0, false
}

// deal notes the message at hand where it is a dealing; of is the request that
// it answers, nil for none.
func (st *step) deal(c *conn, method string, of *request) bool {
	kind, ok := dealingOf(method)
	if ok {
		st.mark(kind, c, of)
	}
	return ok
}

// Dealing is one message about what a server has beside its tools.
type Dealing struct {
	Index int // position of its frame
	Frame Frame
	Head  Head
	// Of and Asked are the frame and the request that it answers; Of is -1
	// where it answers none.
	Of    int
	Asked Head
}

// Method is the method of the message, or of what it answers.
func (d *Dealing) Method() string {
	if d.Of >= 0 {
		return d.Asked.Method
	}
	return d.Head.Method
}

// about are the params of the message, or of what it answers.
func (d *Dealing) about() []byte {
	if d.Of >= 0 {
		return d.Asked.Params
	}
	return d.Head.Params
}

// failed is the error of an answer in words, "" where it is none.
func (d *Dealing) failed() string {
	if d.Head.Kind != wire.Error {
		return ""
	}
	return errorText(d.Head.Error)
}

// mostDealtBytes is how many bytes of frames are read to tell of dealings.
const mostDealtBytes = 64 << 20

// Dealings returns the last dealings of a kind and connection at or before
// position upTo, oldest first: at most `most`, and of large ones fewer. earlier
// is how many came before those.
func (l *Log) Dealings(kind LandmarkKind, conn, upTo, most int) (out []Dealing, earlier int) {
	marks, earlier := l.Landmarks(kind, conn, upTo, most)
	from, size := len(marks), 0
	for from > 0 && size < mostDealtBytes {
		from--
		size += l.Entry(marks[from].Index).Size
	}
	heads := map[landmark]Head{}
	for _, m := range marks[from:] {
		f, err := l.Frame(m.Index)
		if err != nil {
			continue
		}
		h, ok := MessageAt(f, m.Message)
		if !ok {
			continue
		}
		heads[landmark{index: int32(m.Index), message: int32(m.Message)}] = h
		d := Dealing{Index: m.Index, Frame: f, Head: h, Of: m.Of}
		if m.Of >= 0 {
			of := landmark{index: int32(m.Of), message: int32(m.OfMessage)}
			if d.Asked, ok = heads[of]; !ok {
				d.Asked = l.headAt(m.Of, m.OfMessage)
			}
		}
		out = append(out, d)
	}
	return out, earlier + from
}

func (l *Log) headAt(index, message int) Head {
	f, err := l.Frame(index)
	if err != nil {
		return Head{}
	}
	h, _ := MessageAt(f, message)
	return h
}

// DealingCount returns how many dealings of these kinds a connection has at or
// before position upTo: as long as it stays the same, there is nothing new to
// tell of them.
func (l *Log) DealingCount(conn, upTo int, kinds ...LandmarkKind) int {
	n := 0
	for _, k := range kinds {
		_, earlier := l.Landmarks(k, conn, upTo, 0)
		n += earlier
	}
	return n
}
