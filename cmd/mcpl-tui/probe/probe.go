// Package probe tries out what a server with toolHints must do: it opens,
// calls and closes on a live connection, step by step (outputs.md, `mcpl-tui
// check`, --probe), and says of each step whether the server passed.
//
// What may be relied on:
//   - Whatever it opened is closed at the end, also after a failure or an
//     interruption, as long as the server can still be reached. What was open
//     before stays open.
//   - It calls only tools that say they are read-only, and those that were
//     named.
//   - A refusal is no failure: options and arguments are made up, and a server
//     may have good reasons. The step is skipped, with the server's words.
package probe

import (
	"context"
	"fmt"
	"time"

	"github.com/mcpl-tui/mcpl-tui/cmd/mcpl-tui/report"
	"github.com/mcpl-tui/mcpl-tui/session"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// Config is what a probe works on, and how.
type Config struct {
	Session *session.Session // connected, its handshake over
	Log     *timeline.Log    // of its frames
	// Sync returns when all frames so far are in the log, or with ctx's error.
	Sync    func(ctx context.Context) error
	Changed func() <-chan struct{} // closed at the log's next change
	// Settle waits a little for answers that are on their way.
	Settle func(ctx context.Context)
	// Lasting tells that the server outlives a connection, so that it has to
	// keep what is open.
	Lasting bool
	Listen  time.Duration // how long something is waited for that need not come
	Calls   []string      // tools to call although they do not say they are read-only
	// Push is the command that sets the answer to pushes as it was.
	Push string
	// Cleaning is called, where it is not nil, when the probe was interrupted and
	// takes a while to close what it opened.
	Cleaning func()
	// Taking is called, where it is not nil, before each step: the n-th of so many.
	Taking func(n, of int, step string)
}

// cleanTime bounds the closing of what is left.
const cleanTime = 10 * time.Second

// aWhile is how long cleaning goes on unsaid.
const aWhile = 300 * time.Millisecond

// place is a toolset that is open, or an instance of it.
type place struct{ toolset, instance string }

func (p place) String() string {
	if p.instance == "" {
		return p.toolset
	}
	return p.toolset + " @ " + p.instance
}

// line is the place in the command language, with `as` before the name.
func (p place) line(as string) string {
	s := session.QuoteWord(p.toolset)
	if p.instance != "" {
		s += as + session.QuoteWord(p.instance)
	}
	return s
}

// prober is a probe under way.
type prober struct {
	Config
	ctx context.Context

	before map[place]bool // open before the probe
	opened []*opening     // by the probe, and open still, in order
	asked  []place        // what it asked to open, and may be open
	closed []place        // by the probe
	agreed bool           // toolHints was, on the connection that the probe began on
	named  []*opening     // the first opens of instances
	// lastOpen is what was open when the last connection ended.
	lastOpen []place
	done     map[string]report.Step
}

// opening is a place that the probe has opened.
type opening struct {
	place
	decl    timeline.Toolset
	options []byte // that it was opened with, nil: none
	got     string // the instance that the result names
}

// steps are the steps in their order.
var steps = []struct {
	name string
	do   func(*prober) (report.Verdict, string)
}{
	{"open", (*prober).open},
	{"open-adopts", (*prober).adopts},
	{"open-keeps-name", (*prober).keepsName},
	{"list-after-open", (*prober).listAfterOpen},
	{"second-instance", (*prober).second},
	{"call-ambiguous", (*prober).callAmbiguous},
	{"call-closed", nil}, // what is closed is known after close
	{"push-refused-applies", (*prober).pushRefused},
	{"close", (*prober).close},
	{"list-after-close", (*prober).listAfterClose},
	{"call-closed", (*prober).callClosed},
	{"reconnect-keeps", (*prober).reconnectKeeps},
	{"plain-host-sees-no-hints", (*prober).plainHost},
	{"manifest-digest", (*prober).digest},
}

// Names returns the steps in the order in which they are told.
func Names() []string {
	var out []string
	seen := map[string]bool{}
	for _, s := range steps {
		if !seen[s.name] {
			seen[s.name] = true
			out = append(out, s.name)
		}
	}
	return out
}

// Run takes the steps. When ctx ends it cleans up and returns.
func Run(ctx context.Context, cfg Config) []report.Step {
	p := &prober{Config: cfg, ctx: ctx, before: map[place]bool{}, done: map[string]report.Step{}}
	_ = p.Sync(ctx) // what is known has to do where it is late
	p.agreed = p.Log.Latest().ToolHints
	for _, at := range p.isOpen() {
		p.before[at] = true
	}
	defer p.clean()
	names := Names()
	for _, s := range steps {
		if s.do == nil {
			continue
		}
		if p.Taking != nil {
			p.Taking(len(p.done)+1, len(names), s.name)
		}
		step := report.Step{Step: s.name}
		if why := p.cannot(s.name); why != "" {
			step.Status, step.Message = report.Skip, why
		} else {
			step.Status, step.Message = s.do(p)
		}
		p.done[s.name] = step
	}
	var out []report.Step
	for _, name := range names {
		out = append(out, p.done[name])
	}
	return out
}

// cannot says why a step cannot be taken.
func (p *prober) cannot(step string) string {
	switch {
	case p.ctx.Err() != nil:
		return "the probe was interrupted"
	case step == "manifest-digest":
		return ""
	case !p.agreed:
		return "toolHints is not agreed on with this server"
	case p.board().Link.Closed != nil && step != "plain-host-sees-no-hints":
		return "the connection is gone"
	}
	return ""
}

// board is the state after all that was said so far.
func (p *prober) board() *timeline.Board {
	_ = p.Sync(p.ctx)
	return p.Log.Latest()
}

// run runs a line of the command language.
func (p *prober) run(format string, args ...any) session.Outcome {
	o := p.Session.Run(p.ctx, fmt.Sprintf(format, args...))
	_ = p.Sync(p.ctx)
	return o
}

// isOpen returns what is open of declared toolsets.
func (p *prober) isOpen() []place {
	var out []place
	for _, s := range p.Log.Latest().Toolsets {
		switch {
		case !s.Declared:
		case s.HasInstances:
			for _, in := range s.Instances {
				out = append(out, place{s.Name, in.Name})
			}
		case s.Open:
			out = append(out, place{s.Name, ""})
		}
	}
	return out
}

// refused tells a refusal of the server from an answer that did not come.
func refused(o session.Outcome) bool { return o.Err != nil && o.Answer > 0 }
