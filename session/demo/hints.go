package demo

import (
	"encoding/json"
	"slices"
)

// hintChanges is HintChanges of toolhints.md §7.
type hintChanges struct {
	Rev      int            `json:"rev"`
	Toolsets []toolsetEntry `json:"toolsets,omitempty"`
	Tools    []toolEntry    `json:"tools,omitempty"`
	Suggest  []suggestion   `json:"suggest,omitempty"`
}

type toolsetEntry struct {
	Toolset  string `json:"toolset"`
	Instance string `json:"instance,omitempty"`
	State    string `json:"state"`
	Title    string `json:"title,omitempty"`
	Reason   string `json:"reason,omitempty"`
}

type toolEntry struct {
	Name       string      `json:"name"`
	Instance   string      `json:"instance,omitempty"`
	Presence   string      `json:"presence,omitempty"`
	Visible    *bool       `json:"visible,omitempty"`
	Definition *definition `json:"definition,omitempty"`
}

type suggestion struct {
	Toolset  string          `json:"toolset"`
	Instance string          `json:"instance,omitempty"`
	Action   string          `json:"action"`
	Options  json.RawMessage `json:"options,omitempty"`
	Reason   string          `json:"reason,omitempty"`
}

// definition is what a hint may change of a tool: nothing but these members
// (toolhints.md §7). It is not changed once made.
type definition struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"inputSchema"`
	Annotations json.RawMessage `json:"annotations,omitempty"`
}

func (d *definition) same(o *definition) bool {
	if d == nil || o == nil {
		return d == o
	}
	return d.Name == o.Name && d.Description == o.Description &&
		string(d.InputSchema) == string(o.InputSchema) && string(d.Annotations) == string(o.Annotations)
}

// view is all that hints speak of, as it is at one moment.
type view struct {
	open  []openKey
	title map[openKey]string
	keys  []toolKey // the dynamic tools, once for each open instance
	tools map[toolKey]toolState
}

type toolKey struct{ name, instance string }

type toolState struct {
	toolset string
	visible bool
	static  bool        // a loose tool that is static for now
	def     *definition // nil: as declared
}

// view returns what is now.
func (p *Principal) view() *view {
	v := &view{
		open:  slices.Clone(p.open),
		title: map[openKey]string{},
		tools: map[toolKey]toolState{},
	}
	for _, k := range p.open {
		if g := p.games[k.instance]; g != nil {
			v.title[k] = g.title()
		}
	}
	for i := range arcadeTools {
		t := &arcadeTools[i]
		switch {
		case t.toolset == toolsetGame:
			for _, name := range p.instances() {
				v.add(toolKey{t.Name, name}, p.games[name].state(t.Name))
			}
		case t.toolset != "" || t.loose:
			v.add(toolKey{name: t.Name}, p.state(t))
		}
	}
	return v
}

func (v *view) add(k toolKey, s toolState) {
	v.keys = append(v.keys, k)
	v.tools[k] = s
}

// state returns the state of a dynamic tool without instances.
func (p *Principal) state(t *tool) toolState {
	s := toolState{toolset: t.toolset}
	switch {
	case t.toolset == toolsetDebug:
		s.visible = true // the server does not track who has an undeclared group open
	case t.toolset != "":
		s.visible = p.isOpen(openKey{toolset: t.toolset})
	}
	switch t.Name {
	case "rematch":
		s.visible, s.def = p.offer != nil, p.offerDef
	case "advice":
		s.visible = p.advice
	case "now_playing":
		s.def = p.radio.def
	}
	if p.pinned[t.Name] {
		s.visible, s.static, s.def = true, true, nil
	}
	return s
}

// untold is what a host takes for granted before any hint: what is open by
// default (toolhints.md §4).
func untold() *view {
	return &view{open: []openKey{{toolset: toolsetRadio}}}
}

// since returns the changes from an earlier view to this one. reasons says
// why something closed.
func (v *view) since(before *view, reasons map[openKey]string) *hintChanges {
	h := &hintChanges{}
	for _, k := range before.open {
		if !slices.Contains(v.open, k) {
			h.Toolsets = append(h.Toolsets, toolsetEntry{k.toolset, k.instance, "closed", "", reasons[k]})
		}
	}
	for _, k := range v.open {
		if !slices.Contains(before.open, k) || before.title[k] != v.title[k] {
			h.Toolsets = append(h.Toolsets, toolsetEntry{k.toolset, k.instance, "open", v.title[k], ""})
		}
	}
	for _, k := range v.keys {
		if e, changed := entryFor(k, before.tools[k], v.tools[k]); changed {
			h.Tools = append(h.Tools, e)
		}
	}
	return h
}

// entryFor states what of a tool is not as before.
func entryFor(k toolKey, before, now toolState) (toolEntry, bool) {
	e := toolEntry{Name: k.name, Instance: k.instance}
	if before.visible != now.visible {
		e.Visible = &now.visible
	}
	if before.static != now.static {
		e.Presence, e.Visible = presence(now.static), &now.visible
	}
	// A static tool has its declared definition and no other.
	if !now.static && !before.def.same(now.def) {
		e.Definition = now.def
		if e.Definition == nil {
			e.Definition = toolNamed(k.name).declared()
		}
	}
	return e, e.Visible != nil || e.Presence != "" || e.Definition != nil
}

func presence(static bool) string {
	if static {
		return "static"
	}
	return "dynamic"
}

// statement returns the view in full, as the hints of toolsets/list must be:
// every tool visible in each open instance, every visible dynamic tool
// outside declared toolsets, every definition that is not the declared one
// (toolhints.md §5). Of the tools in no toolset it states the presence too,
// which can move.
func (v *view) statement() *hintChanges {
	h := &hintChanges{}
	for _, k := range v.keys {
		s := v.tools[k]
		if !s.visible && s.def == nil && s.toolset != "" {
			continue
		}
		e := toolEntry{Name: k.name, Instance: k.instance, Visible: &s.visible, Definition: s.def}
		if s.toolset == "" {
			e.Presence = presence(s.static)
		}
		h.Tools = append(h.Tools, e)
	}
	return h
}

func (h *hintChanges) empty() bool {
	return len(h.Toolsets) == 0 && len(h.Tools) == 0 && len(h.Suggest) == 0
}
