package llm

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// keyShape finds what looks like a key even when it is not the one we sent: servers like to repeat
// a wrong key in their answer.
var keyShape = regexp.MustCompile(
	`(?i)\b(?:sk|pk|rk|gsk|xai|key|hf|AIza)[-_][A-Za-z0-9_*.-]{8,}|AIza[A-Za-z0-9_-]{20,}|(?:bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}`)

var keyParameter = regexp.MustCompile(`(?i)([?&](?:key|api[-_]?key|token|access_token|sig)=)[^&\s"']+`)

// redact takes keys out of a text that people or logs will see.
func redact(s, key string) string {
	if len(key) >= 4 {
		s = strings.ReplaceAll(s, key, "[key]")
	}
	s = keyParameter.ReplaceAllString(s, "${1}[key]")
	return keyShape.ReplaceAllString(s, "[key]")
}

// redactURL takes user, password and query out of something that may be a URL.
func redactURL(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return redact(raw, "")
	}
	u.User, u.RawQuery = nil, ""
	return redact(u.String(), "")
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
