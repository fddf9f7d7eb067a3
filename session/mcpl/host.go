package mcpl

import "encoding/json"

// HostOptions say what a host advertises.
type HostOptions struct {
	ToolHints bool // the host wants hints (toolhints.md §2)
	Inference bool // a person answers inference/request as the model
}

// HostManifest builds the manifest that a host sends in initialize, at
// capabilities.experimental.mcpl (mcpl-host.md, "Handshake"). It names what
// the host really answers, and what a person can have it send.
func HostManifest(o HostOptions) json.RawMessage {
	m := struct {
		Version      string          `json:"version"`
		ToolHints    bool            `json:"toolHints,omitempty"`
		PushEvents   bool            `json:"pushEvents"`
		FeatureSets  bool            `json:"featureSets"`
		Channels     map[string]bool `json:"channels"`
		ContextHooks map[string]bool `json:"contextHooks"`
		Inference    map[string]bool `json:"inferenceRequest,omitempty"`
		Lifecycle    bool            `json:"inferenceLifecycle"`
		ModelInfo    bool            `json:"modelInfo"`
	}{
		Version: Version, ToolHints: o.ToolHints, PushEvents: true, FeatureSets: true,
		Channels: map[string]bool{
			"register": true, "lifecycle": true, "publish": true, "incoming": true, "acknowledge": true,
			"typing": true,
		},
		ContextHooks: map[string]bool{"beforeInference": true},
		Lifecycle:    true, ModelInfo: true,
	}
	if o.Inference {
		m.Inference = map[string]bool{"streaming": false}
	}
	raw, err := json.Marshal(m)
	if err != nil {
		panic("mcpl: the host's manifest cannot be written: " + err.Error()) // only strings and booleans
	}
	return raw
}

// HostPaths are the capability paths of a host's manifest. `tools` is MCP's
// own and always among them.
func HostPaths(manifest []byte) []string {
	return append([]string{CapTools}, Advertised(manifest)...)
}
