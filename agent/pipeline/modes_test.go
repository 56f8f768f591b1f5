package pipeline_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coauthor/agent/command"
	"coauthor/agent/event"
	"coauthor/agent/pipeline"
)

// Each row of the table of modes is a command that takes its flags; there is one row for each set of them.
func TestModes(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range pipeline.Modes() {
		var words []string
		args := pipeline.Args{Instruction: "x"}
		for _, f := range m.Flags {
			words = append(words, string(f))
			*args.Switch(f) = true
		}
		name := m.Command + " " + strings.Join(words, " ")
		if seen[name] || (m.Refused == "") == (len(m.Steps) == 0) {
			t.Errorf("the row %s is wrong", name)
		}
		seen[name] = true
		a, ok := pipeline.Named(pipeline.Actions(), m.Command)
		if !ok {
			t.Fatalf("there is no command %s", m.Command)
		}
		for _, f := range m.Flags {
			if f.Doc() == "" || !slices.ContainsFunc(a.Args, func(arg command.Arg) bool { return arg.Name == string(f) && arg.Type == "boolean" }) {
				t.Errorf("%s does not take %s", m.Command, f)
			}
		}
		_, err := pipeline.Request(m.Command, args)
		if (err != nil) != (m.Refused != "") || err != nil && !strings.Contains(err.Error(), m.Refused) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := pipeline.New("nonsense", pipeline.Options{}); err == nil {
		t.Error("there is a command of any name")
	}
	for flag, want := range map[pipeline.Flag]string{"lite": "lite", "selfHeal": "self-heal"} {
		if got := pipeline.Dashed(flag); got != want {
			t.Errorf("%s is written %s", flag, got)
		}
	}
}

// The texts of the user's folder stand above ours; one that cannot do its work is refused.
func TestOverlay(t *testing.T) {
	texts := map[string]string{
		"mine/generate": "Do it. FILE_FORMAT", "mine/roadmap.md": "Go.\n\n", "mine/sub/philosophy.txt": "Forth.", "mine/notes": "x",
		"bad/generate": "Do it.", "bad/improve.md": "no slot", "bad/roadmap": " \n", "twice/clarify": "a", "twice/clarify.md": "b",
	}
	read := func(file string) (string, error) { return texts[file], nil }
	all, unknown, err := pipeline.BuiltIn().Overlay([]string{"mine/generate", "mine/notes", "mine/roadmap.md", "mine/sub/philosophy.txt"}, read)
	if err != nil || !slices.Equal(unknown, []string{"mine/notes"}) {
		t.Fatal(unknown, err)
	}
	if all["generate"] != "Do it. FILE_FORMAT\n" || all["roadmap"] != "Go.\n" || all["philosophy"] != "Forth.\n" || all["clarify"] != pipeline.BuiltIn()["clarify"] {
		t.Errorf("%q", all)
	}
	for file, want := range map[string]string{"bad/generate": "lacks the line FILE_FORMAT", "bad/improve.md": "lacks the line FILE_FORMAT", "bad/roadmap": "is empty"} {
		if _, _, err := pipeline.BuiltIn().Overlay([]string{file}, read); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", file, err)
		}
	}
	if _, _, err := pipeline.BuiltIn().Overlay([]string{"twice/clarify", "twice/clarify.md"}, read); err == nil || !strings.Contains(err.Error(), "are both") {
		t.Error(err)
	}
}

// What is ejected is what is built in, and can be read back.
func TestEject(t *testing.T) {
	changes, skipped, err := pipeline.Eject("mine", nil, func(file string) bool { return file == "mine/clarify" })
	if err != nil || !slices.Equal(skipped, []string{"mine/clarify.md"}) || len(changes) != len(pipeline.BuiltIn())-1 {
		t.Fatal(len(changes), skipped, err)
	}
	written := map[string]string{}
	var names []string
	for _, c := range changes {
		written[c.Path] = c.After
		names = append(names, c.Path)
	}
	all, unknown, err := pipeline.BuiltIn().Overlay(names, func(file string) (string, error) { return written[file], nil })
	same(t, all, pipeline.BuiltIn())
	if err != nil || len(unknown) > 0 {
		t.Error(unknown, err)
	}
}

func TestParseProject(t *testing.T) {
	p, err := pipeline.ParseProject("[run]\nbuild = \"make\"\ntest = \"pytest\"\nlint = \"ruff\"\nformat = \"black\"\n[paths]\nbase = \".\"\nsrc = \"src\"\n[gptengineer-app]\nproject_id = \"x\"\n")
	want := pipeline.Project{Run: pipeline.ProjectRun{Build: "make", Test: "pytest", Lint: "ruff", Format: "black"}, Paths: pipeline.ProjectPaths{Base: ".", Src: "src"}}
	if err != nil || p != want {
		t.Errorf("%+v, %v", p, err)
	}
	if p, err := pipeline.ParseProject(""); err != nil || p != (pipeline.Project{}) {
		t.Errorf("%+v, %v", p, err)
	}
	for _, text := range []string{"[run\n", "[run]\ntest = 3\n", "x"} {
		if _, err := pipeline.ParseProject(text); err == nil || !strings.Contains(err.Error(), "line ") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// A project file that cannot be read ends nothing.
func TestBrokenProject(t *testing.T) {
	b := newBench(t, map[string]string{"gpt-engineer.toml": "[run\n"}, twoFiles, aScript)
	if r := b.run("generate", pipeline.Args{Instruction: "x"}); r.State != event.TurnProposed || !strings.Contains(b.notes(), "Cannot use gpt-engineer.toml: line 1") {
		t.Errorf("%s\n%s", r.State, b.notes())
	}
}

// With the store the same request is answered once; another request, or another model, is another answer.
func TestUseCache(t *testing.T) {
	b := newBench(t, nil, twoFiles, aScript, "c.py\n```\nx\n```\n", aScript)
	b.settings.Pipeline.UseCache = true
	first := files(b.run("generate", pipeline.Args{Instruction: "Say hi."}))
	same(t, files(b.run("generate", pipeline.Args{Instruction: "Say hi."})), first)
	if n := len(b.server.Requests()); n != 2 {
		t.Errorf("the model was asked %d times", n)
	}
	if n := b.notes(); !strings.Contains(n, "Reused a stored answer") || !strings.Contains(n, "Used: generate 0 + 0 tokens") {
		t.Errorf("told\n%s", n)
	}
	if got := files(b.run("generate", pipeline.Args{Instruction: "Say bye."})); got["c.py"] != "x\n" {
		t.Errorf("%v", got)
	}
	if n := len(b.server.Requests()); n != 4 {
		t.Errorf("the model was asked %d times", n)
	}
	if info, err := os.Stat(filepath.Join(b.state, "pipeline", "answers")); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("the store: %v %v", info, err)
	}
}

// Without it nothing is kept.
func TestNoCache(t *testing.T) {
	b := newBench(t, nil, twoFiles, aScript, twoFiles, aScript)
	b.run("generate", pipeline.Args{Instruction: "Say hi."})
	b.run("generate", pipeline.Args{Instruction: "Say hi."})
	if _, err := os.Stat(filepath.Join(b.state, "pipeline", "answers")); len(b.server.Requests()) != 4 || !os.IsNotExist(err) {
		t.Errorf("%d requests, %v", len(b.server.Requests()), err)
	}
}

// What differs from gpt-engineer on purpose is said with its reason; cmd/gen writes it to the page.
func TestDifferencesAreSaid(t *testing.T) {
	said := map[string]string{}
	for _, d := range pipeline.Differences() {
		said[d.Name] = d.Doc
	}
	for _, name := range []string{"No time limit for reading a diff", "No benchmark runner", "No telemetry", "Exit status 2"} {
		if len(said[name]) < 40 {
			t.Errorf("%s: %q gives no reason", name, said[name])
		}
	}
}
