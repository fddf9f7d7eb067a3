package ui

import (
	"strconv"
	"time"
)

// The speeds of a replay.
const (
	slowest = 0.25
	fastest = 64.0
)

// player moves the playhead of a recording at its own pace.
type player struct {
	playing bool
	speed   float64
	pos     time.Duration // the recording's time
	moved   bool          // pos counts: it stands between frames
	last    time.Time     // wall time at pos
}

func (p *player) stop() { p.playing = false }

// pace says how soon the playhead moves, or the time that is shown.
func (p *player) pace(m *Model) time.Duration {
	if !p.playing {
		return 0
	}
	next := m.head.at + 1
	if next >= m.pull.n {
		return fastTick
	}
	wait := time.Duration(float64(m.log().Entry(next).T-m.now()) / p.speed)
	return max(min(wait, 2*fastTick), frameTime)
}

// play starts or stops; at the end of the recording it starts over.
func (m *Model) play() {
	p := &m.player
	if p.playing {
		m.advance()
		p.stop()
		m.update()
		return
	}
	if m.head.at >= m.pull.n-1 && m.status.Loaded() {
		m.seek(0)
		m.say("from the start")
	}
	p.pos, p.moved, p.last, p.playing = m.now(), true, m.opt.Now(), true
	m.head.fresh = false
	m.update()
}

// advance moves the playhead on to where the recording is by now.
func (m *Model) advance() {
	p := &m.player
	if !p.playing || m.pull.n == 0 {
		p.last = m.opt.Now()
		return
	}
	now := m.opt.Now()
	if !p.moved {
		p.pos, p.moved, p.last = m.now(), true, now
	}
	p.pos += time.Duration(float64(now.Sub(p.last)) * p.speed)
	p.last = now
	end := m.log().Entry(m.pull.n - 1).T
	if p.pos >= end {
		p.pos = end
		if m.status.Loaded() {
			p.stop()
			m.say("the end of the recording")
		}
	}
	if i := m.log().IndexAt(p.pos); i > m.head.at {
		m.head.at = i
	}
}

// faster changes the speed by one step of two.
func (m *Model) faster(by float64) {
	m.advance()
	p := &m.player
	p.speed = max(slowest, min(fastest, p.speed*by))
	m.update()
}

func speedText(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) + "x" }
