// Package noquery keeps the terminal library from asking the terminal for its
// colours while the program starts.
//
// The library does so in an init function: it writes two queries and waits up
// to five seconds for the answer, in every program that contains it, whatever
// the program is about to do. A terminal that does not answer would hold up
// each command, and a late answer would be read as keys. Package ui asks for
// the background itself, without waiting.
//
// Packages are initialised in the order of their paths as soon as all that
// they import is. This one imports nothing but os, so its turn comes before
// that of the library, which needs packages that stand behind it.
package noquery

import "os"

var saved, set = os.LookupEnv("TERM")

func init() {
	_ = os.Setenv("TERM", "dumb")
}

// Done gives the environment back as it was. It is called from an init
// function of a package that imports the library.
func Done() {
	if set {
		_ = os.Setenv("TERM", saved)
		return
	}
	_ = os.Unsetenv("TERM")
}
