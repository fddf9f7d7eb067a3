package timeline

import (
	"slices"
	"sort"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// Landmark is a message, or a note, that tells of a connection itself: how it
// was made, what the two sides said of themselves, what was granted. There
// are few of them, so the log keeps their places.
type Landmark struct {
	Kind    LandmarkKind
	Conn    int
	Index   int // position of its frame
	Message int // which message of the frame, counted from 0: more than one in a batch
	// Of and OfMessage are the place of the request that it answers; Of is -1
	// where it answers none.
	Of, OfMessage int
}

// LandmarkKind says what a Landmark is.
type LandmarkKind uint8

// The landmarks, in the order of a handshake (mcpl-host.md, "Handshake" and
// "Manifest").
const (
	ConnBegan         LandmarkKind = iota // the first frame of a connection
	LinkUp                                // the note "connected"
	InitAsked                             // the host's initialize
	InitAnswered                          // its result or error
	InitDone                              // notifications/initialized
	GrantAsked                            // the host's featureSets/update
	GrantAnswered                         // its receipt, or an error
	PageAsked                             // a page of the first tools/list
	PageAnswered                          // its result or error
	ListAsked                             // the first toolsets/list
	ListAnswered                          // its result or error
	ManifestAnnounced                     // the server's mcpl/manifestChanged
	ManifestAsked                         // the host's mcpl/manifest
	ManifestAnswered                      // its result or error
	LinkDown                              // the note "closed"
	StreamNoted                           // a note "stream": what became of a stream of HTTP
	SessionNoted                          // a note "session": begun at the server, or given back
	DiscoverAsked                         // the host's server/discover
	DiscoverAnswered                      // its result or error

	// What follows are dealings: requests, notifications and answers about
	// what a server has beside its tools, each kind in the order of the frames.
	// LandmarkCount leaves them out.
	OnResources // lists of resources and templates, subscriptions
	OnUpdates   // notifications/resources/updated
	OnPrompts   // lists of prompts
	OnReads     // resources/read, prompts/get, completion/complete
	OnChannels  // which channels there are, and which are open
	OnMessages  // what is said on channels
	OnHooks     // context/beforeInference, inference/lifecycle
	OnState     // checkpoints and states of feature sets
)

// landmarks keeps the places of a session's landmarks, by kind and
// connection, each in the order of the frames.
type landmarks struct {
	conns []int   // in the order in which they began
	all   []int32 // the frame of each, of whatever kind but dealings
	marks map[landmarkKey][]landmark
}

type landmarkKey struct {
	kind LandmarkKind
	conn int32
}

// landmark is a Landmark as it is kept.
type landmark struct{ index, message, of, ofMessage int32 }

func (l *landmarks) add(marks []Landmark) {
	for _, m := range marks {
		if l.marks == nil {
			l.marks = map[landmarkKey][]landmark{}
		}
		if m.Kind == ConnBegan {
			l.conns = append(l.conns, m.Conn)
		}
		if m.Kind < OnResources {
			l.all = append(l.all, int32(m.Index))
		}
		k := landmarkKey{m.Kind, int32(m.Conn)}
		l.marks[k] = append(l.marks[k], landmark{int32(m.Index), int32(m.Message), int32(m.Of), int32(m.OfMessage)})
	}
}

// Landmarks returns the last landmarks of a kind and connection whose frames
// stand at or before position upTo, at most `most` of them, oldest first, and
// how many more came before those.
func (l *Log) Landmarks(kind LandmarkKind, conn, upTo, most int) (marks []Landmark, earlier int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := l.landmarks.marks[landmarkKey{kind, int32(conn)}]
	n := sort.Search(len(all), func(i int) bool { return int(all[i].index) > upTo })
	earlier = max(n-max(most, 0), 0)
	for _, m := range all[earlier:n] {
		marks = append(marks, m.landmark(kind, conn))
	}
	return marks, earlier
}

// FirstLandmark returns the first landmark of a kind and connection, if its
// frame stands at or before position upTo.
func (l *Log) FirstLandmark(kind LandmarkKind, conn, upTo int) (m Landmark, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := l.landmarks.marks[landmarkKey{kind, int32(conn)}]
	if len(all) == 0 || int(all[0].index) > upTo {
		return Landmark{}, false
	}
	return all[0].landmark(kind, conn), true
}

func (m landmark) landmark(kind LandmarkKind, conn int) Landmark {
	return Landmark{kind, conn, int(m.index), int(m.message), int(m.of), int(m.ofMessage)}
}

// LandmarkCount returns how many landmarks there are at or before position
// upTo: as long as it stays the same, nothing was said of the connections
// themselves.
func (l *Log) LandmarkCount(upTo int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return sort.Search(len(l.landmarks.all), func(i int) bool { return int(l.landmarks.all[i]) > upTo })
}

// Conns returns the connections that began at or before position upTo, at
// most `most` of them, oldest first, and how many more began before those.
func (l *Log) Conns(upTo, most int) (conns []int, earlier int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := sort.Search(len(l.landmarks.conns), func(i int) bool {
		began := l.landmarks.marks[landmarkKey{ConnBegan, int32(l.landmarks.conns[i])}]
		return int(began[0].index) > upTo
	})
	earlier = max(n-max(most, 0), 0)
	return slices.Clone(l.landmarks.conns[earlier:n]), earlier
}

// mark notes a landmark at the message, or note, that is being applied; of is
// the request that it answers, nil for none.
func (st *step) mark(kind LandmarkKind, c *conn, of *request) {
	m := Landmark{Kind: kind, Conn: c.n, Index: st.at.frame, Message: st.at.message, Of: -1}
	if of != nil {
		m.Of, m.OfMessage = int(of.frame), int(of.message)
	}
	st.s.effects.Landmarks = append(st.s.effects.Landmarks, m)
}

// markRequest notes the requests that speak of the connection. Of those that
// read the lists only the ones of the handshake do.
func (c *conn) markRequest(st *step) {
	switch st.head.Method {
	case mcpl.MethodInitialize:
		st.mark(InitAsked, c, nil)
	case mcpl.MethodDiscover:
		st.mark(DiscoverAsked, c, nil)
	case mcpl.MethodFeatureSets:
		st.mark(GrantAsked, c, nil)
	case mcpl.MethodManifest:
		st.mark(ManifestAsked, c, nil)
	case mcpl.MethodToolsList:
		if !c.stepDone("tools/list") {
			st.mark(PageAsked, c, nil)
		}
	case mcpl.MethodToolsetsList:
		if c.handshakeStep("toolsets/list") == nil {
			st.mark(ListAsked, c, nil)
		}
	}
}

// markAnswer notes the answers to those requests. It has to be called before
// the answer closes a step of the handshake.
func (c *conn) markAnswer(st *step, r *request) {
	switch r.method {
	case mcpl.MethodInitialize:
		st.mark(InitAnswered, c, r)
	case mcpl.MethodDiscover:
		st.mark(DiscoverAnswered, c, r)
	case mcpl.MethodFeatureSets:
		st.mark(GrantAnswered, c, r)
	case mcpl.MethodManifest:
		st.mark(ManifestAnswered, c, r)
	case mcpl.MethodToolsList:
		if !c.stepDone("tools/list") {
			st.mark(PageAnswered, c, r)
		}
	case mcpl.MethodToolsetsList:
		if !c.stepDone("toolsets/list") {
			st.mark(ListAnswered, c, r)
		}
	}
}

// MessageAt returns a message of a frame by its place in it, counted from 0;
// ok is false where there is none.
func MessageAt(f Frame, n int) (h Head, ok bool) {
	for m := range f.Messages {
		if n == 0 {
			return m, true
		}
		n--
	}
	return wire.Head{}, false
}
