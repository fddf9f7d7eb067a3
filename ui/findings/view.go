package findings

import (
	"fmt"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/inspector/conform"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/filter"
	"github.com/mcpl-tui/mcpl-tui/ui/inspect"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/label"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// pane is one of the two.
type pane uint8

const (
	onList pane = iota
	onInspect
)

// View is the findings. New makes one; Same may be set before it is drawn.
type View struct {
	// Same returns a command that finds the same again, "" where there is
	// none; nil: never.
	Same func() string

	book  *Book
	log   *timeline.Log // the session that is shown
	focus pane
	over  bool // INSPECT lies over the body
	pane  inspect.Pane

	folds map[string]bool // what the user folded (true) or unfolded, by chapter or rule
	muted bool            // muted findings are shown
	line  filter.Line
	query filter.Query
	kept  int // findings that pass the filter

	rows   []row
	made   madeOf
	sel    sel
	top    int
	free   bool // scrolled away from the cursor
	wasAt  int  // the playhead, when the cursor was last in line with it
	before sel  // the cursor before a filter was typed
	doc    docMemo
	names  map[int]string // what frames say, for findings that name nothing
	at     layout
	head   int // rows of the list above its lines
}

// New returns a view of a book.
func New(book *Book) *View {
	return &View{book: book, folds: map[string]bool{}, wasAt: -2}
}

var _ view.View = (*View)(nil)

// sel is what the cursor is on: a finding, a rule or a chapter.
type sel struct {
	chapter conform.Chapter
	rule    string
	finding ident // rule "": none
}

func (s sel) onFinding() bool { return s.finding.rule != "" }

// The sizes at which the layout changes (screens.md, "Layout rules").
const (
	twoColumns = 96
	narrow     = 60 // columns under which there is no head line
	airy       = 21 // rows of the body from which parts are set apart
)

// layout is where the panes stand in the body.
type layout struct {
	w, h          int
	list, inspect box // without their head lines; no height: not there
	title, ititle box
	divider       int // column between the two, -1: none
}

type box struct{ x, y, w, h int }

func (b box) has(x, y int) bool { return x >= b.x && x < b.x+b.w && y >= b.y && y < b.y+b.h }

func (b box) of(r kit.Region) kit.Region { return r.Sub(b.x, b.y, b.w, b.h) }

func (v *View) place(w, h int) layout {
	l := layout{w: w, h: h, divider: -1}
	top := 1
	if w < narrow {
		top = 0
	}
	full := box{0, top, w, max(h-top, 0)}
	switch {
	case v.over:
		l.ititle, l.inspect = box{0, 0, w, top}, full
	case w >= twoColumns:
		l.divider = 41 + max(w-100, 0)*2/5
		l.title, l.list = box{0, 0, l.divider, top}, box{0, top, l.divider, full.h}
		x := l.divider + 1
		l.ititle, l.inspect = box{x, 0, w - x, top}, box{x, top, w - x, full.h}
	default:
		l.title, l.list = box{0, 0, w, top}, full
	}
	return l
}

// Draw draws the body.
func (v *View) Draw(r kit.Region, c *view.Context) {
	if r.W <= 0 || r.H <= 0 {
		return
	}
	v.at = v.place(r.W, r.H)
	v.take(c)
	l := &v.at
	if l.inspect.h == 0 {
		v.focus = onList
	}
	if l.list.h > 0 {
		v.drawList(l.list.of(r), c)
	}
	if l.title.h > 0 {
		v.drawTitle(l.title.of(r), c)
	}
	if l.inspect.h > 0 {
		doc := v.explain(c)
		if l.ititle.h > 0 {
			title := "INSPECT"
			if doc.Title != "" {
				title += "  " + doc.Title
			}
			label.DrawHead(l.ititle.of(r), title, doc.Note, v.focus == onInspect)
		}
		at := l.inspect
		if at.h >= airy && v.focus == onList { // level with the list
			at.y, at.h = at.y+1, at.h-1
		}
		v.pane.Draw(at.of(r), doc, v.focus == onInspect)
	}
	if l.divider >= 0 {
		label.DrawDivider(r, l.divider, v.focus == onList, v.focus == onInspect)
	}
}

// take adopts the session that is shown, makes the rows, and brings the
// cursor in line with the playhead where that moved.
func (v *View) take(c *view.Context) {
	if v.log != c.Log {
		v.log = c.Log
		v.line, v.query, v.sel, v.top, v.wasAt = filter.Line{}, filter.Query{}, sel{}, 0, -2
		v.names = map[int]string{}
		v.pane.Reset()
	}
	v.makeRows()
	switch {
	case c.At != v.wasAt:
		v.follow(c)
	case v.selected() < 0:
		v.fallBack()
	}
}

// follow puts the cursor on the finding at the playhead, or on the last one
// before it. Where there is none it stands on the first row.
func (v *View) follow(c *view.Context) {
	v.wasAt = c.At
	if f := v.finding(); f != nil && f.Index == c.At {
		return
	}
	best := -1
	for i := range v.rows {
		k := v.rows[i].finding
		if k < 0 {
			continue
		}
		if at := v.book.all[k].Index; at <= c.At && (best < 0 || at > v.book.all[v.rows[best].finding].Index) {
			best = i
		}
	}
	if best < 0 {
		v.fallBack()
		return
	}
	v.choose(best)
}

// fallBack puts the cursor where it was, should what it stood on be gone: on
// the rule, the chapter, or the first row.
func (v *View) fallBack() {
	for _, s := range []sel{{chapter: v.sel.chapter, rule: v.sel.rule}, {chapter: v.sel.chapter}} {
		for i := range v.rows {
			if s.chapter != "" && v.rows[i].sel == s {
				v.choose(i)
				return
			}
		}
	}
	if len(v.rows) > 0 {
		v.choose(0)
	} else {
		v.sel = sel{}
	}
}

func (v *View) choose(i int) {
	v.sel, v.free = v.rows[i].sel, false
}

// selected is the row under the cursor, -1: none.
func (v *View) selected() int {
	for i := range v.rows {
		if v.rows[i].sel == v.sel {
			return i
		}
	}
	return -1
}

// finding is the finding under the cursor, nil: none.
func (v *View) finding() *conform.Finding {
	if i := v.selected(); i >= 0 && v.rows[i].finding >= 0 {
		return &v.book.all[v.rows[i].finding]
	}
	return nil
}

// drawTitle draws the head line of the list: how many there are of each
// level, and the filter.
func (v *View) drawTitle(r kit.Region, c *view.Context) {
	title := "FINDINGS" + v.line.Words(max(r.W-28, 12))
	label.DrawHead(r, title, v.titleNote(c, r.W-kit.Width(title)-8), v.focus == onList && c.Focus)
}

func (v *View) titleNote(c *view.Context, room int) string {
	if !v.query.Empty() {
		return filter.Count(v.kept, v.findings())
	}
	if b := v.book; b.looked < b.there {
		return fmt.Sprintf("judging, %d %%", b.looked*100/b.there)
	}
	_, later := v.book.Split(c.At)
	text := levelWords(v.book.n)
	switch all := v.book.n.level[conform.Error] + v.book.n.level[conform.Warning]; {
	case later == 0 || kit.Width(text)+16 > room:
	case later == all:
		text += ", later"
	default:
		text += fmt.Sprintf(", %d later", later)
	}
	return text
}

// findings is how many findings are listed without a filter.
func (v *View) findings() int {
	n := len(v.book.all)
	if !v.muted {
		n -= v.book.n.muted
	}
	return n
}

// levelWords counts by level: "1 error, 2 warnings".
func levelWords(n counts) string {
	var parts []string
	for _, l := range []conform.Level{conform.Error, conform.Warning, conform.Info} {
		switch k := n.level[l]; {
		case k == 0:
		case l == conform.Info && len(parts) > 0: // who counts errors does not count these
		case l == conform.Info:
			parts = append(parts, fmt.Sprintf("%d info", k))
		default:
			parts = append(parts, inspector.Count(k, l.String()))
		}
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}

// Narrow returns what the root says of the view on a screen without head
// lines: "FINDINGS 1 error ↓3".
func (v *View) Narrow(c *view.Context, w, h int) string {
	if w >= narrow {
		return ""
	}
	v.at = v.place(w, h)
	v.take(c)
	if v.over {
		return "INSPECT"
	}
	words := "FINDINGS"
	if f := v.line.Words(18); f != "" {
		words += f[1:]
	}
	n := h - v.head
	if !v.query.Empty() {
		words += " " + v.titleNote(c, 0)
	}
	return words + label.Arrows(v.top, max(len(v.rows)-v.top-n, 0))
}

// Where names the place for the page of keys.
func (v *View) Where(c *view.Context) string {
	v.take(c)
	switch {
	case v.sel.onFinding():
		return "Findings, on one of " + v.sel.rule
	case v.sel.rule != "":
		return "Findings, on " + v.sel.rule
	case v.sel.chapter != "":
		return "Findings, on " + string(v.sel.chapter)
	}
	return "Findings"
}
