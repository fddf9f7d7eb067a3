package demo

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// walks is how many random walks are tried.
const walks = 20

// TestARandomWalkBreaksNoRule has hosts do anything at all, on two
// connections of one principal, and lets the reference object.
func TestARandomWalkBreaksNoRule(t *testing.T) {
	carriers, accepted := map[string]int{}, 0
	for seed := range uint64(walks) {
		show(t, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 9))
			p := NewPrincipal(Options{Seed: seed | 1})
			defer p.Close()
			ended := map[string]string{}
			hosts := make([]*host, 2)
			for range 120 {
				i := rng.IntN(2)
				switch h := hosts[i]; {
				case h == nil:
					hosts[i] = dialKnowing(t, Options{Principal: p}, ended).greet(hintsHost, []string{"pushEvents"}[:rng.IntN(2)]...)
				case rng.IntN(40) == 0:
					accepted += wander(h, rng, beats)
					maps.Copy(carriers, h.ref.carriers)
					h.hangUp()
					hosts[i] = nil
				default:
					accepted += wander(h, rng, beats)
				}
			}
			for _, h := range hosts {
				if h != nil {
					h.lists()
					maps.Copy(carriers, h.ref.carriers)
					h.hangUp()
				}
			}
		})
		if t.Failed() {
			t.Fatalf("it was walk %d", seed)
		}
	}
	for _, c := range []string{"call", "open", "close", "list", "push", "standalone"} {
		if carriers[c] == 0 {
			t.Errorf("no hints ever came by %s", c)
		}
	}
	if accepted == 0 {
		t.Error("nothing the hosts did was accepted")
	}
}

// TestHostsAtOnceBreakNoRule has several hosts act at the same time.
func TestHostsAtOnceBreakNoRule(t *testing.T) {
	show(t, func(t *testing.T) {
		p := NewPrincipal(Options{Seed: 5})
		defer p.Close()
		var all sync.WaitGroup
		for i := range uint64(4) {
			h := gamers(t, Options{Principal: p})
			all.Go(func() {
				rng := rand.New(rand.NewPCG(i, 4))
				for range 100 {
					wander(h, rng, func(n float64) { time.Sleep(time.Duration(n * float64(time.Second))) })
				}
				time.Sleep(time.Minute) // what runs comes to its end
				h.lists()
				h.hangUp()
			})
		}
		all.Wait()
	})
}

// wander does one thing at random, likely or not; 1 where it was accepted.
// rest lets time pass.
func wander(h *host, rng *rand.Rand, rest func(beats float64)) int {
	pick := func(of ...string) string { return of[rng.IntN(len(of))] }
	game := pick("vs-ada", "vs-kai", "one", "vs-ada-2", "")
	at := game
	if at != "" {
		at = "@" + at
	}
	var a wire.Head
	switch rng.IntN(16) {
	case 0, 1:
		options := fmt.Sprintf(`{"opponent":%q,"size":%s,"color":%q,"handicap":%d}`,
			pick("ada", "kai", "bot"), pick("5", "5", "7", "6"), pick("black", "white"), rng.IntN(3))
		instance := ""
		if game != "" {
			instance = fmt.Sprintf(`"instance":%q,`, game)
		}
		a = h.request("toolsets/open", `{"toolset":"game",`+instance+`"options":`+options+`}`)
	case 2:
		a = h.request("toolsets/close", fmt.Sprintf(`{"toolset":"game","instance":%q}`, game))
	case 3:
		a = h.request("toolsets/"+pick("open", "close"), fmt.Sprintf(`{"toolset":%q}`, pick("chat", "radio", "debug")))
	case 4:
		h.lists()
	case 5:
		h.policy([]string{"pushEvents"}[:rng.IntN(2)]...)
	case 6:
		h.pushesAre(pick(`"result":{"accepted":true}`, `"result":{"accepted":false,"reason":"no"}`, `"error":{"code":-32002,"message":"no"}`))
	case 7:
		rest(rng.Float64() * 12)
	case 8:
		id, _ := h.ask("tools/call", `{"name":"think","arguments":{"seconds":5},"_meta":{"progressToken":"p"}}`)
		if rng.IntN(2) == 0 {
			rest(rng.Float64() * 4)
			h.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, id))
		} else {
			rest(5)
		}
	case 9, 10, 11, 12:
		point := pick("A1", "B2", "C3", "D4", "E5", "B4", "D2", "C1", "A3")
		a = h.request("tools/call", callParams("play"+at, fmt.Sprintf(`{"at":%q}`, point)))
		if rng.IntN(2) == 0 {
			rest(1.5)
		}
	case 13:
		a = h.request("tools/call", callParams(pick("pass", "undo", "score", "resign", "board")+at, `{}`))
	case 14:
		a = h.request("tools/call", callParams(pick("status", "rematch", "advice", "now_playing", "lobby"), `{}`))
	case 15:
		call := pick(`tune {"station":"folk"}`, `say {"text":"hi"}`, `seed_game {"position":"ko"}`, `seed_game {"position":"endgame"}`,
			`pin_tool {"tool":"rematch","pinned":true}`, `pin_tool {"tool":"rematch"}`, `pin_tool {"tool":"advice","pinned":true}`, `dump_board {}`)
		name, args, _ := strings.Cut(call, " ")
		a = h.request("tools/call", callParams(name, args))
	}
	if a.Kind == wire.Result && string(wire.Member(a.Result, "isError")) != "true" {
		return 1
	}
	return 0
}
