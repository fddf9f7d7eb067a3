package form

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// preview reads a line of the command language as the other end of a form
// does, and gives the message that it would send.
func preview(line string) (json.RawMessage, error) {
	verb, rest, _ := strings.Cut(line, " ")
	name, rest, err := readWord(rest)
	if err != nil {
		return nil, err
	}
	switch verb {
	case "open":
		params := `"toolset":` + name
		if after, ok := strings.CutPrefix(rest, " as "); ok {
			var inst string
			if inst, rest, err = readWord(after); err != nil {
				return nil, err
			}
			params += `,"instance":` + inst
		}
		return request("toolsets/open", params, "options", rest, "")
	case "call":
		meta := ""
		if after, ok := strings.CutPrefix(rest, "@"); ok {
			var inst string
			if inst, rest, err = readWord(after); err != nil {
				return nil, err
			}
			meta = `,"_meta":{"mcpl/instance":` + inst + `}`
		}
		if rest == "" {
			rest = " {}"
		}
		return request("tools/call", `"name":`+name, "arguments", rest, meta)
	case "raw":
		if params := strings.TrimPrefix(rest, " "); isObject([]byte(params)) {
			return json.RawMessage(`{"jsonrpc":"2.0","id":28,"method":` + name + `,"params":` + params + `}`), nil
		}
		return nil, fmt.Errorf("raw: no JSON: %s", rest)
	case "close":
		params := `"toolset":` + name
		if rest != "" {
			inst, left, err := readWord(strings.TrimPrefix(rest, " "))
			if err != nil || left != "" {
				return nil, fmt.Errorf("close: %q is left over", left)
			}
			params += `,"instance":` + inst
		}
		return request("toolsets/close", params, "", "", "")
	case "answer":
		if !json.Valid([]byte(rest)) {
			return nil, fmt.Errorf("answer: no JSON: %s", rest)
		}
		return json.RawMessage(`{"jsonrpc":"2.0","id":` + name + `,"result":` + strings.TrimSpace(rest) + `}`), nil
	case "decline":
		return json.RawMessage(`{"jsonrpc":"2.0","id":` + name + `,"error":{"code":-1,"message":` + string(quote(strings.TrimSpace(rest))) + `}}`), nil
	case "mark":
		return nil, nil
	}
	return nil, fmt.Errorf("no command %q", verb)
}

func request(method, params, arg, rest, meta string) (json.RawMessage, error) {
	if strings.ContainsAny(rest, "\r\n") {
		return nil, errors.New("a line has no line breaks")
	}
	if rest != "" {
		raw, ok := strings.CutPrefix(rest, " ")
		if !ok || !json.Valid([]byte(raw)) {
			return nil, fmt.Errorf("no JSON: %s", rest)
		}
		params += `,"` + arg + `":` + raw
	}
	return json.RawMessage(`{"jsonrpc":"2.0","id":28,"method":"` + method + `","params":{` + params + meta + `}}`), nil
}

// readWord reads a name, plain or as a JSON string, and returns it as JSON.
func readWord(s string) (quoted, rest string, err error) {
	if strings.HasPrefix(s, `"`) {
		dec := json.NewDecoder(strings.NewReader(s))
		var v string
		if err := dec.Decode(&v); err != nil {
			return "", "", fmt.Errorf("a name: %w", err)
		}
		at := dec.InputOffset()
		return s[:at], s[at:], nil
	}
	end := strings.IndexAny(s, " @")
	if end < 0 {
		end = len(s)
	}
	if end == 0 {
		return "", "", errors.New("a name is missing")
	}
	return string(quote(s[:end])), s[end:], nil
}

// sent gives a member of the params that a line sends, byte for byte.
func sent(t testing.TB, line string, path ...string) string {
	t.Helper()
	raw, err := preview(line)
	if err != nil {
		t.Fatalf("the line cannot be read: %v\n%s", err, line)
	}
	return string(walk(raw, append([]string{"params"}, path...)))
}

// driver types into a form as a person would.
type driver struct {
	testing.TB
	*Form
	c *view.Context
}

func drive(t testing.TB, f *Form) *driver {
	return &driver{t, f, &view.Context{Now: 193 * time.Second, Limit: 30 * time.Second, Len: 96}}
}

// keys presses the keys named, one after the other; none may ask anything.
func (d *driver) keys(keys ...string) *driver {
	d.Helper()
	for _, k := range keys {
		if step := d.Key(k, false); step.Kind != None {
			d.Fatalf("key %s asks for %+v", k, step)
		}
	}
	return d
}

// typing types a text, character by character.
func (d *driver) typing(s string) *driver {
	d.Helper()
	for _, r := range s {
		d.keys(string(r))
	}
	return d
}

// to moves the cursor to a field.
func (d *driver) to(name string) *driver {
	d.Helper()
	for range len(d.fields) + 1 {
		if fd := d.current(); fd != nil && fd.name == name {
			return d
		}
		d.keys("tab")
	}
	d.Fatalf("there is no field %q", name)
	return d
}

// sends presses enter and returns the line that is sent.
func (d *driver) sends(key string) string {
	d.Helper()
	step := d.Key(key, false)
	if step.Kind != Send {
		d.Fatalf("%s sends nothing, but asks for %+v\n%s", key, step, d.screen(100, 25))
	}
	return step.Line
}

// refuses presses a key that must not send, and returns what is said.
func (d *driver) refuses(key string) string {
	d.Helper()
	if step := d.Key(key, false); step.Kind != None {
		d.Fatalf("%s asks for %+v", key, step)
	}
	d.screen(100, 25)
	var out []string
	for _, l := range d.bottom(200) {
		for _, s := range l.spans {
			out = append(out, s.s)
		}
	}
	return strings.Join(out, " ")
}

func (d *driver) screen(w, h int) string {
	canvas := kit.NewCanvas(w, h)
	d.Draw(canvas.All(), d.c)
	return canvas.Plain()
}

func (d *driver) shows(want ...string) *driver {
	d.Helper()
	s := d.screen(160, 43)
	for _, w := range want {
		if !strings.Contains(s, w) {
			d.Errorf("the form does not show %q:\n%s", w, s)
		}
	}
	return d
}

func (d *driver) hides(not ...string) *driver {
	d.Helper()
	s := d.screen(160, 43)
	for _, w := range not {
		if strings.Contains(s, w) {
			d.Errorf("the form shows %q:\n%s", w, s)
		}
	}
	return d
}

const gameOptions = `{"type":"object","properties":{
 "opponent":{"type":"string","description":"a name from the lobby"},
 "size":{"enum":[9,13,19],"description":"points a side"},
 "color":{"enum":["black","white","random"],"default":"random"},
 "komi":{"type":"number","minimum":0,"maximum":20,"default":6.5},
 "handicap":{"type":"integer","maximum":9,"default":0},
 "rated":{"type":"boolean","default":false},
 "clock":{"type":"object","default":{"main":600,"step":30}}},
 "required":["opponent","size"]}`

// game is the form of the screens: opening a game of Go.
func game() Deps {
	return Deps{
		Toolset: "game", Instances: true, Open: []string{"vs-ada", "vs-bot"}, Instance: "vs-eve",
		Def: Definition{Schema: []byte(gameOptions), Description: "Go games", Source: "from the manifest, frame 4"},
		Earlier: []Earlier{
			{Name: "vs-bot", T: 61 * time.Second, Args: []byte(`{"opponent":"bot","size":19}`)},
			{Name: "vs-ada", T: 14 * time.Second, Args: []byte(`{"opponent":"ada","size":9}`)},
		},
		Preview: preview, DoArgs: "-- node dist/server.js",
	}
}

// tool is the form for calling a tool outside toolsets.
func tool(schema string) Deps {
	return Deps{Quiet: true, Tool: "say", Places: []Place{{Def: Definition{Schema: []byte(schema)}}}, Preview: preview}
}

func call(t testing.TB, schema string) *driver { return drive(t, New(Call, tool(schema))) }
