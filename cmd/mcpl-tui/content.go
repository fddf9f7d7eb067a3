package main

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/session"
)

// writeNew writes what it reads into a new file that only the user can read.
// A file that is there is left as it is; of one that could not be written
// whole nothing stays.
func writeNew(file string, from io.Reader) (n int64, err error) {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return 0, fmt.Errorf("%s is there already; name another file", file)
	}
	if err == nil {
		n, err = io.Copy(f, from)
		if err = errors.Join(err, f.Close()); err != nil {
			_ = os.Remove(file) // a part is worse than none
		}
	}
	var p *fs.PathError
	var bad base64.CorruptInputError
	switch {
	case errors.As(err, &p):
		err = fmt.Errorf("cannot write %s: %w", file, p.Err)
	case errors.As(err, &bad), errors.Is(err, io.ErrUnexpectedEOF):
		err = fmt.Errorf("%s is not written: what the server sent is no base64", file)
	}
	return n, err
}

// saveUsage is the command of do that writes what the last answer holds.
const saveUsage = "save content N FILE"

// saveLine runs the line where it is `save content N FILE`: of the last
// result, it writes item N into a new file.
func saveLine(line string, last json.RawMessage) (o session.Outcome, ours bool) {
	words := strings.Fields(line)
	if len(words) == 0 || words[0] != "save" {
		return o, false
	}
	size, err := saveContent(words[1:], last)
	o = session.Outcome{Command: line, OK: err == nil}
	if err != nil {
		o.Err = &session.Error{Message: err.Error()}
		return o, true
	}
	o.Result = json.RawMessage(`{"bytes":` + strconv.FormatInt(size, 10) + `}`)
	return o, true
}

func saveContent(words []string, last json.RawMessage) (int64, error) {
	if len(words) < 3 || words[0] != "content" {
		return 0, errors.New("it is: " + saveUsage)
	}
	n, err := strconv.Atoi(words[1])
	if err != nil {
		return 0, fmt.Errorf("%q is no number; it is: %s", words[1], saveUsage)
	}
	if last == nil {
		return 0, errors.New("no command before it had a result")
	}
	c, err := inspector.ContentOf(last, n)
	if err != nil {
		return 0, err
	}
	return writeNew(strings.Join(words[2:], " "), c.Open())
}
