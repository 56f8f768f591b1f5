package agent_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/command"
)

// TestValues: what may stand behind each word of a command. A command whose argument is not in the table here fails.
func TestValues(t *testing.T) {
	b := newBench(t, "repeat: true\n-- 1.md --\nFine.\n", map[string]string{"a.py": "x = 1\n", "doc one.md": "Words.\n"})
	b.engine = b.newEngine(t.TempDir())
	t.Cleanup(b.engine.Close)
	b.session = b.engine.Session(b.ws)
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-q", "--allow-empty", "-m", "One"}, {"branch", "topic"}, {"tag", "v1"}} {
		if out, err := exec.Command("git", append([]string{"-C", b.root}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	for _, line := range []string{`/add a.py`, `/read-only "doc one.md"`, "/save mine"} {
		if _, err := b.command(line); err != nil {
			t.Fatal(err)
		}
	}
	b.run(agent.Request{Instruction: "Why is x one?", Coder: "ask"})
	sent := len(b.server.Requests())
	want := map[string]struct {
		some        string // values among others
		files, text bool
	}{
		"add": {files: true}, "read-only": {files: true}, "lint": {files: true},
		"drop":  {some: "a.py,doc one.md"},
		"model": {some: "gpt-5,claude-sonnet-4-5"}, "weak-model": {some: "gpt-5"}, "editor-model": {some: "gpt-5"}, "models": {some: "gpt-5"}, "regenerate": {some: "gpt-5"},
		"chat-mode": {some: "code,ask,architect,diff,udiff,whole"}, "reasoning-effort": {some: "low,high"},
		"save": {some: "mine"}, "load": {some: "mine", files: true},
		"rewind": {some: "1"}, "diff": {some: "main,topic,v1"}, "review": {some: "main,topic,v1"},
		"think-tokens": {}, "web": {}, "attempt": {},
	}
	for _, word := range []string{"commit", "run", "test", "git", "paste", "ok", "code", "ask", "architect", "auto", "context", "help", "explain", "add-tests", "add-docs", "simplify", "comments", "map", "map-refresh", "show-context", "copy-context"} {
		want[word] = struct {
			some        string
			files, text bool
		}{text: true}
	}
	seen := 0
	for _, a := range command.Actions() {
		bare := slices.IndexFunc(a.Args, func(arg command.Arg) bool { return arg.Bare })
		if a.Word == "" || a.SlashWord() == "" || bare < 0 {
			continue
		}
		is, known := want[a.SlashWord()]
		if !known {
			t.Errorf("/%s takes %s: say here what may stand there", a.SlashWord(), a.Args[bare].Name)
			continue
		}
		seen++
		list, files, text := command.Values(t.Context(), b.session, a)
		var names []string
		for _, v := range list {
			names = append(names, v.Text)
		}
		for _, name := range strings.Split(is.some, ",") {
			if name != "" && !slices.Contains(names, name) || is.some == "" && len(list) > 0 {
				t.Errorf("/%s: no %q in %q", a.SlashWord(), name, names)
			}
		}
		if files != is.files || text != is.text {
			t.Errorf("/%s: files %v, text %v", a.SlashWord(), files, text)
		}
		if a.ID == "rewind" && (len(list) != 1 || list[0].Doc != "Why is x one?") {
			t.Errorf("/rewind: %+v", list)
		}
	}
	if seen < 20 {
		t.Errorf("only %d commands", seen)
	}
	if n := len(b.server.Requests()); n != sent {
		t.Errorf("%d requests were sent for it", n-sent)
	}
}
