package prompt_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"coauthor/agent/coder"
	"coauthor/agent/llm"
	"coauthor/agent/model"
	"coauthor/agent/prompt"
	"coauthor/edits"
	"coauthor/edits/formats"
)

var update = flag.Bool("update", false, "write the goldens")

// words is an edit format that only tests use, so that the goldens show how prompts are put
// together and not how the real formats are worded.
var words = edits.Format{
	Name:     "words",
	Rules:    "RULES: write the file between {{.Fence.Open}} and {{.Fence.Close}}.",
	Reminder: "REMINDER: close with {{.Fence.Close}}.",
	Examples: []edits.Example{{User: "EXAMPLE REQUEST", Assistant: "EXAMPLE REPLY\n{{.Fence.Open}}\nx\n{{.Fence.Close}}"}},
}

// input is the head of a golden archive. Files below chat/, readonly/ and rules/ are the files.
type input struct {
	Coder, Format, Instruction, Note, Map string
	Folders                               string
	Earlier                               string
	Missing, Unshown                      []string
	Focus                                 *prompt.Focus
	Diagnostics                           []prompt.Diagnostic
	Done, Rounds                          []string
	Reminder                              string
	NoSystem, ExamplesAsSystem            bool
	Lazy, Overeager                       bool
	Limit                                 int
	Best                                  string // edit format of the model
	Short, Local                          bool
	Real                                  string // an edit format that users have, in place of words
	Around                                prompt.Surroundings
	OnWish                                []prompt.OptionalRule
	Pages                                 []prompt.Page
	Tools                                 string
}

func TestGoldens(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no goldens", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) { golden(t, name) })
	}
}

func golden(t *testing.T, name string) {
	a, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	in, limit := read(t, a)
	c, err := prompt.Build(in)
	if err != nil {
		t.Fatal(err)
	}
	fitted := c.Fit(limit, func(s string) int { return len(s) })
	got := show(c.Messages())
	if limit > 0 {
		got = fmt.Sprintf("dropped: %s\nover: %d\n", strings.Join(fitted.Dropped, ", "), fitted.Over) + got
	}
	compare(t, name, a, got)
}

func compare(t *testing.T, name string, a *txtar.Archive, got string) {
	t.Helper()
	last := &a.Files[len(a.Files)-1]
	if last.Name != "want" {
		t.Fatalf("%s: the last file must be want", name)
	}
	diff := cmp.Diff(string(last.Data), got)
	if diff == "" {
		return
	}
	t.Errorf("-want +got\n%s", diff)
	if *update {
		last.Data = []byte(got)
		if err := os.WriteFile(name, txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
		t.Errorf("%s was written again: read the difference, then run the test without -update", name)
	}
}

func read(t *testing.T, a *txtar.Archive) (prompt.Input, int) {
	t.Helper()
	var h input
	in := prompt.Input{}
	for _, f := range a.Files {
		if path, ok := strings.CutPrefix(f.Name, "chat/"); ok {
			in.Chat = append(in.Chat, prompt.File{Path: path, Text: strings.TrimSuffix(string(f.Data), "<no newline>\n")})
		} else if path, ok := strings.CutPrefix(f.Name, "readonly/"); ok {
			in.ReadOnly = append(in.ReadOnly, prompt.File{Path: path, Text: string(f.Data)})
		} else if path, ok := strings.CutPrefix(f.Name, "rules/"); ok {
			in.Rules = append(in.Rules, prompt.Rule{File: prompt.File{Path: path, Text: string(f.Data)}, Cut: strings.HasSuffix(string(f.Data), "cut\n"), Shown: len(f.Data) == 0})
		} else if f.Name == "input" {
			if err := yaml.UnmarshalWithOptions(f.Data, &h, yaml.Strict()); err != nil {
				t.Fatal(err)
			}
		}
	}
	c, err := coder.All().ByName(h.Coder)
	if err != nil {
		t.Fatal(err)
	}
	in.Coder = c
	if c.Edits {
		in.Format = &words
	}
	in.Profile = model.Profile{CacheMarks: true, UseSystemPrompt: !h.NoSystem, ExamplesAsSystem: h.ExamplesAsSystem, Reminder: h.Reminder, Lazy: h.Lazy, Overeager: h.Overeager}
	in.Instruction, in.Note, in.Map, in.Missing, in.Unshown = h.Instruction, h.Note, h.Map, h.Missing, h.Unshown
	if f, ok := formats.ByName(h.Real); ok {
		in.Format = &f
	}
	in.Profile.Short, in.Profile.Local = h.Short, h.Local
	in.Profile.EditFormat, in.Around, in.Optional, in.Pages, in.Tools = h.Best, h.Around, h.OnWish, h.Pages, h.Tools
	in.Earlier, in.Folders = h.Earlier, h.Folders
	in.Focus, in.Diagnostics = h.Focus, h.Diagnostics
	for i, s := range h.Done {
		in.Done = append(in.Done, llm.Text([]llm.Role{llm.RoleUser, llm.RoleAssistant}[i%2], s))
	}
	for i, s := range h.Rounds {
		in.Rounds = append(in.Rounds, llm.Text([]llm.Role{llm.RoleAssistant, llm.RoleUser}[i%2], s))
	}
	return in, h.Limit
}

func show(list []llm.Message) string {
	var b strings.Builder
	for _, m := range list {
		fmt.Fprintf(&b, "== %s\n", m.Role)
		for _, p := range m.Parts {
			b.WriteString(p.Text)
			if p.Cache {
				b.WriteString("<cache>")
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// What a provider refuses, for whatever input: two users or two assistants in a row, an end that
// is not the user's.
func TestRolesAlternate(t *testing.T) {
	for _, f := range append(formats.All(), words) {
		for _, remind := range []string{"user", "sys", "none", ""} {
			for bits := range 32 {
				in := prompt.Input{Coder: coder.All()[0], Format: &f, Instruction: "go",
					Profile: model.Profile{Reminder: remind, UseSystemPrompt: bits&1 == 0, ExamplesAsSystem: bits&2 == 0}}
				if bits&4 != 0 {
					in.Chat = []prompt.File{{Path: "a", Text: "x"}}
				}
				if bits&8 != 0 {
					in.Map, in.ReadOnly = "m", []prompt.File{{Path: "r", Text: "y"}}
				}
				if bits&16 != 0 {
					in.Earlier = "e"
					in.Done = []llm.Message{llm.Text(llm.RoleUser, "u"), llm.Text(llm.RoleAssistant, "a")}
					in.Rounds = []llm.Message{llm.Text(llm.RoleAssistant, "a"), llm.Text(llm.RoleUser, "u")}
				}
				c, err := prompt.Build(in)
				if err != nil {
					t.Fatal(err)
				}
				alternate(t, c.Messages())
			}
		}
	}
}

func alternate(t *testing.T, list []llm.Message) {
	t.Helper()
	last := llm.RoleAssistant
	for i, m := range list {
		if m.Role == llm.RoleSystem && (i == 0 || i == len(list)-1) {
			continue
		}
		if m.Role == last || m.Role == llm.RoleSystem {
			t.Fatalf("message %d of %d is from %s again:\n%s", i, len(list), m.Role, show(list))
		}
		last = m.Role
	}
	if last != llm.RoleUser {
		t.Fatalf("the last word is the model's:\n%s", show(list))
	}
}

// The front must not change when only the request does, or providers cache nothing.
func TestTheFrontIsStable(t *testing.T) {
	build := func(instruction string, chat ...prompt.File) string {
		c, err := prompt.Build(prompt.Input{Coder: coder.All()[0], Format: &words, Instruction: instruction, Chat: chat,
			Map: "map", Profile: model.Profile{UseSystemPrompt: true}})
		if err != nil {
			t.Fatal(err)
		}
		front, _, found := strings.Cut(show(c.Messages()), instruction)
		if !found {
			t.Fatal("the request is not in the prompt")
		}
		return front
	}
	a, b := prompt.File{Path: "a", Text: "1\n"}, prompt.File{Path: "b", Text: "2\n"}
	if build("ONE", a, b) != build("TWO", b, a) {
		t.Error("the order of the files or the request changes the front of the prompt")
	}
}

// No fence may begin a line of any text that the user brings.
func TestFenceIsFree(t *testing.T) {
	taken := []string{"```\n", "````go\n", "`````\n", "  <source>\n", "<code>\n", "</pre>\n", "<codeblock>\n", "<sourcecode>\n"}
	for n := range len(taken) + 1 {
		text := strings.Join(taken[:n], "")
		for where := range 3 {
			in := prompt.Input{Coder: coder.All()[0], Format: &words, Instruction: "x"}
			switch where {
			case 0:
				in.Instruction = text + "x"
			case 1:
				in.Chat = []prompt.File{{Path: "a", Text: text}}
			case 2:
				in.ReadOnly = []prompt.File{{Path: "a", Text: text}}
			}
			c, err := prompt.Build(in)
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(text) {
				if strings.HasPrefix(strings.TrimSpace(line), c.Fence.Open) {
					t.Errorf("fence %q chosen, line %q there", c.Fence.Open, line)
				}
			}
		}
	}
}

// Servers that cache by themselves may refuse marks.
func TestMarksOnlyWhereWanted(t *testing.T) {
	for _, want := range []bool{true, false} {
		c, err := prompt.Build(prompt.Input{Coder: coder.All()[0], Format: &words, Instruction: "x",
			Profile: model.Profile{CacheMarks: want, UseSystemPrompt: true}})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(show(c.Messages()), "<cache>"); got != want {
			t.Errorf("marked %v, want %v", got, want)
		}
	}
}

func TestBrokenTemplatesAreErrors(t *testing.T) {
	bad := words
	bad.Rules = "{{.Nothing}}"
	if _, err := prompt.Build(prompt.Input{Coder: coder.All()[0], Format: &bad, Instruction: "x"}); err == nil {
		t.Error("an unknown variable went unnoticed")
	}
}
