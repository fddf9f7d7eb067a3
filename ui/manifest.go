package ui

import (
	"strings"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// manifestPart tells in the row above the help that another manifest came,
// and what it means, until view 6, which tells all of it, was looked at.
func (m *Model) manifestPart(cols int) (left, right []inboxPart) {
	news := m.manifestNews()
	if news.Index < 0 || news.Index <= m.manifestSeen || news.Impacts == 0 && !news.Failed || m.cur == viewServer {
		return nil, nil
	}
	head := "! MANIFEST"
	if cols >= middleFrom {
		head = "! ANOTHER MANIFEST"
	}
	if news.Failed {
		head = "! NO MANIFEST"
	}
	words := strings.Join(news.Words, ", ")
	left = []inboxPart{{bits: []part{
		{text: head, style: kit.As(kit.Bright)}, {text: words, style: kit.As(kit.Normal)},
	}}}
	return left, []inboxPart{{key: "6", text: "look", stroke: "6"}}
}

// manifestNews is what the last fetched manifest of the connection means. Who
// looks at view 6 has seen it.
func (m *Model) manifestNews() inspector.ManifestNews {
	none := inspector.ManifestNews{Index: -1}
	if m.cx.Replay || m.cx.Newest == nil || m.cx.Newest.Index < 0 {
		return none
	}
	marks, _ := m.log().Landmarks(timeline.ManifestAnswered, m.cx.Newest.Conn, m.cx.Newest.Index, 1)
	if len(marks) == 0 {
		return none
	}
	if m.cur == viewServer {
		m.manifestSeen = marks[0].Index
	}
	if marks[0].Index <= m.manifestSeen {
		return none
	}
	return m.manifests.At(m.log(), marks[0].Index)
}
