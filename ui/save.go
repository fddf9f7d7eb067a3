package ui

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// Saver is an Actions that can write what is recorded into another file.
type Saver interface {
	// Save copies the recording to file and returns its size in bytes. It
	// never writes over a file that is there.
	Save(ctx context.Context, file string) (int64, error)
}

// Writer is an Actions that can write bytes into a file.
type Writer interface {
	// WriteNew writes what it reads into a new file that only the user can
	// read, and returns its size. It never writes over a file that is there,
	// and leaves none behind where it fails.
	WriteNew(ctx context.Context, file string, from io.Reader) (int64, error)
}

// saves are the ways to go on after save.
func (m *Model) saves(line string) []Completion {
	if !strings.HasPrefix(line, "save ") {
		return nil
	}
	out := []Completion{{"save message ", "FILE: the bytes of the frame at the playhead"}}
	out = append(out, m.saveContents()...)
	if i := m.cx.At; i >= 0 && i < m.cx.Len {
		n := itoa(m.log().Entry(i).Seq)
		out = append(out, Completion{"save " + n + " ", "FILE: the bytes of frame " + n})
	}
	return out
}

// save is save FILE, save message FILE, save SEQ FILE and save content N FILE.
func (m *Model) save(arg string) (tea.Cmd, error) {
	word, file, _ := strings.Cut(arg, " ")
	file = strings.TrimSpace(file)
	switch word {
	case "message":
		return m.saveFrame(m.cx.At, "message", file)
	case "content":
		return m.saveContent(file)
	}
	seq, err := strconv.ParseInt(word, 10, 64)
	if err != nil {
		return m.saveRecording(arg)
	}
	i := m.log().IndexOf(seq)
	if i < 0 {
		return nil, fmt.Errorf("no frame %d; the last one is %d", seq, m.lastSeq())
	}
	return m.saveFrame(i, word, file)
}

// saveRecording copies the recording to a file.
func (m *Model) saveRecording(file string) (tea.Cmd, error) {
	s, ok := m.act.(Saver)
	switch {
	case file == "":
		return nil, errors.New("save takes a file: save session.mcpl.jsonl, save message answer.json")
	case !ok:
		return nil, errors.New("this session is not recorded, so there is nothing to save")
	}
	ctx := m.ctx
	return func() tea.Msg {
		n, err := s.Save(ctx, file)
		if err != nil {
			return doneMsg{"not saved: " + oneLine(err.Error())}
		}
		return doneMsg{fmt.Sprintf("saved the recording to %s, %s", file, inspector.Size(n))}
	}, nil
}

// saveFrame writes the body of the frame at position i to a file, byte for
// byte. The word is how the frame was named.
func (m *Model) saveFrame(i int, word, file string) (tea.Cmd, error) {
	w, ok := m.act.(Writer)
	switch {
	case file == "":
		return nil, fmt.Errorf("save %s takes a file: save %s answer.json", word, word)
	case i < 0 || i >= m.cx.Len:
		return nil, errors.New("there is no frame to save yet")
	case !ok:
		return nil, errors.New("this screen writes no files")
	}
	ctx, log := m.ctx, m.log()
	return func() tea.Msg {
		text, err := writeFrame(ctx, w, log, i, file)
		if err != nil {
			return doneMsg{"not saved: " + oneLine(err.Error())}
		}
		return doneMsg{text}
	}, nil
}

func writeFrame(ctx context.Context, w Writer, log *timeline.Log, i int, file string) (string, error) {
	f, err := log.Frame(i)
	if err != nil {
		return "", fmt.Errorf("this frame cannot be read: %w", err)
	}
	body := f.Body
	if f.Dir == timeline.Note {
		body = f.Data
	}
	if len(body) == 0 {
		return "", fmt.Errorf("frame %d has no bytes", f.Seq)
	}
	if _, err := w.WriteNew(ctx, file, bytes.NewReader(body)); err != nil {
		return "", err
	}
	return fmt.Sprintf("saved frame %d to %s, %s", f.Seq, file, inspector.Size(int64(len(body)))), nil
}
