package timeline

import "sort"

// StderrCount returns how many lines of stderr stand at or before position i,
// of all connections.
func (l *Log) StderrCount(i int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return sort.Search(len(l.stderr), func(n int) bool { return int(l.stderr[n]) > i })
}

// StderrIndex returns the position of the frame of line n of stderr, counted
// from 0 through all connections, or -1 where there is no such line.
func (l *Log) StderrIndex(n int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n < 0 || n >= len(l.stderr) {
		return -1
	}
	return int(l.stderr[n])
}
