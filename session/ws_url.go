package session

import (
	"fmt"
	"net/url"
	"strings"
)

// wsAddress returns the address that is dialled for a target of kind ws. An
// mcpl:// address is always a secure one, and a few of its forms, which would
// lead elsewhere than they seem to, are refused (mcpl-host.md, "Transports").
func wsAddress(target string) (*url.URL, error) {
	scheme, rest, ok := strings.Cut(target, "://")
	if !ok {
		return nil, fmt.Errorf("the address of a WebSocket begins with ws://, wss:// or mcpl://")
	}
	isMCPL := strings.EqualFold(scheme, "mcpl")
	if isMCPL {
		if err := checkMCPL(rest); err != nil {
			return nil, err
		}
		scheme = "wss"
	}
	u, err := url.Parse(strings.ToLower(scheme) + "://" + rest)
	switch {
	case err != nil || u.Hostname() == "":
		return nil, fmt.Errorf("what follows %s:// is no address: write it as in %s://host:port/path", scheme, scheme)
	case u.Scheme != "ws" && u.Scheme != "wss":
		return nil, fmt.Errorf("%s:// is no WebSocket: its address begins with ws://, wss:// or mcpl://", u.Scheme)
	}
	u.Fragment, u.RawFragment = "", ""
	return u, nil
}

// checkMCPL refuses what stands after mcpl:// and must not be resolved.
func checkMCPL(rest string) error {
	authority, path := rest, ""
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		authority, path = rest[:i], rest[i:]
	}
	path, _, _ = strings.Cut(path, "?")
	switch {
	case strings.Contains(rest, "#"):
		return fmt.Errorf("an mcpl:// address has no fragment: leave out what follows #")
	case authority == "":
		return fmt.Errorf("this mcpl:// address names no host: write mcpl://host:port/path")
	case strings.Contains(authority, "@"):
		return fmt.Errorf("an mcpl:// address holds no user and password: give a token with --token-env")
	}
	for segment := range strings.SplitSeq(path, "/") {
		switch strings.ReplaceAll(strings.ToLower(segment), "%2e", ".") {
		case ".", "..":
			return fmt.Errorf("an mcpl:// address has no . or .. in its path: write the path that is meant")
		}
	}
	return nil
}
