package inspect

import (
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

func TestATextThatIsJSONIsShownAsJSONOnDemand(t *testing.T) {
	var p Pane
	screen := func(text string) string {
		c := kit.NewCanvas(50, 12)
		p.Draw(c.All(), inspector.Doc{Note: "frame 1", Blocks: []inspector.Block{{Head: "TEXT", Note: "9 B", Text: []byte(text)}}}, true)
		return c.Plain()
	}
	packed := ` {"fish":[1,2],"name":"a name that is long enough to be broken"}`
	before := screen(packed)
	if !p.Key("v") {
		t.Fatal("the key has no use")
	}
	after := screen(packed)
	if before == after || !strings.Contains(after, "9 B, as JSON") || !strings.Contains(after, "\n    \"name\"") || !strings.Contains(after, `{"fish":[1,2],`) {
		t.Errorf("before\n%s\nafter\n%s", before, after)
	}
	if h := p.Help(); len(h) == 0 || h[len(h)-1].Verb != "text as sent" {
		t.Errorf("the help is %v", h)
	}
	p.Key("v")
	if back := screen(packed); back != before {
		t.Errorf("it does not come back:\n%s", back)
	}
	for _, text := range []string{"plain", "[not json", `"5"`, "{" + strings.Repeat(" ", maxUnpacked) + "}"} {
		if screen(text); p.Key("v") {
			t.Errorf("%.20q is taken for JSON", text)
		}
	}
}
