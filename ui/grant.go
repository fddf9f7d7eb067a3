package ui

import (
	"errors"
	"fmt"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/ui/form"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// grantDeps is what the form of the grant is made of.
func (m *Model) grantDeps(do view.Intent) (form.Deps, error) {
	entries, more := inspector.GrantEntries(m.log(), m.cx.Newest)
	if len(entries) == 0 {
		return form.Deps{}, errors.New("there is nothing that could be granted: the server offers nothing that this host offers too")
	}
	d := m.common()
	d.Instance = do.Tool
	d.Def.Description = "space turns a line. What is taken away counts at once, what is added when the receipt arrives."
	if more > 0 {
		d.Def.Description += fmt.Sprintf(" %s more: :grant NAME.", inspector.Count(more, "feature set"))
	}
	for _, e := range entries {
		g := form.Grantable{Name: e.Name, Set: e.Set, Uses: e.Uses, On: e.On, Dead: e.Broken}
		switch {
		case e.Pending:
			g.Note = "◌ no receipt"
		case e.Refused:
			g.Note = "! refused"
		}
		d.Grants = append(d.Grants, g)
	}
	return d, nil
}
