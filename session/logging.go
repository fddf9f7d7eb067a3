package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// logLevels are the levels of MCP's logging, the chattiest first (RFC 5424).
var logLevels = []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

// planLog tells the server how much it shall log (MCP, logging).
func planLog(a *args) (plan, error) {
	level, err := a.want("the level")
	if err != nil {
		return plan{}, err
	}
	if !slices.Contains(logLevels, level) {
		return plan{}, fmt.Errorf("%q is no level: %s", level, strings.Join(logLevels, ", "))
	}
	if err := a.c.mayAsk(plan{method: mcpl.MethodSetLevel}); err != nil {
		return plan{}, err
	}
	if err := a.c.goneFrom(mcpl.MethodSetLevel); err != nil {
		return plan{}, err
	}
	if !a.c.logs() {
		return plan{}, fmt.Errorf("this server does not say that it logs; `raw %s` sends it all the same", mcpl.MethodSetLevel)
	}
	return plan{method: mcpl.MethodSetLevel, params: obj(member{"level", encode(level)})}, a.end()
}

// logs reports whether the server declares MCP's logging.
func (c *conn) logs() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return wire.Member(c.peer.caps, "logging") != nil
}
