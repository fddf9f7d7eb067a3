package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/kballard/go-shellquote"

	"github.com/mcpl-tui/mcpl-tui/cmd/mcpl-tui/known"
	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/inspector/conform"
	"github.com/mcpl-tui/mcpl-tui/record"
	"github.com/mcpl-tui/mcpl-tui/session"
	"github.com/mcpl-tui/mcpl-tui/ui"
	"github.com/mcpl-tui/mcpl-tui/ui/start"
)

// placesCache is what was found out for the list of what one can look at.
type placesCache struct {
	mu     sync.Mutex
	recent map[string]known.Recent // by the line of their entry
	read   map[string]start.Entry  // recordings, by path and size
	err    error                   // why the recent targets are not kept
	found  known.List              // the known servers
	at     time.Time               // when they were looked for
}

// fresh is how long what was found holds, so that not each letter that is
// typed reads all files again.
const fresh = time.Second

// servers are the known servers, as they were a moment ago.
func (c *placesCache) servers() known.List {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Since(c.at) > fresh {
		c.found = known.Find(known.Here())
		c.at = time.Now()
	}
	return c.found
}

func (c *placesCache) failed(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.err = err
}

// Places implements ui.Places.
func (d *desk) Places(context.Context) start.Places {
	w := known.Here()
	l := known.Find(w)
	out := start.Places{Files: l.Files(), Kept: d.keep, Entries: []start.Entry{{
		Section: start.Try, Line: session.KindDemo, Name: session.KindDemo,
		What: "arcade, built in: two games, a chat, suggestions. Nothing to install",
	}}}
	for _, s := range l.Servers {
		out.Entries = append(out.Entries, serverEntry(w, l, s))
	}
	for _, p := range l.Problems {
		out.Problems = append(out.Problems, w.Short(p.File)+strings.TrimPrefix(p.Error(), p.File))
	}
	if err := d.addRecent(w, &out); err != nil {
		out.Problems = append(out.Problems, oneLine(err.Error()))
	}
	if err := d.addRecordings(w, &out); err != nil {
		out.Problems = append(out.Problems, oneLine(err.Error()))
	}
	return out
}

func serverEntry(w known.World, l known.List, s known.Server) start.Entry {
	name := typedName(w, l, s)
	e := start.Entry{
		Section: start.Servers, Line: shellquote.Join(name), Name: name, What: s.Target(), Where: w.Short(s.File),
	}
	if s.Off {
		e.Note = "switched off there"
	}
	t := session.Target{Kind: s.Kind, Command: record.RedactCommand(s.Command), URL: record.RedactURL(s.URL)}
	e.Edit = "--like " + shellquote.Join(name) + " " + t.Args()
	return e
}

// addRecent adds what was connected to lately and stands in no file.
func (d *desk) addRecent(w known.World, out *start.Places) error {
	list, err := recents()
	if err != nil {
		return nil // addRecordings tells it
	}
	targets, err := list.Read()
	if err != nil {
		return err
	}
	d.places.mu.Lock()
	defer d.places.mu.Unlock()
	d.places.recent = map[string]known.Recent{}
	for _, t := range targets {
		e := start.Entry{Section: start.Recent, Line: t.Line, Name: t.Name, What: t.What}
		if t.Dir != "" {
			e.Where = w.Short(t.Dir)
			if t.Dir != w.Dir {
				e.Line = "--cwd " + shellquote.Join(t.Dir) + " " + e.Line
			}
		}
		d.places.recent[e.Line] = t
		out.Entries = append(out.Entries, e)
	}
	return d.places.err
}

// addRecordings adds what is kept on this machine.
func (d *desk) addRecordings(w known.World, out *start.Places) error {
	dir, err := record.Dir()
	if err != nil {
		return err
	}
	out.Dir = w.Short(dir)
	infos, err := record.List(dir)
	if err != nil {
		return err
	}
	d.places.mu.Lock()
	defer d.places.mu.Unlock()
	for _, info := range infos {
		e := start.Entry{Section: start.Recordings, Line: shellquote.Join(info.Name), Name: info.Name, Started: info.Started}
		if find(info.Name) != info.Path {
			e.Line = shellquote.Join(info.Path)
		}
		if read, ok := d.places.read[readKey(info.Path, info.Size)]; ok && read.Line == e.Line {
			e = read
		}
		out.Entries = append(out.Entries, e)
	}
	return nil
}

func readKey(path string, size int64) string { return fmt.Sprintf("%d %s", size, path) }

// largestRead is how large a file may be that is read for the list: more
// would keep the machine busy for a row.
const largestRead = 32 << 20

// Describe implements ui.Places.
func (d *desk) Describe(ctx context.Context, e start.Entry) start.Entry {
	words, err := shellquote.Split(e.Line)
	if err != nil || len(words) != 1 {
		return unreadable(e, "cannot be named")
	}
	path := find(words[0])
	info, err := os.Stat(path)
	if err != nil {
		return unreadable(e, "it is gone")
	}
	if info.Size() > largestRead {
		return unreadable(e, inspector.Size(info.Size())+", not read; enter opens it")
	}
	e = read(ctx, e, path)
	d.places.mu.Lock()
	defer d.places.mu.Unlock()
	if d.places.read == nil || len(d.places.read) > 1000 {
		d.places.read = map[string]start.Entry{}
	}
	if ctx.Err() == nil {
		d.places.read[readKey(path, info.Size())] = e
	}
	return e
}

func unreadable(e start.Entry, why string) start.Entry {
	e.Read, e.Broken = true, oneLine(why)
	return e
}

// read reads a recording to its end for its row.
func read(ctx context.Context, e start.Entry, path string) start.Entry {
	rec, err := record.Open(path)
	if err != nil {
		return unreadable(e, err.Error())
	}
	defer rec.Close()
	v, err := judge(ctx, rec, conform.Options{})
	if err != nil {
		return unreadable(e, err.Error())
	}
	r := v.report(e.Name, rec.Header())
	e.Read, e.Revs = true, r.Summary.Revs
	e.Server = strings.TrimSpace(r.Server.Name + " " + r.Server.Version)
	for _, f := range r.Findings {
		if f.Level >= conform.Warning {
			e.Findings++
		}
	}
	if n := rec.Len(); n > 0 {
		if f, err := rec.Frame(n - 1); err == nil {
			e.Length = f.T
		}
	}
	return e
}

// Understand implements ui.Places.
func (d *desk) Understand(_ context.Context, line string) start.Meaning {
	a, err := d.aimAt(line)
	if err != nil {
		return start.Meaning{Text: oneLine(err.Error())}
	}
	return a.meaning
}

// Forget implements ui.Places.
func (d *desk) Forget(_ context.Context, e start.Entry) error {
	d.places.mu.Lock()
	t, ok := d.places.recent[e.Line]
	d.places.mu.Unlock()
	if !ok {
		return nil // another screen has done so
	}
	list, err := recents()
	if err != nil {
		return err
	}
	return list.Forget(t)
}

// mostWays bounds how many ways to go on are listed.
const mostWays = 200

// Ways implements ui.Places: names while the first word is typed, and files.
func (d *desk) Ways(ctx context.Context, line string) []ui.Completion {
	if strings.ContainsAny(line, `'"\`) {
		return nil // what is quoted is not taken apart
	}
	at := strings.LastIndexByte(line, ' ') + 1
	head, word := line[:at], line[at:]
	var out []ui.Completion
	if head == "" {
		for _, e := range d.Places(ctx).Entries {
			if e.Section != start.Recent && strings.HasPrefix(e.Line, word) && len(out) < mostWays {
				out = append(out, ui.Completion{Text: e.Line, Help: e.What})
			}
		}
	}
	return append(out, filesOf(head, word)...)
}

// filesOf are the files and folders that begin with a word.
func filesOf(head, word string) []ui.Completion {
	w := known.Here()
	dir, base := filepath.Split(word)
	if word == "" || strings.Contains(word, "://") {
		return nil
	}
	look := w.Long(dir)
	if look == "" {
		look = "."
	}
	files, err := os.ReadDir(look)
	if err != nil {
		return nil
	}
	var out []ui.Completion
	for _, f := range files {
		if !strings.HasPrefix(f.Name(), base) || base == "" && strings.HasPrefix(f.Name(), ".") || len(out) >= mostWays {
			continue
		}
		name := shellquote.Join(f.Name())
		if info, err := os.Stat(filepath.Join(look, f.Name())); err == nil && info.IsDir() {
			name += string(filepath.Separator)
		}
		out = append(out, ui.Completion{Text: head + dir + name})
	}
	return out
}
