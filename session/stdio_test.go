//go:build unix

package session

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

func TestAServerThatDiesAtOnceIsToldWithItsExitCodeAndItsStderr(t *testing.T) {
	s, frames := open(t, child("dies"))
	err := s.WaitReady(t.Context())
	if err == nil || err.Error() != "the server ended with exit code 3 before it answered initialize" {
		t.Errorf("WaitReady: %v", err)
	}
	if e := ended(t, frames); e["by"] != "server" || e["code"] != 3.0 {
		t.Errorf("closed: %v", e)
	}
	var stderr []string
	for _, f := range frames.all() {
		if f.Dir == wire.Err {
			stderr = append(stderr, string(f.Body))
		}
	}
	if got := strings.Join(stderr, "|"); got != "node:internal/modules||Error: cannot find module|no end of line" {
		t.Errorf("stderr: %q", got)
	}
	o := s.Run(t.Context(), "call x")
	if o.OK || o.Err.Message != "the server ended with exit code 3; `reconnect` starts it again" {
		t.Errorf("a call afterwards: %+v", o.Err)
	}
}

func TestACommandThatCannotBeStartedSaysWhatToCheck(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for name, c := range map[string]struct {
		command []string
		dir     string
		want    string
	}{
		"no command":      {nil, "", "no command was given"},
		"not in PATH":     {[]string{"no-such-command-here"}, "", `no command "no-such-command-here" in PATH`},
		"no such file":    {[]string{"./none/server"}, "", "there is no file"},
		"a directory":     {[]string{dir}, "", "may not be run"},
		"not executable":  {[]string{write("plain", "x", 0o600)}, "", "chmod +x"},
		"no program":      {[]string{write("text", "hello", 0o700)}, "", "is no program for this machine"},
		"bad interpreter": {[]string{write("script", "#!/no/such/thing\n", 0o700)}, "", "the interpreter in its first line"},
		"no directory":    {[]string{os.Args[0]}, filepath.Join(dir, "none"), "check --cwd"},
	} {
		t.Run(name, func(t *testing.T) {
			s, frames := open(t, func(cfg *Config) {
				cfg.Target, cfg.Dir = Target{Kind: KindStdio, Command: c.command}, c.dir
			})
			err := s.WaitReady(t.Context())
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("WaitReady: %v, want %q", err, c.want)
			}
			if e := ended(t, frames); e["by"] != "link" || e["reason"] != err.Error() {
				t.Errorf("closed: %v", e)
			}
			o := s.Run(t.Context(), "tools")
			if o.OK || !strings.HasSuffix(o.Err.Message, "; `reconnect` tries again") {
				t.Errorf("a command afterwards: %+v", o.Err)
			}
		})
	}
}

func TestAnInitializeWithoutAnswerIsReportedAndTheConnectionStays(t *testing.T) {
	s, frames := open(t, child("silent"), func(c *Config) { c.Timeout = 50 * time.Millisecond })
	err := s.WaitReady(t.Context())
	if err == nil || err.Error() != "no answer to initialize within 50ms; --timeout changes the limit" {
		t.Errorf("WaitReady: %v", err)
	}
	if f := frames.wait(t, "timeout", noteIs("timeout")); string(f.Data) != `{"id":1}` {
		t.Errorf("the note says %s", f.Data)
	}
	if n := count(frames.all(), has(wire.Out, "cancelled")); n != 0 {
		t.Error("initialize was cancelled, which MCP forbids")
	}
	if o := s.Run(t.Context(), "call x"); o.OK || !strings.Contains(o.Err.Message, "has not answered initialize; `raw tools/call`") {
		t.Errorf("a call: %+v", o)
	}
	s.Close(context.Background())
	if e := ended(t, frames); e["by"] != "host" || e["code"] != 0.0 {
		t.Errorf("closed: %v", e)
	}
}

func TestWhatIsNoMessageIsKeptInTheFormThatItNeeds(t *testing.T) {
	_, frames := ready(t, child("garbage"))
	type line struct {
		form wire.Form
		body string
	}
	want := []line{
		{wire.Text, "Server is starting…"},
		{wire.Text, "   "},
		{wire.Text, `{"cut":`},
		{wire.Binary, "\xff\xfe"},
		{wire.Msg, "[1,2]"},
		{wire.Msg, `"x"`},
	}
	var got []line
	for _, f := range frames.all() {
		if f.Dir == wire.In && len(got) < len(want) {
			got = append(got, line{f.Form, string(f.Body)})
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestALineOf64MiBComesThroughByteForByte(t *testing.T) {
	const size = 64 << 20
	s, frames := ready(t, child(fmt.Sprintf("long:%d", size)))
	o := s.Run(t.Context(), "call big")
	if !o.OK || len(o.Result) < size {
		t.Fatalf("ok %v, %d bytes, %+v", o.OK, len(o.Result), o.Err)
	}
	f := frames.wait(t, "the answer", func(f wire.Frame) bool { return f.Seq == o.Answer })
	if f.Form != wire.Msg || len(f.Body) != size+73 || !bytes.Contains(f.Body, o.Result) {
		t.Errorf("the frame has %d bytes, form %v", len(f.Body), f.Form)
	}
}

func TestAllThatWasWrittenBeforeTheExitIsThereBeforeTheEnd(t *testing.T) {
	_, frames := open(t, child("unterminated"))
	end := frames.wait(t, "closed", noteIs("closed"))
	last := frames.wait(t, "the last line", has(wire.In, `"last":true`))
	bye := frames.wait(t, "stderr", has(wire.Err, "bye"))
	if last.Seq > end.Seq || bye.Seq > end.Seq {
		t.Errorf("closed is frame %d, the last line %d, stderr %d", end.Seq, last.Seq, bye.Seq)
	}
	if f := frames.all(); f[len(f)-1].Name != "closed" {
		t.Errorf("the last frame is %+v", f[len(f)-1])
	}
}

func TestAServerThatIgnoresTheEndOfItsInputIsToldThenKilled(t *testing.T) {
	for mode, want := range map[string]string{
		"lingers":  `{"by":"host","code":7}`,
		"stubborn": `{"by":"host","signal":"SIGKILL"}`,
	} {
		t.Run(mode, func(t *testing.T) {
			s, frames := ready(t, child(mode), func(c *Config) { c.Grace = 300 * time.Millisecond })
			s.Close(context.Background())
			if f := frames.wait(t, "closed", noteIs("closed")); string(f.Data) != want {
				t.Errorf("closed %s, want %s", f.Data, want)
			}
		})
	}
}

func TestAGrandchildThatKeepsThePipesDoesNotHoldUpTheEndAndDoesNotStay(t *testing.T) {
	s, frames := open(t, child("grandchild"))
	if e := ended(t, frames); e["by"] != "server" || e["code"] != 5.0 {
		t.Errorf("closed: %v", e)
	}
	var pid int
	f := frames.wait(t, "its pid", has(wire.Err, "grandchild "))
	if _, err := fmt.Sscanf(string(f.Body), "grandchild %d", &pid); err != nil {
		t.Fatal(err)
	}
	s.Close(context.Background())
	if alive(pid) {
		t.Errorf("the grandchild %d lives on", pid)
	}
}

func TestAFloodOfHintsIsRecordedWithoutLossAndInOrder(t *testing.T) {
	const n = 20_000
	_, frames := ready(t, child(fmt.Sprintf("flood:%d", n)))
	frames.wait(t, "the last hint", has(wire.In, fmt.Sprintf(`"rev":%d,`, n+1)))
	rev := 1
	for _, f := range frames.all() {
		if f.Dir != wire.In || wire.Peek(f.Body).Method != "tools/hints" {
			continue
		}
		if rev++; !bytes.Equal(f.Body, fmt.Appendf(nil, hintLine, rev, (rev-1)%2 == 0)) {
			t.Fatalf("hint %d is %s", rev, f.Body)
		}
	}
	if rev != n+1 {
		t.Errorf("%d hints of %d", rev-1, n)
	}
}

func TestAServerThatDoesNotReadHoldsUpNobody(t *testing.T) {
	s, frames := open(t, child("deaf"), func(c *Config) { c.Grace = 200 * time.Millisecond })
	// Every ping is answered although no answer is ever read.
	answering(t, frames, `"2999 `+strings.Repeat("y", 1000)+`"`)
	s.Close(context.Background())
	if e := ended(t, frames); e["by"] != "host" {
		t.Errorf("closed: %v", e)
	}
}

func TestAServerThatClosesItsInputFailsWhatIsSent(t *testing.T) {
	s, frames := open(t, child("halfclosed"), func(c *Config) { c.Grace = 200 * time.Millisecond })
	frames.wait(t, "its word", has(wire.In, "stdin/closed"))
	o := s.Run(t.Context(), "raw ping")
	if o.OK || !strings.Contains(o.Err.Message, "the server closed its input") {
		t.Errorf("a ping: %+v", o.Err)
	}
}

func TestAServerThatClosesItsOutputIsEnded(t *testing.T) {
	s, frames := open(t, child("mute"), func(c *Config) { c.Grace = time.Second })
	e := ended(t, frames)
	const why = "the server closed its output; it was ended"
	if o := s.Run(t.Context(), "raw ping"); o.OK || !strings.HasPrefix(o.Err.Message, why) {
		t.Errorf("a ping: %+v", o.Err)
	}
	if e["by"] != "server" || e["reason"] != "the server closed its output" || e["code"] != 4.0 {
		t.Errorf("closed: %v", e)
	}
}

func TestEnvironmentAndDirectoryReachTheServer(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	exe := filepath.Join(dir, "server")
	if err := os.Symlink(os.Args[0], exe); err != nil {
		t.Fatal(err)
	}
	_, frames := ready(t, child("env"), func(c *Config) {
		c.Target.Command = []string{"./server"} // as seen from Dir
		c.Dir, c.Env = dir, append(c.Env, "SESSION_TEST_X=7")
	})
	frames.wait(t, "its word", has(wire.Err, "X=7 in "+dir))
}

func TestReconnectStartsANewProcessInTheSameTap(t *testing.T) {
	s, frames := ready(t, child("good"))
	if o := s.Run(t.Context(), "reconnect"); !o.OK {
		t.Fatalf("reconnect: %+v", o.Err)
	}
	if o := s.Run(t.Context(), "call status"); !o.OK {
		t.Fatalf("call: %+v", o.Err)
	}
	var notes []string
	for _, f := range frames.all() {
		if f.Dir == wire.Note {
			notes = append(notes, fmt.Sprint(f.Conn, f.Name))
		}
	}
	if got := fmt.Sprint(notes); got != "[1connect 1connected 1closed 2connect 2connected]" {
		t.Errorf("notes: %s", got)
	}
}

func TestADeadServerIsStartedAgainByReconnect(t *testing.T) {
	s, frames := open(t, child("dies"))
	frames.wait(t, "closed", noteIs("closed"))
	if err := s.Reconnect(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.WaitReady(t.Context()); err == nil || !strings.Contains(err.Error(), "exit code 3") {
		t.Errorf("the second start: %v", err)
	}
	frames.wait(t, "the second end", func(f wire.Frame) bool { return f.Conn == 2 && f.Name == "closed" })
}
