package timeline

// SetKeyEvery makes keyframes as often as a test needs them.
func (l *Log) SetKeyEvery(n int) { l.every = n }
