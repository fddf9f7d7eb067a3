package session

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// oauthTimeout bounds each request to an authorization server.
const oauthTimeout = 30 * time.Second

// newOAuthClient makes the requests of an authorization: each is noted, none
// goes without TLS to another machine, no body is longer than it can be.
func newOAuthClient(resource string, note func(string, []byte)) *http.Client {
	return &http.Client{
		Timeout:   oauthTimeout,
		Transport: &oauthTap{resource: resource, note: note},
		CheckRedirect: func(req *http.Request, via []*http.Request) error {
			if len(via) > 5 || via[0].Method != http.MethodGet {
				return errors.New("it redirects where that is not allowed")
			}
			return nil
		},
	}
}

type oauthTap struct {
	resource string
	note     func(string, []byte)
}

// RoundTrip sends one request.
func (o *oauthTap) RoundTrip(req *http.Request) (*http.Response, error) {
	if !secureFor(req.URL, o.resource) {
		return nil, fmt.Errorf("%s is reached without TLS, where others can read along", req.URL.Host)
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	step, address := member{"step", encode(req.Method)}, member{"url", encode(maskedURL(req.URL))}
	if err != nil {
		o.note("auth", obj(step, address, member{"reason", encode(innermost(err))}))
		return nil, err
	}
	body := take(resp, maxErrorBody)
	o.note("auth", obj(step, address, member{"status", encode(resp.StatusCode)}))
	resp.Body = io.NopCloser(bytes.NewReader(body))
	if seen, ok := req.Context().Value(metadataKey{}).(*metadataTap); ok && resp.StatusCode == http.StatusOK {
		seen.look(req.URL, body)
	}
	return resp, nil
}

// secureFor reports whether secrets may be sent to an address: over TLS, on
// this machine, or where the resource itself is reached without.
func secureFor(u *url.URL, resource string) bool {
	if u.Scheme == "https" {
		return true
	}
	if u.Scheme != "http" {
		return false
	}
	if ip := net.ParseIP(u.Hostname()); u.Hostname() == "localhost" || ip != nil && ip.IsLoopback() {
		return true
	}
	r, err := url.Parse(resource)
	return err == nil && originOf(r) == originOf(u)
}

// metadataTap sees which metadata was found, and reads the scopes that a
// resource names off its own (RFC 9728 §2), which the library does not.
type metadataTap struct {
	address string // of the resource's metadata, "": not found
	server  bool   // an authorization server's was found
	scopes  []string
}

type metadataKey struct{}

func (s *metadataTap) look(u *url.URL, body []byte) {
	if wire.Member(body, "issuer") != nil {
		s.server = true
		return
	}
	if wire.Member(body, "resource") == nil && wire.Member(body, "authorization_servers") == nil {
		return
	}
	s.address, s.scopes = u.String(), nil
	wire.EachElement(wire.Member(body, "scopes_supported"), func(v []byte) bool {
		if scope := wire.StringOf(v); scope != "" {
			s.scopes = append(s.scopes, scope)
		}
		return true
	})
}
