package demo

import (
	"encoding/json"
)

// tool is a tool as declared, and what calling it does.
type tool struct {
	Name        string
	Description string
	Input       string // JSON Schema, its members in the order a form shows them
	Output      string
	Annotations string
	Class       string // class of tool (RFC-008), for tools/list

	toolset string // declared toolset or undeclared group
	loose   bool   // dynamic, in no toolset
	run     func(*call) (answer, error)
}

const (
	reads   = `"readOnlyHint":true,"openWorldHint":false`
	changes = `"readOnlyHint":false,"destructiveHint":false,"idempotentHint":false,"openWorldHint":false`
	nothing = `{"type":"object","properties":{},"additionalProperties":false}`
)

// arcadeTools are all tools, in the order of tools/list. Every one is listed
// always, visible or not (toolhints.md §3).
var arcadeTools []tool

// A tool's function calls back into the table, so the table is filled last.
func init() {
	for _, part := range [][]tool{staticTools(), looseTools(), gameTools(), chatTools(), radioTools(), debugTools()} {
		arcadeTools = append(arcadeTools, part...)
	}
}

func staticTools() []tool {
	return []tool{
		{
			Name: "status", Description: "Your games, and what else is open.",
			Input: nothing, Output: statusSchema,
			Annotations: `{"title":"Status",` + reads + `}`, run: runStatus,
		},
		{
			Name: "lobby", Description: "Who is here, and who is free to play.",
			Input: nothing, Annotations: `{"title":"Lobby",` + reads + `}`, run: runLobby,
		},
		{
			Name: "help", Description: "How things work here.",
			Input: `{"type":"object","properties":{"topic":{"type":"string","enum":["arcade","rules","coordinates"],` +
				`"default":"arcade","description":"what to explain"}},"additionalProperties":false}`,
			Annotations: `{"title":"Help",` + reads + `}`, run: runHelp,
		},
		{
			Name: "think",
			Description: "Ask the house to think about your game. It takes its time, says how far it is, " +
				"can be cancelled, and leaves advice.",
			Input: `{"type":"object","properties":{"seconds":{"type":"integer","minimum":1,"maximum":30,` +
				`"default":3,"description":"how long to think"}},"additionalProperties":false}`,
			Annotations: `{"title":"Think",` + changes + `}`, run: runThink,
		},
	}
}

func looseTools() []tool {
	return []tool{
		{
			Name: "rematch", loose: true, Description: "Play again against the last opponent, with colors changed.",
			Input: nothing, Annotations: `{"title":"Rematch",` + changes + `}`, run: runRematch,
		},
		{
			Name: "advice", loose: true, Description: "Hear what the house thought of, once.",
			Input: nothing, Annotations: `{"title":"Advice",` + changes + `}`, run: runAdvice,
		},
	}
}

func gameTools() []tool {
	return []tool{
		{
			Name: "play", toolset: toolsetGame, Description: "Place a stone.",
			Input: `{"type":"object","properties":{"at":{"type":"string","title":"Point, column then row",` +
				`"pattern":"^[A-HJ][1-9]$"}},"required":["at"],"additionalProperties":false}`,
			Annotations: `{"title":"Play",` + changes + `}`, run: runPlay,
		},
		{
			Name: "pass", toolset: toolsetGame, Description: "Place no stone this turn. Two passes end the game.",
			Input: nothing, Annotations: `{"title":"Pass",` + changes + `}`, run: runPass,
		},
		{
			Name: "undo", toolset: toolsetGame, Description: "Take your last move back, where the opponent agrees.",
			Input: nothing, Annotations: `{"title":"Undo",` + changes + `}`, run: runUndo,
		},
		{
			Name: "score", toolset: toolsetGame, Description: "Count the areas as the board stands.",
			Input: nothing, Annotations: `{"title":"Score",` + reads + `}`, run: runScore,
		},
		{
			Name: "resign", toolset: toolsetGame, Description: "Give the game up.",
			Input:       nothing,
			Annotations: `{"title":"Resign","readOnlyHint":false,"destructiveHint":true,"openWorldHint":false}`,
			run:         runResign,
		},
		{
			Name: "board", toolset: toolsetGame, Description: "Draw the board.",
			Input: nothing, Annotations: `{"title":"Board",` + reads + `}`, run: runBoard,
		},
	}
}

func chatTools() []tool {
	return []tool{
		{
			Name: "say", toolset: toolsetChat, Class: "comms", Description: "Say something to who is here.",
			Input: `{"type":"object","properties":{"text":{"type":"string","minLength":1,"maxLength":200,` +
				`"description":"one line"}},"required":["text"],"additionalProperties":false}`,
			Annotations: `{"title":"Say",` + changes + `}`, run: runSay,
		},
		{
			Name: "react", toolset: toolsetChat, Class: "comms", Description: "React to the last line.",
			Input: `{"type":"object","properties":{"with":{"type":"string","enum":["smile","thanks","wow"]}},` +
				`"required":["with"],"additionalProperties":false}`,
			Annotations: `{"title":"React",` + changes + `}`, run: runReact,
		},
	}
}

func radioTools() []tool {
	return []tool{
		{
			Name: "tune", toolset: toolsetRadio, Class: "media", Description: "Choose a station.",
			Input: `{"type":"object","properties":{"station":{"type":"string","enum":["jazz","folk","chip"]}},` +
				`"required":["station"],"additionalProperties":false}`,
			Annotations: `{"title":"Tune",` + changes + `}`, run: runTune,
		},
		{
			Name: "now_playing", toolset: toolsetRadio, Class: "media", Description: "What the radio plays.",
			Input: nothing, Annotations: `{"title":"Now playing",` + reads + `}`, run: runNowPlaying,
		},
	}
}

func debugTools() []tool {
	game := `"game":{"type":"string","description":"instance; may be left out while one game is open"}`
	return []tool{
		{
			Name: "dump_board", toolset: toolsetDebug, Description: "Print a game as the server holds it.",
			Input:       `{"type":"object","properties":{` + game + `},"additionalProperties":false}`,
			Annotations: `{"title":"Dump board",` + reads + `}`, run: runDump,
		},
		{
			Name: "seed_game", toolset: toolsetDebug, Description: "Set up a position, with you to move.",
			Input: `{"type":"object","properties":{"position":{"type":"string",` +
				`"enum":["empty","capture","ko","suicide","endgame"]},` + game +
				`},"required":["position"],"additionalProperties":false}`,
			Annotations: `{"title":"Seed game","readOnlyHint":false,"destructiveHint":true,"openWorldHint":false}`,
			run:         runSeed,
		},
		{
			Name: "pin_tool", toolset: toolsetDebug,
			Description: "Move a tool of no toolset into the static head of the list, or back.",
			Input: `{"type":"object","properties":{"tool":{"type":"string","enum":["rematch","advice"]},` +
				`"pinned":{"type":"boolean","default":false}},"required":["tool"],"additionalProperties":false}`,
			Annotations: `{"title":"Pin tool",` + changes + `}`, run: runPin,
		},
	}
}

func toolNamed(name string) *tool {
	for i := range arcadeTools {
		if arcadeTools[i].Name == name {
			return &arcadeTools[i]
		}
	}
	return nil
}

// declared is the declared definition, in the form in which a hint takes a
// changed one back.
func (t *tool) declared() *definition {
	return &definition{
		Name: t.Name, Description: t.Description,
		InputSchema: json.RawMessage(t.Input), Annotations: json.RawMessage(t.Annotations),
	}
}

// listed is a tool in the result of tools/list.
type listed struct {
	Name         string          `json:"name"`
	Description  string          `json:"description"`
	InputSchema  json.RawMessage `json:"inputSchema"`
	OutputSchema json.RawMessage `json:"outputSchema,omitempty"`
	Annotations  json.RawMessage `json:"annotations"`
	Meta         *listedMeta     `json:"_meta,omitempty"`
}

type listedMeta struct {
	Presence string   `json:"mcpl/presence,omitempty"`
	Visible  *bool    `json:"mcpl/visible,omitempty"`
	Toolset  string   `json:"mcpl/toolset,omitempty"`
	Class    []string `json:"mcpl/class,omitempty"`
}

// listTools answers tools/list. It is not left to mcp-go, which sorts the
// tools by name and the members of each, and writes annotations that nobody
// declared.
func (c *Conn) listTools() any {
	var tools []listed
	for i := range arcadeTools {
		t := &arcadeTools[i]
		l := listed{
			Name: t.Name, Description: t.Description,
			InputSchema: json.RawMessage(t.Input), OutputSchema: json.RawMessage(t.Output),
			Annotations: json.RawMessage(t.Annotations), Meta: c.metaOf(t),
		}
		tools = append(tools, l)
	}
	result := struct {
		Tools []listed `json:"tools"`
		Meta  any      `json:"_meta,omitempty"`
	}{Tools: tools}
	if c.hints {
		result.Meta = map[string]int{"mcpl/rev": c.rev}
	} else {
		result.Tools = append(result.Tools, plainTools()...)
	}
	return result
}

// metaOf returns what tools/list says of a tool beyond MCP: of presence only
// to a host that asked for hints.
func (c *Conn) metaOf(t *tool) *listedMeta {
	var m listedMeta
	if c.mcpl && t.Class != "" {
		m.Class = []string{t.Class}
	}
	if c.hints && (t.toolset != "" || t.loose) {
		visible := c.p.visible(t)
		m.Visible, m.Toolset = &visible, t.toolset
		if t.loose {
			m.Presence = presence(c.p.pinned[t.Name])
		}
	}
	if m.Visible == nil && m.Class == nil {
		return nil
	}
	return &m
}

// visible reports whether a dynamic tool is usable: one of a toolset with
// instances, in at least one that is open (toolhints.md §3).
func (p *Principal) visible(t *tool) bool {
	if t.toolset != toolsetGame {
		return p.state(t).visible
	}
	for _, g := range p.games {
		if g.state(t.Name).visible {
			return true
		}
	}
	return false
}
