package wire

// Message is where the members of a JSON-RPC message stand in a tree; of one
// that stands twice it is the last.
type Message struct {
	Root   Value // the whole message
	Kind   Kind
	ID     Value
	Method Value
	Params Value
	Result Value
	Error  Value
	// Version is the value of "jsonrpc".
	Version Value
}

// Message reads the first level of the value v as Peek does.
func (t *Tree) Message(v Value) Message {
	m := Message{Root: v}
	if t.Kind(v) != '{' {
		return m
	}
	for v = t.First(v); v != 0; v = t.Next(v) {
		m.note(numberOf(t.Key(v)), v)
	}
	m.Kind = t.kindOf(&m)
	return m
}

func (t *Tree) kindOf(m *Message) Kind {
	return kindOf(t.Kind(m.Method) == '"', m.ID != 0, m.Result != 0, m.Error != 0, t.Kind(m.Error) == 'n')
}

// note notes a member of the message by the number of its key.
func (m *Message) note(key uint64, v Value) {
	switch key {
	case keyMethod:
		m.Method = v
	case keyID:
		m.ID = v
	case keyParams:
		m.Params = v
	case keyResult:
		m.Result = v
	case keyError:
		m.Error = v
	case keyVersion:
		m.Version = v
	}
}

// The keys of a message by their numbers (see numberOf).
const (
	keyMethod  = 6<<56 | 'm' | 'e'<<8 | 't'<<16 | 'h'<<24 | 'o'<<32 | 'd'<<40
	keyID      = 2<<56 | 'i' | 'd'<<8
	keyParams  = 6<<56 | 'p' | 'a'<<8 | 'r'<<16 | 'a'<<24 | 'm'<<32 | 's'<<40
	keyResult  = 6<<56 | 'r' | 'e'<<8 | 's'<<16 | 'u'<<24 | 'l'<<32 | 't'<<40
	keyError   = 5<<56 | 'e' | 'r'<<8 | 'r'<<16 | 'o'<<24 | 'r'<<32
	keyVersion = 7<<56 | 'j' | 's'<<8 | 'o'<<16 | 'n'<<24 | 'r'<<32 | 'p'<<40 | 'c'<<48
)

// Peek is Peek of the message that the root is.
func (t *Tree) Peek(h *Head) {
	m := &t.Top
	h.Kind, h.Method, h.ID = m.Kind, t.View(m.Method), ID(view(t.Raw(m.ID)))
	h.Raw = t.Bytes[t.nodes[m.Root].start:]
	h.Params, h.Result, h.Error, h.Version = t.Raw(m.Params), t.Raw(m.Result), t.Raw(m.Error), t.Raw(m.Version)
}
