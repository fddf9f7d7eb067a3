package inspector_test

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"
)

// anySession writes a session of all that can change a board, in an order of
// chance: on stdio, or on HTTP with revs that come early.
type anySession struct {
	*tape
	t    *rapid.T
	id   int
	revs []int // revs that were numbered and not sent yet
	rev  int
	http bool
}

func newSession(t *rapid.T, p *tape) *anySession {
	s := &anySession{tape: p, t: t, id: 10, rev: 1, http: rapid.Bool().Draw(t, "http")}
	p.negotiated()
	return s
}

// next returns the rev of the next message: the one in order or, on HTTP, now
// and then one that comes early or late.
func (s *anySession) next() int {
	if len(s.revs) > 0 && rapid.Bool().Draw(s.t, "late") {
		r := s.revs[0]
		s.revs = s.revs[1:]
		return r
	}
	if s.http && len(s.revs) < 3 && rapid.IntRange(0, 3).Draw(s.t, "early") == 0 {
		s.rev++
		s.revs = append(s.revs, s.rev)
	}
	s.rev++
	return s.rev
}

func pick(t *rapid.T, words ...string) string { return rapid.SampledFrom(words).Draw(t, "word") }

// hints makes the members of a HintChanges object. A place is named once: to
// close and to open it again is two changes in one.
func (s *anySession) hints() string {
	t := s.t
	var sets, tools, suggest []string
	for _, in := range []string{"ada", "bob"} {
		if state := pick(t, "", "", "", "open", "closed"); state != "" {
			sets = append(sets, fmt.Sprintf(`{"toolset":"game","instance":%q,"state":%q,"title":%q}`, in, state, pick(t, "A", "B")))
		}
	}
	if state := pick(t, "", "", "", "open", "closed"); state != "" {
		sets = append(sets, fmt.Sprintf(`{"toolset":"chat","state":%q}`, state))
	}
	for range rapid.IntRange(0, 4).Draw(t, "tools") {
		e := fmt.Sprintf(`{"name":%q`, pick(t, "play", "undo", "say", "dump", "rematch", "status", "fly"))
		if in := pick(t, "", "ada", "ada", "bob"); in != "" {
			e += fmt.Sprintf(`,"instance":%q`, in)
		}
		if v := pick(t, "", "true", "true", "false"); v != "" {
			e += `,"visible":` + v
		}
		if d := pick(t, "", "", "one", "two"); d != "" {
			e += fmt.Sprintf(`,"definition":{"description":%q,"annotations":{"title":%q}}`, d, pick(t, "x", "y"))
		}
		if p := pick(t, "", "", "", "static", "dynamic"); p != "" {
			e += fmt.Sprintf(`,"presence":%q`, p)
		}
		tools = append(tools, e+"}")
	}
	if rapid.IntRange(0, 5).Draw(t, "suggest") == 0 {
		suggest = append(suggest, `{"toolset":"chat","reason":"talk"}`)
	}
	return fmt.Sprintf(`"toolsets":[%s],"tools":[%s],"suggest":[%s]`, strings.Join(sets, ","), strings.Join(tools, ","), strings.Join(suggest, ","))
}

func (s *anySession) step() {
	t := s.t
	if s.http {
		s.via = "http:get:1"
	}
	s.id++
	in := pick(t, "ada", "bob")
	withHints := func() string { return fmt.Sprintf(`"_meta":{"mcpl/hints":{"rev":%d,%s}}`, s.next(), s.hints()) }
	switch rapid.IntRange(0, 9).Draw(t, "step") {
	case 0, 1, 2:
		s.hint(s.next(), s.hints())
	case 3:
		s.push(s.id, fmt.Sprintf("e%d", rapid.IntRange(0, 40).Draw(t, "event")), "x", fmt.Sprintf(`{"rev":%d,%s}`, s.next(), s.hints()))
	case 4:
		s.ask(s.id, "toolsets/open", `{"toolset":"game","instance":"`+in+`"}`, `{"instance":"`+in+`",`+withHints()+`}`)
	case 5:
		s.ask(s.id, "tools/call", `{"name":"play","_meta":{"mcpl/instance":"`+in+`"}}`, `{"content":[],`+withHints()+`}`)
	case 6:
		open := pick(t, ``, `{"toolset":"game","instance":"ada"}`, `{"toolset":"chat"},{"toolset":"game","instance":"bob"}`)
		s.ask(s.id, "toolsets/list", `{}`, `{"open":[`+open+`],"ended":[{"id":"e`+in+`","toolset":"game","instance":"`+in+`"}],`+withHints()+`}`)
	case 7:
		s.note(pick(t, "group-open", "group-close"), `{"toolset":"debug"}`)
	case 8:
		s.ask(s.id, "toolsets/close", `{"toolset":"`+pick(t, "chat", "game")+`","instance":"`+in+`"}`, `{}`)
	default:
		var tools []string
		for _, tool := range []string{
			`{"name":"status","description":"` + pick(t, "a", "b") + `"}`, `{"name":"rematch","_meta":{"mcpl/presence":"dynamic"}}`,
			`{"name":"play","_meta":{"mcpl/toolset":"game"}}`, `{"name":"undo","_meta":{"mcpl/toolset":"game"}}`,
			`{"name":"say","_meta":{"mcpl/toolset":"chat","mcpl/visible":false}}`, `{"name":"dump","_meta":{"mcpl/toolset":"debug"}}`,
		} {
			if rapid.IntRange(0, 4).Draw(t, "listed") > 0 {
				tools = append(tools, tool)
			}
		}
		s.ask(s.id, "tools/list", `{}`, `{"tools":[`+strings.Join(tools, ",")+`]}`)
	}
}
