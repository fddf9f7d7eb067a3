package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// demoOnDesk lays a live session with the demo on a desk.
func demoOnDesk(t *testing.T) (*desk, *liveOnDesk, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "beside.mcpl.jsonl")
	flags := &connectFlags{timeout: defaultTimeout, hostFlags: quietHost(), output: path}
	d := newDesk(t.Context(), flags, true)
	demo := session.Target{Kind: session.KindDemo}
	if err := d.connect(chosen{target: demo, shown: demo}, flags); err != nil {
		t.Fatal(err)
	}
	on := d.current().(*liveOnDesk)
	t.Cleanup(func() { _ = d.close() }) // it may be closed already
	if err := on.sess.WaitReady(t.Context()); err != nil {
		t.Fatal(err)
	}
	return d, on, path
}

func openAt(l *timeline.Log, conn int) (names []string) {
	b, err := l.BoardOf(conn, l.Len())
	if err != nil {
		return nil
	}
	for _, s := range b.Toolsets {
		for _, in := range s.Instances {
			names = append(names, in.Name)
		}
	}
	return names
}

func TestAnOpenOnOneConnectionArrivesOnTheOther(t *testing.T) {
	d, on, path := demoOnDesk(t)
	run := func(line, words string) {
		t.Helper()
		if o := d.Run(t.Context(), line); !o.OK || !strings.Contains(o.Words, words) {
			t.Fatalf("%s: %+v, want it to say %q", line, o, words)
		}
	}
	run("connect again", "connection 2 stands beside the first")
	if got := d.Status().Active; got != 2 {
		t.Fatalf("connection %d is active", got)
	}
	run(`open game as g1 {"opponent":"ada","size":5}`, "")
	arrives := func(conn int, want string) {
		t.Helper()
		deadline := time.Now().Add(soon)
		for strings.Join(openAt(on.log, conn), " ") != want {
			if time.Now().After(deadline) {
				t.Fatalf("connection %d has %v open, want %s", conn, openAt(on.log, conn), want)
			}
			time.Sleep(time.Millisecond)
		}
	}
	arrives(1, "g1")
	run("on 1", "commands go to connection 1")
	run(`open game as g2 {"opponent":"ada","size":5}`, "")
	arrives(2, "g1 g2")
	run("wait rev 2", "") // of connection 1
	for line, says := range map[string]string{
		"connect again": "is open already", "on 7": "they are 1 and 2", "on": "it is: on N", "connect twice": "it is: connect again",
		"reconnect stop": "no try is waited for",
	} {
		if o := d.Run(t.Context(), line); o.OK || !strings.Contains(o.Message, says) {
			t.Errorf("%s: %+v, want it to say %q", line, o, says)
		}
	}
	run("disconnect", "connection 1 is closed; commands go to connection 2")
	run(`close game g1`, "")
	if err := d.close(); err != nil {
		t.Fatal(err)
	}

	var warnings bytes.Buffer
	file, err := load(t.Context(), path, &warnings)
	if err != nil {
		t.Fatal(err)
	}
	defer file.rec.Close()
	if file.log.Sides() != 2 || strings.Join(openAt(file.log, 2), " ") != "g2" {
		t.Errorf("the recording has %d sides, and on 2 open %v", file.log.Sides(), openAt(file.log, 2))
	}
	for side, conn := range []int{1, 2} {
		log := file.log.Side(side)
		rows, err := log.Rows(0, log.RowCount())
		if err != nil || len(rows) < 3 {
			t.Fatalf("side %d has %d rows: %v", side, len(rows), err)
		}
		for i, r := range rows {
			if r.Conn != conn || r.Rev != int64(i)+1 || r.Status != timeline.Applied {
				t.Errorf("row %d of side %d: rev %d.%d %s", i, side, r.Conn, r.Rev, r.Status)
			}
		}
		raw, _ := json.Marshal(log.Latest().Export())
		if b, err := file.log.BoardOf(conn, file.log.Len()); err != nil {
			t.Error(err)
		} else if whole, _ := json.Marshal(b.Export()); !bytes.Equal(raw, whole) {
			t.Errorf("connection %d: on its side %s\nin all %s", conn, raw, whole)
		}
	}
}
