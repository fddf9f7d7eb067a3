package inspector

import (
	"strings"

	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// chosen is the words for what is so.
type chosen []string

func (c *chosen) add(so bool, words string) {
	if so {
		*c = append(*c, words)
	}
}

// ModeParts says in what the host behaves otherwise than a host should, each
// in two or three words; none where it does not.
func ModeParts(m timeline.Mode) []string {
	var out chosen
	out.add(m.Plain, "plain MCP")
	out.add(m.NoToolHints, "no toolHints")
	out.add(m.Silent, "silent")
	out.add(m.Late > 0, "answers "+Took(m.Late)+" late")
	out.add(m.RefusesPushes, "pushes refused")
	out.add(m.IgnoresHints, "hints ignored")
	return out
}

// ModeWords is ModeParts as a text.
func ModeWords(m timeline.Mode) string {
	if parts := ModeParts(m); len(parts) > 0 {
		return strings.Join(parts, ", ")
	}
	return "as it should be"
}

// heldFor says how long a note "held-back" lets an answer wait.
func heldFor(data []byte) string {
	if after := scalar(data, "after"); after != "" {
		return " for " + oneLine(after) + " s"
	}
	return " for good"
}

// modeSentence explains a note "host".
func modeSentence(m timeline.Mode) string {
	var out chosen
	out.add(m.Silent, "It answers no request of the server.")
	out.add(m.Late > 0, "It answers the server's requests "+Took(m.Late)+" later than it could.")
	out.add(m.RefusesPushes, "It accepts no push; the hints in them count all the same.")
	out.add(m.IgnoresHints, "It asked for toolHints, but shows and uses the plain tool list alone.")
	out.add(m.NoToolHints, "It does not ask for toolHints.")
	out.add(m.Plain, "It is a plain MCP host: it does not say that it speaks MCPL.")
	if out == nil {
		return "From here on the debugger behaves as a host should."
	}
	return "On the user's word the debugger behaves otherwise than a host should, to see how the server takes it. " + strings.Join(out, " ")
}
