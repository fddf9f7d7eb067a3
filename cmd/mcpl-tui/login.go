package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/adrg/xdg"

	"github.com/mcpl-tui/mcpl-tui/session"
	"github.com/mcpl-tui/mcpl-tui/ui"
)

// tokenDir is where tokens are kept that servers gave after a login.
func tokenDir() string { return filepath.Join(xdg.ConfigHome, "mcpl-tui", "tokens") }

// oauth is how somebody logs in where a server wants that; nil: nobody does.
func (f *connectFlags) oauth(t session.Target) (*session.OAuth, error) {
	if f.clientSecretEnv != "" && f.clientID == "" {
		return nil, fmt.Errorf("--client-secret-env %s: give the --client-id that the secret belongs to", f.clientSecretEnv)
	}
	o := &session.OAuth{Dir: tokenDir(), Limit: f.loginWait, ClientID: f.clientID}
	if f.clientSecretEnv != "" {
		if o.ClientSecret = strings.TrimSpace(os.Getenv(f.clientSecretEnv)); o.ClientSecret == "" {
			return nil, fmt.Errorf("--client-secret-env %s: the variable is empty; set it, or give another name", f.clientSecretEnv)
		}
	}
	if f.loginWait <= 0 {
		return nil, nil
	}
	if !f.isFor(t) {
		o.ClientID, o.ClientSecret = "", ""
	}
	return o, nil
}

// tellLogins says on w where to log in, for a command without a screen: the
// address stands alone on its line.
func tellLogins(cfg *session.Config, w io.Writer) {
	if cfg.OAuth == nil {
		return
	}
	host, limit := cfg.Target.Host(), cfg.OAuth.Limit
	cfg.OAuth.Ask = func(l session.Login) {
		if l.URL != "" {
			fmt.Fprintf(w, "mcpl-tui: %s wants you to log in; open this within %s (--login-wait):\n%s\n", oneLine(host), limit, oneLine(l.URL))
		}
	}
}

// asked keeps what a person has to do, for the screen, and passes it on.
func (l *live) asked(login session.Login) {
	l.login.Store(&login)
	if l.tell != nil {
		l.tell(login)
	}
	nudge(l.dirty)
}

// loginOf is the login that is waited for, as the screen has it.
func (l *live) loginOf(started time.Time) ui.Login {
	login := l.login.Load()
	if login == nil || login.URL == "" {
		return ui.Login{}
	}
	return ui.Login{URL: login.URL, Until: login.Until.Sub(started)}
}
