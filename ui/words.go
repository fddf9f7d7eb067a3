package ui

import (
	"fmt"
	"strconv"
	"time"

	"github.com/mcpl-tui/mcpl-tui/inspector"
)

// age says how long ago something was, in whole units, rounded.
func age(d time.Duration) string { return inspector.Age(d.Round(time.Second)) }

// running says how long something has been going on, with a digit that moves:
// "0.4 s", "12.0 s", then as a clock.
func running(d time.Duration) string {
	d = max(d, 0)
	if d < time.Minute {
		return fmt.Sprintf("%d.%d s", d/time.Second, d/(100*time.Millisecond)%10)
	}
	return inspector.ClockShort(d)
}

// seconds writes a short time with two decimals: "0.31 s".
func seconds(d time.Duration) string {
	if d >= time.Minute {
		return inspector.ClockShort(d)
	}
	return strconv.FormatFloat(max(d, 0).Seconds(), 'f', 2, 64) + " s"
}

// limitText writes a time limit as short as it can be said: "30 s", "2 min".
func limitText(d time.Duration) string {
	switch {
	case d >= time.Minute && d%time.Minute == 0:
		return fmt.Sprintf("%d min", d/time.Minute)
	case d%time.Second == 0:
		return fmt.Sprintf("%d s", d/time.Second)
	}
	return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) + " s"
}
