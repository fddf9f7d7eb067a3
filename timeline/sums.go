package timeline

import (
	"maps"
	"slices"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
)

// Conns returns the numbers of the connections so far, ascending.
func (s *State) Conns() []int { return slices.Sorted(maps.Keys(s.conns)) }

// RowCount returns how many messages carried hints so far, over all
// connections.
func (s *State) RowCount() int { return s.rows }

// Server returns what the server said it is, zero before it did.
func (v View) Server() mcpl.Implementation { return v.c.server }
