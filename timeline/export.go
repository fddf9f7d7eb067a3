package timeline

import (
	"encoding/json"
)

// StateJSON is a board as `mcpl-tui state` prints it (outputs.md, "state").
// Members may be added, never renamed or dropped.
type StateJSON struct {
	At struct {
		Seq  int64 `json:"seq"`
		Conn int   `json:"conn"`
		Rev  int64 `json:"rev"`
	} `json:"at"`
	Server struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	} `json:"server"`
	Protocol    *string          `json:"protocol"`
	MCPL        *string          `json:"mcpl"`
	ToolHints   bool             `json:"toolhints"`
	Static      []toolJSON       `json:"static"`
	Dynamic     []toolJSON       `json:"dynamic"`
	Toolsets    []toolsetJSON    `json:"toolsets"`
	Ended       []endedJSON      `json:"ended"`
	Suggestions []suggestionJSON `json:"suggestions"`
	LastRev     int64            `json:"last_rev"`
	Held        []int64          `json:"held"`
}

type toolJSON struct {
	Name      string `json:"name"`
	Visible   *bool  `json:"visible,omitempty"`
	Redefined *bool  `json:"redefined,omitempty"`
}

type toolsetJSON struct {
	Toolset       string         `json:"toolset"`
	Declared      bool           `json:"declared"`
	Instances     bool           `json:"instances"`
	Open          bool           `json:"open"`
	Title         *string        `json:"title"`
	Tools         []toolJSON     `json:"tools"`
	OpenInstances []instanceJSON `json:"open_instances"`
}

type instanceJSON struct {
	Instance string     `json:"instance"`
	Title    *string    `json:"title"`
	Tools    []toolJSON `json:"tools"`
}

type endedJSON struct {
	ID       string  `json:"id"`
	Toolset  *string `json:"toolset"`
	Instance *string `json:"instance"`
	Reason   *string `json:"reason"`
}

type suggestionJSON struct {
	Toolset  string  `json:"toolset"`
	Instance *string `json:"instance"`
	Action   string  `json:"action"`
	Reason   *string `json:"reason"`
	Rev      int64   `json:"rev"`
	Status   string  `json:"status"`
}

// Export returns the board in the form of `mcpl-tui state`.
func (b *Board) Export() StateJSON {
	out := StateJSON{
		Protocol: orNull(b.Protocol), MCPL: orNull(b.MCPL), ToolHints: b.ToolHints, LastRev: b.LastRev,
		Static: []toolJSON{}, Dynamic: []toolJSON{}, Toolsets: []toolsetJSON{},
		Ended: []endedJSON{}, Suggestions: []suggestionJSON{}, Held: append([]int64{}, b.Held...),
	}
	out.At.Seq, out.At.Conn, out.At.Rev = b.Seq, b.Conn, b.LastRev
	out.Server.Name, out.Server.Version = b.Server.Name, b.Server.Version
	for _, t := range b.Static {
		out.Static = append(out.Static, toolJSON{Name: t.Name, Visible: &t.Cells[0].Visible})
	}
	for _, t := range b.Loose {
		out.Dynamic = append(out.Dynamic, cellJSON(t.Name, t.Cells[0]))
	}
	for _, s := range b.Toolsets {
		out.Toolsets = append(out.Toolsets, s.export())
	}
	for _, e := range b.Ended {
		out.Ended = append(out.Ended, endedJSON{e.ID, orNull(e.Toolset), orNull(e.Instance), orNull(e.Reason)})
	}
	for _, s := range b.Suggestions {
		status := "pending"
		if s.Taken {
			status = "taken"
		}
		out.Suggestions = append(out.Suggestions, suggestionJSON{
			s.Toolset, orNull(s.Instance), s.Action, orNull(s.Reason), s.By.Rev, status,
		})
	}
	return out
}

func (s *Toolset) export() toolsetJSON {
	out := toolsetJSON{
		Toolset: s.Name, Declared: s.Declared, Instances: s.HasInstances, Open: s.Open, Title: orNull(s.Title),
		Tools: []toolJSON{}, OpenInstances: []instanceJSON{},
	}
	for _, t := range s.Tools {
		if s.HasInstances {
			out.Tools = append(out.Tools, toolJSON{Name: t.Name})
		} else {
			out.Tools = append(out.Tools, cellJSON(t.Name, t.Cells[0]))
		}
	}
	for i, in := range s.Instances {
		v := instanceJSON{Instance: in.Name, Title: orNull(in.Title), Tools: []toolJSON{}}
		for _, t := range s.Tools {
			v.Tools = append(v.Tools, cellJSON(t.Name, t.Cells[i]))
		}
		out.OpenInstances = append(out.OpenInstances, v)
	}
	return out
}

func cellJSON(name string, c Cell) toolJSON {
	return toolJSON{Name: name, Visible: &c.Visible, Redefined: &c.Redefined}
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// RowJSON is a row as `mcpl-tui revs` prints it (outputs.md, "revs").
type RowJSON struct {
	Conn    int             `json:"conn"`
	Rev     json.RawMessage `json:"rev"`
	Seq     int64           `json:"seq"`
	T       float64         `json:"t"`
	Carrier string          `json:"carrier"`
	Status  string          `json:"status"`
	Cause   causeJSON       `json:"cause"`
	Changes []changeJSON    `json:"changes"`
}

type causeJSON struct {
	Method   string          `json:"method"`
	ID       json.RawMessage `json:"id"`
	Tool     *string         `json:"tool"`
	Instance *string         `json:"instance"`
	Toolset  *string         `json:"toolset"`
	EventID  *string         `json:"event_id"`
}

type changeJSON struct {
	Kind     string  `json:"kind"`
	Toolset  *string `json:"toolset"`
	Instance *string `json:"instance"`
	Tool     *string `json:"tool"`
}

// Export returns the row in the form of `mcpl-tui revs`.
func (r *Row) Export() RowJSON {
	out := RowJSON{
		Conn: r.Conn, Rev: rawOrNull(r.RawRev), Seq: r.Seq, T: float64(r.T.Microseconds()) / 1e6,
		Carrier: r.Carrier.String(), Status: r.Status.String(), Changes: []changeJSON{},
		Cause: causeJSON{
			Method: r.Cause.Method, ID: rawOrNull([]byte(r.Cause.ID)), Tool: orNull(r.Cause.Tool),
			Instance: orNull(r.Cause.Instance), Toolset: orNull(r.Cause.Toolset), EventID: orNull(r.Cause.EventID),
		},
	}
	for _, ch := range r.Changes {
		out.Changes = append(out.Changes, changeJSON{
			ch.Kind.String(), orNull(ch.Toolset), orNull(ch.Instance), orNull(ch.Tool),
		})
	}
	return out
}

func rawOrNull(raw []byte) json.RawMessage {
	if len(raw) == 0 {
		return json.RawMessage("null")
	}
	return raw
}
