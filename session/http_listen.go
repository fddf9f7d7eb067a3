package session

import (
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// streamAccepted is the state of the stream of a request that was answered 202
// and nothing else: its answer may come elsewhere, if at all.
const streamAccepted = "accepted"

// streamCut is the state of a stream that ended within a message which can be
// read all the same: it must not pass for whole.
const streamCut = "cut"

// cutShort notes that a message ended before its stream said that it does,
// unless it is the host that leaves.
func (l *webLink) cutShort(via string, body []byte, reason string) {
	if l.ctx.Err() == nil && wire.Valid(body) { // what is no JSON is seen to be cut
		l.to.Note("stream", obj(member{"via", encode(via)}, member{"state", encode(streamCut)},
			member{"reason", encode(reason)}, member{"seen", encode(string(begins(body)))}))
	}
}

// streamNote is the data of a note "stream": what became of a stream.
// follows is the stream that it takes up again, or "".
func streamNote(via, state string, resp *http.Response, reason, follows string) []byte {
	m := []member{{"via", encode(via)}, {"state", encode(state)}}
	if follows != "" {
		m = append(m, member{"follows", encode(follows)})
	}
	if resp != nil {
		m = append(m, member{"http", metaOf(resp)})
	}
	if reason != "" {
		m = append(m, member{"reason", encode(reason)})
	}
	return obj(m...)
}

// waitNote tells that a stream rests, and for how long.
func waitNote(via string, d time.Duration, reason string) []byte {
	return obj(member{"via", encode(via)}, member{"state", encode("waiting")},
		member{"seconds", encode(d.Seconds())}, member{"reason", encode(reason)})
}

// listenFirst is how long the next message waits for the listening stream to
// stand, so that nothing is missed that the server says of itself meanwhile.
// Some servers answer a GET only with their first event.
const listenFirst = 300 * time.Millisecond

// listen opens the stream on which the server speaks of itself, keeps it
// open, and returns when the server has answered it, or takes its time.
func (l *httpLink) listen() {
	l.mu.Lock()
	begun := l.listening
	l.listening = true
	l.mu.Unlock()
	if begun || !l.spawn(l.keepListening) {
		return
	}
	timer := time.NewTimer(listenFirst)
	defer timer.Stop()
	select {
	case <-l.heard:
	case <-timer.C:
	case <-l.ctx.Done():
	}
}

func (l *httpLink) keepListening() {
	at := &place{}
	heard := sync.OnceFunc(func() { close(l.heard) })
	defer heard()
	for attempt := 0; ; attempt++ {
		via, resp, err := l.get(l.streams, at)
		heard()
		reason, again := l.listenOn(via, resp, err, at, attempt)
		if l.streams.Err() != nil || !again {
			return
		}
		if at.any {
			attempt = -1
		}
		d := at.wait(max(attempt, 0))
		l.to.Note("stream", waitNote(via, d, reason))
		at.via = via
		if !l.rest(d) {
			return
		}
	}
}

// listenOn reads one GET stream to its end. again tells whether another one
// is to follow.
func (l *httpLink) listenOn(via string, resp *http.Response, err error, at *place, attempt int) (reason string, again bool) {
	at.any = false
	if resp == nil || err != nil {
		if resp != nil {
			_ = resp.Body.Close()
		}
		return l.notListening(via, err, at, attempt)
	}
	defer resp.Body.Close()
	session, _ := l.agreed()
	switch {
	case resp.StatusCode == http.StatusNotFound && session != "":
		l.expired(via, resp)
		return "", false
	case resp.StatusCode >= 500 && resp.StatusCode != http.StatusNotImplemented && attempt < maxAttempts:
		l.show(via, resp, take(resp, maxErrorBody))
		return fmt.Sprintf("the server answered %d", resp.StatusCode), true
	case resp.StatusCode != http.StatusOK || !isEvents(resp):
		// 405: a server may have no such stream.
		if body := take(resp, maxErrorBody); resp.StatusCode != http.StatusMethodNotAllowed {
			l.show(via, resp, body)
		}
		l.to.Note("stream", streamNote(via, "none", resp, "the server offers no listening stream", at.via))
		return "", false
	}
	l.to.Note("stream", streamNote(via, "open", resp, "", at.via))
	err = l.events(via, resp, at)
	if l.streams.Err() != nil {
		return "", false
	}
	reason = "the server ended it"
	if err != nil {
		reason = innermost(err)
	}
	if errors.Is(err, errEndless) {
		reason = err.Error()
	}
	l.to.Note("stream", streamNote(via, "closed", nil, reason, ""))
	return reason, !errors.Is(err, errEndless)
}

// notListening judges an attempt that got no response. Where nothing answers
// twice in a row, the server is gone.
func (l *httpLink) notListening(via string, err error, at *place, attempt int) (reason string, again bool) {
	if l.streams.Err() != nil {
		return "", false
	}
	var known *linkError
	if errors.As(err, &known) && known.gone && attempt > 0 {
		l.finish(End{By: "link", Reason: err.Error()})
		return "", false
	}
	l.to.Note("stream", streamNote(via, "closed", nil, err.Error(), at.via))
	return err.Error(), attempt < maxAttempts
}

// resume takes up the stream of a POST that ended before its answer.
func (l *httpLink) resume(p *post, at *place, because error) {
	via, reason := p.via, cutOff(because)
	for attempt := 0; attempt < maxAttempts; attempt++ {
		d := at.wait(attempt)
		l.to.Note("stream", waitNote(via, d, reason.Error()))
		at.via = via
		if !l.rest(d) {
			return
		}
		var resp *http.Response
		var err error
		if via, resp, err = l.get(l.streams, at); resp == nil || err != nil {
			if resp != nil {
				_ = resp.Body.Close()
			}
			var known *linkError
			if errors.As(err, &known) && known.gone {
				l.fail(p, err)
				return
			}
			reason = err
			continue
		}
		if resp.StatusCode != http.StatusOK || !isEvents(resp) {
			l.refused(p, resp)
			_ = resp.Body.Close()
			return
		}
		l.to.Note("stream", streamNote(via, "resumed", resp, "goes on with "+p.via, at.via))
		err = l.events(via, resp, at)
		_ = resp.Body.Close()
		if !l.waits(p) || l.streams.Err() != nil {
			return
		}
		if errors.Is(err, errEndless) {
			l.fail(p, cutOff(err))
			return
		}
		if reason = cutOff(err); at.any {
			attempt = -1
		}
	}
	l.fail(p, reason)
}
