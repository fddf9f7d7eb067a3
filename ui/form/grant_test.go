package form

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"
)

// grants are what a server offers: some paths with a parent in common, and
// feature sets, one of which cannot be enabled.
func grants(off ...string) Deps {
	d := Deps{
		DoArgs: "demo",
		Def:    Definition{Description: "space turns a line. What is taken away counts at once, what is added when the receipt arrives."},
		Preview: func(line string) (json.RawMessage, error) {
			return json.RawMessage(fmt.Sprintf(`{"jsonrpc":"2.0","id":9,"method":"featureSets/update","params":{"for":%q}}`, line)), nil
		},
	}
	for _, p := range []string{
		"tools", "pushEvents", "contextHooks.beforeInference.observe", "contextHooks.beforeInference.inject.beforeUser",
		"channels.register", "channels.publish", "channels.incoming",
	} {
		d.Grants = append(d.Grants, Grantable{Name: p, On: !strings.Contains(strings.Join(off, " "), p)})
	}
	d.Grants = append(d.Grants, Grantable{Name: "chat lines", Set: true, On: true, Uses: []string{"pushEvents"}},
		Grantable{Name: "rooms", Set: true, On: true, Uses: []string{"channels.register", "channels.publish"}},
		Grantable{Name: "odd", Set: true, On: true, Dead: true})
	return d
}

func TestTheGrantIsEditedLineByLineAndSentAsOne(t *testing.T) {
	for _, c := range []struct {
		name string
		off  []string
		keys []string // a line by its name, or a key
		want string
	}{
		{"a path is denied", nil, []string{"to pushEvents", " "}, "deny pushEvents"},
		{"a path is granted", []string{"pushEvents"}, []string{"to pushEvents", "right"}, "grant pushEvents"},
		{"both at once", []string{"tools"}, []string{"to tools", "y", "to pushEvents", "n"}, "deny pushEvents grant tools"},
		{"all beneath a path", nil, []string{"to channels.**", " "}, "deny channels.register channels.publish channels.incoming"},
		{"what is missing beneath a path", []string{"channels.publish"}, []string{"to channels.**", " "}, "grant channels.publish"},
		{"all but one beneath a path", nil, []string{"to channels.**", " ", "to channels.publish", " "}, "deny channels.register channels.incoming"},
		{"a feature set alone", nil, []string{"to chat lines", " "}, `deny "chat lines"`},
		{"a feature set with what it lacks", []string{"pushEvents"}, []string{"to chat lines", " "}, "grant pushEvents"},
		{"turned twice", []string{"tools"}, []string{"to pushEvents", " ", " ", "to tools", " "}, "grant tools"},
	} {
		d := drive(t, New(Grant, grants(c.off...)))
		for _, k := range c.keys {
			if name, ok := strings.CutPrefix(k, "to "); ok {
				d.to(name)
				continue
			}
			d.keys(k)
		}
		if got := d.sends("enter"); got != c.want {
			t.Errorf("%s: sends %q, want %q", c.name, got, c.want)
		}
	}
}

func TestAGrantThatIsNotChangedIsNotSent(t *testing.T) {
	d := drive(t, New(Grant, grants()))
	if said := d.refuses("enter"); !strings.Contains(said, "nothing is changed, space turns a line") {
		t.Errorf("said %q", said)
	}
	d.to("odd").keys(" ").shows("cannot be enabled")
	d.keys("x").shows("space turns a line, y grants and n denies")
	d.refuses("enter")
}

func TestTheFormOfTheGrantBeginsAtItsLineAndKeepsWhatWasTurned(t *testing.T) {
	deps := grants()
	deps.Instance = "channels.publish"
	d := drive(t, New(Grant, deps))
	d.keys(" ").shows("[ ] - denied", "counts at once", "[-] 2 of 3", "[ ] lacks channels.publish", ":deny channels.publish", "mcpl-tui do -c 'deny channels.publish' demo")
	// Another line changes meanwhile: the one that was turned stays.
	now := grants("pushEvents")
	now.Grants[0].Note = "◌ no receipt"
	d.Refresh(now)
	if got, _ := d.Line(); got != "deny channels.publish" {
		t.Errorf("after a change by somebody else: %q", got)
	}
	d.shows("[x] ◌ no receipt", "[ ] denied")
	// Once it is told it is no change any more.
	d.Refresh(grants("pushEvents", "channels.publish"))
	if got, wrong := d.Line(); got != "" || wrong == "" {
		t.Errorf("once told: %q", got)
	}
	deps.Instance = "tools"
	d.Reopen(deps)
	if fd := d.current(); fd.name != "tools" {
		t.Errorf("opened anew it stands on %s", fd.name)
	}
}

func receivedGrant(t *testing.T) *driver {
	d := drive(t, New(Grant, grants()))
	d.to("pushEvents").keys(" ")
	d.sends("enter")
	d.Sent(d.c.Now)
	d.Refresh(grants("pushEvents"))
	d.Answered(Outcome{OK: true, Took: 3 * time.Millisecond, Request: 12, Answer: 13, Result: json.RawMessage(
		`{"accepted":true,"mode":"degraded","unavailableFeatures":[{"featureSet":"chat lines","missingCapabilities":["pushEvents"],"effect":"told by hints alone"}],"notes":["It will be quiet."]}`)})
	return d
}

func TestTheReceiptIsToldInTheForm(t *testing.T) {
	receivedGrant(t).shows("RECEIPT", "✓ accepted", "mode  degraded", "unavailable  chat lines   lacks pushEvents, effect: told by", "notes  “It will be quiet.”", "frame 13")
	d := drive(t, New(Grant, grants()))
	d.Answered(Outcome{OK: true, Answer: 13, Result: json.RawMessage(`{"accepted":false,"fallback":"close","reason":"no\u001b[31m"}`)})
	d.shows("! not accepted", "refused, asks to close (close)", "nothing is granted that was not before").hides("\x1b[31m")
}

func TestTheGrantIsDrawnAtEverySize(t *testing.T) {
	for name, make := range map[string]func(*testing.T) *driver{
		"turned": func(t *testing.T) *driver {
			return drive(t, New(Grant, grants("tools"))).to("channels.register").keys(" ").to("tools").keys(" ").to("channels.register")
		},
		"received": receivedGrant,
	} {
		for _, s := range [][2]int{{160, 43}, {100, 25}, {80, 19}, {40, 8}} {
			t.Run(fmt.Sprintf("%s-%dx%d", name, s[0], s[1]), func(t *testing.T) {
				golden.RequireEqual(t, []byte(make(t).screen(s[0], s[1])))
			})
		}
	}
}
