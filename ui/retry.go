package ui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// retry is what follows the end of the connection that is shown, nil where
// nothing was said of it.
func (m *Model) retry() *timeline.Retry {
	if b := m.cx.Newest; m.cx.Ended && b != nil {
		return b.Link.Retry
	}
	return nil
}

// retrying reports whether the next try is waited for.
func (m *Model) retrying() bool {
	r := m.retry()
	return r != nil && !r.Stopped
}

// untilRetry says in a few words when the next try is, or that there is none;
// "" where nothing was said.
func (m *Model) untilRetry() string {
	r := m.retry()
	if r == nil {
		return ""
	}
	return untilTry(r, m.status.Now)
}

func untilTry(r *timeline.Retry, now time.Duration) string {
	if r.Stopped {
		return "no further try"
	}
	left := r.T + r.In - now
	if left <= 0 {
		return "trying again"
	}
	return "next try in " + itoa(int64((left+time.Second-1)/time.Second)) + " s"
}

// retryParts tell in the row above the help when a lost connection is tried
// again, with the keys that hasten and stop it.
func (m *Model) retryParts(w int) (left, right []inboxPart) {
	r := m.retry()
	if r == nil {
		return nil, nil
	}
	if r.Stopped {
		text := "○ NO FURTHER TRY"
		bits := []part{{text: text, style: kit.As(kit.Bright)}}
		if r.Reason != "" {
			bits = append(bits, part{text: oneLine(r.Reason), style: kit.As(kit.Normal), rank: 5})
		}
		return []inboxPart{{bits: bits}}, []inboxPart{{key: "r", text: "connect again", stroke: "r"}}
	}
	head := "◌ RECONNECTING"
	if w < narrowFrom {
		head = "◌"
	}
	bits := []part{{text: head, style: kit.As(kit.Bright)}, {text: m.untilRetry(), style: kit.As(kit.Normal)}}
	if r.Attempt > 1 && w >= narrowFrom {
		bits = append(bits, part{text: "try " + itoa(r.Attempt), style: kit.As(kit.Dim), rank: 8})
	}
	if c := m.cx.Newest.Link.Closed; c != nil && c.Reason != "" && w >= narrowFrom {
		bits = append(bits, part{text: oneLine(c.Reason), style: kit.As(kit.Dim), rank: 9})
	}
	return []inboxPart{{bits: bits}}, []inboxPart{
		{key: "r", text: "now", stroke: "r"},
		{key: "ctrl-c", text: "stop", stroke: "ctrl+c"},
	}
}

// stopRetry ends the waiting for the next try.
func (m *Model) stopRetry() tea.Cmd {
	m.quitAt = time.Time{}
	return m.run("reconnect stop", origin{})
}
