//go:build unix

// Command bench measures mcpl-tui as a whole: it builds it, makes the traffic,
// and measures the floors beside the product in the same run, in turn, five
// times each. What it prints are ratios of medians; times alone say more of
// the machine than of the program.
//
//	go run ./cmd/mcpl-tui/bench                       the table on stdout
//	go run ./cmd/mcpl-tui/bench -write README.md      and into the README
//	go run ./cmd/mcpl-tui/bench -sizes 10000,100000   smaller ones only
//
// The floor of reading is a program that calls encoding/json.Valid once on
// each line of the file; the floor of a flood is one that copies a pipe to a
// file. Both are this program, started again.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// turns is how often each thing is measured; the medians count.
const turns = 9

func main() {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "floor":
			exit(floor(os.Args[2]))
		case "copy":
			exit(copyFlood(os.Args[2], os.Args[3]))
		case "flood":
			exit(flood(os.Args[2]))
		}
	}
	sizes := flag.String("sizes", "10000,100000,1000000", "how many messages, separated by commas")
	write := flag.String("write", "", "a Markdown file whose table is written anew")
	binary := flag.String("bin", "", "an mcpl-tui to measure (default: built from here)")
	flag.Parse()
	exit(run(*sizes, *write, *binary))
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

func run(sizes, write, binary string) error {
	dir, err := os.MkdirTemp("", "mcpl-tui-bench-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b := &bench{dir: dir, bin: binary}
	if b.self, err = os.Executable(); err != nil {
		return err
	}
	if b.bin == "" {
		b.bin = filepath.Join(dir, "mcpl-tui")
		if out, err := exec.Command("go", "build", "-o", b.bin, "./cmd/mcpl-tui").CombinedOutput(); err != nil {
			return fmt.Errorf("build mcpl-tui (run this in the root of the project): %w\n%s", err, out)
		}
	}
	var cols []column
	for _, word := range strings.Split(sizes, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil || n < 100 {
			return fmt.Errorf("-sizes %s: %q is no number of messages, from 100", sizes, word)
		}
		c, err := b.column(n)
		if err != nil {
			return fmt.Errorf("%d messages: %w", n, err)
		}
		cols = append(cols, c)
	}
	text := table(cols)
	fmt.Print(text)
	if write == "" {
		return nil
	}
	return writeInto(write, text)
}
