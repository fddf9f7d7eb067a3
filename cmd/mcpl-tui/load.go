package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/record"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// loaded is a recording that was read and reduced to its end.
type loaded struct {
	rec *record.Recording
	log *timeline.Log
}

func newLoaded(rec *record.Recording) *loaded {
	return &loaded{rec: rec, log: timeline.NewLog(rec)}
}

// load reads a recording and says on warn what of it could not be read.
func load(ctx context.Context, path string, warn io.Writer) (*loaded, error) {
	rec, err := record.Open(find(path))
	if err != nil {
		return nil, err
	}
	l := newLoaded(rec)
	if err := l.reduce(ctx); err != nil {
		rec.Close()
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	sayWhatIsMissing(path, rec.Status(), warn)
	return l, nil
}

// reduce follows the indexing of the file to its end.
func (l *loaded) reduce(ctx context.Context) error {
	for {
		done := l.rec.Status().Loading >= 1
		n, err := l.log.Advance(4096)
		if err != nil {
			return err
		}
		if n > 0 {
			continue
		}
		if done {
			return l.rec.Status().Err
		}
		select {
		case <-l.rec.Changed():
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func sayWhatIsMissing(path string, st record.Status, warn io.Writer) {
	for _, s := range st.Skipped {
		fmt.Fprintf(warn, "mcpl-tui: %s, line %d: %s; skipped\n", oneLine(path), s.Line, oneLine(s.Why))
	}
	if more := st.SkippedCount - len(st.Skipped); more > 0 {
		fmt.Fprintf(warn, "mcpl-tui: %s: %d more lines skipped\n", oneLine(path), more)
	}
	if st.Cut {
		fmt.Fprintf(warn, "mcpl-tui: %s ends in the middle of a line; what stands before it was read\n", oneLine(path))
	}
}

// parseRev reads [CONN.]N; conn is 0 where it is not given.
func parseRev(s string) (conn int, rev int64, err error) {
	first, second, dotted := strings.Cut(s, ".")
	if dotted {
		if conn, err = strconv.Atoi(first); err != nil || conn < 1 {
			return 0, 0, fmt.Errorf("rev:%s: %q is no number of a connection; give rev:[CONN.]N", s, first)
		}
		first = second
	}
	if rev, err = strconv.ParseInt(first, 10, 64); err != nil || rev < 1 {
		return 0, 0, fmt.Errorf("rev:%s: %q is no rev; give rev:[CONN.]N with N from 1", s, first)
	}
	return conn, rev, nil
}
