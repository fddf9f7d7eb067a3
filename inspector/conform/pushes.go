package conform

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

var (
	privilegedBeforePolicy = &Rule{
		ID: "privileged-before-policy", Level: Error, whole: true,
		Meaning: "Until the first featureSets/update is answered, a server does nothing that needs a grant.",
		Source:  "mcpl-host.md, Handshake (5), step 3",
		Mend:    "Wait for featureSets/update, answer it, and only then send what needs a grant.",
	}
	pushNotGranted = &Rule{
		ID: "push-not-granted", Level: Error, whole: true,
		Meaning: "A server sends what needs a grant only while it has the grant.",
		Source:  "mcpl-host.md, Grants (5.4, 6.2), “Absent = denied”",
		Mend:    "Look at effectiveCapabilities of the last featureSets/update. Changes go by tools/hints where pushEvents is not granted.",
	}
	pushRetriedHints = &Rule{
		ID: "push-retried-hints", Level: Error,
		Meaning: "A push that carries hints is never sent again.",
		Also:    "info where the same bytes came again on HTTP: a stream that was resumed",
		Source:  "toolhints.md §7, “A push carrying hints is never retried”",
		Mend:    "Send the event once; what changed since goes by tools/hints, under the next rev.",
	}
	pushMalformed = &Rule{
		ID: "push-malformed", Level: Error,
		Meaning: "push/event is a request with eventId, featureSet and payload.content.",
		Source:  "mcpl-host.md, Server to host, push/event",
		Mend:    `Send {"featureSet":"…","eventId":"…","timestamp":"…","payload":{"content":[…]}}.`,
	}
	policyRefused = &Rule{
		ID: "policy-refused", Level: Warning,
		Meaning: "A server accepts the policy, or refuses it with a fallback.",
		Also:    "error without fallback",
		Source:  "mcpl-host.md, Handshake (5), step 3",
		Mend:    `Answer {"accepted":true}, or {"accepted":false,"fallback":"mcp-only","reason":"…"}.`,
	}
	manifestFlood = &Rule{
		ID: "manifest-flood", Level: Warning,
		Meaning: "mcpl/manifestChanged comes at a rate that a host can follow.",
		Source:  "mcpl-host.md, Server to host, mcpl/manifestChanged, “at a bounded rate”",
		Mend:    "Gather changes, and announce them together.",
	}
)

var pushRules = []*Rule{
	privilegedBeforePolicy, pushNotGranted, pushRetriedHints, pushMalformed, policyRefused,
	usesInvalid, manifestDigest, manifestUnannounced, manifestFlood, classUnknown, metaReserved,
}

// privileged are the messages of a server that need a grant (mcpl-host.md,
// "Server to host"); "" stands for the feature set alone.
var privileged = map[string]string{
	mcpl.MethodPush:             mcpl.CapPush,
	mcpl.MethodChannelsRegister: mcpl.CapChannelsRegister,
	mcpl.MethodChannelsChanged:  mcpl.CapChannelsRegister,
	mcpl.MethodChannelsList:     mcpl.CapChannelsRegister,
	mcpl.MethodChannelsIncoming: mcpl.CapChannelsIncoming,
	mcpl.MethodInference:        mcpl.CapInference,
	mcpl.MethodModelInfo:        mcpl.CapModelInfo,
	mcpl.MethodStateUpdate:      "",
	mcpl.MethodStateGet:         "",
}

// notifications is how the methods of MCP's own notifications begin.
var notifications = []byte("notifications/")

// grant is what the host lets the server do.
type grant struct {
	answered bool // the first policy was answered
	asked    int  // position of the request of the policy in force
	allowed  []string
	disabled []string // feature sets
	// until is when what was allowed before was taken away, by receipt; was is
	// that.
	until time.Duration
	was   *grant
}

// covers reports whether the grant has the path, and the feature set is not
// disabled.
func (g *grant) covers(path, set string) bool {
	if set != "" && slices.Contains(g.disabled, set) {
		return false
	}
	return path == "" || slices.Contains(g.allowed, path) ||
		slices.ContainsFunc(g.allowed, func(p string) bool { return mcpl.MatchPath(p, path) })
}

// maxGrants is how many grants that were taken away are kept.
const maxGrants = 8

// forget drops the grants of which nothing can be on its way any more.
func (g *grant) forget(now time.Duration) {
	for n := 0; g.was != nil; n++ {
		if now-g.until > grace || n == maxGrants {
			g.was = nil
			return
		}
		g = g.was
	}
}

// covered reports whether what was allowed a moment ago has the path, so that
// a message may have been on its way when it was taken away.
func (g *grant) covered(path, set string, now time.Duration) bool {
	for ; g.was != nil && now-g.until <= grace; g = g.was {
		if g.was.covers(path, set) {
			return true
		}
	}
	return false
}

// readPolicy reads what a featureSets/update request grants.
func (j *Judge) readPolicy(m *message) *grant {
	return &grant{
		answered: true,
		asked:    j.next,
		allowed:  j.strings(j.tree.Get(m.Params, "effectiveCapabilities")),
		disabled: j.strings(j.tree.Get(m.Params, "disabled")),
	}
}

func (j *Judge) strings(list value) []string {
	t := j.tree
	if !t.isArray(list) {
		return nil
	}
	var out []string
	for v := t.First(list); v != 0 && len(out) < 1000; v = t.Next(v) {
		if t.isString(v) {
			out = append(out, t.str(v))
		}
	}
	return out
}

// policyAnswered takes the receipt of a policy. It reports whether a finding
// stands for an error.
func (j *Judge) policyAnswered(c *conn, m *message, at spot) bool {
	was := c.grant
	was.forget(j.now)
	t := j.tree
	accepted := string(t.Raw(t.Get(m.Result, "accepted")))
	if m.Kind == wire.Result && accepted != "false" {
		if was.answered && m.call.policy.asked < was.asked {
			return false // a later one was answered already
		}
		c.grant = *m.call.policy
		if accepted != "true" {
			j.unclearPolicy(m, at)
		}
	} else {
		c.grant.answered = true
		j.refusedPolicy(m, at)
	}
	if was.answered {
		c.grant.was, c.grant.until = &was, j.now
	}
	return m.Kind == wire.Error
}

// unclearPolicy tells a receipt that says neither yes nor no: it counts as
// accepted, and a stricter host may take it otherwise.
func (j *Judge) unclearPolicy(m *message, at spot) {
	if f := j.foundAs(policyRefused, Warning, at, thing{}, ""); f != nil {
		f.Seen = quote(j.tree.Raw(j.body(m)))
		f.Expected = `"accepted":true or "accepted":false`
		f.Message = "The server's answer to featureSets/update says neither accepted nor refused; it counts as accepted here."
	}
}

func (j *Judge) refusedPolicy(m *message, at spot) {
	t := j.tree
	fallback := t.memberStr(m.Result, "fallback")
	level := Warning
	if fallback == "" {
		level = Error
	}
	f := j.foundAs(policyRefused, level, at, thing{}, "")
	if f == nil {
		return
	}
	f.Seen = quote(t.Raw(j.body(m)))
	f.Expected = `"accepted":true`
	reason := cut(t.memberStr(m.Result, "reason"), 120)
	if reason != "" {
		reason = ": " + reason
	}
	switch {
	case level == Warning:
		f.Message = fmt.Sprintf("The server refuses the policy and falls back to %s%s.", cut(fallback, 40), reason)
	case m.Kind == wire.Error:
		f.Message = "The server answered featureSets/update with an error; it accepts the policy, or refuses it with a fallback."
	default:
		f.Message = "The server refuses the policy without a fallback" + reason + "; it must name mcp-only or close."
	}
}

// needsGrant judges a message of the server that may need a grant. On HTTP
// the receipt that allows it may still be on its way, and so may the message
// have been when the grant was taken away.
func (j *Judge) needsGrant(c *conn, m *message, at spot) {
	if bytes.HasPrefix(m.name, notifications) {
		return
	}
	path, is := privileged[string(m.name)]
	if !is || c.grant.answered && len(c.grant.disabled) == 0 && c.grant.covers(path, "") {
		return
	}
	set := j.intern(j.tree.Text(m.FeatureSet))
	if c.grant.answered && c.grant.covers(path, set) {
		return
	}
	if m.row != nil {
		at.rev = m.row.Rev
	}
	if set != "" && c.grant.covers(path, "") && c.usesInvalid(set) {
		return // that it is disabled is a consequence
	}
	if j.unordered() && c.grant.covered(path, set, j.now) {
		return
	}
	if !c.policySent && c.hostMCPL && len(c.early) >= maxThings {
		return
	}
	name, seen := j.intern(m.name), quote(j.tree.Raw(m.Root))
	tell := func() {
		switch {
		case !c.grant.answered:
			j.beforePolicy(name, seen, at)
		default:
			j.notGranted(c, name, path, set, seen, at)
		}
	}
	p := pending{conn: c, until: j.now, tell: tell, drop: func() bool { return false }}
	if j.unordered() {
		p.until = j.now + grace
		p.drop = func() bool { return c.grant.answered && c.grant.covers(path, set) }
	}
	switch {
	case !c.policySent && c.hostMCPL:
		// Whether the host sends a policy at all is still to be seen.
		if len(c.early) < maxThings {
			c.early = append(c.early, p)
		}
	case j.unordered():
		j.later(p)
	default:
		tell()
	}
}

// usesInvalid reports whether the manifest has a feature set whose uses are
// invalid, so that the host disables it.
func (c *conn) usesInvalid(set string) bool {
	if c.manifest == nil {
		return false
	}
	return slices.ContainsFunc(mcpl.FeatureSets(c.manifest), func(f mcpl.FeatureSet) bool { return f.Name == set && !f.Valid })
}

// policyFollows: a policy is sent, so what came before it came too early.
func (j *Judge) policyFollows(c *conn) {
	c.policySent = true
	early := c.early
	c.early = nil
	for _, p := range early {
		if j.now < p.until {
			j.later(p)
		} else {
			p.decide()
		}
	}
}

func (j *Judge) beforePolicy(name, seen string, at spot) {
	if f := j.found(privilegedBeforePolicy, at, thing{}, name); f != nil {
		f.Message = fmt.Sprintf("%s came before the first featureSets/update was answered; until then nothing is granted.", name)
		f.Expected = "the answer to featureSets/update first"
		f.Seen = seen
	}
}

func (j *Judge) notGranted(c *conn, name, path, set, seen string, at spot) {
	f := j.found(pushNotGranted, at, thing{}, name+" "+set)
	if f == nil {
		return
	}
	f.Seen = seen
	if path == "" || c.grant.covers(path, "") {
		f.Message = fmt.Sprintf("%s came for the feature set %s, which the policy disables.", name, cut(set, 80))
		f.Expected = "nothing of " + cut(set, 80) + " while it is disabled"
		return
	}
	f.Message = fmt.Sprintf("%s needs %s, and the policy does not grant it.", name, path)
	f.Expected = "no " + name + " without " + path
}

// retried is a push whose eventId was seen, with hints again.
func (j *Judge) retried(r *timeline.Row, again bool, at spot) {
	level := Error
	if again && j.unordered() {
		level = Info
	}
	f := j.foundAs(pushRetriedHints, level, at, thing{}, r.Cause.EventID)
	if f == nil {
		return
	}
	id := cut(r.Cause.EventID, 64)
	f.Seen = fmt.Sprintf(`"eventId":%s, "rev":%d`, quoteJSON(id), r.Rev)
	if level == Info {
		f.Message = fmt.Sprintf("The push %s with rev %d came again, byte for byte: a stream was resumed. Its hints were applied once.", id, r.Rev)
		return
	}
	f.Message = fmt.Sprintf("The push %s came again with hints, under rev %d; a push with hints is never sent again, and these were ignored.", id, r.Rev)
	f.Expected = "an eventId of its own, or no hints"
}

// pushed judges a push as it is written.
func (j *Judge) pushed(m *message, at spot) {
	t := j.tree
	if m.row != nil {
		at.rev = m.row.Rev
	}
	wrong := ""
	switch {
	case m.Kind == wire.Notification:
		wrong = "is a notification, and must be a request"
	case len(t.Text(m.EventID)) == 0:
		wrong = "has no eventId"
	case len(t.Text(m.FeatureSet)) == 0:
		wrong = "has no featureSet"
	case !t.isArray(t.Get(m.Payload, "content")):
		wrong = "has no payload.content"
	default:
		return
	}
	if f := j.found(pushMalformed, at, thing{}, wrong); f != nil {
		f.Message = "A push/event " + wrong + "."
		f.Expected = "a request with eventId, featureSet and payload.content"
		f.Seen = quote(t.Raw(m.Root))
	}
}

// maxFlood is how many announcements within the time of grace are well.
const maxFlood = 5

// manifestChangedNow takes an announcement of a new manifest.
func (j *Judge) manifestChangedNow(c *conn, m *message, at spot) {
	c.manifestChanged = at.index
	c.floods = append(c.floods, j.now)
	if len(c.floods) <= maxFlood {
		return
	}
	first := c.floods[0]
	c.floods = append(c.floods[:0], c.floods[1:]...)
	if j.now-first > grace {
		return
	}
	if f := j.found(manifestFlood, at, thing{}, ""); f != nil {
		f.Message = fmt.Sprintf("More than %d mcpl/manifestChanged came within 2 s; a host fetches the manifest at a bounded rate.", maxFlood)
		f.Expected = "changes gathered into one announcement"
		f.Seen = quote(j.tree.Raw(m.Root))
	}
}
