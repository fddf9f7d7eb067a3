package main

import (
	"context"
	"sync"

	"github.com/mcpl-tui/mcpl-tui/session"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// view answers a session's questions from the timeline of its own frames.
type view struct {
	log  *timeline.Log
	conn int // the connection that it tells of, 0: the one that began last
	news *news
}

// news tells who waits that something changed.
type news struct {
	mu      sync.Mutex
	changed chan struct{} // closed at the next change
}

func newView(log *timeline.Log) *view {
	return &view{log: log, news: &news{changed: make(chan struct{})}}
}

// On implements session.View.
func (v *view) On(conn int) session.View { return &view{log: v.log, conn: conn, news: v.news} }

// board is the state of the connection.
func (v *view) board() *timeline.Board {
	if v.conn > 0 {
		if b, err := v.log.BoardOf(v.conn, v.log.Len()); err == nil {
			return b
		}
	}
	return v.log.Latest()
}

// advanced tells that the log reduced further frames.
func (v *view) advanced() {
	v.news.mu.Lock()
	defer v.news.mu.Unlock()
	close(v.news.changed)
	v.news.changed = make(chan struct{})
}

// Changed implements session.View.
func (v *view) Changed() <-chan struct{} {
	v.news.mu.Lock()
	defer v.news.mu.Unlock()
	return v.news.changed
}

// Sync implements session.View. The frames of a live session are numbered
// from 1 without holes, so frame seq is reduced when the log is that long.
func (v *view) Sync(ctx context.Context, seq int64) error {
	for {
		changed := v.Changed()
		if int64(v.log.Len()) >= seq {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Applied implements session.View.
func (v *view) Applied(rev int64) bool { return v.log.RowOf(v.conn, rev) >= 0 }

// Toolset implements session.View.
func (v *view) Toolset(name string) (session.ToolsetInfo, bool) {
	for _, s := range v.board().Toolsets {
		if s.Name != name {
			continue
		}
		info := session.ToolsetInfo{Declared: s.Declared, HasInstances: s.HasInstances}
		for _, in := range s.Instances {
			info.Instances = append(info.Instances, in.Name)
		}
		return info, true
	}
	return session.ToolsetInfo{}, false
}

// Toolsets implements session.View.
func (v *view) Toolsets() []string {
	var names []string
	for _, s := range v.board().Toolsets {
		names = append(names, s.Name)
	}
	return names
}

// Tool implements session.View.
func (v *view) Tool(name string) (session.ToolInfo, bool) {
	b := v.board()
	for _, list := range [][]timeline.Tool{b.Static, b.Loose} {
		for _, t := range list {
			if t.Name == name {
				return session.ToolInfo{}, true
			}
		}
	}
	for _, s := range b.Toolsets {
		for _, t := range s.Tools {
			if t.Name == name {
				return session.ToolInfo{Toolset: s.Name}, true
			}
		}
	}
	return session.ToolInfo{}, false
}

// Tools implements session.View.
func (v *view) Tools() []string {
	var names []string
	b := v.board()
	add := func(tools []timeline.Tool) {
		for _, t := range tools {
			names = append(names, t.Name)
		}
	}
	add(b.Static)
	add(b.Loose)
	for _, s := range b.Toolsets {
		add(s.Tools)
	}
	return names
}
