package conform

import (
	"hash/maphash"
	"strings"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// conn is what the judge remembers of a connection, beside the state.
type conn struct {
	n       int
	network bool // http, sse or ws: the server may outlive the connection
	greeted bool // initialize or server/discover was sent: the recording begins with the connection
	// begun is the position of the initialize result, -1 before it.
	begun  int
	closed bool
	lastT  time.Duration // of its last frame
	limit  time.Duration // of requests from now on, 0: no note says so

	// firstIndex and lastIndex are positions of its frames so far.
	firstIndex, lastIndex int

	calls   open[*call]      // requests of the host without answer
	tokens  map[string]*call // by progress token
	asks    open[ask]        // requests of the server without answer
	due     []deadline       // requests of the host, by when they were heard of
	dueAt   int              // where due begins
	tooMany bool             // there were more open requests than are kept
	naming  int              // open calls that name an instance
	asking  int              // open toolsets/list

	// doubt: something was lost or ignored that may have changed the state, so
	// nothing is concluded from it until toolsets/list tells it again.
	doubt bool
	// gaps: a rev was lost on this connection.
	gaps bool
	// doubtful are tools of which an entry was ignored.
	doubtful map[string]bool
	// silent are declared toolsets of which an open came without hints.
	silent map[string]bool
	top    int64 // the highest rev that was applied, or is held
	// unread are the revs of messages that could not be read.
	unread   []int64
	claimed  *claim       // a tools/list named a rev that has not arrived
	held     map[int]held // messages that are held, by row
	recent   *recent      // messages that came on several streams
	suspects []*suspect   // calls that the state says could not succeed
	awaited  []*awaited   // those that were answered, on HTTP

	pages   map[string]*listing // tools/list half read, by the cursor that goes on
	tools   map[string]*seenTool
	hidden  []string
	listReq int            // position of the request of the last whole list, -1
	lists   int            // whole lists so far
	changed int            // position of the last tools/list_changed, -1
	states  int            // toolsets/list results so far
	shut    map[thing]bool // what hints and results have closed
	badList bool           // the toolsets/list at hand leaves something out
	caps    [len(changeables)]bool

	manifest        []byte // as it came last, nil: none
	manifestAt      int    // position of the frame that brought it, -1
	manifestReq     int    // position of its request, -1
	manifestChanged int    // position of the last mcpl/manifestChanged, -1
	hinted          bool   // it says toolHints, and the host does
	declared        map[string]bool
	floods          []time.Duration
	disowned        time.Duration // when a manifest ended the negotiation, below 0: never
	grant           grant
	hostMCPL        bool      // the host speaks MCPL
	policySent      bool      // it has sent a policy
	early           []pending // what came before that
	// unlisted are hints for instances of which only the first toolsets/list
	// can say whether they are open: a server may keep them from an earlier
	// session.
	unlisted []unlisted
	// first is what the first toolsets/list explains, until it takes effect;
	// listedOnce tells that it has.
	first      map[thing]bool
	listedOnce bool
	// endedHere is what was closed before that, on a network link: it may have
	// been open since an earlier connection.
	endedHere map[thing]bool
}

func newConn(n int) *conn {
	return &conn{
		n: n, begun: -1, listReq: -1, changed: -1, manifestAt: -1, manifestReq: -1, manifestChanged: -1, disowned: -1,
	}
}

func (j *Judge) conn(n int) *conn {
	if j.last != nil && j.last.n == n {
		return j.last
	}
	c := j.conns[n]
	if c == nil {
		c = newConn(n)
		c.firstIndex = j.next
		j.conns[n] = c
	}
	j.last = c
	return c
}

// meet notes by which link the connection goes.
func (c *conn) meet(f *wire.Frame) {
	c.network = c.network || f.Via == "ws" || f.Via == "sse" || strings.HasPrefix(f.Via, "http:")
}

// listStale reports whether the server announced a change of its tools that
// the host has not read yet.
func (c *conn) listStale() bool { return c.changed > c.listReq }

// manifestStale is the same for the manifest.
func (c *conn) manifestStale() bool { return c.manifestChanged > c.manifestReq }

// sure reports whether the state can be relied on: nothing was lost, nothing
// waits for what is on its way, and no other message of the same frame came
// between.
func (j *Judge) sure(c *conn) bool {
	return c.greeted && !c.doubt && j.view.Held() == 0 && len(j.msgs) <= 1 && j.known(c)
}

// known reports whether the host can know what is open: toolsets/list has
// said it, or a process has just begun, with nothing open. A server on the
// network may keep what is open from an earlier session.
func (j *Judge) known(c *conn) bool {
	return c.states > 0 || !c.network && c.n == 1 && c.asking == 0
}

// doubtTool notes that something said of a tool was ignored.
func (c *conn) doubtTool(name string) {
	if c.doubtful == nil {
		c.doubtful = map[string]bool{}
	}
	if len(c.doubtful) >= maxThings {
		c.doubt = true
		return
	}
	c.doubtful[name] = true
}

// silentOn notes that a toolset was opened, and nobody said what is visible.
func (c *conn) silentOn(toolset string) {
	if c.silent == nil {
		c.silent = map[string]bool{}
	}
	c.silent[toolset] = true
}

// trust: toolsets/list has told the whole state.
func (c *conn) trust() { c.doubt, c.doubtful, c.silent = false, nil, nil }

// method is one that some rule speaks of.
type method uint8

const (
	otherMethod method = iota
	initialize
	discover
	listen // it stays open as long as the connection, and is answered at its end, if at all
	updatePolicy
	fetchManifest
	toolsList
	// of the server
	pushEvent
	toolsHints
	manifestChanged
	progress
	cancelled // of the host
	toolsChanged
	resourcesChanged
	promptsChanged
	// whose result may carry hints
	toolsCall
	toolsetsOpen
	toolsetsClose
	toolsetsList
)

func methodOf(name []byte) method {
	switch string(name) {
	case mcpl.MethodInitialize:
		return initialize
	case mcpl.MethodDiscover:
		return discover
	case mcpl.MethodListen:
		return listen
	case mcpl.MethodFeatureSets:
		return updatePolicy
	case mcpl.MethodManifest:
		return fetchManifest
	case mcpl.MethodToolsList:
		return toolsList
	case mcpl.MethodPush:
		return pushEvent
	case mcpl.MethodToolsHints:
		return toolsHints
	case mcpl.MethodManifestChanged:
		return manifestChanged
	case mcpl.MethodProgress:
		return progress
	case mcpl.MethodCancelled:
		return cancelled
	case mcpl.MethodToolsChanged:
		return toolsChanged
	case mcpl.MethodResourcesChanged:
		return resourcesChanged
	case mcpl.MethodPromptsChanged:
		return promptsChanged
	case mcpl.MethodToolsCall:
		return toolsCall
	case mcpl.MethodToolsetsOpen:
		return toolsetsOpen
	case mcpl.MethodToolsetsClose:
		return toolsetsClose
	case mcpl.MethodToolsetsList:
		return toolsetsList
	}
	return otherMethod
}

// carries reports whether a result may carry hints (toolhints.md §7).
func (m method) carries() bool { return m >= toolsCall }

// call is a request of the host that has no answer yet.
type call struct {
	id       string
	method   method
	name     string // of the method
	tool     string
	toolset  string
	instance string
	cursor   string
	at       spot
	t        time.Duration // when it was sent
	alive    time.Duration // when it was last heard of
	limit    time.Duration // how long it may take, 0: no note says so
	progress string        // its progress token
	options  []string      // the names of the options that an open asked for
	policy   *grant        // what a policy grants, when it is accepted
	again    int           // how often the id was used again meanwhile

	done      bool // answered, or its id was used again
	given     bool // up: cancelled, by the host or in a note
	timedOut  bool // in a note
	overdue   bool // found to be unanswered
	overdueAt spot
	wasOpen   bool // what it opens or closes was open when it was sent
	doubt     doubt
	among     []string // of an ambiguous call: the instances that were open when it was sent
	listAt    int      // position of the list in force
	badArgs   bool     // its arguments break the schema
	pushed    bool     // the very instance that it names was changed by a push
}

// about is what the call is about, for a finding.
func (c *call) about() thing { return thing{toolset: c.toolset, instance: c.instance, tool: c.tool} }

// called names the call in a sentence: "tools/call play @ vs-ada".
func (c *call) called() string {
	s := cut(c.name, maxName)
	switch {
	case c.tool != "":
		s += " " + cut(c.tool, maxName)
	case c.toolset != "":
		s += " " + cut(c.toolset, maxName)
	}
	if c.instance != "" {
		s += " @ " + cut(c.instance, maxName)
	}
	return s
}

// ask is a request of the server that has no answer yet.
type ask struct {
	name  string
	again int
}

// maxInterned is how many short names are kept once for all.
const maxInterned = 1 << 12

// intern returns a name as a string, the same one for the same name.
func (j *Judge) intern(name []byte) string {
	if len(name) == 0 {
		return ""
	}
	if s, ok := j.names[string(name)]; ok {
		return s
	}
	s := string(name)
	if len(s) <= 64 && len(j.names) < maxInterned {
		j.names[s] = s
	}
	return s
}

// methodName is intern for a method: most are known.
func (j *Judge) methodName(view []byte) string {
	if name := mcpl.MethodName(string(view)); name != "" {
		return name
	}
	return j.intern(view)
}

func newTokens() map[string]*call { return map[string]*call{} }

// maxOpen is how many open requests of a side are kept apart. A session with
// more is not judged on them.
const maxOpen = 1 << 16

// recent remembers pieces of bytes, the last ones.
type recent struct {
	seed maphash.Seed
	have map[uint64]bool
	ring []uint64
	at   int
}

const maxRecent = 1 << 12

func newRecent() *recent {
	return &recent{seed: maphash.MakeSeed(), have: map[uint64]bool{}}
}

// again reports whether the same bytes came before, and notes them.
func (r *recent) again(raw []byte) bool {
	h := maphash.Bytes(r.seed, raw)
	if r.have[h] {
		return true
	}
	r.have[h] = true
	if len(r.ring) < maxRecent {
		r.ring = append(r.ring, h)
		return false
	}
	delete(r.have, r.ring[r.at])
	r.ring[r.at] = h
	r.at = (r.at + 1) % maxRecent
	return false
}

// again reports whether the same message came before on one of several
// streams: a stream that was resumed, not a server that repeats itself.
func (c *conn) again(raw []byte) bool {
	if c.recent == nil {
		c.recent = newRecent()
	}
	return c.recent.again(raw)
}
