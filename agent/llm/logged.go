package llm

import (
	"fmt"
	"strings"

	"coauthor/agent/secret"
)

// logPrompt writes what the model is asked into the log, where the user wants that.
func (c *call) logPrompt() {
	if !c.client.o.LogPrompts {
		return
	}
	var b strings.Builder
	for i, m := range c.request.Messages {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "== %s\n%s", m.Role, logged(m))
	}
	c.client.o.Log.Info("prompt", "host", c.ep.host, "model", c.request.Model.ID, "for", string(c.request.Role), "text", c.kept(b.String()))
}

// logAnswer writes what came of it: the answer, or as much of it as there was.
func (c *call) logAnswer(r Reply, err *Error) {
	if !c.client.o.LogPrompts {
		return
	}
	list := []any{"host", c.ep.host, "model", c.request.Model.ID, "finish", string(r.Finish), "text", c.kept(logged(r.Message()))}
	if r.Reasoning != "" {
		list = append(list, "reasoning", c.kept(r.Reasoning))
	}
	if err != nil {
		list = append(list, "error", c.redact(err.Message))
	}
	c.client.o.Log.Info("answer", list...)
}

// logged is a message as text; of what is no text it has the name and the size.
func logged(m Message) string {
	var b strings.Builder
	for _, p := range m.Parts {
		switch p.Kind {
		case PartText:
			b.WriteString(p.Text)
		case PartImage, PartFile:
			fmt.Fprintf(&b, "[%s: %s, %d bytes]", p.Name, p.MIME, len(p.Data))
		case PartCall:
			fmt.Fprintf(&b, "[call %s %s]", p.Call.Name, p.Call.Arguments)
		case PartResult:
			fmt.Fprintf(&b, "[result of %s]\n%s\n", p.Call.Name, p.Text)
		}
	}
	return b.String()
}

// kept is a text to keep: without the key of the call, and without what looks like one.
func (c *call) kept(s string) string {
	for _, key := range c.secrets {
		if len(key) >= 4 {
			s = strings.ReplaceAll(s, key, "[key]")
		}
	}
	return secret.Without(s)
}
