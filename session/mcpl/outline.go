package mcpl

import (
	"bytes"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// Outline is where in a tree the members of a message stand that have a
// meaning in MCP or toolHints, and that are asked for again and again; 0 stands
// for none. What they hold is not looked at.
type Outline struct {
	// Members of the params.
	Name, Arguments, Toolset, Instance, EventID, FeatureSet, Payload wire.Value
	// Members of a result.
	State, ResultType, IsError, Structured wire.Value
	// Meta is the _meta of either, with what stands in it: Called is
	// mcpl/instance.
	Meta, ProgressToken, Called wire.Value
	// Hints are the hints in the params, or in the _meta of a result
	// (toolhints.md §7).
	Hints wire.Value
	// Undefined tells that _meta has a reserved key that nothing defines (see
	// UndefinedMeta).
	Undefined bool
}

// Read makes the outline of the message m in the tree t.
func (o *Outline) Read(t *wire.Tree, m *wire.Message) {
	*o = Outline{}
	switch {
	case m.Kind == wire.Result:
		o.readResult(t, m.Result)
	case m.Kind == wire.Request || m.Kind == wire.Notification:
		o.readParams(t, m.Params)
	}
}

func (o *Outline) readParams(t *wire.Tree, params wire.Value) {
	if t.Kind(params) != '{' {
		return
	}
	for v := t.First(params); v != 0; v = t.Next(v) {
		switch string(t.Key(v)) {
		case "name":
			o.Name = v
		case "arguments":
			o.Arguments = v
		case "toolset":
			o.Toolset = v
		case "instance":
			o.Instance = v
		case "eventId":
			o.EventID = v
		case "featureSet":
			o.FeatureSet = v
		case "payload":
			o.Payload = v
		case "hints":
			o.Hints = v
		case "_meta":
			o.readMeta(t, v, nil)
		}
	}
}

func (o *Outline) readResult(t *wire.Tree, result wire.Value) {
	if t.Kind(result) != '{' {
		return
	}
	for v := t.First(result); v != 0; v = t.Next(v) {
		switch string(t.Key(v)) {
		case "state":
			o.State = v
		case "resultType":
			o.ResultType = v
		case "isError":
			o.IsError = v
		case "structuredContent":
			o.Structured = v
		case "_meta":
			o.readMeta(t, v, &o.Hints)
		}
	}
}

// readMeta reads a _meta; hints is where those in it go, nil: nowhere.
func (o *Outline) readMeta(t *wire.Tree, meta wire.Value, hints *wire.Value) {
	if o.Meta = meta; t.Kind(meta) != '{' {
		return
	}
	for v := t.First(meta); v != 0; v = t.Next(v) {
		switch key := t.Key(v); string(key) {
		case MetaHints:
			if hints != nil {
				*hints = v
			}
		case MetaInstance:
			o.Called = v
		case "progressToken":
			o.ProgressToken = v
		default:
			o.Undefined = o.Undefined || UndefinedMeta(key)
		}
	}
}

// reserved is how the keys of a _meta begin that MCPL keeps for itself.
var reserved = []byte("mcpl/")

// UndefinedMeta reports whether a key of a _meta is reserved, and none that
// toolHints or RFC-008 define.
func UndefinedMeta(key []byte) bool {
	if !bytes.HasPrefix(key, reserved) {
		return false
	}
	switch string(key) {
	case MetaHints, MetaRev, MetaPresence, MetaVisible, MetaToolset, MetaInstance, MetaClass:
		return false
	}
	return true
}
