package conform

import (
	"fmt"
	"strings"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

var (
	rpcUnanswered = &Rule{
		ID: "rpc-unanswered", Level: Error, whole: true,
		Meaning: "Every request gets an answer.",
		Source:  "JSON-RPC 2.0, Response object; mcpl-host.md, “silence is a defect”",
		Mend:    "Answer, with a result or an error; where it takes long, send notifications/progress.",
	}
	rpcUnknownID = &Rule{
		ID: "rpc-unknown-id", Level: Error, whole: true, perConn: true,
		Meaning: "An answer belongs to one request, and a request gets one answer.",
		Also:    "info where the same bytes came again on HTTP: a stream that was resumed",
		Source:  "JSON-RPC 2.0, Response object, id",
		Mend:    "Send the request's id back as it came, type and value, and once.",
	}
	rpcLate = &Rule{
		ID: "rpc-late", Level: Info,
		Meaning: "An answer after the request was cancelled or timed out is of no use; hints in it still count.",
		Source:  "MCP, cancellation and timeouts; toolhints.md §7",
		Mend:    "Stop the work when notifications/cancelled comes.",
	}
	rpcMethodUnknown = &Rule{
		ID: "rpc-method-unknown", Level: Warning,
		Meaning: "A server asks only what the host knows.",
		Source:  "JSON-RPC 2.0, -32601; mcpl-host.md, Server to host",
		Mend:    "Look at the host's capabilities before asking.",
	}
	resultIsError = &Rule{
		ID: "result-is-error", Level: Info,
		Meaning: "A tool error is an answer; a developer may want to know of it.",
		Source:  "MCP, tools, isError",
		Mend:    "Nothing, if the refusal is meant.",
	}
	rpcError = &Rule{
		ID: "rpc-error", Level: Info,
		Meaning: "A JSON-RPC error is an answer; a developer may want to know of it.",
		Source:  "JSON-RPC 2.0, Error object",
		Mend:    "Nothing, if the error is meant.",
	}
	listChangedUndeclared = &Rule{
		ID: "list-changed-undeclared", Level: Warning, whole: true,
		Meaning: "A server that sends list_changed says so in its capabilities.",
		Source:  "MCP, capabilities, listChanged",
		Mend:    `Declare "listChanged":true in the capability.`,
	}
	stderrNoise = &Rule{
		ID: "stderr-noise", Level: Info,
		Meaning: "The server wrote to stderr, which is free to it.",
		Source:  "MCP, stdio transport, stderr",
		Mend:    "Nothing.",
	}
	serverExit = &Rule{
		ID: "server-exit", Level: Error, perConn: true,
		Meaning: "A server does not go away while requests are open.",
		Also:    "info where none was open",
		Source:  "MCP, lifecycle, shutdown",
		Mend:    "Answer what is open before ending, and end when the host closes.",
	}
)

var rpcRules = []*Rule{
	jsonInvalid, jsonDuplicateKey, jsonUTF8, rpcUnanswered, rpcUnknownID, rpcLate, rpcMethodUnknown, resultIsError, rpcError,
	schemaInvalid, argsRejected, listChangedUndeclared, secretExposed, textControl, stderrNoise, serverExit,
}

// sent judges a message of the host.
func (j *Judge) sent(c *conn, m *message, at spot) {
	if !j.wellFormed(m, at) {
		return
	}
	switch m.Kind {
	case wire.Request:
		j.asked(c, m, at)
	case wire.Notification:
		if m.method == cancelled {
			if call := j.callOf(c, j.tree.Get(m.Params, "requestId")); call != nil {
				call.given = true
			}
		}
	case wire.Result, wire.Error:
		j.replied(c, m, at)
	}
}

// received judges a message of the server.
func (j *Judge) received(c *conn, m *message, at spot) {
	if !j.wellFormed(m, at) {
		return
	}
	switch m.Kind {
	case wire.Request, wire.Notification:
		j.told(c, m, at)
	case wire.Result, wire.Error:
		j.answer(c, m, at)
		if m.Kind == wire.Result {
			j.metaOf(m, at)
		}
	}
	j.entries(c, m, at)
	if c.network && c.states == 0 {
		j.closesFirst(c, m)
	}
}

// told judges a request or a notification of the server.
func (j *Judge) told(c *conn, m *message, at spot) {
	t := j.tree
	if m.Kind == wire.Request {
		j.requested(c, m)
	}
	switch m.method {
	case toolsHints:
		return
	case pushEvent:
		j.pushed(m, at)
	case manifestChanged:
		j.manifestChangedNow(c, m, at)
	case progress:
		if call := c.tokens[j.idKey(t.Get(m.Params, "progressToken"))]; call != nil {
			call.alive = j.now
		}
	case toolsChanged:
		c.changed = at.index
		j.listChanged(c, at, 0)
	case resourcesChanged:
		j.listChanged(c, at, 1)
	case promptsChanged:
		j.listChanged(c, at, 2)
	}
	j.metaOf(m, at)
	j.needsGrant(c, m, at)
}

// unknownID: an answer to no request, or one too many.
func (j *Judge) unknownID(c *conn, m *message, at spot, who string) {
	t := j.tree
	if m.Kind == wire.Error && t.isNull(m.ID) || c.tooMany {
		return
	}
	level := Error
	if m.again && j.unordered() {
		level = Info
	}
	id := cut(string(t.Raw(m.ID)), 60)
	f := j.foundAs(rpcUnknownID, level, at, thing{}, who+" "+id)
	if f == nil {
		return
	}
	f.Seen = quote(t.Raw(m.Root))
	if level == Info {
		f.Message = fmt.Sprintf("The answer with id %s came again, byte for byte: a stream was resumed.", id)
		return
	}
	f.Message = fmt.Sprintf("The %s sent an answer with id %s, and no request with that id is open.", who, id)
	f.Expected = "one answer for each request, with its id, type and value"
}

// answer judges an answer of the server.
func (j *Judge) answer(c *conn, m *message, at spot) {
	call := m.call
	if call == nil || !c.answered(call) {
		m.call = nil
		j.unknownID(c, m, at, "server")
		return
	}
	j.late(call, at)
	told := false
	switch call.method {
	case initialize:
		j.introduced(c, m, at)
	case discover:
		j.discovered(c, m, at)
	case updatePolicy:
		told = j.policyAnswered(c, m, at)
	case fetchManifest:
		if m.Kind == wire.Result {
			j.manifestNow(c, m, j.tree.Raw(m.Result), at)
		}
	case toolsList:
		j.listedTools(c, m, at)
	case toolsCall:
		told = j.calledTool(c, m, at)
	case toolsetsOpen, toolsetsClose:
		j.toolsetAnswer(c, m, at)
	case toolsetsList:
		told = j.listedSets(c, m, at)
	}
	if m.Kind == wire.Error && !told {
		j.failed(m, at)
	}
}

// late: the request was cancelled, or has timed out. One that seemed to be
// without an answer has one after all.
func (j *Judge) late(call *call, at spot) {
	why := ""
	switch {
	case call.given:
		why = "was cancelled"
	case call.timedOut:
		why = "had timed out"
	case call.overdue:
		j.store.take(rpcUnanswered, Error, call.overdueAt, call.about(), call.name)
		why = "had been open for more than " + seconds(j.limitOf(call))
	default:
		return
	}
	if f := j.found(rpcLate, at, call.about(), call.name); f != nil {
		f.Message = fmt.Sprintf("%s was answered after %s, when it %s.", call.called(), seconds(j.now-call.t), why)
	}
}

// seconds writes a time: "30 s", "1.5 s".
func seconds(d time.Duration) string {
	return strings.TrimSuffix(fmt.Sprintf("%.1f", d.Seconds()), ".0") + " s"
}

func (j *Judge) toolError(m *message, at spot) {
	if f := j.found(resultIsError, at, m.call.about(), ""); f != nil {
		f.Message = f.thing() + " answered with a tool error."
		f.Seen = quote(j.tree.Raw(m.Result))
	}
}

func (j *Judge) failed(m *message, at spot) {
	t := j.tree
	code := cut(string(t.Raw(t.Get(m.Error, "code"))), 20)
	if f := j.found(rpcError, at, m.call.about(), m.call.name+" "+code); f != nil {
		f.Message = fmt.Sprintf("%s was answered with the error %s: %s", m.call.called(), code, cut(t.memberStr(m.Error, "message"), 160))
		if code == "" {
			f.Message = m.call.called() + " was answered with an error that has no code."
		}
		f.Seen = quote(t.Raw(m.Error))
	}
}

// changeables are the lists that can change by themselves.
var changeables = [...]string{"tools", "resources", "prompts"}

// introduced takes the answer to initialize.
func (j *Judge) introduced(c *conn, m *message, at spot) {
	if m.Kind != wire.Result {
		return
	}
	t := j.tree
	caps := t.Get(m.Result, "capabilities")
	j.capable(c, caps)
	j.manifestNow(c, m, t.Raw(t.notNull(t.path(caps, "experimental", "mcpl"))), at)
	c.begun = at.index
}

// discovered takes the answer to server/discover. Where the host falls back to
// initialize, that says it all once more.
func (j *Judge) discovered(c *conn, m *message, at spot) {
	if m.Kind != wire.Result {
		return
	}
	j.capable(c, j.tree.Get(m.Result, "capabilities"))
	c.begun = at.index
}

// capable notes which lists can change by themselves.
func (j *Judge) capable(c *conn, capabilities value) {
	for i, name := range changeables {
		c.caps[i] = j.tree.isTrue(j.tree.path(capabilities, name, "listChanged"))
	}
}

func (t *tree) notNull(v value) value {
	if t.isNull(v) {
		return 0
	}
	return v
}

func (j *Judge) listChanged(c *conn, at spot, which int) {
	if c.begun < 0 || c.caps[which] {
		return
	}
	name := changeables[which]
	if f := j.found(listChangedUndeclared, at, thing{}, name); f != nil {
		f.Message = fmt.Sprintf("notifications/%s/list_changed came, and the server does not declare listChanged for %s.", name, name)
		f.Expected = `"` + name + `":{"listChanged":true} in the capabilities`
		f.Seen = quote(j.tree.Bytes)
	}
}
