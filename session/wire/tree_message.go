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
		switch string(t.Key(v)) {
		case "method":
			m.Method = v
		case "id":
			m.ID = v
		case "params":
			m.Params = v
		case "result":
			m.Result = v
		case "error":
			m.Error = v
		case "jsonrpc":
			m.Version = v
		}
	}
	m.Kind = kindOf(t.Kind(m.Method) == '"', m.ID != 0, m.Result != 0, m.Error != 0, t.Kind(m.Error) == 'n')
	return m
}

// HeadOf is what Peek reads of the message.
func (t *Tree) HeadOf(m *Message) Head {
	return Head{
		Kind: m.Kind, Method: view(t.Text(m.Method)), ID: ID(view(t.Raw(m.ID))), Raw: t.Bytes[t.nodes[m.Root].start:],
		Params: t.Raw(m.Params), Result: t.Raw(m.Result), Error: t.Raw(m.Error), Version: t.Raw(m.Version),
	}
}
