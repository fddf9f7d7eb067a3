package session

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// grantState is what the server may do (mcpl-host.md, "Grants").
type grantState struct {
	offered []string                    // what the server advertises
	sets    []mcpl.FeatureSet           // what it declares
	named   map[string]*mcpl.FeatureSet // the same by name; of a name that stands twice the first

	told     policy          // as it was sent last
	active   []string        // what is accepted from the server at this moment
	off      map[string]bool // feature sets that the user disabled, at this moment
	answered bool            // the first policy was answered
	closing  string          // why the host closes: the server asked for that
}

// offers takes what a manifest says. The connection's lock is held.
func (c *conn) offers(m *mcpl.Manifest) {
	c.peer.manifest = m
	g := &c.grant
	g.offered, g.sets, g.named = mcpl.Advertised(m.Raw), mcpl.FeatureSets(m.Raw), map[string]*mcpl.FeatureSet{}
	if c.peer.tools && !slices.Contains(g.offered, mcpl.CapTools) {
		g.offered = append([]string{mcpl.CapTools}, g.offered...)
	}
	for i := range g.sets {
		if f := &g.sets[i]; g.named[f.Name] == nil {
			g.named[f.Name] = f
		}
	}
}

// policy is a grant as it is told to the server.
type policy struct {
	effective []string
	off       map[string]bool // feature sets that the user disabled
	params    []byte          // of featureSets/update
}

// policy computes the grant as the user's wishes stand, and with some more.
func (c *conn) policy(more wishes) policy {
	w := c.s.wished(more)
	c.mu.Lock()
	defer c.mu.Unlock()
	p := policy{effective: mcpl.Grant(c.grant.offered, c.host.paths, w.rules), off: w.off}
	says := struct {
		Effective []string `json:"effectiveCapabilities"`
		Denied    []string `json:"deniedCapabilities,omitempty"`
		Enabled   []string `json:"enabled,omitempty"`
		Disabled  []string `json:"disabled,omitempty"`
	}{Effective: p.effective}
	for _, path := range c.grant.offered {
		if !slices.Contains(p.effective, path) {
			says.Denied = append(says.Denied, path)
		}
	}
	for i := range c.grant.sets {
		if f := &c.grant.sets[i]; f.Enabled(p.effective) && !p.off[f.Name] {
			says.Enabled = append(says.Enabled, f.Name)
		} else {
			says.Disabled = append(says.Disabled, f.Name)
		}
	}
	p.params = encode(says)
	return p
}

// firstPolicy sends the policy before anything privileged, even where
// nothing is granted, and waits a while for the answer. Then the handshake
// goes on; until there is an answer nothing is granted.
func (c *conn) firstPolicy() {
	r, err := c.sendPolicy(c.policy(wishes{}), false)
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
func (c *conn) sendPolicy(p policy, byUser bool) (*request, error) {
	c.mu.Lock()
	c.grant.told = p
	c.grant.active = both(c.grant.active, p.effective)
	off := maps.Clone(p.off)
	maps.Copy(off, c.grant.off)
	c.grant.off = off
	c.mu.Unlock()
	return c.request(mcpl.MethodFeatureSets, p.params, byUser, func(h wire.Head) { c.policyAnswered(h, p) })
}

// policyAnswered takes the receipt. A server that refuses the policy, or
// answers it with an error, is granted nothing that it was not granted
// before: a refusal widens no grant. One that asks for the connection to be
// closed then is closed; else it goes on as plain MCP.
func (c *conn) policyAnswered(h wire.Head, p policy) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.grant.answered = true
	if h.Kind != wire.Result || string(wire.Member(h.Result, "accepted")) == "false" {
		if bytes.Equal(c.grant.told.params, p.params) {
			c.grant.told.params = nil // asked for once more, it is told once more
		}
		if h.Kind == wire.Result && wire.StringOf(wire.Member(h.Result, "fallback")) == "close" {
			c.closeRefused(wire.StringOf(wire.Member(h.Result, "reason")))
		}
		return
	}
	// What was taken away since stays away.
	c.grant.active = both(p.effective, c.grant.told.effective)
	off := maps.Clone(p.off)
	maps.Copy(off, c.grant.told.off)
	c.grant.off = off
}

// both returns what of a stands in b too.
func both(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(p string) bool { return !slices.Contains(b, p) })
}

// closeRefused closes the connection, because the server refused its grant
// and named that as what follows. The connection's lock is held.
func (c *conn) closeRefused(reason string) {
	c.grant.closing = "the server refused its grant and asked to close"
	if reason != "" {
		c.grant.closing += ": " + cut([]byte(reason), 400)
	}
	c.s.hangUp(c)
}

// regrant tells the server its grant if that has changed.
func (c *conn) regrant() {
	if p := c.policy(wishes{}); !c.toldAlready(p) {
		if r, err := c.sendPolicy(p, false); err == nil {
			c.awaitReceipt(context.Background(), r)
		}
	}
}

// awaitReceipt waits for the answer to a policy. One that got none is told
// anew when it is asked for again.
func (c *conn) awaitReceipt(ctx context.Context, r *request) answer {
	a := c.await(ctx, r)
	if a.err != nil {
		c.mu.Lock()
		c.grant.told.params = nil
		c.mu.Unlock()
	}
	return a
}

func (c *conn) toldAlready(p policy) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return bytes.Equal(c.grant.told.params, p.params)
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
	switch f := c.grant.named[name]; {
	case f != nil && f.Enabled(c.grant.active) && !c.grant.off[name]:
		return nil
	case f != nil:
		return &Error{Code: mcpl.CodeFeatureDisabled, Message: "the feature set " + name + " is not enabled", Data: data}
	case len(c.grant.sets) == 0:
		return nil
	}
	return &Error{Code: mcpl.CodeFeatureUnknown, Message: "the manifest declares no feature set " + name, Data: data}
}
