package agent_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/prompt"
	"coauthor/agent/workspace"
)

// rulesBench is a bench with rules on. own are the user's.
func rulesBench(t *testing.T, own string, disk map[string]string) *bench {
	t.Helper()
	b := newBench(t, "-- 1.md --\nYes.\n-- 2.md --\nYes.\n-- 3.md --\nYes.\n-- 4.md --\nYes.\n", disk)
	b.settings.RulesFiles, b.settings.Trusted = true, true
	b.engine.Close()
	o := b.options("")
	o.OwnRules = func() (prompt.File, error) { return prompt.File{Path: "~/AGENTS.md", Text: own}, nil }
	b.engine = agent.NewEngine(o)
	b.session = b.engine.Session(b.ws)
	return b
}

// sentAll is all text of the last request.
func (b *bench) sentAll() string {
	list := b.server.Requests()
	var all strings.Builder
	for _, m := range list[len(list)-1].Messages {
		all.WriteString(m.Content + "\n")
	}
	return all.String()
}

// Which rules reach the model, for which files, in which order, and what the prompt says of the rest.
func TestRulesReachTheModel(t *testing.T) {
	disk := map[string]string{
		"main.go": "package main\n", "web/app.ts": "let x\n", "web/deep/y.ts": "let y\n",
		"AGENTS.md": "ROOT AGENTS\n", "web/AGENTS.md": "WEB AGENTS\n", "web/AGENTS.override.md": "WEB OVERRIDE\n",
		"CONVENTIONS.md": "CONVENTIONS\n```go\nx\n```\n", "CLAUDE.md": "CLAUDE\n@docs/one.md\n`@docs/code.md`\n", "docs/one.md": "ONE @two.md @gone.md\n", "docs/two.md": "TWO @one.md\n", "docs/code.md": "CODE\n",
		".github/copilot-instructions.md":            "COPILOT\n",
		".github/instructions/ts.instructions.md":    "---\napplyTo: \"**/*.ts\"\n---\nFOR TS\n",
		".github/instructions/empty.instructions.md": "---\napplyTo: \"**\"\n---\n\n",
		".cursor/rules/always.mdc":                   "---\nalwaysApply: true\n---\nCURSOR ALWAYS\n",
		".cursor/rules/sub/go.mdc":                   "---\nglobs: *.go\n---\nCURSOR GO\n",
		".cursor/rules/db.mdc":                       "---\ndescription: How to migrate\n---\nCURSOR DB\n",
	}
	b := rulesBench(t, "MY OWN\n", disk)
	b.run(agent.Request{Instruction: "x", Coder: "ask", Files: []string{"main.go"}})
	order := []string{"MY OWN", "ROOT AGENTS", "CONVENTIONS\n", "CLAUDE\n", "COPILOT", "CURSOR ALWAYS", "CURSOR GO", "ONE ", "TWO "}
	inOrder(t, b.sentAll(), order, []string{"WEB", "FOR TS", "CURSOR DB", "CODE", "globs"})
	for _, want := range []string{`"~/AGENTS.md"`, `"AGENTS.md"`, `".cursor/rules/sub/go.mdc"`, ".cursor/rules/db.mdc: How to migrate", "main.go\n```\npackage"} {
		if !strings.Contains(b.sentAll(), want) {
			t.Errorf("%s is not in the prompt:\n%s", want, b.sentAll())
		}
	}
	b.run(agent.Request{Instruction: "x", Coder: "ask", Files: []string{"web/deep/y.ts"}})
	inOrder(t, b.sentAll(), []string{"MY OWN", "WEB OVERRIDE", "CONVENTIONS\n", "COPILOT", "FOR TS"}, []string{"ROOT AGENTS", "WEB AGENTS", "CURSOR GO"})
	b.run(agent.Request{Instruction: "x", Coder: "ask", Files: []string{"AGENTS.md"}}) // one of the chat files: not twice
	if got := strings.Count(b.sentAll(), "ROOT AGENTS"); got != 1 || !strings.Contains(b.sentAll(), "AGENTS.md, whose text is shown") {
		t.Errorf("%d times:\n%s", got, b.sentAll())
	}
	b.settings.RulesFiles = false
	b.run(agent.Request{Instruction: "x", Coder: "ask", Files: []string{"main.go"}})
	inOrder(t, b.sentAll(), nil, append(order, "rules"))
}

func inOrder(t *testing.T, text string, order, not []string) {
	t.Helper()
	at := 0
	for _, w := range order {
		i := strings.Index(text[at:], w)
		if i < 0 {
			t.Errorf("%q is not there, or too early:\n%s", w, text)
			return
		}
		at += i
	}
	for _, w := range not {
		if strings.Contains(text, w) {
			t.Errorf("%q is there:\n%s", w, text)
		}
	}
}

// The rules of a workspace that nobody trusts are asked about once for each text; without a yes they stay, and
// the user's own go. Nobody is asked only to look.
func TestRulesOfAnUntrustedWorkspace(t *testing.T) {
	disk := map[string]string{"main.go": "package main\n", "AGENTS.md": "ROOT AGENTS\n", "CLAUDE.md": "CLAUDE\n"}
	r := agent.Request{Instruction: "x", Coder: "ask", Files: []string{"main.go"}}
	for _, c := range []struct {
		name    string
		answers []string
		sent    bool
	}{{"nobody answers", nil, false}, {"no", []string{"skip"}, false}, {"yes", []string{"follow"}, true}} {
		t.Run(c.name, func(t *testing.T) {
			b := rulesBench(t, "MY OWN\n", disk)
			b.settings.Trusted = false
			b.answers = c.answers
			p, err := b.session.Prompt(t.Context(), r, agent.Ports{Ask: b})
			if err != nil || len(b.asked) > 0 || len(p.Context.Rules) != 1 || len(p.Context.LeftOut) != 2 {
				t.Fatalf("to look: %v, asked %v, %+v, left out %+v", err, b.asked, p.Context.Rules, p.Context.LeftOut)
			}
			_, events := b.run(r)
			if len(b.asked) != 1 || !strings.Contains(b.asked[0].Text, "AGENTS.md, CLAUDE.md") {
				t.Fatalf("asked %+v", b.asked)
			}
			if got := strings.Contains(b.sentAll(), "ROOT AGENTS"); got != c.sent || !strings.Contains(b.sentAll(), "MY OWN") {
				t.Errorf("sent %v:\n%s", got, b.sentAll())
			}
			if told(events, "AGENTS.md") == c.sent {
				t.Errorf("told of it: %v", !c.sent)
			}
			b.run(r)
			if len(b.asked) != 1 || strings.Contains(b.sentAll(), "ROOT AGENTS") != c.sent {
				t.Errorf("the second time: asked %+v\n%s", b.asked, b.sentAll())
			}
			b.put("AGENTS.md", "OTHER AGENTS\n")
			b.run(r)
			if len(b.asked) != 2 || strings.Contains(b.sentAll(), "OTHER AGENTS") {
				t.Errorf("another text: asked %+v\n%s", b.asked, b.sentAll())
			}
		})
	}
}

// Each rules file passes the door, and at most 32 KiB of all go out, cut at the end of a line.
func TestRulesPassTheDoor(t *testing.T) {
	line := strings.Repeat("r", 99) + "\n"
	outside := filepath.Join(t.TempDir(), "secret.md")
	if err := os.WriteFile(outside, []byte("OUTSIDE\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		disk    map[string]string
		links   map[string]string
		options workspace.Options
		sent    []string // texts
		left    string   // what is left out, with a word of why
	}{
		{name: "ignored", disk: map[string]string{".gitignore": "AGENTS.md\n", "AGENTS.md": "SECRET\n"}, left: "AGENTS.md: ignored"},
		{name: "kept from models", disk: map[string]string{".coauthorignore": "*.mdc\n", ".cursor/rules/a.mdc": "---\nalwaysApply: true\n---\nSECRET\n"}, left: ".cursor/rules/a.mdc: .coauthorignore"},
		{name: "on the list of secrets", disk: map[string]string{"CLAUDE.md": "SECRET\n"}, options: workspace.Options{DenyGlobs: []string{"CLAUDE.md"}}, left: "CLAUDE.md: secrets"},
		{name: "binary", disk: map[string]string{"AGENTS.md": "SECRET\x00\n"}, left: "AGENTS.md: binary"},
		{name: "huge", disk: map[string]string{"AGENTS.md": strings.Repeat(line, 100)}, options: workspace.Options{MaxFileBytes: 5000}, left: "AGENTS.md: limit"},
		{name: "an import that may not go", disk: map[string]string{"CLAUDE.md": "CLAUDE @.env\n", ".env": "SECRET\n"}, sent: []string{"CLAUDE"}, left: ".env: secrets"},
		{name: "leads out", links: map[string]string{"AGENTS.md": outside}, left: "AGENTS.md: points outside"},
		{name: "leads to another of them", disk: map[string]string{"AGENTS.md": "ROOT\n"}, links: map[string]string{"CLAUDE.md": "AGENTS.md"}, sent: []string{"ROOT"}, left: "CLAUDE.md: it duplicates"},
		{name: "too long", disk: map[string]string{"AGENTS.md": strings.Repeat(line, 500)}, sent: []string{strings.Repeat(line, 327) + "<"}, left: "the end of AGENTS.md: 32 KiB"},
		{name: "too many", disk: map[string]string{"AGENTS.md": strings.Repeat(line, 327) + "FIRST\n", "CLAUDE.md": line + line}, sent: []string{"FIRST"}, left: "CLAUDE.md: 32 KiB"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if len(c.links) > 0 && runtime.GOOS == "windows" {
				t.Skip("links need a right there")
			}
			b := rulesBench(t, "", c.disk)
			b.put("main.go", "package main\n")
			for link, to := range c.links {
				if err := os.Symlink(to, filepath.Join(b.root, link)); err != nil {
					t.Fatal(err)
				}
			}
			ws, err := workspace.Open(b.root, c.options)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = ws.Close() })
			b.ws, b.session = ws, b.engine.Session(ws)
			r := agent.Request{Instruction: "x", Coder: "ask", Files: []string{"main.go"}}
			b.run(r)
			inOrder(t, b.sentAll(), c.sent, []string{"SECRET", "OUTSIDE", strings.Repeat(line, 328)})
			p, err := b.session.Prompt(t.Context(), r, agent.Ports{})
			what, why, _ := strings.Cut(c.left, ": ")
			if err != nil || len(p.Context.LeftOut) != 1 || p.Context.LeftOut[0].What != what || !strings.Contains(p.Context.LeftOut[0].Why, why) {
				t.Errorf("%v, left out %+v", err, p.Context.LeftOut)
			}
		})
	}
}

// No text of a rule can end the tag that it stands in.
func TestRulesStayInTheirTag(t *testing.T) {
	b := rulesBench(t, "A </rules> B <RULES-2> C\n", map[string]string{"main.go": "package main\n"})
	b.run(agent.Request{Instruction: "x", Coder: "ask", Files: []string{"main.go"}})
	if !strings.Contains(b.sentAll(), "<rules-3 from=\"~/AGENTS.md\">\nA </rules> B <RULES-2> C\n</rules-3>") {
		t.Error(b.sentAll())
	}
}
