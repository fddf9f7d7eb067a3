package record

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSecretsOfCommandLinesAreMasked(t *testing.T) {
	for _, c := range [][2]string{
		{"server --token=abc", "server --token=***"},
		{"server --api-key abc next", "server --api-key *** next"},
		{"server --apiKey abc --port 3000", "server --apiKey *** --port 3000"},
		{"server -password hunter2", "server -password ***"},
		{"env GITHUB_TOKEN=abc node x.js", "env GITHUB_TOKEN=*** node x.js"},
		{"API_KEY=abc node", "API_KEY=*** node"},
		{"docker run -e API_KEY=abc --env=DB_PASSWORD=x -e HOME=/root img", "docker run -e API_KEY=*** --env=DB_PASSWORD=*** -e HOME=/root img"},
		{"docker run -e API_KEY img", "docker run -e API_KEY img"},
		{"psql postgres://ada:pw@host:5432/db?sslmode=off", "psql postgres://***@host:5432/db?sslmode=off"},
		{"x --db=postgres://ada:pw@host/db", "x --db=postgres://***@host/db"},
		{"x ada:pw@host:5432/db", "x ***@host:5432/db"},
		{"npx mcp-remote https://h/mcp?api_key=1&v=2", "npx mcp-remote https://h/mcp?api_key=***&v=2"},
		{"curl -u ada:pw https://h/", "curl -u ada:*** https://h/"},
		{"x sk-proj-abcdefghijklmnop", "x ***"},
		{"x ghp_0123456789abcdefghijABCDEFGHIJ012345", "x ***"},
		{"x eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-DEF_123", "x ***"},
		{"x --id 9f86d081884c7d659a2feaa0c55ad015", "x --id ***"},
		{"x a8Fk29sLq0ZxPwm3RtYb", "x ***"},
		{"x --value=Zm9vYmFyOmJhejEyMzQ1Njc4OQ==", "x --value=***"},
		{"x /srv/9f86d081884c7d659a2feaa0c55ad015/run", "x /srv/***/run"},
		{"x --x-token abc", "x --x-token ***"},
		{"x -HX-Api-Key:abc", "x -HX-Api-Key:***"},
		{"x --header=Authorization:abc", "x --header=Authorization:***"},
	} {
		if got := strings.Join(RedactCommand(strings.Fields(c[0])), " "); got != c[1] {
			t.Errorf("%s\n got %s\nwant %s", c[0], got, c[1])
		}
	}
}

func TestSecretsWithinOneArgumentAreMasked(t *testing.T) {
	for _, c := range [][2]string{
		{"API_KEY=abc node server.js --port 3000", "API_KEY=*** node server.js --port 3000"},
		{"export A='x y'; PASSWORD=\"a b\" run --token 'q r' z", "export A='x y'; PASSWORD=*** run --token '***' z"},
		{"cd /srv/app && node dist/index.js", "cd /srv/app && node dist/index.js"},
		{"Authorization: Bearer abc", "Authorization: ***"},
		{"X-Api-Key: abc", "X-Api-Key: ***"},
		{"Accept: text/html", "Accept: text/html"},
		{"curl -H 'Authorization: token abc' https://h/", "curl -H 'Authorization: ***' https://h/"},
		{"run Bearer abcdef123", "run Bearer ***"},
		{`{"apiKey":"abc","port":3000,"env":{"DB_PASSWORD" : "x"},"url":"https://a:b@h/"}`, `{"apiKey":"***","port":3000,"env":{"DB_PASSWORD" : "***"},"url":"https://***@h/"}`},
		{`TOKEN="never closed`, "TOKEN=***"},
		{`x="never closed and`, `x="never closed and`},
		{" leading space", " leading space"},
	} {
		if got := RedactCommand([]string{"sh", c[0]})[1]; got != c[1] {
			t.Errorf("%s\n got %s\nwant %s", c[0], got, c[1])
		}
	}
	got := RedactCommand([]string{"mcp-remote", "https://h/sse", "--header", "Authorization: Bearer x", "--header", "Accept: a", "--token", "--flag"})
	if s := strings.Join(got, "|"); s != "mcp-remote|https://h/sse|--header|Authorization: ***|--header|Accept: a|--token|--flag" {
		t.Error(s)
	}
}

func TestOrdinaryArgumentsStayReadable(t *testing.T) {
	for _, s := range []string{
		"node server.js --port 3000",
		"npx -y @modelcontextprotocol/server-everything stdio",
		"npx -y @modelcontextprotocol/server-filesystem@2025.11.25 /home/ada/projects",
		"uvx mcp-server-git --repository path/to/git/repo",
		"python -m my_server.module --log-level=debug --max-tokens 4096",
		"docker run -i --rm -v /var/run:/var/run -p 8080:80 ghcr.io/org/image-name:v1.2.3",
		"docker run image@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0bb822cd15d6c15b0f00a08",
		"go run ./cmd/mcpl-tui demo --serve stdio",
		"./target/x86_64-unknown-linux-gnu/release/server --config=config.toml",
		"java -Xmx512m -jar build/libs/server-all-1.0.0-SNAPSHOT.jar",
		"server --token-file /run/secrets/x --auth-mode none --keyboard us --monkey 7 --no-auth run",
		"deno run --allow-net=localhost:3000 main.ts",
		`C:\Users\ada\AppData\Local\Programs\node.exe server.js`,
		"MyVeryLongServerConfigurationName --LongCamelCaseOptionNameHere on",
		"server --since 2026-11-29T10:00:00Z git@github.com:org/repo.git",
	} {
		if got := strings.Join(RedactCommand(strings.Fields(s)), " "); got != s {
			t.Errorf("\n got %s\nwant %s", got, s)
		}
	}
}

func TestSecretsOfURLsAreMasked(t *testing.T) {
	for _, c := range [][2]string{
		{"https://h:8443/mcp", "https://h:8443/mcp"},
		{"http://127.0.0.1:3000/mcp?session_name=a&page=2#top", "http://127.0.0.1:3000/mcp?session_name=a&page=2#top"},
		{"ws://[::1]:9/x", "ws://[::1]:9/x"},
		{"mcpl://host/@scope/name", "mcpl://host/@scope/name"},
		{"https://ada@h/", "https://***@h/"},
		{"https://ada:pw@h/p", "https://***@h/p"},
		{"https://ada:p@w@h/p", "https://***@h/p"},
		{"https://ada:p/w@h/p", "https://***@h/p"},
		{"https://ada:p?w#@h/p", "https://***@h/p"},
		{"https://h/p?token=abc&a=1;sig=x&code=7", "https://h/p?token=***&a=1;sig=***&code=***"},
		{"https://h/p?access%5Ftoken=abc&X-Amz-Signature=f00", "https://h/p?access%5Ftoken=***&X-Amz-Signature=***"},
		{"https://h/p?q=9f86d081884c7d659a2feaa0c55ad015", "https://h/p?q=***"},
		{"https://h/p?next=https%3A%2F%2Fa%3Ab%40h%2F", "https://h/p?next=***"},
		{"https://h/cb#access_token=abc&x=1", "https://h/cb#access_token=***&x=1"},
		{"https://mcp.example/s/aK3d9Qw7Zx1LmP0vT5bR/mcp", "https://mcp.example/s/***/mcp"},
		{"https://h/550e8400-e29b-41d4-a716-446655440000/mcp", "https://h/***/mcp"},
		{"host/p?key=abc", "host/p?key=***"},
		{"", ""},
	} {
		if got := RedactURL(c[0]); got != c[1] {
			t.Errorf("%s\n got %s\nwant %s", c[0], got, c[1])
		}
	}
}

func TestNoSecretReachesTheFile(t *testing.T) {
	h := header()
	h.Target = Target{Kind: "stdio", Command: []string{"x", "--token", "hush-hush"}, URL: "https://a:hush-hush@h/?key=hush-hush"}
	path := filepath.Join(t.TempDir(), "a.mcpl.jsonl")
	r, err := Create(path, h)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil || strings.Contains(string(content), "hush") {
		t.Errorf("%s, %v", content, err)
	}
	if h.Target.Command[2] != "hush-hush" {
		t.Error("the caller's own target was changed")
	}
}

func TestAnArgumentThatIsTooLongToLookIntoIsMasked(t *testing.T) {
	if got := RedactCommand([]string{"x", strings.Repeat("a=", 1<<20)}); got[1] != Mask {
		t.Errorf("%.40q", got[1])
	}
}

func FuzzRedact(f *testing.F) {
	for _, s := range []string{"x", `x="a b`, `{"a":{"b":"c"}}`, "https://a:b@c/d?e=f#g", "a=b=c=d", `"' "'`, "-H", "=", "://", "-Hx:", "a;b"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		const secret = "hunter2SECRET"
		out := RedactTarget(Target{Command: []string{"p", a, b, "--token=" + secret, "--password", secret}, URL: b})
		if len(out.Command) != 6 || strings.Contains(strings.Join(out.Command[3:], " "), secret) {
			t.Errorf("%q", out.Command)
		}
		if u := RedactURL("https://u:" + secret + "@h/"); strings.Contains(u, secret) {
			t.Error(u)
		}
	})
}
