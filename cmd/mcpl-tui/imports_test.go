package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/mcpl-tui/mcpl-tui/"

// house says who may import whom: data flows one way, wire → frame →
// timeline → screen. A folder that is not named belongs to the nearest one
// above it that is.
var house = map[string][]string{
	"session/wire":      {},
	"session/mcpl":      {"session/wire"},
	"session":           {"session/wire", "session/mcpl"},
	"session/demo":      {"session/wire", "session/mcpl"},
	"record":            {"session/wire"},
	"timeline":          {"session/wire", "session/mcpl"},
	"inspector":         {"timeline", "session/wire", "session/mcpl"},
	"inspector/conform": {"timeline", "session/wire", "session/mcpl"},
	"ui":                {"timeline", "inspector", "inspector/conform"},
	"cmd/mcpl-tui":      {"session/wire", "session/mcpl", "session", "session/demo", "record", "timeline", "inspector", "inspector/conform", "ui"},
}

// room returns the room of the house that a package belongs to.
func room(pkg string) string {
	for p := pkg; p != "."; p = path.Dir(p) {
		if _, ok := house[p]; ok {
			return p
		}
	}
	return ""
}

func TestImportsGoOnlyWhereTheHouseHasADoor(t *testing.T) {
	root := filepath.Join("..", "..")
	seen := 0
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
			return err
		}
		rel, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		from := room(path.Dir(filepath.ToSlash(rel)))
		if from == "" {
			t.Errorf("%s lies outside of the house: give its folder a room", rel)
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		seen++
		for _, imp := range f.Imports {
			name, _ := strconv.Unquote(imp.Path.Value)
			pkg, ours := strings.CutPrefix(name, module)
			if !ours {
				continue
			}
			to := room(pkg)
			if to == from {
				continue
			}
			if !contains(house[from], to) {
				t.Errorf("%s imports %s: from %s there is no door to %s", rel, pkg, from, to)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 20 {
		t.Fatalf("looked at %d files only", seen)
	}
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
