package session

import (
	"strings"
	"testing"
)

func TestAnMCPLAddressIsASecureWebSocket(t *testing.T) {
	for in, want := range map[string]string{
		"mcpl://example.com":          "wss://example.com",
		"mcpl://example.com:8443/x":   "wss://example.com:8443/x",
		"MCPL://h/p?b=2&a=1":          "wss://h/p?b=2&a=1",
		"mcpl://h/x?a=1&a=2":          "wss://h/x?a=1&a=2",
		"mcpl://h/a%2fb":              "wss://h/a%2fb",
		"mcpl://h/%7Euser":            "wss://h/%7Euser",
		"mcpl://localhost/x":          "wss://localhost/x",
		"mcpl://[2001:db8::1]:8443/x": "wss://[2001:db8::1]:8443/x",
		"mcpl://h/x?p=/../y":          "wss://h/x?p=/../y",
		"ws://h:1/a/../b":             "ws://h:1/a/../b",
		"WSS://h/x":                   "wss://h/x",
	} {
		u, err := wsAddress(in)
		if err != nil || u.String() != want {
			t.Errorf("%s is dialled as %v, %v; want %s", in, u, err, want)
		}
	}
}

func TestAnMCPLAddressThatWouldLeadElsewhereIsRefused(t *testing.T) {
	for in, want := range map[string]string{
		"mcpl:///x":             "names no host",
		"mcpl://u:p@h/x":        "no user and password",
		"mcpl://h/x#frag":       "no fragment",
		"mcpl://h/a/../b":       "no . or ..",
		"mcpl://h/a/%2e%2E/b":   "no . or ..",
		"mcpl://h/a/./b":        "no . or ..",
		"mcpl://h/a/.%2e":       "no . or ..",
		"mcpl://h:port/x":       "is no address",
		"http://h/x":            "is no WebSocket",
		"h/x":                   "begins with ws://",
		"ws://u:secret@h o/":    "is no address",
		"ws://:80/":             "is no address",
		"mcpl://?token=secret1": "names no host",
	} {
		_, err := wsAddress(in)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v, want %q", in, err, want)
		}
	}
}
