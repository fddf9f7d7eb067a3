package session

import (
	"context"
	"slices"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// grantState is what the server may do (mcpl-host.md, "Grants").
type grantState struct {
	offered  []string // what the server advertises
	told     []string // the effective grant as it was sent last
	active   []string // what is accepted from the server at this moment
	answered bool     // the first policy was answered
}

// offered returns the capability paths that a server advertises.
func offered(p peer) []string {
	paths := mcpl.Advertised(p.manifest.Raw)
	if p.tools && !slices.Contains(paths, mcpl.CapTools) {
		paths = append([]string{mcpl.CapTools}, paths...)
	}
	return paths
}

// policyParams builds the params of featureSets/update for a grant.
func (c *conn) policyParams(effective []string) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := struct {
		Effective []string `json:"effectiveCapabilities"`
		Denied    []string `json:"deniedCapabilities,omitempty"`
		Enabled   []string `json:"enabled,omitempty"`
		Disabled  []string `json:"disabled,omitempty"`
	}{Effective: effective}
	for _, path := range c.grant.offered {
		if !slices.Contains(effective, path) {
			p.Denied = append(p.Denied, path)
		}
	}
	for _, f := range mcpl.FeatureSets(c.peer.manifest.Raw) {
		if f.Enabled(effective) {
			p.Enabled = append(p.Enabled, f.Name)
		} else {
			p.Disabled = append(p.Disabled, f.Name)
		}
	}
	return encode(p)
}

// effective computes the grant as the rules stand, with some more.
func (c *conn) effective(more ...mcpl.Rule) []string {
	rules := append(c.s.grantRules(), more...)
	c.mu.Lock()
	defer c.mu.Unlock()
	return mcpl.Grant(c.grant.offered, c.host.paths, rules)
}

// firstPolicy sends the policy before anything privileged, even where
// nothing is granted, and waits a while for the answer. Then the handshake
// goes on; until there is an answer nothing is granted.
func (c *conn) firstPolicy() {
	r, err := c.sendPolicy(c.effective(), false)
	if err != nil {
		return
	}
	answered := make(chan struct{})
	if !c.spawn(func() { defer close(answered); c.await(context.Background(), r) }) {
		return
	}
	timer := time.NewTimer(c.s.cfg.patience)
	defer timer.Stop()
	select {
	case <-answered:
	case <-timer.C:
	}
}

// sendPolicy tells the server its grant. What it takes away is taken at
// once; what it adds counts when the answer arrives (mcpl-host.md,
// "Grants").
func (c *conn) sendPolicy(effective []string, byUser bool) (*request, error) {
	c.mu.Lock()
	c.grant.told = effective
	c.grant.active = slices.DeleteFunc(slices.Clone(c.grant.active), func(p string) bool {
		return !slices.Contains(effective, p)
	})
	c.mu.Unlock()
	return c.request(mcpl.MethodFeatureSets, c.policyParams(effective), byUser, func(h wire.Head) {
		c.policyAnswered(h, effective)
	})
}

// policyAnswered takes the receipt. A server that refuses the policy, or
// answers it with an error, is granted nothing that it was not granted
// before.
func (c *conn) policyAnswered(h wire.Head, effective []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.grant.answered = true
	if h.Kind != wire.Result || string(wire.Member(h.Result, "accepted")) == "false" {
		return
	}
	// What was taken away since stays away.
	c.grant.active = slices.DeleteFunc(slices.Clone(effective), func(p string) bool {
		return !slices.Contains(c.grant.told, p)
	})
}

// regrant tells the server its grant if that has changed.
func (c *conn) regrant() {
	if effective := c.effective(); !c.toldAlready(effective) {
		if r, err := c.sendPolicy(effective, false); err == nil {
			c.await(context.Background(), r)
		}
	}
}

func (c *conn) toldAlready(effective []string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Equal(c.grant.told, effective)
}

// denial returns the error with which a privileged message is refused, or
// nil where its capability is granted.
func (c *conn) denial(path string) *Error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if slices.Contains(c.grant.active, path) {
		return nil
	}
	message := path + " is not granted"
	if c.peer.manifest != nil && !c.grant.answered {
		message += ": featureSets/update has not been answered yet"
	}
	return &Error{Code: mcpl.CodeDenied, Message: message, Data: obj(member{"capability", encode(path)})}
}

// featureDenial returns the error for a message of a feature set that is
// disabled, or that the manifest does not name although it names some. A
// manifest that names none leaves the grant to decide alone.
func (c *conn) featureDenial(name string) *Error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.peer.manifest == nil || name == "" {
		return nil
	}
	data := obj(member{"featureSet", encode(name)})
	sets := mcpl.FeatureSets(c.peer.manifest.Raw)
	for _, f := range sets {
		if f.Name != name {
			continue
		}
		if f.Enabled(c.grant.active) {
			return nil
		}
		return &Error{Code: mcpl.CodeFeatureDisabled, Message: "the feature set " + name + " is not enabled", Data: data}
	}
	if len(sets) == 0 {
		return nil
	}
	return &Error{Code: mcpl.CodeFeatureUnknown, Message: "the manifest declares no feature set " + name, Data: data}
}
