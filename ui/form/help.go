package form

import (
	"slices"

	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// bar parts the keys of the fields from those of the whole form.
var bar = view.Help{Key: "│"}

// inText reports whether the cursor is in the JSON, where enter breaks lines.
func (f *Form) inText() bool { return f.json && f.focus == len(f.fields) && !f.declining() }

// Help returns the keys of this moment, the one of enter first. Where all of
// them fit, the way back is the last one, as on every screen; else it is the
// second, and what matters least is what the row has no room for.
func (f *Form) Help() []view.Help {
	first := f.firstHelp()
	esc := view.Help{Key: "esc", Verb: "back"}
	switch f.kind {
	case Close:
		return f.closeHelp()
	case Line:
		rest := []view.Help{{Key: "ctrl-y", Verb: "copy"}}
		if len(f.deps.Lines) > 0 {
			rest = slices.Insert(rest, 0, view.Help{Key: "ctrl-p", Verb: "earlier"})
		}
		return f.ordered(first, esc, rest)
	}
	return f.ordered(first, esc, f.moreHelp())
}

// firstHelp is the key that does what the form is for.
func (f *Form) firstHelp() view.Help {
	switch {
	case f.running:
		return view.Help{Key: "ctrl-c", Verb: "cancel"}
	case f.inText():
		return view.Help{Key: "ctrl-s", Verb: "send"}
	case f.kind == Answer && f.declining():
		return view.Help{Key: "enter", Verb: f.fields[f.find(verb)].choices[f.doing()].label}
	}
	return view.Help{Key: "enter", Verb: f.sendVerb()}
}

func (f *Form) sendVerb() string {
	switch {
	case f.kind == Answer:
		return f.fields[f.find(verb)].choices[0].label
	case f.kind == Call && f.hidden():
		return "send anyway"
	}
	return "send"
}

// closeHelp are the keys of the question before a close.
func (f *Form) closeHelp() []view.Help {
	switch {
	case f.running:
		return []view.Help{f.firstHelp(), {Key: "esc", Verb: "back"}}
	case f.answer != nil && f.answer.OK:
		return []view.Help{{Key: "esc", Verb: "back"}}
	}
	name := " " + kit.CutMiddle(kit.Clean(f.target()), 30)
	if 0 < f.w && f.w < 60 {
		name = ""
	}
	return []view.Help{{Key: "enter y", Verb: "close" + name}, {Key: "esc n", Verb: "leave it open"}}
}

// moreHelp are the keys behind the first: those of the fields, and behind the
// bar those of the form.
func (f *Form) moreHelp() []view.Help {
	var out []view.Help
	add := func(key, verb string) { out = append(out, view.Help{Key: key, Verb: verb}) }
	if f.w >= wide || f.w == 0 {
		add("tab ↓ ↑", "field")
	} else {
		if f.page {
			add("ctrl-v", "fields")
		} else {
			add("ctrl-v", "all of it")
		}
		add("tab", "field")
	}
	switch {
	case f.kind == Grant:
		add("space", "turn")
	case slices.ContainsFunc(f.fields, func(fd field) bool { return fd.choosing() }) && !f.json:
		add("← →", "choose")
	}
	out = append(out, bar)
	if f.hasArgs() {
		verb := "JSON"
		if f.json {
			verb = "fields"
		}
		add("ctrl-t", verb)
		add("ctrl-o", "$EDITOR")
	}
	if len(f.deps.Earlier) > 0 {
		add("ctrl-p", "earlier")
	}
	if f.deps.URL != "" {
		add("ctrl-y", "copy the address")
	}
	if f.hasJSONText() {
		verb := "text as JSON"
		if f.unpacked {
			verb = "text as sent"
		}
		add("ctrl-r", verb)
	}
	return out
}

// ordered puts the keys in the order that the width asks for. The key of the
// second page is cut to fit behind the first two: a page that is not named
// is not found.
func (f *Form) ordered(first, esc view.Help, rest []view.Help) []view.Help {
	long := slices.Concat([]view.Help{first}, rest, []view.Help{esc})
	if f.w > 0 && helpCells(long, f.w) <= f.w {
		return long
	}
	out := slices.Concat([]view.Help{first, esc}, rest)
	if len(rest) == 0 || rest[0].Key != "ctrl-v" {
		return out
	}
	for _, v := range []string{rest[0].Verb, "all", ""} {
		out[2].Verb = v
		if helpCells(out[:3], f.w) <= f.w {
			break
		}
	}
	return out
}

// helpCells is how many columns a row of keys needs in a screen of w columns,
// its margins included, as the root spaces them.
func helpCells(keys []view.Help, w int) int {
	gap, later, between := 3, 2, 3
	switch {
	case w >= 140:
		later, between = 3, 5
	case w < 60:
		gap, between = 2, 2
	}
	n := 4
	for i, h := range keys {
		switch {
		case h == bar:
			gap = later
			continue
		case i > 0 && keys[i-1] == bar:
			n += between
		case i > 0:
			n += gap
		}
		n += kit.Width(kit.Clean(h.Key))
		if h.Verb != "" {
			n += 1 + kit.Width(kit.Clean(h.Verb))
		}
	}
	return n
}

// Where names the place for the page of keys.
func (f *Form) Where() string { return "Form, " + f.heading() }
