package mcpl

import "slices"

// Protocol is the version of MCP that a host asks for: the newest one with
// the handshake on which MCPL rides.
const Protocol = "2025-11-25"

// ProtocolStateless is the version of MCP without handshake and without
// session: each request says its version, who asks and what the host can do
// (MCP 2026-07-28, "_meta").
const ProtocolStateless = "2026-07-28"

var classic = []string{Protocol, "2025-06-18", "2025-03-26", "2024-11-05"}

// ClassicProtocols returns the versions with the handshake, the newest first.
func ClassicProtocols() []string { return slices.Clone(classic) }

// Protocols returns the versions of MCP that a host can speak, the newest
// first.
func Protocols() []string { return append([]string{ProtocolStateless}, classic...) }

// KnownProtocol reports whether a host can go on with v as the answer to
// initialize. The versions before the first release differ in nothing that
// matters here.
func KnownProtocol(v string) bool {
	return slices.Contains(classic, v) || v == "2024-10-07"
}

// Newest returns the newest version with the handshake among those that a
// server supports, "" where there is none.
func Newest(supported []string) string {
	for _, v := range classic {
		if slices.Contains(supported, v) {
			return v
		}
	}
	return ""
}

// The methods that MCP 2026-07-28 adds.
const (
	MethodDiscover     = "server/discover"
	MethodListen       = "subscriptions/listen"
	MethodAcknowledged = "notifications/subscriptions/acknowledged"
)

// The members of _meta that each request of MCP 2026-07-28 has, and what a
// result may say of the server.
const (
	MetaProtocol     = "io.modelcontextprotocol/protocolVersion"
	MetaClient       = "io.modelcontextprotocol/clientInfo"
	MetaCapabilities = "io.modelcontextprotocol/clientCapabilities"
	MetaServer       = "io.modelcontextprotocol/serverInfo"
	// MetaLogLevel on a request: how much the server shall log while it answers.
	MetaLogLevel = "io.modelcontextprotocol/logLevel"
)

// The error codes of newer versions of MCP.
const (
	CodeHeaderMismatch      = -32020 // HTTP headers and body differ
	CodeMissingCapability   = -32021 // the host lacks what the request needs
	CodeUnsupportedProtocol = -32022 // data: {supported, requested}
	CodeURLElicitation      = -32042 // data: {elicitations}: a person has to visit a page first
)

const codeURLElicitation = "-32042"
