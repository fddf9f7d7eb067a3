package start

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

func TestTheBestMatchIsChosenNotTheFirst(t *testing.T) {
	var l List
	l.Set(Places{Entries: []Entry{
		{Section: Try, Line: "demo", Name: "demo", What: "goes everywhere"},
		{Section: Servers, Line: "my-go", Name: "my-go"},
		{Section: Servers, Line: "gitops", Name: "gitops"},
		{Section: Servers, Line: "goban", Name: "goban"},
		{Section: Recordings, Line: "go", Name: "go"},
	}})
	for text, want := range map[string]string{"": "demo", "go": "go", "gob": "goban", "y-g": "my-go", "gto": "gitops", "everywhere": "demo", "GOB": "goban"} {
		l.Filter(text, false)
		if e, _ := l.Chosen(); e.Name != want {
			t.Errorf("%q chooses %q, want %q", text, e.Name, want)
		}
	}
	l.Filter("nothing so", false)
	if e, ok := l.Chosen(); ok {
		t.Errorf("no match chooses %q", e.Name)
	}
	l.Filter("go", true)
	if e, ok := l.Chosen(); ok {
		t.Errorf("a target by itself chooses %q", e.Name)
	}
}

func TestTheCursorStaysWhereItWasWhenTheListIsFoundOutAnew(t *testing.T) {
	entries := []Entry{{Line: "a", Name: "a"}, {Line: "b", Name: "b", Section: Servers}, {Line: "c", Name: "c", Section: Servers}}
	var l List
	l.Set(Places{Entries: entries})
	l.Move(2)
	l.Set(Places{Entries: append([]Entry{{Line: "new", Name: "new"}}, entries...)})
	if e, _ := l.Chosen(); e.Name != "c" {
		t.Errorf("the cursor went to %q", e.Name)
	}
	l.Set(Places{Entries: entries[:2]})
	if e, _ := l.Chosen(); e.Name != "b" {
		t.Errorf("where the entry is gone the cursor is on %q", e.Name)
	}
}

func TestWhatIsWrittenAlikeIsListedOnceAndTheCursorGoesPast(t *testing.T) {
	var l List
	l.Set(Places{Entries: []Entry{
		{Line: "a", Name: "first"},
		{Line: "b", Name: "b", Section: Servers},
		{Line: "a", Name: "second", Section: Servers},
		{Line: "c", Name: "c", Section: Servers},
	}})
	for _, want := range []string{"b", "c", "c"} {
		l.Move(1)
		if e, _ := l.Chosen(); e.Name != want {
			t.Errorf("the cursor is on %q, want %q", e.Name, want)
		}
	}
}

func TestOlderOnesAreFoundByTheFilterThoughTheyAreNotListed(t *testing.T) {
	var p Places
	for i := range 50 {
		p.Entries = append(p.Entries, Entry{Section: Recordings, Line: fmt.Sprintf("r%02d", i), Name: fmt.Sprintf("r%02d", i)})
	}
	var l List
	l.Set(p)
	c := kit.NewCanvas(100, 30)
	l.Draw(c.All(), time.Time{})
	if s := c.Plain(); strings.Contains(s, "r20") || !strings.Contains(s, "8 of 50") {
		t.Errorf("listed are\n%s", s)
	}
	l.Filter("r20", false)
	if e, _ := l.Chosen(); e.Name != "r20" {
		t.Errorf("found %q", e.Name)
	}
}

// TestWhateverIsDoneTheCursorIsOnWhatIsInSight does anything in any order: the
// chosen entry is always one that is listed, and drawn.
func TestWhateverIsDoneTheCursorIsOnWhatIsInSight(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var l List
		name := rapid.StringMatching(`[a-d]{1,3}`)
		w, h := rapid.IntRange(40, 170).Draw(t, "w"), rapid.IntRange(1, 40).Draw(t, "h")
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			switch rapid.IntRange(0, 6).Draw(t, "step") {
			case 0:
				var p Places
				for i := range rapid.IntRange(0, 30).Draw(t, "entries") {
					n := fmt.Sprint(name.Draw(t, "name"), i)
					p.Entries = append(p.Entries, Entry{Section: Section(rapid.IntRange(0, 3).Draw(t, "section")), Line: n, Name: n, Read: i%2 == 0})
				}
				l.Set(p)
			case 1:
				l.Filter(rapid.StringMatching(`[a-d]{0,2}`).Draw(t, "text"), rapid.Bool().Draw(t, "sure"))
			case 2:
				l.Move(rapid.IntRange(-6, 6).Draw(t, "by"))
			case 3:
				l.Click(rapid.IntRange(-2, 45).Draw(t, "y"), 0)
			case 4:
				l.Bare(rapid.Bool().Draw(t, "bare"))
			case 5:
				if e, ok := l.Unread(); ok {
					e.Read = true
					l.Describe(e)
				}
			case 6:
				w, h = rapid.IntRange(40, 170).Draw(t, "w"), rapid.IntRange(1, 40).Draw(t, "h")
			}
			c := kit.NewCanvas(w, h)
			l.follow = true
			l.Draw(c.All(), time.Time{})
			e, ok := l.Chosen()
			if marked := strings.Contains(c.Plain(), "▌"); ok != marked && h > 1 {
				t.Fatalf("chosen %v %q, marked %v:\n%s", ok, e.Name, marked, c.Plain())
			}
		}
	})
}
