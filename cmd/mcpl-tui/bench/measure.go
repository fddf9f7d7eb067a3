//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"time"
)

// bench knows the programs, and where their files are.
type bench struct{ self, bin, dir string }

// column is what was measured with one number of messages: medians.
type column struct {
	messages       int
	floor          time.Duration
	check, state   ran
	first, gone    time.Duration
	byTool, byText searched
	meanwhile      time.Duration // from key to screen, while the wire is searched
	perMessage     float64       // bytes of memory for each message, of a replay
	copied, taken  float64       // messages a second: of a bare copy, and recorded
	key            time.Duration
}

// ran is a command that ran to its end.
type ran struct {
	took time.Duration
	peak float64 // MB
}

// column measures everything with n messages.
func (b *bench) column(n int) (c column, err error) {
	c.messages = n
	begin := func(what string) { fmt.Fprintf(os.Stderr, "bench: %d messages, %s\n", n, what) } // it takes a while
	begin("check and state")
	path := filepath.Join(b.dir, fmt.Sprintf("bench-%d.mcpl.jsonl", n))
	if err := record(path, n); err != nil {
		return c, err
	}
	defer os.Remove(path)
	var floors, checks, states []ran
	what := []struct {
		into *[]ran
		args []string
	}{
		{&floors, []string{b.self, "floor", path}},
		{&checks, []string{b.bin, "check", path}},
		{&states, []string{b.bin, "state", path}},
	}
	for range turns {
		// In another order each time: who follows a floor, which leaves all
		// processors but one asleep, has to wake them.
		slices.Reverse(what)
		for _, what := range what {
			r, err := toItsEnd(what.args)
			if err != nil {
				return c, err
			}
			*what.into = append(*what.into, r)
		}
	}
	c.floor, c.check, c.state = medianRun(floors).took, medianRun(checks), medianRun(states)
	begin("replay")
	if err := b.replay(&c, path); err != nil {
		return c, fmt.Errorf("replay: %w", err)
	}
	begin("flood")
	if err := b.live(&c); err != nil {
		return c, fmt.Errorf("flood: %w", err)
	}
	return c, nil
}

// toItsEnd runs a command and measures it with the start of its process.
func toItsEnd(args []string) (ran, error) {
	cmd := exec.Command(args[0], args[1:]...)
	start := time.Now()
	out, err := cmd.CombinedOutput()
	r := ran{took: time.Since(start)}
	if err != nil {
		return r, fmt.Errorf("%v: %w\n%s", args, err, out)
	}
	r.peak = megabytes(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)
	return r, nil
}

// megabytes of what the system counts as the largest resident set: kilobytes,
// on macOS bytes.
func megabytes(maxrss int64) float64 {
	if runtime.GOOS == "darwin" {
		return float64(maxrss) / 1e6
	}
	return float64(maxrss) * 1024 / 1e6
}

func medianRun(runs []ran) ran {
	var took []time.Duration
	var peak []float64
	for _, r := range runs {
		took, peak = append(took, r.took), append(peak, r.peak)
	}
	return ran{median(took), median(peak)}
}

// median returns the middle one of some values.
func median[T time.Duration | float64](values []T) T { return quantile(values, 0.5) }

// quantile returns the value below which a share of the values lies.
func quantile[T time.Duration | float64](values []T, share float64) T {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	return sorted[min(int(share*float64(len(sorted))), len(sorted)-1)]
}
