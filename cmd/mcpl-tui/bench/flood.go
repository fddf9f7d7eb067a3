//go:build unix

package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"
)

// copyFlood starts the flood and copies what it says to a file, doing nothing
// else: the floor of what is recorded.
func copyFlood(count, path string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	cmd := exec.Command(self, "flood", count)
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	if _, err := io.WriteString(in, `{"id":1,"method":"toolsets/list"}`+"\n"); err != nil {
		return err
	}
	n, err := strconv.Atoi(count)
	if err != nil {
		return err
	}
	last, buf := []byte(hint(n+2)), make([]byte, 64<<10)
	var start time.Time
	for tail := []byte(nil); !bytes.Contains(tail, last); {
		got, err := out.Read(buf)
		if err != nil {
			return fmt.Errorf("the flood ended early: %w", err)
		}
		if start.IsZero() {
			start = time.Now()
		}
		if _, err := f.Write(buf[:got]); err != nil {
			return err
		}
		tail = append(tail[max(0, len(tail)-len(last)):], buf[:got]...)
	}
	fmt.Println(time.Since(start).Seconds())
	_ = in.Close()
	return cmd.Wait()
}

// live measures a flood of hints from a child process, while its screen is
// shown and keys are pressed.
func (b *bench) live(c *column) error {
	var copied, taken []float64
	var keys []time.Duration
	for i := range turns {
		path := filepath.Join(b.dir, fmt.Sprintf("flood-%d-%d.mcpl.jsonl", c.messages, i))
		out, err := exec.Command(b.self, "copy", strconv.Itoa(c.messages), path+".copy").Output()
		if err != nil {
			return err
		}
		seconds, err := strconv.ParseFloat(string(bytes.TrimSpace(out)), 64)
		if err != nil {
			return err
		}
		copied = append(copied, float64(c.messages)/seconds)
		rate, pressed, err := b.flooded(c.messages, path)
		if err != nil {
			return err
		}
		taken, keys = append(taken, rate), append(keys, pressed...)
		_ = os.Remove(path)
		_ = os.Remove(path + ".copy")
	}
	c.copied, c.taken, c.key = median(copied), median(taken), quantile(keys, 0.99)
	return nil
}

// flooded returns how many messages a second were recorded, and how long each
// key took to change the screen meanwhile.
func (b *bench) flooded(n int, path string) (rate float64, keys []time.Duration, err error) {
	s, err := open(b.bin, "-o", path, "--", b.self, "flood", strconv.Itoa(n))
	if err != nil {
		return 0, nil, err
	}
	defer s.close()
	done := make(chan error, 1)
	go func() {
		var err error
		rate, err = recorded(path, n)
		done <- err
	}()
	if err := s.until("toolHints"); err != nil {
		return 0, nil, err
	}
	for view := 0; ; view++ {
		took, err := s.press([]string{"3", "1"}[view%2], []string{"[3 Wire", "[1 Board]"}[view%2])
		if err != nil {
			return 0, nil, err
		}
		keys = append(keys, took)
		select {
		case err := <-done:
			return rate, keys, err
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// recorded follows a recording until the last hint is in it, counts what is
// there, and returns how many hints a second came in.
func recorded(path string, n int) (rate float64, err error) {
	var f *os.File
	for end := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		if f, err = os.Open(path); err == nil {
			break
		}
		if time.Now().After(end) {
			return 0, err
		}
	}
	defer f.Close()
	var start time.Time
	mark, last := []byte(`"method":"tools/hints"`), []byte(fmt.Sprintf(`"params":{"rev":%d,`, n+2))
	buf, hints := make([]byte, 1<<20), 0
	var tail []byte
	for end := time.Now().Add(patience); time.Now().Before(end); {
		got, err := f.Read(buf)
		if err != nil && err != io.EOF {
			return 0, err
		}
		if got == 0 {
			time.Sleep(200 * time.Microsecond)
			continue
		}
		piece := append(tail, buf[:got]...)
		whole := bytes.LastIndexByte(piece, '\n') + 1
		if k := bytes.Count(piece[:whole], mark); k > 0 {
			if hints == 0 {
				start = time.Now()
			}
			hints += k
		}
		if bytes.Contains(piece[:whole], last) {
			if hints != n+1 {
				return 0, fmt.Errorf("%d of %d hints were recorded", hints, n+1)
			}
			return float64(n) / time.Since(start).Seconds(), nil
		}
		tail = append([]byte(nil), piece[whole:]...)
	}
	return 0, fmt.Errorf("%d of %d hints were recorded in time", hints, n+1)
}
