package form

import (
	"strings"

	"github.com/rivo/uniseg"

	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// maxRead is how many lines the page of what is to be read has at most, and
// maxAddress how many bytes of an address it shows; behind one of more lines
// than longAddress its host is told again.
const (
	maxRead     = 2000
	maxAddress  = 8 << 10
	longAddress = 6
)

// readLines is what is to be read before an answer, as far as there is room
// above the fields. An address is always there in full, but on the smallest
// screens, where its host is.
func (f *Form) readLines(w int, tiny bool) []line {
	if tiny {
		return f.inShort(w)
	}
	if len(f.deps.Read) == 0 && f.deps.URL == "" {
		return nil
	}
	most := max(f.h-14, 3)
	if f.deps.URL != "" {
		most = maxRead
	}
	out := append([]line{plain(1, normal, "")}, f.toRead(w, most)...)
	if len(out) == 1 {
		return nil
	}
	return out
}

// inShort is what the smallest screens have room for: the question's
// beginning, and the host of a page.
func (f *Form) inShort(w int) []line {
	var out []line
	if s := f.describe(); s != "" && f.kind == Answer {
		out = append(out, plain(1, normal, spaced(s)))
	}
	if f.deps.URL != "" {
		l := plain(1, normal, "at "+hostEnd(f.deps.Host, w-20))
		l.right = "ctrl-v all of it"
		out = append(out, l)
	}
	return out
}

// toRead is all that is to be read, in at most most lines.
func (f *Form) toRead(w, most int) []line {
	var out []line
	if f.deps.URL != "" {
		out = f.address(w)
	}
	for _, p := range f.deps.Read {
		for i, t := range wrapText(cutBytes(p, 16*maxWords), w-2) {
			if len(out) == most {
				where := "… its frame in view 3 has all of it"
				if f.w < wide && most < maxRead {
					where = "… ctrl-v shows all of it"
				}
				out[most-1] = plain(3, dim, where)
				return out
			}
			out = append(out, plain(1+2*min(i, 1), normal, t))
		}
	}
	return out
}

// address is a page to visit: whose it is, all of the address, and that
// nobody should follow it unseen (MCP, elicitation, URL mode).
func (f *Form) address(w int) []line {
	out := []line{{x: 1, field: -1, spans: []span{{title, "A PAGE TO VISIT"}, {normal, "   at "}, {bright, hostEnd(f.deps.Host, w-20)}}}}
	rows := wrapSpans([]span{{bright, cutBytes(f.deps.URL, maxAddress)}}, w-2, w-2, maxRead)
	for _, row := range rows {
		out = append(out, line{x: 3, spans: row, field: -1})
	}
	if len(rows) > longAddress { // its head is above the screen while the verbs are chosen
		l := line{x: 3, field: -1, spans: []span{{normal, "it is at "}, {bright, hostEnd(f.deps.Host, w-14)}}}
		l.sign, l.signX = "!", 1
		out = append(out, l)
	}
	for _, odd := range oddAddress(f.deps.URL) {
		l := plain(3, normal, odd)
		l.sign, l.signX = "!", 1
		out = append(out, l)
	}
	for _, t := range kit.Wrap("Read the address before you open it: the server chose it. Nothing opens it here; ctrl-y copies it. Accept only says that you will go there.", max(w-2, 8)) {
		out = append(out, plain(3, dim, t))
	}
	return out
}

// hostEnd is a host in w cells: whose it is stands at its end.
func hostEnd(host string, w int) string {
	s := kit.Clean(host)
	if kit.Width(s) <= max(w, 8) {
		return s
	}
	for s != "" && kit.Width(s) > max(w, 8)-1 {
		_, s, _, _ = uniseg.FirstGraphemeClusterInString(s, -1)
	}
	return "…" + s
}

// oddAddress says what makes an address look like another than it is, or
// unsafe.
func oddAddress(address string) []string {
	var out []string
	scheme, rest, found := strings.Cut(address, "://")
	switch strings.ToLower(scheme) {
	case "https":
	case "http":
		out = append(out, "no https: anyone on the way can read and change it")
	default:
		out = append(out, "neither https nor http")
	}
	if !found {
		return out
	}
	host := rest
	if i := strings.IndexAny(host, "/?#\\"); i >= 0 {
		host = host[:i]
	}
	if strings.Contains(host, "@") {
		out = append(out, "the host is only what follows the @")
	}
	if strings.Contains(strings.ToLower(host), "xn--") || strings.ContainsFunc(host, func(r rune) bool { return r > 0x7e }) {
		out = append(out, "the host is written in letters that may look like others")
	}
	return out
}
