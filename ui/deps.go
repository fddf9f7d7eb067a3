package ui

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/form"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// common is what every form is made of.
func (m *Model) common() form.Deps {
	d := form.Deps{DoArgs: m.status.DoArgs, Cannot: m.cannot()}
	if m.act != nil {
		d.Preview = m.act.Preview
	}
	return d
}

// openDeps is what the form for opening a toolset is made of.
func (m *Model) openDeps(do view.Intent) (form.Deps, error) {
	b := m.cx.Newest
	t := toolsetOf(b, do.Toolset)
	if t == nil {
		return form.Deps{}, fmt.Errorf("there is no toolset %s", do.Toolset)
	}
	d := m.common()
	d.Toolset, d.Instance, d.Instances, d.Prefill = t.Name, do.Instance, t.HasInstances, do.Args
	d.Def = form.Definition{Schema: t.Options, Description: describe(t), Source: "from the manifest" + m.frameOf(b.ManifestAt)}
	d.Open = openNames(t)
	d.Earlier = m.earlier(func(s *sentLine) bool { return s.toolset == t.Name }, func(s *sentLine) string { return s.instance })
	return d, nil
}

func openNames(t *timeline.Toolset) []string {
	var out []string
	for _, in := range t.Instances {
		out = append(out, in.Name)
	}
	if !t.HasInstances && t.Open {
		out = append(out, t.Name)
	}
	return out
}

// describe is what a toolset is, in the server's words.
func describe(t *timeline.Toolset) string {
	title, summary := strings.TrimSpace(t.Title), strings.TrimSpace(t.Summary)
	switch {
	case title == "" || summary == "":
		return title + summary
	case strings.HasSuffix(title, "."):
		return title + " " + summary
	}
	return title + ". " + summary
}

// frameOf names a frame after a comma, "" for none.
func (m *Model) frameOf(index int) string {
	if index < 0 || index >= m.cx.Len {
		return ""
	}
	return ", frame " + itoa(m.log().Entry(index).Seq)
}

// closeDeps is what the question before a close is made of.
func (m *Model) closeDeps(do view.Intent) (form.Deps, error) {
	t := toolsetOf(m.cx.Newest, do.Toolset)
	if t == nil {
		return form.Deps{}, fmt.Errorf("there is no toolset %s", do.Toolset)
	}
	d := m.common()
	d.Toolset, d.Instance, d.Instances = t.Name, do.Instance, t.HasInstances
	d.Def.Description = describe(t)
	for _, in := range t.Instances {
		if in.Name == do.Instance && in.Title != "" {
			d.Def.Description = in.Title
		}
	}
	return d, nil
}

// callDeps is what the form for calling a tool is made of.
func (m *Model) callDeps(do view.Intent) (form.Deps, error) {
	b := m.cx.Newest
	tool, set := toolOf(b, do.Tool)
	if tool == nil {
		return form.Deps{}, fmt.Errorf("the list names no tool %s any more", do.Tool)
	}
	d := m.common()
	d.Tool, d.Instance, d.Prefill, d.Quiet = tool.Name, do.Instance, do.Args, m.forms.quiet[tool.Name]
	d.Def = m.definition(tool.Declared, timeline.By{Index: b.ListAt})
	d.Instances = set != nil && set.HasInstances
	for i := range tool.Cells {
		c := &tool.Cells[i]
		p := form.Place{Hidden: !c.Visible, Def: m.definition(c.Definition, c.DefBy)}
		if d.Instances && i < len(set.Instances) {
			p.Instance, p.Title = set.Instances[i].Name, set.Instances[i].Title
		}
		d.Places = append(d.Places, p)
	}
	d.Earlier = m.earlier(func(s *sentLine) bool { return s.tool == tool.Name }, func(s *sentLine) string { return s.instance })
	return d, nil
}

// definition is a tool's definition in effect, and where it comes from.
func (m *Model) definition(raw []byte, by timeline.By) form.Definition {
	var v struct {
		Description string          `json:"description"`
		Schema      json.RawMessage `json:"inputSchema"`
		Annotations json.RawMessage `json:"annotations"`
		Output      json.RawMessage `json:"outputSchema"`
	}
	_ = json.Unmarshal(raw, &v) // a broken member stays empty: the form then checks nothing
	d := form.Definition{Schema: v.Schema, Description: v.Description, Annotations: v.Annotations, Output: v.Output, Rev: by.Rev}
	switch {
	case by.Rev > 0:
		d.Source = "by rev " + itoa(by.Rev) + m.frameOf(by.Index)
	case m.cx.Newest.ListAt >= 0:
		d.Source = "declared" + m.frameOf(m.cx.Newest.ListAt)
	}
	return d
}

// params are the parameters of a request of the server.
func (m *Model) params(call timeline.Call) ([]byte, bool) {
	if call.Index < 0 || call.Index >= m.cx.Len {
		return nil, false
	}
	f, err := m.log().Frame(call.Index)
	if err != nil {
		return nil, false
	}
	h, ok := timeline.Asked(f, call.ID)
	return h.Params, ok
}
