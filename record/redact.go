package record

import (
	"net/url"
	"regexp"
	"strings"
)

// Mask stands where a secret was.
const Mask = "***"

// RedactTarget returns t without what looks like a secret: credentials in
// URLs, values of arguments that are named like one, values that are too
// random to be words (outputs.md: secrets are never written). Where it is in
// doubt it masks; ordinary arguments stay readable.
func RedactTarget(t Target) Target {
	t.Command = RedactCommand(t.Command)
	t.URL = RedactURL(t.URL)
	return t
}

// RedactCommand masks the secrets of a command line. The program itself stays.
func RedactCommand(command []string) []string {
	if len(command) == 0 {
		return command
	}
	out := append(make([]string, 0, len(command)), command...)
	first := 1
	if strings.Contains(out[0], "=") || strings.Contains(out[0], "://") {
		first = 0 // no program: an assignment, or an address
	}
	redactWords(out[first:])
	return out
}

// redactWords masks secrets in the arguments args, in place.
func redactWords(args []string) {
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if i > 0 && takesSecret(args[i-1], arg) {
			args[i] = maskValue(args[i-1], arg)
			continue
		}
		args[i] = redactWord(arg)
	}
}

// takesSecret reports whether the argument after flag is its secret value.
func takesSecret(flag, value string) bool {
	if !strings.HasPrefix(flag, "-") || strings.Contains(flag, "=") || value == "" || strings.HasPrefix(value, "--") {
		return false
	}
	return isPairFlag(flag) && strings.Contains(value, ":") && !strings.Contains(value, "://") || isSecretFlag(flag)
}

// isSecretFlag reports whether a flag is named for a secret. One that turns
// something on or off takes no value.
func isSecretFlag(flag string) bool {
	words := nameWords(flag)
	if len(words) > 1 {
		switch words[0] {
		case "no", "skip", "disable", "enable", "use", "with", "without", "require", "allow":
			return false
		}
	}
	return isSecretName(flag)
}

// isPairFlag knows the flags whose value is a header, or user:password.
func isPairFlag(flag string) bool {
	switch strings.TrimLeft(flag, "-") {
	case "H", "header", "headers", "u", "user", "proxy-user":
		return true
	}
	return false
}

// maskValue masks what follows a flag: of a header or user:password the part
// before the colon stays.
func maskValue(flag, value string) string {
	if !isPairFlag(flag) {
		return Mask
	}
	name, rest, _ := strings.Cut(value, ":")
	if isPlainHeader(name) && !looksSecret(strings.TrimSpace(rest)) {
		return value
	}
	return name + ":" + rest[:len(rest)-len(strings.TrimLeft(rest, " "))] + Mask
}

func isPlainHeader(name string) bool {
	switch strings.ToLower(strings.TrimSpace(name)) {
	case "accept", "content-type", "user-agent", "mcp-protocol-version", "accept-language", "host", "origin":
		return true
	}
	return false
}

var (
	urlInText  = regexp.MustCompile(`[A-Za-z][A-Za-z0-9+.-]*://[^\s"'<>]+`)
	userInfo   = regexp.MustCompile(`^[^/@:\s]+:[^@\s]+@`)
	jsonMember = regexp.MustCompile(`"((?:[^"\\]|\\.)+)"(\s*:\s*)("(?:[^"\\]|\\.)*"|[^\s,}\]"]+)`)
	headerLike = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9-]*):(\s*)\S`)
	bearer     = regexp.MustCompile(`(?i)\b(bearer|basic)(\s+)[A-Za-z0-9._~+/=-]{6,}`)
)

// maxWord is the longest argument that is looked into; a longer one is masked.
const maxWord = 4096

// redactWord masks the secrets in one argument: name=value, a header, a URL,
// JSON, a shell's command line, or a secret by itself.
func redactWord(arg string) string {
	if len(arg) > maxWord {
		return Mask
	}
	if strings.HasPrefix(strings.TrimSpace(arg), "{") && jsonMember.MatchString(arg) {
		return redactJSON(arg)
	}
	if g := headerLike.FindStringSubmatch(arg); g != nil && isSecretName(g[1]) && !strings.Contains(arg, "://") {
		return g[1] + ":" + g[2] + Mask
	}
	name, value, assigns := strings.Cut(arg, "=")
	assigns = assigns && isName(name) && strings.Trim(value, "=") != ""
	switch {
	case assigns && strings.HasPrefix(name, "-") && isPairFlag(name) && strings.Contains(value, ":"):
		return name + "=" + maskValue(name, value)
	case strings.HasPrefix(arg, "-H") && strings.Contains(arg, ":"):
		return "-H" + maskValue("-H", arg[2:])
	}
	if masked := bearer.ReplaceAllString(arg, "$1$2"+Mask); masked != arg {
		return masked
	}
	if words, gaps := shellWords(arg); len(words) > 1 {
		return redactShell(words, gaps)
	}
	switch {
	case assigns && isSecretName(name):
		return name + "=" + Mask
	case assigns:
		return name + "=" + redactWord(value)
	}
	return redactPlain(arg)
}

// redactPlain masks a value that has no name.
func redactPlain(s string) string {
	switch {
	case strings.Contains(s, "://"):
		return urlInText.ReplaceAllStringFunc(s, RedactURL)
	case userInfo.MatchString(s):
		return userInfo.ReplaceAllString(s, Mask+"@")
	case looksSecret(strings.Trim(s, `"'`)):
		return Mask
	}
	return redactParts(s, `/\:,=@`)
}

// redactParts masks those parts of s, between any of the characters seps,
// that look like secrets. A digest is none.
func redactParts(s, seps string) string {
	var b strings.Builder
	for s != "" {
		n := strings.IndexAny(s, seps)
		if n < 0 {
			n = len(s)
		}
		part := s[:n]
		if looksSecret(part) && !strings.HasSuffix(b.String(), "sha256:") {
			part = Mask
		}
		b.WriteString(part)
		if s = s[n:]; s != "" {
			b.WriteByte(s[0])
			s = s[1:]
		}
	}
	return b.String()
}

func redactJSON(s string) string {
	return jsonMember.ReplaceAllStringFunc(s, func(m string) string {
		g := jsonMember.FindStringSubmatch(m)
		value := strings.Trim(g[3], `"`)
		switch {
		case strings.HasPrefix(value, "{") || strings.HasPrefix(value, "["):
			return `"` + g[1] + `"` + g[2] + redactJSON(g[3])
		case isSecretName(g[1]) || looksSecret(value):
			return `"` + g[1] + `"` + g[2] + `"` + Mask + `"`
		case strings.Contains(value, "://"):
			return `"` + g[1] + `"` + g[2] + `"` + redactPlain(value) + `"`
		}
		return m
	})
}

// shellSpace separates the words of a shell's command line.
const shellSpace = " \t\r\n;&|"

// shellWords splits a shell's command line into its words, with their quotes,
// and what stands after each.
func shellWords(s string) (words, gaps []string) {
	for s != "" {
		n := shellWord(s)
		gap := len(s) - n - len(strings.TrimLeft(s[n:], shellSpace))
		words, gaps = append(words, s[:n]), append(gaps, s[n:n+gap])
		s = s[n+gap:]
	}
	return words, gaps
}

// shellWord returns the length of the word at the beginning of s; quotes hold
// it together.
func shellWord(s string) int {
	var quote byte
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case strings.IndexByte(shellSpace, c) >= 0:
			return i
		}
	}
	return len(s)
}

// unquoted takes the quotes off a word that is quoted as a whole.
func unquoted(w string) string {
	if n := len(w); n > 1 && (w[0] == '"' || w[0] == '\'') && w[n-1] == w[0] {
		return w[1 : n-1]
	}
	return w
}

// redactShell masks the secrets of a command line in one argument, as of
// sh -c: its words are looked at like arguments, what is between them stays.
func redactShell(words, gaps []string) string {
	bare := make([]string, len(words))
	for i, w := range words {
		bare[i] = unquoted(w)
	}
	masked := append([]string(nil), bare...)
	redactWords(masked)
	var b strings.Builder
	for i, w := range words {
		b.WriteString(strings.Replace(w, bare[i], masked[i], 1))
		b.WriteString(gaps[i])
	}
	return b.String()
}

// RedactURL masks what a URL must not tell: user and password, values of the
// query and the fragment that are named like a secret or look like one, and
// such parts of the path. All else stays as it is.
func RedactURL(s string) string {
	scheme, rest, ok := strings.Cut(s, "://")
	if ok {
		scheme += "://"
	} else {
		scheme, rest = "", s
	}
	rest = redactUser(rest)
	rest, fragment, hasFragment := strings.Cut(rest, "#")
	rest, query, hasQuery := strings.Cut(rest, "?")
	host, path := rest, ""
	if n := strings.IndexByte(rest, '/'); n >= 0 {
		host, path = rest[:n], rest[n:]
	}
	out := scheme + host + redactParts(path, "/;=,:")
	if hasQuery {
		out += "?" + redactQuery(query)
	}
	if hasFragment {
		out += "#" + redactQuery(fragment)
	}
	return out
}

// redactUser masks user and password before a host, also where the password
// holds a sign that should have been escaped.
func redactUser(rest string) string {
	host := rest
	if n := strings.IndexAny(rest, "/?#"); n >= 0 {
		host = rest[:n]
	}
	n := strings.LastIndexByte(host, '@')
	if n < 0 && strings.IndexByte(host, ':') >= 0 && !strings.HasPrefix(host, "[") && !isPort(host) {
		n = strings.LastIndexByte(rest, '@')
	}
	if n < 0 {
		return rest
	}
	return Mask + rest[n:]
}

// isPort reports whether host ends in a port number.
func isPort(host string) bool {
	port := host[strings.LastIndexByte(host, ':')+1:]
	return port != "" && strings.Trim(port, "0123456789") == ""
}

func redactQuery(q string) string {
	var b strings.Builder
	for q != "" {
		n := strings.IndexAny(q, "&;")
		if n < 0 {
			n = len(q)
		}
		b.WriteString(redactPair(q[:n]))
		if q = q[n:]; q != "" {
			b.WriteByte(q[0])
			q = q[1:]
		}
	}
	return b.String()
}

func redactPair(pair string) string {
	name, value, ok := strings.Cut(pair, "=")
	if !ok {
		if looksSecret(decoded(pair)) {
			return Mask
		}
		return pair
	}
	plain := decoded(value)
	switch {
	case value == "":
		return pair
	case isSecretName(decoded(name)) || isSecretQuery(decoded(name)) || looksSecret(plain):
		return name + "=" + Mask
	case strings.Contains(plain, "://") && RedactURL(plain) != plain:
		return name + "=" + Mask
	}
	return name + "=" + redactParts(value, `/:,@`)
}

func decoded(s string) string {
	if d, err := url.QueryUnescape(s); err == nil {
		return d
	}
	return s
}
