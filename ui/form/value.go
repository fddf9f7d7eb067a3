package form

import "strings"

// The verbs of an answer, in the order of their choices.
const (
	answering = iota
	refusing
	cancelling
)

// doing is the verb that an answer form stands at.
func (f *Form) doing() int {
	if i := f.find(verb); i >= 0 && f.kind == Answer {
		return f.fields[i].pick
	}
	return answering
}

// declining reports whether an answer form stands at a verb that takes
// nothing that was filled in.
func (f *Form) declining() bool { return f.doing() != answering }

// hasArgs reports whether the form has arguments to fill in.
func (f *Form) hasArgs() bool {
	return f.kind == Open || f.kind == Call || (f.kind == Answer && f.deps.Fixed == nil)
}

// visible reports whether field i is on the screen now; the index behind the
// last field is the text of the JSON.
func (f *Form) visible(i int) bool {
	if i == len(f.fields) {
		return f.json && !f.declining()
	}
	if i < 0 || i > len(f.fields) {
		return false
	}
	switch f.fields[i].role {
	case argument, whole:
		return !f.json && !f.declining()
	case reason:
		return f.doing() == refusing
	}
	return true
}

// current is the field that the cursor is in, nil where there is none.
func (f *Form) current() *field {
	switch {
	case !f.visible(f.focus):
		return nil
	case f.focus == len(f.fields):
		return &f.whole
	}
	return &f.fields[f.focus]
}

// settleFocus puts the cursor into a field that can be seen.
func (f *Form) settleFocus() {
	if f.visible(f.focus) {
		return
	}
	if f.json && f.visible(len(f.fields)) {
		f.focus = len(f.fields)
		return
	}
	for i := max(min(f.focus, len(f.fields)), 0); i >= 0; i-- {
		if f.visible(i) {
			f.focus = i
			return
		}
	}
	f.focus = 0
	f.move(1)
}

// move puts the cursor n fields on, around the end.
func (f *Form) move(n int) {
	count := len(f.fields) + 1
	for i := 1; i <= count; i++ {
		at := ((f.focus+n*i)%count + count) % count
		if f.visible(at) {
			f.focus = at
			return
		}
	}
}

// argumentMembers are the arguments that are filled in and can be written.
func argumentMembers(fields []field) []member {
	var out []member
	for i := range fields {
		if fields[i].role != argument {
			continue
		}
		if raw, set, wrong := fields[i].value(); set && wrong == "" {
			out = append(out, member{fields[i].name, raw})
		}
	}
	return out
}

// args returns the arguments as they will be sent, on one line; nil where
// there are none. wrong says why they cannot be sent at all.
func (f *Form) args() (raw []byte, wrong string) {
	if f.json {
		t := strings.TrimSpace(f.whole.ed.text)
		if f.whole.raw != nil {
			return oneLine(f.whole.raw), ""
		}
		if t == "" {
			return nil, ""
		}
		if bad := badJSON(t); bad != "" {
			return nil, "this is no JSON: " + bad
		}
		return compactLines([]byte(t)), ""
	}
	if i := f.find(whole); i >= 0 {
		raw, set, bad := f.fields[i].value()
		if bad != "" {
			return nil, f.fields[i].name + " is " + bad
		}
		if !set {
			return nil, ""
		}
		return raw, ""
	}
	for i := range f.fields {
		if _, _, bad := f.fields[i].value(); bad != "" && f.fields[i].role == argument {
			return nil, f.fields[i].name + " is " + bad
		}
	}
	if list := argumentMembers(f.fields); len(list) > 0 {
		return object(list), ""
	}
	return nil, ""
}

// compactLines puts JSON of several lines on one, and leaves what is on one
// as it is.
func compactLines(raw []byte) []byte {
	if strings.ContainsAny(string(raw), "\r\n\t") {
		return compact(raw)
	}
	return raw
}

// spaced makes text of several lines one of one line.
func spaced(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' || r == '\t' {
			return ' '
		}
		return r
	}, strings.ReplaceAll(s, "\r\n", "\n"))
}

// Line returns the line of the command language that the form would send.
// wrong says why there is none.
func (f *Form) Line() (line, wrong string) {
	args, wrong := f.args()
	if wrong != "" && f.hasArgs() && !f.declining() {
		return "", wrong
	}
	var b strings.Builder
	switch f.kind {
	case Grant:
		return f.grantLine()
	case Open:
		b.WriteString("open " + word(f.deps.Toolset))
		if name := f.where(); name != "" {
			b.WriteString(" as " + word(name))
		}
	case Call:
		if f.ambiguous() {
			return f.rawCall(args), ""
		}
		b.WriteString("call " + word(f.deps.Tool))
		if name := f.where(); name != "" {
			b.WriteString("@" + word(name))
		}
	case Close:
		b.WriteString("close " + word(f.deps.Toolset))
		if f.deps.Instance != "" {
			b.WriteString(" " + word(f.deps.Instance))
		}
		return b.String(), ""
	case Answer:
		return f.answerLine(args), ""
	case Line:
		return f.textLine()
	}
	if args != nil {
		b.WriteByte(' ')
		b.Write(args)
	}
	return b.String(), ""
}

// ambiguous reports whether the call names no instance though several are
// open: a message that "call" will not write, and that a server has to refuse
// (toolhints.md §6).
func (f *Form) ambiguous() bool {
	i := f.find(place)
	return i >= 0 && len(f.deps.Places) > 1 && f.fields[i].pick == len(f.fields[i].choices)-1
}

// rawCall is the line that sends a call just as it is filled in.
func (f *Form) rawCall(args []byte) string {
	if args == nil {
		args = []byte("{}")
	}
	return "raw tools/call " + string(object([]member{{"name", quote(f.deps.Tool)}, {"arguments", args}}))
}

// requestWord is the request's id as the command language takes it: a string
// in quotes where it could be taken for a number, or for another word.
func (f *Form) requestWord() string {
	id := []byte(f.deps.Request)
	if !validJSON(id) {
		return word(f.deps.Request)
	}
	s, isText := text(id)
	switch {
	case !isText:
		return f.deps.Request
	case s == "last" || validJSON([]byte(s)):
		return string(quote(s))
	}
	return word(s)
}

func (f *Form) answerLine(args []byte) string {
	switch f.doing() {
	case cancelling:
		return "answer " + f.requestWord() + " " + string(oneLine(f.deps.Cancel))
	case refusing:
		line := "decline " + f.requestWord()
		if f.deps.NoReason {
			return line
		}
		if why := strings.TrimSpace(spaced(f.fields[f.find(reason)].ed.text)); why != "" {
			line += " " + why
		}
		return line
	}
	line := "answer " + f.requestWord() + " "
	if f.deps.Fixed != nil {
		return line + string(oneLine(f.deps.Fixed))
	}
	if args == nil {
		args = []byte("{}")
	}
	if f.deps.Wrap != nil {
		return line + string(oneLine(f.deps.Wrap(args)))
	}
	return line + f.deps.Around[0] + string(args) + f.deps.Around[1]
}

func (f *Form) textLine() (line, wrong string) {
	s := strings.TrimSpace(spaced(f.fields[f.find(entry)].ed.text))
	if s == "" {
		return "", "there is nothing to send: type something first"
	}
	return f.deps.Prefix + s, ""
}

// fillArgs puts arguments into the form. What fields cannot say (a key that
// stands twice, no object) stands there as JSON.
func (f *Form) fillArgs(raw []byte) {
	if !f.hasArgs() || !validJSON(raw) {
		return
	}
	if i := f.find(whole); i >= 0 {
		f.json = false
		f.fields[i].fill(raw)
		return
	}
	if _, double := twice(raw); double || !isObject(raw) {
		f.toText(raw)
		return
	}
	f.json = false
	kept := f.fields[:0:0]
	for _, fd := range f.fields {
		if fd.stranger {
			continue
		}
		if fd.role == argument {
			fd.clear()
		}
		kept = append(kept, fd)
	}
	f.fields = kept
	at := map[string]int{}
	for i, fd := range f.fields {
		if fd.role == argument {
			at[fd.name] = i
		}
	}
	for _, m := range members(raw) {
		if i, known := at[m.key]; known {
			f.fields[i].fill(m.val)
			continue
		}
		f.fields = append(f.fields, stranger(m.key, oneLine(m.val)))
	}
	f.settleFocus()
}
