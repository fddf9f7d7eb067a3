package probe

import (
	"slices"
	"time"

	"github.com/mcpl-tui/mcpl-tui/cmd/mcpl-tui/report"
	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// listed reads toolsets/list.
func (p *prober) listed(t *tally) (open []place, ok bool) {
	out := p.run("toolsets")
	if !out.OK {
		t.fail("toolsets/list: %s", out.Err)
		return nil, false
	}
	if wire.Path(out.Result, "_meta", mcpl.MetaHints, "rev") == nil {
		t.fail("the result of toolsets/list carries no hints with a rev")
	}
	return placesIn(wire.Member(out.Result, "open")), true
}

// placesIn reads the places of open, or of ended.
func placesIn(list []byte) []place {
	var out []place
	wire.EachElement(list, func(v []byte) bool {
		name := wire.Member(v, "toolset")
		if name == nil {
			name = wire.Member(v, "name")
		}
		out = append(out, place{wire.StringOf(name), wire.StringOf(wire.Member(v, "instance"))})
		return true
	})
	return out
}

// listAfterOpen: the list names what was opened, and what was open before.
func (p *prober) listAfterOpen() (report.Verdict, string) {
	var t tally
	open, ok := p.listed(&t)
	if ok {
		p.stillOpen(open, &t)
		for _, o := range p.opened {
			if slices.Contains(open, o.place) {
				t.pass("%s", o.place)
			} else {
				t.fail("%s was opened, and open does not name it", o.place)
			}
		}
	}
	return t.verdict("nothing was opened")
}

// stillOpen: what was open before the probe is, or hints have closed it.
func (p *prober) stillOpen(open []place, t *tally) {
	for _, at := range p.isOpen() {
		if p.before[at] && !slices.Contains(open, at) {
			t.fail("%s was open before, and open does not name it", at)
		}
	}
}

// listAfterClose: the list names nothing that was closed.
func (p *prober) listAfterClose() (report.Verdict, string) {
	if len(p.closed) == 0 {
		return report.Skip, "nothing was closed"
	}
	var t tally
	open, ok := p.listed(&t)
	if ok {
		p.stillOpen(open, &t)
		for _, at := range p.closed {
			if slices.Contains(open, at) {
				t.fail("%s was closed, and open names it", at)
			} else {
				t.pass("%s", at)
			}
		}
	}
	return t.verdict("nothing was closed")
}

// close closes what the probe has opened.
func (p *prober) close() (report.Verdict, string) {
	var t tally
	for _, o := range slices.Clone(p.opened) {
		p.closeOne(o.place, &t)
	}
	return t.verdict("nothing was opened")
}

func (p *prober) closeOne(at place, t *tally) {
	if !slices.Contains(p.isOpen(), at) {
		p.forget(at)
		t.skip("%s ended by itself", at)
		return
	}
	out := p.run("close %s", at.line(" "))
	switch {
	case !out.OK:
		t.fail("%s: %s", at, out.Err)
	case slices.Contains(p.isOpen(), at):
		t.fail("%s is open still, by the hints of the result", at)
	default:
		p.forget(at)
		p.closed = append(p.closed, at)
		t.pass("%s", at)
	}
}

func (p *prober) forget(at place) {
	p.unask(at)
	p.opened = slices.DeleteFunc(p.opened, func(o *opening) bool { return o.place == at })
}

// pushRefused: the hints of a push that was refused count, so that the next
// list says nothing else.
func (p *prober) pushRefused() (report.Verdict, string) {
	if !slices.Contains(mcpl.Advertised(p.board().Manifest), mcpl.CapPush) {
		return report.Skip, "the server does not say that it pushes"
	}
	p.run("push refuse refused by the probe")
	defer p.run("%s", p.Push)
	from := p.Log.RowCount()
	var t, ignored tally
	for _, o := range p.named {
		if p.openOne(&o.decl, &ignored) != nil {
			break
		}
	}
	row := p.awaitPush(from)
	if row == nil {
		return report.Skip, "no push with hints came while pushes were refused"
	}
	out := p.run("toolsets")
	if !out.OK {
		t.fail("toolsets/list: %s", out.Err)
		return t.verdict("")
	}
	said := p.changesBy(out.Answer)
	for _, ch := range row.Changes {
		if slices.ContainsFunc(said, func(o timeline.Change) bool {
			return o.Toolset == ch.Toolset && o.Instance == ch.Instance && o.Tool == ch.Tool
		}) {
			t.fail("rev %d came with a push that was refused, and toolsets/list then takes back what it said of %s", row.Rev, named(ch))
		}
	}
	t.pass("rev %d came with a push that was refused, and toolsets/list agrees with it", row.Rev)
	return t.verdict("")
}

func named(ch timeline.Change) string {
	if ch.Tool == "" {
		return place{ch.Toolset, ch.Instance}.String()
	}
	return place{ch.Tool, ch.Instance}.String()
}

// awaitPush waits for a row of a push, from row n on, whose hints were
// applied.
func (p *prober) awaitPush(n int) *timeline.Row {
	timer := time.NewTimer(p.Listen)
	defer timer.Stop()
	for {
		changed := p.Changed()
		rows, err := p.Log.Rows(n, p.Log.RowCount())
		if err != nil {
			return nil
		}
		for i := range rows {
			if r := &rows[i]; r.Carrier == timeline.CarrierPush && len(r.Changes) > 0 {
				return r
			}
		}
		n += len(rows)
		select {
		case <-changed:
		case <-timer.C:
			return nil
		case <-p.ctx.Done():
			return nil
		}
	}
}
