package session

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/client/transport"
)

// OAuth lets a person log in where a server wants a token that the host does
// not have (MCP, authorization: authorization code with PKCE).
type OAuth struct {
	// Dir is the folder in which tokens are kept, readable by their owner
	// alone; "" keeps them no longer than the session.
	Dir string
	// ClientID and ClientSecret are of a client that was registered with the
	// authorization server by hand; without them the host registers itself.
	ClientID, ClientSecret string
	// Limit is how long the person may take, 0: DefaultLogin.
	Limit time.Duration
	// Ask is called when the person has to open an address in a browser, and
	// with the zero Login when that is over. It does not block.
	Ask func(Login)
}

// Login is what a person has to do in a browser.
type Login struct {
	URL   string // to be opened; it holds nothing that is secret for long
	Until time.Time
}

// DefaultLogin is how long a person may take to log in.
const DefaultLogin = 5 * time.Minute

// maxAuthorizations is how often one request may lead to the person: once
// for a token, once more for a scope that it lacks.
const maxAuthorizations = 2

// oauth gets tokens for one address, and keeps them. It lives as long as the
// session. The protocol is mcp-go's.
type oauth struct {
	cfg      OAuth
	name     string // of the host, for the person who is asked
	resource string
	store    *tokenStore
	asking   atomic.Bool // a person is being waited for

	mu      sync.Mutex // held during an authorization
	handler atomic.Pointer[transport.OAuthHandler]
}

func newOAuth(cfg OAuth, name, address string) (*oauth, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	// The resource's identifier (RFC 8707): without what is not the server's.
	u.User, u.RawQuery, u.Fragment, u.RawFragment = nil, "", "", ""
	u.Scheme, u.Host = strings.TrimPrefix(strings.ToLower(u.Scheme), "sse+"), strings.ToLower(u.Host)
	or(&cfg.Limit, DefaultLogin)
	if cfg.Ask == nil {
		cfg.Ask = func(Login) {}
	}
	return &oauth{cfg: cfg, name: name, resource: u.String(), store: newTokenStore(cfg.Dir, u.String())}, nil
}

// header is the Authorization for the next request, "" where there is no
// token. A token that has run out is renewed.
func (o *oauth) header(ctx context.Context) string {
	h := o.handler.Load()
	if h == nil {
		kept := o.store.load()
		if kept.Token == nil {
			return ""
		}
		h = o.newHandler(kept, nil, func(string, []byte) {})
		o.handler.CompareAndSwap(nil, h)
		h = o.handler.Load()
	}
	value, err := h.GetAuthorizationHeader(ctx)
	if err != nil {
		return "" // the server will say what it wants
	}
	return value
}

// newHandler is mcp-go's part, with what is known of the client.
func (o *oauth) newHandler(kept keptToken, scopes []string, note func(string, []byte)) *transport.OAuthHandler {
	if o.cfg.ClientID != "" {
		kept.ClientID, kept.ClientSecret, kept.AuthMethod = o.cfg.ClientID, o.cfg.ClientSecret, ""
	}
	h := transport.NewOAuthHandler(transport.OAuthConfig{
		ClientID: kept.ClientID, ClientSecret: kept.ClientSecret, TokenEndpointAuthMethod: kept.AuthMethod,
		RedirectURI: kept.redirect, Scopes: scopes, TokenStore: o.store, PKCEEnabled: true,
		ProtectedResourceMetadataURL: kept.Metadata,
		HTTPClient:                   newOAuthClient(o.resource, note),
	})
	h.SetBaseURL(orWord(kept.Base, o.resource))
	return h
}

// wantsAuthorization reports whether a token, or a better one, may help.
func wantsAuthorization(resp *http.Response) bool {
	return resp.StatusCode == http.StatusUnauthorized ||
		resp.StatusCode == http.StatusForbidden && strings.Contains(resp.Header.Get("Www-Authenticate"), "insufficient_scope")
}

// authorize gets a token after a response that wants one. used is what the
// request was sent with. Errors are sentences.
func (o *oauth) authorize(ctx context.Context, resp *http.Response, used string, note func(string, []byte)) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if now := o.header(ctx); now != "" && now != used {
		return nil // another request has got one meanwhile
	}
	if used != "" && resp.StatusCode == http.StatusUnauthorized && o.renew(ctx) {
		authNote(note, "token renewed")
		return nil
	}
	err := o.login(ctx, resp, note)
	switch {
	case err == nil:
		authNote(note, "granted")
		return nil
	case ctx.Err() != nil:
		return errLinkClosing
	}
	authNote(note, "failed", member{"reason", encode(cutText(err.Error()))})
	return &linkError{text: "the server wants you to log in (" + fmt.Sprint(resp.StatusCode) + "), and " + cutText(err.Error()), final: true, ours: true}
}

// renew gets a new token with the refresh token, where there is one.
func (o *oauth) renew(ctx context.Context) bool {
	kept, h := o.store.load(), o.handler.Load()
	if h == nil || kept.Token == nil || kept.Token.RefreshToken == "" {
		return false
	}
	_, err := h.RefreshToken(ctx, kept.Token.RefreshToken)
	return err == nil
}

// login leads the person through the authorization, and keeps the token.
func (o *oauth) login(ctx context.Context, resp *http.Response, note func(string, []byte)) error {
	answers, err := listenForAnswer()
	if err != nil {
		return err
	}
	defer answers.close()
	h, meta, kept, err := o.discover(ctx, resp, answers.address(), note)
	if err != nil {
		return err
	}
	if len(meta.CodeChallengeMethodsSupported) > 0 && !slices.Contains(meta.CodeChallengeMethodsSupported, "S256") {
		return errors.New("its authorization server does not support PKCE, without which codes can be stolen")
	}
	if err := o.register(ctx, h, meta); err != nil {
		return err
	}
	code, state, verifier, err := o.ask(ctx, h, answers, note)
	if err != nil {
		return err
	}
	o.store.client(h, kept)
	if err := h.ProcessAuthorizationResponse(ctx, code, state, verifier); err != nil {
		return fmt.Errorf("no token was given: %w", err)
	}
	o.handler.Store(h)
	return nil
}

// register makes this host known to the authorization server, where the
// person has not done so before.
func (o *oauth) register(ctx context.Context, h *transport.OAuthHandler, meta *transport.AuthServerMetadata) error {
	switch {
	case o.cfg.ClientID != "":
		return nil
	case meta.RegistrationEndpoint == "":
		return errors.New("its authorization server registers no clients: register mcpl-tui there and give its --client-id, or get a token and give it with --token-env")
	}
	if err := h.RegisterClient(ctx, o.name); err != nil {
		return fmt.Errorf("its authorization server did not register this client: %w", err)
	}
	return nil
}

// ask shows the person an address and waits for the answer on the loopback.
func (o *oauth) ask(ctx context.Context, h *transport.OAuthHandler, answers *answerListener, note func(string, []byte)) (code, state, verifier string, err error) {
	if verifier, err = transport.GenerateCodeVerifier(); err != nil {
		return "", "", "", err
	}
	if state, err = transport.GenerateState(); err != nil {
		return "", "", "", err
	}
	address, err := h.GetAuthorizationURL(ctx, state, transport.GenerateCodeChallenge(verifier))
	if err != nil {
		return "", "", "", err
	}
	u, err := url.Parse(address)
	if err != nil {
		return "", "", "", errors.New("its authorization server gave no address to log in at")
	}
	answers.expect(state)
	o.asking.Store(true)
	defer o.asking.Store(false)
	authNote(note, "waiting for you", member{"url", encode(maskedURL(u))}, member{"seconds", encode(o.cfg.Limit.Seconds())})
	o.cfg.Ask(Login{URL: address, Until: time.Now().Add(o.cfg.Limit)})
	defer o.cfg.Ask(Login{})
	timer := time.NewTimer(o.cfg.Limit)
	defer timer.Stop()
	select {
	case a := <-answers.got:
		return a.code, state, verifier, a.err
	case <-timer.C:
		return "", "", "", fmt.Errorf("nobody did within %s; --login-wait changes the limit", o.cfg.Limit)
	case <-ctx.Done():
		return "", "", "", ctx.Err()
	}
}

func authNote(note func(string, []byte), step string, more ...member) {
	note("auth", obj(append([]member{{"step", encode(step)}}, more...)...))
}

// answerListener takes the answer of the authorization server, which the
// person's browser brings to the loopback.
type answerListener struct {
	l     net.Listener
	srv   *http.Server
	state atomic.Pointer[string]
	once  sync.Once
	got   chan authAnswer
}

type authAnswer struct {
	code string
	err  error
}

const callbackPath = "/callback"

func listenForAnswer() (*answerListener, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("this machine gives no port to take the answer on: %w", err)
	}
	a := &answerListener{l: l, got: make(chan authAnswer, 1)}
	a.srv = &http.Server{Handler: a, ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 64 << 10}
	go func() { _ = a.srv.Serve(l) }() // ends with close
	return a, nil
}

func (a *answerListener) address() string { return "http://" + a.l.Addr().String() + callbackPath }

func (a *answerListener) expect(state string) { a.state.Store(&state) }

func (a *answerListener) close() {
	ctx, stop := context.WithTimeout(context.Background(), time.Second)
	defer stop()
	if a.srv.Shutdown(ctx) != nil { // the page is with the browser, or never will be
		_ = a.srv.Close()
	}
}

// ServeHTTP takes the answer that carries the state of this authorization;
// any other is somebody else's.
func (a *answerListener) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	want, q := a.state.Load(), r.URL.Query()
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Referrer-Policy", "no-referrer")
	switch {
	case r.Method != http.MethodGet || r.URL.Path != callbackPath || want == nil:
		w.WriteHeader(http.StatusNotFound)
		return
	case subtle.ConstantTimeCompare([]byte(q.Get("state")), []byte(*want)) != 1:
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprintln(w, "This is not the login that mcpl-tui waits for.")
		return
	}
	answer, text := authAnswer{code: q.Get("code")}, "You are logged in. Go back to mcpl-tui; this page can be closed."
	if why := q.Get("error"); why != "" || answer.code == "" {
		if more := q.Get("error_description"); more != "" {
			why += ", " + more
		}
		answer = authAnswer{err: errors.New("the login was refused: " + cutText(orWord(why, "no code came")))}
		text = "The login was refused. Go back to mcpl-tui; this page can be closed."
	}
	fmt.Fprintln(w, text)
	a.once.Do(func() { a.got <- answer })
}
