package ui

import (
	"fmt"
	"strings"
	"time"

	"github.com/mcpl-tui/mcpl-tui/inspector"
	"github.com/mcpl-tui/mcpl-tui/timeline"
	"github.com/mcpl-tui/mcpl-tui/ui/kit"
)

// drawRow1 answers: can I trust what I see? At the left who is at the other
// end, at the right whether it is the present, and whether it is recorded.
func (m *Model) drawRow1(r kit.Region) {
	gap := size(r.W, 3, 3, 2, 2)
	left, right := m.who(r.W), m.when(r.W)
	for width(left, gap)+width(right, gap)+2+gap > r.W && dropOne(&left, &right) {
	}
	right = m.chapterRoom(r, gap, left, right)
	room := r.W - 2 - gap - width(right, gap)
	left = append(left, m.chapterPart(room-width(left, gap)-gap)...)
	for width(left, gap) > room && len(left) > 1 {
		left = left[:len(left)-1]
	}
	if len(left) == 1 && width(left, gap) > room {
		left[0].text = kit.CutMiddle(left[0].text, max(room, 0))
	}
	amber := m.past() || m.cx.Replay
	if amber {
		r.Fill(0, 0, r.W, kit.As(kit.Past), " ")
	}
	put(r, 1, gap, left, amber)
	put(r, max(r.W-1-width(right, gap), 1), gap, right, amber)
}

// who is the left half of row 1.
func (m *Model) who(w int) []part {
	b, s := m.cx.Newest, m.status
	bright, normal, dim := kit.Style{Role: kit.Bright}, kit.As(kit.Normal), kit.As(kit.Dim)
	server := strings.TrimSpace(b.Server.Name + " " + b.Server.Version)
	if w < narrowFrom {
		server = b.Server.Name
	}
	command := strings.Join(s.Command, " ")
	var parts []part
	switch {
	case m.opt.Stage && b.Server.Name != "":
		parts = append(parts, part{text: b.Server.Name, style: bright})
	case m.cx.Replay && w >= wideFrom:
		parts = append(parts, part{text: m.fileName(w), style: bright}, part{text: server, style: normal, rank: 2})
	case m.cx.Replay:
		parts = append(parts, part{text: m.fileName(w), style: bright})
	case server != "":
		parts = append(parts, part{text: server, style: bright})
	case command != "":
		parts = append(parts, part{text: kit.CutMiddle(command, size(w, 60, 32, 24, w)), style: bright})
	default:
		parts = append(parts, part{text: kit.CutMiddle(s.Title, size(w, 60, 32, 24, w)), style: bright})
	}
	if w < narrowFrom || m.opt.Stage {
		return parts
	}
	kind := s.Kind
	if w >= wideFrom && !m.cx.Replay && server != "" && command != "" {
		kind += ": " + kit.CutMiddle(command, 40)
	}
	parts = append(parts, part{text: kind, style: normal, rank: 3})
	if w >= middleFrom && !m.cx.Replay && b.MCPL != "" {
		parts = append(parts, part{text: "MCPL " + b.MCPL, style: normal, rank: 4})
	}
	if b.Server.Name != "" || b.MCPL != "" {
		parts = append(parts, part{text: agreed(b), style: normal, rank: 1})
	}
	if m.cx.Replay && w >= wideFrom && !s.Started.IsZero() {
		parts = append(parts, part{text: "recorded " + s.Started.Local().Format("2 Jan, 15:04"), style: dim, rank: 9})
	}
	return drop(parts)
}

func agreed(b *timeline.Board) string {
	switch {
	case b.ToolHints:
		return "toolHints ✓"
	case b.Mode.IgnoresHints:
		return "toolHints ignored"
	case b.MCPL == "", b.Mode.Plain:
		return "plain MCP"
	}
	return "no toolHints"
}

func (m *Model) fileName(w int) string {
	if w >= wideFrom {
		return m.status.File
	}
	name, _, _ := strings.Cut(m.status.File, ".")
	return name
}

// when is the right half of row 1: the time that is shown, and what becomes
// of the frames.
func (m *Model) when(w int) []part {
	var parts []part
	switch {
	case m.cx.Replay:
		parts = m.whenReplay(w)
	case m.past():
		parts = m.whenPast(w)
	default:
		parts = m.whenPresent(w)
	}
	parts = append(m.strictParts(w), parts...)
	parts = append(parts, m.behindParts(w)...)
	parts = append(parts, m.losses()...)
	if !m.cx.Replay {
		parts = append(parts, m.kept(w)...)
	}
	return parts
}

func (m *Model) whenPresent(w int) []part {
	b := m.cx.Newest
	bright, normal := kit.Style{Role: kit.Bright}, kit.As(kit.Normal)
	state := func(text string, role kit.Role) part {
		return part{text: text, style: kit.Style{Role: role, Bold: true}}
	}
	frame := part{text: "frame " + itoa(b.Seq), style: normal, rank: 8}
	if w < narrowFrom {
		frame.text = ""
	}
	switch b.Link.Phase {
	case timeline.Closed:
		return m.whenClosed(b, w)
	case timeline.NotConnected, timeline.Connecting, timeline.Handshake:
		if b.Unanswered() {
			return []part{
				state("○ NO ANSWER", kit.Bright),
				{text: "to initialize in " + limitText(m.status.Timeout), style: normal, rank: 3},
			}
		}
		return []part{state("◌ "+m.waitingFor(b, w), kit.Normal)}
	}
	parts := []part{state("● LIVE", kit.Good)}
	switch {
	case (b.Conn > 1 || m.sides.n > 1) && !b.ToolHints:
		parts = append(parts,
			part{text: "connection " + m.beside(b.Conn), style: bright, rank: 2},
			part{text: m.noRevs(b), style: normal, rank: 6})
	case b.Conn > 1 || m.sides.n > 1:
		rev := fmt.Sprintf("rev %d.%d", b.Conn, b.LastRev)
		text := "connection " + m.beside(b.Conn) + ", " + rev
		switch {
		case w < narrowFrom:
			text = rev
		case w < middleFrom:
			text = fmt.Sprintf("connection %d, %s", b.Conn, rev)
		}
		parts = append(parts, part{text: text, style: bright, rank: 2})
	case !b.ToolHints:
		parts = append(parts, part{text: m.noRevs(b), style: normal, rank: 6})
	default:
		parts = append(parts, part{text: "rev " + itoa(b.LastRev), style: bright, rank: 2})
	}
	parts = append(parts, frame)
	if n := len(b.Held); n > 0 {
		parts = append(parts, part{text: m.held(b), style: kit.As(kit.Changed)})
	}
	return drop(parts)
}

func (m *Model) noRevs(b *timeline.Board) string {
	switch {
	case b.Mode.IgnoresHints:
		return "no revs: hints ignored"
	case b.Mode.Plain:
		return "no revs: plain MCP host"
	case b.MCPL == "":
		return "no revs: plain MCP server"
	}
	return "no revs: hints not agreed"
}

// waitingFor says what a connection that is not there yet waits for.
func (m *Model) waitingFor(b *timeline.Board, w int) string {
	if m.status.Login.URL != "" {
		return "log in, " + m.loginLeft()
	}
	limit, sent := "", " sent, "
	if w < narrowFrom {
		sent = " "
	} else if m.status.Timeout > 0 {
		limit = " of " + limitText(m.status.Timeout)
	}
	for i := len(b.Link.Steps) - 1; i >= 0; i-- {
		if s := b.Link.Steps[i]; s.Answered < 0 {
			return s.Name + sent + running(m.status.Now-s.SentAt) + limit
		}
	}
	if b.Link.Phase == timeline.Handshake {
		return "handshake, " + running(m.status.Now-b.Link.Started)
	}
	return "connecting, " + running(m.status.Now-b.Link.Started)
}

func (m *Model) whenClosed(b *timeline.Board, w int) []part {
	state := part{text: "○ ENDED", style: kit.Style{Role: kit.Bright}}
	end := closing(b.Link.Closed)
	normal := kit.As(kit.Normal)
	if b.ListAt < 0 {
		state.text = "○ NOT CONNECTED"
		if b.Link.Closed != nil && b.Link.Closed.By == "link" {
			switch {
			case m.status.Kind != "stdio":
				end = "" // it never was: the words before say all, row 3 why
			case len(b.Link.Steps) == 0:
				end = "not started"
			}
		}
		parts := []part{state, {text: end, style: normal, rank: 3}}
		if text := m.untilRetry(); text != "" {
			parts = append(parts, part{text: text, style: normal, rank: 1})
		} else if c := b.Link.Closed; c != nil && w >= narrowFrom {
			parts = append(parts, part{text: "after " + seconds(c.T-b.Link.Started), style: normal, rank: 5})
		}
		return drop(parts)
	}
	if c := b.Link.Closed; c != nil {
		end = strings.TrimPrefix(end+", "+age(m.status.Now-c.T)+" ago", ", ")
	}
	return drop([]part{state, {text: end, style: normal, rank: 3}, {text: m.untilRetry(), style: normal, rank: 1}})
}

// closing says in a few words how a connection ended.
func closing(c *timeline.Closing) string {
	switch {
	case c == nil:
		return ""
	case c.Cause() != "":
		return kit.Cut(kit.Clean(strings.TrimPrefix(c.Cause(), "the server ")), 40)
	case c.Signal != "":
		return "signal " + c.Signal
	case c.Code != nil && c.By != "host":
		return c.CodeWords()
	case c.By == "host" && c.Reason != "": // the host's own doing; row 3 says why
		return "closed here"
	case c.By == "host":
		return "closed by you"
	case c.By == "link":
		return "the link was lost"
	case c.By == "server":
		return "closed by the server"
	}
	return ""
}

func (m *Model) whenPast(w int) []part {
	b := m.cx.Board
	frames, revs := m.newer()
	state := part{text: "◂ PAST, rev " + m.revName(m.cx.Row), style: kit.As(kit.Past)}
	newer := part{text: itoa(revs) + " newer, G is live", rank: 5, style: kit.As(kit.Past)}
	if m.cur == viewWire || revs == 0 || m.cx.Row == nil {
		state.text = "◂ PAST, frame " + itoa(b.Seq)
		newer.text = itoa(frames) + " newer, G is live"
		if w >= wideFrom && m.cx.Row != nil {
			state.text += ", rev " + m.revName(m.cx.Row)
			newer.gap = 6
		}
	}
	if m.cx.Ended {
		newer.text = strings.Replace(newer.text, "G is live", "G is the end", 1)
	}
	if w < middleFrom {
		newer.text, _, _ = strings.Cut(newer.text, ",")
	}
	return []part{state, newer}
}

func (m *Model) whenReplay(w int) []part {
	state := "‖ REPLAY, PAUSED"
	if m.player.playing {
		state = "► REPLAY " + speedText(m.player.speed)
	}
	if w < narrowFrom {
		state = strings.TrimSuffix(state, ", PAUSED")
	}
	normal := kit.As(kit.Normal)
	parts := []part{{text: state, style: kit.As(kit.Past)}}
	if m.sides.n > 1 && w >= narrowFrom {
		parts = append(parts, part{text: "connection " + m.beside(m.cx.Board.Conn), style: normal, rank: 3})
	}
	revs := part{text: fmt.Sprintf("rev %s of %d", m.revName(m.cx.Row), m.lastRev()), style: normal, rank: 2}
	if m.cx.Rows == 0 {
		revs.text = "no revs"
	}
	if w < narrowFrom {
		revs.rank = 8
	}
	parts = append(parts, revs)
	at, end := inspector.ClockShort(m.cx.Now), inspector.ClockShort(m.length())
	if w >= wideFrom {
		parts = append(parts, part{text: fmt.Sprintf("frame %d of %d", m.cx.Board.Seq, m.lastSeq()), style: normal, rank: 7})
		at = inspector.Clock(m.cx.Now)
	}
	time := part{text: at + " of " + end, style: normal, rank: b2i(w < narrowFrom)} // what is lost says more
	if !m.status.Loaded() {
		parts = append(parts, part{text: fmt.Sprintf("reading %d %%", int(m.status.Loading*100)), style: normal})
	}
	return append(parts, time)
}

// revName is a row's rev as row 1 says it.
func (m *Model) revName(row *timeline.Row) string {
	switch {
	case row == nil:
		return "0"
	case row.Conn > 1 || m.sides.n > 1:
		return fmt.Sprintf("%d.%d", row.Conn, row.Rev)
	case row.Rev == 0:
		return "?"
	}
	return itoa(row.Rev)
}

// lastRev is what a rev is said to be of: the last one, or, where several
// connections count from 1 each, how many there are.
func (m *Model) lastRev() int64 {
	if last := m.pull.newest; last.Conn <= 1 && m.sides.n <= 1 && last.LastRev > 0 {
		return last.LastRev
	}
	return int64(m.cx.Rows)
}

// length is the time of the last frame.
func (m *Model) length() time.Duration {
	if m.cx.Len == 0 {
		return 0
	}
	return m.log().Entry(m.cx.Len - 1).T
}

// lastSeq is the number of the last frame, as soon as the session was looked
// at.
func (m *Model) lastSeq() int64 { return m.pull.newest.Seq }
