// Package form is the forms that lie over a view: opening a toolset, calling
// a tool, asking before a close, answering a request of the server, and a
// plain line (a target, the text of a mark).
//
// A Form is a model without I/O. The root draws it, gives it keys, and does
// what the Step says: send a line, copy a text, run an editor. What becomes of
// a line comes back by Sent and Answered. What a form sends it sends as one
// line of the command language (outputs.md), the very line that it shows;
// values are sent byte for byte as they were typed, in the order of the
// schema, and what is left empty is not sent, a default included.
//
// A schema is checked with JSON Schema 2020-12 unless it names another draft.
// Nothing outside the schema is ever read. A schema that is broken, or that
// would take too long, checks nothing and blocks nothing: the form says so.
package form

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/mcpl-tui/mcpl-tui/inspector"
)

// Kind is what a form is for.
type Kind uint8

// The kinds of form.
const (
	Open   Kind = iota // open a toolset
	Call               // call a tool
	Close              // ask before a toolset or an instance is closed
	Answer             // answer a request of the server
	Line               // one line of text
	Grant              // edit what is granted
)

// Definition is what the server says of a tool or a toolset.
type Definition struct {
	Schema      []byte // of the arguments or options, as it stood on the wire; nil: none
	Description string
	Annotations []byte // of a tool
	Output      []byte // its outputSchema, nil: none
	Source      string // where it comes from, in words: "from the manifest, frame 4"
	Rev         int64  // the rev that brought it, 0: it is as declared
}

// Place is where a tool can be called: an open instance, or by itself.
type Place struct {
	Instance string // "" for a tool outside toolsets with instances
	Title    string
	Hidden   bool // not usable there now
	Def      Definition
}

// Earlier is what was sent before, newest first in Deps.Earlier.
type Earlier struct {
	Name string // the instance, or whatever tells it from the others
	T    time.Duration
	Args json.RawMessage // options or arguments, nil: none
	Note string          // what became of it, in a word; "" where it was fine
}

// Deps is what a form is made of. Members that a kind has no use for stay
// empty.
type Deps struct {
	Toolset string // Open, Close
	Tool    string // Call
	Title   string // Line: what is asked ("Mark this point"); Answer: what for ("elicitation/create s18")
	Request string // Answer: the request's id as it stands on the wire: 7, "s18"

	Def       Definition // Open, Answer; Close: Description says what it is
	Instances bool       // Open: the toolset has instances. Call: the tool's toolset has
	Places    []Place    // Call: at least one, or none where no instance is open
	Open      []string   // Open: names of the open instances; of a toolset without them its own name, if open
	Instance  string     // the instance to begin with: proposed, suggested, chosen, or the one to close

	Prefill json.RawMessage // arguments, options or answer to begin with
	Earlier []Earlier       // ctrl-p takes one
	Lines   []string        // Line: earlier texts, newest first
	Grants  []Grantable     // Grant: what can be granted; Instance is the line to begin with
	Text    string          // Line: the text to begin with
	Prefix  string          // Line: what stands before the text in the line: "mark "

	// Around is what stands before and after the value in an answer, such as
	// {"action":"accept","content": and }.
	Around [2]string
	// Wrap makes the answer of the value instead of Around, nil where Around
	// does.
	Wrap func(value []byte) []byte
	// Fixed is the answer where nothing is to be filled in.
	Fixed json.RawMessage
	// Yes and No are the verbs of an answer: "accept", "refuse". "" means
	// answer and decline.
	Yes, No string
	// Cancel is the answer of a third verb, cancel; nil: there is none.
	Cancel json.RawMessage
	// NoReason tells that declining gives no reason.
	NoReason bool
	// Defaults tells that the schema's defaults are filled in, and so sent.
	Defaults bool
	// Asked is the frame that asked: what tells a request from one with the
	// same id on another connection.
	Asked int64
	// Read is what is to be read before the answer, a paragraph each.
	Read []string
	// URL is a page that a person is asked to visit, Host its host.
	URL, Host string

	// Preview returns the message that a line would send, byte for byte, nil
	// where it sends nothing. It is called again when the line or the log
	// changed. It may be nil.
	Preview func(line string) (json.RawMessage, error)
	Quiet   bool   // Call: the user wants no question before this tool is called
	DoArgs  string // the target as arguments of mcpl-tui do
	Cannot  string // why nothing can be sent, in a sentence; "" while it can
}

// Outcome is what became of a line that was sent.
type Outcome struct {
	OK      bool
	Result  json.RawMessage
	Code    int    // the JSON-RPC error's code, 0 where there is none
	Message string // what went wrong, word for word where the server said it
	Data    json.RawMessage
	Took    time.Duration // from the request to its answer
	Request int64         // number of the frame that was sent, 0: none
	Answer  int64         // number of the frame that answered it, 0: none
}

// StepKind is what a key asks the root to do.
type StepKind uint8

// What a Step can ask for.
const (
	None   StepKind = iota
	Pass            // the form has no use for the key
	Send            // run Line; then call Sent, and Answered when it is over
	Cancel          // cancel the line that runs
	Leave           // close the form; keep it, what was typed is wanted again
	Edit            // run the user's editor with Text; give the result to Edited
	Copy            // copy Text, which is What
)

// Step is what a key asks the root to do. The zero value asks nothing.
type Step struct {
	Kind StepKind
	Line string // Send
	// Quiet says of Send that the user wants to be asked no more before this
	// tool is called, in this session.
	Quiet bool
	Text  string // Edit, Copy
	What  string // Copy: what it is, in words
	JSON  bool   // Edit: the text is JSON
}

// Form is one form with what was typed into it.
type Form struct {
	kind Kind
	id   string
	deps Deps
	def  Definition // in effect: that of the chosen place
	sch  *schema
	only bool // one field is all: the schema has no properties to show

	fields []field
	focus  int
	json   bool  // the arguments are edited as JSON
	whole  field // the text of it

	earlier int // of what ctrl-p went through, -1: what was typed
	draft   state

	proposed string // the name that the form proposed, while it stands untouched
	tried    bool   // enter was refused: now everything that is missing is told
	sure     bool   // enter was pressed once on what destroys
	said     string // what the last key was answered with
	touched  bool   // a value was changed since the last line was sent or answered
	redef    int64  // the rev that redefined it meanwhile, 0: none
	changed  bool   // it was redefined meanwhile

	running bool
	tale    inspector.Tale // what the server told of the call that runs
	own     time.Duration  // its own time limit, 0: the session's
	since   time.Duration
	answer  *Outcome
	cache   answerCache
	items   []inspector.Content // of the answer, nil: not read yet
	// unpacked shows texts of the answer that are JSON as JSON.
	unpacked bool

	// What Draw worked out once: problems to show, the line, why there is none.
	seen        []problem
	line, wrong string
	now, limit  time.Duration

	check   checker
	preview previewCache
	page    bool // narrow: the second page, what is sent
	scroll  int  // of the right part
	top     int  // of the left part
	w, h    int  // when it was last drawn
	hit     []int
	editing int // the field whose text is in the editor, -1: the whole
}

// state is what was typed, to come back to.
type state struct {
	fields []field
	whole  field
	json   bool
	only   bool
}

// Identity names what a form is for: two forms with one identity are the
// same form, so that what was typed is found again. A call in one instance is
// another form than a call in the next: what was typed for one is not meant
// for the other.
func Identity(kind Kind, d Deps) string {
	switch kind {
	case Open:
		return "open\x00" + d.Toolset
	case Call:
		name := d.Instance
		if name == "" && d.Instances && len(d.Places) > 0 { // the one that the form begins with
			name = d.Places[0].Instance
		}
		return "call\x00" + d.Tool + "\x00" + name
	case Close:
		return "close\x00" + d.Toolset + "\x00" + d.Instance
	case Answer:
		return "answer\x00" + d.Request + "\x00" + strconv.FormatInt(d.Asked, 10)
	case Grant:
		return "grant"
	}
	return "line\x00" + d.Prefix + "\x00" + d.Title
}

// New makes a form, filled with what Deps has to begin with.
func New(kind Kind, d Deps) *Form {
	f := &Form{kind: kind, id: Identity(kind, d), deps: d, earlier: -1, editing: -1}
	f.def = f.definition(d.Instance)
	f.build()
	f.begin(d)
	f.focus = f.firstArgument()
	if kind == Grant {
		f.focusOn(spot{grantee, d.Instance})
	}
	return f
}

// ID is the form's identity, the one that it was made with: an instance that
// closes does not make another form of it.
func (f *Form) ID() string { return f.id }

// Kind is what the form is for.
func (f *Form) Kind() Kind { return f.kind }

// Running reports whether a line was sent that is not answered.
func (f *Form) Running() bool { return f.running }

// begin puts in what a form begins with.
func (f *Form) begin(d Deps) {
	if i := f.find(instance); i >= 0 && (d.Instance != "" || f.untouchedName()) {
		name := d.Instance
		if name == "" {
			name = freeName(d.Toolset, d.Open)
		}
		f.fields[i].ed.set(name)
		f.proposed = name
	}
	if i := f.find(place); i >= 0 {
		f.choosePlace(d.Instance)
	}
	if i := f.find(entry); i >= 0 && d.Text != "" {
		f.fields[i].ed.set(d.Text)
	}
	if d.Defaults {
		for i := range f.fields {
			if fd := &f.fields[i]; fd.role == argument && fd.def != nil {
				fd.fill(fd.def)
			}
		}
	}
	if len(d.Prefill) > 0 {
		f.fillArgs(d.Prefill)
	}
}

// untouchedName reports whether the instance's name is the form's own
// proposal.
func (f *Form) untouchedName() bool {
	i := f.find(instance)
	return i >= 0 && f.fields[i].ed.text == f.proposed
}

// freeName proposes a name that no open instance has: game-2.
func freeName(toolset string, open []string) string {
	taken := map[string]bool{}
	for _, name := range open {
		taken[name] = true
	}
	for n := len(open) + 1; ; n++ {
		if name := toolset + "-" + itoa(n); !taken[name] {
			return name
		}
	}
}

// Sent tells the form that its line went out, at the session's time now.
func (f *Form) Sent(now time.Duration) {
	f.running, f.since, f.answer, f.tale, f.own = true, now, nil, inspector.Tale{}, 0
	f.items = nil
	f.tried, f.sure, f.said, f.scroll = false, false, "", 0
	f.touched, f.changed = false, false
	f.cache = answerCache{}
}

// Hear tells the form what the server has told so far of the call that runs,
// and the call's own time limit, 0 where it has none.
func (f *Form) Hear(t inspector.Tale, limit time.Duration) { f.tale, f.own = t, limit }

// Answered tells the form what became of its line. What was typed stays.
func (f *Form) Answered(o Outcome) {
	f.running, f.answer, f.items, f.scroll = false, &o, nil, 0
	f.cache = answerCache{}
	f.touched, f.tried = false, false
}

// calm reports whether nothing was typed since the line was sent or answered:
// the answer is the news then. What became of the tool meanwhile, be it by
// this very call, is no fault of the values that still stand there.
func (f *Form) calm() bool {
	return (f.running || f.answer != nil) && !f.touched && !f.tried
}

// Edited gives back the text that the user's editor left.
func (f *Form) Edited(s string) {
	s = strings.TrimSuffix(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	if len(s) > maxText {
		f.said = "the text is longer than 1 MiB: not taken"
		return
	}
	f.edited()
	if f.editing >= 0 && f.editing < len(f.fields) && !f.json {
		f.editedField(&f.fields[f.editing], s)
		return
	}
	if !f.json && isObject([]byte(s)) {
		f.fillArgs([]byte(s))
		return
	}
	f.json = true
	f.whole.touch()
	f.whole.ed.set(strings.ReplaceAll(s, "\t", "  "))
	f.focus = len(f.fields)
}

func (f *Form) editedField(fd *field, s string) {
	fd.touch()
	switch {
	case fd.kind == jsonField && validJSON([]byte(s)):
		s = string(compact([]byte(s)))
	case fd.kind != textField && fd.kind != anyField:
		s = spaced(s)
	}
	fd.ed.set(s)
}
