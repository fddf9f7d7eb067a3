package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// ProtocolAuto tries the newest version of MCP, and falls back to the
// handshake where the server does not speak it or is one of MCPL.
const ProtocolAuto = "auto"

// probeTime is how long a server that stays silent keeps ProtocolAuto from
// falling back.
const probeTime = 2 * time.Second

// ProtocolChoices are the values of Config.Protocol.
func ProtocolChoices() []string { return append([]string{ProtocolAuto}, mcpl.Protocols()...) }

// errNoCommonProtocol: the two sides speak no version of MCP in common, so the
// host disconnects (MCP, lifecycle, "Version Negotiation").
var errNoCommonProtocol = errors.New("no version of MCP in common")

// protocolError is a sentence that ends the connection.
type protocolError string

// Error implements error.
func (e protocolError) Error() string { return string(e) }

// Is makes it an errNoCommonProtocol.
func (protocolError) Is(target error) bool { return target == errNoCommonProtocol }

// classicVersion is what initialize asks for.
func (c *conn) classicVersion() string {
	if v := c.s.cfg.Protocol; slices.Contains(mcpl.ClassicProtocols(), v) {
		return v
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if v := mcpl.Newest(c.peer.versions); v != "" {
		return v
	}
	return mcpl.Protocol
}

// discover asks the server who it is in the version of MCP that has no
// handshake, where that is wanted. It reports whether the connection goes on
// in that version (MCP 2026-07-28, server/discover).
func (c *conn) discover() (bool, error) {
	only := c.s.cfg.Protocol == mcpl.ProtocolStateless
	if !only && (c.s.cfg.Protocol != ProtocolAuto || c.s.cfg.Target.Kind == KindSSE) {
		return false, nil
	}
	c.stateless.Store(true)
	in := c.expect()
	defer c.instead.Store(nil)
	r, err := c.request(mcpl.MethodDiscover, c.dressed(nil), false, c.discovered)
	if err != nil {
		return false, c.lostBefore(err)
	}
	limit := c.s.Timeout()
	if !only {
		limit = min(limit, c.s.cfg.probe)
	}
	var a answer
	if !c.inTime(context.Background(), r, limit, &a) {
		late := c.unansweredYet(r, in, limit)
		if !only && c.take(r.key()) != nil {
			c.abandon(r)
			c.stateless.Store(false)
			return false, nil
		}
		c.setReady(late)
		a = <-r.done
	}
	if a.head.Kind == wire.Error && in.echoed() {
		return false, errEcho
	}
	err = a.problem()
	switch {
	case c.isOver():
		return false, c.lostBefore(err)
	case c.introducedYet():
		return true, nil
	case only:
		return false, c.notStateless(err)
	}
	var refused *Error
	if errors.As(err, &refused) {
		c.mu.Lock()
		c.peer.versions = supportedBy(refused)
		c.mu.Unlock()
	}
	c.stateless.Store(false)
	return false, nil
}

// notStateless says why a connection that was to be of MCP 2026-07-28 is not.
func (c *conn) notStateless(err error) error {
	c.mu.Lock()
	versions := c.peer.versions
	c.mu.Unlock()
	var refused *Error
	if errors.As(err, &refused) {
		versions = supportedBy(refused)
	}
	const instead = "--protocol auto falls back to what it speaks"
	switch {
	case len(versions) > 0:
		return protocolError(fmt.Sprintf("the server does not speak MCP %s but %s; %s", mcpl.ProtocolStateless, versionList(versions), instead))
	case err != nil:
		return protocolError(fmt.Sprintf("the server does not speak MCP %s (%s); %s", mcpl.ProtocolStateless, err, instead))
	}
	return protocolError(fmt.Sprintf("the server answered server/discover without the versions that it supports; %s", instead))
}

// discovered takes the answer to server/discover, in the order of the wire.
// With ProtocolAuto a server of MCPL is one for the handshake, on which MCPL
// rides.
func (c *conn) discovered(h wire.Head) {
	if h.Kind != wire.Result {
		return
	}
	caps := wire.Member(h.Result, "capabilities")
	c.mu.Lock()
	defer c.mu.Unlock()
	c.peer.versions = versionsOf(wire.Member(h.Result, "supportedVersions"))
	ofMCPL := wire.Path(caps, "experimental", "mcpl") != nil && !c.s.cfg.Plain && c.s.cfg.Protocol == ProtocolAuto
	if ofMCPL || !slices.Contains(c.peer.versions, mcpl.ProtocolStateless) {
		return
	}
	c.peer.known, c.peer.tools = true, wire.Member(caps, "tools") != nil
	c.peer.caps, c.peer.changes = bytes.Clone(caps), changesOf(caps)
}

// agreed looks at the version that initialize was answered with. Where the
// host does not speak it, it disconnects.
func (c *conn) agreed(result []byte) error {
	v := wire.StringOf(wire.Member(result, "protocolVersion"))
	switch {
	case mcpl.KnownProtocol(v):
		return nil
	case v == mcpl.ProtocolStateless:
		return protocolError("the server answered initialize with MCP " + v + ", which has no initialize; --protocol " + v + " speaks it")
	case v == "":
		return protocolError("the server answered initialize without protocolVersion, so nothing can be agreed on")
	}
	return protocolError(fmt.Sprintf("the server answered initialize with MCP %s, which this host does not speak; it speaks %s",
		cutText(v), versionList(mcpl.Protocols())))
}

// refusedVersion is the sentence for a server that refuses initialize.
func (c *conn) refusedVersion(refused *Error) error {
	if slices.Contains(supportedBy(refused), mcpl.ProtocolStateless) {
		return fmt.Errorf("the server refused initialize: %w; --protocol %s speaks what it supports", refused, mcpl.ProtocolStateless)
	}
	if versions := supportedBy(refused); len(versions) > 0 {
		return fmt.Errorf("the server refused initialize: %w; it supports %s", refused, versionList(versions))
	}
	return fmt.Errorf("the server refused initialize: %w", refused)
}

// supportedBy are the versions that an error about versions names.
func supportedBy(e *Error) []string { return versionsOf(wire.Member(e.Data, "supported")) }

func versionsOf(list []byte) []string {
	const most = 20
	var out []string
	wire.EachElement(list, func(v []byte) bool {
		if s := wire.StringOf(v); s != "" {
			out = append(out, s)
		}
		return len(out) < most
	})
	return out
}

func versionList(versions []string) string { return cutText(strings.Join(versions, ", ")) }

// dressed adds to params what each request of MCP 2026-07-28 has to say. On a
// connection with a handshake they stay as they are.
func (c *conn) dressed(params []byte) []byte {
	if !c.stateless.Load() || len(params) > 0 && params[0] != '{' {
		return params
	}
	return withMeta(params, []member{
		{mcpl.MetaProtocol, encode(mcpl.ProtocolStateless)},
		{mcpl.MetaClient, encode(c.s.implementation())},
		{mcpl.MetaCapabilities, encode(c.host.capabilities())},
	})
}

// withMeta adds members to the _meta of params; those that are there stay.
func withMeta(params []byte, add []member) []byte {
	var out, meta []member
	wire.EachMember(params, func(key string, v []byte) bool {
		if key != "_meta" || len(v) == 0 || v[0] != '{' {
			out = append(out, member{key, v})
			return true
		}
		wire.EachMember(v, func(key string, v []byte) bool {
			meta = append(meta, member{key, v})
			add = slices.DeleteFunc(add, func(m member) bool { return m.key == key })
			return true
		})
		return true
	})
	return obj(append(out, member{"_meta", obj(append(meta, add...)...)})...)
}

// closeBecause ends the connection on the host's own account.
func (c *conn) closeBecause(err error) {
	c.mu.Lock()
	c.because = err.Error()
	c.mu.Unlock()
	c.s.hangUp(c)
}

// abandoner is a link on which a request is given up by closing the stream of
// its answer (MCP 2026-07-28, Streamable HTTP).
type abandoner interface{ Abandon(id wire.ID) }

// abandon gives up a request where that is done by the link. It reports
// whether it was.
func (c *conn) abandon(r *request) bool {
	link, ok := c.link.(abandoner)
	if !ok || !c.stateless.Load() {
		return false
	}
	link.Abandon(wire.ID(r.key()))
	return true
}

// goneFrom refuses a request that MCP 2026-07-28 does not have, and says what
// it has instead ("Key Changes": subscriptions/listen, the log level in _meta).
func (c *conn) goneFrom(method string) error {
	if !c.stateless.Load() {
		return nil
	}
	switch method {
	case mcpl.MethodSubscribe, mcpl.MethodUnsubscribe:
		return fmt.Errorf("MCP %s has no %s: what a server tells of is asked for as a whole with subscriptions/listen, which names the resources; "+
			"`raw %s` sends it all the same", mcpl.ProtocolStateless, method, method)
	case mcpl.MethodSetLevel:
		return fmt.Errorf("MCP %s has no %s: each request says in its _meta (%s) how much is to be logged",
			mcpl.ProtocolStateless, method, mcpl.MetaLogLevel)
	}
	return nil
}
