package ui

import (
	"context"
	"io"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/compare"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
	"github.com/mcpl-tui/mcpl-tui/ui/view"
)

// The numbers of the views.
const (
	viewBoard = 1 + iota
	viewLanes
	viewWire
	viewFindings
	viewModel
	viewServer
	numViews = viewServer
)

// Model is the root: it pulls the session, owns the playhead, the rows that
// frame each screen and what lies over a view, and hands everything else to
// the view that is shown. It is for one goroutine.
type Model struct {
	src  Source
	act  Actions
	opt  Options
	ctx  context.Context // ends with the screen; every command waits for it too
	stop context.CancelFunc
	// still leaves out every command that waits: tests move time themselves.
	still bool

	out    io.Writer // the terminal
	canAsk bool      // the terminal's answers are told apart from keys
	term   terminal
	theme  *kit.Theme
	choice string // the theme that was asked for last

	screen   screen
	pull     pull
	sides    sides
	clock    clock
	head     playhead
	player   player
	cx       view.Context // the moment that is shown
	status   Status
	judging  judging
	progress progress

	views  [numViews + 1]view.View // by number, 0 is unused
	cur    int
	chosen bool // the user chose a view, so no other comes up by itself
	from   int  // the view that esc comes back to, 0: none

	said      said
	manifests inspector.ManifestTeller
	// manifestSeen is the newest answer to mcpl/manifest, by its position, of
	// which view 6 has told; -1: none.
	manifestSeen int
	message      message
	compared     *compare.View // before and after, over the board; nil: not asked for
	over         overlay       // what has the keyboard instead of the view, nil: nothing
	forms        forms
	asks         asksSeen
	prompts      prompts
	awaited      []awaited
	start        *startPage // outlives sessions: what is typed is kept
	quitAt       time.Time
	lastKey      string // as a stage echoes it
	marked       chapters
	askedLogin   string // the address to log in at that was copied last
}

// New returns the model of a screen over src. Actions act may be nil for a
// recording. Who does not run it with Run must call Close at the end.
func New(src Source, act Actions, opt Options) *Model {
	m := &Model{src: src, act: act, opt: opt.filled(), out: io.Discard, cur: viewBoard, start: &startPage{}}
	m.ctx, m.stop = context.WithCancel(context.Background())
	m.term = look(m.opt.Env)
	m.choice = m.opt.Theme
	m.theme = m.term.theme(m.choice, m.opt)
	m.screen.resize(80, 24)
	m.reset()
	m.refresh()
	return m
}

// Close ends what the model still waits for.
func (m *Model) Close() { m.stop() }

// reset forgets everything that belongs to one session.
func (m *Model) reset() {
	m.judging = newJudging(m.src.Log())
	m.views = m.newViews()
	m.cur, m.chosen, m.from = viewBoard, false, 0
	m.compared = nil
	m.over, m.forms, m.message = nil, newForms(), message{}
	m.progress, m.awaited = progress{}, nil
	m.prompts.marks = nil // they are places of what was looked at
	m.status = m.src.Status()
	m.head = playhead{follow: m.status.Live, fresh: true}
	m.player = player{speed: m.opt.ReplaySpeed, playing: !m.status.Live && !m.opt.StartPaused}
	m.pull = pull{log: m.src.Log(), generation: m.status.Generation}
	m.manifests, m.manifestSeen = inspector.ManifestTeller{}, -1
	m.sides = sides{}
	m.sides.follow(m.pull.log, m.status.Active)
	m.start.line.set("")
	m.start.going, m.start.wrong = "", ""
	m.home()
}

// Init starts the pull and the clock.
func (m *Model) Init() tea.Cmd {
	cmds := []tea.Cmd{m.question(), m.waitForChange(), m.tick(), m.judge()}
	if m.status.Empty {
		cmds = append(cmds, m.findPlaces())
	}
	return tea.Batch(cmds...)
}

// View returns the screen, drawn anew only if something changed since.
func (m *Model) View() string {
	if m.screen.wanted(m.opt.Now()) {
		m.screen.show(m.theme.Render(m.Draw()), m.opt.Now())
	}
	return m.screen.text
}

// Draw returns the screen as it is at this moment.
func (m *Model) Draw() *kit.Canvas {
	defer m.pull.log.Look()()
	c := kit.NewCanvas(m.screen.w, m.screen.h)
	m.screen.zones = m.screen.zones[:0]
	m.draw(c.All())
	return c
}

// Draws returns how often the screen was drawn.
func (m *Model) Draws() int { return m.screen.draws }

// log is the timeline of the connection that is shown: of two side by side it
// has its own rows, at the same positions as the session's, which is pull.log.
func (m *Model) log() *timeline.Log { return m.sides.log }

// live reports whether something can be sent.
func (m *Model) live() bool { return m.status.Live && !m.cx.Ended }
