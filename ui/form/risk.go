package form

// What is asked about before a tool is called.
const (
	riskSaid   = "destructive: its annotations say so"
	riskSilent = "it may destroy: its annotations do not say"
	riskNone   = "it may destroy: it has no annotations"
)

// risk says why a call is asked about first, "" where it is not: the tool's
// annotations say that it destroys, or say nothing, which means that it may
// (MCP, tool annotations: destructiveHint is true by default, and has no
// meaning where readOnlyHint is true).
func (f *Form) risk() string {
	if f.kind != Call {
		return ""
	}
	a := f.def.Annotations
	if !isObject(a) {
		return riskNone
	}
	destroys := string(lookup(a, "destructiveHint"))
	switch {
	case string(lookup(a, "readOnlyHint")) == "true", destroys == "false":
		return ""
	case destroys == "true":
		return riskSaid
	case len(members(a)) == 0:
		return riskNone
	}
	return riskSilent
}

// annotations are those of the tool as the server sent them, on one line, ""
// for none.
func (f *Form) annotations() string {
	if f.kind != Call || len(f.def.Annotations) == 0 {
		return ""
	}
	return cutBytes(string(oneLine(f.def.Annotations)), maxScalar)
}

// quietKey is the key that sends, and has no question asked before this tool
// for the rest of the session.
const quietKey = "ctrl+a"
