package board

import (
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/label"
)

// The words by which all views name the same things, by their short names.

func peer(s string) string { return label.Peer(s) }

func cutName(s string, w int) string { return label.CutName(s, w) }

func firstLine(s string) string { return label.FirstLine(s) }

func names(tools []timeline.Tool) string { return label.Names(tools) }

func description(t *timeline.Tool) string { return label.Description(t) }

// nameOf names a tool, a toolset or an instance: "play @ vs-ada", "game vs-ada".
func nameOf(sel Selection) string { return label.Name(sel.Toolset, sel.Instance, sel.Tool) }
