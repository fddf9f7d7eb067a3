package lanes

import (
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/label"
)

// brief tells the lane in two lines: its state, since when and by what; then
// the last finding, or the next change, or the one before.
func (t *teller) brief() {
	tl := t.tale
	if t.s.sources == nil {
		t.briefGroup()
		return
	}
	t.turns()
	tl.short[0] = t.s.word(t.m.c.At)
	if t.hasIs {
		tl.short[0] += " since " + t.briefly(t.is) + t.sinceThen()
	} else if why := t.s.why(t.m.c.At); why != "" {
		tl.short[0] += ": " + why
	}
	mk, n := t.lastMark()
	switch {
	case n > 0 && (!t.hasIs || int(mk.index) > t.is.Index):
		tl.short[1], tl.bad = t.m.revOfMark(mk)+" ✗"+t.ruleOf(mk), true
	case t.ok:
		tl.short[1] = "then " + t.s.word(t.then.Index) + " by " + t.briefly(t.then)
	case t.hasWas:
		tl.short[1] = "was " + t.s.word(t.was.Index) + " since " + t.briefly(t.was)
	case t.hasIs:
		tl.short[1] = t.s.word(t.is.Index-1) + " before"
		if why := t.s.why(t.is.Index - 1); why != "" {
			tl.short[1] += ": " + why
		}
	}
}

// briefly names a change with its cause and frame: "rev 2 → open game vs-ada,
// frame 16".
func (t *teller) briefly(e timeline.Event) string {
	text := t.rev(e)
	if frame := t.frame(e); text != frame {
		return text + " " + t.carrier(e).words() + ", " + frame
	}
	return text + " " + t.carrier(e).words()
}

// sinceThen says what else happened to the lane since its state came.
func (t *teller) sinceThen() string {
	if t.s.kind != onTool {
		return ""
	}
	e, ok := t.s.reader.Last(t.s.key, timeline.Edits, t.m.c.At)
	switch {
	case ok && e.Index == t.is.Index:
		return "; redefined by it"
	case ok && e.Index > t.is.Index:
		return "; redefined by " + t.rev(e)
	case t.s.touchedAfter(t.is.Index) < 0:
		return "; no change"
	}
	return ""
}

// briefGroup tells a lane that stands for several.
func (t *teller) briefGroup() {
	lines := t.groupLines()
	t.tale.short[0] = lines[0].text
	for _, l := range lines[1:] {
		if l.head == "LAST" {
			t.tale.short[0] += ", " + l.text
			t.tale.short[1] = l.cause
		}
	}
	if mk, n := t.lastMark(); n > 0 {
		t.tale.short[1], t.tale.bad = t.m.revOfMark(mk)+" ✗"+t.ruleOf(mk), true
	}
}

// drawBrief draws the two lines.
func (v *View) drawBrief(r kit.Region, t *tale) {
	if r.H == 0 || t.title == "" {
		return
	}
	name := kit.CutMiddle(t.title, max(r.W/3, 8))
	x := r.Put(1, 0, kit.As(kit.Bright), name) + 3
	if r.H == 1 {
		x -= 2
	}
	r.PutCut(x, 0, r.W-x, kit.As(kit.Normal), t.short[0])
	if r.H < 2 {
		return
	}
	st := kit.As(kit.Normal)
	r.PutCut(x, 1, r.W-x, st, t.short[1])
	if i := signAt(t.short[1], "✗"); t.bad && i >= 0 && x+i < r.W {
		r.Fill(x+i, 1, 1, kit.As(kit.Bad), "✗")
	}
}

// signAt returns the column of a sign in a text, -1: it is not there.
func signAt(text, sign string) int {
	for i := range text {
		if len(text) >= i+len(sign) && text[i:i+len(sign)] == sign {
			return kit.Width(label.Peer(text[:i]))
		}
	}
	return -1
}
