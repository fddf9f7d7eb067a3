package session

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/mark3labs/mcp-go/client/transport"
)

// keptToken is what is kept for an address: the token, and the client that it
// was given to.
type keptToken struct {
	Resource     string           `json:"resource"`
	ClientID     string           `json:"client_id,omitempty"`
	ClientSecret string           `json:"client_secret,omitempty"`
	AuthMethod   string           `json:"token_endpoint_auth_method,omitempty"`
	Metadata     string           `json:"protected_resource_metadata,omitempty"`
	Base         string           `json:"base,omitempty"` // of the well-known addresses, "": the resource
	Token        *transport.Token `json:"token,omitempty"`

	redirect string
}

// tokenStore keeps the token of one address, in memory and, where there is a
// folder, in a file that only its owner can read.
type tokenStore struct {
	resource string
	path     string // "": in memory alone

	mu   sync.Mutex
	read bool
	kept keptToken
}

func newTokenStore(dir, resource string) *tokenStore {
	s := &tokenStore{resource: resource, kept: keptToken{Resource: resource}}
	if dir != "" {
		sum := sha256.Sum256([]byte(resource))
		s.path = filepath.Join(dir, hex.EncodeToString(sum[:16])+".json")
	}
	return s
}

// load returns what is kept. A file that cannot be read keeps nothing.
func (s *tokenStore) load() keptToken {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.read && s.path != "" {
		s.read = true
		var k keptToken
		if raw, err := os.ReadFile(s.path); err == nil && json.Unmarshal(raw, &k) == nil && k.Resource == s.resource {
			s.kept = k
		}
	}
	return s.kept
}

// client takes over the client that was registered. It is kept with the next
// token.
func (s *tokenStore) client(h *transport.OAuthHandler, found keptToken) {
	s.load()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept.ClientID, s.kept.ClientSecret, s.kept.AuthMethod = h.GetClientID(), h.GetClientSecret(), h.GetTokenEndpointAuthMethod()
	s.kept.Metadata, s.kept.Base, s.kept.Token = found.Metadata, found.Base, nil
}

// GetToken implements transport.TokenStore.
func (s *tokenStore) GetToken(ctx context.Context) (*transport.Token, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if t := s.load().Token; t != nil {
		return t, nil
	}
	return nil, transport.ErrNoToken
}

// SaveToken implements transport.TokenStore.
func (s *tokenStore) SaveToken(ctx context.Context, token *transport.Token) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.load()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept.Token = token
	if s.path == "" {
		return nil
	}
	return s.write()
}

// write replaces the file, so that it is never half of one.
func (s *tokenStore) write() error {
	raw, err := json.Marshal(s.kept)
	if err != nil {
		return fmt.Errorf("write the token: %w", err)
	}
	dir := filepath.Dir(s.path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("keep the token: %w", err)
	}
	f, err := os.CreateTemp(dir, ".token-*") // 0600
	if err != nil {
		return fmt.Errorf("keep the token: %w", err)
	}
	_, err = f.Write(raw)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(f.Name(), s.path)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // what is left of it is a secret
		return fmt.Errorf("keep the token: %w", err)
	}
	return nil
}
