package timeline

import (
	"slices"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// The bounds on what is told of channels.
const (
	maxChannelDeals = 2000
	maxChannels     = 2000
	maxMessages     = 300
)

// Channel is a channel that the server has registered, or opened.
type Channel struct {
	ID    string
	Raw   []byte // as the server described it last
	Index int    // position of the frame that says so
	// Accepted tells that the host did; Reason why it did not.
	Accepted, Answered bool
	Reason             string
	Removed            bool // the server took it back
	Open               bool // it was opened and not closed since
	OpenAt             int  // position of the answer that opened or closed it, -1: none
	Error              string
}

// ChannelsAt tells of the channels of a connection at position upTo, in the
// order in which they came up, and how many dealings came before those that
// are told of: channels that only those name are missing.
func (l *Log) ChannelsAt(conn, upTo int) (channels []Channel, earlier int) {
	var t channelTable
	deals, earlier := l.Dealings(OnChannels, conn, upTo, maxChannelDeals)
	for i := range deals {
		t.take(&deals[i])
	}
	return t.all, earlier
}

type channelTable struct {
	all []Channel
	by  map[string]int
}

// of returns the channel with an id, made where it is new; nil where there are
// too many.
func (t *channelTable) of(id string, at int) *Channel {
	if i, known := t.by[id]; known {
		return &t.all[i]
	}
	if len(t.all) >= maxChannels || id == "" {
		return nil
	}
	if t.by == nil {
		t.by = map[string]int{}
	}
	t.by[id] = len(t.all)
	t.all = append(t.all, Channel{ID: id, Index: at, OpenAt: -1})
	return &t.all[len(t.all)-1]
}

func (t *channelTable) take(d *Dealing) {
	if d.Of < 0 {
		if d.Frame.Dir == In {
			t.told(d)
		}
		return
	}
	switch d.Asked.Method {
	case mcpl.MethodChannelsRegister, mcpl.MethodChannelsChanged:
		t.judged(d)
	case mcpl.MethodChannelsList:
		if d.Frame.Dir == In {
			t.described(wire.Member(d.Head.Result, "channels"), d.Index)
		}
	case mcpl.MethodChannelsOpen:
		t.opened(d)
	case mcpl.MethodChannelsClose:
		ch := t.of(wire.StringOf(wire.Member(d.Asked.Params, "channelId")), d.Index)
		if ch == nil {
			return
		}
		if ch.Error = d.failed(); ch.Error == "" && string(wire.Member(d.Head.Result, "closed")) != "false" {
			ch.Open = false
		}
		ch.OpenAt = d.Index
	}
}

// told takes what the server registers, changes and takes back. A list of its
// own that it asks for says nothing.
func (t *channelTable) told(d *Dealing) {
	p := d.Head.Params
	switch d.Head.Method {
	case mcpl.MethodChannelsRegister:
		t.described(wire.Member(p, "channels"), d.Index)
	case mcpl.MethodChannelsChanged:
		wire.EachElement(wire.Member(p, "removed"), func(v []byte) bool {
			if ch := t.of(channelID(v), d.Index); ch != nil {
				ch.Removed, ch.Open, ch.Index = true, false, d.Index
			}
			return true
		})
		t.described(wire.Member(p, "added"), d.Index)
		t.described(wire.Member(p, "updated"), d.Index)
	}
}

func channelID(raw []byte) string {
	if id := wire.StringOf(raw); id != "" {
		return id
	}
	return wire.StringOf(wire.Member(raw, "id"))
}

func (t *channelTable) described(list []byte, at int) {
	wire.EachElement(list, func(v []byte) bool {
		if ch := t.of(channelID(v), at); ch != nil {
			ch.Raw, ch.Index, ch.Removed = v, at, false
		}
		return true
	})
}

// judged takes the host's own answer: each channel is accepted by itself
// (MCPL draft §14.5).
func (t *channelTable) judged(d *Dealing) {
	wire.EachElement(wire.Member(d.Head.Result, "results"), func(v []byte) bool {
		if i, known := t.by[channelID(v)]; known {
			ch := &t.all[i]
			ch.Answered, ch.Accepted = true, string(wire.Member(v, "accepted")) == "true"
			ch.Reason = wire.StringOf(wire.Member(v, "reason"))
		}
		return true
	})
	if failed := d.failed(); failed != "" {
		lists := []string{"channels", "added", "updated"}
		for _, key := range lists {
			wire.EachElement(wire.Member(d.Asked.Params, key), func(v []byte) bool {
				if i, known := t.by[channelID(v)]; known {
					t.all[i].Answered, t.all[i].Accepted, t.all[i].Reason = true, false, failed
				}
				return true
			})
		}
	}
}

func (t *channelTable) opened(d *Dealing) {
	raw := wire.Member(d.Head.Result, "channel")
	id := channelID(raw)
	if id == "" {
		id = wire.StringOf(wire.Member(d.Asked.Params, "channelId"))
	}
	ch := t.of(id, d.Index)
	if ch == nil {
		return
	}
	if raw != nil {
		ch.Raw, ch.Index = raw, d.Index
	}
	ch.OpenAt = d.Index
	if ch.Error = d.failed(); ch.Error == "" {
		ch.Open, ch.Removed = true, false
	}
}

// Said is one message of a channel, or an act about one.
type Said struct {
	Method  string // channels/incoming, channels/publish, channels/acknowledge, channels/typing
	Channel string
	ID      string // of the message, "" where none is known yet
	Raw     []byte // the message as it was sent, or the params
	Index   int    // position of its frame
	T       time.Duration
	// Answered is the position of the answer, -1: none; OK tells that it was
	// accepted or delivered, Words what the answer says else.
	Answered int
	OK       bool
	Words    string
}

// SaidAt returns what was said on the channels of a connection up to position
// upTo, the last few hundred in the order of the frames, and how many dealings
// came before those.
func (l *Log) SaidAt(conn, upTo int) (out []Said, earlier int) {
	deals, earlier := l.Dealings(OnMessages, conn, upTo, maxMessages)
	for i := range deals {
		d := &deals[i]
		if d.Of >= 0 {
			answerSaid(out, d)
			continue
		}
		if d.Head.Method != mcpl.MethodChannelsIncoming {
			out = append(out, Said{
				Method: d.Head.Method, Channel: wire.StringOf(wire.Member(d.Head.Params, "channelId")),
				ID: wire.StringOf(wire.Member(d.Head.Params, "messageId")), Raw: d.Head.Params, Index: d.Index, T: d.Frame.T, Answered: -1,
			})
			continue
		}
		wire.EachElement(wire.Member(d.Head.Params, "messages"), func(v []byte) bool {
			out = append(out, Said{
				Method: d.Head.Method, Channel: wire.StringOf(wire.Member(v, "channelId")),
				ID: wire.StringOf(wire.Member(v, "messageId")), Raw: v, Index: d.Index, T: d.Frame.T, Answered: -1,
			})
			return true
		})
	}
	if n := len(out) - maxMessages; n > 0 {
		out, earlier = out[n:], earlier+n
	}
	return out, earlier
}

// answerSaid finds what an answer belongs to.
func answerSaid(said []Said, d *Dealing) {
	for i := range said {
		s := &said[i]
		if s.Index != d.Of || s.Answered >= 0 {
			continue
		}
		s.Answered = d.Index
		if s.Words = d.failed(); s.Words != "" {
			continue
		}
		r := d.Head.Result
		if s.Method == mcpl.MethodChannelsIncoming {
			r = resultOf(r, s.ID)
		}
		s.OK = !slices.ContainsFunc([]string{"accepted", "delivered", "acknowledged"}, func(k string) bool {
			return string(wire.Member(r, k)) == "false"
		})
		s.Words = wire.StringOf(wire.Member(r, "reason"))
		if s.Method == mcpl.MethodChannelsPublish {
			s.ID = wire.StringOf(wire.Member(r, "messageId"))
		}
	}
}

// resultOf is the result of one message in an answer to channels/incoming.
func resultOf(result []byte, id string) []byte {
	var found []byte
	wire.EachElement(wire.Member(result, "results"), func(v []byte) bool {
		if wire.StringOf(wire.Member(v, "messageId")) == id {
			found = v
		}
		return found == nil
	})
	return found
}
