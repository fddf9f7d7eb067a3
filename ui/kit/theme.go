package kit

import (
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// Theme turns roles into colours and a canvas into what a terminal reads.
type Theme struct {
	Name  string
	ASCII bool // draw every glyph with ASCII
	NoDim bool // for projectors: dim text and rules become normal

	renderer *lipgloss.Renderer
	base     [numRoles]lipgloss.Style
	seq      map[Style][2]string
}

// NewTheme returns the theme for a terminal with the given colours (Ascii for
// NO_COLOR, attributes alone) and background.
func NewTheme(profile termenv.Profile, dark bool) *Theme {
	r := lipgloss.NewRenderer(nil)
	r.SetColorProfile(profile)
	r.SetHasDarkBackground(dark)
	t := &Theme{Name: "light", renderer: r, seq: map[Style][2]string{}}
	if dark {
		t.Name = "dark"
	}
	for role := range t.base {
		t.base[role] = r.NewStyle()
	}
	fg := func(role Role, light, darkColor string) {
		t.base[role] = t.base[role].Foreground(lipgloss.AdaptiveColor{Light: light, Dark: darkColor})
	}
	fg(Dim, "#767676", "#8a8a8a")
	fg(Server, "#00708a", "#5fd7ff")
	fg(Good, "#1a7f37", "#7ee787")
	fg(Changed, "#8a6500", "#e3c04c")
	fg(Bad, "#c1121f", "#ff6b6b")
	fg(Past, "#a05a00", "#ffb454")
	fg(Rule, "#9a9a9a", "#6c6c6c")
	fg(Ask, "#7a3e9d", "#d2a8ff")
	fg(JSONKey, "#0550ae", "#79c0ff")
	fg(JSONString, "#1a7f37", "#a5d6a7")
	fg(JSONNumber, "#8a6500", "#e3c04c")
	fg(JSONWord, "#7a3e9d", "#d2a8ff")
	for _, role := range []Role{Bright, Title, Key} {
		t.base[role] = t.base[role].Bold(true)
	}
	t.base[Past] = t.base[Past].Reverse(true)
	return t
}

// NewMono returns the theme for NO_COLOR: attributes alone.
func NewMono() *Theme {
	r := lipgloss.NewRenderer(nil)
	r.SetColorProfile(termenv.ANSI)
	r.SetHasDarkBackground(true)
	t := &Theme{Name: "none", renderer: r, seq: map[Style][2]string{}}
	for role := range t.base {
		t.base[role] = r.NewStyle()
	}
	for _, role := range []Role{Bright, Title, Key, Bad, Ask} {
		t.base[role] = t.base[role].Bold(true)
	}
	for _, role := range []Role{Dim, Rule} {
		t.base[role] = t.base[role].Faint(true)
	}
	t.base[Past] = t.base[Past].Reverse(true)
	return t
}

// sequences returns what is written before and after text of a style. They
// are asked of lipgloss once for each style, not once for each cell.
func (t *Theme) sequences(st Style) [2]string {
	if s, ok := t.seq[st]; ok {
		return s
	}
	role := st.Role
	if t.NoDim && (role == Dim || role == Rule) {
		role = Normal
	}
	ls := t.base[role]
	if st.Bold {
		ls = ls.Bold(true)
	}
	if st.Reverse {
		ls = ls.Reverse(!ls.GetReverse())
	}
	if st.Underline {
		ls = ls.Underline(true)
	}
	before, after, _ := strings.Cut(ls.Render("\x00"), "\x00")
	t.seq[st] = [2]string{before, after}
	return t.seq[st]
}

// Render returns the canvas as text with escape sequences, h lines without a
// last line break.
func (t *Theme) Render(c *Canvas) string {
	var b strings.Builder
	b.Grow(len(c.cells) * 2)
	for y := 0; y < c.h; y++ {
		if y > 0 {
			b.WriteByte('\n')
		}
		t.renderRow(&b, c.cells[y*c.w:(y+1)*c.w])
	}
	return b.String()
}

func (t *Theme) renderRow(b *strings.Builder, row []cell) {
	for len(row) > 0 {
		n := 1
		for n < len(row) && row[n].style == row[0].style {
			n++
		}
		seq := t.sequences(row[0].style)
		b.WriteString(seq[0])
		for _, c := range row[:n] {
			b.WriteString(t.glyph(c.text))
		}
		b.WriteString(seq[1])
		row = row[n:]
	}
}

// asciiGlyphs draws with ASCII what screens draw with one-cell glyphs.
var asciiGlyphs = map[string]string{
	"●": "*", "○": ".", "≠": "#", "◆": "O", "◇": "C", "✗": "x", "▄": "*",
	"·": ".", "░": "%", "↑": "^", "↓": "v", "→": ">", "←": "<", "┆": "|",
	"▌": ">", "▏": ":", "━": "=", "─": "-", "▾": "v", "▸": ">", "◂": "<",
	"►": ">", "‖": "|", "◌": "~", "┴": "'", "█": "#", "≈": "&", "═": "_",
	"▼": "V", "▲": "^", "⋯": ";", "…": ".", "┌": ",", "│": "|", "└": "'",
	"┭": "+", "┮": "+", "├": "+", "┤": "+", "┬": "+", "┼": "+", "┐": ".",
	"┘": "'", "╌": "-", "┄": "-", "“": `"`, "”": `"`, "‹": "<", "›": ">",
	"✓": "v", "×": "x", "┝": "+", "┥": "+", "┠": "+", "┨": "+", "┯": "+", "┷": "+",
}

func (t *Theme) glyph(s string) string {
	if t.ASCII && len(s) > 1 {
		if a, ok := asciiGlyphs[s]; ok {
			return a
		}
	}
	return s
}
