package wireview

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// Whatever a peer sends, at whatever size and after whatever keys: the view
// stays in its place, and nothing that a terminal would act on gets out.
func TestNothingOfTheWireLeavesItsPlace(t *testing.T) {
	hostile := []string{
		"\x1b[2J\x1b]0;x\x07", "\u202egnp.exe\u2066", strings.Repeat("日本", 40), "👩‍👩‍👧‍👦", "a\u0301\u0301", "\t\r\x00", strings.Repeat("x", 400), "",
	}
	keys := []string{
		"j", "k", "g", "G", "ctrl+d", "ctrl+u", "pgup", "pgdown", "%", "r", "y", "Y", "/", "esc", "enter", "tab", "i", "z", "backspace",
		"n", "t", ":", "-", "e", "space", "ctrl+w", "home", "end", "x", "é",
	}
	rapid.Check(t, func(rt *rapid.T) {
		var frames []timeline.Frame
		for i := range rapid.IntRange(0, 30).Draw(rt, "frames") {
			w := rapid.SampledFrom(hostile).Draw(rt, "text")
			q := fmt.Sprintf("%q", w)
			if strings.ContainsAny(q, `\`) {
				q = strings.NewReplacer(`\x`, `\u00`, `\a`, `\u0007`, `\u`, `\u`).Replace(q)
			}
			f := timeline.Frame{Form: 1, Via: "stdio", Conn: 1 + i/12}
			switch rapid.IntRange(0, 6).Draw(rt, "kind") {
			case 0:
				f.Dir, f.Body = timeline.Out, []byte(`{"jsonrpc":"2.0","id":`+fmt.Sprint(i)+`,"method":"tools/call","params":{"name":`+q+`}}`)
			case 1:
				f.Dir, f.Body = timeline.In, []byte(`{"jsonrpc":"2.0","id":`+fmt.Sprint(max(i-1, 0))+`,"result":{"content":[{"type":"text","text":`+q+`}]}}`)
			case 2:
				f.Dir, f.Body = timeline.In, []byte(`{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":`+fmt.Sprint(i)+`,"tools":[{"name":`+q+`}]}}`)
			case 3:
				f.Dir, f.Form, f.Body = timeline.Err, 2, []byte(w)
			case 4:
				f.Dir, f.Name, f.Data = timeline.Note, w, []byte(`{"by":"server"}`)
			case 5:
				f.Dir, f.Form, f.Body = timeline.In, 2, []byte(w)
			default:
				f.Dir, f.Form, f.Body = timeline.In, 3, []byte("\xff\xfe"+w)
			}
			frames = append(frames, f)
		}
		s := newScreen(t, logOf(t, frames...), 80, 20)
		s.c.Replay, s.c.Ended = rapid.Bool().Draw(rt, "replay"), rapid.Bool().Draw(rt, "ended")
		for range rapid.IntRange(0, 25).Draw(rt, "keys") {
			s.press(rapid.SampledFrom(keys).Draw(rt, "key"))
			w, h := rapid.IntRange(0, 170).Draw(rt, "w"), rapid.IntRange(0, 45).Draw(rt, "h")
			c := kit.NewCanvas(w+6, h+2)
			for y := range h + 2 {
				c.All().Fill(0, y, w+6, kit.Style{}, "#")
			}
			r := c.All().Sub(3, 1, w, h)
			r.Clear()
			s.v.Draw(r, &s.c)
			inside(rt, c.Plain(), h)
			s.do(s.v.Click(rapid.IntRange(-1, w).Draw(rt, "x"), rapid.IntRange(-1, h).Draw(rt, "y"), rapid.IntRange(-1, 1).Draw(rt, "wheel"), &s.c))
			s.v.Help(&s.c)
			s.v.Where(&s.c)
			s.v.Narrow(&s.c, w, h)
		}
	})
}

func inside(t *rapid.T, out string, h int) {
	for y, l := range strings.Split(strings.TrimSuffix(out, "\n"), "\n") {
		if (y == 0 || y == h+1) && strings.Trim(l, "#") != "" {
			t.Fatalf("row %d was drawn on: %q", y, l)
		}
		if !strings.HasPrefix(l, "###") || !strings.HasSuffix(l, "###") {
			t.Fatalf("row %d was left: %q", y, l)
		}
		for _, r := range l {
			if r < ' ' || r == 0x7f || (r >= 0x80 && r < 0xa0) || (r >= 0x202a && r <= 0x202e) || (r >= 0x2066 && r <= 0x2069) {
				t.Fatalf("row %d holds %U", y, r)
			}
		}
	}
}
