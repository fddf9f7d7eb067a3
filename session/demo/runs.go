package demo

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

const statusSchema = `{"type":"object","properties":{` +
	`"games":{"type":"array","items":{"type":"object","properties":{` +
	`"instance":{"type":"string"},"opponent":{"type":"string"},"size":{"type":"integer"},` +
	`"you":{"type":"string","enum":["Black","White"]},"moves":{"type":"integer"},` +
	`"turn":{"type":"string","enum":["you","opponent","nobody"]},"outcome":{"type":"string"}},` +
	`"required":["instance","opponent","size","you","moves","turn"]}},` +
	`"chat":{"type":"boolean"},"radio":{"type":"boolean"},"station":{"type":"string"},"ended":{"type":"integer"}},` +
	`"required":["games","chat","radio","station","ended"]}`

type gameStatus struct {
	Instance string `json:"instance"`
	Opponent string `json:"opponent"`
	Size     int    `json:"size"`
	You      string `json:"you"`
	Moves    int    `json:"moves"`
	Turn     string `json:"turn"`
	Outcome  string `json:"outcome,omitempty"`
}

func (g *game) status() gameStatus {
	s := gameStatus{
		Instance: g.name, Opponent: g.who.name, Size: g.opts.size, You: g.you.String(),
		Moves: len(g.match.moves), Turn: "opponent", Outcome: g.over,
	}
	switch {
	case g.over != "":
		s.Turn = "nobody"
	case g.yourTurn():
		s.Turn = "you"
	}
	return s
}

func runStatus(k *call) (answer, error) {
	p := k.p
	p.forget()
	s := struct {
		Games   []gameStatus `json:"games"`
		Chat    bool         `json:"chat"`
		Radio   bool         `json:"radio"`
		Station string       `json:"station"`
		Ended   int          `json:"ended"`
	}{
		[]gameStatus{},
		p.isOpen(openKey{toolset: toolsetChat}), p.isOpen(openKey{toolset: toolsetRadio}),
		p.radio.station, len(p.ended),
	}
	words := []string{}
	for _, name := range p.instances() {
		g := p.games[name].status()
		s.Games = append(s.Games, g)
		words = append(words, fmt.Sprintf("%s against %s, %d moves, turn: %s", g.Instance, g.Opponent, g.Moves, g.Turn))
	}
	if len(words) == 0 {
		words = append(words, "No game is open.")
	}
	data := encode(s)
	return answer{text: strings.Join(append(words, string(data)), "\n"), data: data}, nil
}

func runLobby(k *call) (answer, error) {
	lines := []string{}
	for _, o := range opponents {
		state := "free"
		for _, name := range k.p.instances() {
			if g := k.p.games[name]; g.who.name == o.name {
				state = "plays you in " + name
			}
		}
		lines = append(lines, fmt.Sprintf("%-4s %s", o.name, state))
	}
	return answer{text: strings.Join(lines, "\n")}, nil
}

func runHelp(k *call) (answer, error) {
	if err := k.only("topic"); err != nil {
		return answer{}, err
	}
	topic, err := k.word("topic", "arcade", "arcade", "rules", "coordinates")
	if err != nil {
		return answer{}, err
	}
	switch topic {
	case "rules":
		return answer{text: rules}, nil
	case "coordinates":
		return answer{text: "A point is a column, A to J without I, and a row from 1 at the bottom: C3."}, nil
	}
	return answer{text: instructions}, nil
}

func runRematch(k *call) (answer, error) {
	p := k.p
	switch {
	case p.offer == nil: // a pinned tool can be called at any time
		return answer{}, refuse("rematch is not usable now: %s", whyNotLoose["rematch"])
	case len(p.games) >= maxGames:
		return answer{}, refuse("%d games are open, no more fit in here: close one first", maxGames)
	}
	o := *p.offer
	p.offer = nil
	p.offerEnds.stop()
	g := p.startGame(p.freeName(o.name), o.opts)
	return answer{text: g.welcome()}, nil
}

func runAdvice(k *call) (answer, error) {
	if !k.p.advice {
		return answer{}, refuse("advice is not usable now: %s", whyNotLoose["advice"])
	}
	k.p.advice = false
	for _, name := range k.p.instances() {
		g := k.p.games[name]
		if !g.yourTurn() {
			continue
		}
		if at := choose(g.match, k.p.rng); at != pass {
			return answer{text: fmt.Sprintf("In %s the house would play %s.", name, pointName(at, g.match.size))}, nil
		}
		return answer{text: fmt.Sprintf("In %s the house would pass.", name)}, nil
	}
	return answer{text: "Corners are easiest to hold, the middle is hardest."}, nil
}

func runSay(k *call) (answer, error) {
	if err := k.only("text"); err != nil {
		return answer{}, err
	}
	said, has, ok := k.args.text("text")
	if n := utf8.RuneCountInString(said); !has || !ok || n < 1 || n > 200 {
		return answer{}, refuse("text must be a line of 1 to 200 characters")
	}
	k.p.heard()
	return answer{text: "Said. Ada is about to answer."}, nil
}

// heard counts a line of the host's, and lets someone answer it. What it says
// is not repeated to anyone.
func (p *Principal) heard() {
	p.chat.lines++
	p.speak(replies[p.chat.lines%len(replies)])
}

func runReact(k *call) (answer, error) {
	if err := k.only("with"); err != nil {
		return answer{}, err
	}
	with, err := k.word("with", "", "smile", "thanks", "wow")
	if err != nil {
		return answer{}, err
	}
	return answer{text: "Ada sees your " + with + "."}, nil
}

func runTune(k *call) (answer, error) {
	if err := k.only("station"); err != nil {
		return answer{}, err
	}
	station, err := k.word("station", "", stations...)
	if err != nil {
		return answer{}, err
	}
	r := &k.p.radio
	r.station, r.track = station, 0
	r.def = toolNamed("now_playing").declared()
	r.def.Description = "What the radio plays on " + station + "."
	r.def.Annotations = json.RawMessage(fmt.Sprintf(`{"title":"Now playing, %s",%s}`, station, reads))
	return answer{text: "Tuned to " + station + "."}, nil
}

func runNowPlaying(k *call) (answer, error) {
	r := &k.p.radio
	r.track++
	list := tracks[r.station]
	return answer{text: fmt.Sprintf("%s: %s.", r.station, list[r.track%len(list)])}, nil
}
