package timeline_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/timeline/timelinetest"
)

// dealt is a log of a conversation: a line each, "> " for the host, "< " for
// the server. Frame N is at position N-1.
func dealt(t testing.TB, lines ...string) *timeline.Log {
	t.Helper()
	var frames tape
	for i, l := range lines {
		dir := wire.Out
		if l[0] == '<' {
			dir = wire.In
		}
		f := wire.Frame{Seq: int64(i + 1), T: time.Duration(i) * time.Second, Conn: 1, Dir: dir, Via: "stdio", Body: []byte(`{"jsonrpc":"2.0",` + l[2:] + `}`)}
		f.Form = wire.FormOf(f.Body)
		frames = append(frames, f)
	}
	return timelinetest.Log(t, frames)
}

func ask(id int, method, params string) string {
	return fmt.Sprintf(`> "id":%d,"method":%q,"params":%s`, id, method, params)
}

func TestAListTakesEffectWithItsLastPageAndIsStaleWhenToldSo(t *testing.T) {
	log := dealt(t,
		ask(1, "resources/list", `{}`),
		`< "id":1,"result":{"resources":[{"uri":"x:a"}],"nextCursor":"2"}`,
		ask(2, "resources/list", `{"cursor":"2"}`),
		`< "id":2,"result":{"resources":[{"uri":"x:b"}]}`,
		`< "method":"notifications/resources/list_changed"`,
		ask(3, "resources/list", `{}`),
		`< "id":3,"error":{"code":-32603,"message":"no shelf"}`,
		ask(4, "resources/list", `{}`),
		`< "id":4,"result":{"resources":[]}`,
	)
	for at, want := range map[int]string{
		0: "[] open at -1 stale -1 ", 1: "[] open at -1 stale -1 ", 3: "[x:a x:b] at 3 stale -1 ", 4: "[x:a x:b] at 3 stale 4 ",
		6: "[x:a x:b] at 3 stale 4 error -32603: no shelf", 8: "[] at 8 stale -1 ",
	} {
		g := log.ResourcesAt(1, at).List
		var keys []string
		for _, o := range g.Items {
			keys = append(keys, o.Key)
		}
		open := ""
		if g.Open {
			open = "open "
		}
		if got := fmt.Sprintf("%v %sat %d stale %d %s", keys, open, g.At, g.Stale, g.Error); got != want {
			t.Errorf("at %d the list is %q, want %q", at, got, want)
		}
	}
}

func TestASubscriptionCountsItsUpdates(t *testing.T) {
	log := dealt(t,
		`< "method":"notifications/resources/updated","params":{"uri":"x:a"}`,
		ask(1, "resources/subscribe", `{"uri":"x:a"}`),
		`< "id":1,"result":{}`,
		`< "method":"notifications/resources/updated","params":{"uri":"x:a"}`,
		`< "method":"notifications/resources/updated","params":{"uri":"x:b"}`,
		ask(2, "resources/read", `{"uri":"x:a"}`),
		`< "id":2,"result":{"contents":[{"uri":"x:a","text":"1"}]}`,
		ask(3, "resources/subscribe", `{"uri":"x:no"}`),
		`< "id":3,"error":{"code":-32002,"message":"no such thing"}`,
		ask(4, "resources/unsubscribe", `{"uri":"x:a"}`),
		`< "id":4,"result":{}`,
	)
	if s := log.ResourcesAt(1, 3).Subscriptions; len(s) != 1 || s[0].Updates != 1 || s[0].Last != 3 || s[0].Read != -1 || s[0].Open {
		t.Errorf("after an update: %+v", s)
	}
	if s := log.ResourcesAt(1, 8).Subscriptions; len(s) != 2 || s[0].Read != 5 || s[1].Error == "" {
		t.Errorf("after a reading: %+v", s)
	}
	if s := log.ResourcesAt(1, 10).Subscriptions; len(s) != 1 || s[0].URI != "x:no" {
		t.Errorf("at the end: %+v", s)
	}
	if r := log.ReadsAt(1, 10); len(r) != 1 || r[0].Answered != 6 || !strings.Contains(string(r[0].Result), `"1"`) {
		t.Errorf("read: %+v", r)
	}
}

func TestChannelsFollowWhatBothSidesSay(t *testing.T) {
	log := dealt(t,
		`< "id":"a","method":"channels/register","params":{"channels":[{"id":"c1","type":"chat"},{"id":"c2"}]}`,
		`> "id":"a","result":{"results":[{"id":"c1","accepted":true},{"id":"c2","accepted":false,"reason":"no"}]}`,
		ask(1, "channels/open", `{"channelId":"c1","type":"chat","address":{}}`),
		`< "id":1,"result":{"channel":{"id":"c1","label":"One"}}`,
		`< "id":"b","method":"channels/incoming","params":{"messages":[{"channelId":"c1","messageId":"m1","content":"hi"},{"channelId":"c1","messageId":"m2"}]}`,
		`> "id":"b","result":{"results":[{"messageId":"m1","accepted":true},{"messageId":"m2","accepted":false,"reason":"late"}]}`,
		ask(2, "channels/publish", `{"channelId":"c1","content":[]}`),
		`< "id":2,"result":{"delivered":true,"messageId":"m3"}`,
		ask(3, "channels/close", `{"channelId":"c1"}`),
		`< "id":3,"result":{"closed":true}`,
		`< "method":"channels/changed","params":{"removed":["c2"],"added":[{"id":"c3"}]}`,
	)
	c, _ := log.ChannelsAt(1, 5)
	if len(c) != 2 || !c[0].Accepted || !c[0].Open || c[0].OpenAt != 3 || c[1].Accepted || c[1].Reason != "no" {
		t.Errorf("while it is open: %+v", c)
	}
	c, _ = log.ChannelsAt(1, 10)
	if len(c) != 3 || c[0].Open || !c[1].Removed || c[2].ID != "c3" || c[2].Answered {
		t.Errorf("at the end: %+v", c)
	}
	said, _ := log.SaidAt(1, 10)
	if len(said) != 3 || !said[0].OK || said[1].OK || said[1].Words != "late" || said[2].ID != "m3" || said[2].Index != 6 || said[0].Index != 4 {
		t.Errorf("said: %+v", said)
	}
	if said, _ = log.SaidAt(1, 4); len(said) != 2 || said[0].Answered != -1 {
		t.Errorf("before the answer: %+v", said)
	}
}

func TestCheckpointsMakeATreeWhoseDataPatchesMake(t *testing.T) {
	log := dealt(t,
		ask(1, "tools/call", `{"name":"add"}`),
		`< "id":1,"result":{"content":[],"state":{"checkpoint":"a","parent":null,"featureSet":"notes","data":{"n":[]}}}`,
		ask(2, "tools/call", `{"name":"add"}`),
		`< "id":2,"result":{"content":[],"state":{"checkpoint":"b","parent":"a","patch":[{"op":"add","path":"/n/-","value":1}]}}`,
		ask(3, "state/rollback", `{"featureSet":"notes","checkpoint":"a"}`),
		`< "id":3,"result":{"checkpoint":"a","success":true}`,
		ask(4, "tools/call", `{"name":"add"}`),
		`< "id":4,"result":{"content":[],"state":{"checkpoint":"c","parent":"a","patch":[{"op":"add","path":"/n/-","value":2}]}}`,
		ask(5, "state/rollback", `{"featureSet":"notes","checkpoint":"b"}`),
		`< "id":5,"result":{"checkpoint":"b","success":false,"reason":"sent already"}`,
		`< "id":"u","method":"state/update","params":{"featureSet":"notes","checkpoint":"d","patch":[{"op":"remove","path":"/gone"}]}`,
		`> "id":"u","error":{"code":-32602,"message":"it does not apply"}`,
		ask(6, "tools/call", `{"name":"git"}`),
		`< "id":6,"result":{"state":{"checkpoint":"g"}}`,
		ask(7, "tools/call", `{"name":"bad"}`),
		`< "id":7,"result":{"state":{"checkpoint":"h","parent":"c","patch":[{"op":"remove","path":"/gone"}]}}`,
	)
	tell := func(at int) string {
		var out []string
		for _, s := range log.StatesAt(1, at) {
			line := s.FeatureSet + ": "
			for _, c := range s.Checkpoints {
				line += c.Parent + ">" + c.ID + " "
				if c.Refused != "" {
					line += "(" + c.Refused + ") "
				}
			}
			out = append(out, line+"now "+s.Current+" "+string(s.Data))
		}
		return strings.Join(out, "; ")
	}
	for at, want := range map[int]string{
		1: `notes: >a now a {"n":[]}`, 3: `notes: >a a>b now b {"n":[1]}`, 5: `notes: >a a>b now a {"n":[]}`,
		11: `notes: >a a>b (sent already) a>c now c {"n":[2]}`,
		13: `notes: >a a>b (sent already) a>c now c {"n":[2]}; : >g now g `,
	} {
		if got := tell(at); got != want {
			t.Errorf("at %d: %s\nwant   %s", at, got, want)
		}
	}
	s := log.StatesAt(1, 15)[0]
	if s.Current != "h" || !strings.Contains(s.Error, "does not apply") || s.ErrAt != 15 {
		t.Errorf("after a patch that does not apply: %+v", s)
	}
}

// A flood of messages is told by its end, and counts as nothing new about the
// connection itself.
func TestAFloodOfDealingsIsBounded(t *testing.T) {
	lines := []string{ask(1, "resources/list", `{}`), `< "id":1,"result":{"resources":[{"uri":"x:a"}]}`}
	for i := range 3000 {
		lines = append(lines, fmt.Sprintf(`< "id":"m%d","method":"channels/incoming","params":{"messages":[{"messageId":"%d"}]}`, i, i))
	}
	log := dealt(t, lines...)
	said, earlier := log.SaidAt(1, log.Len()-1)
	if len(said) != 300 || earlier != 2700 || said[299].ID != "2999" {
		t.Errorf("%d are told, %d came earlier", len(said), earlier)
	}
	if n := log.LandmarkCount(log.Len()); n != 1 {
		t.Errorf("there are %d landmarks", n)
	}
	if n := log.DealingCount(1, log.Len(), timeline.OnMessages, timeline.OnResources); n != 3002 {
		t.Errorf("there are %d dealings", n)
	}
}

// Of many states only the newest are told: a patch on one that came before is
// not said to fail.
func TestAPatchOnAStateBeforeWhatIsToldIsNoFault(t *testing.T) {
	lines := []string{`< "id":"u","method":"state/update","params":{"featureSet":"notes","checkpoint":"0","data":{"deep":{"n":0}}}`, `> "id":"u","result":{}`}
	for i := range 600 {
		lines = append(lines,
			fmt.Sprintf(`< "id":"u%d","method":"state/update","params":{"featureSet":"notes","checkpoint":"%d","parent":"%d","patch":[{"op":"replace","path":"/deep/n","value":%d}]}`, i, i+1, i, i+1),
			fmt.Sprintf(`> "id":"u%d","result":{}`, i))
	}
	log := dealt(t, lines...)
	s := log.StatesAt(1, log.Len()-1)
	if len(s) != 1 || !s[0].Earlier || s[0].Error != "" || s[0].Data != nil || s[0].Current != "600" {
		t.Errorf("told: earlier %t, %q, data %s, at %s", s[0].Earlier, s[0].Error, s[0].Data, s[0].Current)
	}
	if s = log.StatesAt(1, 41); s[0].Earlier || string(s[0].Data) != `{"deep":{"n":20}}` {
		t.Errorf("of few: earlier %t, %s", s[0].Earlier, s[0].Data)
	}
}

func TestChannelsTellHowManyDealingsCameBefore(t *testing.T) {
	var lines []string
	for i := range 1100 {
		lines = append(lines, fmt.Sprintf(`< "id":"r%d","method":"channels/register","params":{"channels":[{"id":"c%d"}]}`, i, i), fmt.Sprintf(`> "id":"r%d","result":{"results":[]}`, i))
	}
	log := dealt(t, lines...)
	if c, earlier := log.ChannelsAt(1, log.Len()-1); len(c) != 1000 || earlier != 200 {
		t.Errorf("%d channels, after %d dealings", len(c), earlier)
	}
	if _, earlier := log.ChannelsAt(1, 100); earlier != 0 {
		t.Errorf("of few, %d came before", earlier)
	}
}

func TestAListWhoseCursorComesAgainIsNotReadForEver(t *testing.T) {
	page := func(id int, cursor, next string) []string {
		return []string{ask(id, "resources/list", `{"cursor":"`+cursor+`"}`), fmt.Sprintf(`< "id":%d,"result":{"resources":[{"uri":"x:%d"}],"nextCursor":"%s"}`, id, id, next)}
	}
	lines := append(page(1, "", "2"), page(2, "2", "3")...)
	log := dealt(t, append(lines, page(3, "3", "2")...)...)
	if l := log.ResourcesAt(1, 3).List; !l.Open || l.Endless {
		t.Errorf("while it goes on: %+v", l)
	}
	if l := log.ResourcesAt(1, 5).List; l.Open || !l.Endless || l.ErrAt != 5 || !strings.Contains(l.Error, "does not end") {
		t.Errorf("at the end: %+v", l)
	}
	log = dealt(t, append(append(lines, page(3, "3", "2")...), page(4, "", "")...)...)
	if l := log.ResourcesAt(1, 7).List; l.Open || l.Endless || l.Error != "" || len(l.Items) != 1 {
		t.Errorf("read anew: %+v", l)
	}
}
