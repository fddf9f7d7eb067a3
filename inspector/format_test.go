package inspector_test

import (
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/inspector"
)

func TestDurationsAreWrittenAsPeopleSayThem(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second:                            "0 ms",
		0:                                       "0 ms",
		400 * time.Microsecond:                  "0.4 ms",
		1400 * time.Microsecond:                 "1 ms",
		150 * time.Millisecond:                  "150 ms",
		999*time.Millisecond + 400*1000:         "999 ms",
		999*time.Millisecond + 600*1000:         "1.0 s",
		3400 * time.Millisecond:                 "3.4 s",
		59*time.Second + 960*1000*1000:          "1 min 0 s",
		125 * time.Second:                       "2 min 5 s",
		62*time.Minute + 20*time.Second:         "1 h 2 min",
		26*time.Hour + 59*time.Minute:           "26 h 59 min",
		59*time.Minute + 59800*time.Microsecond: "59 min 0 s",
	} {
		if got := inspector.Took(d); got != want {
			t.Errorf("Took(%v) = %q, want %q", d, got, want)
		}
	}
	for d, want := range map[time.Duration]string{
		-1: "0 s", 2900 * time.Millisecond: "2 s", 99 * time.Second: "99 s", 100 * time.Second: "1 min", 3 * time.Hour: "3 h",
	} {
		if got := inspector.Age(d); got != want {
			t.Errorf("Age(%v) = %q, want %q", d, got, want)
		}
	}
}

func TestTimesOfTheSessionKeepMilliseconds(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second:                           "0:00.000",
		128*time.Second + 700*time.Millisecond: "2:08.700",
		time.Hour + 2*time.Minute + 3*time.Second + 4*1000*1000: "1:02:03.004",
	} {
		if got := inspector.Clock(d); got != want {
			t.Errorf("Clock(%v) = %q, want %q", d, got, want)
		}
	}
	if got := inspector.ClockShort(192*time.Second + 900*time.Millisecond); got != "3:12" {
		t.Errorf("ClockShort = %q", got)
	}
}

func TestSizesAreDecimalWithOneDigit(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 B", 999: "999 B", 1000: "1.0 kB", 1203: "1.2 kB", 99_949: "99.9 kB", 99_950: "100 kB",
		999_949: "1000 kB", 999_950: "1.0 MB", 5_100_000: "5.1 MB", 2_000_000_000: "2.0 GB",
	} {
		if got := inspector.Size(n); got != want {
			t.Errorf("Size(%d) = %q, want %q", n, got, want)
		}
	}
	if inspector.Count(1, "tool") != "1 tool" || inspector.Count(0, "tool") != "0 tools" {
		t.Error("Count")
	}
}
