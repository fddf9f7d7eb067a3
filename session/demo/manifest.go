package demo

import (
	"encoding/json"
	"fmt"
	"sync"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
)

// The toolsets, and the group that the manifest does not declare.
const (
	toolsetGame  = "game"
	toolsetChat  = "chat"
	toolsetRadio = "radio"
	toolsetDebug = "debug"
)

// The feature sets that pushes belong to.
const (
	setMoves = "game.moves"
	setLines = "chat.lines"
)

var featureSets = []string{setMoves, setLines}

// gameOptions is the schema of what a game is opened with. It has something
// of everything that a form can show.
const gameOptions = `{"type":"object","properties":{` +
	`"opponent":{"type":"string","enum":["ada","eve","kai","bot"],"default":"ada","title":"Opponent","description":"a name from the lobby"},` +
	`"size":{"type":"integer","enum":[5,7,9],"default":9,"title":"Size","description":"points a side"},` +
	`"color":{"type":"string","enum":["black","white"],"default":"black","title":"Your color","description":"Black moves first, but after handicap stones"},` +
	`"komi":{"type":"number","minimum":0,"maximum":20,"default":6.5,"title":"Komi","description":"points for White"},` +
	`"handicap":{"type":"integer","minimum":0,"maximum":4,"default":0,"title":"Handicap","description":"black stones at the start"},` +
	`"rated":{"type":"boolean","default":false,"title":"Rated","description":"a rated game has no takebacks"},` +
	`"clock":{"type":"object","title":"Clock","description":"your time; absent: as long as you like","properties":{` +
	`"main":{"type":"integer","minimum":1,"maximum":3600,"description":"seconds for all moves"},` +
	`"step":{"type":"integer","minimum":0,"maximum":60,"default":5,"description":"seconds that a move adds"}},` +
	`"required":["main"],"additionalProperties":false}` +
	`},"additionalProperties":false}`

// manifestBody is the manifest without its revision and its closing brace.
const manifestBody = `{"version":"0.5","toolHints":true,"pushEvents":true,` +
	`"featureSets":{` +
	`"game.moves":{"description":"Moves of your opponents, and how games end","uses":["pushEvents"]},` +
	`"chat.lines":{"description":"What is said in the chat","uses":["pushEvents"]}},` +
	`"toolsets":{` +
	`"game":{"title":"Go games","summary":"Play Go on a small board; several at once","default":"closed","instances":true,"options":` + gameOptions + `},` +
	`"chat":{"title":"Chat","summary":"Talk to who is here","default":"closed"},` +
	`"radio":{"title":"Radio","summary":"Music while you think","default":"open"}},` +
	`"surface":{"title":"Arcade","summary":"Go against patient opponents, a chat, a radio"}`

// manifest returns the manifest with its revision. It is the same for every
// host and never changes.
var manifest = sync.OnceValue(func() json.RawMessage {
	rev, err := mcpl.Digest([]byte(manifestBody + "}"))
	if err != nil {
		panic(fmt.Sprintf("demo: the manifest is no JSON: %v", err))
	}
	return json.RawMessage(manifestBody + `,"revision":"` + rev + `"}`)
})
