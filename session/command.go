package session

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// Command is one word of the command language.
type Command struct {
	Name  string
	Usage string // as in `open TOOLSET [as NAME] [JSON-options]`
	Help  string // one line of what it does

	plan    func(*args) (plan, error)
	literal bool // what follows is text, ` &` at its end included
}

// Commands returns the language, in the order in which help lists it.
func Commands() []Command { return append([]Command(nil), commands...) }

// The table is filled in here because some plans look into it.
var commands []Command

func init() {
	commands = []Command{
		{Name: "open", Usage: "open TOOLSET [as NAME] [JSON-options]", Help: "open a toolset, or a new instance of it", plan: planOpen},
		{Name: "close", Usage: "close TOOLSET [NAME]", Help: "close a toolset, or one instance of it", plan: planClose},
		{Name: "call", Usage: "call TOOL[@INSTANCE] [JSON-arguments]", Help: "call a tool", plan: planCall},
		{Name: "again", Usage: "again", Help: "send the last call again, the same arguments and the same Idempotency-Key", plan: planAgain},
		{Name: "timeout", Usage: "timeout DURATION [COMMAND]", Help: "how long an answer may take: that of COMMAND, or all from now on", plan: planTimeout},
		{Name: "key", Usage: "key KEY COMMAND", Help: "send the request of COMMAND with the header Idempotency-Key: KEY (HTTP)", plan: planKey},
		{Name: "cancel", Usage: "cancel [REQUEST-ID|last]", Help: "give up an open request, and tell the server", plan: planCancel},
		{Name: "tools", Usage: "tools", Help: "read tools/list again, all pages", plan: planTools},
		{Name: "toolsets", Usage: "toolsets", Help: "read toolsets/list again", plan: planToolsets},
		{Name: "manifest", Usage: "manifest", Help: "fetch the manifest again, and tell the grant that follows from it", plan: planManifest},
		{Name: "push", Usage: "push accept|refuse|ask [REASON]", Help: "how push/event is answered from now on", plan: planPush},
		{Name: "elicit", Usage: "elicit accept|decline|ask", Help: "how elicitation is answered from now on (accept: with the schema's defaults)", plan: planElicit},
		{Name: "sampling", Usage: "sampling ask|decline", Help: "whether you answer as the model from now on; advertised at the next connection", plan: planSampling},
		{Name: "channels", Usage: "channels accept|ask|decline [REASON]", Help: "how channels that the server registers are answered from now on", plan: planChannels},
		{Name: "roots", Usage: "roots [DIR…|none]", Help: "the directories that roots/list answers; changing them tells the server", plan: planRoots},
		{Name: "answers", Usage: "answers at once|late DURATION|never", Help: "when the server's requests are answered, to see how it takes a slow or silent host", plan: planAnswers},
		{Name: "hints", Usage: "hints use|ignore", Help: "whether hints are used, or the plain list alone, as a host that ignores them", plan: planHints},
		{Name: "grant", Usage: "grant PATH|FEATURE-SET… [deny PATH…]", Help: "add to the grant, and tell the server (channels.**: all beneath)", plan: planGrant},
		{Name: "deny", Usage: "deny PATH|FEATURE-SET… [grant PATH…]", Help: "take from the grant, and tell the server", plan: planDeny},
		{Name: "answer", Usage: "answer REQUEST-ID|last JSON", Help: "answer a request of the server that waits", plan: planAnswer},
		{Name: "decline", Usage: "decline REQUEST-ID|last [REASON]", Help: "decline a request of the server that waits", plan: planDecline, literal: true},
		{Name: "asks", Usage: "asks", Help: "list the requests of the server that wait for you", plan: planAsks},
		{Name: "log", Usage: "log LEVEL", Help: "how much the server shall log (logging/setLevel): debug, info, notice, warning, error, …", plan: planLog},
		{Name: "raw", Usage: "raw METHOD [JSON-params]", Help: "send a request as it is typed", plan: planRaw},
		{Name: "notify", Usage: "notify METHOD [JSON-params]", Help: "send a notification as it is typed", plan: planNotify},
		{Name: "reconnect", Usage: "reconnect", Help: "close the connection and open the next one", plan: planReconnect},
		{Name: "wait", Usage: "wait rev N | push | request | calls | DURATION", Help: "wait for something to happen", plan: planWait},
		{Name: "mark", Usage: "mark TEXT", Help: "leave a note in the recording", plan: planMark, literal: true},
	}
	commands = append(commands, offerCommands()...)
	commands = append(commands, channelCommand(), hookCommand(), rollbackCommand())
}

func lookup(name string) (Command, error) {
	names := make([]string, len(commands))
	for i, c := range commands {
		if c.Name == name {
			return c, nil
		}
		names[i] = c.Name
	}
	if near := Nearest(name, names); near != "" {
		return Command{}, fmt.Errorf("no command %q. Did you mean %s?", name, near)
	}
	return Command{}, fmt.Errorf("no command %q. The commands are %s", name, strings.Join(names, ", "))
}

// args is what a command is planned from.
type args struct {
	s    *Session
	c    *conn
	l    *line
	cmd  Command
	ctx  context.Context
	live bool // it will be run: what is known of the state must be the newest
}

// plan is what a command will do, before anything of it is done, so that a
// preview shows the very bytes.
type plan struct {
	// A request that is sent in the plain way, and whose answer is the
	// outcome.
	method string
	params []byte
	// build makes the params of a request that has its own id in them, nil:
	// they are params.
	build func(id int64) []byte
	limit time.Duration // how long the answer may take, 0: as the session says
	key   string        // the Idempotency-Key, "": none
	// early lets it go out before initialize was answered.
	early bool
	// dress adds what each request of the connection has to say, nil: nothing.
	dress func(params []byte) []byte

	// Anything else: what it will send (nil: nothing), and how it is done.
	preview []byte
	act     func(ctx context.Context) Outcome
}

// at are the params of the request if it takes the id.
func (p plan) at(id int64) []byte {
	params := p.params
	if p.build != nil {
		params = p.build(id)
	}
	if p.dress != nil {
		params = p.dress(params)
	}
	return params
}

// view returns what is known of the state, after all that was recorded up to
// now: a command that follows an answer knows what the answer changed.
func (a *args) view() View {
	if a.live {
		ctx, stop := context.WithTimeout(a.ctx, a.s.cfg.WaitTimeout)
		defer stop()
		_ = a.s.cfg.View.Sync(ctx, a.s.tap.newest()) // late: then what is known has to do
	}
	return a.s.cfg.View.On(a.c.n)
}

// want reads a word that must be there.
func (a *args) want(what string) (string, error) {
	word, _, err := a.l.word()
	if err == nil && word == "" {
		err = fmt.Errorf("%s is missing; it is: %s", what, a.cmd.Usage)
	}
	return word, err
}

// end returns an error where more was typed than the command takes.
func (a *args) end() error { return a.l.end(a.cmd.Usage) }

// parse finds the command of a line and plans it. A line that is empty, or a
// comment, has no command.
func (s *Session) parse(ctx context.Context, text string, live bool) (a *args, p plan, err error) {
	l := &line{text: strings.TrimRight(text, " \t\r\n")}
	if !l.more() || l.text[l.pos] == '#' {
		return nil, plan{}, nil
	}
	name, _, err := l.word()
	if err != nil {
		return nil, plan{}, err
	}
	cmd, err := lookup(name)
	if err != nil {
		return nil, plan{}, err
	}
	if !cmd.literal {
		l.cutBackground()
	}
	c, err := s.current()
	if err != nil {
		return nil, plan{}, err
	}
	a = &args{s: s, c: c, l: l, cmd: cmd, ctx: ctx, live: live}
	if p, err = cmd.plan(a); err != nil {
		return nil, plan{}, err
	}
	if p.method != "" && !(p.early && wire.Member(p.params, "_meta") != nil) {
		p.dress = c.dressed // what was typed raw with a _meta of its own stays
	}
	if l.background && p.act != nil {
		return nil, plan{}, fmt.Errorf("& stands after open, close, call and raw; %s is done at once", cmd.Name)
	}
	return a, p, nil
}

// Run runs one line of the command language (outputs.md, "Commands to a
// host"). It returns when the line is done: the answer arrived, was refused,
// did not come in time, or ctx ended (then the request is cancelled). A line
// that is empty, or a comment, is done at once.
func (s *Session) Run(ctx context.Context, text string) Outcome {
	a, p, err := s.parse(ctx, text, true)
	var o Outcome
	switch {
	case err != nil:
		o = failed(text, err)
	case a == nil:
		o = Outcome{OK: true}
	case p.act != nil:
		o = p.act(ctx)
	default:
		o = a.request(p)
	}
	o.Command = text
	return o
}

// request sends the request of a plan and waits for the answer, or leaves
// that to `wait calls`.
func (a *args) request(p plan) Outcome {
	if err := a.c.mayAsk(p); err != nil {
		return failed(a.l.text, err)
	}
	a.c.news.from(a.s.tap.newest())
	a.s.keyed(a.c, &p)
	q := outgoing{method: p.method, params: p.at, byUser: true, limit: p.limit, key: p.key}
	r, err := a.c.ask(q)
	if err != nil {
		return failed(a.l.text, err)
	}
	a.s.remember(p)
	await := func(ctx context.Context) answer { return a.c.settle(ctx, q, r) }
	if p.early { // raw: what it asks for is shown, and that is all
		await = func(ctx context.Context) answer { return a.c.await(ctx, r) }
	}
	if a.l.background {
		return a.s.keepCall(a.c, a.l.text, r, await)
	}
	return outcomeOf(a.l.text, r, await(a.ctx))
}

// mayAsk returns why a request cannot be sent yet: before initialize is
// answered only what is typed raw goes out.
func (c *conn) mayAsk(p plan) error {
	switch {
	case c.isOver():
		return c.endError()
	case p.early || c.introducedYet():
		return nil
	}
	return fmt.Errorf("the server has not answered initialize; `raw %s` sends it all the same", p.method)
}

// outcomeOf makes the outcome of a request that is over.
func outcomeOf(text string, r *request, a answer) Outcome {
	o := Outcome{Command: text, OK: true, Result: json.RawMessage(a.head.Result)}
	if err := a.problem(); err != nil {
		o = failed(text, err)
	}
	o.Request, o.Answer = r.seq, a.seq
	return o
}

// Preview returns the message that Run would send for the line, byte for
// byte, with the id that it would take next (of several, the first). It is nil
// where the line sends nothing.
func (s *Session) Preview(text string) (json.RawMessage, error) {
	a, p, err := s.parse(context.Background(), text, false)
	switch {
	case err != nil || a == nil:
		return nil, err
	case p.act != nil:
		return p.preview, nil
	}
	if err := a.c.mayAsk(p); err != nil {
		return nil, err
	}
	id := a.c.upcoming()
	return requestBytes(id, p.method, p.at(id)), nil
}

// upcoming is the id of the next request.
func (c *conn) upcoming() int64 {
	c.sendMu.Lock()
	defer c.sendMu.Unlock()
	return c.nextID + 1
}
