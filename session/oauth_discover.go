package session

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/mark3labs/mcp-go/client/transport"
)

// discover finds the authorization server, and asks for the scopes that the
// response names, else the resource (MCP, authorization, "Scope Selection
// Strategy"). kept says where its metadata was found.
func (o *oauth) discover(ctx context.Context, resp *http.Response, redirect string, note func(string, []byte)) (h *transport.OAuthHandler, meta *transport.AuthServerMetadata, kept keptToken, err error) {
	scopes := scopesOf(resp)
	kept, seen, h, meta, err := o.look(ctx, resp, keptToken{redirect: redirect}, scopes, note)
	if err == nil && len(scopes) == 0 && len(seen.scopes) > 0 {
		// The handler takes its scopes when it is made.
		h = o.newHandler(kept, seen.scopes, note)
		meta, err = h.GetServerMetadata(ctx)
	}
	if err != nil {
		return nil, nil, keptToken{}, fmt.Errorf("its authorization server was not found: %w", err)
	}
	for _, address := range []string{meta.AuthorizationEndpoint, meta.TokenEndpoint, meta.RegistrationEndpoint} {
		if u, err := url.Parse(address); address != "" && (err != nil || !secureFor(u, o.resource)) {
			return nil, nil, keptToken{}, errors.New("its authorization server is reached without TLS, where others can read along")
		}
	}
	return h, meta, kept, nil
}

// wellKnown is a place at which an authorization server may be told of: as
// the response says, or as what is kept says.
type wellKnown struct {
	said bool
	kept keptToken
}

// places are where metadata can be, in the order of MCP's authorization
// ("Protected Resource Metadata Discovery Requirements"): where the response
// says, at the path of the resource, at the root; and, as it was in revision
// 2025-03-26, the authorization server's own metadata at the root.
func (o *oauth) places(resp *http.Response, kept keptToken) []wellKnown {
	out := []wellKnown{{kept: kept}}
	if strings.Contains(resp.Header.Get("Www-Authenticate"), "resource_metadata") {
		out = []wellKnown{{kept: kept, said: true}, {kept: kept}}
	}
	if u, err := url.Parse(o.resource); err == nil && strings.Trim(u.Path, "/") != "" {
		root := originOf(u)
		metadata, base := kept, kept
		metadata.Metadata, base.Base = root+"/.well-known/oauth-protected-resource", root
		out = append(out, wellKnown{kept: metadata}, wellKnown{kept: base})
	}
	return out
}

// look asks at one place after the other. Where no place tells of an
// authorization server, the addresses that revision 2025-03-26 names are
// taken, at the root. An answer that speaks of another resource ends the
// search: somebody would like to have a token that is not theirs.
func (o *oauth) look(ctx context.Context, resp *http.Response, kept keptToken, scopes []string, note func(string, []byte)) (found keptToken, seen *metadataTap, h *transport.OAuthHandler, meta *transport.AuthServerMetadata, err error) {
	for _, at := range o.places(resp, kept) {
		found, seen = at.kept, &metadataTap{}
		h = o.newHandler(found, scopes, note)
		if at.said {
			h.HandleUnauthorizedResponse(resp)
		}
		meta, err = h.GetServerMetadata(context.WithValue(ctx, metadataKey{}, seen))
		if at.said {
			found.Metadata = seen.address
		}
		// At the root, the metadata may be of the whole server: the next place
		// takes it as that.
		whole := found.Metadata != "" && !at.said && err != nil
		if seen.address != "" && !whole || seen.server && err == nil || ctx.Err() != nil {
			break
		}
	}
	return found, seen, h, meta, err
}

var scopeParam = regexp.MustCompile(`(?i)(?:^|[\s,])scope=(?:"([^"]*)"|([^\s,"]+))`)

// scopesOf are the scopes that a response asks for (RFC 6750 §3).
func scopesOf(resp *http.Response) []string {
	g := scopeParam.FindStringSubmatch(resp.Header.Get("Www-Authenticate"))
	if g == nil {
		return nil
	}
	return strings.Fields(g[1] + g[2])
}
