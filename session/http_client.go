package session

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"time"
)

// The time limits of HTTP. An answer has none here: a call may take as long
// as the session lets it.
const (
	dialLimit = 10 * time.Second
	tlsLimit  = 10 * time.Second
)

// aliveness finds out that the machine at the other end is gone, within about
// a minute, while nothing is sent.
var aliveness = net.KeepAliveConfig{Enable: true, Idle: 15 * time.Second, Interval: 15 * time.Second, Count: 3}

// linkError says all that is to be said of why nothing can be exchanged with
// a server.
type linkError struct {
	text   string
	gone   bool // nothing answers at that address
	broken bool // the connection broke: perhaps nothing answers any more
	final  bool // another try would end the same way
	ours   bool // the host decided so, or the way there fails: not the server
}

// by is whose doing it is: server or link.
func (e *linkError) by() string {
	if e.gone || e.ours {
		return "link"
	}
	return "server"
}

// Error implements error.
func (e *linkError) Error() string { return e.text }

// web makes the HTTP requests of a link: with the user's headers and
// credentials, which never go to another origin, and with bodies as they
// came.
type web struct {
	target *url.URL // without user and password
	header []Header
	basic  string // Authorization of the user and password in the address
	token  string
	agent  string
	auth   *oauth // nil: none
	limit  int    // the longest message, in bytes
	note   func(name string, data []byte)
	client *http.Client
}

func newWeb(cfg Config, address string, limit int) (*web, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return nil, targetError("the address lacks a host")
	}
	u.Scheme = strings.ToLower(u.Scheme)
	w := &web{
		target: u, header: cfg.Header, token: cfg.Token, limit: limit,
		auth: cfg.auth, agent: strings.TrimSuffix(cfg.ClientName+"/"+cfg.ClientVersion, "/"),
		note: func(string, []byte) {},
	}
	if u.User != nil {
		r := http.Request{Header: http.Header{}}
		password, _ := u.User.Password()
		r.SetBasicAuth(u.User.Username(), password)
		w.basic = r.Header.Get("Authorization")
		u.User = nil
	}
	w.client = &http.Client{
		Transport: &http.Transport{
			Proxy:                 http.ProxyFromEnvironment,
			DialContext:           (&net.Dialer{Timeout: dialLimit, KeepAliveConfig: aliveness}).DialContext,
			TLSHandshakeTimeout:   tlsLimit,
			ExpectContinueTimeout: time.Second,
			ForceAttemptHTTP2:     true,
			MaxIdleConnsPerHost:   16,
			IdleConnTimeout:       30 * time.Second,
			DisableCompression:    true, // not asked for: what comes is what was sent
		},
		CheckRedirect: w.redirected,
	}
	return w, nil
}

// close lets go of the connections that are kept for later.
func (w *web) close() { w.client.CloseIdleConnections() }

// webRequest is one request.
type webRequest struct {
	method string
	url    *url.URL
	body   []byte
	header http.Header
	wrote  func() // called when all of it was written, nil: nobody wants to know
}

// do sends a request; what it returns, if no error, has a body to be closed,
// already unpacked. A 401 leads to the user, once, where that can help.
func (w *web) do(ctx context.Context, r webRequest) (*http.Response, error) {
	for attempt := 0; ; attempt++ {
		used := w.authorization(ctx)
		resp, err := w.once(ctx, r, used)
		if err != nil {
			return nil, w.failure(ctx, err)
		}
		if w.auth == nil || attempt == maxAuthorizations || !wantsAuthorization(resp) || attempt > 0 && resp.StatusCode == http.StatusUnauthorized {
			return resp, nil
		}
		body := take(resp, maxErrorBody)
		if err := w.auth.authorize(ctx, resp, used, w.note); err != nil {
			resp.Body = io.NopCloser(bytes.NewReader(body))
			return resp, err
		}
	}
}

// authorization is what a request is sent with, where the user gave nothing.
func (w *web) authorization(ctx context.Context) string {
	if w.auth == nil {
		return ""
	}
	return w.auth.header(ctx)
}

func (w *web) once(ctx context.Context, r webRequest, authorization string) (*http.Response, error) {
	if r.wrote != nil {
		ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
			WroteRequest: func(httptrace.WroteRequestInfo) { r.wrote() },
		})
	}
	var body io.Reader
	if r.body != nil {
		body = bytes.NewReader(r.body)
	}
	req, err := http.NewRequestWithContext(ctx, r.method, r.url.String(), body)
	if err != nil {
		return nil, err
	}
	for name, values := range r.header {
		req.Header[name] = values
	}
	req.Header.Set("User-Agent", w.agent)
	w.identify(req, authorization)
	resp, err := w.client.Do(req)
	if err != nil {
		return nil, err
	}
	resp.Body = unpacked(resp)
	return resp, nil
}

// identify adds what the user gave for this origin, and for no other.
func (w *web) identify(req *http.Request, authorization string) {
	if originOf(req.URL) != originOf(w.target) {
		return
	}
	switch {
	case w.token != "":
		authorization = "Bearer " + w.token
	case authorization == "":
		authorization = w.basic
	}
	if authorization != "" {
		req.Header.Set("Authorization", authorization)
	}
	for _, h := range w.header {
		if h.Name == "Host" {
			req.Host = h.Value
		}
		req.Header.Set(h.Name, h.Value)
	}
}

func originOf(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[strings.ToLower(u.Scheme)]
	}
	return strings.ToLower(u.Scheme + "://" + u.Hostname() + ":" + port)
}

// foreignHeaders are all that another origin is told.
var foreignHeaders = []string{"Accept", "Content-Type", "User-Agent", "Mcp-Protocol-Version"}

// redirected decides about a redirect. It is followed where the message goes
// along; another origin gets no credentials, and none once it was left.
func (w *web) redirected(req *http.Request, via []*http.Request) error {
	status := req.Response.StatusCode
	to := maskedURL(req.URL)
	w.note("redirect", encode(map[string]any{"status": status, "from": maskedURL(via[len(via)-1].URL), "to": to}))
	switch {
	case len(via) >= 10:
		return &linkError{text: "the server redirects in a circle", final: true}
	case req.Method != via[0].Method:
		return &linkError{text: fmt.Sprintf("the server redirects to %s with %d, which loses the message: connect to that address", to, status), final: true}
	case via[0].URL.Scheme == "https" && req.URL.Scheme != "https":
		return &linkError{text: fmt.Sprintf("the server redirects from https to %s, where others can read along: that is not followed", to), final: true, ours: true}
	}
	req.Header.Del("Referer")
	foreign := originOf(req.URL) != originOf(w.target)
	for _, r := range via {
		foreign = foreign || originOf(r.URL) != originOf(w.target)
	}
	if !foreign {
		return nil
	}
	kept := http.Header{}
	for _, name := range foreignHeaders {
		if v := req.Header.Values(name); len(v) > 0 {
			kept[name] = v
		}
	}
	req.Header, req.Host = kept, ""
	return nil
}

// failure puts in a sentence why a request got no answer. It names no
// address but the machine's.
func (w *web) failure(ctx context.Context, err error) error {
	var known *linkError
	if errors.As(err, &known) {
		return known
	}
	if ctx.Err() != nil {
		return errLinkClosing
	}
	var outer *url.Error
	if errors.As(err, &outer) {
		err = outer.Err
	}
	host := w.target.Host
	var (
		dns       *net.DNSError
		op        *net.OpError
		record    tls.RecordHeaderError
		authority x509.UnknownAuthorityError
		cert      *tls.CertificateVerificationError
	)
	switch {
	case errors.As(err, &dns):
		return &linkError{text: fmt.Sprintf("there is no machine %s: check the address", dns.Name), gone: true}
	case errors.As(err, &record), errors.Is(err, http.ErrSchemeMismatch):
		plain := map[string]string{"https": "http", "wss": "ws"}[w.target.Scheme]
		return &linkError{text: host + " does not speak TLS: try the address with " + plain + "://", final: true, ours: true}
	case errors.As(err, &authority):
		return &linkError{text: "the certificate of " + host + " is signed by nobody that this machine trusts", final: true, ours: true}
	case errors.As(err, &cert):
		return &linkError{text: fmt.Sprintf("the certificate of %s is not valid: %s", host, cert.Err), final: true, ours: true}
	case errors.As(err, &op) && op.Op == "dial" && op.Timeout():
		return &linkError{text: fmt.Sprintf("%s did not take the connection within %s", host, dialLimit), gone: true}
	case errors.As(err, &op) && op.Op == "dial":
		return &linkError{text: fmt.Sprintf("nothing answers at %s (%s): check that the server runs", host, innermost(op)), gone: true}
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return &linkError{text: "the server closed the connection before it answered", broken: true}
	}
	return &linkError{text: fmt.Sprintf("%s could not be asked: %s", host, innermost(err)), broken: true}
}

// reach looks whether anything still takes connections at the address. Behind a proxy
// that cannot be seen.
func (w *web) reach(ctx context.Context) error {
	if proxy, err := http.ProxyFromEnvironment(&http.Request{URL: w.target}); proxy != nil || err != nil {
		return nil
	}
	_, port, _ := strings.Cut(strings.TrimPrefix(originOf(w.target), w.target.Scheme+"://"+w.target.Hostname()), ":")
	c, err := (&net.Dialer{Timeout: dialLimit}).DialContext(ctx, "tcp", net.JoinHostPort(w.target.Hostname(), port))
	if err != nil {
		return w.failure(ctx, err)
	}
	return c.Close()
}

// unpacked is the body of a response without its Content-Encoding, which was
// not asked for and may come all the same.
func unpacked(resp *http.Response) io.ReadCloser {
	switch coding := strings.ToLower(resp.Header.Get("Content-Encoding")); coding {
	case "gzip", "x-gzip":
		return &unpacker{body: resp.Body, open: func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }}
	case "deflate":
		return &unpacker{body: resp.Body, open: func(r io.Reader) (io.Reader, error) { return zlib.NewReader(r) }}
	default:
		return resp.Body
	}
}

// unpacker unpacks a body; it reads nothing before it is read.
type unpacker struct {
	body io.ReadCloser
	open func(io.Reader) (io.Reader, error)
	r    io.Reader
}

// Read reads unpacked bytes.
func (u *unpacker) Read(p []byte) (int, error) {
	if u.r == nil {
		r, err := u.open(u.body)
		if err != nil {
			return 0, err
		}
		u.r = r
	}
	return u.r.Read(p)
}

// Close closes the body.
func (u *unpacker) Close() error { return u.body.Close() }

// take reads at most n bytes of a body and closes it.
func take(resp *http.Response, n int64) []byte {
	defer resp.Body.Close()
	b, _ := io.ReadAll(io.LimitReader(resp.Body, n)) // what came is what there is
	return b
}
