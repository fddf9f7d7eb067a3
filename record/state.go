package record

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/adrg/xdg"
)

// Ext is how the names of recordings end.
const Ext = ".mcpl.jsonl"

// Dir returns the folder in which recordings are kept: mcpl-tui in the user's
// state directory. It need not exist yet; Create makes it.
func Dir() (string, error) {
	home := os.Getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(home) {
		home = xdg.StateHome
	}
	if !filepath.IsAbs(home) {
		return "", errors.New("there is no folder for recordings: set HOME or XDG_STATE_HOME, or name a file with -o")
	}
	return filepath.Join(home, "mcpl-tui"), nil
}

// NewPath returns a path in dir that is free for a recording of the server or
// command name, started at now: goban-1129-1000.mcpl.jsonl, or with -2, -3, …
// where that is taken, packed or not.
func NewPath(dir, name string, now time.Time) string {
	stem := cleanName(name) + now.Format("-0102-1504")
	for n := 1; ; n++ {
		base := stem
		if n > 1 {
			base = fmt.Sprintf("%s-%d", stem, n)
		}
		if path := filepath.Join(dir, base+Ext); !taken(path) {
			return path
		}
	}
}

func taken(path string) bool {
	for _, ext := range []string{"", ".gz", ".zst"} {
		if _, err := os.Lstat(path + ext); err == nil {
			return true
		}
	}
	return false
}

// CreateIn starts a live recording under a free name in dir (NewPath, Create).
func CreateIn(dir, name string, now time.Time, h Header) (*Recording, error) {
	for {
		r, err := Create(NewPath(dir, name, now), h)
		if !errors.Is(err, ErrExists) {
			return r, err
		}
	}
}

// maxName is how long the server's part of a file name can be.
const maxName = 48

// cleanName makes a name of a file of a server's name or a command's path.
func cleanName(name string) string {
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	clean := strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '.', c == '_', c == '-':
			return c
		}
		return '-'
	}, name)
	clean = strings.TrimLeft(clean, ".-")
	clean = strings.TrimRight(clean[:min(len(clean), maxName)], ".-")
	if clean == "" {
		return "session"
	}
	return clean
}

// Info is a recording in a folder.
type Info struct {
	Path    string
	Name    string // of the file, without folder and extension
	Size    int64  // of the file, in bytes
	Started time.Time
	Header  Header
	Err     error // why it cannot be opened, in one line; nil if it can
}

// List returns the recordings in dir, the newest first, by what their headers
// say. A folder that does not exist has none.
func List(dir string) ([]Info, error) {
	files, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list recordings: %w", err)
	}
	var list []Info
	for _, f := range files {
		name, ok := recordingName(f.Name())
		if !ok {
			continue
		}
		stat, err := os.Stat(filepath.Join(dir, f.Name()))
		if err != nil || !stat.Mode().IsRegular() {
			continue
		}
		in := Info{Path: filepath.Join(dir, f.Name()), Name: name, Size: stat.Size()}
		in.Header, in.Err = peekHeader(in.Path)
		if in.Started = in.Header.Started; in.Started.IsZero() {
			in.Started = stat.ModTime()
		}
		list = append(list, in)
	}
	slices.SortStableFunc(list, func(a, b Info) int {
		if c := b.Started.Compare(a.Started); c != 0 {
			return c
		}
		return strings.Compare(b.Name, a.Name)
	})
	return list, nil
}

// recordingName takes the extensions of a recording off a file's name.
func recordingName(file string) (string, bool) {
	return strings.CutSuffix(strings.TrimSuffix(strings.TrimSuffix(file, ".gz"), ".zst"), Ext)
}

// peekHeader reads the header of a file and nothing more.
func peekHeader(path string) (Header, error) {
	x, v, err := sniffFile(path)
	if err == nil {
		x.src.discard()
	}
	return v.header, err
}
