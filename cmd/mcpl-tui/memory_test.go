package main

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session"
)

// What a message may cost in memory for good, in bytes: live, and on replay.
const memoryBudget = 200

// heap is how many bytes are in use, once all that is not has been let go.
func heap() int64 {
	runtime.GC()
	runtime.GC() // what the first one found to be finalized
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// A long flood goes the whole way: pipe, tap, recording, log and judge. What
// is in memory afterwards is for good: what waited for the disk or for the
// reducer is gone.
func TestAMessageCostsLittleMemoryForGood(t *testing.T) {
	const n = 100_000
	target := session.Target{Kind: session.KindDemo}
	path := filepath.Join(t.TempDir(), "flood.mcpl.jsonl")
	before := heap()
	rec, err := newRecording(target, "", path, true)
	if err != nil {
		t.Fatal(err)
	}
	flags := connectFlags{timeout: defaultTimeout, hostFlags: quietHost()}
	cfg, err := flags.config(target)
	if err != nil {
		t.Fatal(err)
	}
	l := connectOver(t.Context(), cfg, rec, judgedLog(rec), flood(n))
	if err := l.sess.WaitReady(t.Context()); err != nil {
		t.Fatal(err)
	}
	for !l.view.Applied(n + 1) {
		select {
		case <-l.view.Changed():
		case <-time.After(time.Minute):
			t.Fatalf("%d of %d frames were reduced", l.log.Len(), n)
		}
	}
	live := heap() - before
	if got := live / n; got > memoryBudget {
		t.Errorf("live: %d bytes a message, the budget is %d", got, memoryBudget)
	}
	t.Logf("live: %.1f bytes a message", float64(live)/n)
	if err := l.close(); err != nil {
		t.Fatal(err)
	}
	runtime.KeepAlive(l)
	l, rec = nil, nil

	before = heap()
	p, err := openPlayed(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	<-p.fed
	if p.log.Len() < n {
		t.Fatalf("%d of %d frames were read", p.log.Len(), n)
	}
	played := heap() - before
	if got := played / n; got > memoryBudget {
		t.Errorf("replay: %d bytes a message, the budget is %d", got, memoryBudget)
	}
	t.Logf("replay: %.1f bytes a message", float64(played)/n)
	if info, err := os.Stat(path); err != nil || info.Size() < 100*n {
		t.Errorf("the recording is too short: %v, %v", info, err)
	}
	if err := p.close(); err != nil {
		t.Fatal(err)
	}
}
