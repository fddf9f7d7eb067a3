package uitest

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/gowebpki/jcs"

	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// drawnFrames is every frame that a screen names or draws: its time, its
// direction, what stands in it, and its size where the bytes can be as many
// as drawn (0: see Goban).
var drawnFrames = []struct {
	seq  int64
	at   string
	dir  timeline.Dir
	has  []string
	size int
}{
	{4, "0:00.022", timeline.In, []string{`"toolHints":true`, `"toolsets":{"game"`, `"name":"goban","version":"0.4.1"`}, 0}, // (d)
	{10, "0:00.032", timeline.In, []string{`"tools":[{"name":"status"`, `"mcpl/rev":0`}, 0},                                 // (q)
	{12, "0:00.035", timeline.In, []string{`"rev":1`, `"open":[]`}, 0},
	{16, "0:14.310", timeline.In, []string{`"rev":2`, `"title":"Go 9x9"`}, 0},    // (a)
	{33, "1:00.000", timeline.Note, nil, 0},                                      // (e), the mark
	{36, "1:01.280", timeline.In, []string{`"rev":11`, `"title":"Go 19x19"`}, 0}, // (m)
	{39, "1:06.000", timeline.In, []string{`"rev":13`, `Black plays D4. Your move, White.`}, 0},
	// (f), row by row.
	{61, "1:46.350", timeline.In, []string{`"id":19`, `"text":"sent"`}, 90},
	{62, "1:55.300", timeline.Out, []string{`"id":20`, `toolsets/close`, `"chat"`}, 0},
	{63, "1:55.304", timeline.In, []string{`"id":20`, `"rev":24`}, 130},
	{64, "2:00.800", timeline.In, []string{`tools/hints`, `"rev":25`}, 0},
	{65, "2:04.600", timeline.Out, []string{`"id":21`, `"play"`, `"vs-ada"`}, 131},
	{66, "2:04.810", timeline.In, []string{`"id":21`, `"Black E7"`, `"rev":26`}, 268},
	{67, "2:08.700", timeline.In, []string{`"s10"`, `mv-0086`, `"White plays D3. Your move, Black."`, `"rev":27`}, 0},
	{68, "2:08.701", timeline.Out, []string{`"s10"`, `"accepted":true`}, 0},
	{69, "2:13.300", timeline.Out, []string{`"id":22`, `"play"`, `"vs-bot"`}, 0},
	{70, "2:13.510", timeline.In, []string{`"id":22`, `"White P17"`, `"rev":28`}, 268},
	{71, "2:14.100", timeline.In, []string{`"s11"`, `mv-0087`, `"Black plays Q6. Your move, White."`, `"rev":29`}, 560},
	{72, "2:14.101", timeline.Out, []string{`"s11"`, `"accepted":true`}, 0},
	{73, "2:19.000", timeline.Out, []string{`"id":23`, `"play"`, `{"at":"C4"}`, `"vs-ada"`}, 131},
	{74, "2:19.212", timeline.In, []string{`"id":23`, `"Black C4"`, `"rev":30`}, 268},
	{75, "2:20.900", timeline.In, []string{`"s12"`, `mv-0088`, `"White D5 takes C4 and D4. Your move, Black."`, `"rev":31`}, 1203},
	{76, "2:20.901", timeline.Out, []string{`"s12"`, `"accepted":true`}, 0},
	{77, "2:26.100", timeline.Out, []string{`"id":24`, `"play"`, `"vs-bot"`}, 0},
	{78, "2:26.310", timeline.In, []string{`"id":24`, `"White F17"`, `"rev":32`}, 268},
	{79, "2:26.900", timeline.In, []string{`"s13"`, `mv-0089`, `"Black plays J4. Your move, White."`, `"rev":33`}, 560},
	{80, "2:26.901", timeline.Out, []string{`"s13"`, `"accepted":true`}, 0},
	{81, "2:33.400", timeline.Out, []string{`"id":25`, `"play"`, `"vs-ada"`}, 131},
	{82, "2:33.610", timeline.In, []string{`"id":25`, `"Black G6"`, `"rev":34`}, 268},
	{83, "2:38.000", timeline.In, []string{`"s14"`, `mv-0090`, `"White plays H5. Your move, Black."`, `"rev":35`}, 0},
	{84, "2:38.001", timeline.Out, []string{`"s14"`, `"accepted":true`}, 0},
	{85, "2:42.700", timeline.In, []string{`tools/hints`, `"rev":36`, `"score"`, `"vs-bot"`}, 0},
	{86, "2:47.200", timeline.Out, []string{`"id":26`, `"play"`, `"vs-ada"`}, 131},
	{87, "2:47.405", timeline.In, []string{`"id":26`, `"Black F5"`, `"rev":37`}, 268},
	{88, "2:52.300", timeline.In, []string{`"s15"`, `mv-0091`, `"Ada says: hello!"`, `"rev":38`, `"Ada says hello, answer her?"`}, 318},
	{89, "2:52.301", timeline.Out, []string{`"s15"`, `"accepted":true`}, 0},
	{90, "2:57.900", timeline.Err, []string{`takeback allowed game=vs-ada by=ada`}, 36 - lineEnd},
	{91, "2:58.000", timeline.In, []string{`"s16"`, `mv-0092`, `"Ada allows a takeback."`, `"rev":39`, `{"name":"undo","visible":true}`}, 301},
	{92, "2:58.001", timeline.Out, []string{`"s16"`, `"accepted":true`}, 0},
	{93, "3:03.100", timeline.Out, []string{`"id":27`, `"pass"`, `"vs-bot"`}, 122},
	{94, "3:03.288", timeline.In, []string{`"id":27`, `"White passes"`, `"rev":40`}, 0},
	{95, "3:10.412", timeline.In, []string{
		`"s17"`, `mv-0093`, `"White plays E5. Your move, Black."`, `"featureSet":"game.moves"`,
		`{"rev":41,"tools":[{"name":"play","instance":"vs-ada","visible":true,"definition":{"name":"play","descript`,
	}, 0},
	{96, "3:10.413", timeline.Out, []string{`"s17"`, `"accepted":true`}, 0},
	{97, "3:14.020", timeline.Out, []string{
		`{"jsonrpc":"2.0","id":28,"method":"tools/call","params":{"name":"undo","arguments":{},"_meta":{"mcpl/instance":"vs-ada"}}}`,
	}, 0},
	{98, "3:14.056", timeline.Err, []string{`undo refused game=vs-ada: not permitted`}, 40 - lineEnd},
	{99, "3:14.058", timeline.In, []string{
		`{"jsonrpc":"2.0","id":28,"result":{"content":[{"type":"text","text":"Ada has not agreed to a takeback."}],"isError":true}}`,
	}, 0},
	{100, "3:16.870", timeline.Out, []string{`"id":29`, `"score"`, `"vs-bot"`}, 123},
	{101, "3:16.874", timeline.Err, []string{`scoring 19x19, 214 stones ...`}, 30 - lineEnd},
	{103, "3:24.006", timeline.Note, nil, 0},
}

// lineEnd is in the drawn size of a line of stderr, and not in its frame.
const lineEnd = 1

func TestEachFrameHoldsWhatTheScreensShow(t *testing.T) {
	frames := all(t, Frames(Goban()))
	if len(frames) != 103 {
		t.Fatalf("%d frames, not 103", len(frames))
	}
	for _, c := range drawnFrames {
		f := frames[c.seq-1]
		if f.Seq != c.seq || f.T != clock(c.at) || f.Dir != c.dir {
			t.Errorf("frame %d: %v at %v, not %v at %s", f.Seq, f.Dir, f.T, c.dir, c.at)
		}
		for _, s := range c.has {
			if !strings.Contains(string(f.Body), s) {
				t.Errorf("frame %d lacks %s: %s", f.Seq, s, f.Body)
			}
		}
		if c.size > 0 && len(f.Body) != c.size {
			t.Errorf("frame %d: %d bytes, not %d", f.Seq, len(f.Body), c.size)
		}
	}
	if mark := frames[32]; mark.Name != "mark" || string(mark.Data) != `{"text":"second game"}` {
		t.Errorf("frame 33: %s %s", mark.Name, mark.Data)
	}
	if end := frames[102]; end.Name != "closed" || string(end.Data) != `{"by":"host","code":0}` {
		t.Errorf("frame 103: %s %s", end.Name, end.Data)
	}
	if size := len(frames[2].Body); size != 412 { // (g)
		t.Errorf("initialize has %d bytes", size)
	}
}

func TestNothingIsOpenAtFrame96AndOnlyScoreAt101(t *testing.T) {
	open := map[string]string{}
	for _, f := range all(t, Frames(Goban()).Cut(WireFrames)) {
		for h := range f.Messages {
			switch h.Kind {
			case timeline.Request:
				open[h.ID.Key()] = string(h.Params)
			case timeline.Result:
				delete(open, h.ID.Key())
			}
		}
		if f.Seq == BoardFrames && len(open) != 0 {
			t.Errorf("open at frame 96: %v", open)
		}
	}
	if len(open) != 1 || !strings.Contains(open["29"], `"score"`) {
		t.Errorf("open at frame 101: %v", open)
	}
}

func TestTheListNamesTheToolsOfTheBoardInTheirOrder(t *testing.T) {
	var tools []struct {
		Name  string
		Title string
		Meta  map[string]any `json:"_meta"`
	}
	if err := json.Unmarshal([]byte(gobanTools()), &tools); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, tool := range tools {
		group := "static"
		if tool.Meta["mcpl/toolset"] != nil {
			group = tool.Meta["mcpl/toolset"].(string)
		} else if tool.Meta["mcpl/presence"] == "dynamic" {
			group = "loose"
		}
		got = append(got, group+" "+tool.Name+": "+tool.Title)
	}
	want := `static status: Who you are
static login: Sign in
static lobby: Who is online
static help: How to play
loose rematch: Offer a game
game play: Place a stone
game pass: Pass this turn
game undo: Take a move back
game score: Count territory
game resign: Give up
chat say: Say something
chat react: React to a line
debug dump_board: Print the board
debug seed_game: Set a position`
	if strings.Join(got, "\n") != want {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	for i, size := range []int{560, 680, 520, 680} {
		if n := len(gobanStatic()[i]); n != size {
			t.Errorf("static tool %d has %d bytes, not %d", i, n, size)
		}
	}
}

func TestTheManifestDeclaresGameAndChatUnderItsDigest(t *testing.T) {
	var manifest map[string]json.RawMessage
	must(json.Unmarshal([]byte(gobanManifest()), &manifest))
	revision := manifest["revision"]
	delete(manifest, "revision")
	rest, err := json.Marshal(manifest)
	must(err)
	canonical, err := jcs.Transform(rest)
	must(err)
	sum := sha256.Sum256(canonical)
	if want := `"sha256:` + base64.RawURLEncoding.EncodeToString(sum[:]) + `"`; string(revision) != want {
		t.Errorf("revision %s, digest %s", revision, want)
	}
	var sets map[string]json.RawMessage
	must(json.Unmarshal(manifest["toolsets"], &sets))
	if len(sets) != 2 || member[string](t, string(sets["game"]), "title") != "Go games" ||
		!member[bool](t, string(sets["game"]), "instances") || member[string](t, string(sets["chat"]), "title") != "Talk to players" {
		t.Errorf("toolsets %s", manifest["toolsets"])
	}
}
