package session

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
)

// planOpen opens a toolset. A group that the manifest does not declare is
// opened here alone: nothing is sent for it (toolhints.md §3).
func planOpen(a *args) (plan, error) {
	name, err := a.want("the toolset")
	if err != nil {
		return plan{}, err
	}
	var instance string
	named := a.l.keyword("as")
	if named {
		if instance, err = a.want("the name after as"); err != nil {
			return plan{}, err
		}
	}
	options, err := a.l.json()
	if err != nil {
		if !named && !strings.ContainsAny(a.l.text[a.l.mark:], "{[\"") {
			err = fmt.Errorf("%w; to name the instance: open %s as %s", err, QuoteWord(name), a.l.text[a.l.mark:])
		}
		return plan{}, err
	}
	if info, known := a.view().Toolset(name); known && !info.Declared {
		if named || options != nil {
			return plan{}, fmt.Errorf("%s is a group that the server does not track: it takes no name and no options", name)
		}
		return a.group("group-open", name), nil
	}
	if err := a.needHints(mcpl.MethodToolsetsOpen); err != nil {
		return plan{}, err
	}
	params := []member{{"toolset", encode(name)}}
	if named {
		params = append(params, member{"instance", encode(instance)})
	}
	return plan{method: mcpl.MethodToolsetsOpen, params: obj(append(params, member{"options", options})...)}, nil
}

// planClose closes a toolset or an instance.
func planClose(a *args) (plan, error) {
	name, err := a.want("the toolset")
	if err != nil {
		return plan{}, err
	}
	instance, _, err := a.l.word()
	if err != nil {
		return plan{}, err
	}
	if err := a.end(); err != nil {
		return plan{}, err
	}
	info, known := a.view().Toolset(name)
	if known && !info.Declared {
		if instance != "" {
			return plan{}, fmt.Errorf("%s is a group that the server does not track: it has no instances", name)
		}
		return a.group("group-close", name), nil
	}
	if err := a.needHints(mcpl.MethodToolsetsClose); err != nil {
		return plan{}, err
	}
	if instance == "" && info.HasInstances {
		switch len(info.Instances) {
		case 0:
		case 1:
			instance = info.Instances[0]
		default:
			return plan{}, fmt.Errorf("several instances of %s are open: %s; say which: close %s NAME",
				name, strings.Join(info.Instances, ", "), QuoteWord(name))
		}
	}
	params := []member{{"toolset", encode(name)}}
	if instance != "" {
		params = append(params, member{"instance", encode(instance)})
	}
	return plan{method: mcpl.MethodToolsetsClose, params: obj(params...)}, nil
}

// group opens or closes an undeclared group: a note, and nothing else.
func (a *args) group(note, name string) plan {
	return plan{act: func(context.Context) Outcome {
		if a.c.note(note, obj(member{"toolset", encode(name)})) == 0 {
			return failed("", a.c.endError())
		}
		return Outcome{OK: true}
	}}
}

// needHints returns why there are no toolsets to speak of.
func (a *args) needHints(method string) error {
	if err := a.c.mayAsk(plan{method: method}); err != nil {
		return err
	}
	switch {
	case a.c.usesHints():
		return nil
	case a.c.negotiated():
		return fmt.Errorf("this host ignores hints, so it knows no toolsets; `hints use` uses them, `raw %s` sends it all the same", method)
	}
	return fmt.Errorf("toolHints is not agreed on with this server, so there are no toolsets; `raw %s` sends it all the same", method)
}

// planCall calls a tool. The instance goes along only where the tool's
// toolset has instances (toolhints.md §6).
func planCall(a *args) (plan, error) {
	word, err := a.want("the tool")
	if err != nil {
		return plan{}, err
	}
	arguments, err := a.l.json()
	if err != nil {
		return plan{}, err
	}
	if arguments == nil {
		arguments = json.RawMessage("{}")
	}
	view := a.view()
	tool, instance, known := splitCall(view, word)
	var in []byte
	if info, declared := toolsetOf(view, tool); instance != "" {
		if known && !(declared && info.HasInstances) {
			return plan{}, fmt.Errorf("%s is of no toolset with instances: call it without @%s", tool, instance)
		}
		in = encode(instance)
	} else if declared && info.HasInstances && len(info.Instances) > 1 {
		return plan{}, fmt.Errorf("several instances are open: %s; say which: call %s@NAME",
			strings.Join(info.Instances, ", "), QuoteWord(tool))
	}
	return plan{method: mcpl.MethodToolsCall, build: func(id int64) []byte {
		// Only who gives a token is told of progress (MCP, progress).
		meta := obj(member{mcpl.MetaInstance, in}, member{"progressToken", strconv.AppendInt(nil, id, 10)})
		return obj(member{"name", encode(tool)}, member{"arguments", arguments}, member{"_meta", meta})
	}}, nil
}

func toolsetOf(view View, tool string) (ToolsetInfo, bool) {
	t, _ := view.Tool(tool)
	if t.Toolset == "" {
		return ToolsetInfo{}, false
	}
	info, known := view.Toolset(t.Toolset)
	return info, known && info.Declared
}

// splitCall splits TOOL@INSTANCE. A tool whose own name is the whole word
// wins, then the longest that is listed; else the last @ counts, for names of
// instances have none.
func splitCall(view View, word string) (tool, instance string, known bool) {
	if _, known = view.Tool(word); known {
		return word, "", true
	}
	for i := len(word) - 1; i > 0; i-- {
		if word[i] != '@' {
			continue
		}
		if _, known = view.Tool(word[:i]); known {
			return word[:i], word[i+1:], true
		}
	}
	if i := strings.LastIndexByte(word, '@'); i > 0 {
		return word[:i], word[i+1:], false
	}
	return word, "", false
}

func planRaw(a *args) (plan, error) {
	method, params, err := a.methodAndParams()
	return plan{method: method, params: params, early: true}, err
}

func planNotify(a *args) (plan, error) {
	method, params, err := a.methodAndParams()
	if err != nil {
		return plan{}, err
	}
	return a.sending(notificationBytes(method, params)), nil
}

func (a *args) methodAndParams() (string, json.RawMessage, error) {
	method, err := a.want("the method")
	if err != nil {
		return "", nil, err
	}
	params, err := a.l.json()
	return method, params, err
}

// sending is the plan of a message that has no answer.
func (a *args) sending(msg []byte) plan {
	return plan{preview: msg, act: func(context.Context) Outcome {
		a.c.news.from(a.s.tap.newest())
		seq, err := a.c.send(msg)
		if err != nil {
			return failed("", err)
		}
		return Outcome{OK: true, Request: seq}
	}}
}

// planTools and planToolsets read a list again.
func planTools(a *args) (plan, error) {
	return a.reading(mcpl.MethodToolsList, func(ctx context.Context) (reading, error) { return a.c.readTools(ctx, true) })
}

func planToolsets(a *args) (plan, error) {
	if err := a.needHints(mcpl.MethodToolsetsList); err != nil {
		return plan{}, err
	}
	return a.reading(mcpl.MethodToolsetsList, a.c.readToolsets)
}

func (a *args) reading(method string, read func(context.Context) (reading, error)) (plan, error) {
	if err := a.end(); err != nil {
		return plan{}, err
	}
	if err := a.c.mayAsk(plan{method: method}); err != nil {
		return plan{}, err
	}
	return plan{
		preview: requestBytes(a.c.upcoming(), method, a.c.dressed([]byte("{}"))),
		act: func(ctx context.Context) Outcome {
			a.c.news.from(a.s.tap.newest())
			got, err := read(ctx)
			o := Outcome{OK: true, Result: got.result}
			if err != nil {
				o = failed("", err)
			}
			o.Request, o.Answer = got.request, got.answer
			return o
		},
	}, nil
}

func planMark(a *args) (plan, error) {
	text := a.l.rest()
	if text == "" {
		return plan{}, fmt.Errorf("the text is missing; it is: %s", a.cmd.Usage)
	}
	return plan{act: func(context.Context) Outcome {
		a.s.mark(a.c, text)
		return Outcome{OK: true}
	}}, nil
}

func planReconnect(a *args) (plan, error) {
	return plan{act: func(ctx context.Context) Outcome {
		err := a.s.Reconnect(ctx)
		if err == nil {
			err = a.s.WaitReady(ctx)
		}
		if err != nil {
			return failed("", err)
		}
		return Outcome{OK: true}
	}}, a.end()
}
