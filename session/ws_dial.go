package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/coder/websocket"
)

// The ways in which a token travels to a WebSocket (mcpl-host.md,
// "Transports"). The draft prescribes none; each server has its own.
const (
	TokenQuery       = "query"       // ?token=…
	TokenSubprotocol = "subprotocol" // the token is offered as a subprotocol
	TokenHeader      = "header"      // Authorization: Bearer …
	TokenMessage     = "message"     // a message before initialize
)

// TokenWays are all of them, the default first.
var TokenWays = []string{TokenQuery, TokenSubprotocol, TokenHeader, TokenMessage}

// maxRedirects is how often a server may send the host elsewhere on its own
// origin.
const maxRedirects = 5

// wsDial is how a WebSocket is opened.
type wsDial struct {
	target  string // as the user gave it
	header  []Header
	token   string
	tokenAs string // one of TokenWays, "": the first
	timeout time.Duration
}

func (d *wsDial) way() string {
	switch {
	case d.token == "":
		return ""
	case d.tokenAs == "":
		return TokenWays[0]
	}
	return d.tokenAs
}

// request returns the address that is dialled, and what goes with it.
func (d *wsDial) request() (*url.URL, *websocket.DialOptions, error) {
	u, err := wsAddress(d.target)
	if err != nil {
		return nil, nil, err
	}
	opts := &websocket.DialOptions{HTTPHeader: http.Header{}}
	if u.User != nil {
		r := http.Request{Header: opts.HTTPHeader}
		password, _ := u.User.Password()
		r.SetBasicAuth(u.User.Username(), password)
		u.User = nil
	}
	for _, h := range d.header {
		if h.Name == "Sec-Websocket-Protocol" {
			for p := range strings.SplitSeq(h.Value, ",") {
				opts.Subprotocols = append(opts.Subprotocols, strings.TrimSpace(p))
			}
			continue
		}
		opts.HTTPHeader.Add(h.Name, h.Value)
	}
	switch d.way() {
	case TokenQuery:
		// Appended: what the user wrote stays as it is, order included.
		if u.RawQuery != "" {
			u.RawQuery += "&"
		}
		u.RawQuery += "token=" + url.QueryEscape(d.token)
	case TokenSubprotocol:
		if strings.IndexFunc(d.token, notOfAName) >= 0 {
			return nil, nil, fmt.Errorf("the token has characters that a subprotocol cannot have: send it with --token-as header or query")
		}
		opts.Subprotocols = append(opts.Subprotocols, d.token)
	case TokenHeader:
		opts.HTTPHeader.Set("Authorization", "Bearer "+d.token)
	}
	return u, opts, nil
}

// dial opens the connection. pinged is asked whether to answer a ping at
// once.
func (d *wsDial) dial(ctx context.Context, pinged func(context.Context, []byte) bool) (*websocket.Conn, *wsSocket, error) {
	u, opts, err := d.request()
	if err != nil {
		return nil, nil, Final(err)
	}
	tap := &upgrade{RoundTripper: http.DefaultTransport}
	var elsewhere *url.URL
	opts.HTTPClient = &http.Client{Transport: tap, CheckRedirect: func(req *http.Request, via []*http.Request) error {
		// Who is named in the address is who gets the credentials, and who
		// is spoken to: another origin is the user's decision.
		if first := via[0].URL; req.URL.Scheme != first.Scheme || req.URL.Host != first.Host {
			elsewhere = req.URL
			return http.ErrUseLastResponse
		}
		if len(via) > maxRedirects {
			return fmt.Errorf("it redirects more than %d times", maxRedirects)
		}
		return nil
	}}
	opts.OnPingReceived = pinged
	within, stop := context.WithTimeout(ctx, d.timeout)
	defer stop()
	ws, resp, err := websocket.Dial(within, u.String(), opts)
	switch {
	case err == nil:
		return ws, tap.sock, nil
	case elsewhere != nil:
		return nil, nil, Final(fmt.Errorf("%s redirects to %s, another server, which is not followed: connect to that one if you trust it",
			u.Host, elsewhere.Host))
	case resp != nil && resp.StatusCode != http.StatusSwitchingProtocols:
		return nil, nil, refused(resp)
	case resp != nil:
		return nil, nil, Final(fmt.Errorf("%s is no WebSocket as it should be: %s", u.Host, innermost(err)))
	case within.Err() != nil && ctx.Err() == nil:
		return nil, nil, fmt.Errorf("%s did not open a WebSocket within %s; --timeout changes the limit", u.Host, d.timeout)
	}
	return nil, nil, lasting((&web{target: u}).failure(ctx, err))
}

// refused tells what a server answered that did not open a WebSocket.
func refused(resp *http.Response) error {
	e := statusError(resp, take(resp, maxErrorBody)) // the library keeps 1 KiB of it
	e.text += ", and opened no WebSocket"
	switch resp.StatusCode {
	case http.StatusUnauthorized, http.StatusForbidden:
		e.text += "; --token-as says how a token is sent"
	case http.StatusNotFound:
		e.text += "; check the path of the address"
	}
	e.final = e.final || resp.StatusCode < 400
	return lasting(e)
}

// innermost returns the words of the first cause: those around it repeat the
// address, which may hold a secret.
func innermost(err error) string {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err.Error()
		}
		err = inner
	}
}

// introduce sends the token as the first message, where that is how it
// travels. It is the one message that is not recorded, because it is a
// secret; the note "connected" tells that it was sent.
func (l *wsLink) introduce(ctx context.Context) (json.RawMessage, error) {
	about := struct {
		Subprotocol string `json:"subprotocol,omitempty"`
		TokenAs     string `json:"token_as,omitempty"`
	}{TokenAs: l.way()}
	if p := l.ws.Subprotocol(); p != l.token {
		about.Subprotocol = p
	}
	if l.way() == TokenMessage {
		msg := encode(struct {
			Type  string `json:"type"`
			Token string `json:"token"`
		}{"auth", l.token})
		ctx, stop := context.WithTimeout(ctx, l.timeout)
		defer stop()
		if err := l.ws.Write(ctx, websocket.MessageText, msg); err != nil {
			return nil, fmt.Errorf("the token could not be sent as the first message: %s", innermost(err))
		}
	}
	return encode(about), nil
}
