package ui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// Targeter is an Actions that can look at another target.
type Targeter interface {
	// Target ends the session and starts one with the target, written as on
	// the command line. The Source then counts up Status.Generation. An error
	// leaves the session as it is.
	Target(ctx context.Context, target string) error
}

var errLanes = errors.New("lanes takes revs, time, or a number of revs a cell")

// screenWords are the commands of the screen alone (outputs.md), and those of
// the language, which are known here so that a word can be told from an error
// in it.
var screenWords = []Completion{
	{"goto ", "a frame: goto 41; a rev: goto rev 2.7; a time: goto 1:23.5"},
	{"save ", "FILE: copy the recording; message FILE, 41 FILE: the bytes of a frame"},
	{"theme ", "auto, dark, light or none"},
	{"target ", "TARGET: look at another server or recording"},
	{"asks", "all that waits for you"},
	{"lanes ", "revs, time, or a number of revs a cell"},
	{"connect again", "open a second connection beside this one (stdio: a second process)"},
	{"page ", "server, resources, channels or state: a page of view 6"},
	{"channels", "the channels and what is said on them, in view 6"},
	{"on ", "N: show connection N of two, and send commands to it"},
	{"disconnect", "close the connection that is shown"},
	{"reconnect stop", "do not try again to open a lost connection"},
	{"quit", "leave, the connection is closed"},
}

var languageWords = []string{
	"open", "close", "call", "cancel", "tools", "toolsets", "manifest", "push", "elicit",
	"sampling", "channels", "roots", "answers", "hints", "grant", "deny", "answer", "decline",
	"raw", "notify", "reconnect", "wait", "mark", "again", "timeout", "key", "log",
	"resources", "templates", "read", "subscribe", "unsubscribe", "prompts", "prompt", "complete", "channel", "hook", "rollback",
}

// completions returns what can stand at the end of a line.
func (m *Model) completions(line string) []Completion {
	var out []Completion
	if m.act != nil && !m.cx.Replay {
		out = m.act.Complete(line)
	}
	for _, c := range slices.Concat(screenWords, m.pageCompletions(line), m.themes(line), m.saves(line)) {
		if strings.HasPrefix(c.Text, line) && c.Text != line {
			out = append(out, c)
		}
	}
	if m.cx.Replay && strings.HasPrefix("mark ", line) && line != "mark " {
		out = append(out, Completion{"mark ", "TEXT: a note at this frame, kept while it is looked at"})
	}
	return out
}

func (m *Model) themes(line string) []Completion {
	if !strings.HasPrefix(line, "theme ") {
		return nil
	}
	return []Completion{
		{"theme auto", "as the terminal's background"},
		{"theme dark", "for a dark background"},
		{"theme light", "for a light background"},
		{"theme none", "without colours"},
	}
}

// execute runs one line: a command of the screen, or one of the language. An
// error says in one line why the line was not taken.
func (m *Model) execute(line string, from origin) (tea.Cmd, error) {
	word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	rest = strings.TrimSpace(rest)
	switch word {
	case "goto":
		return nil, m.gotoWords(rest)
	case "save":
		return m.save(rest)
	case "theme":
		if !slices.Contains([]string{ThemeAuto, ThemeDark, ThemeLight, ThemeNone}, rest) {
			return nil, errors.New("theme takes auto, dark, light or none")
		}
		m.setTheme(rest)
		return nil, nil
	case "target":
		return m.retarget(rest)
	case "lanes":
		return nil, m.lanesWords(rest)
	case "asks":
		m.over = &asksPage{}
		return nil, nil
	case "page":
		return m.pageWords(rest)
	case "channels":
		if rest == "" { // with a word it is how new ones are answered
			return m.showPage(word), nil
		}
	case "quit", "q":
		return tea.Quit, nil
	case "mark":
		if m.cx.Replay {
			return nil, m.markHere(rest)
		}
	case "on":
		if m.cx.Replay {
			return nil, m.showConn(rest)
		}
	}
	if !m.isCommand(word) {
		return nil, m.noCommand(word)
	}
	if m.status.Empty {
		return nil, errors.New("nothing is connected yet; esc goes back to choose what is looked at")
	}
	if m.cx.Replay || m.act == nil {
		return nil, errors.New("this is a recording; t connects to its server")
	}
	if word == "reconnect" {
		m.chosen = false // should it fail, its page is what there is to see
	}
	cmd := m.run(line, from)
	if from.prompt {
		m.showEffect(line)
	}
	return cmd, nil
}

func (m *Model) isCommand(word string) bool { return slices.Contains(m.words(), word) }

// words are all commands that there are.
func (m *Model) words() []string {
	words := slices.Clone(languageWords)
	for _, c := range screenWords {
		word, _, _ := strings.Cut(c.Text, " ")
		words = append(words, word)
	}
	if m.act != nil {
		for _, c := range m.act.Complete("") {
			word, _, _ := strings.Cut(c.Text, " ")
			words = append(words, word)
		}
	}
	return words
}

func (m *Model) noCommand(word string) error {
	text := fmt.Sprintf("no command “%s”.", oneLine(word))
	if near := kit.Nearest(word, m.words()); near != "" {
		return fmt.Errorf("%s Did you mean %s?", text, near)
	}
	return fmt.Errorf("%s tab shows what there is", text)
}

// gotoWords is goto SEQ, goto rev [CONN.]N, goto TIME.
func (m *Model) gotoWords(arg string) error {
	i, err := m.placeOf(arg)
	if err != nil {
		return err
	}
	if strings.HasPrefix(arg, "rev") && !m.status.Live { // whose rev it is
		m.sides.shown = m.pull.log.SideOf(m.pull.log.Entry(i).Conn)
	}
	m.over = nil
	m.goTo(i)
	return nil
}

// placeOf returns the position of the frame that the words of goto name.
func (m *Model) placeOf(arg string) (int, error) {
	usage := errors.New("goto takes a frame (41), a rev (rev 12, rev 2.7) or a time (1:23.5)")
	log := m.log()
	if rev, ok := strings.CutPrefix(arg, "rev"); ok {
		rev = strings.TrimLeft(rev, ": ") // as --at takes it, too
		conn, n, err := parseRev(rev)
		if err != nil {
			return 0, usage
		}
		if conn > 0 { // which may be the other one of two
			log = m.pull.log
		}
		row := log.RowOf(conn, n)
		if row < 0 {
			return 0, fmt.Errorf("rev %s was never applied; there are %d", rev, log.RowCount())
		}
		return max(log.RowHead(row).Taken, log.RowIndex(row)), nil
	}
	if t, err := parseTime(arg); err == nil {
		return max(log.IndexAt(t), 0), nil
	}
	n, err := strconv.ParseInt(arg, 10, 64)
	if err != nil {
		return 0, usage
	}
	i := log.IndexOf(n)
	if i < 0 {
		return 0, fmt.Errorf("no frame %d; the last one is %d", n, m.lastSeq())
	}
	return i, nil
}

func parseRev(s string) (conn int, rev int64, err error) {
	if c, n, ok := strings.Cut(s, "."); ok {
		if conn, err = strconv.Atoi(c); err != nil || conn < 1 {
			return 0, 0, errors.New("no connection")
		}
		s = n
	}
	rev, err = strconv.ParseInt(s, 10, 64)
	return conn, rev, err
}

// parseTime reads a time of the session: 1:23.5, 1:02:03, 83.5s.
func parseTime(s string) (time.Duration, error) {
	if v, ok := strings.CutSuffix(s, "s"); ok && !strings.Contains(s, ":") {
		return span(v)
	}
	if !strings.Contains(s, ":") {
		return 0, errors.New("no time")
	}
	var t time.Duration
	for _, p := range strings.Split(s, ":") {
		v, err := span(p)
		if err != nil {
			return 0, err
		}
		t = t*60 + v
	}
	return t, nil
}

func span(seconds string) (time.Duration, error) {
	v, err := strconv.ParseFloat(seconds, 64)
	if err != nil || v < 0 || v > 1e6 {
		return 0, errors.New("no time")
	}
	return time.Duration(v * float64(time.Second)), nil
}

// retarget looks at another server or recording.
func (m *Model) retarget(target string) (tea.Cmd, error) {
	_, ok := m.act.(Targeter)
	switch {
	case target == "":
		return nil, errors.New("target takes a target: target -- node server.js, target demo, target FILE")
	case !ok:
		return nil, errKeepsTarget
	}
	m.over = nil
	m.say("connecting to " + target)
	return m.goAsking(target), nil
}

// sayNow says what is looked at now, and where the session before was kept.
func (m *Model) sayNow() {
	var words []string
	if m.status.Live {
		words = append(words, "now: "+m.status.Title)
	}
	if m.status.Before != "" {
		words = append(words, "the session before is kept in "+m.status.Before)
	}
	if len(words) > 0 {
		m.say(strings.Join(words, "; "))
	}
}

// targetLine is the target as it is typed, to be changed.
func (m *Model) targetLine() string {
	switch {
	case m.status.DoArgs != "":
		return m.status.DoArgs
	case len(m.status.Command) > 0:
		return "-- " + strings.Join(m.status.Command, " ")
	}
	return ""
}

// markHere sets a mark in a recording, which is kept as long as it is looked
// at: the file stays as it is.
func (m *Model) markHere(text string) error {
	if text == "" {
		return errors.New("mark takes a text: mark the second game begins")
	}
	i := m.head.at
	if i < 0 {
		return errors.New("there is no frame to mark yet")
	}
	m.prompts.marks = append(m.prompts.marks, sessionMark(timeline.Mark{Index: i, T: m.log().Entry(i).T, Text: text}))
	m.update()
	m.say("marked frame " + itoa(m.cx.Board.Seq) + ", while this recording is looked at")
	return nil
}

// doneMsg says how something turned out.
type doneMsg struct{ text string }
