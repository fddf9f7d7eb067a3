package timeline

import (
	"strconv"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// limited takes a note of how long the answer to a request may take: to the
// one that it names, else to all from now on.
func (c *conn) limited(data []byte) {
	limit := DecodeLimit(data)
	key := wire.ID(wire.Member(data, "id")).Key()
	if o, open := c.calls[key]; open {
		o.limit = limit
		c.calls[key] = o
	} else if key == "" {
		c.limit = limit
	}
}

// DecodeLimit reads what the note "limit" says, 0 where it cannot be read.
func DecodeLimit(data []byte) time.Duration {
	s, err := strconv.ParseFloat(string(wire.Member(data, "seconds")), 64)
	if err != nil || s <= 0 || s > maxLimit.Seconds() {
		return 0
	}
	return time.Duration(s * float64(time.Second))
}

// maxLimit bounds what is believed of a limit.
const maxLimit = 365 * 24 * time.Hour
