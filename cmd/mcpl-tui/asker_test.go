package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

// asks is one of everything that a server can ask of a person.
var asks = []string{
	`{"jsonrpc":"2.0","id":"form","method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{"name":{"type":"string","default":"Ada"}}}}}`,
	`{"jsonrpc":"2.0","id":"page","method":"elicitation/create","params":{"mode":"url","elicitationId":"x","message":"Log in","url":"https://example.com/"}}`,
	`{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"a joke"}}],"maxTokens":9}}`,
	`{"jsonrpc":"2.0","id":2,"method":"inference/request","params":{"featureSet":"think","messages":[{"role":"user","content":"a joke"}]}}`,
	`{"jsonrpc":"2.0","id":3,"method":"channels/register","params":{"channels":[{"id":"a"},{"id":"b"}]}}`,
	`{"jsonrpc":"2.0","id":4,"method":"push/event","params":{"featureSet":"all","eventId":"e","timestamp":"2026-11-29T10:00:00Z","payload":{"content":[]}}}`,
	`{"jsonrpc":"2.0","id":5,"method":"roots/list"}`,
	`{"jsonrpc":"2.0","id":6,"method":"elicitation/create","params":{"message":"nobody will answer this","requestedSchema":{"type":"object","properties":{}}}}`,
	`{"jsonrpc":"2.0","id":7,"method":"elicitation/create","params":{"message":"nor this","requestedSchema":{"type":"object","properties":{}}}}`,
	`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`,
}

// askingServer is a server on stdin and stdout that asks everything before it
// answers tools/list, so that all of it waits once the host is ready.
func askingServer() {
	const manifest = `{"version":"0.5","pushEvents":true,"inferenceRequest":{"streaming":false},"channels":{"register":true},` +
		`"featureSets":{"all":{"description":"All","uses":["pushEvents"]},"think":{"description":"Think","uses":["inferenceRequest"]}}}`
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var m struct {
			ID     json.RawMessage
			Method string
		}
		if json.Unmarshal(in.Bytes(), &m) != nil || m.ID == nil || m.Method == "" {
			continue
		}
		result := `{}`
		switch m.Method {
		case "initialize":
			result = `{"protocolVersion":"2025-11-25","serverInfo":{"name":"asker","version":"1"},"capabilities":{"tools":{},"experimental":{"mcpl":` + manifest + `}}}`
		case "featureSets/update":
			result = `{"accepted":true}`
		case "tools/list":
			for _, a := range asks {
				fmt.Println(a)
			}
			result = `{"tools":[]}`
		}
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", m.ID, result)
	}
}
