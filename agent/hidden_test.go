package agent_test

import (
	"regexp"
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/command"
	"coauthor/agent/event"
	"coauthor/agent/llm/llmtest"
)

// A turn on a file with a key in it does not send the key, and an edit of its line fits all the same; the setting sends
// it from the next turn on.
func TestATurnHidesKeys(t *testing.T) {
	key := "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
	b := newBench(t, replies("It is a key.", "placeholder", "It is a key."), map[string]string{"a.py": "token = '" + key + "'\n"})
	b.settings.RedactSecrets = true
	ask := agent.Request{Instruction: "What is it?", Coder: "ask", Files: []string{"a.py"}}
	b.run(ask)
	name := regexp.MustCompile(`REDACTED_\d+_[a-z0-9]{6}`).FindString(string(b.server.Requests()[0].Body))
	if name == "" || strings.Contains(string(b.server.Requests()[0].Body), key) {
		t.Fatalf("sent %s", b.server.Requests()[0].Body)
	}
	if p, err := b.session.Prompt(t.Context(), ask, agent.Ports{}); err != nil || strings.Contains(command.Document(p), key) || !strings.Contains(command.Document(p), name) {
		t.Errorf("shown, %v:\n%s", err, command.Document(p))
	}
	script, err := llmtest.Parse([]byte(replies("a.py\n```\n<<<<<<< SEARCH\ntoken = '"+name+"'\n=======\nsecret = '"+name+"'\n>>>>>>> REPLACE\n```\n", "It is a key.")))
	if err != nil {
		t.Fatal(err)
	}
	server := llmtest.Start(script)
	t.Cleanup(server.Close)
	b.user.APIBase = server.URL
	r, _ := b.run(agent.Request{Instruction: "Call it secret.", Files: []string{"a.py"}})
	if r.State != event.TurnProposed || r.Proposal.Files[0].Change.After != "secret = '"+key+"'\n" {
		t.Errorf("%+v", r)
	}
	b.settings.RedactSecrets = false
	b.run(ask)
	if sent := server.Requests(); len(sent) != 2 || strings.Contains(string(sent[0].Body), key) || !strings.Contains(string(sent[1].Body), key) {
		t.Errorf("%d requests", len(sent))
	}
}
