package main

import (
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/session"
)

func addressed(t *testing.T, url string) session.Target {
	t.Helper()
	target, err := session.ParseTarget([]string{url}, -1)
	if err != nil {
		t.Fatal(err)
	}
	return target
}

func TestHeadersAndTokenGoToTheAddressThatTheyWereGivenWith(t *testing.T) {
	t.Setenv("A_TOKEN", "hunter2")
	flags := connectFlags{timeout: defaultTimeout, hostFlags: quietHost(), header: []string{"x-key: hunter3"}, tokenEnv: "A_TOKEN"}
	for _, c := range []struct {
		url   string
		given bool
	}{
		{"https://a.example/mcp", true},
		{"https://a.example/other", true},
		{"https://b.example/mcp", false},
		{"http://a.example/mcp", false},
		{"https://a.example:444/mcp", false},
		{"HTTPS://A.example/mcp", true},
	} {
		target := addressed(t, c.url)
		cfg, err := flags.config(target)
		if err != nil {
			t.Fatal(err)
		}
		if (cfg.Token == "hunter2" && len(cfg.Header) == 1 && cfg.Header[0].Value == "hunter3") != c.given || (cfg.Token != "") != c.given {
			t.Errorf("%s: %+v %q", c.url, cfg.Header, cfg.Token)
		}
		args := flags.doArgs(target)
		if strings.Contains(args, "hunter") || strings.Contains(args, "--token-env A_TOKEN") != c.given {
			t.Errorf("%s is repeated with %s", c.url, args)
		}
	}
	cfg, err := flags.config(session.Target{Kind: session.KindStdio, Command: []string{"x"}})
	if err != nil || cfg.Token != "" || cfg.Header != nil {
		t.Errorf("a command gets %+v, %v", cfg, err)
	}
}

func TestAWrongHeaderOrTokenIsToldWithoutItsValue(t *testing.T) {
	for name, flags := range map[string]*connectFlags{
		"no colon":   {header: []string{"hunter2"}},
		"two lines":  {header: []string{"A: hunter2\r\nB: c"}},
		"a bad name": {header: []string{"A hunter2: c"}},
		"not set":    {tokenEnv: "NO_SUCH_VARIABLE_HERE"},
	} {
		flags.timeout, flags.hostFlags = defaultTimeout, quietHost()
		_, err := flags.config(addressed(t, "https://a.example/mcp"))
		if err == nil || strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestWhatIsRepeatedDeniesAndGrantsTheSame(t *testing.T) {
	flags := connectFlags{timeout: defaultTimeout, hostFlags: quietHost(), deny: []string{"channels.**"}, grant: []string{"channels.publish"}}
	if got := flags.doArgs(session.Target{Kind: session.KindDemo}); !strings.Contains(got, "--deny channels.\\*\\* --grant channels.publish") {
		t.Errorf("repeated with %s", got)
	}
}
