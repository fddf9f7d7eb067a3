package timeline

import (
	"testing"
	"time"
)

func TestAModeIsReadLeniently(t *testing.T) {
	for raw, want := range map[string]Mode{
		`{"push":"refuse","answers":"late","after":0.5,"hints":"ignored"}`: {RefusesPushes: true, Late: 500 * time.Millisecond, IgnoresHints: true},
		`{"answers":"never","after":3,"as":"plain"}`:                       {Silent: true, Plain: true},
		`{"as":"no-toolhints","x":1}`:                                      {NoToolHints: true},
		`{"answers":"late","after":1e99}`:                                  {},
		`{"answers":"late","after":"x"}`:                                   {},
		`{"push":7,"hints":{}}`:                                            {},
		`[]`:                                                               {},
		``:                                                                 {},
	} {
		if got := DecodeMode([]byte(raw)); got != want {
			t.Errorf("%s is read as %+v, want %+v", raw, got, want)
		}
	}
}

func TestAHostThatIgnoresHintsShowsThePlainList(t *testing.T) {
	tape := &sideTape{}
	tape.connect(1, `{}`, "ada")
	tape.hints(1, 2, `{"toolset":"game","instance":"bot","open":true}`)
	tape.note(1, "host", `{"hints":"ignored"}`)
	tape.hints(1, 3, `{"toolset":"game","instance":"ada","open":false}`)
	plain := logOf(t, tape).Latest()
	if plain.ToolHints || !plain.HostHints || !plain.Mode.IgnoresHints || len(plain.Toolsets) != 0 || len(plain.Static) != 1 || !plain.Static[0].Cells[0].Visible {
		t.Errorf("ignoring: %+v", plain)
	}
	tape.note(1, "host", `{}`)
	used := logOf(t, tape).Latest()
	if !used.ToolHints || used.Mode != (Mode{}) || len(used.Toolsets) != 1 || len(used.Toolsets[0].Instances) != 1 || used.Toolsets[0].Instances[0].Name != "bot" || used.LastRev != 3 {
		t.Errorf("using them again: %+v", used)
	}
}

func TestAHostThatIgnoresHintsIsLiveWithTheToolList(t *testing.T) {
	tape := &sideTape{}
	tape.note(1, "connect", `{}`)
	tape.note(1, "host", `{"hints":"ignored"}`)
	tape.connect(1, `{}`)
	tape.frames = tape.frames[:len(tape.frames)-2] // without toolsets/list
	if b := logOf(t, tape).Latest(); b.Link.Phase != Live {
		t.Errorf("the phase is %v", b.Link.Phase)
	}
}

func TestARequestWhoseAnswerIsHeldBackIsToldFromOneThatWaits(t *testing.T) {
	tape := &sideTape{}
	tape.connect(1, `{}`)
	tape.say(1, In, `{"jsonrpc":"2.0","id":"a","method":"elicitation/create","params":{}}`)
	tape.say(1, In, `{"jsonrpc":"2.0","id":"b","method":"elicitation/create","params":{}}`)
	tape.note(1, "held-back", `{"id":"a","after":1}`)
	tape.note(1, "held-back", `{"id":"nobody"}`)
	b := logOf(t, tape).Latest()
	if len(b.Asks) != 2 || !b.Asks[0].HeldBack || b.Asks[1].HeldBack {
		t.Errorf("open: %+v", b.Asks)
	}
	tape.say(1, Out, `{"jsonrpc":"2.0","id":"a","result":{}}`)
	if b := logOf(t, tape).Latest(); len(b.Asks) != 1 || b.Asks[0].ID != `"b"` {
		t.Errorf("open in the end: %+v", b.Asks)
	}
}
