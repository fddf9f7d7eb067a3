package demo

import (
	crand "crypto/rand"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"
)

// Bounds of what a principal can pile up.
const (
	maxGames   = 5
	maxEnded   = 1000
	keepEnded  = time.Hour
	maxThought = 8 // calls of think that run on one connection
)

// Principal is whom the server serves: games, what is open, what ended. It is
// safe for use by several connections at once.
type Principal struct {
	pace time.Duration

	mu     sync.Mutex
	closed bool
	timers map[*timer]struct{}
	firing sync.WaitGroup

	rng   *rand.Rand
	epoch string // part of ids, so that they are never those of another principal
	ids   map[string]int

	conns []*Conn
	open  []openKey // in the order of opening
	games map[string]*game
	ended []ended

	chat  chat
	radio radio

	offer     *offer // what rematch offers, nil: nothing
	offerDef  *definition
	offerEnds *timer
	advice    bool
	pinned    map[string]bool // loose tools that are static for now
}

// openKey names an open toolset, or an instance of one.
type openKey struct{ toolset, instance string }

// ended is an end that the host did not ask for (toolhints.md §5).
type ended struct {
	ID       string `json:"id"`
	Toolset  string `json:"toolset"`
	Instance string `json:"instance,omitempty"`
	Reason   string `json:"reason,omitempty"`
	at       time.Time
}

// NewPrincipal makes a principal with nothing but the radio on. Pace and Seed
// are read from opts.
func NewPrincipal(opts Options) *Principal {
	seed := opts.Seed
	if seed == 0 {
		var b [8]byte
		_, _ = crand.Read(b[:]) // never fails
		seed = binary.LittleEndian.Uint64(b[:])
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	return &Principal{
		pace:   opts.pace(),
		timers: map[*timer]struct{}{},
		rng:    rng,
		epoch:  fmt.Sprintf("%04x", rng.Uint32()&0xffff),
		ids:    map[string]int{},
		open:   []openKey{{toolset: toolsetRadio}},
		games:  map[string]*game{},
		radio:  radio{station: stations[0]},
		pinned: map[string]bool{},
	}
}

// Close ends everything that the principal would still do by itself. Its
// connections can still ask; nothing moves any more.
func (p *Principal) Close() {
	p.mu.Lock()
	p.closed = true
	for t := range p.timers {
		t.stop()
	}
	p.mu.Unlock()
	p.firing.Wait()
}

// timer runs a function once, under the principal's lock.
type timer struct {
	p *Principal
	t *time.Timer
}

// after runs do in d, unless the timer is stopped before.
func (p *Principal) after(d time.Duration, do func()) *timer {
	t := &timer{p: p}
	if p.closed {
		return t
	}
	p.firing.Add(1)
	p.timers[t] = struct{}{}
	t.t = time.AfterFunc(d, func() {
		defer p.firing.Done()
		p.mu.Lock()
		defer p.mu.Unlock()
		if _, due := p.timers[t]; due {
			delete(p.timers, t)
			do()
		}
	})
	return t
}

// stop makes sure that the timer does nothing any more. A nil timer is none.
func (t *timer) stop() {
	if t == nil || t.t == nil {
		return
	}
	delete(t.p.timers, t)
	if t.t.Stop() {
		t.p.firing.Done()
	}
}

// beats returns n times the pace.
func (p *Principal) beats(n float64) time.Duration { return time.Duration(n * float64(p.pace)) }

// id makes an id that was never used: kind, epoch, a number.
func (p *Principal) id(kind string) string {
	p.ids[kind]++
	return fmt.Sprintf("%s-%s-%04d", kind, p.epoch, p.ids[kind])
}

// event is something that happened, as it is told to connections. Without
// text there is nothing to say beyond the hint changes.
type event struct {
	set     string // feature set of the push
	text    string
	about   openKey
	suggest []suggestion
	reasons map[openKey]string // why something closed
}

// tell tells all connections but the origin of an event. The origin's share
// rides in the result of what it asked for.
func (p *Principal) tell(origin *Conn, e event) {
	id := ""
	for _, c := range p.conns {
		if c == origin {
			continue
		}
		if id == "" {
			id = p.id("ev")
		}
		c.notify(e, id)
	}
}

func (p *Principal) isOpen(k openKey) bool { return slices.Contains(p.open, k) }

func (p *Principal) shut(k openKey) {
	p.open = slices.DeleteFunc(p.open, func(o openKey) bool { return o == k })
}

// instances returns the names of the open games in the order of opening.
func (p *Principal) instances() []string {
	var names []string
	for _, k := range p.open {
		if k.toolset == toolsetGame {
			names = append(names, k.instance)
		}
	}
	return names
}

// remember keeps an ended record, and forgets those of more than an hour ago.
func (p *Principal) remember(k openKey, reason string) {
	p.ended = append(p.ended, ended{
		ID: p.id("end"), Toolset: k.toolset, Instance: k.instance, Reason: reason, at: time.Now(),
	})
	p.forget()
}

func (p *Principal) forget() {
	p.ended = slices.DeleteFunc(p.ended, func(e ended) bool { return time.Since(e.at) > keepEnded })
	if n := len(p.ended) - maxEnded; n > 0 {
		p.ended = slices.Delete(p.ended, 0, n)
	}
}

// endedOf returns why an instance ended by itself, the last time.
func (p *Principal) endedOf(instance string) (string, bool) {
	p.forget()
	for _, e := range slices.Backward(p.ended) {
		if e.Instance == instance {
			return e.Reason, true
		}
	}
	return "", false
}
