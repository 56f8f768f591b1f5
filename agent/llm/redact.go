package llm

import (
	"net/url"
	"regexp"
	"sort"
	"strconv"
	"strings"

	"coauthor/agent/secret"
)

var keyParameter = regexp.MustCompile(`(?i)([?&](?:key|api[-_]?key|token|access_token|sig)=)[^&\s"']+`)

// secretHeader finds the headers whose values are keys.
var secretHeader = regexp.MustCompile(`(?i)auth|key|token|secret|cookie|passw|signature|credential`)

// longValue is from how many characters on the value of any extra header is taken for a key: a server
// that repeats it may repeat nobody's team or title, and a key is never as short as those.
const longValue = 20

// secrets are what nobody is to see of a call's head.
type secrets []string

// redact takes keys out of a text about a call that people or logs will see.
func (s secrets) redact(text string) string { return redact(text, s...) }

// without is a text to keep: without what nobody is to see, and without what looks like a key.
func (s secrets) without(text string) string { return secret.Without(s.cut(text)) }

func (s secrets) cut(text string) string {
	for _, key := range s {
		if len(key) >= 4 {
			text = strings.ReplaceAll(text, key, "[key]")
		}
	}
	return text
}

// secretsOf are the key, and what the extra headers hold, with and without the scheme before it.
func secretsOf(key string, headers map[string]string) secrets {
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
	s = keyParameter.ReplaceAllString(secrets(keys).cut(s), "${1}[key]")
	return secret.WithoutAny(s)
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
