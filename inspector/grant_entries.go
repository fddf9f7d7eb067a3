package inspector

import (
	"slices"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// GrantEntry is one thing that can be granted or denied: a capability path
// that both sides offer, or a feature set.
type GrantEntry struct {
	Name string
	Set  bool     // a feature set
	Uses []string // of a feature set
	// On: it is in the grant that was told last; of a feature set, that this
	// does not disable it although all that it uses is granted.
	On bool
	// Pending: told, and granted when the receipt arrives. Refused: told, and
	// not accepted by the server.
	Pending, Refused bool
	Broken           bool // a feature set that cannot be enabled: invalid_uses
}

// MaxGrantEntries is how many entries a grant tells of.
const MaxGrantEntries = 200

// GrantEntries are what can be granted on a board's connection, paths in
// their order and then feature sets, and how many more sets there are.
func GrantEntries(log *timeline.Log, b *timeline.Board) (entries []GrantEntry, more int) {
	if b.Index < 0 || b.Manifest == nil {
		return nil, 0
	}
	s := &serverTale{t: &ServerTeller{}, log: log, b: b}
	s.t.keep(log)
	s.introduced()
	s.grants()
	var told []string
	var last *grantTurn
	if n := len(s.turns); n > 0 {
		last = &s.turns[n-1]
		told = last.effective
	}
	host := mcpl.HostPaths(s.hostSaid)
	for _, p := range s.serverOffers() {
		if !slices.Contains(host, p) {
			continue
		}
		e := GrantEntry{Name: p, On: slices.Contains(told, p)}
		if e.On && !slices.Contains(s.active, p) {
			e.Refused = last.refused()
			e.Pending = !e.Refused
		}
		entries = append(entries, e)
	}
	for _, f := range mcpl.FeatureSets(s.serverSaid) {
		if len(entries) >= MaxGrantEntries {
			more++
			continue
		}
		entries = append(entries, GrantEntry{
			Name: f.Name, Set: true, Uses: f.Uses, Broken: !f.Valid, On: !(f.Enabled(told) && s.off(f.Name)),
		})
	}
	return entries, more
}
