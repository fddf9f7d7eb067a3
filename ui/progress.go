package ui

import (
	"encoding/json"
	"strconv"

	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// progress remembers what the server last said of the calls that are open.
type progress struct {
	next int               // the first frame that was not looked at
	said map[string]string // by progress token, as raw JSON
}

// mostAtOnce bounds how many frames are read for it in one look.
const mostAtOnce = 200

// follow reads the notifications that came since the last look, while a call
// is open.
func (p *progress) follow(log *timeline.Log, newest *timeline.Board, n int) {
	if len(newest.Calls) == 0 {
		p.next, p.said = n, nil
		return
	}
	p.next = max(p.next, newest.Calls[0].Index, n-mostAtOnce)
	for ; p.next < n; p.next++ {
		if e := log.Entry(p.next); e.Dir != timeline.In || e.Kind != timeline.Notification {
			continue
		}
		if f, err := log.Frame(p.next); err == nil {
			for h := range f.Messages {
				p.note(h)
			}
		}
	}
}

func (p *progress) note(h timeline.Head) {
	if h.Method != "notifications/progress" {
		return
	}
	var v struct {
		Token    json.RawMessage `json:"progressToken"`
		Progress float64         `json:"progress"`
		Total    float64         `json:"total"`
		Message  string          `json:"message"`
	}
	if json.Unmarshal(h.Params, &v) != nil {
		return
	}
	text := strconv.FormatFloat(v.Progress, 'f', -1, 64)
	if v.Total > 0 {
		text += " of " + strconv.FormatFloat(v.Total, 'f', -1, 64)
	}
	if v.Message != "" {
		text += ", “" + oneLine(v.Message) + "”"
	}
	if p.said == nil {
		p.said = map[string]string{}
	}
	p.said[string(v.Token)] = text
}

// of returns what was said of a call, "" if nothing was. The token of a call
// is its id, which is what this program sends.
func (p *progress) of(c *timeline.Call) string {
	if t := p.said[string(c.ID)]; t != "" {
		return t
	}
	return p.said[strconv.Quote(c.ID.String())]
}
