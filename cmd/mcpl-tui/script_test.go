package main

import (
	"context"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"asking-server": askingServer,
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
			return nil
		},
	})
}
