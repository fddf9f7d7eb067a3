package probe

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/mcpl-tui/mcpl-tui/cmd/mcpl-tui/report"
	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// reconnectKeeps opens something, connects again, and looks whether it is
// open still, or ended with a record.
func (p *prober) reconnectKeeps() (report.Verdict, string) {
	var t, ignored tally
	kept := p.toKeep(&ignored)
	if kept == nil {
		return ignored.verdict("nothing could be opened that a server could keep")
	}
	if err := p.reconnect(true); err != nil {
		return report.Fail, err.Error()
	}
	out := p.run("toolsets")
	if !out.OK {
		return report.Fail, "toolsets/list: " + out.Err.Error()
	}
	open := placesIn(wire.Member(out.Result, "open"))
	for _, at := range append(p.wasOpen(), kept.place) {
		switch {
		case slices.Contains(open, at):
			t.pass("%s is open still", at)
		case slices.Contains(p.ended(), at):
			t.pass("%s ended, and ended says so", at)
		case p.Lasting:
			t.fail("%s was open, and is neither in open nor in ended", at)
		default:
			t.skip("%s is not open any more: the server is a new process, which need not keep it", at)
		}
	}
	p.closeOne(kept.place, &ignored)
	return t.verdict("")
}

// toKeep opens something: an instance, else a toolset.
func (p *prober) toKeep(t *tally) *opening {
	sets := p.declared()
	slices.SortStableFunc(sets, func(a, b timeline.Toolset) int {
		return boolInt(b.HasInstances) - boolInt(a.HasInstances)
	})
	for i := range sets {
		if s := &sets[i]; s.HasInstances || !s.Open {
			if p.openOne(s, t) != nil {
				return p.opened[len(p.opened)-1]
			}
		}
	}
	return nil
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// wasOpen are the instances that were open before the probe, as far as the
// connection before this one still had them.
func (p *prober) wasOpen() []place {
	var out []place
	for _, at := range p.lastOpen {
		if p.before[at] && at.instance != "" {
			out = append(out, at)
		}
	}
	return out
}

// ended are the places of the records of ends.
func (p *prober) ended() []place {
	var out []place
	for _, e := range p.board().Ended {
		out = append(out, place{e.Toolset, e.Instance})
	}
	return out
}

// reconnect opens the next connection, with toolHints or without.
func (p *prober) reconnect(hints bool) error {
	p.Settle(p.ctx)
	p.lastOpen = p.isOpen()
	if err := p.Session.ReconnectAs(p.ctx, hints); err != nil {
		return fmt.Errorf("reconnect: %w", err)
	}
	if err := p.Session.WaitReady(p.ctx); err != nil {
		return fmt.Errorf("reconnect: %w", err)
	}
	_ = p.Sync(p.ctx)
	return nil
}

// plainHost connects as a host without toolHints: it is sent no hints.
func (p *prober) plainHost() (report.Verdict, string) {
	from := p.Log.RowCount()
	if err := p.reconnect(false); err != nil {
		return report.Fail, err.Error()
	}
	p.listen()
	rows, err := p.Log.Rows(from, p.Log.RowCount())
	if err != nil {
		return report.Skip, err.Error()
	}
	conn := p.board().Conn
	for i := range rows {
		if rows[i].Conn == conn {
			return report.Fail, fmt.Sprintf("frame %d carries hints, to a host that did not advertise toolHints", rows[i].Seq)
		}
	}
	return report.Pass, fmt.Sprintf("%s of the list, and no hints within %s", countTools(p.board()), p.Listen)
}

func countTools(b *timeline.Board) string {
	n := len(b.Static) + len(b.Loose)
	if n == 1 {
		return "1 tool"
	}
	return fmt.Sprintf("%d tools", n)
}

// listen waits while a server may say something.
func (p *prober) listen() {
	timer := time.NewTimer(p.Listen)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-p.ctx.Done():
	}
	_ = p.Sync(p.ctx)
}

// digest: the revision of the manifest is its digest.
func (p *prober) digest() (report.Verdict, string) {
	raw := p.board().Manifest
	if raw == nil {
		return report.Skip, "the server has no manifest: it does not speak MCPL"
	}
	revision := wire.Member(raw, "revision")
	if revision == nil || string(revision) == "null" {
		return report.Skip, "the manifest has no revision"
	}
	want, err := mcpl.Digest(raw)
	if err != nil {
		return report.Skip, "the manifest has no digest: " + err.Error()
	}
	if got := wire.StringOf(revision); got != want {
		return report.Fail, fmt.Sprintf("the revision is %s, and the digest %s", revision, want)
	}
	return report.Pass, want
}

// clean closes what the probe opened and may be open still: also what came of
// an open that was never answered.
func (p *prober) clean() {
	if len(p.asked) == 0 {
		return
	}
	if p.Cleaning != nil && p.ctx.Err() != nil {
		defer time.AfterFunc(aWhile, p.Cleaning).Stop()
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(p.ctx), cleanTime)
	defer cancel()
	p.ctx = ctx
	if b := p.board(); b.Link.Closed != nil || !b.ToolHints {
		if !p.Lasting || p.reconnect(true) != nil {
			return
		}
	}
	out := p.run("toolsets")
	for _, at := range placesIn(wire.Member(out.Result, "open")) {
		if slices.Contains(p.asked, at) {
			p.run("close %s", at.line(" "))
		}
	}
}
