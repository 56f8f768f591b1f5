package remote

import (
	"fmt"
	"net/url"
	"regexp"
	"sort"
	"strconv"
	"strings"

	"coauthor/agent/llm"
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

// logPrompt writes what the model is asked into the log, where the user wants that.
func (c *Client) logPrompt(host string, r llm.Request, hide secrets) {
	if !c.o.LogPrompts {
		return
	}
	var b strings.Builder
	for i, m := range r.Messages {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "== %s\n%s", m.Role, logged(m))
	}
	c.o.Log.Info("prompt", "host", host, "model", r.Model.ID, "for", string(r.Role), "text", hide.without(b.String()))
}

// logAnswer writes what came of it: the answer, or as much of it as there was.
func (c *Client) logAnswer(host string, r llm.Request, reply llm.Reply, err *llm.Error, hide secrets) {
	if !c.o.LogPrompts {
		return
	}
	list := []any{"host", host, "model", r.Model.ID, "finish", string(reply.Finish), "text", hide.without(logged(reply.Message()))}
	if reply.Reasoning != "" {
		list = append(list, "reasoning", hide.without(reply.Reasoning))
	}
	if err != nil {
		list = append(list, "error", hide.redact(err.Message))
	}
	c.o.Log.Info("answer", list...)
}

// logged is a message as text; of what is no text it has the name and the size.
func logged(m llm.Message) string {
	var b strings.Builder
	for _, p := range m.Parts {
		switch p.Kind {
		case llm.PartText:
			b.WriteString(p.Text)
		case llm.PartImage, llm.PartFile:
			fmt.Fprintf(&b, "[%s: %s, %d bytes]", p.Name, p.MIME, len(p.Data))
		case llm.PartCall:
			fmt.Fprintf(&b, "[call %s %s]", p.Call.Name, p.Call.Arguments)
		case llm.PartResult:
			fmt.Fprintf(&b, "[result of %s]\n%s\n", p.Call.Name, p.Text)
		}
	}
	return b.String()
}
