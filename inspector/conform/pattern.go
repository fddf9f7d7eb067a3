package conform

import (
	"regexp"
	"sync"
)

// patternCache keeps compiled regular expressions. It is shared by all judges.
type patternCache struct {
	mu   sync.Mutex
	have map[string]*regexp.Regexp
}

// Bounds of the cache, and of one pattern.
const (
	maxPatterns = 512
	maxPattern  = 1000
)

func (c *patternCache) get(s []byte) *regexp.Regexp {
	if len(s) > maxPattern {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	re, known := c.have[string(s)]
	if known {
		return re
	}
	if len(c.have) >= maxPatterns {
		clear(c.have)
	}
	re, err := regexp.Compile(string(s))
	if err != nil {
		re = nil
	}
	c.have[string(s)] = re
	return re
}

// patterns are regular expressions that were compiled; nil for those that Go
// does not understand.
var patterns = patternCache{have: map[string]*regexp.Regexp{}}

// pattern returns a regular expression of a schema, nil where Go does not
// understand it, or may understand it otherwise than ECMA 262.
func pattern(s []byte) *regexp.Regexp { return patterns.get(s) }
