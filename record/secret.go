package record

import (
	"math"
	"regexp"
	"strings"
	"unicode"
)

// secretWords name a secret where they are a word of a name.
var secretWords = map[string]bool{
	"token": true, "key": true, "secret": true, "secrets": true, "password": true,
	"passwd": true, "passphrase": true, "passcode": true, "pwd": true, "pass": true, "pw": true, "pin": true,
	"auth": true, "authorization": true, "authentication": true, "bearer": true, "jwt": true,
	"credential": true, "credentials": true, "creds": true, "cred": true,
	"cookie": true, "cookies": true, "session": true, "sid": true,
	"sig": true, "signature": true, "hmac": true, "otp": true, "pat": true, "apikey": true, "appkey": true,
}

// secretEnds name a secret where a word ends in them.
var secretEnds = []string{
	"token", "secret", "password", "passwd", "passphrase", "apikey", "accesskey",
	"secretkey", "privatekey", "authkey", "credential", "credentials", "sessionid",
}

// plainEnds take the secret out of a name: --token-file names a file.
var plainEnds = map[string]bool{
	"file": true, "path": true, "dir": true, "env": true, "url": true, "uri": true, "endpoint": true,
	"mode": true, "type": true, "method": true, "provider": true, "host": true, "port": true,
	"name": true, "length": true, "size": true, "limit": true, "timeout": true, "ttl": true, "algorithm": true,
}

// isSecretName reports whether name, of a flag, a variable, a header or a
// query's value, says that its value is secret.
func isSecretName(name string) bool {
	words := nameWords(name)
	if len(words) == 0 {
		return false
	}
	if len(words) > 1 && plainEnds[words[len(words)-1]] {
		return false
	}
	for _, w := range words {
		if secretWords[w] {
			return true
		}
		for _, end := range secretEnds {
			if strings.HasSuffix(w, end) {
				return true
			}
		}
	}
	return false
}

// isSecretQuery knows names that are secret only in a URL's query.
func isSecretQuery(name string) bool {
	switch strings.ToLower(name) {
	case "code", "nonce", "ticket", "assertion":
		return true
	}
	return false
}

// nameWords splits a name at signs and at capitals, in small letters.
func nameWords(name string) []string {
	var words []string
	var w []rune
	runes := []rune(name)
	flush := func() {
		if len(w) > 0 {
			words = append(words, strings.ToLower(string(w)))
		}
		w = w[:0]
	}
	for i, c := range runes {
		switch {
		case !unicode.IsLetter(c) && !unicode.IsDigit(c):
			flush()
			continue
		case unicode.IsUpper(c) && i > 0 && (unicode.IsLower(runes[i-1]) ||
			i+1 < len(runes) && unicode.IsLower(runes[i+1]) && unicode.IsUpper(runes[i-1])):
			flush()
		}
		w = append(w, c)
	}
	flush()
	return words
}

// isName reports whether s can stand before = as a name.
func isName(s string) bool {
	s = strings.TrimLeft(s, "-")
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.:[]") == ""
}

// knownSecret matches the shapes of tokens that many services give out, and
// of a UUID, which can be one.
var knownSecret = regexp.MustCompile(`^(?:` +
	`sk-[A-Za-z0-9_-]{8,}|[sprk]k_(?:live|test)_\w{8,}|gh[pousr]_\w{16,}|github_pat_\w{16,}|glpat-[\w-]{16,}|` +
	`xox[abeoprs]-[\w-]{8,}|xapp-[\w-]{8,}|(?:AKIA|ASIA)[A-Z0-9]{12,}|AIza[\w-]{20,}|ya29\.[\w.-]{8,}|` +
	`eyJ[\w-]{8,}(?:\.[\w-]*)*|npm_\w{16,}|pypi-[\w-]{16,}|hf_\w{16,}|dop_v1_\w{16,}|` +
	`[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|` +
	`SG\.[\w-]{16,}\.[\w-]+|whsec_\w{16,}|lin_api_\w{16,}|ntn_\w{16,}|secret_\w{16,}|tvly-[\w-]{8,})$`)

// minSecret is from how many characters on a value can be too random to be
// words.
const minSecret = 16

// looksSecret reports whether s by itself looks like a secret: a known shape
// of token, or letters and digits mixed as no one writes them.
func looksSecret(s string) bool {
	if knownSecret.MatchString(s) {
		return true
	}
	if len(s) < minSecret || len(s) > 4096 || strings.ContainsAny(s, " \t\n\"'()[]{}<>$*?!\\|;") {
		return false
	}
	if strings.Contains(s, "/") && (s[0] == '/' || strings.Contains(s, ".")) {
		return false // a path; its parts are looked at one by one
	}
	return !strings.ContainsAny(s, ":,@") && isRandom(s)
}

// isRandom tells a random value from words by how often the kind of character
// changes (in words a capital or a digit begins something), and by how evenly
// characters are spread.
func isRandom(s string) bool {
	if len(s) < minSecret {
		return false
	}
	changes, letters, digits := 0, 0, 0
	last := 0
	for _, c := range s {
		kind := 0
		switch {
		case c >= 'a' && c <= 'z':
			kind = 1
			letters++
		case c >= 'A' && c <= 'Z':
			kind = 2
			letters++
		case c >= '0' && c <= '9':
			kind = 3
			digits++
		case c >= 0x80:
			return false
		}
		// From a capital to small letters is how a word begins.
		if kind != last && kind != 0 && last != 0 && (last != 2 || kind != 1) {
			changes++
		}
		last = kind
	}
	if letters > 0 && digits > 0 && len(s) >= 32 && strings.Trim(s, "0123456789abcdefABCDEF") == "" {
		return true
	}
	mixed := float64(changes)/float64(letters+digits+1) >= 0.25
	return letters > 0 && mixed && entropy(s) >= 3
}

// entropy returns how many bits each character of s carries, by how often
// each stands in it.
func entropy(s string) float64 {
	var count [256]float64
	for i := 0; i < len(s); i++ {
		count[s[i]]++
	}
	var bits float64
	for _, n := range count {
		if n > 0 {
			p := n / float64(len(s))
			bits -= p * math.Log2(p)
		}
	}
	return bits
}
