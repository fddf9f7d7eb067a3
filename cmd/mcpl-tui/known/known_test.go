package known

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// world is a home folder with files in it, and a project below.
func world(t *testing.T, files map[string]string, env map[string]string) World {
	t.Helper()
	home := t.TempDir()
	dir := filepath.Join(home, "goban", "src")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(home, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(text, "HOME", filepath.ToSlash(home))), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return World{Home: home, Dir: dir, GOOS: "linux", Lookup: func(name string) (string, bool) {
		v, ok := env[name]
		return v, ok
	}}
}

func names(l List) string {
	var out []string
	for _, s := range l.Servers {
		out = append(out, s.Name)
	}
	return strings.Join(out, " ")
}

func TestServersOfEveryKnownProgramAreFound(t *testing.T) {
	w := world(t, map[string]string{
		"goban/.mcp.json":                           `{"mcpServers":{"code":{"command":"a"}}}`,
		"goban/src/.vscode/mcp.json":                "{\n // mine\n \"servers\": {\"vs\":{\"type\":\"stdio\",\"command\":\"b\",},},\n}",
		"goban/.cursor/mcp.json":                    `{"mcpServers":{"cur":{"command":"c"}}}`,
		"goban/.mcpl-bridge.json":                   `{"servers":{"tavern":{"transport":{"url":"mcpl://t.example:1"}},"beat":{"transport":{"command":"node","args":["x"]},"grant":[]}}}`,
		"goban/mcpl-servers.json":                   `{"mcplServers":{},"mcpServers":{"host":{"command":"node","args":["./s.js"]}}}`,
		"goban/mcp.json":                            `{"servers":{"plain":{"command":"d"}}}`,
		".claude.json":                              `{"history":[1],"mcpServers":{"user":{"type":"http","url":"https://u.example/mcp"}},"projects":{"HOME/goban":{"mcpServers":{"local":{"command":"e"}}},"HOME/other":{"mcpServers":{"foreign":{"command":"f"}}}}}`,
		".config/Claude/claude_desktop_config.json": `{"mcpServers":{"desk":{"command":"g"}}}`,
		".config/Code/User/mcp.json":                `{"servers":{"vsuser":{"url":"https://v.example/mcp"}}}`,
		".codeium/windsurf/mcp_config.json":         `{"mcpServers":{"surf":{"serverUrl":"https://w.example/mcp"}}}`,
		".gemini/settings.json":                     `{"theme":"x","mcpServers":{"gem":{"httpUrl":"https://g.example/mcp"},"old":{"url":"https://g.example/sse","type":"sse"}}}`,
		".claude/mcpl-bridge/config.json":           `{"servers":{"all":{"transport":{"command":"h"}}}}`,
	}, nil)
	l := Find(w)
	if len(l.Problems) > 0 {
		t.Errorf("problems: %v", l.Problems)
	}
	want := "vs code plain cur tavern beat host user local desk vsuser surf gem old all"
	if got := names(l); got != want {
		t.Errorf("found %q\nwant  %q", got, want)
	}
	if n := l.Files(); n != 12 {
		t.Errorf("in %d files", n)
	}
	kinds := map[string]string{}
	for _, s := range l.Servers {
		kinds[s.Name] = s.Kind
	}
	for name, kind := range map[string]string{"code": "stdio", "tavern": "ws", "user": "http", "surf": "http", "old": "sse", "gem": "http"} {
		if kinds[name] != kind {
			t.Errorf("%s is %s, want %s", name, kinds[name], kind)
		}
	}
	host := l.Named("host")[0]
	if want := filepath.Join(w.Home, "goban", "s.js"); host.Command[1] != want {
		t.Errorf("./s.js is %s, want %s", host.Command[1], want)
	}
}

func TestOtherSystemsKeepTheirFilesElsewhere(t *testing.T) {
	text := `{"mcpServers":{"desk":{"command":"g"}}}`
	for goos, path := range map[string]string{
		"darwin":  "Library/Application Support/Claude/claude_desktop_config.json",
		"windows": "Roam/Claude/claude_desktop_config.json",
		"linux":   ".config/Claude/claude_desktop_config.json",
	} {
		w := world(t, map[string]string{path: text}, nil)
		w.GOOS = goos
		w.Lookup = func(name string) (string, bool) { return filepath.Join(w.Home, "Roam"), name == "APPDATA" }
		if got := names(Find(w)); got != "desk" {
			t.Errorf("on %s found %q", goos, got)
		}
	}
}

func TestABrokenFileIsNamedWithItsPlaceAndTheRestIsListed(t *testing.T) {
	w := world(t, map[string]string{
		"goban/.mcp.json":            "{\n  \"mcpServers\": {\n    // no\n  }\n}",
		"goban/.cursor/mcp.json":     "{\n  \"mcpServers\": {\n    \"é\": {\"args\": 3},\n    \"ok\": {\"command\":\"x\"},\n    \"none\": {}\n  }\n}",
		"goban/.vscode/mcp.json":     `[]`,
		"goban/mcp.json":             `{"mcpServers":{"a":{"command":"b"}`,
		".cursor/mcp.json":           ``,
		".config/Code/User/mcp.json": `{"servers": 5}`,
	}, nil)
	l := Find(w)
	if got := names(l); got != "ok" {
		t.Errorf("found %q", got)
	}
	var got []string
	for _, p := range l.Problems {
		got = append(got, strings.ReplaceAll(w.Short(p.File), `\`, "/")+strings.TrimPrefix(p.Error(), p.File))
	}
	want := []string{
		"~/goban/.mcp.json:3:5: it is no JSON: comments are not allowed in this file",
		"~/goban/mcp.json:1:34: it is no JSON: unexpected end of JSON input",
		"~/goban/.cursor/mcp.json:3:19: server é: args is a number, not a list of words",
		"~/goban/.cursor/mcp.json:5:13: server none: it has neither a command nor a url",
		"~/goban/.vscode/mcp.json:1:1: the file holds a list, not an object",
		"~/.config/Code/User/mcp.json:1:13: servers is a number, not an object of servers",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("problems:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestAFolderInTheFilesPlaceAndAHugeFileAreToldAndNotRead(t *testing.T) {
	w := world(t, map[string]string{"goban/.mcp.json/x": "", "goban/mcp.json": ""}, nil)
	if err := os.Truncate(filepath.Join(w.Home, "goban", "mcp.json"), largest+1); err != nil {
		t.Fatal(err)
	}
	l := Find(w)
	if len(l.Problems) != 2 || !strings.Contains(l.Problems[0].Why, "no regular file") || !strings.Contains(l.Problems[1].Why, "larger than 32 MB") {
		t.Errorf("problems: %v", l.Problems)
	}
}

func TestWhatOneFileHasTooManyOfIsToldAndNotLeftOutInSilence(t *testing.T) {
	var all strings.Builder
	for i := range mostServers + 2 {
		fmt.Fprintf(&all, ",\n\"s%d\":{\"command\":\"x\"}", i)
	}
	w := world(t, map[string]string{"goban/.mcp.json": `{"mcpServers":{` + all.String()[1:] + "}}"}, nil)
	l := Find(w)
	if len(l.Servers) != mostServers || len(l.Problems) != 1 ||
		!strings.HasSuffix(l.Problems[0].Error(), ".mcp.json:1002:9: the servers from here on are left out: 1000 of one file are listed") {
		t.Errorf("%d servers, problems: %v", len(l.Servers), l.Problems)
	}
}

func TestVariablesAreReplacedWhenOneConnectsAndNoValueIsToldBefore(t *testing.T) {
	w := world(t, map[string]string{
		"goban/.mcp.json":        `{"mcpServers":{"go":{"command":"node","args":["${SCRIPT:-s.js}","--key","${KEY}"],"env":{"KEY":"${KEY}","PLAIN":"hunter2"}}}}`,
		"goban/.vscode/mcp.json": `{"servers":{"vs":{"command":"${workspaceFolder}/run","args":["${env:KEY}"],"cwd":"sub","envFile":"${workspaceFolder}/.env"}}}`,
		"goban/.env":             "# mine\nexport A=\"b c\"\nB = d\nno\n",
		"goban/.cursor/mcp.json": `{"mcpServers":{"web":{"url":"https://w.example/mcp","headers":{"Authorization":"Bearer ${env:KEY}"}}}}`,
		"goban/.mcpl-bridge.json": `{"servers":{"tavern":{"transport":{"url":"mcpl://t.example:1/x","tokenEnv":"KEY"}},
			"lost":{"transport":{"url":"mcpl://t.example:1/x","tokenEnv":"NOT_SET"}}}}`,
	}, map[string]string{"KEY": "hunter3"})
	l := Find(w)
	root := filepath.Join(w.Home, "goban")
	get := func(name string) (Server, Resolved) {
		s := l.Named(name)[0]
		r, err := s.Resolve(w, nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return s, r
	}
	s, r := get("go")
	if got := strings.Join(r.Target.Command, " "); got != "node s.js --key hunter3" {
		t.Errorf("go is %q", got)
	}
	if got := strings.Join(r.Shown.Command, " "); got != "node ${SCRIPT:-s.js} --key ${KEY}" {
		t.Errorf("go is recorded as %q", got)
	}
	if !reflect.DeepEqual(r.Env, []string{"KEY=hunter3", "PLAIN=hunter2"}) || r.Dir != root || !reflect.DeepEqual(s.Env, []string{"KEY", "PLAIN"}) {
		t.Errorf("go gets %q in %s; names %q", r.Env, r.Dir, s.Env)
	}
	_, r = get("vs")
	if got := strings.Join(r.Shown.Command, " "); got != root+"/run ${env:KEY}" || r.Dir != filepath.Join(root, "sub") {
		t.Errorf("vs is recorded as %q in %s", got, r.Dir)
	}
	if !reflect.DeepEqual(r.Env, []string{"A=b c", "B=d"}) {
		t.Errorf("vs gets %q", r.Env)
	}
	if s, r = get("web"); !reflect.DeepEqual(r.Headers, []string{"Authorization: Bearer hunter3"}) || !reflect.DeepEqual(s.Headers, []string{"Authorization"}) {
		t.Errorf("web sends %q", r.Headers)
	}
	if _, r = get("tavern"); r.Target.URL != "mcpl://t.example:1/x?token=hunter3" || strings.Contains(r.Shown.URL, "hunter") {
		t.Errorf("tavern is at %s, shown as %s", r.Target.URL, r.Shown.URL)
	}
	if _, err := l.Named("lost")[0].Resolve(w, nil); err == nil || !strings.Contains(err.Error(), "NOT_SET, which is not set") {
		t.Errorf("without its token: %v", err)
	}
}

func TestWhatAnEditorWouldAskForIsRefusedWithASentenceUnlessItIsGiven(t *testing.T) {
	w := world(t, map[string]string{"goban/.vscode/mcp.json": `{"inputs":[{"id":"key","type":"promptString","description":"API key","password":true}],
		"servers":{"vs":{"command":"x","env":{"API_KEY":"${input:key}","OTHER":"1"}}}}`}, nil)
	s := Find(w).Named("vs")[0]
	_, err := s.Resolve(w, nil)
	if err == nil || !strings.Contains(err.Error(), `API_KEY: VS Code asks its user for "key" (API key), and here nobody is asked`) || strings.Contains(err.Error(), "\n") {
		t.Errorf("refused with %v", err)
	}
	r, err := s.Resolve(w, func(name string) bool { return name == "API_KEY" })
	if err != nil || !reflect.DeepEqual(r.Env, []string{"OTHER=1"}) {
		t.Errorf("given: %q, %v", r.Env, err)
	}
}

func TestAnAddressThatIsNoneIsToldAsItIsWritten(t *testing.T) {
	w := world(t, map[string]string{"goban/.mcp.json": `{"mcpServers":{"a":{"url":"${KEY} x"},"b":{"url":"demo"},"c":{"url":"ftp://${KEY}@h/"}}}`}, map[string]string{"KEY": "hunter2"})
	for _, s := range Find(w).Servers {
		if _, err := s.Resolve(w, nil); err == nil || strings.Contains(err.Error(), "hunter") || !strings.Contains(err.Error(), "no address") {
			t.Errorf("%s: %v", s.Name, err)
		}
	}
}

func TestAVariableThatIsNotSetIsNamed(t *testing.T) {
	w := world(t, map[string]string{
		"goban/.mcp.json": `{"mcpServers":{"go":{"command":"x","env":{"A":"${NOPE}"}}}}`,
		".config/Claude/claude_desktop_config.json": `{"mcpServers":{"desk":{"command":"sh","args":["-c","echo ${NOPE}"]}}}`,
	}, nil)
	l := Find(w)
	if _, err := l.Named("go")[0].Resolve(w, nil); err == nil || !strings.Contains(err.Error(), "A: the variable NOPE is not set") {
		t.Errorf("not set: %v", err)
	}
	// Claude Desktop replaces nothing, so neither is it done here.
	if r, err := l.Named("desk")[0].Resolve(w, nil); err != nil || r.Target.Command[2] != "echo ${NOPE}" {
		t.Errorf("desk: %q, %v", r.Target.Command, err)
	}
}

func TestTheSameServerInTwoFilesIsOne(t *testing.T) {
	w := world(t, map[string]string{
		"goban/mcp.json":   `{"mcpServers":{"a":{"command":"x","env":{"K":"1"}},"b":{"command":"x"}}}`,
		"mcp.json":         ``,
		".cursor/mcp.json": `{"mcpServers":{"b":{"command":"x","env":{"K":"2"}}}}`,
		".claude.json":     `{"mcpServers":{"b":{"command":"x","env":{"K":"2"}}}}`,
	}, nil)
	l := Find(w)
	if n := len(l.Named("b")); n != 2 {
		t.Errorf("b is told as %d servers", n)
	}
}

func TestAnyFileCanBeReadByItsPath(t *testing.T) {
	w := world(t, map[string]string{"goban/src/my.json": `{"servers":{"x":{"transport":{"command":"y"}}}}`}, nil)
	l, err := In(w, "my.json")
	if err != nil || names(l) != "x" {
		t.Errorf("found %q, %v", names(l), err)
	}
	if _, err := In(w, "none.json"); err == nil || !strings.Contains(err.Error(), "none.json") {
		t.Errorf("no file: %v", err)
	}
}

func TestRecentTargetsAreKeptWholeAndForTheUserAlone(t *testing.T) {
	r := Recents{Path: filepath.Join(t.TempDir(), "state", "recent.json")}
	if list, err := r.Read(); err != nil || list != nil {
		t.Fatalf("before the first: %v, %v", list, err)
	}
	for i := range mostRecent + 5 {
		if err := r.Add(Recent{Line: "-- node s" + string(rune('A'+i)), Dir: "/x"}); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Add(Recent{Line: "-- node sZ", Dir: "/x"}); err != nil {
		t.Fatal(err)
	}
	list, err := r.Read()
	if err != nil || len(list) != mostRecent || list[0].Line != "-- node sZ" {
		t.Fatalf("%d, first %+v, %v", len(list), list[0], err)
	}
	if err := r.Forget(list[0]); err != nil {
		t.Fatal(err)
	}
	if list, _ = r.Read(); len(list) != mostRecent-1 || list[0].Line == "-- node sZ" {
		t.Errorf("after forgetting: %d, %+v", len(list), list[0])
	}
	files, _ := os.ReadDir(filepath.Dir(r.Path))
	info, err := os.Stat(r.Path)
	if err != nil || info.Mode().Perm() != 0o600 || len(files) != 1 {
		t.Errorf("mode %v, %d files, %v", info.Mode(), len(files), err)
	}
	if err := os.WriteFile(r.Path, []byte("junk"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Read(); err == nil || !strings.Contains(err.Error(), "remove the file") {
		t.Errorf("junk: %v", err)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		`{"mcpServers":{"a":{"command":"x","args":["${A:-b}"],"env":{"K":1}}}}`,
		"// c\n{\"servers\":{\"b\":{\"url\":\"ws://h/${env:X}\",\"headers\":{\"A\":\"${input:k}\"},},},/* */}",
		`{"projects":{"/":{"mcpServers":{"c":{"transport":{"command":["x","y"]}}}}}}`,
		"\ufeff{\"mcpServers\":{\"\u001b]0;x\u0007\":{\"command\":\"${\"}}}", `{"inputs":[{"id":"a"}]}`, "/*", `"`, ",}",
	} {
		f.Add([]byte(s))
	}
	w := World{Home: "/home/u", Dir: "/home/u/p", GOOS: "linux", Lookup: func(string) (string, bool) { return "", false }}
	ways := []dialect{anyDialect, claudeDesktop, vsCode, windsurf, gemini, bridge, mcplHost}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, way := range ways {
			way.files = false // a made-up path is not to be read
			servers, problems := parse(candidate{dialect: way, path: "/home/u/p/f.json", root: "/home/u/p", w: w}, data)
			for _, s := range servers {
				if s.Kind == "" || (len(s.Command) == 0) == (s.URL == "") || s.Line < 1 {
					t.Fatalf("%+v", s)
				}
				s.envFile = ""
				if _, err := s.Resolve(w, nil); err != nil && err.Error() == "" {
					t.Fatal("an error without words")
				}
			}
			for _, p := range problems {
				if p.Line < 1 || p.Column < 1 || p.Why == "" {
					t.Fatalf("%+v", p)
				}
			}
		}
		if got := blank(data); len(got) != len(data) {
			t.Fatalf("%d bytes became %d", len(data), len(got))
		}
	})
}
