package mcpl

// The methods of MCP that a host sends or answers.
const (
	MethodInitialize       = "initialize"
	MethodInitialized      = "notifications/initialized"
	MethodPing             = "ping"
	MethodToolsList        = "tools/list"
	MethodToolsCall        = "tools/call"
	MethodToolsChanged     = "notifications/tools/list_changed"
	MethodCancelled        = "notifications/cancelled"
	MethodProgress         = "notifications/progress"
	MethodLogMessage       = "notifications/message"
	MethodSetLevel         = "logging/setLevel"
	MethodSampling         = "sampling/createMessage"
	MethodElicit           = "elicitation/create"
	MethodRootsList        = "roots/list"
	MethodRootsChanged     = "notifications/roots/list_changed"
	MethodResourcesChanged = "notifications/resources/list_changed"
	MethodPromptsChanged   = "notifications/prompts/list_changed"
	MethodResourceUpdated  = "notifications/resources/updated"
	MethodElicitComplete   = "notifications/elicitation/complete"
	MethodResourcesList    = "resources/list"
	MethodTemplatesList    = "resources/templates/list"
	MethodResourcesRead    = "resources/read"
	MethodSubscribe        = "resources/subscribe"
	MethodUnsubscribe      = "resources/unsubscribe"
	MethodPromptsList      = "prompts/list"
	MethodPromptsGet       = "prompts/get"
	MethodComplete         = "completion/complete"
)

// The methods that MCPL adds (mcpl-host.md, toolhints.md §5 and §7).
const (
	MethodFeatureSets      = "featureSets/update"
	MethodManifest         = "mcpl/manifest"
	MethodManifestChanged  = "mcpl/manifestChanged"
	MethodToolsetsOpen     = "toolsets/open"
	MethodToolsetsClose    = "toolsets/close"
	MethodToolsetsList     = "toolsets/list"
	MethodToolsHints       = "tools/hints"
	MethodPush             = "push/event"
	MethodChannelsRegister = "channels/register"
	MethodChannelsChanged  = "channels/changed"
	MethodChannelsList     = "channels/list"
	MethodChannelsIncoming = "channels/incoming"
	MethodInference        = "inference/request"
	MethodModelInfo        = "model/info"
	MethodStateUpdate      = "state/update"
	MethodStateGet         = "state/get"
	MethodStateRollback    = "state/rollback"
	MethodChannelsOpen     = "channels/open"
	MethodChannelsClose    = "channels/close"
	MethodChannelsPublish  = "channels/publish"
	MethodChannelsAck      = "channels/acknowledge"
	MethodChannelsTyping   = "channels/typing"
	MethodBeforeInference  = "context/beforeInference"
	MethodLifecycle        = "inference/lifecycle"
)

// The error codes of JSON-RPC, MCP and MCPL (mcpl-host.md, "Server to host").
const (
	CodeParse            = -32700
	CodeInvalidRequest   = -32600
	CodeMethodUnknown    = -32601
	CodeInvalidParams    = -32602
	CodeInternal         = -32603
	CodeUserRejected     = -1     // MCP: the user declined a sampling request
	CodeFeatureDisabled  = -32001 // data: {featureSet}
	CodeDenied           = -32002 // data: {capability}
	CodeFeatureUnknown   = -32003 // data: {featureSet}
	CodeCheckpoint       = -32005 // checkpoint not found
	CodeChannelForbidden = -32017
	CodeChannelUnknown   = -32023
	CodeChannelOpen      = -32024 // the channel could not be opened
)

// Version is the version of MCPL that a host advertises.
const Version = "0.5"

// MethodName returns the name of a method that is known here in memory of its
// own, given a view of a message; "" for any other.
func MethodName(view string) string {
	for _, m := range methodsByLength[min(len(view), maxMethod)] {
		if m == view {
			return m
		}
	}
	return ""
}

// maxMethod is longer than any method.
const maxMethod = 48

var methodsByLength = func() (by [maxMethod + 1][]string) {
	for _, m := range []string{
		MethodInitialize, MethodInitialized, MethodPing, MethodToolsList,
		MethodToolsCall, MethodToolsChanged, MethodCancelled, MethodProgress,
		MethodLogMessage, MethodSampling, MethodElicit, MethodRootsList, MethodRootsChanged,
		MethodResourcesChanged, MethodPromptsChanged, MethodResourceUpdated, MethodElicitComplete,
		MethodFeatureSets, MethodManifest, MethodManifestChanged, MethodToolsetsOpen,
		MethodToolsetsClose, MethodToolsetsList, MethodToolsHints, MethodPush,
		MethodChannelsRegister, MethodChannelsChanged, MethodChannelsList, MethodChannelsIncoming,
		MethodInference, MethodModelInfo, MethodStateUpdate, MethodStateGet,
		MethodResourcesList, MethodTemplatesList, MethodResourcesRead, MethodSubscribe,
		MethodUnsubscribe, MethodPromptsList, MethodPromptsGet, MethodComplete,
		MethodStateRollback, MethodChannelsOpen, MethodChannelsClose, MethodChannelsPublish,
		MethodChannelsAck, MethodChannelsTyping, MethodBeforeInference, MethodLifecycle,
		MethodDiscover, MethodListen, MethodAcknowledged,
	} {
		by[len(m)] = append(by[len(m)], m)
	}
	return by
}()
