package main

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/record"
)

// find returns the path of a recording: the file that is named, or the one
// that `mcpl-tui recordings` lists under the name.
func find(name string) string {
	if name == "-" || strings.ContainsRune(name, filepath.Separator) {
		return name
	}
	if _, err := os.Stat(name); err == nil {
		return name
	}
	dir, err := record.Dir()
	if err != nil {
		return name
	}
	for _, ext := range []string{"", record.Ext, record.Ext + ".gz", record.Ext + ".zst"} {
		if path := filepath.Join(dir, name+ext); isFile(path) {
			return path
		}
	}
	return name
}
