package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// viaStdio is the name of the streams of a child process.
const viaStdio = "stdio"

// stdioLink is a child process that speaks on its stdin and stdout, one
// message a line. It leads a process group of its own, so that a ctrl-C in
// the terminal does not reach it and nothing that it started outlives it.
type stdioLink struct {
	command []string
	env     []string
	dir     string
	grace   time.Duration // for each step of the polite end

	to     Receiver
	cmd    *exec.Cmd
	stdin  *os.File
	out    *outbox
	stdout *tail
	stderr *tail
	last   lastLine // of stdout

	exited  chan struct{} // the process is gone
	gone    chan struct{} // all of it is, and End was called
	closing sync.Once

	mu     sync.Mutex
	by     string // who ended it first
	reason string
}

func newStdioLink(t Target, env []string, dir string, grace time.Duration) *stdioLink {
	return &stdioLink{
		command: t.Command, env: env, dir: dir, grace: grace,
		exited: make(chan struct{}), gone: make(chan struct{}),
	}
}

// Start starts the process.
func (l *stdioLink) Start(_ context.Context, to Receiver) (json.RawMessage, error) {
	l.to = to
	cmd, err := l.prepare()
	if err != nil {
		return nil, err
	}
	var ends [6]*os.File // read and write end of stdin, stdout, stderr
	for i := 0; i < len(ends); i += 2 {
		if ends[i], ends[i+1], err = os.Pipe(); err != nil {
			closeAll(ends[:i])
			return nil, fmt.Errorf("no pipe to the server can be made: %w", err)
		}
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = ends[0], ends[3], ends[5]
	if err := cmd.Start(); err != nil {
		closeAll(ends[:])
		return nil, startError(cmd.Path, err)
	}
	closeAll([]*os.File{ends[0], ends[3], ends[5]})
	widen(ends[2])
	l.cmd, l.stdin = cmd, ends[1]
	l.stdout, l.stderr = &tail{f: ends[2], seen: l.last.read}, &tail{f: ends[4]}
	l.out = newOutbox(viaStdio, l.stdin, to.Broken)
	l.serve()
	return encode(map[string]int{"pid": cmd.Process.Pid}), nil
}

// prepare finds the program and sets up the process.
func (l *stdioLink) prepare() (*exec.Cmd, error) {
	if len(l.command) == 0 || l.command[0] == "" {
		return nil, fmt.Errorf("no command was given: name one after --")
	}
	if l.dir != "" {
		if info, err := os.Stat(l.dir); err != nil || !info.IsDir() {
			return nil, fmt.Errorf("there is no directory %q: check --cwd", l.dir)
		}
	}
	name := l.command[0]
	// A path is meant as seen from the directory that the server runs in.
	if l.dir != "" && strings.ContainsRune(filepath.ToSlash(name), '/') && !filepath.IsAbs(name) {
		if abs, err := filepath.Abs(filepath.Join(l.dir, name)); err == nil {
			name = abs
		}
	}
	cmd := exec.Command(name, l.command[1:]...)
	if cmd.Err != nil {
		return nil, startError(name, cmd.Err)
	}
	cmd.Env = append(os.Environ(), l.env...)
	cmd.Dir = l.dir
	ownGroup(cmd)
	return cmd, nil
}

func closeAll(files []*os.File) {
	for _, f := range files {
		_ = f.Close() // nothing was written to it
	}
}

// startError says in words why a program cannot be started.
func startError(name string, err error) error {
	switch {
	case errors.Is(err, exec.ErrDot):
		return fmt.Errorf("%q is in this directory, which is not searched: write ./%s", name, name)
	case errors.Is(err, exec.ErrNotFound):
		return fmt.Errorf("there is no command %q in PATH: check the spelling, or give its full path", name)
	case errors.Is(err, fs.ErrNotExist):
		if _, serr := os.Stat(name); serr == nil {
			return fmt.Errorf("%q cannot be started: the interpreter in its first line does not exist", name)
		}
		return fmt.Errorf("there is no file %q: check the path", name)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%q may not be run: check that it is a program (chmod +x), not a directory", name)
	case notAProgram(err):
		return fmt.Errorf("%q is no program for this machine: a script needs a first line such as #!/bin/sh", name)
	default:
		return fmt.Errorf("%q cannot be started: %w", name, err)
	}
}

// serve runs the readers, and what waits for the end of the process.
func (l *stdioLink) serve() {
	var readers sync.WaitGroup
	readers.Go(func() {
		err := readLines(l.stdout, func(line []byte) {
			if len(line) > 0 { // MCP skips empty lines
				l.to.Receive(Received{Via: viaStdio, Body: line})
			}
		})
		go l.outputEnded(err)
	})
	readers.Go(func() { _ = readLines(l.stderr, l.to.Stderr) })
	go func() {
		_ = l.cmd.Wait() // how it ended is in ProcessState
		close(l.exited)
		l.stdout.end()
		l.stderr.end()
		readers.Wait()
		end := l.ending()
		l.out.finish()
		_ = l.stdin.Close()
		<-l.out.done
		l.to.End(end)
		endGroup(l.cmd.Process.Pid, l.grace)
		closeAll([]*os.File{l.stdout.f, l.stderr.f})
		close(l.gone)
	}()
}

// outputEnded ends a server that can say nothing more and lives on.
func (l *stdioLink) outputEnded(err error) {
	reason := "the server closed its output"
	if err != nil {
		reason = err.Error()
	} else if l.waitExit(l.grace) {
		return
	}
	l.blame("server", reason)
	l.shutdown(context.Background())
}

// blame notes who ended the link, and why: the first cause counts, and none
// after the process is gone.
func (l *stdioLink) blame(by, reason string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case <-l.exited:
	default:
		if l.by == "" {
			l.by, l.reason = by, reason
		}
	}
}

func (l *stdioLink) ending() End {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := End{By: l.by, Reason: l.reason}
	if e.By == "" {
		e.By = "server"
	}
	if e.Signal = exitSignal(l.cmd.ProcessState); e.Signal == "" {
		code := l.cmd.ProcessState.ExitCode()
		e.Code = &code
	}
	return e
}

// Unfinished is the line of stdout that has not ended so far.
func (l *stdioLink) Unfinished() unfinished { return l.last.get() }

// Send queues a message for the server's stdin.
func (l *stdioLink) Send(msg []byte, record func(via string)) error { return l.out.send(msg, record) }

// Close closes the server's stdin; if it does not leave, it is told to by
// SIGTERM, then ended by SIGKILL, each to the whole group.
func (l *stdioLink) Close(ctx context.Context) {
	l.blame("host", "")
	l.shutdown(ctx)
	select {
	case <-l.gone:
	case <-ctx.Done():
		signalGroup(l.cmd.Process.Pid, kill)
		// A killed process is gone at once; the tap may take a moment.
		select {
		case <-l.gone:
		case <-time.After(l.grace):
		}
	}
}

func (l *stdioLink) shutdown(ctx context.Context) {
	l.closing.Do(func() {
		l.out.finish()
		ctx, stop := context.WithCancel(ctx)
		go func() {
			defer stop()
			if l.waitExitOr(ctx, l.grace) {
				return
			}
			_ = l.stdin.Close() // a write may be stuck: the server does not read
			signalGroup(l.cmd.Process.Pid, terminate)
			if l.waitExitOr(ctx, l.grace) {
				return
			}
			signalGroup(l.cmd.Process.Pid, kill)
		}()
	})
}

func (l *stdioLink) waitExit(d time.Duration) bool { return l.waitExitOr(context.Background(), d) }

func (l *stdioLink) waitExitOr(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-l.exited:
		return true
	case <-timer.C:
	case <-ctx.Done():
	}
	return false
}

const (
	// idleTail is how long a pipe of a process that has ended may be silent.
	// What the process itself wrote lies in the pipe by then.
	idleTail = 100 * time.Millisecond
	// maxTail is more than any pipe holds: what comes after that many bytes
	// was written by somebody else who holds the pipe open.
	maxTail = 4 << 20
)

// tail reads a pipe of a process: all that the process wrote, even if
// another process keeps the pipe open after its end.
type tail struct {
	f     *os.File
	ended atomic.Bool
	after int // bytes read since the process ended
	seen  func([]byte)
}

// end tells that the process has ended.
func (t *tail) end() {
	t.ended.Store(true)
	if t.f.SetReadDeadline(time.Now()) != nil {
		// No deadlines on this system's pipes: to close it is all there is.
		time.AfterFunc(10*idleTail, func() { _ = t.f.Close() })
	}
}

// Read reads the pipe.
func (t *tail) Read(p []byte) (int, error) {
	for idle := false; ; idle = true {
		over := t.ended.Load()
		if over {
			if t.after > maxTail {
				return 0, io.EOF
			}
			_ = t.f.SetReadDeadline(time.Now().Add(idleTail))
		}
		n, err := t.f.Read(p)
		if over {
			t.after += n
		}
		switch {
		case n > 0:
			if t.seen != nil {
				t.seen(p[:n])
			}
			return n, nil
		case errors.Is(err, os.ErrClosed), errors.Is(err, os.ErrDeadlineExceeded) && over && idle:
			return 0, io.EOF
		case !errors.Is(err, os.ErrDeadlineExceeded):
			return n, err
		}
	}
}
