// Package start is the list of what one can look at: the screen that one
// begins with, and comes to with t. It owns the choice, the filter and the
// scroll; the line that is typed, and what is done with a choice, are the
// root's.
//
// A list is drawn from Places, which others find out. It does no I/O and reads
// no clock. Names, commands and paths come out of files that others wrote:
// they are drawn through the canvas alone, which cleans them.
package start

import (
	"slices"
	"time"
)

// Section is a part of the list.
type Section uint8

// The sections, in their order.
const (
	Try        Section = iota // the demo
	Servers                   // set up in configuration files
	Recent                    // connected to lately
	Recordings                // kept on this machine
	numSections
)

// Entry is one thing to look at.
type Entry struct {
	Section Section
	Line    string // what one types to look at it: it names the entry, too
	Edit    string // what is put into the line to be changed, "": Line
	Name    string
	What    string // its command or address, or what it is
	Where   string // the file that it stands in, or the folder
	Note    string // what one must know of it before: "switched off there"

	// Of a recording:
	Started  time.Time
	Read     bool // it was read to its end, so the rest is known
	Server   string
	Revs     int
	Length   time.Duration
	Findings int    // errors and warnings
	Broken   string // why it cannot be read, in a few words
}

// Places is everything that was found.
type Places struct {
	Entries  []Entry  // by section, each in its order
	Files    int      // how many files the servers stand in
	Dir      string   // the folder of the recordings
	Problems []string // what of the files cannot be read: a line each
	Kept     bool     // sessions are recorded
}

// Meaning is what a line was understood as.
type Meaning struct {
	Text string // "a command, stdio"; where it is nothing, why
	Sure bool   // the line itself is what enter goes to
	// Maybe is for a line that enter goes to where nothing in the list matches
	// it: the name of a program, which may be the beginning of another name.
	Maybe bool
}

// List is the list with its cursor. The zero value is empty, and not loaded
// yet.
type List struct {
	places Places
	loaded bool
	filter string
	shown  []int  // the entries that match, by section
	sel    string // Line of the chosen entry, "": none
	moved  bool   // the cursor was moved since the line changed
	bare   bool   // nothing is chosen until the cursor is moved

	top    int
	follow bool  // the cursor must come into sight
	rows   []int // what stands in each row of the screen: an entry, or -1
}

// Set takes what was found. The cursor stays on what it was on, or, where that
// is gone, in its place. Of entries that are written alike the first one counts:
// none of the others could be chosen.
func (l *List) Set(p Places) {
	seen := map[string]bool{}
	p.Entries = slices.DeleteFunc(slices.Clone(p.Entries), func(e Entry) bool {
		known := seen[e.Line]
		seen[e.Line] = true
		return known
	})
	at := l.place()
	l.places, l.loaded = p, true
	l.match()
	if in := l.limited(); l.moved && l.place() < 0 && at >= 0 && len(in) > 0 {
		l.sel = p.Entries[in[min(at, len(in)-1)]].Line
	}
}

// Loaded reports whether the list was found out.
func (l *List) Loaded() bool { return l.loaded }

// Kept reports whether sessions are recorded; true until it is known.
func (l *List) Kept() bool { return l.places.Kept || !l.loaded }

// Unread returns the next recording in the list that was not read yet.
func (l *List) Unread() (Entry, bool) {
	for _, i := range l.limited() {
		if e := l.places.Entries[i]; e.Section == Recordings && !e.Read {
			return e, true
		}
	}
	return Entry{}, false
}

// Describe takes what was found out of one entry.
func (l *List) Describe(e Entry) {
	for i := range l.places.Entries {
		if l.places.Entries[i].Line == e.Line && l.places.Entries[i].Section == e.Section {
			l.places.Entries[i] = e
		}
	}
}

// Bare lets nothing be chosen until the cursor is moved, or a filter chooses.
func (l *List) Bare(on bool) {
	l.bare, l.moved = on, false
	l.match()
}

// Filter keeps what matches the text in the list, and chooses the best of it.
// sure says that the text is a target by itself, so that nothing else is
// chosen.
func (l *List) Filter(text string, sure bool) {
	l.filter, l.moved, l.bare = text, false, sure
	l.match()
}

// Chosen returns the entry under the cursor.
func (l *List) Chosen() (Entry, bool) {
	if i := l.at(); i >= 0 {
		return l.places.Entries[i], true
	}
	return Entry{}, false
}

// Moved reports whether the cursor was moved since the filter changed.
func (l *List) Moved() bool { return l.moved }

// Named returns the entry that is written so.
func (l *List) Named(line string) (Entry, bool) {
	for _, e := range l.places.Entries {
		if e.Line == line {
			return e, true
		}
	}
	return Entry{}, false
}

// Move moves the cursor.
func (l *List) Move(by int) {
	in := l.limited()
	if len(in) == 0 {
		return
	}
	at := l.place()
	switch {
	case at < 0 && by < 0:
		at = len(in) - 1
	case at < 0:
		at = 0
	default:
		at = max(min(at+by, len(in)-1), 0)
	}
	l.sel, l.moved, l.follow = l.places.Entries[in[at]].Line, true, true
}

// place says the how many-th of those that are listed is chosen, -1 for none.
func (l *List) place() int {
	for k, i := range l.limited() {
		if l.sel != "" && l.places.Entries[i].Line == l.sel {
			return k
		}
	}
	return -1
}

// at is the position of the chosen entry, -1 for none.
func (l *List) at() int {
	if k := l.place(); k >= 0 {
		return l.limited()[k]
	}
	return -1
}

// most is how many entries of a section are listed until one filters.
var most = [numSections]int{Try: 1, Servers: 30, Recent: 5, Recordings: 8}

// limited are the entries that are listed.
func (l *List) limited() []int {
	if l.filter != "" {
		return l.shown
	}
	var out []int
	var n [numSections]int
	for _, i := range l.shown {
		s := l.places.Entries[i].Section
		if n[s]++; n[s] <= most[s] {
			out = append(out, i)
		}
	}
	return out
}
