package known

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Recent is a target that was connected to.
type Recent struct {
	// Line is what one types to get there, without the value of anything
	// secret.
	Line string    `json:"line"`
	Name string    `json:"name"`          // a short one
	What string    `json:"what"`          // its command or address
	Dir  string    `json:"dir,omitempty"` // the folder that a command is started in
	At   time.Time `json:"at"`
}

// Recents is the list of them in a file of the user, the newest first.
type Recents struct {
	Path string
}

// mostRecent is how many targets are remembered.
const mostRecent = 30

// recentVersion is the version of the file.
const recentVersion = 1

type recentFile struct {
	Version int      `json:"version"`
	Targets []Recent `json:"targets"`
}

// Read returns what is remembered, the newest first; nothing where there is
// no file yet.
func (r Recents) Read() ([]Recent, error) {
	data, err := readSmall(r.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the recent targets in %s: %w", r.Path, err)
	}
	var f recentFile
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, fmt.Errorf("the recent targets in %s cannot be read: %w; remove the file to begin anew", r.Path, err)
	}
	f.Targets = slices.DeleteFunc(f.Targets, func(t Recent) bool { return t.Line == "" })
	return f.Targets[:min(len(f.Targets), mostRecent)], nil
}

// Add puts a target at the top. One that was there already moves up.
func (r Recents) Add(t Recent) error {
	return r.change(func(list []Recent) []Recent {
		return slices.Insert(list, 0, t)
	}, t)
}

// Forget takes a target out.
func (r Recents) Forget(t Recent) error {
	return r.change(func(list []Recent) []Recent { return list }, t)
}

// change takes t out of the list, applies do, and writes the file anew: whole,
// or not at all.
func (r Recents) change(do func([]Recent) []Recent, t Recent) error {
	list, err := r.Read()
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(o Recent) bool { return o.Line == t.Line && o.Dir == t.Dir })
	list = do(list)
	data, err := json.MarshalIndent(recentFile{recentVersion, list[:min(len(list), mostRecent)]}, "", "  ")
	if err != nil {
		return fmt.Errorf("the recent targets: %w", err)
	}
	if err := writeWhole(r.Path, append(data, '\n')); err != nil {
		return fmt.Errorf("the recent targets cannot be kept: %w", err)
	}
	return nil
}

// writeWhole replaces a file that only the user can read.
func writeWhole(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".recent-*") // made with mode 0600
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // half a list is worse than the old one
	}
	return err
}
