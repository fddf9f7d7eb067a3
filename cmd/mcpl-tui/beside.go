package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session"
	"github.com/mcpl-tui/mcpl-tui/ui"
)

// retryWaits are the waits before a lost connection over a network is opened
// again: growing, then steady.
var retryWaits = []time.Duration{
	time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second, 30 * time.Second,
}

// retries are the waits for a kind of target. A process that ended, and the
// demo, are started again by hand, or by a change of their files.
func retries(kind string) []time.Duration {
	switch kind {
	case session.KindHTTP, session.KindSSE, session.KindWS:
		return retryWaits
	}
	return nil
}

// connectionCommand runs the commands of the screen that choose and change
// connections (outputs.md, "Only in the TUI"); false: the line is none of them.
func (l *liveOnDesk) connectionCommand(ctx context.Context, line string) (out ui.Outcome, ours bool) {
	words := strings.Fields(line)
	var say string
	var err error
	switch {
	case len(words) == 0:
		return out, false
	case words[0] == "connect":
		say, err = l.connectAgain(ctx, words[1:])
	case words[0] == "on":
		say, err = l.choose(words[1:])
	case words[0] == "disconnect" && len(words) == 1:
		was := l.sess.Active()
		if err = l.sess.Disconnect(ctx); err == nil {
			say = fmt.Sprintf("connection %d is closed", was)
			if now := l.sess.Active(); now != was {
				say += fmt.Sprintf("; commands go to connection %d", now)
			}
		}
	case words[0] == "reconnect" && len(words) == 2 && words[1] == "stop":
		say = "no further try; r connects again"
		if !l.sess.StopRetry() {
			err = fmt.Errorf("no try is waited for")
		}
	default:
		return out, false
	}
	if err != nil {
		return ui.Outcome{Message: err.Error()}, true
	}
	nudge(l.dirty)
	return ui.Outcome{OK: true, Words: say}, true
}

func (l *liveOnDesk) connectAgain(ctx context.Context, words []string) (string, error) {
	if len(words) != 1 || words[0] != "again" {
		return "", fmt.Errorf("it is: connect again (t looks at another target)")
	}
	n, err := l.sess.ConnectAgain(ctx)
	if err != nil {
		return "", err
	}
	nudge(l.dirty)
	if err := l.sess.WaitReady(ctx); err != nil {
		return "", fmt.Errorf("connection %d: %w", n, err)
	}
	say := fmt.Sprintf("connection %d stands beside the first, and commands go to it; s changes", n)
	if l.cfg.Target.Kind == session.KindStdio {
		say = fmt.Sprintf("connection %d is a second process of the server: it shares what the server keeps outside of it; s changes", n)
	}
	return say, nil
}

func (l *liveOnDesk) choose(words []string) (string, error) {
	if len(words) == 1 {
		if n, err := strconv.Atoi(words[0]); err == nil {
			return fmt.Sprintf("commands go to connection %d", n), l.sess.Choose(n)
		}
	}
	return "", fmt.Errorf("it is: on N, the number of a connection")
}

// preview is what a line would send; the commands of connections send nothing
// of their own.
func (l *liveOnDesk) preview(line string) (json.RawMessage, error) {
	switch word, _, _ := strings.Cut(strings.TrimSpace(line), " "); word {
	case "connect", "on", "disconnect":
		return nil, nil
	}
	return l.sess.Preview(line)
}
