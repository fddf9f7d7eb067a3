package conform_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/mcpl-tui/mcpl-tui/inspector/conform"
	"github.com/mcpl-tui/mcpl-tui/session"
	"github.com/mcpl-tui/mcpl-tui/session/demo"
	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
)

// msg is a message of the server, to be spoiled.
type msg = map[string]any

// edit makes a fault of a function that changes a message; false drops it.
func edit(f func(m msg) bool) fault {
	return func(line []byte) [][]byte {
		var m msg
		d := json.NewDecoder(bytes.NewReader(line))
		d.UseNumber()
		if d.Decode(&m) != nil {
			return [][]byte{line}
		}
		if !f(m) {
			return nil
		}
		return [][]byte{encode(m)}
	}
}

func encode(v any) []byte {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return raw
}

// in returns what is reached through the named members, nil for nothing.
func in(v any, keys ...string) any {
	for _, k := range keys {
		m, _ := v.(msg)
		v = m[k]
	}
	return v
}

func object(v any) msg { m, _ := v.(msg); return m }

// hintsIn returns the hints of a message, nil where it carries none.
func hintsIn(m msg) msg {
	if m["method"] == "tools/hints" {
		return object(m["params"])
	}
	if h := object(in(m, "params", "hints")); h != nil {
		return h
	}
	return object(in(m, "result", "_meta", "mcpl/hints"))
}

// isPush reports whether a message is a push with hints.
func isPush(m msg) bool { return m["method"] == "push/event" && hintsIn(m) != nil }

// isList reports whether a message is the result of tools/list.
func isList(m msg) bool { return in(m, "result", "tools") != nil }

// isSets reports whether a message is the result of toolsets/list.
func isSets(m msg) bool { return in(m, "result", "open") != nil }

func isInit(m msg) bool { return in(m, "result", "serverInfo") != nil }

// shift adds to all revs from one on.
func shift(m msg, from, by int64) {
	move := func(of msg, key string) {
		if n, ok := of[key].(json.Number); ok {
			if rev, err := n.Int64(); err == nil && rev >= from {
				of[key] = json.Number(fmt.Sprint(rev + by))
			}
		}
	}
	if h := hintsIn(m); h != nil {
		move(h, "rev")
	}
	move(object(in(m, "result", "_meta")), "mcpl/rev")
}

func revIn(m msg) int64 {
	n, _ := hintsIn(m)["rev"].(json.Number)
	rev, _ := n.Int64()
	return rev
}

// once spoils the n-th message (from 1) that fits.
func once(n int, fits func(msg) bool, spoil func(msg) bool) fault {
	seen := 0
	return edit(func(m msg) bool {
		if !fits(m) {
			return true
		}
		if seen++; seen != n {
			return true
		}
		return spoil(m)
	})
}

// add appends to an array member.
func add(of msg, key string, v any) {
	list, _ := of[key].([]any)
	of[key] = append(list, v)
}

// withDigest gives a manifest the digest that it should have.
func withDigest(m msg) {
	rev, err := mcpl.Digest(encode(m))
	if err != nil {
		panic(err)
	}
	m["revision"] = rev
}

func manifestIn(m msg) msg {
	return object(in(m, "result", "capabilities", "experimental", "mcpl"))
}

// after sends a line of its own after the n-th message that fits.
func after(n int, fits func(msg) bool, line ...string) fault {
	seen := 0
	return func(raw []byte) [][]byte {
		var m msg
		if json.Unmarshal(raw, &m) == nil && fits(m) {
			seen++
		}
		out := [][]byte{raw}
		if seen == n {
			seen++
			for _, l := range line {
				out = append(out, []byte(l))
			}
		}
		return out
	}
}

func calls(tool string) func(msg) bool {
	return func(m msg) bool { return bytes.Contains(encode(in(m, "result", "content")), []byte(tool)) }
}

// play is a session with something of everything.
func play(h *host) {
	h.do(`open game as one {"opponent":"ada","size":5}`)
	h.do("wait push")
	h.do(`call play@one {"at":"C3"}`)
	h.do("wait push")
	h.do(`open game as two {"opponent":"bot","size":5}`)
	h.do("wait push")
	h.do("open chat")
	h.do("wait 8s")
	h.do("tools")
	h.do("toolsets")
	h.do("call status")
	h.do("close game two")
	h.do("close chat")
	h.do("wait 3s")
}

// TestEachFaultIsNamedByItsRuleAndNothingElse builds a fault into a server
// that is sound without it.
func TestEachFaultIsNamedByItsRuleAndNothingElse(t *testing.T) {
	for _, f := range faults() {
		t.Run(f.rule+" "+f.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				serve := f.serve
				if serve == nil {
					serve = faulty(arcade(demo.Options{Seed: 7}), f.fault)
				}
				h := dial(t, serve, f.host)
				if f.script == nil {
					f.script = play
				}
				f.script(h)
				frames := h.hangUp()
				if f.link != "" {
					frames = over(frames, f.link)
				}
				check(t, f.rule, frames)
				if !f.ordered && f.link == "" {
					check(t, f.rule, asHTTP(frames))
				}
			})
		})
	}
}

func check(t *testing.T, rule string, frames tape) {
	t.Helper()
	r, ok := conform.RuleByID(rule)
	if !ok {
		t.Fatalf("there is no rule %s", rule)
	}
	all := judged(frames, conform.Options{}).Findings()
	hit := slices.ContainsFunc(all, func(f conform.Finding) bool { return f.Rule == rule })
	other := slices.DeleteFunc(worse(all, conform.Warning), func(f conform.Finding) bool {
		return f.Rule == rule || f.Rule == comesWith[rule]
	})
	if !hit || len(other) > 0 {
		t.Errorf("%s (%s) was built in; %d frames gave\n%s", rule, r.Level, len(frames), lines(all))
	}
}

func TestWithoutAFaultTheSameSessionIsSilent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := dial(t, faulty(arcade(demo.Options{Seed: 7}), edit(func(msg) bool { return true })))
		play(h)
		frames := h.hangUp()
		silent(t, "no fault", frames)
		carriers := map[string]bool{}
		for _, f := range frames {
			var m msg
			if json.Unmarshal(f.Body, &m) == nil && hintsIn(m) != nil {
				carriers[fmt.Sprint(m["method"], in(m, "result", "adopted") != nil, isSets(m))] = true
			}
		}
		if len(carriers) < 3 {
			t.Errorf("the session has too little in it: %v", carriers)
		}
	})
}

type built struct {
	rule, name string
	fault      fault
	serve      session.Serve
	host       option
	script     func(*host)
	ordered    bool   // over HTTP it is no fault, or none that can be told
	link       string // judged as if it had been over this link, "": over its own
}

var errStopped = errors.New("the server has had enough")

// stopping is a demo that ends as soon as it is asked for something.
func stopping(part string) session.Serve {
	return func(ctx context.Context, r io.Reader, w io.Writer) error {
		ctx, stop := context.WithCancelCause(ctx)
		pr, pw := io.Pipe()
		go func() {
			buf := make([]byte, 64<<10)
			for {
				n, err := r.Read(buf)
				if err != nil || strings.Contains(string(buf[:n]), part) {
					stop(errStopped)
					_ = pw.Close()
					return
				}
				if _, err := pw.Write(buf[:n]); err != nil {
					return
				}
			}
		}()
		return demo.Serve(ctx, pr, w, demo.Options{Seed: 7})
	}
}
