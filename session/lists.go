package session

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// reading is what the reading of a list gave.
type reading struct {
	result  json.RawMessage // as sent; of several pages, put together
	request int64           // frame of the first request
	answer  int64           // frame of the last answer
}

// pagedList is a list of MCP that is read page by page.
type pagedList struct{ method, key string }

var (
	toolPages     = pagedList{mcpl.MethodToolsList, "tools"}
	resourcePages = pagedList{mcpl.MethodResourcesList, "resources"}
	templatePages = pagedList{mcpl.MethodTemplatesList, "resourceTemplates"}
	promptPages   = pagedList{mcpl.MethodPromptsList, "prompts"}
)

// readTools reads tools/list, all pages, and keeps the result where it is
// wanted.
func (c *conn) readTools(ctx context.Context, keep bool) (reading, error) {
	return c.readPages(ctx, toolPages, keep)
}

// readPages reads a list, all pages, and keeps the result where it is wanted.
// Two readings never mix: a list is its pages in a row.
func (c *conn) readPages(ctx context.Context, list pagedList, keep bool) (reading, error) {
	if err := c.holdLists(ctx); err != nil {
		return reading{}, err
	}
	defer func() { <-c.listing }()
	var got reading
	var pages [][]byte
	seen := map[string]bool{}
	size := 0
	params := []byte("{}")
	for page := 1; ; page++ {
		a, r, err := c.call(ctx, list.method, params, nil)
		if r != nil && got.request == 0 {
			got.request = r.seq
		}
		got.answer = a.seq
		if err != nil {
			return got, err
		}
		if keep {
			pages = append(pages, a.head.Result)
		}
		cursor := wire.Member(a.head.Result, "nextCursor")
		if wire.StringOf(cursor) == "" { // also where it is written, and empty
			if keep {
				got.result = joinPages(pages, list.key)
			}
			return got, nil
		}
		size += len(a.head.Raw)
		if seen[string(cursor)] || page == maxPages || size > maxListBytes {
			return got, fmt.Errorf("%s does not end: stopped after %d pages and %d kB, at the cursor %s", list.method, page, size>>10, cut(cursor, 60))
		}
		seen[string(cursor)] = true
		params = obj(member{"cursor", cursor})
	}
}

// readToolsets reads toolsets/list.
func (c *conn) readToolsets(ctx context.Context) (reading, error) {
	if err := c.holdLists(ctx); err != nil {
		return reading{}, err
	}
	defer func() { <-c.listing }()
	a, r, err := c.call(ctx, mcpl.MethodToolsetsList, []byte("{}"), nil)
	got := reading{answer: a.seq}
	if r != nil {
		got.request = r.seq
	}
	if err == nil {
		got.result = a.head.Result
	}
	return got, err
}

func (c *conn) holdLists(ctx context.Context) error {
	select {
	case c.listing <- struct{}{}:
		return nil
	case <-ctx.Done():
		return errCancelled
	}
}

// joinPages makes one result of several pages, each item as it was sent.
func joinPages(pages [][]byte, key string) []byte {
	if len(pages) == 1 {
		return pages[0]
	}
	items := []byte{'['}
	for _, p := range pages {
		wire.EachElement(wire.Member(p, key), func(v []byte) bool {
			if len(items) > 1 {
				items = append(items, ',')
			}
			items = append(items, v...)
			return true
		})
	}
	return obj(member{key, append(items, ']')}, member{"_meta", wire.Member(pages[0], "_meta")})
}

func cut(b []byte, most int) string {
	if len(b) <= most {
		return string(b)
	}
	return string(b[:most]) + "…"
}
