package conform

import (
	"fmt"
	"slices"

	"github.com/mcpl-tui/mcpl-tui/timeline"
)

var (
	cacheRebuild = &Rule{
		ID: "cache-rebuild", Level: Info, perConn: true,
		Meaning: "A change of the static tools changes the head of the prompt, so that a host rebuilds its cache.",
		Source:  "toolhints.md §1",
		Mend:    "Make what comes and goes dynamic, and tell of it by hints.",
	}
	cacheChurn = &Rule{
		ID: "cache-churn", Level: Warning, perConn: true,
		Meaning: "A tool that comes and goes is dynamic, and told of by hints, not by list_changed.",
		Source:  "toolhints.md §1, “each tools/list_changed makes the host rebuild its whole prompt cache”",
		Mend:    `List the tool always, with "mcpl/presence":"dynamic", and say by hints whether it is visible.`,
	}
)

var costRules = []*Rule{cacheRebuild, cacheChurn}

// Head is the stable head of the prompt, and what its changes cost.
type Head struct {
	timeline.HeadCost
	Changes []HeadChange `json:"changes,omitempty"` // the first ones
}

// HeadChange is one change of the head.
type HeadChange = timeline.HeadChange

// maxHeadChanges is how many changes of the head are kept in full.
const maxHeadChanges = 256

func tools(n int) string {
	if n == 1 {
		return "1 tool"
	}
	return fmt.Sprintf("%d tools", n)
}

// rebuilt notes a change of the head.
func (j *Judge) rebuilt(c *conn, ch *HeadChange, at spot) {
	at.rev = ch.Rev
	if len(j.changes) < maxHeadChanges {
		j.changes = append(j.changes, *ch)
	}
	if f := j.found(cacheRebuild, at, thing{}, ""); f != nil {
		f.Message = fmt.Sprintf("The head of the prompt changed (%s), so a host rebuilds its cache: %s now, %s.", ch.Words(), tools(ch.Tools), timeline.About(ch.Tokens))
		f.Expected = "the same static tools as before"
		f.Seen = ch.Words()
	}
	if ch.Rev == 0 {
		j.churn(c, ch, at)
	}
}

// churning is how often a tool must have come and gone to be dynamic by
// nature.
const churning = 3

// churn counts the tools that come and go by list_changed.
func (j *Judge) churn(c *conn, ch *HeadChange, at spot) {
	for _, name := range ch.Added {
		if s := c.tools[name]; s != nil {
			s.came++
		}
	}
	for _, name := range ch.Removed {
		s := c.tools[name]
		if s == nil {
			continue
		}
		if s.came == 0 {
			s.first = true // it was there from the beginning
		}
		s.went++
		came := s.came
		if s.first {
			came++
		}
		if min(came, s.went) < churning {
			continue
		}
		th := thing{tool: name}
		f := j.found(cacheChurn, at, th, "")
		if f == nil {
			f = j.store.known(cacheChurn, cacheChurn.Level, at.conn, th, "")
		}
		if f == nil {
			continue
		}
		f.Message = fmt.Sprintf("%s came and went %d times by list_changed; as a dynamic tool with hints it would have saved %d rebuilds of the prompt cache, of %s each.",
			f.tool(), s.went, s.came+s.went, timeline.About(ch.Tokens))
		f.Expected = "a dynamic tool, shown and hidden by hints"
		f.Seen = ch.Words()
	}
}

// Head returns the stable head of the prompt, and what its changes cost.
func (j *Judge) Head() Head {
	return Head{HeadCost: j.head.Cost(), Changes: slices.Clone(j.changes)}
}
