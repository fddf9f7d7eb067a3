package conform_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/inspector/conform"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

func TestAFindingIsWrittenWithItsWordsAndNulls(t *testing.T) {
	s := handshake()
	s.add(wire.In, `{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":4,"tools":[]}}`)
	all := judged(s.tape, conform.Options{}).Findings()
	if len(all) != 1 {
		t.Fatalf("want one finding:\n%s", lines(all))
	}
	raw, err := json.Marshal(all[0])
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"rule":"rev-gap","level":"error","count":1,"seq":11,"conn":1,"rev":4,"toolset":null,"instance":null,"tool":null,"message":"`
	if !strings.HasPrefix(string(raw), want) {
		t.Errorf("it is written as\n%s\nwant\n%s", raw, want)
	}
	var back conform.Finding
	if err := json.Unmarshal(raw, &back); err != nil || back.Level != conform.Error || back.Rule != "rev-gap" {
		t.Errorf("it is read as %+v, %v", back, err)
	}
	if err := json.Unmarshal([]byte(`{"level":"loud"}`), &back); err == nil {
		t.Error("a level that there is not was read")
	}
}

// overHTTP is the handshake with its frames on a stream of HTTP.
func overHTTP() *script {
	s := handshake()
	for i := range s.tape {
		s.tape[i].Via = "http:post:1"
	}
	return s
}

func TestAFindingThatWaitsIsToldWhenItsTimeIsOver(t *testing.T) {
	s := overHTTP()
	s.add(wire.In, `{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":3,"tools":[{"name":"ghost","visible":true}]}}`)
	s.tape[len(s.tape)-1].Via = "http:get:1"
	run := conform.NewRun(conform.Options{})
	for _, f := range s.tape {
		run.Frame(f)
	}
	now := s.tape[len(s.tape)-1].T
	for _, step := range []struct {
		at   time.Duration
		want int
	}{{now, 0}, {now + 1900*time.Millisecond, 0}, {now + 2*time.Second, 1}, {now + time.Minute, 1}} {
		run.Judge.Tick(step.at)
		if got := len(worse(run.Findings(), conform.Warning)); got != step.want {
			t.Errorf("%v later there are %d findings, want %d", step.at-now, got, step.want)
		}
	}
}

func TestWhatARecordingLacksIsTakenBackOnceItIsKnown(t *testing.T) {
	s := handshake()
	s.add(wire.In, `{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":4,"tools":[]}}`)
	s.add(wire.In, `{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":"5"}}`)
	log := timeline.NewLog(s.tape)
	r := conform.Attend(log, conform.Options{})
	if n, err := log.Advance(1000); err != nil || n != len(s.tape) || r.Len() != n {
		t.Fatalf("%d frames, %v", n, err)
	}
	if all := r.Findings(); len(all) != 2 {
		t.Fatalf("want rev-gap and rev-invalid:\n%s", lines(all))
	}
	r.NotWhole(1, false)
	r.End()
	if all := r.Findings(); len(all) != 1 || all[0].Rule != "rev-invalid" {
		t.Errorf("with a line that was skipped only rev-invalid is sure:\n%s", lines(all))
	}
	if marks := r.Marks(); len(marks) != 1 || marks[0] != (conform.Mark{Index: len(s.tape) - 1, Finding: 0}) {
		t.Errorf("the marks are %v", marks)
	}
}

var errTorn = errors.New("torn")

// tornTape cannot be read beyond its first frames.
type tornTape struct{ tape }

func (t tornTape) Frame(i int) (wire.Frame, error) {
	if i >= 3 {
		return wire.Frame{}, errTorn
	}
	return t.tape[i], nil
}

func TestAReviewStopsAtAFrameThatCannotBeRead(t *testing.T) {
	log := timeline.NewLog(tornTape{handshake().tape})
	r := conform.Attend(log, conform.Options{})
	if n, err := log.Advance(10); n != 3 || !errors.Is(err, errTorn) {
		t.Errorf("%d frames, %v", n, err)
	}
	if r.Len() != 3 {
		t.Errorf("it stands at %d", r.Len())
	}
	if n, err := log.Behind(); n != len(handshake().tape)-3 || !errors.Is(err, errTorn) {
		t.Errorf("%d frames are left, %v", n, err)
	}
}

func TestAMemberWhoseKeyStandsAgainIsNotJudged(t *testing.T) {
	s := handshake()
	s.add(wire.In, `{"jsonrpc":"2.0","method":"tools/hints","params":{"tools":7,"t\u006fols":[],"toolsets":{},"rev":4,"suggest":[0],"rev":3,"toolsets":[],"suggest":null}}`)
	for _, f := range judged(s.tape, conform.Options{}).Findings() {
		if f.Rule != "json-duplicate-key" {
			t.Errorf("of what does not count: %s", line(f))
		}
	}
}

func TestAMessageOfAnySizeIsJudgedByWhatItSays(t *testing.T) {
	many := "[" + strings.Repeat("0,", 300_000) + "0]"
	s := handshake()
	s.add(wire.In, `{"jsonrpc":"2.0","x":`+many+`,"method":"tools/hints","params":{"x":`+many+`,"rev":3,"tools":[]}}`)
	s.add(wire.In, `{"jsonrpc":"2.0","method":"tools/hints","params":{"x":`+many+`,"rev":5,"tools":[]},"x":0}`)
	if all := judged(s.tape, conform.Options{}).Findings(); len(all) != 1 || all[0].Rule != "rev-gap" || *all[0].Rev != 5 {
		t.Errorf("want the gap before rev 5 alone:\n%s", lines(all))
	}
}

func TestWhatNestsTooDeepIsNotCalledBroken(t *testing.T) {
	for levels, want := range map[int]string{9_998: "", 9_999: "nests deeper than 10,000 levels"} {
		s := handshake()
		s.add(wire.In, `{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":3,"x":"[\"[","tools":`+strings.Repeat("[", levels)+strings.Repeat("]", levels)+`}}`)
		got := ""
		for _, f := range judged(s.tape, conform.Options{}).Findings() {
			if f.Rule == "json-invalid" {
				got = f.Message
			}
		}
		if (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%d levels within two: %q, want %q", levels, got, want)
		}
	}
}
