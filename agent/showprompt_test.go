package agent_test

import (
	"strings"
	"testing"
	"time"

	"coauthor/agent"
	"coauthor/agent/command"
	"coauthor/agent/model"
)

// What is shown is to the letter what the request then sends, and the sizes and prices add up.
func TestTheShownPromptIsWhatIsSent(t *testing.T) {
	b := rulesBench(t, "MY OWN\n", map[string]string{"main.go": "package main\n\nfunc main() {}\n", "AGENTS.md": "ROOT\n~~~~\n", "lib.go": "package main\n\n// Crow caws.\nfunc Crow() {}\n"})
	b.user.Price = &model.Price{In: 2, Out: 8}
	b.settings.RepoMap.Tokens = -1
	b.ws.DidOpen("open.go", "package main // open\n", 1)
	r := agent.Request{Instruction: "Feed the crow.", Target: &agent.Target{Path: "main.go", Start: 14, End: 20}, ReadOnly: []string{"lib.go"}}
	p, err := b.session.Prompt(t.Context(), r, agent.Ports{})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(b.server.Requests()); n > 0 {
		t.Fatalf("%d requests", n)
	}
	doc, report := command.Document(p), command.Report(p)
	b.run(r)
	sent := b.server.Requests()[0].Messages
	at := 0
	for _, m := range sent {
		i := strings.Index(doc[at:], m.Content)
		if i < 0 {
			t.Fatalf("not shown, or too early:\n%s\n\nThe document:\n%s", m.Content, doc)
		}
		at += i + len(m.Content)
	}
	total, cost, paths := 0, 0.0, ""
	for _, part := range report.Parts {
		total, cost = total+part.Tokens, cost+part.Cost
		for _, f := range part.Files {
			paths += part.Name + ":" + f.Path + " "
			if f.Tokens <= 0 || f.Cost <= 0 || f.Tokens > part.Tokens {
				t.Errorf("%+v in %+v", f, part)
			}
		}
	}
	if total != report.Tokens || cost < report.Cost*0.999 || cost > report.Cost*1.001 || report.Cost != float64(report.Tokens)*2/1e6 {
		t.Errorf("the parts have %d tokens at %g, all %d at %g", total, cost, report.Tokens, report.Cost)
	}
	if paths != "rules:~/AGENTS.md rules:AGENTS.md read-only files:lib.go files:main.go files:open.go " {
		t.Errorf("files: %s", paths)
	}
	if report.Text != doc || report.Model != "scripted" || report.Over != 0 || report.Room <= report.Tokens {
		t.Errorf("%+v", report)
	}
}

// Whatever is left out is named with the reason, also what a request would have asked about.
func TestWhatIsLeftOutIsShown(t *testing.T) {
	b := newBench(t, "-- 1.md --\nYes.\n", map[string]string{
		"main.go": "package main\n", "key.pem": "SECRET KEY\n", "made.txt": "SECRET MADE\n", ".gitignore": "made.txt\n", "big.go": strings.Repeat("x\n", 4000)})
	b.user.ContextWindow, b.user.MaxOutput = 2500, 100
	b.settings.RepoMap.Tokens = 0
	for _, name := range []string{"key.pem", "big.go"} {
		text, err := b.ws.Snapshot().Read(name)
		if err != nil {
			t.Fatal(err)
		}
		b.clock = b.clock.Add(time.Second)
		b.ws.DidOpen(name, text, 1)
	}
	b.user.Price = nil
	p, err := b.session.Prompt(t.Context(), agent.Request{Files: []string{"main.go"}, ReadOnly: []string{"made.txt"}, Target: &agent.Target{Path: "key.pem", Start: 0, End: 6}}, agent.Ports{Ask: b})
	if err != nil || len(b.asked) > 0 {
		t.Fatal(err, b.asked)
	}
	got := map[string]string{}
	for _, l := range command.LeftOut(p) {
		got[l.What] = got[l.What] + l.Why
	}
	for what, why := range map[string]string{"key.pem": "secrets", "made.txt": "ignored", "big.go": "does not fit", "the repository map": "repoMap.tokens"} {
		if !strings.Contains(got[what], why) {
			t.Errorf("%s is left out because %q", what, got[what])
		}
		if !strings.Contains(command.Document(p), "- "+what+": ") {
			t.Errorf("%s is not in the document", what)
		}
	}
	if strings.Contains(command.Document(p), "SECRET") || !strings.Contains(command.Document(p), "unknown") {
		t.Error(command.Document(p))
	}
	b.user.ContextWindow = 600
	p, err = b.session.Prompt(t.Context(), agent.Request{Files: []string{"main.go"}}, agent.Ports{})
	if err != nil || p.Over == 0 || command.Report(p).Over != p.Over || !strings.Contains(command.Document(p), "asks you before sending the request") {
		t.Errorf("a prompt that is too large: over %d, %v", p.Over, err)
	}
}
