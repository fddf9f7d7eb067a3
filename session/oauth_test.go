package session

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// guard is an MCP server that wants tokens, with its authorization server on
// the same machine.
type guard struct {
	*webPeer
	mu      sync.Mutex
	valid   string // the token that is taken now
	given   int    // tokens so far
	expires int    // seconds that a token is good for
	scope   string // asked for by the 401
	noRefresh,
	noRegister, refuse bool
	// where its metadata is, and what it says of the resource
	resourceAt, resource, serverAt string
	advertise                      bool         // the 401 says where
	client, secret                 string       // that it knows without registration
	forms                          []url.Values // of the token endpoint
	authorized                     url.Values   // the last query of the authorization endpoint
}

func newGuard(t testing.TB, set func(*guard)) *guard {
	t.Helper()
	g := &guard{
		expires: 3600, resourceAt: "/.well-known/oauth-protected-resource/mcp", resource: "/mcp",
		serverAt: "/.well-known/oauth-authorization-server", advertise: true,
	}
	g.webPeer = newWebPeer(t, nil)
	if set != nil {
		set(g)
	}
	inner := g.srv.Config.Handler
	mux := http.NewServeMux()
	mux.HandleFunc("/mcp", func(w http.ResponseWriter, r *http.Request) {
		g.mu.Lock()
		ok := g.valid != "" && r.Header.Get("Authorization") == "Bearer "+g.valid
		scope := g.scope
		g.mu.Unlock()
		if !ok {
			said := `Bearer realm="mcp"`
			if g.advertise {
				said = `Bearer resource_metadata="` + g.srv.URL + g.resourceAt + `"`
			}
			w.Header().Set("WWW-Authenticate", said+scope)
			http.Error(w, "log in first", http.StatusUnauthorized)
			return
		}
		inner.ServeHTTP(w, r)
	})
	if g.resourceAt != "" {
		mux.HandleFunc(g.resourceAt, g.object(func() string { return g.protected() }))
	}
	mux.HandleFunc(g.serverAt, g.object(func() string {
		register := `,"registration_endpoint":"` + g.srv.URL + `/register"`
		if g.noRegister {
			register = ""
		}
		return `{"issuer":"` + g.srv.URL + `","authorization_endpoint":"` + g.srv.URL + `/authorize","token_endpoint":"` + g.srv.URL + `/token",` +
			`"response_types_supported":["code"],"token_endpoint_auth_methods_supported":["client_secret_basic","none"],"code_challenge_methods_supported":["S256"]` + register + `}`
	}))
	mux.HandleFunc("/register", g.object(func() string { return `{"client_id":"client-1"}` }))
	mux.HandleFunc("/authorize", g.authorize)
	mux.HandleFunc("/token", g.token)
	g.srv.Config.Handler = mux
	return g
}

// protected is the metadata of the resource (RFC 9728 §2).
func (g *guard) protected() string {
	return `{"resource":"` + g.srv.URL + g.resource + `","authorization_servers":["` + g.srv.URL + `"],"scopes_supported":["read","write"]}`
}

func (g *guard) object(text func() string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, text())
	}
}

func (g *guard) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	g.mu.Lock()
	g.authorized = q
	g.mu.Unlock()
	back := url.Values{"state": {q.Get("state")}, "code": {"code-hunter2"}}
	if g.refuse {
		back = url.Values{"state": {q.Get("state")}, "error": {"access_denied"}, "error_description": {"not you"}}
	}
	http.Redirect(w, r, q.Get("redirect_uri")+"?"+back.Encode(), http.StatusFound)
}

func (g *guard) token(w http.ResponseWriter, r *http.Request) {
	_ = r.ParseForm()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.forms = append(g.forms, r.PostForm)
	challenge := sha256.Sum256([]byte(r.PostForm.Get("code_verifier")))
	switch {
	case r.PostForm.Get("grant_type") == "authorization_code" &&
		(r.PostForm.Get("code") != "code-hunter2" || base64.RawURLEncoding.EncodeToString(challenge[:]) != g.authorized.Get("code_challenge")),
		r.PostForm.Get("grant_type") == "refresh_token" && g.noRefresh:
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"error":"invalid_grant"}`)
		return
	}
	if id, secret, _ := r.BasicAuth(); g.client != "" && (id != g.client || secret != g.secret) {
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = io.WriteString(w, `{"error":"invalid_client"}`)
		return
	}
	g.given++
	g.valid = fmt.Sprintf("token-hunter2-%d", g.given)
	w.Header().Set("Content-Type", "application/json")
	_, _ = fmt.Fprintf(w, `{"access_token":%q,"token_type":"bearer","refresh_token":"refresh-hunter2","expires_in":%d}`, g.valid, g.expires)
}

// person is who logs in: it opens what it is asked to.
type person struct {
	mu    sync.Mutex
	asked []Login
	work  sync.WaitGroup
}

func (p *person) ask(l Login) {
	p.mu.Lock()
	p.asked = append(p.asked, l)
	p.mu.Unlock()
	if l.URL != "" {
		p.work.Go(func() {
			if resp, err := http.Get(l.URL); err == nil {
				_, _ = io.Copy(io.Discard, resp.Body)
				_ = resp.Body.Close()
			}
		})
	}
}

// times is how often the person was asked.
func (p *person) times() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := 0
	for _, l := range p.asked {
		if l.URL != "" {
			n++
		}
	}
	return n
}

func loggingIn(p *person, dir string) option {
	return func(c *Config) { c.OAuth = &OAuth{Dir: dir, Ask: p.ask} }
}

func TestAPersonLogsInAndTheTokenIsKeptForTheNextTime(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tokens")
	g, p := newGuard(t, nil), &person{}
	s, frames := ready(t, at(KindHTTP, g.srv.URL+"/mcp"), loggingIn(p, dir))
	goesOn(t, s)
	p.work.Wait()
	if p.times() != 1 || len(p.asked) != 2 || p.asked[1].URL != "" {
		t.Errorf("the person was asked %+v", p.asked)
	}
	q := g.authorized
	for name, want := range map[string]string{
		"client_id": "client-1", "code_challenge_method": "S256", "resource": g.srv.URL + "/mcp", "scope": "read write", "response_type": "code",
	} {
		if q.Get(name) != want {
			t.Errorf("%s is %q, want %q", name, q.Get(name), want)
		}
	}
	if u, err := url.Parse(q.Get("redirect_uri")); err != nil || u.Hostname() != "127.0.0.1" {
		t.Errorf("the answer is to come to %s", q.Get("redirect_uri"))
	}
	if f := g.forms[0]; f.Get("resource") != g.srv.URL+"/mcp" {
		t.Errorf("the token was asked for with %v", f)
	}
	for _, f := range frames.all() {
		if strings.Contains(fmt.Sprintf("%s %s %s", f.Data, f.HTTP, f.Body), "hunter2") || strings.Contains(string(f.Data), q.Get("state")) {
			t.Errorf("a secret is recorded: %s %s", f.Data, f.HTTP)
		}
	}
	frames.wait(t, "the wait", noteHas("auth", `"step":"waiting for you"`))
	s.Close(context.Background())

	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(files) != 1 {
		t.Fatalf("%v are kept", files)
	}
	if info, err := os.Stat(files[0]); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	again := &person{}
	s, _ = ready(t, at(KindHTTP, g.srv.URL+"/mcp"), loggingIn(again, dir))
	goesOn(t, s)
	if again.times() != 0 {
		t.Errorf("the person was asked again")
	}
}

func TestATokenThatWasTakenBackIsRenewedWithoutThePerson(t *testing.T) {
	g, p := newGuard(t, nil), &person{}
	s, frames := ready(t, at(KindHTTP, g.srv.URL+"/mcp"), loggingIn(p, ""))
	g.mu.Lock()
	g.valid = "another"
	g.mu.Unlock()
	goesOn(t, s)
	frames.wait(t, "the note", noteHas("auth", "token renewed"))
	if p.times() != 1 {
		t.Errorf("the person was asked %d times", p.times())
	}
	if f := g.forms[len(g.forms)-1]; f.Get("grant_type") != "refresh_token" || f.Get("refresh_token") != "refresh-hunter2" {
		t.Errorf("it was renewed with %v", f)
	}
}

func TestWhereATokenCannotBeRenewedThePersonIsAskedAgain(t *testing.T) {
	g, p := newGuard(t, func(g *guard) { g.noRefresh = true }), &person{}
	s, _ := ready(t, at(KindHTTP, g.srv.URL+"/mcp"), loggingIn(p, ""))
	g.mu.Lock()
	g.valid = "another"
	g.mu.Unlock()
	goesOn(t, s)
	if p.times() != 2 {
		t.Errorf("the person was asked %d times", p.times())
	}
}

func TestTheScopeThatTheServerAsksForIsTheOneThatIsAskedFor(t *testing.T) {
	g, p := newGuard(t, func(g *guard) { g.scope = `, scope="admin"` }), &person{}
	ready(t, at(KindHTTP, g.srv.URL+"/mcp"), loggingIn(p, ""))
	if got := g.authorized.Get("scope"); got != "admin" {
		t.Errorf("the scope is %q", got)
	}
}

func TestTheAuthorizationServerIsFoundWhereverItIsTold(t *testing.T) {
	const root = "/.well-known/oauth-protected-resource"
	for name, set := range map[string]func(*guard){
		"as the 401 says":                  func(g *guard) { g.resourceAt = "/elsewhere" },
		"at the path of the resource":      func(g *guard) { g.advertise = false },
		"at the root, of the resource":     func(g *guard) { g.advertise, g.resourceAt = false, root },
		"at the root, of the whole server": func(g *guard) { g.advertise, g.resourceAt, g.resource = false, root, "" },
		"openid, of the whole server": func(g *guard) {
			g.advertise, g.resourceAt, g.resource, g.serverAt = false, root, "", "/.well-known/openid-configuration"
		},
		"its own alone, revision 2025-03-26": func(g *guard) { g.advertise, g.resourceAt = false, "" },
		"nowhere, revision 2025-03-26":       func(g *guard) { g.advertise, g.resourceAt, g.serverAt = false, "", "/nowhere" },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			g, p := newGuard(t, set), &person{}
			s, _ := ready(t, at(KindHTTP, g.srv.URL+"/mcp"), loggingIn(p, dir))
			goesOn(t, s)
			s.Close(context.Background())
			// Another start renews the token there too.
			g.mu.Lock()
			g.valid = "another"
			g.mu.Unlock()
			again := &person{}
			s, _ = ready(t, at(KindHTTP, g.srv.URL+"/mcp"), loggingIn(again, dir))
			goesOn(t, s)
			if p.times() != 1 || again.times() != 0 {
				t.Errorf("the person was asked %d times, then %d", p.times(), again.times())
			}
		})
	}
}

func TestMetadataOfAnotherResourceIsNotBelieved(t *testing.T) {
	for name, advertise := range map[string]bool{"advertised": true, "at its path": false} {
		t.Run(name, func(t *testing.T) {
			g, p := newGuard(t, func(g *guard) { g.advertise, g.resource = advertise, "/another" }), &person{}
			s, _ := open(t, at(KindHTTP, g.srv.URL+"/mcp"), loggingIn(p, ""))
			if err := s.WaitReady(t.Context()); err == nil || !strings.Contains(err.Error(), "/another") || p.times() != 0 {
				t.Errorf("%v, and the person was asked %d times", err, p.times())
			}
		})
	}
}

func TestAClientThatWasRegisteredByHandIsNotRegisteredAgain(t *testing.T) {
	g, p := newGuard(t, func(g *guard) { g.noRegister, g.client, g.secret = true, "client-by-hand", "secret-hunter2" }), &person{}
	s, frames := ready(t, at(KindHTTP, g.srv.URL+"/mcp"), func(c *Config) {
		c.OAuth = &OAuth{Ask: p.ask, ClientID: "client-by-hand", ClientSecret: "secret-hunter2"}
	})
	goesOn(t, s)
	if got := g.authorized.Get("client_id"); got != "client-by-hand" {
		t.Errorf("the client is %q", got)
	}
	for _, f := range frames.all() {
		if strings.Contains(fmt.Sprintf("%s %s %s", f.Data, f.HTTP, f.Body), "hunter2") {
			t.Errorf("a secret is recorded: %s %s", f.Data, f.HTTP)
		}
	}
}

func TestALoginThatFailsEndsTheStartWithASentence(t *testing.T) {
	quiet := func(c *Config) { c.OAuth = &OAuth{Limit: 20 * time.Millisecond} }
	for name, c := range map[string]struct {
		set  func(*guard)
		opt  option
		want string
	}{
		"refused":         {func(g *guard) { g.refuse = true }, loggingIn(&person{}, ""), "the login was refused: access_denied, not you"},
		"nobody":          {nil, quiet, "nobody did within 20ms; --login-wait changes the limit"},
		"no registration": {func(g *guard) { g.noRegister = true }, quiet, "registers no clients: register mcpl-tui there and give its --client-id, or get a token"},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGuard(t, c.set)
			s, frames := open(t, at(KindHTTP, g.srv.URL+"/mcp"), c.opt)
			if err := s.WaitReady(t.Context()); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
			frames.wait(t, "the body of the 401", has(wire.In, "log in first"))
			frames.wait(t, "the end", noteIs("closed"))
		})
	}
}

func TestWhileAPersonLogsInTheTimeOfARequestDoesNotRun(t *testing.T) {
	g, late := newGuard(t, nil), &person{}
	s, frames := ready(t, at(KindHTTP, g.srv.URL+"/mcp"), func(c *Config) {
		c.Timeout = 2 * time.Second
		c.OAuth = &OAuth{Ask: func(l Login) {
			if l.URL != "" {
				time.AfterFunc(3*time.Second, func() { late.ask(l) })
			}
		}}
	})
	if n := count(frames.all(), noteIs("timeout")); n > 0 {
		t.Errorf("%d requests timed out:\n%s", n, dump(frames.all()))
	}
	s.Close(context.Background())
	late.work.Wait()
}

func TestCredentialsOfTheUserKeepThePersonFromBeingAsked(t *testing.T) {
	g, p := newGuard(t, nil), &person{}
	for name, o := range map[string]option{
		"a token":  func(c *Config) { c.Token = "wrong" },
		"a header": func(c *Config) { c.Header = []Header{{"Authorization", "Bearer wrong"}} },
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := open(t, at(KindHTTP, g.srv.URL+"/mcp"), loggingIn(p, ""), o)
			if err := s.WaitReady(t.Context()); err == nil || !strings.Contains(err.Error(), "the server answered 401 Unauthorized: log in first") {
				t.Errorf("%v", err)
			}
		})
	}
	if p.times() != 0 {
		t.Errorf("the person was asked %d times", p.times())
	}
}

func TestAnAnswerThatIsNotForThisLoginIsNotTaken(t *testing.T) {
	a, err := listenForAnswer()
	if err != nil {
		t.Fatal(err)
	}
	defer a.close()
	get := func(query string) int {
		t.Helper()
		resp, err := http.Get(a.address() + query)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		return resp.StatusCode
	}
	if got := get("?state=&code=x"); got != http.StatusNotFound {
		t.Errorf("before anything is waited for: %d", got)
	}
	a.expect("right")
	for _, query := range []string{"?state=wrong&code=x", "?code=x", "/more?state=right&code=x"} {
		if got := get(query); got == http.StatusOK {
			t.Errorf("%s is taken", query)
		}
	}
	select {
	case got := <-a.got:
		t.Fatalf("%+v came", got)
	default:
	}
	if got := get("?state=right&code=x"); got != http.StatusOK {
		t.Errorf("the right one: %d", got)
	}
	if got := <-a.got; got.code != "x" || got.err != nil {
		t.Errorf("%+v", got)
	}
}

func TestSecretsGoOnlyWhereNobodyCanReadAlong(t *testing.T) {
	for address, want := range map[string]bool{
		"https://a.example/x": true, "http://127.0.0.1:1/": true, "http://[::1]:1/": true, "http://localhost/": true,
		"http://a.example/x": false, "http://r.example/other": true, "http://127.evil.example/": false, "ftp://a": false,
	} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		if got := secureFor(u, "http://r.example/mcp"); got != want {
			t.Errorf("%s: %v", address, got)
		}
	}
}

func TestATokenOfAnotherAddressIsNotTaken(t *testing.T) {
	dir := t.TempDir()
	a := newTokenStore(dir, "https://a.example/mcp")
	if err := a.SaveToken(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(keptToken{Resource: "https://b.example/mcp", ClientID: "x"})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(a.path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := newTokenStore(dir, "https://a.example/mcp").load(); got.ClientID != "" {
		t.Errorf("%+v", got)
	}
}
