package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcpl-tui/mcpl-tui/inspector/conform"
	"github.com/mcpl-tui/mcpl-tui/session"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// ruleJSON is a rule as `mcpl-tui rules --format json` prints it.
type ruleJSON struct {
	ID      string           `json:"id"`
	Level   conform.Level    `json:"level"`
	Chapter conform.Chapter  `json:"chapter"`
	Meaning string           `json:"meaning"`
	Also    string           `json:"also"` // when its level is another one
	Source  string           `json:"source"`
	Mend    string           `json:"mend"`
	Example *conform.Example `json:"example"`
}

func newRules(std stdio) *cobra.Command {
	var form string
	c := &cobra.Command{
		Use:   "rules [RULE]",
		Short: "List the rules that findings come from, or explain one",
		Long: "List the rules by which sessions are judged: the id, the level, what is asked for and where\n" +
			"that is said. With the id of a rule it explains that one.",
		Example: "  mcpl-tui rules\n  mcpl-tui rules rev-gap\n  mcpl-tui rules --format json",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("rules explains one rule at a time, and got %d", len(args))
			}
			return nil
		},
		ValidArgsFunction: func(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return completeRules(c, args, typed)
		},
	}
	format(c, &form, "text", "json")
	c.RunE = func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return listRules(std.out, form)
		}
		r, err := ruleByID(args[0])
		if err != nil {
			return err
		}
		if form == "json" {
			return writeJSON(std.out, jsonOf(r))
		}
		return explainRule(std.out, r)
	}
	return c
}

// ruleByID finds a rule; where there is none it says which was meant.
func ruleByID(id string) (conform.Rule, error) {
	if r, ok := conform.RuleByID(id); ok {
		return r, nil
	}
	var ids []string
	for _, r := range conform.Rules() {
		ids = append(ids, r.ID)
	}
	if near := session.Nearest(id, ids); near != "" {
		return conform.Rule{}, fmt.Errorf("there is no rule %q. Did you mean %s?", id, near)
	}
	return conform.Rule{}, fmt.Errorf("there is no rule %q; mcpl-tui rules lists them", id)
}

// completeRules completes ids of rules, in a list with commas too.
func completeRules(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	done := typed[:strings.LastIndexByte(typed, ',')+1]
	var out []string
	for _, r := range conform.Rules() {
		if strings.HasPrefix(r.ID, typed[len(done):]) {
			out = append(out, done+r.ID+"\t"+r.Meaning)
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

func jsonOf(r conform.Rule) ruleJSON {
	out := ruleJSON{ID: r.ID, Level: r.Level, Chapter: r.Chapter, Meaning: r.Meaning, Also: r.Also, Source: r.Source, Mend: r.Mend}
	if e, ok := conform.ExampleOf(r.ID); ok {
		out.Example = &e
	}
	return out
}

func listRules(out io.Writer, form string) error {
	if form == "json" {
		list := []ruleJSON{}
		for _, r := range conform.Rules() {
			list = append(list, jsonOf(r))
		}
		return writeJSON(out, list)
	}
	w := bufio.NewWriter(out)
	var chapter conform.Chapter
	for _, r := range conform.Rules() {
		if r.Chapter != chapter {
			if chapter != "" {
				fmt.Fprintln(w)
			}
			chapter = r.Chapter
			fmt.Fprintln(w, chapter)
		}
		fmt.Fprintf(w, "  %-30s %-8s %s\n  %-30s %-8s %s\n", r.ID, r.Level, r.Meaning, "", "", r.Source)
	}
	return w.Flush()
}

func explainRule(out io.Writer, r conform.Rule) error {
	w := bufio.NewWriter(out)
	say := func(label, text string) {
		if text != "" {
			fmt.Fprintf(w, "%-9s %s\n", label, kit.Clean(text))
		}
	}
	level := r.Level.String()
	if r.Also != "" {
		level += "; " + r.Also
	}
	say("RULE", r.ID)
	say("LEVEL", level)
	say("ASKS", r.Meaning)
	say("SOURCE", r.Source)
	say("TO MEND", r.Mend)
	if e, ok := conform.ExampleOf(r.ID); ok {
		fmt.Fprintln(w)
		say("EXAMPLE", e.Message)
		say("SEEN", e.Seen)
		say("EXPECTED", e.Expected)
	}
	return w.Flush()
}
