package demo

// opponent is someone to play against.
type opponent struct {
	name   string // as in options
	called string
	them   string  // her, him, it
	pace   float64 // of a move, times the principal's pace
	kind   bool    // agrees to takebacks now and then
	hello  string
	thanks string
}

var opponents = []opponent{
	{name: "ada", called: "Ada", them: "her", pace: 1, kind: true, hello: "hello!", thanks: "good game, thank you!"},
	{name: "eve", called: "Eve", them: "her", pace: 1.2, kind: true, hello: "nice to meet you.", thanks: "that was fun."},
	{name: "kai", called: "Kai", them: "him", pace: 0.8, hello: "hi, no mercy today.", thanks: "well played."},
	{name: "bot", called: "Bot", them: "it", pace: 0.6, hello: "READY.", thanks: "GAME OVER."},
}

func opponentNamed(name string) *opponent {
	for i := range opponents {
		if opponents[i].name == name {
			return &opponents[i]
		}
	}
	return nil
}

func opponentNames() []string {
	var names []string
	for _, o := range opponents {
		names = append(names, o.name)
	}
	return names
}
