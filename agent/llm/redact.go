package llm

import (
	"net/url"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"unicode"
)

// keyShape finds what looks like a key even when it is not the one we sent: servers like to repeat
// a wrong key in their answer.
var keyShape = regexp.MustCompile(
	`(?i)\b(?:sk|pk|rk|gsk|xai|key|hf|AIza)[-_][A-Za-z0-9_*.-]{8,}|AIza[A-Za-z0-9_-]{20,}|(?:bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}`)

var keyParameter = regexp.MustCompile(`(?i)([?&](?:key|api[-_]?key|token|access_token|sig)=)[^&\s"']+`)

// secretHeader finds the headers whose values are keys.
var secretHeader = regexp.MustCompile(`(?i)auth|key|token|secret|cookie|passw|signature|credential`)

// longValue is from how many characters on the value of any extra header is taken for a key: a server
// that repeats it may repeat nobody's team or title, and a key is never as short as those.
const longValue = 20

// redact takes keys out of a text about a call that people or logs will see.
func (c *call) redact(s string) string { return redact(s, c.secrets...) }

// secrets are the parts of a call's head that nobody is to see: the key, and what the extra headers
// hold, with and without the scheme before it.
func secrets(key string, headers map[string]string) []string {
	list := []string{key}
	for name, value := range headers {
		value = strings.TrimSpace(value)
		if !secretHeader.MatchString(name) && (len(value) < longValue || strings.ContainsAny(value, " /")) {
			continue
		}
		list = append(list, value)
		if _, rest, scheme := strings.Cut(value, " "); scheme {
			list = append(list, strings.TrimSpace(rest))
		}
	}
	// A value that holds another goes first, or what is left of it would stay.
	sort.Slice(list, func(i, j int) bool { return len(list[i]) > len(list[j]) })
	return list
}

// redact takes keys out of a text that people or logs will see.
func redact(s string, keys ...string) string {
	for _, key := range keys {
		if len(key) >= 4 {
			s = strings.ReplaceAll(s, key, "[key]")
		}
	}
	s = keyParameter.ReplaceAllString(s, "${1}[key]")
	return keyShape.ReplaceAllString(s, "[key]")
}

// redactURL takes user, password and query out of something that may be a URL.
func redactURL(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return redact(raw)
	}
	u.User, u.RawQuery = nil, ""
	return redact(u.String())
}

// shorten makes one line of at most n runes of a text.
func shorten(s string, n int) string {
	r := []rune(strings.Join(strings.Fields(s), " "))
	if len(r) > n {
		return string(r[:n]) + "…"
	}
	return string(r)
}

func quote(s string) string { return strconv.Quote(s) }

// keyRun is the part of a key that no word of a text has: letters and digits in no order.
var keyRun = regexp.MustCompile(`[A-Za-z0-9]{16,}`)

// WithoutKeys takes out of a text to keep what looks like a key. Unlike in a text about a call, names such as
// key_of_something stay: without a long run of letters and digits it is none.
func WithoutKeys(s string) string {
	return keyShape.ReplaceAllStringFunc(s, func(found string) string {
		if random(found) {
			return "[key]"
		}
		return found
	})
}

// random says whether a text has a part that no word has.
func random(text string) bool {
	for _, run := range keyRun.FindAllString(text, -1) {
		if strings.ContainsAny(run, "0123456789") && strings.ContainsFunc(run, unicode.IsLetter) {
			return true
		}
	}
	return false
}
