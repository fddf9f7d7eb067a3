package conform

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

var secretExposed = &Rule{
	ID: "secret-exposed", Level: Warning,
	Meaning: "Nothing that looks like a credential comes from a server.",
	Source:  "MCP, security; what a server says is shown, recorded and passed on",
	Mend:    "Leave the credential out, and replace it: it has been sent.",
}

// minToken is from how many letters, digits, - and _ in a row on something
// can be a token.
const minToken = wire.LongText

// tokenShapes are the shapes of tokens that services give out. Each begins
// where a run of token characters begins, or after a - or _ in it.
var tokenShapes = []tokenShape{
	{"sk-", "an API key", lazily(`^sk-[A-Za-z0-9_-]{17,}`)},
	{"sk_", "an API key", lazily(`^sk_(?:live|test)_\w{12,}`)},
	{"rk_", "an API key", lazily(`^rk_(?:live|test)_\w{12,}`)},
	{"ghp_", "a GitHub token", lazily(`^ghp_[A-Za-z0-9]{16,}`)},
	{"gho_", "a GitHub token", lazily(`^gho_[A-Za-z0-9]{16,}`)},
	{"ghu_", "a GitHub token", lazily(`^ghu_[A-Za-z0-9]{16,}`)},
	{"ghs_", "a GitHub token", lazily(`^ghs_[A-Za-z0-9]{16,}`)},
	{"ghr_", "a GitHub token", lazily(`^ghr_[A-Za-z0-9]{16,}`)},
	{"github_pat_", "a GitHub token", lazily(`^github_pat_\w{16,}`)},
	{"glpat-", "a GitLab token", lazily(`^glpat-[\w-]{16,}`)},
	{"xox", "a Slack token", lazily(`^xox[abeoprs]-[\w-]{10,}`)},
	{"xapp-", "a Slack token", lazily(`^xapp-[\w-]{10,}`)},
	{"AKIA", "an AWS access key", lazily(`^AKIA[A-Z0-9]{16}(?:[^A-Za-z0-9]|$)`)},
	{"ASIA", "an AWS access key", lazily(`^ASIA[A-Z0-9]{16}(?:[^A-Za-z0-9]|$)`)},
	{"AIza", "a Google API key", lazily(`^AIza[\w-]{30,}`)},
	{"npm_", "an npm token", lazily(`^npm_[A-Za-z0-9]{20,}`)},
	{"pypi-", "a PyPI token", lazily(`^pypi-[\w-]{20,}`)},
	{"hf_", "a Hugging Face token", lazily(`^hf_[A-Za-z0-9]{20,}`)},
	{"dop_v1_", "a DigitalOcean token", lazily(`^dop_v1_\w{20,}`)},
	{"whsec_", "a signing secret", lazily(`^whsec_\w{16,}`)},
	{"eyJ", "a JSON web token", lazily(`^eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}`)},
}

type tokenShape struct {
	prefix, what string
	shape        func() *regexp.Regexp
}

// lazily compiles an expression when it is first asked for: most sessions ask
// for none.
func lazily(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// shapesBy are the shapes by their first byte.
var shapesBy = func() (by [256][]tokenShape) {
	for _, s := range tokenShapes {
		by[s.prefix[0]] = append(by[s.prefix[0]], s)
	}
	return by
}()

// What else a long run of token characters can be part of.
var (
	privateKey = lazily(`-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----`)
	bearer     = lazily(`(?i)\bBearer (\S{20,512})`)
	inURL      = lazily(`\b[a-zA-Z][a-zA-Z0-9+.-]{1,20}:\\?/\\?/([^\s/:@"'<>?#\\]{0,128}):([^\s/@"'<>?#\\]{1,128})@[A-Za-z0-9\[$]`)
)

var isToken = func() (t [256]bool) {
	for c := range 256 {
		t[c] = c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c == '_' || c == '-'
	}
	return t
}()

// secrets looks for what looks like a credential in bytes of the server. long
// are the pieces of text in them that can hold a token.
func (j *Judge) secrets(b []byte, long []wire.Span, at spot) {
	for _, piece := range long {
		if what, raw := token(b[piece.Start:piece.End]); what != "" {
			j.secret(at, what, raw)
			return
		}
	}
	if hasURL(b) {
		j.urlSecret(b, at)
	}
}

// hasURL reports whether there may be a URL with a user in it.
func hasURL(b []byte) bool {
	return bytes.IndexByte(b, '@') >= 0 && (bytes.Contains(b, []byte("://")) || bytes.Contains(b, []byte(`:\/\/`)))
}

// token returns what looks like a token, "" where nothing does. Most bytes are not looked at: a run of minToken
// token characters cannot hide between two places minToken apart.
func token(b []byte) (what, raw string) {
	for i := minToken - 1; i < len(b); i += minToken {
		if !isToken[b[i]] {
			continue
		}
		start := i
		for start > 0 && isToken[b[start-1]] && i-start < minToken {
			start--
		}
		if start > 0 && b[start-1] == '\\' {
			// The letter belongs to an escape, such as a line break.
			if start++; b[start-1] == 'u' {
				start += 4
			}
		}
		end := i + 1
		for end < len(b) && isToken[b[end]] {
			end++
		}
		if end-start < minToken {
			continue
		}
		if what, raw = tokenIn(b, start, end); what != "" {
			return what, raw
		}
		i = max(i, end-1)
	}
	return "", ""
}

// tokenIn looks for a token in a run of token characters.
func tokenIn(b []byte, start, end int) (what, raw string) {
	for i := start; i < end; i++ {
		if i > start && b[i-1] != '-' && b[i-1] != '_' {
			if next := bytes.IndexAny(b[i:end], "-_"); next >= 0 {
				i += next
				continue
			}
			break
		}
		for _, s := range shapesBy[b[i]] {
			if !bytes.HasPrefix(b[i:], []byte(s.prefix)) {
				continue
			}
			window := b[i:min(len(b), i+2048)]
			if raw := s.shape().Find(window); raw != nil && !madeUp(raw) {
				return s.what, string(bytes.TrimRightFunc(raw, notToken))
			}
		}
	}
	from := max(0, start-64)
	near := b[from:min(len(b), end+1)]
	if bytes.Contains(near, []byte("PRIVATE KEY")) {
		if raw := privateKey().Find(near); raw != nil {
			return "a private key", string(raw)
		}
	}
	if bytes.Contains(near, []byte("earer ")) {
		if m := bearer().FindSubmatch(near); m != nil && !madeUp(m[1]) && mixed(m[1]) {
			return "a bearer token", string(m[1])
		}
	}
	return "", ""
}

func notToken(r rune) bool { return r >= 0x80 || !isToken[r] }

// mixed: letters and digits, as no word has them.
func mixed(raw []byte) bool {
	return bytes.ContainsAny(raw, "0123456789") && bytes.ContainsAny(bytes.ToLower(raw), "abcdefghijklmnopqrstuvwxyz")
}

// madeUp reports whether a token stands for one: xxxx, 0000, ….
func madeUp(raw []byte) bool {
	low := bytes.ToLower(raw)
	if bytes.Contains(low, []byte("xxxx")) || bytes.Contains(low, []byte("your")) {
		return true
	}
	tail := low[len(low)/2:]
	return len(bytes.Trim(tail, string(tail[:1]))) == 0 || isPhrase(raw)
}

// isPhrase reports whether a token is words with dashes between: a name, such
// as sk-learn-model-viewer.
func isPhrase(raw []byte) bool {
	const longest = 14 // letters of a word
	words := bytes.FieldsFunc(raw, func(r rune) bool { return r == '-' || r == '_' })
	return len(words) > 2 && !slices.ContainsFunc(words, func(w []byte) bool {
		return len(w) > longest || bytes.ContainsFunc(w, func(r rune) bool { return r < 'a' || r > 'z' })
	})
}

// standIns are what documents write for a password.
var standIns = []string{"password", "passwd", "pass", "pwd", "pw", "secret", "token", "key", "apikey", "api_key", "credentials"}

// urlSecret looks for user:password@ in a URL. Where tools are described, a
// stand-in is what it says it is.
func (j *Judge) urlSecret(b []byte, at spot) {
	where, _ := j.saidIn()
	described := strings.HasSuffix(where, "/list") || strings.HasSuffix(where, mcpl.MethodInitialize)
	for range 64 {
		m := inURL().FindSubmatchIndex(b)
		if m == nil {
			return
		}
		if !standsIn(string(b[m[4]:m[5]]), described) {
			j.secret(at, "a password in a URL", string(b[m[4]:m[5]]))
			return
		}
		b = b[m[5]:]
	}
}

// standsIn reports whether a password stands for one: ${PASSWORD}, ****, and
// in a description words such as password.
func standsIn(password string, described bool) bool {
	const signs = "*{}[]$%…"
	password = strings.ToLower(password)
	if strings.ContainsAny(password, signs) && strings.Trim(password, signs+"abcdefghijklmnopqrstuvwxyz_-") == "" {
		return true
	}
	return described && slices.Contains(standIns, password) || madeUp([]byte(password+"-"))
}

func (j *Judge) secret(at spot, what, raw string) {
	where, th := j.saidIn()
	f := j.found(secretExposed, at, th, where+" "+what)
	if f == nil {
		return
	}
	shown := "…"
	if len(raw) >= 12 {
		shown = raw[:4] + "…"
	}
	f.Message = fmt.Sprintf("What looks like %s stands in %s: %s, %d characters.", what, place(where, th), shown, len(raw))
	f.Expected = "no credential"
	f.Seen = shown
}
