package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcpl-tui/mcpl-tui/cmd/mcpl-tui/known"
	"github.com/mcpl-tui/mcpl-tui/record"
	"github.com/mcpl-tui/mcpl-tui/session"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// serverJSON is one server as `mcpl-tui servers --format json` prints it.
type serverJSON struct {
	Name    string   `json:"name"`
	Target  string   `json:"target"` // what connects to it: the name, or NAME@FILE
	Kind    string   `json:"kind"`
	Command []string `json:"command,omitempty"`
	URL     string   `json:"url,omitempty"`
	Cwd     string   `json:"cwd,omitempty"`
	Env     []string `json:"env"`     // names
	Headers []string `json:"headers"` // names
	File    string   `json:"file"`
	Line    int      `json:"line"`
	Product string   `json:"product"`
	Off     bool     `json:"disabled"`
	Problem *string  `json:"problem"` // why it cannot be connected to
}

type problemJSON struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

func newServers(std stdio) *cobra.Command {
	var form string
	c := &cobra.Command{
		Use:   "servers",
		Short: "List the servers that are set up in known configuration files",
		Long: "List the servers that Claude Desktop and Code, Cursor, VS Code, Windsurf, an MCPL bridge and\n" +
			"others are set up with, for you and for the project that you stand in. Each can be connected\n" +
			"to by its name. Values of environment variables and headers are never shown.",
		Example: "  mcpl-tui servers\n  mcpl-tui goban\n  mcpl-tui do -c tools goban@.mcp.json\n  mcpl-tui servers --format json",
		Args:    cobra.NoArgs,
	}
	format(c, &form, "text", "json")
	c.RunE = func(*cobra.Command, []string) error {
		w := known.Here()
		l := known.Find(w)
		if form == "json" {
			return writeJSON(std.out, serversJSON(w, l))
		}
		writeServers(std, w, l)
		return nil
	}
	return c
}

// typedName is what one types for a server: its name, unless that word alone
// means something else, or nothing.
func typedName(w known.World, l known.List, s known.Server) string {
	if len(l.Named(s.Name)) > 1 || !aloneNamesServer(s.Name) {
		return inFile(w, s)
	}
	return s.Name
}

// aloneNamesServer reports whether a word can be the name of a known server:
// the demo, addresses and recordings go before it.
func aloneNamesServer(word string) bool {
	return word != "" && word != session.KindDemo && !strings.Contains(word, "://") && !isFile(find(word))
}

func serversJSON(w known.World, l known.List) any {
	out := struct {
		Servers  []serverJSON  `json:"servers"`
		Problems []problemJSON `json:"problems"`
	}{[]serverJSON{}, []problemJSON{}}
	for _, s := range l.Servers {
		j := serverJSON{
			Name: s.Name, Target: typedName(w, l, s), Kind: s.Kind, Cwd: s.Folder(w),
			Command: record.RedactCommand(s.Command), URL: record.RedactURL(s.URL),
			Env: append([]string{}, s.Env...), Headers: append([]string{}, s.Headers...),
			File: s.File, Line: s.Line, Product: s.Product, Off: s.Off,
		}
		if _, err := s.Resolve(w, nil); err != nil {
			text := err.Error()
			j.Problem = &text
		}
		out.Servers = append(out.Servers, j)
	}
	for _, p := range l.Problems {
		out.Problems = append(out.Problems, problemJSON{p.File, p.Line, p.Column, p.Why})
	}
	return out
}

// writeServers prints the servers for people, file by file.
func writeServers(std stdio, w known.World, l known.List) {
	file, wide := "", 0
	for _, s := range l.Servers {
		wide = max(wide, min(kit.Width(kit.Clean(typedName(w, l, s))), 40))
	}
	for _, s := range l.Servers {
		if s.File != file {
			file = s.File
			fmt.Fprintf(std.out, "%s, in %s:\n", s.Product, kit.Clean(w.Short(file)))
		}
		fmt.Fprintln(std.out, kit.Clean(serverLine(typedName(w, l, s), wide, s)))
	}
	if len(l.Servers) == 0 {
		fmt.Fprintln(std.out, "no server is set up in a known configuration file; mcpl-tui -- COMMAND starts one, mcpl-tui demo shows the one that is built in")
	}
	for _, p := range l.Problems {
		fmt.Fprintf(std.err, "mcpl-tui: %s\n", oneLine(p.Error()))
	}
}

// serverLine is a server in one line, its name in at least wide cells.
func serverLine(name string, wide int, s known.Server) string {
	name += strings.Repeat(" ", max(wide-kit.Width(kit.Clean(name)), 0))
	line := fmt.Sprintf("  %s   %-5s %s", name, s.Kind, kit.Cut(s.Target(), 70))
	if len(s.Env) > 0 {
		line += "   sets " + strings.Join(s.Env, ", ")
	}
	if len(s.Headers) > 0 {
		line += "   sends " + strings.Join(s.Headers, ", ")
	}
	if s.Off {
		line += "   switched off there"
	}
	return line
}
