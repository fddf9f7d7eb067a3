package conform_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcpl-tui/mcpl-tui/inspector/conform"
	"github.com/mcpl-tui/mcpl-tui/session/demo"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// asHTTP is a session as it would have been over Streamable HTTP: answers
// travel on the streams of their POSTs, what the server says by itself on the
// GET's.
func asHTTP(frames tape) tape {
	out := slices.Clone(frames)
	post := 0
	for i := range out {
		f := &out[i]
		if f.Via == "" {
			continue
		}
		switch h := wire.Peek(f.Body); {
		case f.Dir == wire.Out:
			post++
			f.Via = fmt.Sprintf("http:post:%d", post)
		case h.Kind == wire.Result || h.Kind == wire.Error:
			f.Via = "http:post:" + h.ID.Key()
		default:
			f.Via = "http:get:1"
		}
	}
	return out
}

// overtaken is a session over HTTP in which messages of different streams
// overtake each other, by less than the time of grace.
func overtaken(frames tape, rng *rand.Rand) tape {
	out := asHTTP(frames)
	for range 3 * len(out) {
		i := rng.IntN(len(out))
		j := i + 1
		if j < len(out) && mayOvertake(&out[i], &out[j], frames) {
			out[i].T, out[j].T = out[j].T, out[i].T
			out[i], out[j] = out[j], out[i]
		}
	}
	for i := range out {
		out[i].Seq = int64(i) + 1
	}
	return out
}

// mayOvertake reports whether the later of two frames may come first.
func mayOvertake(a, b *wire.Frame, before tape) bool {
	if a.Conn != b.Conn || a.Via == b.Via || a.Dir != wire.In || b.Dir == wire.Note || a.Dir == wire.Err || b.Dir == wire.Err {
		return false
	}
	// Not by more than a second from where it stood.
	if d := b.T - before[a.Seq-1].T; d > time.Second {
		return false
	}
	ha, hb := wire.Peek(a.Body), wire.Peek(b.Body)
	if b.Dir == wire.In {
		return true
	}
	switch {
	case hb.Kind == wire.Result || hb.Kind == wire.Error: // the host answers
		return ha.Kind != wire.Request || ha.ID.Key() != hb.ID.Key()
	case ha.Kind == wire.Result || ha.Kind == wire.Error:
		return false // the host waits for what it asked
	case ha.Method == "mcpl/manifestChanged" || ha.Method == "notifications/tools/list_changed":
		return false // and reacts to what is announced
	}
	return true
}

func TestTheDemoIsSoundWhereStreamsOvertakeEachOther(t *testing.T) {
	held := 0
	for seed := range uint64(8) {
		synctest.Test(t, func(t *testing.T) {
			p := demo.NewPrincipal(demo.Options{Seed: seed + 1})
			defer p.Close()
			h := dial(t, arcade(demo.Options{Principal: p}))
			rng := rand.New(rand.NewPCG(seed, 9))
			for range 120 {
				h.wander(rng)
			}
			frames := h.hangUp()
			for n := range 5 {
				http := overtaken(frames, rand.New(rand.NewPCG(seed, uint64(n))))
				silent(t, fmt.Sprintf("seed %d, order %d", seed, n), http)
				for _, f := range judgedHeld(http) {
					held += f
				}
			}
		})
	}
	if held < 20 {
		t.Errorf("only %d revs were held: the orders are too tame", held)
	}
}

// over is a session as it would have been over another link.
func over(frames tape, via string) tape {
	out := slices.Clone(frames)
	for i := range out {
		if out[i].Via != "" {
			out[i].Via = via
		}
	}
	return out
}

// beside is a recording of two connections at once: each with numbers of its
// own, the frames of both in the order of their time.
func beside(a, b tape) tape {
	var out tape
	for side, frames := range []tape{a, b} {
		for _, f := range frames {
			f.Conn = 2*f.Conn - 1 + side
			out = append(out, f)
		}
	}
	slices.SortStableFunc(out, func(a, b wire.Frame) int { return cmp.Compare(a.T, b.T) })
	for i := range out {
		out[i].Seq = int64(i) + 1
	}
	return out
}

func TestTheDemoIsSoundToTwoConnectionsAtOnceAndAfterEachReconnect(t *testing.T) {
	for seed := range uint64(6) {
		synctest.Test(t, func(t *testing.T) {
			p := demo.NewPrincipal(demo.Options{Seed: seed + 20})
			defer p.Close()
			hosts := []*host{dial(t, arcade(demo.Options{Principal: p})), dial(t, arcade(demo.Options{Principal: p}))}
			var all sync.WaitGroup
			for i, h := range hosts {
				all.Go(func() {
					rng := rand.New(rand.NewPCG(seed, uint64(i)+40))
					h.do("wait %dus", 100_000+500*i) // never at the same time
					for range 80 {
						if h.wander(rng); rng.IntN(10) == 0 {
							h.do("reconnect")
						}
					}
				})
			}
			all.Wait()
			a, b := over(hosts[0].hangUp(), "ws"), over(hosts[1].hangUp(), "ws")
			silent(t, fmt.Sprintf("seed %d, over WebSocket", seed), a)
			silent(t, fmt.Sprintf("seed %d, both", seed), beside(a, b))
			silent(t, fmt.Sprintf("seed %d, both over HTTP", seed), beside(overtaken(a, rand.New(rand.NewPCG(1, seed))), b))
		})
	}
}

func judgedHeld(frames tape) (counts []int) {
	for _, f := range judged(frames, conform.Options{}).Findings() {
		if f.Rule == "rev-held" {
			counts = append(counts, f.Count)
		}
	}
	return counts
}
