package inspector

import (
	"strings"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// wordKeys are the names under which servers keep a word for programs beside
// the text of a tool error, the plainest first.
var wordKeys = []string{"code", "errorcode", "error_code", "error-code", "error", "errortype", "error_type", "reason", "status"}

// maxWord bounds what passes for a word.
const maxWord = 80

// ErrorWord returns the word for programs that a server put into the _meta of
// a tool error, "" where there is none. MCP names no member for it, so it is
// the one whose name, after any prefix, says that it is a code; objects of a
// vendor are looked into.
func ErrorWord(result []byte) string {
	if string(wire.Member(result, "isError")) != "true" {
		return ""
	}
	word, _ := wordIn(wire.Member(result, "_meta"), 3)
	return word
}

// wordIn finds the best word in an object: rank is the place of its key in
// wordKeys, len(wordKeys) for none.
func wordIn(raw []byte, depth int) (word string, rank int) {
	rank = len(wordKeys)
	wire.EachMember(raw, func(key string, v []byte) bool {
		if strings.HasPrefix(key, "mcpl/") || len(v) == 0 {
			return true
		}
		found, at := "", len(wordKeys)
		switch {
		case v[0] == '{' && depth > 1:
			found, at = wordIn(v, depth-1)
		case len(v) <= maxWord+2 && isString(v):
			found, at = wire.StringOf(v), rankOf(key)
		case len(v) <= maxWord && (v[0] == '-' || '0' <= v[0] && v[0] <= '9'):
			found, at = string(v), rankOf(key)
		}
		if found != "" && at < rank {
			word, rank = oneLine(found), at
		}
		return true
	})
	return word, rank
}

// rankOf is the place of a key in wordKeys, its prefix left out.
func rankOf(key string) int {
	key = strings.ToLower(key[strings.LastIndexAny(key, "/.:")+1:])
	for i, k := range wordKeys {
		if key == k {
			return i
		}
	}
	return len(wordKeys)
}
