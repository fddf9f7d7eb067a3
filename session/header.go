package session

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
)

// Header is a header field of the user's own. Its value may be a secret: only
// the name is ever shown or recorded.
type Header struct{ Name, Value string }

// ErrHeader is returned for what is no header field. It does not repeat what
// was given.
var ErrHeader = errors.New("a header is 'Name: value', on one line")

// ParseHeader reads `Name: value`.
func ParseHeader(field string) (Header, error) {
	name, value, ok := strings.Cut(field, ":")
	h := Header{Name: http.CanonicalHeaderKey(strings.TrimSpace(name)), Value: strings.TrimSpace(value)}
	if !ok || h.Name == "" || strings.IndexFunc(h.Name, notOfAName) >= 0 || strings.ContainsAny(h.Value, "\r\n\x00") {
		return Header{}, ErrHeader
	}
	return h, nil
}

// notOfAName reports whether r cannot stand in the name of a header field
// (RFC 9110 §5.6.2, token).
func notOfAName(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("!#$%&'*+-.^_`|~", r)
}

// Host is the name of the machine that an address leads to, or "" where the
// target is none.
func (t Target) Host() string {
	u, err := url.Parse(t.URL)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// Origin is what credentials are good for: kind, scheme and host with port. It is
// "" where the target is no address.
func (t Target) Origin() string {
	u, err := url.Parse(t.URL)
	if err != nil || u.Host == "" {
		return ""
	}
	return strings.ToLower(u.Scheme + "://" + u.Host)
}
