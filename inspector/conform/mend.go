package conform

import "bytes"

// mendWithout says of an entry that was seen that it is right without one of
// its members. Where it would then say nothing, the rule's advice stands.
func (f *Finding) mendWithout(entry []byte, name string) {
	f.Seen = quote(entry)
	if mended := withoutMember(entry, name); mended != "" {
		f.Mend = mended
	}
}

// withoutMember returns an entry without one of its members, the bytes of the
// others as they stand; "" where nothing is left that it says of a thing.
func withoutMember(entry []byte, name string) string {
	var r reader
	root, ok := r.parse(entry)
	t := &r.tree
	if !ok || !t.isObject(root) {
		return ""
	}
	var out bytes.Buffer
	says := false
	for v := t.First(root); v != 0; v = t.Next(v) {
		key := string(t.Key(v))
		if key == name {
			continue
		}
		switch key {
		case "name", "toolset", "instance":
		default:
			says = true
		}
		if out.Len() > 0 {
			out.WriteByte(',')
		}
		out.WriteString(quoteJSON(key) + ":")
		out.Write(t.Raw(v))
	}
	if !says {
		return ""
	}
	return quote([]byte("{" + out.String() + "}"))
}
