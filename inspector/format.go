package inspector

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// Took writes a duration as people say it: "0.4 ms", "150 ms", "3.4 s",
// "2 min 5 s", "1 h 2 min".
func Took(d time.Duration) string {
	switch {
	case d < 0:
		return "0 ms"
	case d < time.Millisecond && d > 0:
		return strconv.FormatFloat(float64(d.Microseconds())/1000, 'f', 1, 64) + " ms"
	case d.Round(time.Millisecond) < time.Second:
		return strconv.FormatInt(d.Round(time.Millisecond).Milliseconds(), 10) + " ms"
	case d < time.Minute-50*time.Millisecond:
		return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + " s"
	case d < time.Hour:
		d = d.Round(time.Second)
		return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
	default:
		d = d.Round(time.Minute)
		return fmt.Sprintf("%d h %d min", int(d.Hours()), int(d.Minutes())%60)
	}
}

// Age writes how long ago something was, in whole units: "0 s", "20 s",
// "3 min", "2 h".
func Age(d time.Duration) string {
	switch {
	case d < 0:
		return "0 s"
	case d < 100*time.Second:
		return strconv.Itoa(int(d.Seconds())) + " s"
	case d < 100*time.Minute:
		return strconv.Itoa(int(d.Minutes())) + " min"
	default:
		return strconv.Itoa(int(d.Hours())) + " h"
	}
}

// Clock writes a time of the session with milliseconds: "2:08.700",
// "1:02:08.700".
func Clock(d time.Duration) string {
	ms := max(d, 0).Milliseconds()
	return ClockShort(d) + fmt.Sprintf(".%03d", ms%1000)
}

// ClockShort writes a time of the session in whole seconds: "2:08".
func ClockShort(d time.Duration) string {
	s := int64(max(d, 0) / time.Second)
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// Size writes a number of bytes: "560 B", "1.2 kB", "5.1 MB".
func Size(n int64) string {
	switch {
	case n < 1000:
		return strconv.FormatInt(n, 10) + " B"
	case n < 999_950:
		return unit(n, 1000) + " kB"
	case n < 999_950_000:
		return unit(n, 1_000_000) + " MB"
	default:
		return unit(n, 1_000_000_000) + " GB"
	}
}

// bytesWord is Size with the unit written out while it is bytes.
func bytesWord(n int) string {
	if n < 1000 {
		return Count(n, "byte")
	}
	return Size(int64(n))
}

func unit(n, of int64) string {
	f := float64(n) / float64(of)
	if f >= 99.95 {
		return strconv.FormatFloat(f, 'f', 0, 64)
	}
	return strconv.FormatFloat(f, 'f', 1, 64)
}

// Count writes a number and its noun: "1 tool", "14 tools".
func Count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}

// Quote puts a peer's words, on one line, between quotation marks.
func Quote(s string) string { return "“" + oneLine(s) + "”" }

// maxShort is how many bytes of a peer's text stand in a line at most.
const maxShort = timeline.MaxShort

// short bounds a text that stands in a line of a Doc or a list; what is cut
// off is marked. What is longer goes into Block.Text.
func short(s string) string { return timeline.Short(s, maxShort) }

func cutBytes(s string, n int) string { return timeline.Short(s, n) }

// oneLine bounds a text and puts it on one line.
func oneLine(s string) string { return timeline.OneLine(s) }

// pad fills s with blanks at the right to n letters.
func pad(s string, n int) string {
	if k := n - utf8.RuneCountInString(s); k > 0 {
		return s + strings.Repeat(" ", k)
	}
	return s
}

// place names where a tool, an open or a change belongs: "game vs-ada",
// "chat", "".
func place(toolset, instance string) string {
	if toolset == "" || instance == "" {
		return toolset + instance
	}
	return toolset + " " + instance
}

// at names a tool in an instance: "play@vs-ada", or with gap "play @ vs-ada".
func at(tool, instance string, gap bool) string {
	switch {
	case instance == "":
		return tool
	case gap:
		return tool + " @ " + instance
	default:
		return tool + "@" + instance
	}
}
