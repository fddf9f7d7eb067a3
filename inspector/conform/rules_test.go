package conform_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/mcpl-tui/mcpl-tui/inspector/conform"
	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
)

const recording = ".mcpl.jsonl"

// A case is a file NAME.mcpl.jsonl with its findings beside it, NAME.txt. One
// whose name begins with "sound" breaks no rule; any other breaks the rule
// that the archive is named after, and no other.
func TestEachRuleFindsWhatBreaksItAndNothingElse(t *testing.T) {
	for _, r := range conform.Rules() {
		t.Run(r.ID, func(t *testing.T) {
			file := filepath.Join("testdata", "rules", r.ID+".txtar")
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatalf("the rule has no case: %v", err)
			}
			failing, sound := 0, 0
			for i := range a.Files {
				name, is := strings.CutSuffix(a.Files[i].Name, recording)
				if !is {
					continue
				}
				got := caseFindings(t, name, a.Files[i].Data, r)
				if strings.HasPrefix(name, "sound") {
					sound++
				} else {
					failing++
				}
				want := fileOf(a, name+".txt")
				if want == nil {
					t.Fatalf("%s has no %s.txt", file, name)
				}
				if uitest.Updating() {
					want.Data = []byte(got)
				} else if got != string(want.Data) {
					t.Errorf("%s:\n%s\nwant:\n%s", name, got, want.Data)
				}
			}
			if failing == 0 || sound == 0 {
				t.Errorf("%d failing and %d sound recordings: there must be one of each", failing, sound)
			}
			if uitest.Updating() {
				if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func fileOf(a *txtar.Archive, name string) *txtar.File {
	for i := range a.Files {
		if a.Files[i].Name == name {
			return &a.Files[i]
		}
	}
	return nil
}

// comesWith are rules that cannot be broken alone: on an ordered transport a
// rev is passed only where it left a hole before.
var comesWith = map[string]string{"rev-reversal": "rev-gap"}

// caseFindings judges a recording and checks what holds for every case.
func caseFindings(t *testing.T, name string, raw []byte, r conform.Rule) string {
	t.Helper()
	frames, opt := readTape(t, raw)
	all := judged(frames, opt).Findings()
	if again := judged(frames, opt).Findings(); !reflect.DeepEqual(all, again) {
		t.Errorf("%s: judged again, it gives\n%s\ninstead of\n%s", name, lines(again), lines(all))
	}
	hit := 0
	for _, f := range all {
		switch {
		case f.Rule == r.ID:
			hit++
		case f.Level > conform.Info && f.Rule != comesWith[r.ID]:
			t.Errorf("%s: another rule is broken:\n%s", name, line(f))
		}
		if f.Message == "" || f.Mend == "" {
			t.Errorf("%s: %s has no words: %+v", name, f.Rule, f)
		}
		if missing := unnamed(f); missing != "" {
			t.Errorf("%s: the message does not name %s:\n%s", name, missing, line(f))
		}
	}
	switch sound := strings.HasPrefix(name, "sound"); {
	case sound && hit > 0:
		t.Errorf("%s: the rule finds something in a sound recording:\n%s", name, lines(all))
	case !sound && hit == 0:
		t.Errorf("%s: the rule finds nothing:\n%s", name, lines(all))
	}
	return lines(all)
}

// unnamed returns what a finding is about and its message does not name.
func unnamed(f conform.Finding) string {
	for _, s := range []*string{f.Tool, f.Instance} {
		if s != nil && !strings.Contains(f.Message, *s) {
			return *s
		}
	}
	if f.Tool == nil && f.Toolset != nil && !strings.Contains(f.Message, *f.Toolset) {
		return *f.Toolset
	}
	if f.Rev != nil && !strings.Contains(strings.ToLower(f.Message), fmt.Sprintf("rev %d", *f.Rev)) {
		return "its rev"
	}
	return ""
}

func TestTheTableIsTheOneOfTheRules(t *testing.T) {
	want := map[conform.Chapter]int{
		conform.Revs: 7, conform.Hints: 12, conform.Lists: 9, conform.Toolsets: 10,
		conform.Pushes: 11, conform.RPC: 16, conform.Cost: 2,
	}
	have, seen := map[conform.Chapter]int{}, map[string]bool{}
	for _, r := range conform.Rules() {
		have[r.Chapter]++
		if seen[r.ID] {
			t.Errorf("%s stands twice", r.ID)
		}
		seen[r.ID] = true
		if r.Meaning == "" || r.Source == "" || r.Mend == "" || r.Level == 0 {
			t.Errorf("%s lacks something: %+v", r.ID, r)
		}
		if got, ok := conform.RuleByID(r.ID); !ok || got != r {
			t.Errorf("RuleByID(%q) = %v, %v", r.ID, got, ok)
		}
	}
	if !reflect.DeepEqual(want, have) {
		t.Errorf("rules by chapter: want %v, have %v", want, have)
	}
	if _, ok := conform.RuleByID("no-such-rule"); ok {
		t.Error("a rule was found that there is not")
	}
}
