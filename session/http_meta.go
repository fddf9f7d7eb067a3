package session

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// mask stands where a secret was, as in a recording's header.
const mask = "***"

const (
	maxHeaders     = 64      // header fields that are kept of a response
	maxHeaderValue = 1 << 10 // bytes of each
)

// metaOf is the member "http" of a frame: status and headers of a response,
// without secrets (outputs.md).
func metaOf(resp *http.Response) []byte {
	return encode(struct {
		Status  int               `json:"status"`
		Headers map[string]string `json:"headers"`
	}{resp.StatusCode, headersOf(resp.Header)})
}

// eventMeta is the same for an event that follows the first one of a stream:
// what is new is its name and its id.
func eventMeta(status int, e sseEvent) []byte {
	if e.id == "" && (e.name == "" || e.name == "message") {
		return nil
	}
	return encode(struct {
		Status int    `json:"status"`
		Event  string `json:"event,omitempty"`
		ID     string `json:"id,omitempty"`
	}{status, short(e.name), short(e.id)})
}

func headersOf(h http.Header) map[string]string {
	names := make([]string, 0, len(h))
	for name := range h {
		names = append(names, name)
	}
	slices.Sort(names)
	out := map[string]string{}
	for _, name := range names[:min(len(names), maxHeaders)] {
		out[name] = short(maskedHeader(name, strings.Join(h[name], ", ")))
	}
	return out
}

func short(s string) string {
	if len(s) > maxHeaderValue {
		return s[:maxHeaderValue] + "…"
	}
	return s
}

// secretParts are parts of the names of header fields and query parameters
// whose values are nobody's business.
var secretParts = []string{"auth", "cookie", "token", "secret", "key", "session", "password", "credential", "signature", "code"}

func maskedHeader(name, value string) string {
	lower := strings.ToLower(name)
	switch lower {
	case "mcp-session-id":
		return maskedID(value)
	case "location", "content-location", "link":
		if u, err := url.Parse(value); err == nil && lower != "link" {
			return maskedURL(u)
		}
		return mask
	case "www-authenticate", "content-encoding":
		return value
	}
	for _, part := range secretParts {
		if strings.Contains(lower, part) {
			return mask
		}
	}
	return value
}

// maskedID shows enough of a session's id to tell two apart.
func maskedID(id string) string {
	const shown = 4
	if len(id) < 4*shown {
		return mask
	}
	return id[:shown] + mask
}

// maskedURL is an address without what may be secret in it: user, password,
// the values of its query, and the fragment.
func maskedURL(u *url.URL) string {
	m := *u
	m.User, m.Fragment, m.RawFragment = nil, "", ""
	if m.RawQuery != "" {
		var names []string
		for name := range m.Query() {
			names = append(names, url.QueryEscape(name)+"="+mask)
		}
		slices.Sort(names)
		m.RawQuery = strings.Join(names, "&")
	}
	return short(m.String())
}

const (
	maxErrorBody = 1 << 20 // bytes that are kept of a body with an error
	maxQuoted    = 200     // bytes of it that a sentence quotes
)

// statusError says that a server refused a request, and with which words.
func statusError(resp *http.Response, body []byte) *linkError {
	text := fmt.Sprintf("the server answered %d %s", resp.StatusCode, http.StatusText(resp.StatusCode))
	if said := quoted(body); said != "" {
		text += ": " + said
	}
	if resp.StatusCode == http.StatusUnauthorized {
		if how := resp.Header.Get("Www-Authenticate"); how != "" {
			text += "; WWW-Authenticate: " + cutText(how)
		}
		text += "; --token-env NAME sends a token, --header another credential"
	}
	return &linkError{text: text, final: finalStatus(resp.StatusCode)}
}

// finalStatus reports whether the same request would be refused again: it is
// the host that has to change something.
func finalStatus(code int) bool {
	switch code {
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
		return false
	}
	return code >= 400 && code < 500
}

// quoted is what a body says, for a sentence: the message of a JSON-RPC or
// OAuth error, else its beginning on one line.
func quoted(body []byte) string {
	if wire.Valid(body) {
		for _, path := range [][]string{{"error", "message"}, {"error_description"}, {"message"}, {"error"}} {
			if s := wire.StringOf(wire.Path(body, path...)); s != "" {
				return cutText(s)
			}
		}
	}
	return cutText(strings.Join(strings.Fields(strings.ToValidUTF8(string(body[:min(len(body), 4*maxQuoted)]), "\uFFFD")), " "))
}

func cutText(s string) string {
	return strings.ToValidUTF8(cut([]byte(s), maxQuoted), "")
}
