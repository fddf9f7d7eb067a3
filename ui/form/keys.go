package form

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Key handles one key, named as bubbletea names it, or with paste a pasted
// text as it came. Line breaks in a paste send nothing.
func (f *Form) Key(key string, paste bool) Step {
	if paste {
		f.paste(key)
		return Step{}
	}
	sure := f.sure
	f.said = ""
	if step, done := f.command(key, sure); done {
		return step
	}
	f.sure = false
	if f.kind == Close {
		return f.boxKey(key)
	}
	if f.page && f.turnPage(key) {
		return Step{}
	}
	f.page = false
	return f.fieldKey(key)
}

// command handles the keys that mean the same in every field.
func (f *Form) command(key string, sure bool) (step Step, done bool) {
	f.sure = false
	if sure && key == quietKey {
		if step = f.send(false, true); step.Kind == Send {
			step.Quiet = true
		}
		return step, true
	}
	switch key {
	case "esc":
		if f.page {
			f.page, f.scroll = false, 0
			return Step{}, true
		}
		return Step{Kind: Leave}, true
	case "ctrl+c":
		if f.running {
			return Step{Kind: Cancel}, true
		}
		return Step{Kind: Pass}, true
	case "enter":
		if fd := f.current(); fd == &f.whole && fd.ed.multi && !f.page {
			f.newline()
			return Step{}, true
		}
		return f.send(false, sure), true
	case "ctrl+s":
		return f.send(true, sure), true
	case "ctrl+t":
		f.turn()
	case "ctrl+r":
		f.unpack()
	case "ctrl+o":
		return f.toEditor(), true
	case "ctrl+y":
		return f.copyLine(), true
	case "ctrl+p":
		f.takeEarlier(1)
	case "ctrl+n":
		f.takeEarlier(-1)
	case "ctrl+v":
		f.page, f.scroll = !f.page && f.kind != Close && f.kind != Line, 0
	default:
		return Step{}, false
	}
	return Step{}, true
}

// boxKey handles the keys of a box that asks.
func (f *Form) boxKey(key string) Step {
	switch key {
	case "y", "Y":
		return f.send(false, true)
	case "n", "N", "q":
		return Step{Kind: Leave}
	case "up", "k", "pgup":
		f.scroll = max(f.scroll-1, 0)
	case "down", "j", "pgdown":
		f.scroll++
	}
	return Step{}
}

// turnPage scrolls the second page; any other key goes to the fields.
func (f *Form) turnPage(key string) bool {
	switch key {
	case "up", "k":
		f.scroll--
	case "down", "j":
		f.scroll++
	case "pgup", "ctrl+u":
		f.scroll -= max(f.h-3, 1)
	case "pgdown", "ctrl+d", " ":
		f.scroll += max(f.h-3, 1)
	case "home":
		f.scroll = 0
	default:
		return false
	}
	f.scroll = max(f.scroll, 0)
	return true
}

// fieldKey handles the keys that move between fields and change them.
func (f *Form) fieldKey(key string) Step {
	fd := f.current()
	multi := fd == &f.whole && fd != nil
	switch key {
	case "tab":
		f.move(1)
		return Step{}
	case "shift+tab":
		f.move(-1)
		return Step{}
	case "pgup", "pgdown":
		f.pageKey(key == "pgdown")
		return Step{}
	case "up", "down":
		n := 1
		if key == "up" {
			n = -1
		}
		if multi && fd.ed.vertical(n) {
			return Step{}
		}
		f.move(n)
		return Step{}
	case "ctrl+j":
		if fd != nil && (multi || fd.kind == textField) {
			f.insert(fd, "\n")
			return Step{}
		}
	}
	if fd == nil {
		return Step{Kind: Pass}
	}
	if fd.choosing() {
		return f.choose(fd, key)
	}
	changed, known := fd.ed.key(key)
	if !known {
		if utf8.RuneCountInString(key) == 1 {
			return Step{}
		}
		return Step{Kind: Pass}
	}
	if changed {
		fd.touch()
		f.edited()
	}
	return Step{}
}

// choose handles the keys of a choice.
func (f *Form) choose(fd *field, key string) Step {
	if fd.role == grantee {
		switch key {
		case "left", "right", " ", "space", "y", "n", "home", "end":
			f.flip(fd, key)
			return Step{}
		}
		if utf8.RuneCountInString(key) == 1 {
			f.said = "space turns a line, y grants and n denies"
			return Step{}
		}
		return Step{Kind: Pass}
	}
	before := fd.pick
	switch key {
	case "left", "ctrl+b":
		fd.step(-1)
	case "right", "ctrl+f", " ", "space":
		fd.step(1)
	case "home", "ctrl+a":
		fd.touch()
		fd.pick = 0
	case "end", "ctrl+e":
		fd.touch()
		fd.pick = len(fd.choices) - 1
	case "backspace", "delete", "ctrl+u", "ctrl+w", "ctrl+h", "ctrl+d", "ctrl+k":
		if fd.role == place || fd.role == verb {
			return Step{}
		}
		fd.clear()
	default:
		if utf8.RuneCountInString(key) != 1 {
			return Step{Kind: Pass}
		}
		if !fd.seek(key) {
			f.said = "no choice begins with “" + fd.typed + key + "”; ← and → go through all"
			fd.typed = ""
			return Step{}
		}
	}
	f.edited()
	if fd.role == place && fd.pick != before {
		f.follow()
	}
	return Step{}
}

// pageKey moves by a page: in the JSON, or else among the fields.
func (f *Form) pageKey(down bool) {
	n := max(f.h/2, 1)
	if !down {
		n = -n
	}
	if fd := f.current(); fd == &f.whole && fd != nil {
		fd.ed.vertical(n)
		return
	}
	if f.answer != nil && f.w >= wide {
		f.scroll = max(f.scroll+n, 0)
		return
	}
	by := 1
	if n < 0 {
		by, n = -1, -n
	}
	for ; n > 0; n-- {
		before := f.focus
		f.move(by)
		if (f.focus-before)*by <= 0 { // around the end
			f.focus = before
			return
		}
	}
}

// edited is called whenever a value changed.
func (f *Form) edited() { f.earlier, f.touched = -1, true }

// newline breaks the line in the JSON and indents the next one as this.
func (f *Form) newline() {
	ed := &f.whole.ed
	line := ed.text[ed.start():ed.pos]
	blank := line[:len(line)-len(strings.TrimLeft(line, " "))]
	f.insert(&f.whole, "\n"+blank)
}

func (f *Form) insert(fd *field, s string) {
	if !fd.ed.insert(s) {
		f.said = "a field holds 1 MiB at most; ctrl-o opens an editor"
		return
	}
	fd.touch()
	f.edited()
}

// paste puts a pasted text in. Only fields that can hold line breaks keep
// them.
func (f *Form) paste(s string) {
	f.said, f.sure, f.page = "", false, false
	fd := f.current()
	if fd == nil || s == "" || f.kind == Close {
		return
	}
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	if fd.choosing() {
		want := strings.TrimSpace(s)
		i := slices.IndexFunc(fd.choices, func(c choice) bool { return c.label == want })
		if i < 0 {
			f.said = "what was pasted is none of the choices"
			return
		}
		fd.touch()
		fd.pick = i
		f.edited()
		f.afterPaste(fd)
		return
	}
	switch {
	case fd == &f.whole:
		s = strings.ReplaceAll(s, "\t", "  ")
	case fd.kind == textField || fd.kind == anyField:
		s = strings.TrimSuffix(s, "\n")
	default:
		s = spaced(strings.TrimSpace(s))
	}
	f.insert(fd, s)
}

func (f *Form) afterPaste(fd *field) {
	if fd.role == place {
		f.follow()
	}
}
