package mcpl

import (
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// Manifest is what of a manifest toolHints needs (toolhints.md §4). A
// manifest that is no object, or lacks a member, decodes to less; it is never
// an error.
type Manifest struct {
	Raw       []byte
	Version   string
	ToolHints bool
	Toolsets  []ToolsetDecl // in the order of the manifest's bytes
}

// ToolsetDecl is one toolset as the manifest declares it.
type ToolsetDecl struct {
	Name        string
	Title       string
	Summary     string
	DefaultOpen bool
	Instances   bool
	Options     []byte // JSON Schema, nil where it has none
}

// DecodeManifest reads a manifest: the value of
// capabilities.experimental.mcpl, or a mcpl/manifest result.
func DecodeManifest(raw []byte) *Manifest {
	m := &Manifest{Raw: raw}
	wire.EachMember(raw, func(key string, v []byte) bool {
		switch key {
		case "version":
			m.Version = wire.StringOf(v)
		case "toolHints":
			m.ToolHints = isTrue(v)
		case "toolsets":
			m.Toolsets = decodeToolsets(v)
		}
		return true
	})
	return m
}

func decodeToolsets(raw []byte) []ToolsetDecl {
	var out []ToolsetDecl
	for _, m := range membersOnce(raw) {
		d := ToolsetDecl{Name: m.name}
		wire.EachMember(m.value, func(key string, v []byte) bool {
			switch key {
			case "title":
				d.Title = wire.StringOf(v)
			case "summary":
				d.Summary = wire.StringOf(v)
			case "default":
				d.DefaultOpen = wire.StringOf(v) == "open"
			case "instances":
				d.Instances = isTrue(v)
			case "options":
				d.Options = v
			}
			return true
		})
		out = append(out, d)
	}
	return out
}

// Toolset returns the declaration of a toolset, or nil.
func (m *Manifest) Toolset(name string) *ToolsetDecl {
	if m == nil {
		return nil
	}
	for i := range m.Toolsets {
		if m.Toolsets[i].Name == name {
			return &m.Toolsets[i]
		}
	}
	return nil
}

// Decls returns the declarations in the order of the manifest; none where
// there is no manifest.
func (m *Manifest) Decls() []ToolsetDecl {
	if m == nil {
		return nil
	}
	return m.Toolsets
}

func isTrue(raw []byte) bool { return string(raw) == "true" }
