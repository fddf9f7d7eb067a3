package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"github.com/mcpl-tui/mcpl-tui/record"
	"github.com/mcpl-tui/mcpl-tui/session"
	"github.com/mcpl-tui/mcpl-tui/session/demo"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// live is a session with its recording and its timeline: wire → tap →
// recording → log → view.
type live struct {
	cfg  session.Config
	rec  *record.Recording
	log  *timeline.Log
	view *view
	sess *session.Session

	login atomic.Pointer[session.Login] // what a person has to do
	tell  func(session.Login)           // told of it as well, or nil

	dirty chan struct{} // a signal that something changed
	fed   chan struct{} // closed when the feed is over
	stop  context.CancelFunc
	left  atomic.Bool // nobody looks any more: what is not reduced yet may stay so
	// broke is why the timeline could not go on, set before fed is closed.
	broke error
}

// closeTime bounds the polite end of a session: three times the grace of its
// steps, and some.
const closeTime = 10 * time.Second

// connect starts a session and returns at once. The frames go to rec.
func connect(ctx context.Context, cfg session.Config, rec *record.Recording) *live {
	return connectTo(ctx, cfg, rec, demoServer())
}

// connectTo is connect with another server in the place of the demo.
func connectTo(ctx context.Context, cfg session.Config, rec *record.Recording, inProc session.Serve) *live {
	return connectOver(ctx, cfg, rec, timeline.NewLog(rec), inProc)
}

// connectOver is connectTo with a log over rec that has reduced nothing yet.
func connectOver(ctx context.Context, cfg session.Config, rec *record.Recording, log *timeline.Log, inProc session.Serve) *live {
	l := &live{
		cfg: cfg, rec: rec, log: log,
		dirty: make(chan struct{}, 1), fed: make(chan struct{}),
	}
	if o := cfg.OAuth; o != nil {
		l.tell = o.Ask
		own := *o
		own.Ask = l.asked
		l.cfg.OAuth = &own
	}
	l.view = newView(l.log)
	l.cfg.InProc = inProc
	l.cfg.Sink, l.cfg.View, l.cfg.Started = rec, l.view, rec.Header().Started
	l.cfg.About = about(rec.Header().Target, cfg)
	l.cfg.ClientName, l.cfg.ClientVersion = "mcpl-tui", version
	l.sess = session.New(l.cfg)
	var feedCtx context.Context
	feedCtx, l.stop = context.WithCancel(context.Background())
	go l.feed(feedCtx)
	l.sess.Start(ctx)
	return l
}

// demoServer serves one principal, however often one reconnects.
func demoServer() session.Serve {
	p := demo.NewPrincipal(demo.Options{})
	return func(ctx context.Context, r io.Reader, w io.Writer) error {
		return demo.Serve(ctx, r, w, demo.Options{Principal: p})
	}
}

// about is what a recording says of what was connected to, at each of the
// connections: command and folder, or the address, as the header has them,
// masked; and the names of the variables or headers that were set for it,
// never their values.
func about(t record.Target, cfg session.Config) json.RawMessage {
	var vars, headers []string
	if t.Kind == session.KindStdio {
		vars = namesOf(cfg.Env)
	}
	for _, h := range cfg.Header {
		headers = append(headers, h.Name)
	}
	raw, err := json.Marshal(struct {
		Command []string `json:"command,omitempty"`
		Cwd     string   `json:"cwd,omitempty"`
		Env     []string `json:"env,omitempty"`
		URL     string   `json:"url,omitempty"`
		Headers []string `json:"headers,omitempty"`
		Token   bool     `json:"token,omitempty"` // one is sent
	}{t.Command, t.Cwd, vars, t.URL, headers, cfg.Token != ""})
	if err != nil || t.Kind == session.KindDemo {
		return nil
	}
	return raw
}

// feed reduces frames as they come, and does what a host owes to what it sees:
// it re-reads the lists after a loss, and lets go what was held too long.
func (l *live) feed(ctx context.Context) {
	defer close(l.fed)
	defer guard(l.cfg.Panicked)
	gaps := map[int]int{}
	var pace pace
	for {
		pace.begin()
		n, err := l.log.Advance(atOnce)
		if err != nil {
			if !errors.Is(err, record.ErrClosed) {
				l.broke = err
			}
			nudge(l.dirty)
			return
		}
		if n > 0 {
			l.view.advanced()
			nudge(l.dirty)
			l.reread(gaps)
			if l.left.Load() && ctx.Err() != nil {
				return
			}
			pace.rest(l.rec.Len(), l.log.Len())
			continue
		}
		var hold <-chan time.Time
		connection, at, held := l.log.HoldUntil()
		if held {
			hold = time.After(time.Until(l.cfg.Started.Add(at)))
		}
		select {
		case <-l.rec.Changed():
			nudge(l.dirty)
		case <-hold:
			l.sess.HoldExpired(connection)
		case <-ctx.Done():
			return
		}
	}
}

// reread lets the lists be read again on each connection that lost a rev since
// it was asked last.
func (l *live) reread(known map[int]int) {
	for side := range l.log.Sides() {
		conn := l.log.ConnAt(side, l.log.Len())
		if g := l.log.Gaps(conn); g > known[conn] {
			known[conn] = g
			l.sess.Lost(conn)
		}
	}
}

func nudge(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// close ends the session politely, reduces and writes what is left, and
// returns what could not be kept.
func (l *live) close() error {
	l.end()
	err := l.rec.Close()
	return errors.Join(l.broke, err)
}

// end ends the session politely and reduces what is left; the recording can
// still be read.
func (l *live) end() {
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	l.sess.Close(ctx)
	l.stop()
	<-l.fed
}

// newRecording makes the file that the session is kept in: the given one, one
// in the user's state directory, or one that leaves no trace.
func newRecording(t session.Target, dir, file string, keep bool) (*record.Recording, error) {
	return recordingNamed(nameOf(t, dir), t, dir, file, keep)
}

// recordingNamed is newRecording with a name for a file in the state
// directory.
func recordingNamed(name string, t session.Target, dir, file string, keep bool) (*record.Recording, error) {
	now := time.Now().Truncate(time.Microsecond)
	h := record.Header{
		Version: record.Version, ID: uuid.NewString(), Started: now, Tool: "mcpl-tui " + version,
		Target: record.Target{Kind: t.Kind, Command: t.Command, URL: t.URL},
	}
	if t.Kind == session.KindStdio {
		h.Target.Cwd = workDir(dir)
	}
	switch {
	case !keep:
		return record.CreateSpool(h)
	case file != "":
		rec, err := record.Create(file, h)
		if errors.Is(err, record.ErrExists) {
			return nil, fmt.Errorf("-o %s: %w; choose another name, or move it away", file, record.ErrExists)
		}
		return rec, err
	}
	folder, err := record.Dir()
	if err != nil {
		return nil, fmt.Errorf("%w; choose a file with -o, or record nothing with --no-record", err)
	}
	rec, err := record.CreateIn(folder, name, now, h)
	if err != nil {
		return nil, fmt.Errorf("%w; choose a file with -o, or record nothing with --no-record", err)
	}
	return rec, nil
}

func workDir(dir string) string {
	if abs, err := filepath.Abs(dir); err == nil {
		return abs
	}
	return dir
}

// runners are programs that run the thing that a session is named after.
var runners = []string{"node", "npx", "bun", "bunx", "deno", "tsx", "python", "python3", "uv", "uvx", "pipx", "go", "java", "ruby", "php", "dotnet", "docker", "env", "sh", "bash", "run", "exec", "-m"}

// plain are names of files that say nothing; their folder says more.
var plain = []string{"server", "index", "main", "app", "cli", "mcp", "run", "start", "."}

// nameOf returns what a recording of the target is called: after the program
// or script that is started, or the folder where that says nothing; after the
// machine where it is an address.
func nameOf(t session.Target, dir string) string {
	switch host := t.Host(); {
	case host != "":
		return host
	case t.Kind != session.KindStdio:
		return t.Kind
	}
	for _, word := range t.Command {
		base := strings.TrimSuffix(filepath.Base(word), filepath.Ext(word))
		if strings.HasPrefix(word, "-") || slices.Contains(runners, base) {
			continue
		}
		if slices.Contains(plain, base) {
			return filepath.Base(workDir(dir))
		}
		return base
	}
	return filepath.Base(t.Command[0])
}
