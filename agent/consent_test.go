package agent_test

import (
	"context"
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/verify"
)

// A command that is to check changes is shown to its last character, with the folder in which it runs and what it stands
// for: within the question where a sentence can hold it, else below it.
func TestACommandIsShownWholeBeforeItRuns(t *testing.T) {
	word := "--config=" + strings.Repeat("c", 590)
	sentence := strings.Repeat("echo one and two; ", 35) + "rm -rf /"
	for what, c := range map[string]struct {
		wanted verify.Wanted
		text   string // the question begins so
		body   string
	}{
		"short":       {verify.Wanted{Command: verify.Command{"go", "vet", "{dirs}"}, Dir: "sub"}, `Always run go vet "{dirs}" in sub to check changes in this folder? {dirs} stands for the folders of the changed files.`, ""},
		"a long word": {verify.Wanted{Command: verify.Command{"lint", word}}, "Always run this command to check changes", "lint " + word},
		"many words": {verify.Wanted{Command: verify.Command{"sh", "-c", sentence, "{files}"}}, "Always run this command to check changes in this folder? {files} stands for the changed files.",
			`sh -c "` + sentence + `" "{files}"`},
		"a folder": {verify.Wanted{Command: verify.Command{"lint"}, Dir: "d/" + word}, "Always run this command to", "lint\nin d/" + word},
		"a script": {verify.Wanted{Command: verify.Command{"npm", "test"}, Dir: "a b", Script: sentence}, "Always run this command to",
			"npm test\nin \"a b\"\nThe script in package.json runs: " + sentence},
		"a script of two lines": {verify.Wanted{Command: verify.Command{"npm", "test"}, Script: "echo one\nrm -rf /"}, "Always run this command to",
			"npm test\nThe script in package.json runs: echo one\nrm -rf /"},
	} {
		t.Run(what, func(t *testing.T) {
			b := newBench(t, replies(xIsTwo), map[string]string{"a.py": "x = 1\n"})
			b.settings.Verify, b.settings.MaxReflections = "lint", 0
			b.answers = []string{"run"}
			o := b.options("")
			o.Checks = []verify.Check{{Name: "lint", From: verify.Lint, Run: func(ctx context.Context, in verify.Input) ([]verify.Finding, error) {
				if yes, err := in.May(ctx, c.wanted); !yes || err != nil {
					t.Errorf("%v, %v", yes, err)
				}
				return nil, nil
			}}}
			b.engine = agent.NewEngine(o)
			t.Cleanup(b.engine.Close)
			b.session = b.engine.Session(b.ws)
			if r, _ := b.run(agent.Request{Instruction: "Make x two.", Files: []string{"a.py"}}); r.State != event.TurnProposed || len(b.asked) != 1 {
				t.Fatalf("%+v, asked %+v", r, b.asked)
			}
			q := b.asked[0]
			if !strings.HasPrefix(q.Text, c.text) || !strings.HasSuffix(q.Text, " The sandbox has no network access and discards anything that commands write.") || q.Body != c.body || q.Default != "skip" {
				t.Errorf("asked %+v", q)
			}
			if display.Message(q.Text) != display.Line(q.Text) || display.Message(q.Titles[0]) != q.Titles[0] {
				t.Errorf("cut: %+v", q)
			}
		})
	}
}
