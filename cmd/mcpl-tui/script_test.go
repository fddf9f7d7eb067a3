package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/server"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"asking-server": askingServer,
		"field-server":  runFieldServer,
		"mcpl-tui": func() {
			os.Exit(run(context.Background(), os.Args[1:], stdio{os.Stdin, os.Stdout, os.Stderr}))
		},
	})
}

// TestCommands runs the scripts of testdata/script: each is a page that tells
// what a command prints and how it ends.
func TestCommands(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       uitest.Updating(),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("XDG_STATE_HOME", env.WorkDir+"/state")
			env.Setenv("HOME", env.WorkDir)
			servers := map[string]http.Handler{"newest": server.NewStreamableHTTPServer(newestServer())}
			for name, make := range fieldServers {
				servers[name] = make()
			}
			for name, handler := range servers {
				srv := httptest.NewServer(handler)
				env.Setenv(strings.ToUpper(name)+"_URL", srv.URL)
				env.Defer(func() {
					srv.CloseClientConnections()
					srv.Close()
				})
			}
			return nil
		},
	})
}
