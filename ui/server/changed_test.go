package server

import (
	"fmt"
	"strings"
)

// changedSession is a server whose manifest changes while it runs: announced
// and read, announced with another revision, and refused; its grant is told,
// narrowed, refused, and told once more without an answer so far. Its first
// list has two pages.
func changedSession() []byte {
	t := tapeOf{conn: 1}
	t.note("connect", `{"command":["./chat-server","--quiet"],"cwd":"/srv/chat","env":["CHAT_TOKEN"]}`)
	t.note("connected", `{"pid":4711}`)
	t.request(1, "initialize", `{"protocolVersion":"2025-11-25","clientInfo":{"name":"mcpl-tui","version":"0.1.0"},`+
		`"capabilities":{"roots":{},"elicitation":{},"experimental":{"mcpl":{"version":"0.5","toolHints":true,"pushEvents":true,"featureSets":true,`+
		`"channels":{"register":true,"publish":true,"incoming":true},"modelInfo":true}}}}`)
	t.result(1, `{"protocolVersion":"2025-06-18","serverInfo":{"name":"chat","version":"2.0","title":"Chat for teams"},`+
		`"instructions":"Open a room before you write. Be brief: people read this.",`+
		`"capabilities":{"tools":{"listChanged":true},"logging":{},"experimental":{"mcpl":`+manifestOne+`}}}`)
	t.out(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	t.request(2, "featureSets/update", `{"effectiveCapabilities":["tools","pushEvents","channels.publish"],"deniedCapabilities":["channels.register"],"enabled":["chat.messages"],"disabled":["chat.rooms"]}`)
	t.result(2, `{"accepted":true,"mode":"full","unavailableFeatures":[{"featureSet":"chat.rooms","missingCapabilities":["channels.register"],"effect":"rooms cannot be made"}],"notes":"Rooms need channels.register."}`)
	t.request(3, "tools/list", `{}`)
	t.result(3, `{"tools":[{"name":"say","inputSchema":{"type":"object"},"_meta":{"mcpl/toolset":"room"}}],"nextCursor":"p2"}`)
	t.request(4, "tools/list", `{"cursor":"p2"}`)
	t.result(4, `{"tools":[{"name":"who","inputSchema":{"type":"object"}}],"_meta":{"mcpl/rev":0}}`)
	t.request(5, "toolsets/list", `{}`)
	t.result(5, `{"open":[],"ended":[{"id":"e1","toolset":"room","instance":"old","reason":"it was empty"}],"_meta":{"mcpl/hints":{"rev":1}}}`)
	t.err("room server ready")
	t.in(`{"jsonrpc":"2.0","method":"mcpl/manifestChanged","params":{"revision":"two","domains":["toolsets","featureSets"]}}`)
	t.in(`{"jsonrpc":"2.0","method":"mcpl/manifestChanged","params":{"revision":"two","domains":["toolsets"],"impacts":["surface-changed"]}}`)
	t.request(6, "mcpl/manifest", `{}`)
	t.result(6, manifestTwo)
	t.request(7, "featureSets/update", `{"effectiveCapabilities":["tools"],"deniedCapabilities":["pushEvents","channels.register","channels.publish"],"disabled":["chat.messages","chat.rooms"]}`)
	t.result(7, `{"accepted":false,"fallback":"mcp-only","missingCapabilities":["pushEvents"],"reason":"Without pushes nobody hears you."}`)
	t.in(`{"jsonrpc":"2.0","method":"mcpl/manifestChanged","params":{"revision":"three","domains":["capabilities"]}}`)
	t.request(8, "mcpl/manifest", `{}`)
	t.fault(8, `{"code":-32603,"message":"not now"}`)
	t.request(9, "featureSets/update", `{"effectiveCapabilities":["tools","pushEvents"],"deniedCapabilities":["channels.register","channels.publish"],"enabled":["chat.messages"],"disabled":["chat.rooms"]}`)
	t.err("error: nobody is listening")
	t.in(`{"jsonrpc":"2.0","method":"mcpl/manifestChanged","params":{"revision":"four","domains":["tagOntology"]}}`)
	return t.bytes()
}

const manifestOne = `{"version":"0.5","toolHints":true,"pushEvents":true,"channels":{"register":true,"publish":true},` +
	`"featureSets":{"chat.messages":{"description":"What people write","uses":["pushEvents"]},"chat.rooms":{"description":"Rooms of your own","uses":["channels.register","channels.publish"],"rollback":true}},` +
	`"toolsets":{"room":{"title":"Rooms","summary":"One at a time, or several.","instances":true,"options":{"type":"object","required":["name"],"properties":{"name":{"type":"string","description":"its name"},"loud":{"type":"boolean","default":false}}}},` +
	`"admin":{"title":"Keep order","default":"closed"}},` +
	`"coreTags":["chat:mention"],"surface":{"title":"Chat","summary":"Rooms for teams."},"revision":"one"}`

const manifestTwo = `{"version":"0.5","toolHints":true,"pushEvents":true,"channels":{"register":true,"publish":true},` +
	`"featureSets":{"chat.messages":{"description":"What people write","uses":["pushEvents"]},"chat.rooms":{"description":"Rooms of your own","uses":["channels.register"],"rollback":true}},` +
	`"toolsets":{"room":{"title":"Rooms","summary":"One at a time.","instances":true,"options":{"type":"object","required":["name"],"properties":{"name":{"type":"string","description":"its name"}}}},` +
	`"polls":{"title":"Ask people","default":"open"}},` +
	`"coreTags":["chat:mention"],"surface":{"title":"Chat","summary":"Rooms for teams."},"revision":"2"}`

// tapeOf writes a session, a frame each 100 ms.
type tapeOf struct {
	lines []string
	conn  int
}

func (t *tapeOf) frame(body string) {
	n := len(t.lines) + 1
	t.lines = append(t.lines, fmt.Sprintf(`{"seq":%d,"t":%.1f,"conn":%d,%s}`, n, float64(n-1)/10, t.conn, body))
}

func (t *tapeOf) note(name, data string) {
	t.frame(`"dir":"note","note":"` + name + `","data":` + data)
}
func (t *tapeOf) out(msg string)  { t.frame(`"dir":"out","via":"stdio","msg":` + msg) }
func (t *tapeOf) in(msg string)   { t.frame(`"dir":"in","via":"stdio","msg":` + msg) }
func (t *tapeOf) err(text string) { t.frame(fmt.Sprintf(`"dir":"err","via":"stdio","text":%q`, text)) }

func (t *tapeOf) request(id int, method, params string) {
	t.out(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, params))
}

func (t *tapeOf) result(id int, result string) {
	t.in(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":%s}`, id, result))
}

func (t *tapeOf) fault(id int, fault string) {
	t.in(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"error":%s}`, id, fault))
}

func (t *tapeOf) bytes() []byte {
	head := `{"mcpl_recording":1,"id":"x","started":"2026-11-29T10:00:00Z","tool":"t","target":{"kind":"stdio"}}`
	return []byte(head + "\n" + strings.Join(t.lines, "\n") + "\n")
}
