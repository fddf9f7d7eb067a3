package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/mcpl-tui/mcpl-tui/cmd/mcpl-tui/probe"
	"github.com/mcpl-tui/mcpl-tui/cmd/mcpl-tui/report"
	"github.com/mcpl-tui/mcpl-tui/inspector/conform"
	"github.com/mcpl-tui/mcpl-tui/record"
	"github.com/mcpl-tui/mcpl-tui/session"
)

// errInterrupted is what a check ends with that was not let to its end.
var errInterrupted = errors.New("interrupted before the check was done; the connection was closed")

// checkLive connects to a server, listens to it, or probes it, closes, and
// judges what was said.
func (f *checkFlags) checkLive(ctx context.Context, to chosen, stderr io.Writer) (*report.Report, error) {
	switch {
	case f.listen < 0:
		return nil, fmt.Errorf("--for %s: give a time of 0 or more, as in 3s", f.listen)
	case len(f.calls) > 0 && !f.probe:
		return nil, fmt.Errorf("--call names what the probe may call: add --probe")
	}
	cfg, err := f.connecting(to)
	if err != nil {
		return nil, err
	}
	tellLogins(&cfg, stderr)
	rec, err := to.record(cfg.Dir, f.output, f.output != "")
	if err != nil {
		return nil, err
	}
	f.now = doingOn(stderr)
	f.cleaning = func() {
		f.now.done()
		fmt.Fprintln(stderr, "mcpl-tui: interrupted; closing what the probe opened (ctrl-c again leaves it open)")
	}
	f.now.say("connecting …")
	r, err := f.checkServer(ctx, cfg, rec, demoServer())
	f.now.done()
	if closeErr := rec.Close(); closeErr != nil && err == nil && f.output != "" {
		f.lost = fmt.Errorf("not all was recorded: %w", closeErr)
		r.File = "" // no place of a finding can be named in it
	}
	return r, err
}

// checkServer is checkLive on a recording that is the caller's to close.
func (f *checkFlags) checkServer(ctx context.Context, cfg session.Config, rec *record.Recording, inProc session.Serve) (*report.Report, error) {
	ctx, cfg.Panicked = crashable(ctx)
	// Not ended by ctx: what was opened is closed first.
	l := connectTo(context.WithoutCancel(ctx), cfg, rec, inProc)
	var steps []report.Step
	err := l.sess.WaitReady(ctx)
	switch {
	case err != nil:
	case f.probe:
		cfg := f.probeConfig(l)
		if name := cfg.Unknown(ctx); name != "" {
			l.end()
			return nil, fmt.Errorf("--call %s: the server has no toolset with a tool of that name, and the probe calls no others", name)
		}
		steps = probe.Run(ctx, cfg)
	default:
		f.now.say("listening for %s …", f.listen)
		l.listen(ctx, f.listen)
	}
	f.now.say("closing …")
	introduced := l.introduced()
	if err == nil || introduced { // else it answers nothing
		l.settle(ctx)
	}
	why := ""
	if err != nil && !introduced {
		why = lastStderr(context.WithoutCancel(ctx), l)
	}
	l.left.Store(true) // what is judged is read from the recording
	l.end()
	switch crash := context.Cause(ctx); {
	case errors.Is(crash, errCrashed):
		return nil, &exitError{exitFailed, crash}
	case ctx.Err() != nil:
		return nil, errInterrupted
	case err != nil && !introduced:
		return nil, fmt.Errorf("%w%s", err, why)
	case l.broke != nil:
		return nil, l.broke
	}
	v, err := judge(ctx, rec, conform.Options{Limit: f.timeout})
	if err != nil {
		return nil, err
	}
	r := v.report(masked(cfg.Target, rec.Header()).String(), rec.Header())
	r.Steps, r.File = steps, f.output
	return r, nil
}

// settleTime is how long a server is given for what it was asked last, before
// the connection is closed: a question must have had its chance.
const settleTime = 2 * time.Second

// settle waits for answers that are on their way.
func (l *live) settle(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, settleTime)
	defer cancel()
	for {
		changed := l.view.Changed()
		if b := l.log.Latest(); len(b.Waiting()) == 0 || b.Link.Closed != nil {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

func (f *checkFlags) probeConfig(l *live) probe.Config {
	return probe.Config{
		Session: l.sess, Log: l.log, Changed: l.view.Changed,
		Sync:    func(ctx context.Context) error { return l.view.Sync(ctx, int64(l.rec.Len())) },
		Settle:  l.settle,
		Lasting: l.cfg.Target.Kind != session.KindStdio, Listen: f.listen, Calls: f.calls, Push: "push " + f.push,
		Cleaning: f.cleaning,
		Taking:   func(n, of int, step string) { f.now.say("probe, step %d of %d: %s …", n, of, step) },
	}
}

// introduced reports whether the server has answered initialize.
func (l *live) introduced() bool { return l.log.Latest().Protocol != "" }

// listen waits while a server may say something.
func (l *live) listen(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	for l.log.Latest().Link.Closed == nil {
		select {
		case <-timer.C:
			return
		case <-ctx.Done():
			return
		case <-l.view.Changed():
		}
	}
}
