package demo

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// updatePolicy answers featureSets/update. What it grants, or takes, holds
// from this moment; the answer goes out before anything that uses it.
func (c *Conn) updatePolicy(h wire.Head) (answer, *rpcError) {
	if !c.mcpl {
		return answer{}, errorf(mcpl.CodeMethodUnknown, "MCPL was not negotiated: initialize named no experimental.mcpl")
	}
	params, ok := objectOf(h.Params)
	var pol policy
	for _, want := range []struct {
		key  string
		into *[]string
	}{{"effectiveCapabilities", &pol.granted}, {"enabled", &pol.enabled}, {"disabled", &pol.disabled}} {
		if raw, has := params[want.key]; ok && has {
			ok = raw[0] == '[' && json.Unmarshal(raw, want.into) == nil
		}
	}
	if _, has := params["effectiveCapabilities"]; !ok || !has {
		return answer{}, errorf(mcpl.CodeInvalidParams,
			"effectiveCapabilities must be there, and be an array of strings, as enabled and disabled must")
	}
	c.policy = &pol
	type lacking struct {
		FeatureSet string   `json:"featureSet"`
		Missing    []string `json:"missingCapabilities"`
		Effect     string   `json:"effect"`
	}
	result := struct {
		Accepted    bool      `json:"accepted"`
		Unavailable []lacking `json:"unavailableFeatures,omitempty"`
	}{Accepted: true}
	for _, set := range featureSets {
		if !matches(pol.granted, mcpl.CapPush) {
			result.Unavailable = append(result.Unavailable, lacking{
				set, []string{mcpl.CapPush}, "what happens is told by tools/hints alone, without words",
			})
		}
	}
	return answer{result: result}, nil
}

// mayPush reports whether the host has granted pushes of a feature set.
// Before the first policy it has granted nothing (mcpl-host.md, "Handshake").
func (c *Conn) mayPush(set string) bool {
	p := c.policy
	if p == nil || set == "" || !matches(p.granted, mcpl.CapPush) {
		return false
	}
	return (p.enabled == nil || matches(p.enabled, set)) && !matches(p.disabled, set)
}

func matches(patterns []string, path string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return p == "*" || mcpl.MatchPath(p, path) })
}

// changes returns the hint changes since what the host was told, with the
// next rev, or nil where there are none or none are wanted.
func (c *Conn) changes(e event) *hintChanges {
	if !c.hints {
		return nil
	}
	before, now := c.told, c.p.view()
	if before == nil {
		before = untold()
	}
	h := now.since(before, e.reasons)
	h.Suggest = e.suggest
	c.told = now
	if h.empty() {
		return nil
	}
	c.rev++
	h.Rev = c.rev
	return h
}

// pushParams are the params of push/event.
type pushParams struct {
	FeatureSet string       `json:"featureSet"`
	EventID    string       `json:"eventId"`
	Timestamp  string       `json:"timestamp"`
	Toolset    string       `json:"toolset,omitempty"`
	Instance   string       `json:"instance,omitempty"`
	Payload    payload      `json:"payload"`
	Hints      *hintChanges `json:"hints,omitempty"`
}

type payload struct {
	Content []content `json:"content"`
}

// notify tells the host of an event that it did not ask for: by push/event
// where that is granted, else by tools/hints, where anything changed
// (toolhints.md §7). A host that has not read toolsets/list yet is told
// nothing: the list will say it all.
func (c *Conn) notify(e event, id string) {
	if !c.ready || c.hints && c.told == nil {
		return
	}
	h := c.changes(e)
	switch {
	case e.text != "" && c.mayPush(e.set):
		c.sent++
		p := pushParams{
			FeatureSet: e.set, EventID: id, Timestamp: time.Now().UTC().Format("2006-01-02T15:04:05.000Z"),
			Payload: payload{text(e.text)}, Hints: h,
		}
		if c.hints {
			p.Toolset, p.Instance = e.about.toolset, e.about.instance
		}
		c.send(message{ID: encode(fmt.Sprintf("s%d", c.sent)), Method: mcpl.MethodPush, Params: p})
	case h != nil:
		c.send(message{Method: mcpl.MethodToolsHints, Params: h})
	}
}
