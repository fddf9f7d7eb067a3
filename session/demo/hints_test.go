package demo

import (
	"testing"
)

func TestADefinitionThatIsDroppedIsToldAsTheDeclaredOne(t *testing.T) {
	k := toolKey{name: "now_playing"}
	changed := &definition{Name: "now_playing", Description: "x", InputSchema: []byte(nothing)}
	e, told := entryFor(k, toolState{visible: true, def: changed}, toolState{visible: true})
	if !told || !e.Definition.same(toolNamed("now_playing").declared()) || e.Visible != nil {
		t.Errorf("%+v", e)
	}
	if _, told := entryFor(k, toolState{def: changed}, toolState{def: &definition{Name: "now_playing", Description: "x", InputSchema: []byte(nothing)}}); told {
		t.Error("the same definition is told again")
	}
}

func TestASecondLookTellsNothing(t *testing.T) {
	p := NewPrincipal(Options{Seed: 1})
	defer p.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.startGame("one", options{opponent: "ada", size: 5, you: black})
	p.openChat()
	if h := p.view().since(p.view(), nil); !h.empty() {
		t.Errorf("%s", encode(h))
	}
	if h := p.view().since(untold(), nil); len(h.Toolsets) != 1 {
		t.Errorf("to a host that knows nothing: %s", encode(h))
	}
}

func TestWordsOfAPeerAreRepeatedOnlyWhereTheyAreNames(t *testing.T) {
	for word, want := range map[string]string{
		"tools/list": `"tools/list"`, "vs-ada_2.x": `"vs-ada_2.x"`, "": "(no readable name)", "a b": "(no readable name)",
		"\x1b[31m": "(no readable name)", "\u202eabc": "(no readable name)", "ä": "(no readable name)",
	} {
		if got := quote(word); got != want {
			t.Errorf("%q: %s", word, got)
		}
	}
}
