//go:build unix

package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/creack/pty"
)

// patience is how long anything may take.
const patience = 2 * time.Minute

// screen is a program in a terminal.
type screen struct {
	cmd *exec.Cmd
	tty *os.File

	mu    sync.Mutex
	since []byte // what was drawn since the last call of forget
	drawn chan struct{}
}

// open starts a program in a terminal of 120 columns and 40 rows.
func open(args ...string) (*screen, error) {
	s := &screen{cmd: exec.Command(args[0], args[1:]...), drawn: make(chan struct{}, 1)}
	s.cmd.Env = append(os.Environ(), "TERM=xterm-256color", "LC_ALL=C.UTF-8")
	var err error
	if s.tty, err = pty.StartWithSize(s.cmd, &pty.Winsize{Cols: 120, Rows: 40}); err != nil {
		return nil, err
	}
	go s.read()
	return s, nil
}

func (s *screen) read() {
	buf := make([]byte, 64<<10)
	for {
		n, err := s.tty.Read(buf)
		s.mu.Lock()
		s.since = append(s.since, buf[:n]...)
		s.mu.Unlock()
		select {
		case s.drawn <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

func (s *screen) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.since = nil
}

var escapes = regexp.MustCompile("\x1b\\[[0-9;?]*[a-zA-Z]")

// drew reports whether something that matches was drawn since the last forget.
func (s *screen) drew(what *regexp.Regexp) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return what.Match(escapes.ReplaceAll(s.since, nil))
}

// until waits until some text was drawn since the last forget.
func (s *screen) until(text string) error {
	return s.matches(regexp.MustCompile(regexp.QuoteMeta(text)))
}

// matches is until for what matches.
func (s *screen) matches(what *regexp.Regexp) error {
	end := time.After(patience)
	for !s.drew(what) {
		select {
		case <-s.drawn:
		case <-end:
			return fmt.Errorf("%q was not drawn", what)
		}
	}
	return nil
}

// press sends keys and returns how long it takes until some text is drawn.
func (s *screen) press(keys, text string) (time.Duration, error) {
	s.forget()
	start := time.Now()
	if _, err := s.tty.WriteString(keys); err != nil {
		return 0, err
	}
	err := s.until(text)
	return time.Since(start), err
}

// close ends the program without asking it.
func (s *screen) close() {
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait() // it was killed
	_ = s.tty.Close()
}

// resident is the memory of the program, in bytes; 0 where it cannot be told.
func (s *screen) resident() float64 {
	out, err := exec.Command("ps", "-o", "rss=", "-p", strconv.Itoa(s.cmd.Process.Pid)).Output()
	if err != nil {
		return 0
	}
	kb, _ := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
	return kb * 1024
}

// hops is how many frames are gone to in each turn.
const hops = 8

// replay measures the first screen of a recording, going to frames anywhere in
// it, and the memory that it takes.
func (b *bench) replay(c *column, path string) error {
	var first, gone []time.Duration
	var memory []float64
	var found searches
	for range turns {
		start := time.Now()
		s, err := open(b.bin, "replay", path)
		if err != nil {
			return err
		}
		err = s.until("REPLAY")
		first = append(first, time.Since(start))
		empty := s.resident()
		if err == nil {
			gone, err = s.hop(c.messages, gone)
		}
		memory = append(memory, max(s.resident()-empty, 0)/float64(c.messages))
		if err == nil {
			err = found.search(s)
		}
		s.close()
		if err != nil {
			return err
		}
	}
	c.first, c.gone, c.perMessage = median(first), median(gone), median(memory)
	found.into(c)
	return nil
}

// hop waits until all is indexed, and goes to some frames in the wire view.
func (s *screen) hop(messages int, gone []time.Duration) ([]time.Duration, error) {
	if _, err := s.press("3", "[3 Wire"); err != nil {
		return gone, err
	}
	if err := s.loaded(messages); err != nil {
		return gone, err
	}
	for range hops {
		n := 2 + rand.IntN(messages-2)
		if _, err := s.press(fmt.Sprintf(":goto %d", n), strconv.Itoa(n)); err != nil {
			return gone, err
		}
		took, err := s.press("\r", fmt.Sprintf("Wire %d/", n))
		if err != nil {
			return gone, err
		}
		gone = append(gone, took)
	}
	return gone, nil
}

// loaded waits until the last frame can be gone to, which is so once all is
// indexed.
func (s *screen) loaded(messages int) error {
	for end := time.Now().Add(patience); time.Now().Before(end); {
		// esc takes back what was typed too early, and was not understood.
		if _, err := s.tty.WriteString("\x1b"); err != nil {
			return err
		}
		time.Sleep(100 * time.Millisecond)
		s.forget()
		if _, err := fmt.Fprintf(s.tty, ":goto %d\r", messages); err != nil {
			return err
		}
		time.Sleep(300 * time.Millisecond)
		s.mu.Lock()
		there := strings.Contains(string(escapes.ReplaceAll(s.since, nil)), fmt.Sprintf("Wire %d/", messages))
		s.mu.Unlock()
		if there {
			return nil
		}
	}
	return errors.New("the last frame was not reached")
}
