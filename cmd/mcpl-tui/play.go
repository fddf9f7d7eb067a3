package main

import "github.com/spf13/cobra"

// playFrom shows a recording from a place on.
func playFrom(c *cobra.Command, std stdio, screen screenFlags, path, at string, playing bool, speed float64) error {
	d := newDesk(c.Context(), &connectFlags{timeout: defaultTimeout, hostFlags: askingHost()}, true)
	p, err := openPlayed(path, d.crashed)
	if err != nil {
		return err
	}
	opt, err := screen.options(std)
	if err != nil {
		p.close()
		return err
	}
	opt.StartPaused, opt.ReplaySpeed, opt.Start = !playing, speed, at
	waitForFrames(p)
	d.put(p)
	err = show(c.Context(), d, opt, std)
	sayWhatIsMissing(path, p.rec.Status(), std.err)
	return err
}
