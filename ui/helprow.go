package ui

import (
	"slices"

	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// drawHelp draws the last row: the keys of this very row, the verb of enter
// first, and at the right the keys that are always there.
func (m *Model) drawHelp(r kit.Region) {
	if m.opt.Stage {
		r = m.drawEcho(r)
	}
	ends := m.helpEnd(r.W)
	groups, end := m.helpGroups(r.W, ends)
	right := r.W - 1 - helpWidth(end, 0)
	limit := right - 2
	if m.opt.Stage && len(end) == 0 {
		limit = r.W
	}
	m.putHelp(r, 1, limit, groups, r.W)
	m.putHelp(r, right, r.W, end, 0)
}

// helpEnd is the right end of the row, in full and short.
func (m *Model) helpEnd(w int) (ends [2][][]view.Help) {
	switch p := m.over.(type) {
	case nil, *keysPage:
		if m.opt.Stage && w >= narrowFrom {
			return ends // help stands among the keys
		}
	case *startPage:
		return p.helpEnd(w)
	default:
		return ends
	}
	long := []view.Help{{Key: ":", Verb: "command"}, {Key: "?", Verb: "help"}, {Key: "q", Verb: "quit"}}
	if m.over != nil {
		long[1].Verb = "all keys"
	}
	short := []view.Help{{Key: ":"}, {Key: "?"}, {Key: "q"}}
	if w < narrowFrom {
		short = short[1:]
		if m.opt.Stage {
			short = short[:1]
		}
		long = short
	}
	ends[0], ends[1] = [][]view.Help{long}, [][]view.Help{short}
	return ends
}

// helpGroups are the keys of the row, in groups, and the end that they leave
// room for. What the root adds to the view's own keys must fit.
func (m *Model) helpGroups(w int, ends [2][][]view.Help) (groups, end [][]view.Help) {
	if m.over != nil {
		groups = grouped(m.over.help(m))
	} else {
		groups = grouped(m.view().Help(m.moment()))
	}
	fits := func(g, end [][]view.Help) bool {
		if m.opt.Stage { // the key that is echoed keeps its distance
			return 1+helpWidth(g, w)+helpWidth(end, 0) <= w
		}
		return helpWidth(g, w)+3+helpWidth(end, 0)+2 <= w
	}
	if m.over == nil {
		if m.opt.Stage && w >= narrowFrom {
			groups = besideZoom(groups)
		}
		must, may := m.rootHelp()
		base, added := groups, []view.Help(nil)
		must, may = without(must, groups), without(may, groups)
		for i, h := range append(must, may...) {
			room := ends[0]
			if i < len(must) {
				room = ends[1]
			}
			if g := join(base, append(added, h)); fits(g, room) {
				groups, added = g, append(added, h)
			}
		}
	}
	if fits(groups, ends[0]) {
		return groups, ends[0]
	}
	return groups, ends[1]
}

// without leaves out the keys that are named already.
func without(keys []view.Help, groups [][]view.Help) []view.Help {
	var out []view.Help
	for _, h := range keys {
		if !named(groups, h.Key) {
			out = append(out, h)
		}
	}
	return out
}

// join adds keys to the group that holds the same kind of keys, behind “[ ]”,
// or as a group of their own.
func join(groups [][]view.Help, add []view.Help) [][]view.Help {
	if len(add) == 0 {
		return groups
	}
	for i, g := range groups {
		for k, h := range g {
			if h.Key == "[ ]" {
				out := slices.Clone(groups)
				out[i] = slices.Insert(slices.Clone(g), k+1, add...)
				return out
			}
		}
	}
	return append(slices.Clone(groups), add)
}

// grouped takes keys apart at those without a name.
func grouped(keys []view.Help) [][]view.Help {
	var out [][]view.Help
	fresh := true
	for _, h := range keys {
		if h.Key == "" || h.Key == "│" {
			fresh = true
			continue
		}
		if fresh {
			out, fresh = append(out, nil), false
		}
		out[len(out)-1] = append(out[len(out)-1], h)
	}
	return out
}

func named(groups [][]view.Help, key string) bool {
	for _, g := range groups {
		for _, h := range g {
			if h.Key == key {
				return true
			}
		}
	}
	return false
}

// rootHelp are the keys of the root that mean something at this moment: those
// that are worth a place, and those that are named where there is room.
func (m *Model) rootHelp() (must, may []view.Help) {
	if m.opt.Stage {
		return m.stageHelp()
	}
	if m.cx.Ended {
		must = append(must, view.Help{Key: "r", Verb: "try again"})
	}
	switch {
	case m.cx.Replay && m.player.playing:
		must = append(must, view.Help{Key: "space", Verb: "pause"})
	case m.cx.Replay:
		must = append(must, view.Help{Key: "space", Verb: "play"})
	}
	if m.cx.Replay {
		may = append(may, view.Help{Key: "< >", Verb: "speed " + speedText(m.player.speed)})
	}
	if m.past() {
		may = append(may, view.Help{Key: "G", Verb: "live"})
	}
	if m.cx.Rows > 0 {
		may = append(may, view.Help{Key: "[ ]", Verb: "rev"})
	}
	if m.sides.n > 1 {
		may = append(may, view.Help{Key: "s", Verb: "connection " + itoa(m.sides.other.Newest.Conn)})
	}
	if len(m.judging.book.Places()) > 0 {
		may = append(may, view.Help{Key: "e E", Verb: "finding"})
	}
	return must, may
}

// helpGaps returns the blanks between keys of the first group, between those
// of a later one, and what stands between groups.
func helpGaps(w int) (first, later int, between string) {
	switch {
	case w >= wideFrom:
		return 3, 3, "  │  "
	case w >= narrowFrom:
		return 3, 2, " │ "
	case w == 0: // the right end
		return 3, 3, ""
	}
	return 2, 2, "  "
}

func helpText(h view.Help) int {
	if h.Verb == "" {
		return kit.Width(h.Key)
	}
	return kit.Width(h.Key) + 1 + kit.Width(kit.Clean(h.Verb))
}

func helpWidth(groups [][]view.Help, w int) int {
	first, later, between := helpGaps(w)
	sum := 0
	for i, g := range groups {
		gap := first
		if i > 0 {
			sum, gap = sum+kit.Width(between), later
		}
		for k, h := range g {
			if k > 0 {
				sum += gapAfter(g[k-1], gap)
			}
			sum += helpText(h)
		}
	}
	return sum
}

// gapAfter is the blanks after a key: one where it stands without a verb.
func gapAfter(h view.Help, gap int) int {
	if h.Verb == "" {
		return 1
	}
	return gap
}

// putHelp draws keys from column x on, as many as end before limit.
func (m *Model) putHelp(r kit.Region, x, limit int, groups [][]view.Help, w int) {
	first, later, between := helpGaps(w)
	y := m.layout().help
	for i, g := range groups {
		gap := first
		if i > 0 {
			if len(g) == 0 || x+kit.Width(between)+helpText(g[0]) > limit {
				return
			}
			x, gap = r.Put(x, 0, kit.As(kit.Rule), between), later
		}
		for k, h := range g {
			if k > 0 {
				x += gapAfter(g[k-1], gap)
			}
			if x+helpText(h) > limit {
				return
			}
			m.screen.zone(x, y, helpText(h), strokeOf(h.Key))
			x = r.Put(x, 0, kit.As(kit.Key), h.Key)
			style := kit.As(kit.Normal)
			if i == 0 && k == 0 && w > 0 { // what enter does is the first thing to read
				style = kit.As(kit.Bright)
			}
			if h.Verb != "" {
				x = r.Put(x+1, 0, style, h.Verb)
			}
		}
	}
}

// strokeOf is the key that a click on a key's name presses, "" where the name
// stands for several.
func strokeOf(name string) string {
	switch name {
	case "space":
		return " "
	case "enter", "esc", "tab":
		return name
	}
	if len([]rune(name)) == 1 {
		return name
	}
	return ""
}
