package inspector

import (
	"strings"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// annotationWords writes a tool's annotations on one line: "readOnlyHint
// false".
func annotationWords(a []byte) string {
	var parts []string
	wire.EachMember(a, func(key string, v []byte) bool {
		if key != "title" {
			parts = append(parts, oneLine(cutBytes(key, 40))+" "+oneLine(cutBytes(scalarText(v), 40)))
		}
		return len(parts) < 6
	})
	return strings.Join(parts, "  ")
}

// hintWords says what MCP's annotations mean, for true and for false. They
// are hints of the server's, never promises.
var hintWords = map[string][2]string{
	"readOnlyHint":    {"it says that it changes nothing", "it may change things"},
	"destructiveHint": {"it may destroy or overwrite", "it says that it only adds"},
	"idempotentHint":  {"it says that calling it twice does no more than once", "each call may do it again"},
	"openWorldHint":   {"it reaches out to things beyond the server", "it says that it stays within the server"},
	"title":           {},
}

// annotations tells each annotation of a tool in words.
func annotations(a []byte) []Line {
	var out []Line
	wire.EachMember(a, func(key string, v []byte) bool {
		l := spans(plain(pad(oneLine(cutBytes(key, 60)), 16)+"  "), peer(oneLine(scalarText(v))))
		words, known := hintWords[key]
		switch {
		case known && string(v) == "true":
			l.Spans = append(l.Spans, quiet("   "+words[0]))
		case known && string(v) == "false":
			l.Spans = append(l.Spans, quiet("   "+words[1]))
		case !known:
			l.Spans = append(l.Spans, quiet("   not one of MCP's"))
		}
		out = append(out, l)
		return len(out) < maxListed
	})
	return out
}

// metaLines tells every _meta key of a tool, those of toolHints in words
// (toolhints.md §3).
func metaLines(meta []byte) []Line {
	width := 0
	wire.EachMember(meta, func(key string, _ []byte) bool {
		width = max(width, len([]rune(oneLine(cutBytes(key, 60)))))
		return true
	})
	var out []Line
	wire.EachMember(meta, func(key string, v []byte) bool {
		if len(out) == maxListed {
			out = append(out, spans(quiet("… more in the definition")))
			return false
		}
		l := spans(plain(pad(oneLine(cutBytes(key, 60)), min(width, 24))+"  "), peer(oneLine(scalarText(v))))
		if w := metaWords(key, v); w != "" {
			l.Spans = append(l.Spans, quiet("   "+w))
		}
		out = append(out, l)
		return true
	})
	return out
}

func metaWords(key string, v []byte) string {
	switch key {
	case mcpl.MetaPresence:
		switch wire.StringOf(v) {
		case "static":
			return "stands in the head of every prompt"
		case "dynamic":
			return "comes and goes"
		}
		return "neither static nor dynamic, so static"
	case mcpl.MetaVisible:
		switch string(v) {
		case "true":
			return "listed as usable"
		case "false":
			return "listed as not usable"
		}
		return "no boolean, so usable"
	case mcpl.MetaToolset:
		return "the toolset it belongs to, which makes it dynamic"
	}
	if strings.HasPrefix(key, "mcpl/") {
		return "a reserved key that nothing defines"
	}
	return ""
}

// ignoredMembers names the members of the definition in effect that hints may
// not change, and that differ from the declared ones: they were ignored
// (toolhints.md §7).
func ignoredMembers(log *timeline.Log, b *timeline.Board, p spot) []string {
	if p.cell == nil || !p.cell.Redefined || p.cell.DefBy.Rev < 1 {
		return nil
	}
	row := log.RowOf(b.Conn, p.cell.DefBy.Rev)
	if row < 0 || log.Entry(log.RowHead(row).Index).Size > maxRead {
		return nil
	}
	var def []byte
	for _, e := range entriesFor(hintsOfRow(log, row), p).Tools {
		if e.Definition != nil {
			def = e.Definition // the last one counts
		}
	}
	return foreignMembers(p.tool.Declared, def)
}

func foreignMembers(declared, def []byte) []string {
	var out []string
	wire.EachMember(def, func(key string, v []byte) bool {
		switch key {
		case "description", "inputSchema", "annotations":
			return true
		}
		if d := wire.Member(declared, key); d == nil || !mcpl.SameJSON(d, v) {
			out = append(out, oneLine(cutBytes(key, 60)))
		}
		return len(out) < 8
	})
	return out
}

func ignoredMembersLine(keys []string) Line {
	return Line{
		Sign: "✗", Diff: true, Wrap: true,
		Spans: []Span{{Text: "hints-definition-field", Tone: Bad}, plain("   ignored in it: " + strings.Join(keys, ", ") + ". " + reasons["hints-definition-field"])},
	}
}
