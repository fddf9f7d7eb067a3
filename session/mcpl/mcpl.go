// Package mcpl is MCPL's vocabulary: the names of its methods and keys, the
// manifest, hints with their lenient decoding, grants and the manifest's
// digest. It decodes; what the decoded things add up to is package timeline's.
package mcpl

// Implementation names a peer, as MCP's clientInfo and serverInfo do.
type Implementation struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}
