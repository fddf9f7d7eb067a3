package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcpl-tui/mcpl-tui/session"
	"github.com/mcpl-tui/mcpl-tui/session/demo"
)

// linkStdio is served on this program's own stdin and stdout.
const linkStdio = "stdio"

// byeTime is how long clients may take to leave when the demo ends.
const byeTime = 3 * time.Second

// newDemo is the built-in demo server: shown, or served to other hosts.
func newDemo(std stdio) *cobra.Command {
	var flags connectFlags
	var screen screenFlags
	var noRecord bool
	var serve, listen string
	c := &cobra.Command{
		Use:   "demo",
		Short: "Try mcpl-tui on the built-in server, or serve that to another host",
		Long: "arcade, the built-in server, offers Go games against opponents that answer by themselves,\n" +
			"a chat, a radio and suggestions: something of everything that toolHints can say.\n\n" +
			"With --serve stdio it speaks on stdin and stdout, as a server for any MCP or MCPL host. With\n" +
			"--serve http, sse or ws it listens on this machine, prints the address to connect to, and\n" +
			"serves many clients at once. Those with the same token, or without one, are one principal:\n" +
			"what one opens, the others see.",
		Example: "  mcpl-tui demo\n  mcpl-tui demo --serve stdio\n  mcpl-tui -- mcpl-tui demo --serve stdio\n" +
			"  mcpl-tui demo --serve http,ws --listen 127.0.0.1:8080",
		Args: cobra.NoArgs,
	}
	flags.add(c, session.DefaultTimeout)
	askPerson(c)
	screen.add(c)
	addNoRecord(c, &noRecord)
	c.Flags().StringVar(&serve, "serve", "", "serve the demo over `LINK` instead of showing it: stdio, or of http, sse, ws one or several with commas")
	c.Flags().StringVar(&listen, "listen", "", "loopback address that --serve http, sse and ws listen on, `HOST:PORT` (default 127.0.0.1:0, a free port)")
	c.RunE = func(c *cobra.Command, _ []string) error {
		switch {
		case serve != "":
			if name := flags.given(); name != "" {
				return fmt.Errorf("--%s is for who connects, and --serve serves: leave it out", name)
			}
			return serveDemo(c.Context(), std, serve, listen)
		case listen != "":
			return errors.New("--listen is for --serve: say what to serve, as in --serve http")
		}
		t := session.Target{Kind: session.KindDemo}
		return connectAndShow(c, std, chosen{target: t, shown: t}, &flags, screen, noRecord)
	}
	return c
}

// serveDemo serves the demo over links, until ctx ends.
func serveDemo(ctx context.Context, std stdio, links, listen string) error {
	if links == linkStdio {
		if listen != "" {
			return fmt.Errorf("--listen is for --serve %s; over stdio nothing listens", strings.Join(demo.Links, ", "))
		}
		err := demo.Serve(ctx, std.in, std.out, demo.Options{})
		if ctx.Err() != nil {
			return nil
		}
		return err
	}
	chosen := strings.Split(links, ",")
	for _, l := range chosen {
		if !slices.Contains(demo.Links, l) {
			return fmt.Errorf("--serve %s: give %s, or several of %s with commas", links, linkStdio, strings.Join(demo.Links, ", "))
		}
	}
	l, err := listenOnLoopback(ctx, listen)
	if err != nil {
		return err
	}
	for _, link := range chosen {
		fmt.Fprintln(std.out, demoTarget(link, l.Addr().String()))
	}
	fmt.Fprintln(std.err, "arcade serves there, to this machine alone; ctrl-c ends it. Clients with the same token, or without one, are one principal.")
	return serveOn(ctx, l, demo.NewHandler(demo.Options{}, chosen...))
}

// demoTarget is what one connects to, as a target.
func demoTarget(link, addr string) string {
	switch link {
	case demo.LinkSSE:
		return "sse+http://" + addr + demo.PathSSE
	case demo.LinkWS:
		return "ws://" + addr + demo.PathWS
	}
	return "http://" + addr + demo.PathHTTP
}

// listenOnLoopback listens where nobody but this machine can come.
func listenOnLoopback(ctx context.Context, listen string) (net.Listener, error) {
	if listen == "" {
		listen = "127.0.0.1:0"
	}
	host, _, err := net.SplitHostPort(listen)
	if err != nil {
		return nil, fmt.Errorf("--listen %s: give HOST:PORT, as in 127.0.0.1:8080; port 0 takes a free one", listen)
	}
	ip := net.ParseIP(host)
	if host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, fmt.Errorf("--listen %s: the demo is served to this machine alone; give 127.0.0.1, [::1] or localhost", listen)
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", listen)
	if err != nil {
		var op *net.OpError
		if errors.As(err, &op) {
			err = op.Err
		}
		return nil, fmt.Errorf("--listen %s: %w; choose another port, 0 takes a free one", listen, err)
	}
	return l, nil
}

// serveOn serves until ctx ends, then sees the clients out.
func serveOn(ctx context.Context, l net.Listener, h *demo.Handler) error {
	srv := &http.Server{
		Handler: h, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute,
		ErrorLog: log.New(io.Discard, "", 0), // what a client does wrong is answered to it
	}
	served := make(chan error, 1)
	go func() { served <- srv.Serve(l) }()
	var err error
	select {
	case err = <-served:
	case <-ctx.Done():
	}
	gone := make(chan struct{})
	go func() { defer close(gone); h.Close() }()
	select {
	case <-gone:
	case <-time.After(byeTime):
	}
	_ = srv.Close() // whoever has not left is hung up on
	<-gone
	if err != nil && !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve the demo: %w", err)
	}
	return nil
}
