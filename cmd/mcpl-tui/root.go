package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// version is the release; a build may set it with -ldflags -X.
var version = "0.1.0"

func newRoot(std stdio) *cobra.Command {
	root := newConnect(std)
	root.Version = version
	root.SetIn(std.in)
	root.SetOut(std.out)
	root.SetErr(std.err)
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SuggestionsMinimumDistance = 2
	root.SetFlagErrorFunc(nearestFlag)
	root.SetVersionTemplate("mcpl-tui {{.Version}}\n")
	root.AddCommand(newDemo(std), newReplay(std), newDo(std), newState(std), newRevs(std), newCheck(std), newRules(std), newRecordings(std), newServers(std))
	root.SetHelpCommand(&cobra.Command{
		Use: "help [COMMAND]", Short: "Explain a command",
		RunE: func(c *cobra.Command, args []string) error {
			sub, _, err := c.Root().Find(args)
			if err != nil {
				return err
			}
			return sub.Help()
		},
	})
	return root
}

// nearestFlag adds the nearest flag to the message for one that does not
// exist.
func nearestFlag(c *cobra.Command, err error) error {
	name, found := strings.CutPrefix(err.Error(), "unknown flag: --")
	if !found {
		return fmt.Errorf("%w. %s --help lists the flags", err, c.CommandPath())
	}
	words := &cobra.Command{SuggestionsMinimumDistance: 2}
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			words.AddCommand(&cobra.Command{Use: f.Name, Run: func(*cobra.Command, []string) {}})
		}
	})
	if near := words.SuggestionsFor(name); len(near) > 0 {
		return fmt.Errorf("no flag --%s. Did you mean --%s?", name, near[0])
	}
	return fmt.Errorf("no flag --%s. %s --help lists the flags", name, c.CommandPath())
}

// oneLine makes text safe to print as one line: what a server or a file put
// into it stays data.
func oneLine(text string) string {
	return kit.Clean(strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }), "; "))
}
