package conform_test

import (
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/inspector/conform"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
)

func TestGobanShowsTheOneFindingThatItsScreensShow(t *testing.T) {
	frames, opt := readTape(t, uitest.Goban())
	run := judged(frames, opt)
	bad := worse(run.Findings(), conform.Warning)
	if len(bad) != 1 || bad[0].Rule != "hints-instance-missing" || bad[0].Seq != 91 || *bad[0].Rev != 39 || bad[0].Count != 1 {
		t.Fatalf("want one hints-instance-missing at frame 91, have\n%s", lines(bad))
	}
	f := bad[0]
	for what, pair := range map[string][2]string{
		"expected": {f.Expected, `"instance" in this entry: vs-ada or vs-bot`},
		"seen":     {f.Seen, `{"name":"undo","visible":true}`},
		"mend":     {f.Mend, `Add "instance" to the entry, with the one that it speaks of: vs-ada or vs-bot.`},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s: %s, want %s", what, pair[0], pair[1])
		}
	}
	if h := run.Judge.Head(); h.Tools != 4 || h.Rebuilds != 0 || h.WithoutHints != 38 || h.WithHints != 0 {
		t.Errorf("the head is %+v", h)
	}
}

func TestSoundRecordingsAreSilent(t *testing.T) {
	files, err := filepath.Glob("testdata/sessions/*.mcpl.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no sessions: %v", err)
	}
	all := uitest.Recordings()
	for _, name := range []string{"goban", "ended", "failed", "many"} {
		delete(all, name) // they have faults
	}
	odd, err := filepath.Glob("testdata/sound/*.mcpl.jsonl")
	if err != nil || len(odd) < 15 {
		t.Fatalf("%d odd sessions: %v", len(odd), err)
	}
	// Real sessions with public servers, and odd ones that are sound all the
	// same: batches, pages, resumed streams, negotiations that end.
	for _, file := range append(files, odd...) {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(file)] = raw
	}
	for name, raw := range all {
		frames, opt := readTape(t, raw)
		if bad := worse(judged(frames, opt).Findings(), conform.Warning); len(bad) > 0 {
			t.Errorf("%s:\n%s", name, lines(bad))
		}
	}
}

func TestFaultyRecordingsShowTheirFaultsAndNoOthers(t *testing.T) {
	for name, want := range map[string][]string{
		"goban":  {"hints-instance-missing"},
		"ended":  {"hints-instance-missing"},
		"failed": {"server-exit"},
		"many":   {"json-invalid", "text-control"},
	} {
		frames, opt := readTape(t, uitest.Recordings()[name])
		rules := map[string]bool{}
		for _, f := range worse(judged(frames, opt).Findings(), conform.Warning) {
			rules[f.Rule] = true
		}
		if have := slices.Sorted(maps.Keys(rules)); !slices.Equal(have, want) {
			t.Errorf("%s shows %v, want %v", name, have, want)
		}
	}
}

func TestTheCasesOfTheReducerAreJudgedAlikeEachTime(t *testing.T) {
	files, err := filepath.Glob("../../timeline/testdata/cases/*.mcpl.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		frames, opt := readTape(t, raw)
		all := judged(frames, opt).Findings()
		if again := judged(frames, opt).Findings(); !reflect.DeepEqual(all, again) {
			t.Errorf("%s: judged again, it gives\n%s\ninstead of\n%s", file, lines(again), lines(all))
		}
	}
}

// The rules that follow from what is missing or from order say nothing where
// a recording is not whole; the others still do.
func TestWhatIsMissingFromARecordingIsNotTakenForAFault(t *testing.T) {
	frames, _ := readTape(t, uitest.Goban())
	torn := slices.DeleteFunc(slices.Clone(frames), func(f wire.Frame) bool { return f.Seq%7 == 3 && f.Seq > 12 })
	whole := worse(judged(torn, conform.Options{}).Findings(), conform.Warning)
	skipped := worse(judged(torn, conform.Options{Skipped: 12}).Findings(), conform.Warning)
	if len(whole) < 2 {
		t.Fatalf("a torn session that passes for whole should show:\n%s", lines(whole))
	}
	for _, f := range skipped {
		if f.Rule != "hints-instance-missing" {
			t.Errorf("a torn session that is known to be gives:\n%s", line(f))
		}
	}
}

func TestAnErrorWithoutACodeIsToldInAWholeSentence(t *testing.T) {
	frames, opt := readTape(t, []byte(`{"mcpl_recording":1}
{"seq":1,"t":0.1,"conn":1,"dir":"out","via":"stdio","msg":{"jsonrpc":"2.0","id":1,"method":"tools/list"}}
{"seq":2,"t":0.2,"conn":1,"dir":"in","via":"stdio","msg":{"jsonrpc":"2.0","id":1,"error":"not an object"}}
`))
	for _, f := range judged(frames, opt).Findings() {
		if f.Rule == "rpc-error" {
			if f.Message != "tools/list was answered with an error that has no code." {
				t.Errorf("it says %q", f.Message)
			}
			return
		}
	}
	t.Error("the error is not told")
}
