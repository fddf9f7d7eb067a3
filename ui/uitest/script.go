package uitest

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// script writes a recording, frame by frame.
type script struct {
	buf    bytes.Buffer
	seq    int
	conn   int
	beside int // the connection that this one was opened beside, 0: none
	last   time.Duration
	nextID int            // the host's next request id
	http   bool           // messages travel on POST and GET streams, not on stdio
	posts  int            // POSTs so far
	gets   int            // GET streams so far
	via    map[int]string // the stream of each request that is open, by id
}

// newScript begins a recording with its header. started is the time of day on
// 29 November 2026.
func newScript(id, started, target string) *script {
	s := &script{conn: 1, nextID: 1, via: map[int]string{}}
	s.line(obj(
		"mcpl_recording", "1", "id", str(id), "started", str("2026-11-29T"+started+".000000Z"),
		"tool", str("mcpl-tui 0.1.0"), "target", target, "redacted", "false",
	))
	return s
}

func (s *script) line(json string) {
	s.buf.WriteString(json)
	s.buf.WriteByte('\n')
}

// frame writes one frame; body is its pairs after "dir".
func (s *script) frame(at, dir string, body ...string) {
	t := clock(at)
	if t < s.last {
		panic(fmt.Sprintf("frame %d at %s stands before the one that came first", s.seq+1, at))
	}
	s.seq, s.last = s.seq+1, t
	pairs := []string{
		"seq", strconv.Itoa(s.seq), "t", strconv.FormatFloat(t.Seconds(), 'f', 6, 64),
		"conn", strconv.Itoa(s.conn), "dir", str(dir),
	}
	s.line(obj(append(pairs, body...)...))
}

// out writes a message of the host and returns the stream it went out on.
func (s *script) out(at, msg string) string {
	via := "stdio"
	if s.http {
		s.posts++
		via = "http:post:" + strconv.Itoa(s.posts)
	}
	s.frame(at, "out", "via", str(via), "msg", msg)
	return via
}

// in writes a message of the server that answers nothing.
func (s *script) in(at, msg string) {
	via := "stdio"
	if s.http {
		via = "http:get:" + strconv.Itoa(s.gets)
	}
	s.frame(at, "in", "via", str(via), "msg", msg)
}

func (s *script) stderr(at, line string) {
	s.frame(at, "err", "via", str("stdio"), "text", str(line))
}

// binary writes a stderr line that is no UTF-8.
func (s *script) binary(at string, line []byte) {
	s.frame(at, "err", "via", str("stdio"), "b64", str(base64.StdEncoding.EncodeToString(line)))
}

// note writes an event of the debugger's own; data may be "".
func (s *script) note(at, name, data string) {
	body := []string{"note", str(name)}
	if data != "" {
		body = append(body, "data", data)
	}
	s.frame(at, "note", body...)
}

// request writes a request of the host and returns its id.
func (s *script) request(at, method, params string) int {
	id := s.nextID
	s.nextID++
	s.via[id] = s.out(at, obj("jsonrpc", str("2.0"), "id", strconv.Itoa(id), "method", str(method), "params", params))
	return id
}

// result writes the server's answer to request id.
func (s *script) result(at string, id int, result string) {
	s.frame(at, "in", "via", str(s.via[id]), "msg", obj("jsonrpc", str("2.0"), "id", strconv.Itoa(id), "result", result))
	delete(s.via, id)
}

// ask writes a request of the server, and the host's answer to it 1 ms later.
func (s *script) ask(at, id, method, params, answer string) {
	s.in(at, obj("jsonrpc", str("2.0"), "id", str(id), "method", str(method), "params", params))
	s.out(later(at, time.Millisecond), obj("jsonrpc", str("2.0"), "id", str(id), "result", answer))
}

// notify writes a notification of the server.
func (s *script) notify(at, method, params string) {
	s.in(at, obj("jsonrpc", str("2.0"), "method", str(method), "params", params))
}

func (s *script) bytes() []byte { return bytes.Clone(s.buf.Bytes()) }

// clock reads a time of a session as the screens write it: minutes, seconds
// and up to six decimals, "1:46.350".
func clock(at string) time.Duration {
	minutes, seconds, ok := strings.Cut(at, ":")
	m, err := strconv.Atoi(minutes)
	d, err2 := time.ParseDuration(seconds + "s")
	if !ok || err != nil || err2 != nil {
		panic("no time of a session: " + at)
	}
	return time.Duration(m)*time.Minute + d
}

// later is the inverse of clock, d after at.
func later(at string, d time.Duration) string {
	d += clock(at)
	return fmt.Sprintf("%d:%09.6f", int(d.Minutes()), (d % time.Minute).Seconds())
}

// stamp is the time of day at a time of a session that started at 10:00, as
// pushes carry it.
func stamp(at string) string {
	start := time.Date(2026, 11, 29, 10, 0, 0, 0, time.UTC)
	return start.Add(clock(at)).Format("2006-01-02T15:04:05.000Z")
}

// obj makes a JSON object of keys and raw values, in this order.
func obj(pairs ...string) string {
	var b strings.Builder
	for i := 0; i < len(pairs); i += 2 {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(str(pairs[i]))
		b.WriteByte(':')
		b.WriteString(pairs[i+1])
	}
	return "{" + b.String() + "}"
}

// arr makes a JSON array of raw values.
func arr(values ...string) string { return "[" + strings.Join(values, ",") + "]" }

// strs makes a JSON array of strings.
func strs(values ...string) string {
	quoted := make([]string, len(values))
	for i, v := range values {
		quoted[i] = str(v)
	}
	return arr(quoted...)
}

// str makes a JSON string.
func str(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		panic(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// text makes a content array of one text.
func text(s string) string { return arr(obj("type", str("text"), "text", str(s))) }

// hints makes HintChanges: the rev, then the other pairs.
func hints(rev int, pairs ...string) string {
	return obj(append([]string{"rev", strconv.Itoa(rev)}, pairs...)...)
}

// withHints makes the _meta of a result that carries hints.
func withHints(h string) string { return obj("mcpl/hints", h) }
