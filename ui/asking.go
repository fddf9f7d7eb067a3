package ui

import (
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/form"
)

// modelName is who answers as the model.
const modelName = "human-at-the-keyboard"

// mostAsked bounds the bytes of a request whose words a form shows, and
// mostChannels how many channels it asks about one by one.
const (
	mostAsked    = 1 << 20
	mostChannels = 100
)

// asked are the members of what a server asks of a person, of all methods.
type asked struct {
	Message  string          `json:"message"`
	Mode     string          `json:"mode"`
	Schema   json.RawMessage `json:"requestedSchema"`
	URL      string          `json:"url"`
	System   string          `json:"systemPrompt"`
	Messages []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"messages"`
	MaxTokens json.RawMessage `json:"maxTokens"`
	Tools     []struct {
		Name string `json:"name"`
	} `json:"tools"`
	FeatureSet  string `json:"featureSet"`
	Preferences struct {
		MaxTokens json.RawMessage `json:"maxTokens"`
	} `json:"preferences"`
	Channels []json.RawMessage `json:"channels"`
	Added    []json.RawMessage `json:"added"`
	Updated  []json.RawMessage `json:"updated"`
}

// answerDeps is what the form for answering a request of the server is made
// of (mcpl-host.md, "Server to host").
func (m *Model) answerDeps(call timeline.Call) (form.Deps, error) {
	params, ok := m.params(call)
	if !ok {
		return form.Deps{}, errors.New("this request cannot be read")
	}
	d := m.common()
	if d.Cannot == "" {
		d.Cannot = m.cannotAnswer(call)
	}
	d.Request, d.Asked = string(call.ID), call.Seq
	d.Title = call.Method + " " + call.ID.String()
	d.Def.Source = strings.TrimPrefix(m.frameOf(call.Index), ", ")
	var p asked
	if len(params) <= mostAsked {
		_ = json.Unmarshal(params, &p) // what cannot be read stays empty: 3 shows it
	}
	switch call.Method {
	case "elicitation/create":
		askForm(&d, &p)
		if len(params) > mostAsked {
			d.Read = []string{"The question is too large to be shown here (" + inspector.Size(int64(len(params))) + "): 3 has all of it. Write the content as JSON, or leave it empty."}
		}
	case "push/event":
		d.Def.Description = inspector.HeadlineOf(m.log(), call.Index).Words
		d.Read = []string{"Whatever you answer, the hints in it count."}
		d.Fixed = json.RawMessage(`{"accepted":true}`)
		d.Yes, d.No = "accept", "refuse"
	case "sampling/createMessage":
		askModel(&d, &p, `{"role":"assistant","model":"`+modelName+`","stopReason":"endTurn","content":{"type":"text","text":`, "}}")
	case "inference/request":
		askModel(&d, &p, `{"content":`, `,"model":"`+modelName+`","finishReason":"end_turn"}`)
	case "channels/register", "channels/changed":
		askChannels(&d, &p)
	default:
		d.Def.Description = "The server asks; the answer is the result as JSON. 3 shows what it sent."
	}
	return d, nil
}

// cannotAnswer says why a request can be answered no more, "" where it can.
func (m *Model) cannotAnswer(call timeline.Call) string {
	if conn := m.log().Entry(call.Index).Conn; conn != m.cx.Newest.Conn {
		return "it was asked on connection " + itoa(conn) + ", and this is " + itoa(m.cx.Newest.Conn) + ": nobody here waits for the answer"
	}
	for _, a := range m.cx.Newest.Asks {
		switch {
		case a.ID.Key() != call.ID.Key() || a.Index != call.Index:
		case a.HeldBack:
			return "it is answered; the answer is held back, as this host is set to"
		default:
			return ""
		}
	}
	if pair := m.log().Entry(call.Index).Pair; pair >= 0 {
		return "it was answered in frame " + itoa(m.log().Entry(pair).Seq)
	}
	if m.idAgain(call) {
		return "the server used its id again, so no answer can be told to be this one's"
	}
	return "the server withdrew it, and waits for no answer"
}

// idAgain reports whether a later request that waits has the id of one that
// waits no more.
func (m *Model) idAgain(call timeline.Call) bool {
	return slices.ContainsFunc(m.cx.Newest.Asks, func(a timeline.Call) bool {
		return a.ID.Key() == call.ID.Key() && a.Index != call.Index
	})
}

// askForm is an elicitation: a form to fill in, or a page to visit (MCP,
// elicitation).
func askForm(d *form.Deps, p *asked) {
	d.Def.Description = p.Message
	d.Yes, d.No, d.NoReason, d.Cancel = "accept", "decline", true, json.RawMessage(`{"action":"cancel"}`)
	if p.Mode == "url" {
		d.Fixed = json.RawMessage(`{"action":"accept"}`)
		d.URL, d.Host = p.URL, "no host that can be read"
		if p.URL == "" {
			d.Read = []string{"The server asks you to visit a page, and names no address that can be read; 3 shows what it sent."}
		}
		if u, err := url.Parse(p.URL); err == nil && u.Host != "" {
			d.Host = u.Host
		}
		return
	}
	d.Def.Schema, d.Defaults = p.Schema, true
	d.Around = [2]string{`{"action":"accept","content":`, "}"}
	if len(p.Schema) == 0 || p.Schema[0] != '{' {
		d.Read = []string{"The server sent no schema that can be read: write the content as JSON, or leave it empty."}
	}
}

// askModel asks a person to be the model. before and after stand around what
// was written.
func askModel(d *form.Deps, p *asked, before, after string) {
	d.Def.Description = "The server asks for a model's words. You are the model."
	d.Def.Schema = json.RawMessage(`{"type":"object","properties":{"text":{"type":"string","description":"what the model says; ctrl-j breaks the line"}},"required":["text"]}`)
	d.Wrap = func(value []byte) []byte {
		var v struct {
			Text json.RawMessage `json:"text"`
		}
		if json.Unmarshal(value, &v) != nil || v.Text == nil {
			v.Text = json.RawMessage(`""`)
		}
		return []byte(before + string(v.Text) + after)
	}
	if p.System != "" {
		d.Read = append(d.Read, "system: "+p.System)
	}
	for _, msg := range p.Messages {
		d.Read = append(d.Read, msg.Role+": "+contentWords(msg.Content))
	}
	if len(p.Tools) > 0 {
		var names []string
		for _, t := range p.Tools {
			names = append(names, t.Name)
		}
		d.Read = append(d.Read, "Tools it offers the model: "+strings.Join(names, ", ")+". To use one, answer with JSON: :answer "+d.Request+" {…}")
	}
	limit := p.MaxTokens
	if limit == nil {
		limit = p.Preferences.MaxTokens
	}
	if limit != nil {
		d.Read = append(d.Read, "No more than "+string(limit)+" tokens.")
	}
	if d.Read == nil {
		d.Read = []string{"It sent no words that can be shown here; 3 shows what it sent."}
	}
}

// contentWords is content as far as it is text, the rest by its kind.
func contentWords(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		list = []json.RawMessage{raw}
	}
	var out []string
	for _, item := range list {
		var c struct {
			Type string `json:"type"`
			Text string `json:"text"`
			Name string `json:"name"`
			Mime string `json:"mimeType"`
		}
		_ = json.Unmarshal(item, &c) // of another form: its size is all that is said
		if c.Type == "text" && c.Text != "" {
			out = append(out, c.Text)
			continue
		}
		words := strings.Fields(c.Type + " " + c.Name + " " + c.Mime + " " + strings.ReplaceAll(inspector.Size(int64(len(item))), " ", "\u00a0"))
		out = append(out, "["+strings.Join(words, " ")+"]")
	}
	return strings.Join(out, " ")
}

// askChannels asks about channels, one by one (mcpl-host.md, "Server to
// host").
func askChannels(d *form.Deps, p *asked) {
	list := append(append(p.Channels, p.Added...), p.Updated...)
	d.Def.Description = "The server registers " + inspector.Count(len(list), "channel") + "."
	d.Yes, d.No = "answer", "decline all"
	if len(list) > mostChannels {
		d.Read = []string{"Too many to choose: all of them, or none."}
		d.Yes = "accept all"
		d.Fixed = channelAnswer(list, nil)
		return
	}
	var props []string
	for _, raw := range list {
		c := channelOf(raw)
		if c.id == nil {
			continue // it cannot be named, so not be accepted
		}
		about := strings.Trim(c.Label+", "+strings.Trim(c.Type+", "+c.Direction, ", "), ", ")
		props = append(props, string(c.id)+`:{"type":"boolean","default":true,"description":`+quoteJSON(about)+`}`)
	}
	d.Def.Schema = json.RawMessage(`{"type":"object","properties":{` + strings.Join(props, ",") + `}}`)
	d.Defaults = true
	d.Wrap = func(value []byte) []byte {
		chosen := map[string]json.RawMessage{}
		_ = json.Unmarshal(value, &chosen) // no object: none is chosen
		return channelAnswer(list, chosen)
	}
}

// channelOffer is a channel that a server registers.
type channelOffer struct {
	id        json.RawMessage // nil: it has none that is a text
	Label     string          `json:"label"`
	Type      string          `json:"type"`
	Direction string          `json:"direction"`
}

func channelOf(raw json.RawMessage) channelOffer {
	var c struct {
		ID json.RawMessage `json:"id"`
		channelOffer
	}
	_ = json.Unmarshal(raw, &c) // what is no object has no id
	if len(c.ID) > 2 && c.ID[0] == '"' {
		c.id = c.ID
	}
	return c.channelOffer
}

// channelAnswer accepts the channels that were chosen, nil: all, and declines
// the others.
func channelAnswer(list []json.RawMessage, chosen map[string]json.RawMessage) []byte {
	var results []string
	for _, raw := range list {
		id := channelOf(raw).id
		if id == nil {
			results = append(results, `{"id":null,"accepted":false,"reason":"a channel needs an id"}`)
			continue
		}
		var name string
		_ = json.Unmarshal(id, &name)
		if chosen == nil || string(chosen[name]) == "true" {
			results = append(results, `{"id":`+string(id)+`,"accepted":true}`)
		} else {
			results = append(results, `{"id":`+string(id)+`,"accepted":false,"reason":"declined by the user"}`)
		}
	}
	return []byte(`{"results":[` + strings.Join(results, ",") + `]}`)
}

func quoteJSON(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return `""` // a string can always be written
	}
	return string(b)
}
