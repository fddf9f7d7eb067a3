package demo

import (
	"encoding/json"
	"fmt"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// job is a call of think that runs.
type job struct {
	c     *Conn
	id    wire.ID
	token json.RawMessage
	done  int // seconds thought
	total int
	next  *timer
}

type progress struct {
	Token    json.RawMessage `json:"progressToken"`
	Progress int             `json:"progress"`
	Total    int             `json:"total"`
	Message  string          `json:"message"`
}

// runThink starts to think. Each second is a beat of the principal's pace,
// and told as progress where the host gave a token.
func runThink(k *call) (answer, error) {
	if err := k.only("seconds"); err != nil {
		return answer{}, err
	}
	seconds, ok := k.args.whole("seconds", 3)
	if !ok || seconds < 1 || seconds > 30 {
		return answer{}, refuse("seconds must be a whole number from 1 to 30")
	}
	switch {
	case k.c.jobs[k.id.Key()] != nil:
		return answer{}, errorf(mcpl.CodeInvalidRequest, "a call with this id is still running")
	case len(k.c.jobs) >= maxThought:
		return answer{}, refuse("the house thinks about %d things already; wait for one, or cancel it", maxThought)
	}
	j := &job{c: k.c, id: k.id, token: k.progress, total: seconds}
	k.c.jobs[k.id.Key()] = j
	j.wait()
	return answer{later: true}, nil
}

func (j *job) wait() { j.next = j.c.p.after(j.c.p.beats(1), j.step) }

func (j *job) step() {
	j.done++
	if j.token != nil {
		j.c.send(message{Method: mcpl.MethodProgress, Params: progress{
			j.token, j.done, j.total, fmt.Sprintf("thought for %d s of %d", j.done, j.total),
		}})
	}
	if j.done < j.total {
		j.wait()
		return
	}
	j.end("The house has thought for %d s. Call advice to hear it.")
}

// end answers the call. What it leaves behind rides in the result.
func (j *job) end(words string) {
	j.next.stop()
	delete(j.c.jobs, j.id.Key())
	j.c.p.advice = true
	j.c.finish(j.id, answer{text: fmt.Sprintf(words, j.done)})
}

// cancel honours notifications/cancelled: no result is sent, and what the
// call leaves behind all the same is told by tools/hints (toolhints.md §7).
func (c *Conn) cancel(id wire.ID) {
	j := c.jobs[id.Key()]
	if j == nil {
		return // answered already, or never asked
	}
	j.next.stop()
	delete(c.jobs, id.Key())
	c.p.advice = true
	c.p.tell(nil, event{})
}

// abandon answers all calls that run, because the connection ends.
func (c *Conn) abandon() {
	for len(c.jobs) > 0 {
		for _, j := range c.jobs {
			j.end("The connection ends, so the house stopped after %d s. Call advice to hear what it has.")
		}
	}
}
