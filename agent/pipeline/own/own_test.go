// Package own_test is a Go program that imports package pipeline: it puts steps of its own in the place of the built-in
// ones, and a memory of its own in the place of the folder.
package own_test

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/llm"
	"coauthor/agent/llm/llmtest"
	"coauthor/agent/llm/remote"
	"coauthor/agent/model"
	"coauthor/agent/pipeline"
	"coauthor/agent/settings"
)

// shelf keeps files in a map.
type shelf map[string]string

func (s shelf) Get(_ context.Context, path string) (string, error) {
	text, ok := s[path]
	if !ok {
		return "", fs.ErrNotExist
	}
	return text, nil
}

func (s shelf) Set(_ context.Context, path, text string) error { s[path] = text; return nil }

func (s shelf) List(context.Context) ([]string, error) { return slices.Sorted(maps.Keys(s)), nil }

func (s shelf) Delete(_ context.Context, path string) error { delete(s, path); return nil }

// generate asks the model for a file, and puts it into the memory of the run.
func generate(ctx context.Context, w *pipeline.Work) error {
	answer, err := w.Ask(ctx, llm.Text(llm.RoleUser, "Write hello.py: "+w.Prompt()))
	if err != nil {
		return err
	}
	return w.Memory().Set(ctx, "hello.py", answer)
}

// entrypoint needs no model.
func entrypoint(ctx context.Context, w *pipeline.Work) error {
	files, err := w.Memory().List(ctx)
	if err != nil {
		return err
	}
	return w.Memory().Set(ctx, "run.sh", "python3 hello.py # one of "+strings.Join(files, ", ")+"\n")
}

// execute only says what it would run.
func execute(ctx context.Context, w *pipeline.Work) error {
	script, err := w.Memory().Get(ctx, "run.sh")
	w.Answer("Would run: " + script)
	return err
}

func Example() {
	files := shelf{"notes.md": "Mine.\n"}
	program := pipeline.Program{
		Engine:  engine, // from agent.NewEngine
		Command: "generate",
		Prompt:  "Say hi.",
		Memory:  files,
		Options: pipeline.Options{Steps: pipeline.Steps{
			pipeline.StepGenerate:   generate,
			pipeline.StepEntrypoint: entrypoint,
			pipeline.StepRun:        execute,
		}},
	}
	result, err := program.Run(context.Background())
	fmt.Println(result.Answer, err)
	for _, path := range slices.Sorted(maps.Keys(files)) {
		fmt.Printf("%s: %s", path, files[path])
	}
	// Output:
	// Would run: python3 hello.py # one of hello.py, notes.md
	//  <nil>
	// hello.py: print('hi')
	// notes.md: Mine.
	// run.sh: python3 hello.py # one of hello.py, notes.md
}

// engine asks a scripted model.
var engine *agent.Engine

func TestMain(m *testing.M) {
	script, err := llmtest.Parse([]byte("-- 1.md --\nprint('hi')\n"))
	if err != nil {
		panic(err)
	}
	server := llmtest.Start(script)
	defer server.Close()
	engine = newEngine(server)
	defer engine.Close()
	m.Run()
}

func newEngine(server *llmtest.Server) *agent.Engine {
	set := settings.Settings{Model: "scripted", Verify: "off", Checks: settings.Checks{Timeout: 5 * time.Minute}}
	return agent.NewEngine(agent.Options{
		Client:   remote.New(remote.Options{Env: func(string) string { return "" }, Retries: -1}),
		Settings: func(string) settings.Settings { return set },
		Catalog: func() *model.Catalog {
			c, err := model.Load(map[string]model.UserModel{"scripted": {APIKeyEnv: model.NoKey, Tokenizer: "chars4", Tools: "never", APIBase: server.URL}})
			if err != nil {
				panic(err)
			}
			return c
		},
	})
}

// Each step can be replaced, and each replacement runs in the place of the built-in one.
func TestEveryStepIsAValue(t *testing.T) {
	for command, name := range map[string]pipeline.StepName{"generate": pipeline.StepGenerate, "entrypoint": pipeline.StepEntrypoint, "runScript": pipeline.StepRun,
		"improve": pipeline.StepImprove, "selfHeal": pipeline.StepHeal, "clarify": pipeline.StepClarify} {
		files := shelf{"a.txt": "1\n", "old.txt": "x\n"}
		ran := false
		steps := pipeline.Steps{}
		for _, s := range []pipeline.StepName{pipeline.StepClarify, pipeline.StepGenerate, pipeline.StepEntrypoint, pipeline.StepRun, pipeline.StepImprove, pipeline.StepHeal} {
			steps[s] = func(context.Context, *pipeline.Work) error { return nil }
		}
		steps[name] = func(ctx context.Context, w *pipeline.Work) error {
			ran = true
			if err := w.Memory().Delete(ctx, "old.txt"); err != nil {
				return err
			}
			return w.Memory().Set(ctx, "a.txt", w.Prompt())
		}
		_, err := pipeline.Program{Engine: engine, Command: command, Prompt: "two", Memory: files, Options: pipeline.Options{Steps: steps}, Ask: event.Default()}.Run(t.Context())
		if err != nil || !ran || files["a.txt"] != "two" || len(files) != 1 {
			t.Errorf("%s: ran %v, %v, %q", command, ran, err, files)
		}
	}
}

// Without a memory of its own, a program works on its folder.
func TestDiskIsTheMemory(t *testing.T) {
	dir := t.TempDir()
	ctx := t.Context()
	d := pipeline.Disk(dir)
	for path, text := range map[string]string{"a.txt": "1\n", "sub/b.txt": "2\n"} {
		if err := d.Set(ctx, path, text); err != nil {
			t.Fatal(err)
		}
	}
	steps := pipeline.Steps{pipeline.StepImprove: func(ctx context.Context, w *pipeline.Work) error {
		text, err := w.Memory().Get(ctx, "sub/b.txt")
		if err != nil {
			return err
		}
		return w.Memory().Set(ctx, "c/d.txt", text)
	}}
	if _, err := (pipeline.Program{Engine: engine, Command: "improve", Prompt: "x", Folder: dir, Options: pipeline.Options{Steps: steps}}).Run(ctx); err != nil {
		t.Fatal(err)
	}
	list, err := d.List(ctx)
	if text, _ := d.Get(ctx, "c/d.txt"); err != nil || text != "2\n" || !slices.Equal(list, []string{"a.txt", "c/d.txt", "sub/b.txt"}) {
		t.Errorf("%v %q %q", err, list, text)
	}
	if err := d.Set(ctx, "../out.txt", "x"); err == nil {
		t.Error("it wrote outside of the folder")
	}
}
