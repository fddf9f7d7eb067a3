package conform

import (
	"bytes"
	"fmt"
	"hash/maphash"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

var (
	usesInvalid = &Rule{
		ID: "uses-invalid", Level: Warning,
		Meaning: "A feature set says in uses which capability paths it uses, and all of them are known.",
		Source:  "mcpl-host.md, Grants (5.4, 6.2), invalid_uses",
		Mend:    "Name the paths of uses one by one: a parent grants no leaf.",
	}
	manifestDigest = &Rule{
		ID: "manifest-digest", Level: Warning,
		Meaning: "revision is the digest of the manifest.",
		Source:  "mcpl-host.md, Manifest (17)",
		Mend:    "Compute the digest over the canonical form (RFC 8785) of the manifest without its own revision.",
	}
	manifestUnannounced = &Rule{
		ID: "manifest-unannounced", Level: Info, whole: true,
		Meaning: "A change of the manifest is announced by mcpl/manifestChanged.",
		Source:  "toolhints.md §4, “a change is announced by mcpl/manifestChanged”",
		Mend:    "Send mcpl/manifestChanged when the manifest changes.",
	}
	classUnknown = &Rule{
		ID: "class-unknown", Level: Info,
		Meaning: "mcpl/class is an array of known classes.",
		Source:  "mcpl-host.md, Tool classes (RFC-008)",
		Mend:    "Use comms, memory, notes, files, shell, web, computer, media, body or control.",
	}
	metaReserved = &Rule{
		ID: "meta-reserved", Level: Info,
		Meaning: "Keys that begin with mcpl/ are reserved.",
		Source:  "mcpl-host.md, Tool classes, “Other mcpl/ keys are reserved: ignore and note”",
		Mend:    "Use a prefix of your own.",
	}
)

// manifestNow judges a manifest that has come: the one of initialize, or a
// fetched one. raw is its bytes, nil for a plain MCP server.
func (j *Judge) manifestNow(c *conn, m *message, raw []byte, at spot) {
	first := m.call.method == initialize
	before := c.manifest
	c.manifestAt = at.index
	if !first && c.begun >= 0 && before != nil && c.manifestChanged < c.manifestReq && !bytes.Equal(before, raw) && !mcpl.SameJSON(before, raw) {
		j.unannounced(at, raw)
	}
	c.manifestReq = m.call.at.index
	if c.hinted && !j.view.Negotiated() {
		c.disowned = j.now
	}
	c.hinted = j.view.Negotiated()
	j.session.hinted = j.session.hinted || c.hinted
	same := bytes.Equal(before, raw)
	c.manifest = bytes.Clone(raw)
	if raw == nil || same {
		return
	}
	if c.declared == nil {
		c.declared = map[string]bool{}
	}
	for _, d := range j.view.Manifest().Decls() {
		if len(c.declared) < maxRecent {
			c.declared[d.Name] = true
		}
		j.nameGrammar(at, "a toolset", d.Name, thing{toolset: d.Name})
		if d.DefaultOpen && d.Instances {
			j.defaultInstances(at, d.Name)
		}
	}
	j.uses(raw, at)
	j.digest(raw, at)
}

func (j *Judge) unannounced(at spot, raw []byte) {
	if f := j.found(manifestUnannounced, at, thing{}, ""); f != nil {
		f.Message = "The manifest that was fetched differs from the one before, and no mcpl/manifestChanged was sent."
		f.Expected = "mcpl/manifestChanged before it"
		f.Seen = quote(raw)
	}
}

func (j *Judge) defaultInstances(at spot, name string) {
	if f := j.found(toolsetsDefaultInstances, at, thing{toolset: name}, ""); f != nil {
		f.Message = fmt.Sprintf(`%s has instances and "default":"open"; a toolset with instances always starts closed.`, deref(f.Toolset))
		f.Expected = `"default":"closed"`
		f.Seen = `"default":"open","instances":true`
	}
}

func (j *Judge) uses(raw []byte, at spot) {
	for _, set := range mcpl.FeatureSets(raw) {
		if set.Valid {
			continue
		}
		f := j.found(usesInvalid, at, thing{}, set.Name)
		if f == nil {
			continue
		}
		name := cut(set.Name, 80)
		f.Expected = "uses with one or more known capability paths"
		f.Message = fmt.Sprintf("The feature set %s does not say what it uses, so it is disabled.", name)
		if len(set.Uses) > 0 {
			f.Message = fmt.Sprintf("The feature set %s uses %s, which is no capability path, so it is disabled.", name, unknownUse(set.Uses))
			f.Seen = `"uses":` + quote(memberOf(memberOf(memberOf(raw, "featureSets"), set.Name), "uses"))
		}
	}
}

func unknownUse(uses []string) string {
	for _, u := range uses {
		if mcpl.CheckPattern(u) != nil || bytes.IndexByte([]byte(u), '*') >= 0 {
			return quoteJSON(cut(u, 80))
		}
	}
	return "a path"
}

// memberOf is wire.Member that takes nothing for nothing.
func memberOf(raw []byte, name string) []byte {
	if len(raw) == 0 {
		return nil
	}
	return wire.Member(raw, name)
}

// digest: a manifest without a revision says nothing of one.
func (j *Judge) digest(raw []byte, at spot) {
	revision := memberOf(raw, "revision")
	if revision == nil || string(revision) == "null" {
		return
	}
	want := j.digestOf(raw)
	if want == "" || wire.StringOf(revision) == want {
		return
	}
	if f := j.found(manifestDigest, at, thing{}, ""); f != nil {
		f.Message = fmt.Sprintf("The revision of the manifest is its digest, %s, and it says %s.", want, cut(string(revision), 80))
		f.Expected = `"revision":"` + want + `"`
		f.Seen = `"revision":` + quote(revision)
		f.Mend = f.Expected
	}
}

// digestOf returns the digest of a manifest, "" where it has none. The same
// manifest comes with each connection.
func (j *Judge) digestOf(raw []byte) string {
	h := maphash.Bytes(j.schemas.seed, raw)
	if d, known := j.session.digests[h]; known {
		return d
	}
	d, err := mcpl.Digest(raw)
	if err != nil {
		d = ""
	}
	if len(j.session.digests) >= maxThings {
		clear(j.session.digests)
	}
	j.session.digests[h] = d
	return d
}

// toolClasses are the classes of tools (RFC-008).
var toolClasses = map[string]bool{
	"comms": true, "memory": true, "notes": true, "files": true, "shell": true, "web": true,
	"computer": true, "media": true, "body": true, "control": true,
}

// toolClass judges the class of a listed tool.
func (j *Judge) toolClass(at spot, tool string, class value) {
	t := j.tree
	wrong := ""
	if !t.isArray(class) {
		wrong = "what is no array"
	} else {
		for v := t.First(class); v != 0; v = t.Next(v) {
			if !toolClasses[t.str(v)] {
				wrong = "the class " + cut(string(t.Raw(v)), 60)
				break
			}
		}
	}
	if wrong == "" {
		return
	}
	if f := j.found(classUnknown, at, thing{tool: tool}, wrong); f != nil {
		f.Message = fmt.Sprintf("The mcpl/class of %s is an array of known classes; it has %s, so the tool counts as unclassed.", f.tool(), wrong)
		f.Expected = "comms, memory, notes, files, shell, web, computer, media, body, control"
		f.Seen = `"mcpl/class":` + quote(t.Raw(class))
	}
}

// metaOf is meta for that of a message.
func (j *Judge) metaOf(m *message, at spot) {
	if m.Undefined {
		j.meta(at, m.Meta, "")
	}
}

// meta looks for keys of a _meta that nothing defines.
func (j *Judge) meta(at spot, meta value, tool string) {
	t := j.tree
	if !t.isObject(meta) {
		return
	}
	for v := t.First(meta); v != 0; v = t.Next(v) {
		name := t.Key(v)
		if !mcpl.UndefinedMeta(name) {
			continue
		}
		if f := j.found(metaReserved, at, thing{tool: tool}, string(name)); f != nil {
			f.Message = fmt.Sprintf("Nothing defines the key %s%s, and keys that begin with mcpl/ are reserved; it was ignored.", cut(string(name), 80), naming(thing{tool: f.tool()}))
			f.Expected = "a prefix of the server's own"
			f.Seen = quoteJSON(cut(string(name), 80)) + ":" + quote(t.Raw(v))
		}
	}
}
