package inspector

import (
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// HeadTokens estimates what the static tools cost in every prompt: "~610
// tok".
func HeadTokens(b *timeline.Board) string {
	n := 0
	for i := range b.Static {
		n += timeline.PromptBytes(b.Static[i].Declared)
	}
	return timeline.About(timeline.HeadTokens(n))
}

// told says in a row's explanation what a model is told of it.
func (d *Doc) told(r *timeline.Row) {
	t := r.Told
	if t.Text == "" {
		return
	}
	l := say(t.Text)
	d.Add(Block{
		Head: "WHAT THE MODEL IS TOLD", Note: timeline.About(t.Tokens()) + headFate(r), Body: []Line{l},
	})
}

// headFate says what a row does to the head of the prompt: a tool that moves
// comes into it or goes out of it.
func headFate(r *timeline.Row) string {
	if r.Counts.Moved > 0 {
		return ", and the head is rebuilt"
	}
	return ", head untouched"
}
