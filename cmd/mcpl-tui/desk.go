package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/kballard/go-shellquote"

	"github.com/mcpl-tui/mcpl-tui/inspector/conform"
	"github.com/mcpl-tui/mcpl-tui/record"
	"github.com/mcpl-tui/mcpl-tui/session"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui"
)

// desk is what the screen looks at: a live session or a recording, one at a
// time. It is the screen's ui.Source and its ui.Actions.
type desk struct {
	ctx     context.Context
	crashed panicked
	flags   *connectFlags
	keep    bool          // record sessions
	watch   *watcher      // starts the server of the first session anew, nil: nothing does
	changed chan struct{} // for the screen

	mu         sync.Mutex
	on         onDesk
	generation int
	typed      typedFlags
	before     string   // the recording of the session before, "": none was kept
	keptAll    []string // what kept says of the sessions before
	lost       error    // what of them could not be kept
	closing    sync.WaitGroup
	places     placesCache
}

// onDesk is one thing that lies on the desk.
type onDesk interface {
	timeline() *timeline.Log
	recording() *record.Recording
	status() ui.Status
	dirtied() <-chan struct{}
	close() error
	// kept says in a line where the session was kept, "" where it was not.
	kept() string
}

func newDesk(ctx context.Context, flags *connectFlags, keep bool) *desk {
	d := &desk{flags: flags, keep: keep, changed: make(chan struct{}, 1)}
	d.ctx, d.crashed = crashable(ctx)
	return d
}

// put lays something on the desk in place of what lay there, which is closed
// and remembered by where it was kept.
func (d *desk) put(on onDesk) {
	d.mu.Lock()
	old := d.on
	d.on, d.before = on, ""
	if old != nil {
		if kept := old.kept(); kept != "" {
			d.keptAll = append(d.keptAll, kept)
			d.before, _, _ = strings.Cut(filepath.Base(old.recording().Status().Path), record.Ext)
		}
		d.closing.Add(1)
	}
	d.generation++
	d.mu.Unlock()
	go d.relay(on)
	nudge(d.changed)
	if old == nil {
		return
	}
	defer d.closing.Done()
	if err := old.close(); err != nil {
		d.mu.Lock()
		d.lost = errors.Join(d.lost, err)
		d.mu.Unlock()
	}
}

// relay passes on the signals of what lies on the desk, until something else
// does.
func (d *desk) relay(on onDesk) {
	for range on.dirtied() {
		if d.current() != on {
			return
		}
		nudge(d.changed)
	}
}

func (d *desk) current() onDesk {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.on
}

// close closes what lies on the desk, waits for what lay there before, and
// returns what of all that could not be kept.
func (d *desk) close() error {
	err := d.current().close()
	d.closing.Wait()
	d.mu.Lock()
	defer d.mu.Unlock()
	return errors.Join(d.lost, err)
}

// kept says in a line each where the sessions were kept.
func (d *desk) kept() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := slices.Clone(d.keptAll)
	if kept := d.on.kept(); kept != "" {
		out = append(out, kept)
	}
	return out
}

// Log implements ui.Source.
func (d *desk) Log() *timeline.Log { return d.current().timeline() }

// Changed implements ui.Source.
func (d *desk) Changed() <-chan struct{} { return d.changed }

// Status implements ui.Source.
func (d *desk) Status() ui.Status {
	d.mu.Lock()
	on, generation, before := d.on, d.generation, d.before
	d.mu.Unlock()
	st := on.status()
	st.Generation, st.Before = generation, before
	return st
}

// Run implements ui.Actions.
func (d *desk) Run(ctx context.Context, line string) ui.Outcome {
	l, ok := d.current().(*liveOnDesk)
	if !ok {
		return ui.Outcome{Message: "no server is connected; t connects to one"}
	}
	if out, ours := l.connectionCommand(ctx, line); ours {
		return out
	}
	o := l.sess.Run(ctx, line)
	out := ui.Outcome{OK: o.OK, Result: o.Result, Request: o.Request, Answer: o.Answer}
	if o.Err != nil {
		out.Code, out.Message = o.Err.Code, o.Err.Message
	}
	return out
}

// Preview implements ui.Actions.
func (d *desk) Preview(line string) (json.RawMessage, error) {
	l, ok := d.current().(*liveOnDesk)
	if !ok {
		return nil, errors.New("this is a recording; nothing can be sent")
	}
	return l.preview(line)
}

// Complete implements ui.Actions.
func (d *desk) Complete(line string) []ui.Completion {
	l, ok := d.current().(*liveOnDesk)
	if !ok {
		return nil
	}
	var out []ui.Completion
	for _, c := range l.sess.Complete(line) {
		out = append(out, ui.Completion{Text: c.Text, Help: c.Help})
	}
	return out
}

// Save implements ui.Saver.
func (d *desk) Save(_ context.Context, file string) (int64, error) {
	rec := d.current().recording()
	if rec == nil {
		return 0, errors.New("nothing is connected, so there is nothing to save")
	}
	if err := rec.Save(file); err != nil {
		return 0, err
	}
	info, err := os.Stat(file)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// WriteNew implements ui.Writer.
func (d *desk) WriteNew(_ context.Context, file string, from io.Reader) (int64, error) {
	return writeNew(file, from)
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// judgedLog returns an empty log whose frames are judged while it reduces them,
// as the screen wants it.
func judgedLog(frames timeline.Frames) *timeline.Log {
	log := timeline.NewLog(frames)
	conform.Attend(log, conform.Options{})
	return log
}

// liveOnDesk is a live session that is looked at.
type liveOnDesk struct {
	*live
	to      chosen
	doArgs  string
	watched bool
}

func (l *liveOnDesk) timeline() *timeline.Log      { return l.log }
func (l *liveOnDesk) recording() *record.Recording { return l.rec }
func (l *liveOnDesk) dirtied() <-chan struct{}     { return l.dirty }

// close ends the session politely and writes what is left. It reduces no more:
// who leaves behind a flood does not wait for what nobody will see.
func (l *liveOnDesk) close() error {
	l.left.Store(true)
	return l.live.close()
}

func (l *liveOnDesk) status() ui.Status {
	h, st, t := l.rec.Header(), l.rec.Status(), l.cfg.Target
	shown := masked(t, h)
	out := ui.Status{
		Live: true, Kind: t.Kind, Title: t.Kind + ": " + shown.String(),
		Command: h.Target.Command, Dir: h.Target.Cwd, EnvSet: namesOf(l.cfg.Env),
		Started: h.Started, Now: time.Since(h.Started), Timeout: l.sess.Timeout(),
		DoArgs:    strings.TrimSpace(l.doArgs + " " + l.to.args(shown)),
		Recording: st.Path != "", Path: st.Path, File: filepath.Base(st.Path),
		Queued: st.Queued, Lost: st.Lost, Loading: 1, Active: l.sess.Active(),
		Watched: l.watched,
	}
	out.Login = l.loginOf(h.Started)
	if shown.URL != "" {
		out.Title = shown.URL
	}
	if t.Kind == session.KindDemo {
		out.Title = "demo: arcade, built in"
	}
	if st.Err != nil {
		out.RecordErr = st.Err.Error()
	}
	return out
}

// masked is the target as the header has it: without secrets.
func masked(t session.Target, h record.Header) session.Target {
	return session.Target{Kind: t.Kind, Command: h.Target.Command, URL: h.Target.URL}
}

func (l *liveOnDesk) kept() string {
	path := l.rec.Status().Path
	if path == "" || l.log.Len() == 0 {
		return ""
	}
	return fmt.Sprintf("recorded: mcpl-tui replay %s", shellquote.Join(path))
}

// played is a recording that is looked at.
type played struct {
	rec   *record.Recording
	log   *timeline.Log
	path  string
	dirty chan struct{}
	stop  context.CancelFunc
	fed   chan struct{}
	whole atomic.Bool // the log has all that can be read of the file
}

// openPlayed opens a recording and follows its index in the background.
func openPlayed(path string, crashed panicked) (*played, error) {
	path = find(path)
	rec, err := record.Open(path)
	if err != nil {
		return nil, err
	}
	p := &played{
		rec: rec, log: judgedLog(rec), path: path,
		dirty: make(chan struct{}, 1), fed: make(chan struct{}),
	}
	var ctx context.Context
	ctx, p.stop = context.WithCancel(context.Background())
	go p.feed(ctx, crashed)
	return p, nil
}

func (p *played) feed(ctx context.Context, crashed panicked) {
	defer close(p.fed)
	defer guard(crashed)
	for {
		done := p.rec.Status().Loading >= 1
		n, err := p.log.Advance(atOnce)
		if n > 0 {
			nudge(p.dirty)
			runtime.Gosched() // a key may wait for the processor
			if ctx.Err() != nil {
				return
			}
			continue
		}
		if err != nil || done {
			p.whole.Store(true)
			nudge(p.dirty)
			return
		}
		select {
		case <-p.rec.Changed():
		case <-ctx.Done():
			return
		}
	}
}

func (p *played) timeline() *timeline.Log      { return p.log }
func (p *played) recording() *record.Recording { return p.rec }
func (p *played) dirtied() <-chan struct{}     { return p.dirty }
func (p *played) kept() string                 { return "" }

func (p *played) close() error {
	p.stop()
	<-p.fed
	return p.rec.Close()
}

func (p *played) status() ui.Status {
	h, st := p.rec.Header(), p.rec.Status()
	out := ui.Status{
		Kind: h.Target.Kind, Title: recordingTitle(p.path), Command: h.Target.Command, Dir: h.Target.Cwd,
		Started: h.Started, Timeout: session.DefaultTimeout, Path: p.path, File: filepath.Base(p.path),
		Loading: p.loading(st.Loading), Cut: st.Cut,
		DoArgs: session.Target{Kind: h.Target.Kind, Command: h.Target.Command, URL: h.Target.URL}.Args(),
	}
	if st.Err != nil {
		out.RecordErr = st.Err.Error()
	}
	for _, s := range st.Skipped {
		out.Skipped = append(out.Skipped, fmt.Sprintf("line %d: %s", s.Line, s.Why))
	}
	return out
}

// loading is how much of the recording can be looked at, 1 for all of it: the
// log comes after the index.
func (p *played) loading(indexed float64) float64 {
	if p.whole.Load() {
		return indexed
	}
	n := p.log.Len()
	behind, _ := p.log.Behind()
	return min(indexed*float64(n)/float64(max(n+behind, 1)), 0.99)
}

func recordingTitle(path string) string {
	if path == "-" {
		return "standard input"
	}
	return filepath.Base(path)
}
