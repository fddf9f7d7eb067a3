package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/cmd/mcpl-tui/probe"
	"github.com/mcpl-tui/mcpl-tui/cmd/mcpl-tui/report"
	"github.com/mcpl-tui/mcpl-tui/inspector/conform"
	"github.com/mcpl-tui/mcpl-tui/session"
	"github.com/mcpl-tui/mcpl-tui/session/demo"
)

// arcade is the demo at a pace at which a push comes soon.
type arcade struct {
	t *testing.T
	p *demo.Principal
}

func newArcade(t *testing.T) *arcade {
	p := demo.NewPrincipal(demo.Options{Pace: 20 * time.Millisecond, Seed: 3})
	t.Cleanup(p.Close)
	return &arcade{t, p}
}

func (a *arcade) serve(ctx context.Context, r io.Reader, w io.Writer) error {
	return demo.Serve(ctx, r, w, demo.Options{Principal: a.p})
}

// do runs lines on a connection of its own, and returns what is open at its
// end, without what comes and goes by itself.
func (a *arcade) do(lines ...string) string {
	a.t.Helper()
	rec, err := newRecording(session.Target{Kind: session.KindDemo}, "", "", false)
	if err != nil {
		a.t.Fatal(err)
	}
	l := connectTo(a.t.Context(), session.Config{Target: session.Target{Kind: session.KindDemo}, ToolHints: true}, rec, a.serve)
	defer l.close()
	if err := l.sess.WaitReady(a.t.Context()); err != nil {
		a.t.Fatal(err)
	}
	for _, line := range lines {
		if o := l.sess.Run(a.t.Context(), line); !o.OK {
			a.t.Fatalf("%s: %v", line, o.Err)
		}
	}
	var list struct{ Open json.RawMessage }
	if err := json.Unmarshal(l.sess.Run(a.t.Context(), "toolsets").Result, &list); err != nil {
		a.t.Fatal(err)
	}
	return string(list.Open)
}

func TestWhoInterruptsAProbeOfASlowServerIsToldWhatItStillDoes(t *testing.T) {
	a := newArcade(t)
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	told := make(chan struct{})
	serve := tamper(a.serve, func(m map[string]any) {
		switch m["method"] {
		case "toolsets/open":
			interrupt()
		case "toolsets/close": // is slow: until it was told
			select {
			case <-told:
			case <-time.After(cleaningPatience):
				t.Error("nothing is told")
			}
		}
	}, func(m map[string]any) map[string]any { return m })
	_, err := probed(t, ctx, serve, func(f *checkFlags) { f.cleaning = sync.OnceFunc(func() { close(told) }) })
	if !errors.Is(err, errInterrupted) {
		t.Error(err)
	}
}

// cleaningPatience is how long a test waits for a sentence: less than a probe
// waits for a server.
const cleaningPatience = 4 * time.Second

// probed runs `check --probe` on a server of this process.
func probed(t *testing.T, ctx context.Context, serve session.Serve, change func(*checkFlags)) (*report.Report, error) {
	t.Helper()
	f := &checkFlags{
		connectFlags: connectFlags{timeout: 5 * time.Second, hostFlags: quietHost()},
		listen:       300 * time.Millisecond, probe: true,
	}
	if change != nil {
		change(f)
	}
	target := session.Target{Kind: session.KindDemo}
	cfg, err := f.config(target)
	if err != nil {
		t.Fatal(err)
	}
	rec, err := newRecording(target, "", f.output, f.output != "")
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	return f.checkServer(ctx, cfg, rec, serve)
}

func statuses(r *report.Report) map[string]report.Verdict {
	out := map[string]report.Verdict{}
	for _, s := range r.Steps {
		out[s.Step] = s.Status
	}
	return out
}

func worst(r *report.Report) []string {
	var out []string
	for _, f := range r.Findings {
		if f.Level > conform.Info {
			out = append(out, f.Rule+": "+f.Message)
		}
	}
	return out
}

func TestTheDemoPassesEachStepOfTheProbe(t *testing.T) {
	a := newArcade(t)
	r, err := probed(t, t.Context(), a.serve, nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range r.Steps {
		names = append(names, s.Step)
		if s.Status != report.Pass {
			t.Errorf("%s: %s: %s", s.Status, s.Step, s.Message)
		}
	}
	want := []string{
		"open", "open-adopts", "open-keeps-name", "list-after-open", "second-instance", "call-ambiguous", "call-closed",
		"push-refused-applies", "close", "list-after-close", "reconnect-keeps", "plain-host-sees-no-hints", "manifest-digest",
	}
	if !slices.Equal(names, want) || !slices.Equal(probe.Names(), want) {
		t.Errorf("the steps are %v, want %v", names, want)
	}
	if bad := worst(r); len(bad) > 0 {
		t.Errorf("the probe makes a sound server look faulty: %v", bad)
	}
	if !r.ToolHints || r.Server.Name != demo.Name || r.Summary.Connections != 3 {
		t.Errorf("the report is of %+v, toolHints %v, %+v", r.Server, r.ToolHints, r.Summary)
	}
}

// own is what a user had open before the probe came.
var own = []string{`open game as vs-eve {"opponent":"eve","size":5}`, `open game as probe-1 {"opponent":"bot","size":5}`, "open chat"}

func TestTheProbeLeavesTheServerAsItFoundIt(t *testing.T) {
	for name, lines := range map[string][]string{"nothing": nil, "its own": own, "all closed": {"close radio"}} {
		t.Run(name, func(t *testing.T) {
			a := newArcade(t)
			before := a.do(lines...)
			r, err := probed(t, t.Context(), a.serve, nil)
			if err != nil {
				t.Fatal(err)
			}
			if after := a.do(); after != before {
				t.Errorf("before, %s was open, and now %s", before, after)
			}
			if bad := worst(r); len(bad) > 0 && name != "all closed" { // that the radio is off is a finding
				t.Errorf("findings: %v", bad)
			}
			if s := statuses(r); slices.Contains([]report.Verdict{s["open"], s["close"], s["reconnect-keeps"]}, report.Fail) {
				t.Errorf("steps: %+v", r.Steps)
			}
		})
	}
}

func without(list any, toolset string) []any {
	all, _ := list.([]any)
	return slices.DeleteFunc(slices.Clone(all), func(v any) bool { return v.(map[string]any)["toolset"] == toolset })
}

func TestEachStepFailsOnTheFaultThatItLooksFor(t *testing.T) {
	lists := 0
	for step, fault := range map[string]func(session.Serve) session.Serve{
		"open-adopts": func(s session.Serve) session.Serve {
			return broken(s, "toolsets/open", func(_, r map[string]any) { delete(r, "adopted") })
		},
		"open-keeps-name": func(s session.Serve) session.Serve {
			return broken(s, "toolsets/open", func(p, r map[string]any) {
				if p["toolset"] == "game" && r["adopted"] == nil {
					r["instance"] = "game-17"
				}
			})
		},
		"list-after-open": func(s session.Serve) session.Serve {
			return broken(s, "toolsets/list", func(_, r map[string]any) { r["open"] = without(r["open"], "game") })
		},
		"call-ambiguous": func(s session.Serve) session.Serve {
			return broken(s, "tools/call", func(p, r map[string]any) {
				if p["_meta"] == nil {
					delete(r, "isError")
				}
			})
		},
		"call-closed": func(s session.Serve) session.Serve {
			return broken(s, "tools/call", func(p, r map[string]any) {
				if p["_meta"] != nil {
					delete(r, "isError")
				}
			})
		},
		"list-after-close": func(s session.Serve) session.Serve {
			return broken(s, "toolsets/list", func(_, r map[string]any) {
				if lists++; lists > 2 {
					r["open"] = append(without(r["open"], "game"), map[string]any{"toolset": "game", "instance": "probe-1"})
				}
			})
		},
		"manifest-digest": func(s session.Serve) session.Serve {
			return broken(s, "initialize", func(_, r map[string]any) {
				mcpl := r["capabilities"].(map[string]any)["experimental"].(map[string]any)["mcpl"].(map[string]any)
				mcpl["revision"] = "sha256:not-the-digest"
			})
		},
		"plain-host-sees-no-hints": chatty,
		"reconnect-keeps":          forgetful,
	} {
		t.Run(step, func(t *testing.T) {
			lists = 0
			a := newArcade(t)
			r, err := probed(t, t.Context(), fault(a.serve), nil)
			if err != nil {
				t.Fatal(err)
			}
			if statuses(r)[step] != report.Fail {
				t.Errorf("it did not fail: %+v", r.Steps)
			}
			if r.FailOn = 0; !r.Failed() {
				t.Error("the check passed all the same")
			}
		})
	}
}

// chatty sends hints to every host that has read the tools.
func chatty(serve session.Serve) session.Serve {
	return func(ctx context.Context, r io.Reader, w io.Writer) error {
		var mu sync.Mutex
		plain := false
		return tamper(serve, func(m map[string]any) {
			if m["method"] == "initialize" {
				mu.Lock()
				defer mu.Unlock()
				raw, _ := json.Marshal(m)
				plain = !bytes.Contains(raw, []byte("toolHints"))
			}
		}, func(m map[string]any) map[string]any {
			mu.Lock()
			defer mu.Unlock()
			if result, ok := m["result"].(map[string]any); ok && plain && result["tools"] != nil {
				plain = false
				return map[string]any{"jsonrpc": "2.0", "method": "tools/hints", "params": map[string]any{"rev": 1}}
			}
			return m
		})(ctx, r, w)
	}
}

// forgetful has a new principal on each connection.
func forgetful(session.Serve) session.Serve {
	return func(ctx context.Context, r io.Reader, w io.Writer) error {
		return demo.Serve(ctx, r, w, demo.Options{Pace: 20 * time.Millisecond, Seed: 3})
	}
}

func TestAnInterruptedProbeStillClosesWhatItOpened(t *testing.T) {
	for _, method := range []string{"toolsets/open", "toolsets/list", "tools/call", "toolsets/close"} {
		t.Run(method, func(t *testing.T) {
			a := newArcade(t)
			before := a.do(own...)
			ctx, interrupt := context.WithCancel(t.Context())
			defer interrupt()
			opens := 0
			serve := tamper(a.serve, func(m map[string]any) {
				if m["method"] == "toolsets/open" {
					opens++
				}
				if m["method"] == method && opens > 1 {
					interrupt() // as ctrl-c does, in the middle of a step
				}
			}, func(m map[string]any) map[string]any { return m })
			if _, err := probed(t, ctx, serve, nil); err == nil || !strings.Contains(err.Error(), "interrupted") {
				t.Errorf("it was not interrupted: %v", err)
			}
			if after := a.do(); after != before {
				t.Errorf("before, %s was open, and now %s", before, after)
			}
		})
	}
}

func TestWhatAnUnansweredOpenOpenedIsClosed(t *testing.T) {
	a := newArcade(t)
	before := a.do()
	mute := broken(a.serve, "toolsets/open", func(p, r map[string]any) { r["drop"] = true })
	serve := tamper(mute, nil, func(m map[string]any) map[string]any {
		if result, ok := m["result"].(map[string]any); ok && result["drop"] != nil {
			return nil
		}
		return m
	})
	r, err := probed(t, t.Context(), serve, func(f *checkFlags) { f.timeout = 500 * time.Millisecond })
	if err != nil {
		t.Fatal(err)
	}
	if statuses(r)["open"] != report.Fail {
		t.Errorf("the step passed: %+v", r.Steps)
	}
	if !slices.ContainsFunc(r.Findings, func(f conform.Finding) bool { return f.Rule == "rpc-unanswered" }) {
		t.Errorf("rpc-unanswered is not found: %v", worst(r))
	}
	if after := a.do(); after != before {
		t.Errorf("before, %s was open, and now %s", before, after)
	}
}

func TestOnAServerWithoutToolHintsTheStepsAreSkippedAndSayWhy(t *testing.T) {
	for name, plain := range map[string]func(*checkFlags){
		"an MCPL server": func(f *checkFlags) { f.noToolHints = true }, "an MCP server": func(f *checkFlags) { f.plain = true },
	} {
		t.Run(name, func(t *testing.T) {
			r, err := probed(t, t.Context(), newArcade(t).serve, plain)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range r.Steps {
				if s.Step != "manifest-digest" && (s.Status != report.Skip || s.Message == "") {
					t.Errorf("%+v", s)
				}
			}
			if bad := worst(r); len(bad) > 0 || r.ToolHints {
				t.Errorf("toolHints %v, findings %v", r.ToolHints, bad)
			}
		})
	}
}

func TestAProbeIsRecordedAndItsRecordingJudgedAlike(t *testing.T) {
	file := filepath.Join(t.TempDir(), "probe.mcpl.jsonl")
	r, err := probed(t, t.Context(), newArcade(t).serve, func(f *checkFlags) { f.output = file })
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if status := run(t.Context(), []string{"check", "--format", "json", file}, stdio{nil, &out, &out}); status != exitOK {
		t.Fatalf("status %d: %s", status, &out)
	}
	var again report.Report
	if err := json.Unmarshal(out.Bytes(), &again); err != nil {
		t.Fatal(err)
	}
	r.Count()
	if again.Summary != r.Summary || len(again.Findings) != len(r.Findings) {
		t.Errorf("live %+v, recorded %+v", r.Summary, again.Summary)
	}
}
