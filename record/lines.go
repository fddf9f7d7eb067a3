package record

import (
	"bytes"
	"fmt"
	"io"
	"slices"
)

// Lines returns on which lines of the file, counted from 1, frames stand, by
// their positions. It is for a recording that was opened: it reads the file
// up to the last of them.
func (r *Recording) Lines(at []int) (map[int]int, error) {
	at = slices.Clone(at)
	slices.Sort(at)
	at = slices.Compact(at)
	out := make(map[int]int, len(at))
	buf := make([]byte, readSize)
	from, line := int64(0), 1
	for _, i := range at {
		off, err := r.offset(i)
		if err != nil {
			return nil, err
		}
		for from < off {
			piece := buf[:min(int64(len(buf)), off-from)]
			if _, err := io.ReadFull(io.NewSectionReader(r.file, from, int64(len(piece))), piece); err != nil {
				return nil, fmt.Errorf("count lines: %w", ends(err))
			}
			line += bytes.Count(piece, []byte{'\n'})
			from += int64(len(piece))
		}
		out[i] = line
	}
	return out, nil
}

// offset is where the line of a frame begins in the file.
func (r *Recording) offset(i int) (int64, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.closed:
		return 0, ErrClosed
	case r.live || i < 0 || i >= r.index.n:
		return 0, fmt.Errorf("there is no line of a frame at position %d", i)
	}
	return r.index.at(i).off, nil
}
