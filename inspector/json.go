package inspector

import (
	"encoding/json"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// withInstance writes a hint entry as sent, with the instance added after its
// name.
func withInstance(entry []byte, instance string) string {
	name, err := json.Marshal(instance)
	if err != nil {
		return string(entry)
	}
	out := []byte{'{'}
	put := func(key, value []byte) {
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, key...), ':'), value...)
	}
	added := false
	wire.EachMember(entry, func(key string, v []byte) bool {
		k, err := json.Marshal(key)
		if err != nil {
			return true
		}
		put(k, v)
		if key == "name" && !added {
			put([]byte(`"instance"`), name)
			added = true
		}
		return true
	})
	if !added {
		put([]byte(`"instance"`), name)
	}
	return string(append(out, '}'))
}
