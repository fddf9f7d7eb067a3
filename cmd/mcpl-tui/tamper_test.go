package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"github.com/mcpl-tui/mcpl-tui/session"
)

// tamper puts a fault between a server and its host. onOut sees each message
// of the host; edit changes one of the server, nil drops it.
func tamper(serve session.Serve, onOut func(msg map[string]any), edit func(msg map[string]any) map[string]any) session.Serve {
	return func(ctx context.Context, r io.Reader, w io.Writer) error {
		hostR, hostW := io.Pipe()
		serverR, serverW := io.Pipe()
		var done sync.WaitGroup
		done.Go(func() {
			eachLine(r, hostW, func(m map[string]any) map[string]any {
				if onOut != nil {
					onOut(m)
				}
				return m
			})
			_ = hostW.Close()
		})
		done.Go(func() {
			eachLine(serverR, w, edit)
			_ = serverR.Close()
		})
		err := serve(ctx, hostR, serverW)
		_ = hostR.Close()
		_ = serverW.Close()
		done.Wait()
		return err
	}
}

func eachLine(r io.Reader, w io.Writer, edit func(map[string]any) map[string]any) {
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var m map[string]any
		d := json.NewDecoder(bytes.NewReader(line))
		d.UseNumber()
		if d.Decode(&m) != nil {
			continue
		}
		if m = edit(m); m == nil {
			continue
		}
		out, err := json.Marshal(m)
		if err != nil {
			return
		}
		if _, err := w.Write(append(out, '\n')); err != nil {
			return
		}
	}
}

// broken is a server that answers the requests of one method wrongly: spoil
// changes the result, and may say no to those it leaves alone.
func broken(serve session.Serve, method string, spoil func(params, result map[string]any)) session.Serve {
	var mu sync.Mutex
	asked := map[string]map[string]any{}
	return tamper(serve, func(m map[string]any) {
		if m["method"] == method {
			mu.Lock()
			defer mu.Unlock()
			params, _ := m["params"].(map[string]any)
			asked[fmt.Sprint(m["id"])] = params
		}
	}, func(m map[string]any) map[string]any {
		mu.Lock()
		defer mu.Unlock()
		params, ours := asked[fmt.Sprint(m["id"])]
		if result, ok := m["result"].(map[string]any); ok && ours && m["method"] == nil {
			delete(asked, fmt.Sprint(m["id"]))
			spoil(params, result)
		}
		return m
	})
}
