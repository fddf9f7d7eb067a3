//go:build unix

package session

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/mark3labs/mcp-go/server"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// childServer is what this binary does when it is started as a server.
func childServer(mode string) int {
	name, arg, _ := strings.Cut(mode, ":")
	p := newPeer(os.Stdin, os.Stdout)
	switch name {
	case "good":
		good(p)
	case "newest":
		_ = server.NewStdioServer(newestServer()).Listen(context.Background(), os.Stdin, os.Stdout)
	case "dies":
		fmt.Fprint(os.Stderr, "node:internal/modules\n\nError: cannot find module\nno end of line")
		return 3
	case "says": // arg, and nothing more
		fmt.Print(arg)
		_, _ = io.Copy(io.Discard, os.Stdin)
	case "echo":
		_, _ = io.Copy(os.Stdout, os.Stdin)
	case "silent":
		_, _ = io.Copy(io.Discard, os.Stdin)
	case "garbage":
		fmt.Print("Server is starting…\n\n   \n{\"cut\":\n\xff\xfe\n[1,2]\n\"x\"\r\n")
		good(p)
	case "long":
		n, _ := strconv.Atoi(arg)
		p.host("", func(h wire.Head) bool {
			if h.Method != "tools/call" {
				return false
			}
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"`, h.ID)
			block := bytes.Repeat([]byte("x"), 1<<20)
			for range n / len(block) {
				_, _ = os.Stdout.Write(block)
			}
			fmt.Print(`"}]}}` + "\n")
			return true
		})
	case "unterminated":
		h, _ := p.next()
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{}}}`+"\n"+`{"jsonrpc":"2.0","method":"notifications/message","params":{"last":true}}`, h.ID)
		fmt.Fprint(os.Stderr, "bye")
	case "stubborn":
		signal.Ignore(syscall.SIGTERM)
		good(p)
		time.Sleep(time.Hour) // neither the end of the input nor a signal ends it
	case "lingers":
		stop := make(chan os.Signal, 1)
		signal.Notify(stop, syscall.SIGTERM)
		good(p)
		<-stop
		fmt.Fprintln(os.Stderr, "told to stop")
		return 7
	case "grandchild":
		return leaveGrandchild(p)
	case "sleep":
		fmt.Println(`{"jsonrpc":"2.0","method":"grandchild/alive"}`)
		time.Sleep(time.Hour)
	case "flood":
		n, _ := strconv.Atoi(arg)
		atReady(p, hintManifest, func() { flood(n) }, nil)
	case "justflood":
		n, _ := strconv.Atoi(arg)
		flood(n)
	case "deaf":
		// Reads what the handshake needs, then never again, and asks on.
		h, _ := p.next()
		p.usual("", h)
		for i := 0; ; i++ {
			if _, err := fmt.Printf(`{"jsonrpc":"2.0","id":"%d %s","method":"ping"}`+"\n", i, strings.Repeat("y", 1000)); err != nil {
				return 1
			}
			if i == 3000 {
				time.Sleep(time.Hour)
			}
		}
	case "halfclosed":
		h, _ := p.next()
		p.usual("", h)
		_ = os.Stdin.Close()
		_, _ = fmt.Println(`{"jsonrpc":"2.0","method":"stdin/closed"}`)
		time.Sleep(time.Hour)
	case "mute":
		h, _ := p.next()
		p.usual("", h)
		_ = os.Stdout.Close()
		_, _ = io.Copy(io.Discard, os.Stdin)
		return 4
	case "env":
		wd, _ := os.Getwd()
		fmt.Fprintf(os.Stderr, "X=%s in %s\n", os.Getenv("SESSION_TEST_X"), wd)
		good(p)
	case "host":
		return hostProcess(arg)
	}
	return 0
}

// leaveGrandchild starts a process that keeps the pipes open, and ends.
func leaveGrandchild(p *peerEnd) int {
	h, _ := p.next()
	p.usual("", h)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), serverEnv+"=sleep")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		return 9
	}
	fmt.Fprintf(os.Stderr, "grandchild %d\n", cmd.Process.Pid)
	return 5
}

// flood writes hint notifications as fast as the pipe takes them.
func flood(n int) {
	var b bytes.Buffer
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, hintLine+"\n", i+1, i%2 == 0)
		if b.Len() > 32<<10 || i == n {
			_, _ = b.WriteTo(os.Stdout)
		}
	}
}

const hintLine = `{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":%d,"tools":[{"name":"move","instance":"vs-ada","visible":%v}]}}`
