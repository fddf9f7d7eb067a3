package conform

import "testing"

func TestAnEntryWithoutAMemberKeepsTheBytesOfTheOthers(t *testing.T) {
	for _, c := range []struct{ entry, name, want string }{
		{`{"name":"status", "instance":"x","visible":true}`, "instance", `{"name":"status","visible":true}`},
		{`{"visible":false,"presence":"static","definition":{"a": 1.0}}`, "presence", `{"visible":false,"definition":{"a": 1.0}}`},
		{`{"name":"a","presence":"static"}`, "presence", ""}, // it would say nothing
		{`{"na\u006de":"a<b","x":1,"visible":true}`, "x", `{"name":"a<b","visible":true}`},
		{`[]`, "x", ""},
		{`{"a"`, "x", ""},
		{``, "x", ""},
	} {
		if got := withoutMember([]byte(c.entry), c.name); got != c.want {
			t.Errorf("%s without %s: %s, want %s", c.entry, c.name, got, c.want)
		}
	}
}

func FuzzWithoutMember(f *testing.F) {
	f.Add([]byte(`{"name":"status","instance":"x","visible":true}`), "instance")
	f.Fuzz(func(t *testing.T, entry []byte, name string) {
		if got := withoutMember(entry, name); len(got) > maxQuote+4 {
			t.Errorf("%d bytes", len(got))
		}
	})
}
