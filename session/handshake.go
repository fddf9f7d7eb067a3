package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// peer is what the server said of itself.
type peer struct {
	known    bool   // initialize was answered with a result
	tools    bool   // MCP's own capability
	caps     []byte // MCP's capabilities, as they were sent
	manifest *mcpl.Manifest
	versions []string // of MCP, where it was asked for them or named them
	changes  changes  // what it can tell of, of MCP 2026-07-28
}

// handshake is mcpl-host.md, "Handshake". What it returns is a sentence for
// the user. A step that the server refuses does not end it, but for the
// first.
func (c *conn) handshake() error {
	newest, err := c.discover()
	if err != nil {
		return err
	}
	if newest {
		c.subscribe()
		return c.firstLists()
	}
	if err := c.initialize(); err != nil {
		return err
	}
	if _, err := c.send(notificationBytes(mcpl.MethodInitialized, nil)); err != nil {
		return err
	}
	if c.isMCPL() {
		c.firstPolicy()
		if err := c.refusedGrant(); err != nil {
			return err
		}
	}
	return c.firstLists()
}

// firstLists reads the lists. One that the server refuses is no failure.
func (c *conn) firstLists() error {
	if _, err := c.readTools(context.Background(), false); c.isOver() {
		return fmt.Errorf("the server was lost during the handshake: %w", err)
	}
	if c.usesHints() {
		if _, err := c.readToolsets(context.Background()); c.isOver() {
			return fmt.Errorf("the server was lost during the handshake: %w", err)
		}
	}
	return nil
}

// initialize agrees on a version of MCP. A server that refuses the one that
// is asked for, and names others, is asked for the newest of those (MCP,
// lifecycle, "Version Negotiation").
func (c *conn) initialize() error {
	asks := c.classicVersion()
	a, err := c.introduce(asks)
	if err != nil {
		return err
	}
	var refused *Error
	if err := a.problem(); errors.As(err, &refused) {
		if other := mcpl.Newest(supportedBy(refused)); other != "" && other != asks {
			if a, err = c.introduce(other); err != nil {
				return err
			}
		}
	}
	switch err := a.problem(); {
	case errors.As(err, &refused):
		return c.refusedVersion(refused)
	case errors.Is(err, errEcho):
		return err
	case err != nil:
		return c.lostBefore(err)
	}
	return c.agreed(a.head.Result)
}

// introduce sends initialize and waits for its answer: beyond the time limit
// too, for the connection stays open and a person may wait.
func (c *conn) introduce(protocol string) (answer, error) {
	in := c.expect()
	defer c.instead.Store(nil)
	r, err := c.request(mcpl.MethodInitialize, c.s.initializeParams(c.host, protocol), false, c.introduced)
	if err != nil {
		return answer{}, c.lostBefore(err)
	}
	limit := c.s.Timeout()
	var a answer
	if answered := c.inTime(context.Background(), r, limit, &a); !answered {
		c.setReady(c.unansweredYet(r, in, limit))
		a = <-r.done
	}
	if a.head.Kind == wire.Error && in.echoed() {
		a.err = errEcho
	}
	return a, nil
}

// lostBefore says that the server went away before it answered initialize.
// Where nothing could be sent, the end is about to be known: it says more.
func (c *conn) lostBefore(err error) error {
	var all *linkError
	if errors.As(err, &all) {
		return all
	}
	timer := time.NewTimer(time.Second)
	defer timer.Stop()
	select {
	case <-c.done:
	case <-timer.C:
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.end == nil {
		return err
	}
	return fmt.Errorf("%s before it answered initialize", c.end)
}

// introduced takes the answer to initialize, in the order of the wire.
func (c *conn) introduced(h wire.Head) {
	if h.Kind != wire.Result || !mcpl.KnownProtocol(wire.StringOf(wire.Member(h.Result, "protocolVersion"))) {
		return
	}
	caps := wire.Member(h.Result, "capabilities")
	c.mu.Lock()
	defer c.mu.Unlock()
	c.peer = peer{known: true, tools: wire.Member(caps, "tools") != nil, caps: bytes.Clone(caps)}
	manifest := wire.Path(caps, "experimental", "mcpl")
	if len(manifest) > 0 && manifest[0] == '{' && !c.s.cfg.Plain {
		c.offers(mcpl.DecodeManifest(manifest))
	}
}

// initializeParams says who we are and what we can do. What is advertised is
// what is answered: a server that asks for more is told so.
func (s *Session) initializeParams(as host, protocol string) []byte {
	capabilities := as.capabilities()
	if !s.cfg.Plain {
		capabilities["experimental"] = map[string]any{"mcpl": as.manifest}
	}
	return encode(struct {
		Protocol     string              `json:"protocolVersion"`
		Capabilities map[string]any      `json:"capabilities"`
		Client       mcpl.Implementation `json:"clientInfo"`
	}{protocol, capabilities, s.implementation()})
}

// capabilities are those of MCP's own that the host has.
func (as host) capabilities() map[string]any {
	elicitation := map[string]any{"form": struct{}{}}
	if as.pages {
		elicitation["url"] = struct{}{}
	}
	capabilities := map[string]any{"roots": map[string]bool{"listChanged": true}, "elicitation": elicitation}
	if as.sampling {
		capabilities["sampling"] = struct{}{}
	}
	return capabilities
}

func (s *Session) implementation() mcpl.Implementation {
	return mcpl.Implementation{Name: s.cfg.ClientName, Version: s.cfg.ClientVersion}
}

// isMCPL reports whether both sides speak MCPL.
func (c *conn) isMCPL() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.peer.manifest != nil
}

// negotiated reports whether both sides advertised toolHints.
func (c *conn) negotiated() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.hintsAgreed()
}

// usesHints reports whether hints are negotiated, and this host does what
// they say.
func (c *conn) usesHints() bool { return c.negotiated() && !c.s.ignoresHints() }

// hintsAgreed is negotiated with the lock held.
func (c *conn) hintsAgreed() bool {
	return c.host.hints && c.peer.manifest != nil && c.peer.manifest.ToolHints
}

// introducedYet reports whether initialize was answered.
func (c *conn) introducedYet() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.peer.known
}

func (c *conn) isOver() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.end != nil
}
