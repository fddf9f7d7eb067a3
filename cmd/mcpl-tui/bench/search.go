//go:build unix

package main

import (
	"fmt"
	"regexp"
	"time"
)

// filters are what the wire is searched for: calls of a tool, of which there
// are many, and a text that no frame has, so that each is looked at.
var filters = [...]string{"tool:tool1", "nowhere-to-be-found"}

// searched is how long a search of the wire takes: until it shows what it
// found so far, and until all frames were looked at.
type searched struct{ first, whole time.Duration }

// searches is what was measured in all turns, for each of the filters.
type searches struct {
	first, whole [len(filters)][]time.Duration
	meanwhile    []time.Duration
}

var counted = regexp.MustCompile(`\d+ of \d+ match`)

// search filters the wire, which must be shown, in each way.
func (f *searches) search(s *screen) error {
	for k, text := range filters {
		over := regexp.MustCompile(`\d+ of \d+ match +` + regexp.QuoteMeta(text) + ` +esc clears`)
		s.forget()
		start := time.Now()
		if _, err := s.tty.WriteString("/" + text + "\r"); err != nil {
			return err
		}
		if err := s.matches(counted); err != nil {
			return err
		}
		f.first[k] = append(f.first[k], time.Since(start))
		keys, err := s.keysUntil(over)
		if err != nil {
			return err
		}
		f.whole[k] = append(f.whole[k], time.Since(start))
		f.meanwhile = append(f.meanwhile, keys...)
		if _, err := s.press("\x1b", "all "); err != nil {
			return err
		}
	}
	return nil
}

// keysUntil opens the page of keys and closes it again, until something was
// drawn, and returns how long it took to be there, each time.
func (s *screen) keysUntil(over *regexp.Regexp) (took []time.Duration, err error) {
	for end := time.Now().Add(patience); time.Now().Before(end); {
		if s.drew(over) {
			return took, nil
		}
		start := time.Now()
		if _, err := s.tty.WriteString("?"); err != nil {
			return nil, err
		}
		if err := s.until("the newest, live"); err != nil {
			return nil, err
		}
		took = append(took, time.Since(start))
		s.forget()
		if _, err := s.tty.WriteString("\x1b"); err != nil {
			return nil, err
		}
		// Of the page of keys, which speaks of matches too, some may be on its way
		// still: a key behind an esc that was not read yet would be one with it.
		if err := s.matches(counted); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("the search did not come to its end within %s", patience)
}

// into keeps the medians.
func (f *searches) into(c *column) {
	for k, into := range []*searched{&c.byTool, &c.byText} {
		into.first, into.whole = median(f.first[k]), median(f.whole[k])
	}
	if len(f.meanwhile) > 0 {
		c.meanwhile = quantile(f.meanwhile, 0.9)
	}
}
