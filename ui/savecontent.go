package ui

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// resultsBack is how far back from the playhead a result is looked for whose
// content is to be saved.
const resultsBack = 2000

// result is the result that the user means by `save content N`: that of the
// frame at the playhead, else the last one before it that holds content.
func (m *Model) result() (result []byte, at int) {
	for i := m.cx.At; i >= 0 && i > m.cx.At-resultsBack; i-- {
		if e := m.log().Entry(i); i != m.cx.At && (e.Dir != timeline.In || e.Pair < 0 || e.Kind == timeline.Request) {
			continue
		}
		if r, k := inspector.ResultAt(m.log(), i); k >= 0 && len(inspector.Contents(r)) > 0 {
			return r, k
		}
	}
	return nil, -1
}

// saveContents are the ways to go on after save content.
func (m *Model) saveContents() []Completion {
	r, at := m.result()
	if at < 0 {
		return nil
	}
	var out []Completion
	for _, c := range inspector.Contents(r) {
		if c.Saved() && len(out) < 20 {
			out = append(out, Completion{"save content " + strconv.Itoa(c.N) + " ", "FILE: " + oneLine(c.Words()) + ", of frame " + itoa(m.log().Entry(at).Seq)})
		}
	}
	return out
}

var errSaveContent = errors.New("save content takes a number and a file: save content 1 picture.png, or with a frame: save content 98.1 picture.png")

// saveContent is save content [SEQ.]N FILE: one item of a result.
func (m *Model) saveContent(arg string) (tea.Cmd, error) {
	which, file, _ := strings.Cut(arg, " ")
	file = strings.TrimSpace(file)
	frame, item, named := strings.Cut(which, ".")
	if !named {
		item = which
	}
	n, err := strconv.Atoi(item)
	if err != nil || file == "" {
		return nil, errSaveContent
	}
	result, at := m.result()
	if named {
		seq, err := strconv.ParseInt(frame, 10, 64)
		if err != nil {
			return nil, errSaveContent
		}
		result, at = inspector.ResultAt(m.log(), m.log().IndexOf(seq))
	}
	if at < 0 {
		return nil, errors.New("there is no result here that holds content")
	}
	c, err := inspector.ContentOf(result, n)
	if err != nil {
		return nil, fmt.Errorf("frame %d: %w", m.log().Entry(at).Seq, err)
	}
	w, ok := m.act.(Writer)
	if !ok {
		return nil, errors.New("this screen writes no files")
	}
	ctx := m.ctx
	return func() tea.Msg {
		size, err := w.WriteNew(ctx, file, c.Open())
		if err != nil {
			return doneMsg{"not saved: " + oneLine(err.Error())}
		}
		return doneMsg{fmt.Sprintf("saved %s to %s, %s", oneLine(c.Kind), file, inspector.Size(size))}
	}, nil
}
