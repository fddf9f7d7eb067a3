package server

import (
	"slices"
	"strings"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// pageName is one of the pages of the view: 6 goes from one to the next.
type pageName uint8

const (
	pageServer   pageName = iota // the connection, and what was declared and granted
	pageOffers                   // resources and prompts
	pageChannels                 // channels and their messages
	pageStates                   // hooks and states
	numPages
)

// pages says what stands on each page.
var pages = [numPages]struct {
	word             string // names it in a command, and in the help
	titles           [2]string
	alone            string   // the title of one column, where that is not the first
	left, right, one []string // the sections of two columns, and of one
	kinds            []timeline.LandmarkKind
	tell             func(*inspector.ServerTeller, *timeline.Log, *timeline.Board) []inspector.ServerSection
}{
	pageServer: {word: "server", titles: [2]string{"SERVER", "DECLARED AND GRANTED"}, left: leftKeys, right: rightKeys, one: oneColumn},
	pageOffers: {
		word: "resources", titles: [2]string{"RESOURCES AND PROMPTS", "WHAT WAS READ"},
		left:  []string{inspector.KeyResources, inspector.KeyTemplates, inspector.KeyPrompts},
		right: []string{inspector.KeySubscribed, inspector.KeyRead, inspector.KeyCompleted},
		one: []string{
			inspector.KeyResources, inspector.KeyTemplates, inspector.KeyPrompts, inspector.KeySubscribed, inspector.KeyRead,
			inspector.KeyCompleted,
		},
		kinds: inspector.OfferKinds, tell: (*inspector.ServerTeller).Offers,
	},
	pageChannels: {
		word: "channels", titles: [2]string{"CHANNELS", "WHAT IS SAID"},
		left: []string{inspector.KeyChannels}, right: []string{inspector.KeyMessages},
		one:   []string{inspector.KeyChannels, inspector.KeyMessages},
		kinds: inspector.ChannelKinds, tell: (*inspector.ServerTeller).Channels,
	},
	pageStates: {
		word: "state", titles: [2]string{"HOOKS", "STATE"}, alone: "HOOKS AND STATE",
		left: []string{inspector.KeyHooks}, right: []string{inspector.KeyStates},
		one:   []string{inspector.KeyHooks, inspector.KeyStates},
		kinds: inspector.StateKinds, tell: (*inspector.ServerTeller).States,
	},
}

// Pages are the names of the pages, in their order.
func Pages() []string {
	out := make([]string, numPages)
	for i := range pages {
		out[i] = pages[i].word
	}
	return out
}

// ShowPage goes to a page by its name; false where there is none.
func (v *View) ShowPage(name string) bool {
	for i := range pages {
		if pages[i].word == name {
			v.goToPage(pageName(i))
			return true
		}
	}
	return false
}

// effects says where the effect of a command is seen.
var effects = map[string]struct {
	page    pageName
	section string
}{
	"resources": {pageOffers, inspector.KeyResources}, "templates": {pageOffers, inspector.KeyTemplates},
	"prompts": {pageOffers, inspector.KeyPrompts}, "read": {pageOffers, inspector.KeyRead}, "prompt": {pageOffers, inspector.KeyRead},
	"subscribe": {pageOffers, inspector.KeySubscribed}, "unsubscribe": {pageOffers, inspector.KeySubscribed},
	"complete": {pageOffers, inspector.KeyCompleted}, "channel": {pageChannels, inspector.KeyMessages},
	"channel list": {pageChannels, inspector.KeyChannels}, "channel open": {pageChannels, inspector.KeyChannels},
	"channel close": {pageChannels, inspector.KeyChannels}, "hook": {pageStates, inspector.KeyHooks},
	"rollback": {pageStates, inspector.KeyStates},
}

// ShowEffect goes to where the effect of a command is seen, given its words;
// false where that is not in this view.
func (v *View) ShowEffect(words []string) bool {
	if len(words) == 0 {
		return false
	}
	e, ok := effects[strings.Join(words[:min(len(words), 2)], " ")]
	if !ok {
		if e, ok = effects[words[0]]; !ok {
			return false
		}
	}
	v.goToPage(e.page)
	p := &v.left
	v.focus = onLeft
	if v.wide && slices.Contains(pages[e.page].right, e.section) {
		p, v.focus = &v.right, onRight
	}
	v.fold(e.section, false)
	p.at, p.moved, p.free = place{e.section, -1}, true, false
	p.pinned, p.atEnd = !p.follows, p.follows
	return true
}

// goToPage changes the page. Each keeps its cursors and what is looked for.
func (v *View) goToPage(p pageName) {
	if p == v.page {
		return
	}
	v.kept[v.page] = [2]column{v.left, v.right}
	v.page = p
	v.left, v.right = v.kept[p][0], v.kept[p][1]
	v.right.follows = p == pageChannels
	if v.focus == onStderr {
		v.focus = onLeft
	}
}

// nextPage goes to the next page. What was never read of it is read as soon as
// it is looked at: that changes nothing on the server.
func (v *View) nextPage(c *view.Context) view.Intent {
	v.goToPage((v.page + 1) % numPages)
	if v.Unread(c) {
		return view.Intent{Kind: view.Reread}
	}
	return view.Intent{}
}

// Unread reports whether the page has lists that can be read now and never
// were.
func (v *View) Unread(c *view.Context) bool {
	if v.page != pageOffers || c.Board == nil || v.starting(c) || c.Replay || c.Ended || !c.Follow {
		return false
	}
	v.take(c)
	return slices.ContainsFunc([]string{inspector.KeyResources, inspector.KeyPrompts}, func(key string) bool {
		sec := v.sheet.told[key]
		return sec != nil && sec.Note == inspector.NotRead
	})
}

// Rereads are the commands that read again what the page shows, nil where the
// page has none of its own. What is most likely to be refused comes last.
func (v *View) Rereads(c *view.Context) []string {
	if c.Board == nil || v.starting(c) {
		return nil
	}
	v.take(c)
	switch v.page {
	case pageOffers:
		var out []string
		for _, key := range []string{inspector.KeyResources, inspector.KeyPrompts, inspector.KeyTemplates} {
			if sec := v.sheet.told[key]; sec != nil && sec.Note != inspector.NotOffered {
				out = append(out, key)
			}
		}
		return out
	case pageChannels:
		return []string{"channel list"}
	}
	return nil
}

// typing is the intent of a row that has a command, which is typed but not
// sent; ok is false where there is none, or nobody to send it to.
func typing(r *row, c *view.Context) (do view.Intent, ok bool) {
	if r == nil || r.do == "" {
		return do, false
	}
	if (c.Replay || c.Ended) && !strings.HasPrefix(r.do, "save ") {
		return do, false
	}
	return view.Intent{Kind: view.Type, Line: r.do}, true
}

// completing is the intent of asking the server how an argument can go on: the
// command is typed, but not sent.
func (v *View) completing(c *view.Context) (view.Intent, bool) {
	p := v.column()
	if p == nil || c.Replay || c.Ended {
		return view.Intent{}, false
	}
	if _, r := p.selected(v, c); r != nil && r.asks != "" {
		return view.Intent{Kind: view.Type, Line: r.asks}, true
	}
	return view.Intent{}, false
}

// frameOf is the intent that leads to the frame of a row.
func (v *View) frameOf(c *view.Context) (view.Intent, bool) {
	p := v.column()
	if p == nil {
		return view.Intent{}, false
	}
	if _, r := p.selected(v, c); r != nil && r.index >= 0 {
		return view.Intent{Kind: view.ShowAt, Index: r.index, View: wireView}, true
	}
	return view.Intent{}, false
}

// connectionKeys are the sections whose heads tell the most by themselves:
// there the cursor rests on the first head.
var connectionKeys = func() map[string]bool {
	out := map[string]bool{}
	for _, key := range slices.Concat(oneColumn, rightKeys) {
		out[key] = true
	}
	return out
}()
