package session

import (
	"context"
	"net/http"
)

type oauth struct{}

const maxAuthorizations = 2

func (o *oauth) header(context.Context) string                           { return "" }
func (o *oauth) authorize(context.Context, *http.Response, string) error { return nil }
func wantsAuthorization(*http.Response) bool                             { return false }
func (w *web) authorization(ctx context.Context) string {
	if w.auth == nil {
		return ""
	}
	return w.auth.header(ctx)
}
