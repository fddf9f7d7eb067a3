package main

import (
	"strings"

	"github.com/spf13/cobra"
)

func play(c *cobra.Command, std stdio, screen screenFlags, p *played) error {
	return playFrom(c, std, screen, p, "", false, 1)
}

// playFrom shows a recording from a place on.
func playFrom(c *cobra.Command, std stdio, screen screenFlags, p *played, at string, playing bool, speed float64) error {
	opt, err := screen.options(std)
	if err != nil {
		p.close()
		return err
	}
	opt.StartPaused, opt.ReplaySpeed, opt.Start = !playing, speed, strings.Replace(at, "rev:", "rev ", 1)
	waitForFrames(p)
	d := newDesk(c.Context(), &connectFlags{timeout: defaultTimeout, push: "accept", elicit: "decline"}, true)
	if err := d.put(p); err != nil {
		return err
	}
	err = show(c.Context(), d, opt, std)
	sayWhatIsMissing(p.path, p.rec.Status(), std.err)
	return err
}
