package llm

import (
	"fmt"
	"strings"
)

// logPrompt writes what the model is asked into the log, where the user wants that.
func (c *OpenAI) logPrompt(host string, r Request, hide secrets) {
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
func (c *OpenAI) logAnswer(host string, r Request, reply Reply, err *Error, hide secrets) {
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
