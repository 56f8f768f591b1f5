package pipeline_test

import (
	"slices"
	"strings"
	"testing"

	"coauthor/agent/event"
	"coauthor/agent/pipeline"
	"coauthor/edits"
)

const (
	twoFiles = "The plan: main.py greets.\n\nmain.py\n```python\nfrom greet import greet\n\ngreet()\n```\n\nsrc/greet.py\n```python\ndef greet():\n    print('hi')\n```\n"
	aScript  = "```bash\npython3 main.py\n```\n"
)

// Generating asks twice: for the files, by our texts and the request, and for the script, by the files alone. Both come
// as one proposal of new files, and nothing is written.
func TestGenerate(t *testing.T) {
	b := newBench(t, nil, twoFiles, aScript)
	r := b.run("generate", pipeline.Args{Instruction: "A program that says hi."})
	if r.State != event.TurnProposed || r.Err != nil || len(r.Failures) > 0 {
		t.Fatalf("%s %v %v\n%s", r.State, r.Err, r.Failures, b.notes())
	}
	want := map[string]string{"main.py": "from greet import greet\n\ngreet()\n", "src/greet.py": "def greet():\n    print('hi')\n", "run.sh": "python3 main.py\n"}
	same(t, files(r), want)
	for _, f := range r.Proposal.Files {
		if f.Change.Op != edits.OpCreate {
			t.Errorf("%s is no new file: %s", f.Change.Path, f.Change.Op)
		}
	}
	if left := onDisk(t, b.root); len(left) > 0 {
		t.Errorf("written: %v", left)
	}
	var steps []string
	for _, e := range b.events {
		if e.Kind == event.KindRound {
			steps = append(steps, e.Text)
		}
	}
	same(t, steps, []string{"Generating the files", "Writing run.sh"})
	texts := pipeline.BuiltIn()
	roles, messages := b.request(1)
	if !slices.Equal(roles, []string{"system", "user"}) || messages[1] != "Request: A program that says hi." {
		t.Errorf("%q %q", roles, messages[1])
	}
	for _, name := range []string{"roadmap", "file_format", "philosophy"} {
		if !strings.Contains(messages[0], strings.TrimSpace(texts[name])) {
			t.Errorf("the text %s is not in\n%s", name, messages[0])
		}
	}
	if strings.Contains(messages[0], "FILE_FORMAT") {
		t.Error("the slot is not filled")
	}
	roles, messages = b.request(2)
	if !slices.Equal(roles, []string{"system", "user"}) || messages[0] != strings.TrimSpace(texts["entrypoint"]) || !strings.HasPrefix(messages[1], strings.TrimSpace(texts["entrypoint_request"])) {
		t.Errorf("%q %q", roles, messages)
	}
	for _, part := range []string{"main.py\n```\nfrom greet", "src/greet.py\n```\ndef greet"} {
		if !strings.Contains(messages[1], part) {
			t.Errorf("%q is not in\n%s", part, messages[1])
		}
	}
	if strings.Contains(messages[1], "says hi") {
		t.Error("the script was asked for with the prompt")
	}
	if n := b.notes(); !strings.Contains(n, "Used: generate ") || !strings.Contains(n, "; entrypoint ") {
		t.Errorf("the use is not told by step: %s", n)
	}
	if log := b.logged(pipeline.LogGeneration); !strings.Contains(log, "says hi") || !strings.Contains(log, "The plan: main.py greets.") {
		t.Errorf("the log is\n%s", log)
	}
	if log := b.logged(pipeline.LogEntrypoint); !strings.Contains(log, "python3 main.py") {
		t.Errorf("the log of the script is\n%s", log)
	}
}

// Lite sends the prompt as the system text and the form of files, and nothing else.
func TestLite(t *testing.T) {
	b := newBench(t, nil, twoFiles, aScript)
	r := b.run("generate", pipeline.Args{Instruction: "A program that says hi.", Lite: true})
	if r.State != event.TurnProposed || len(files(r)) != 3 {
		t.Fatalf("%s %v\n%s", r.State, r.Err, b.notes())
	}
	roles, messages := b.request(1)
	if !slices.Equal(roles, []string{"system", "user"}) || messages[0] != "A program that says hi." || messages[1] != pipeline.BuiltIn()["file_format"] {
		t.Errorf("%q %q", roles, messages)
	}
}

// The prompt comes from the file prompt where the user says nothing.
func TestPromptOfTheFolder(t *testing.T) {
	b := newBench(t, map[string]string{"prompt": "A program that says hi.\n"}, twoFiles, aScript)
	r := b.run("generate", pipeline.Args{})
	if r.State != event.TurnProposed {
		t.Fatalf("%s %v", r.State, r.Err)
	}
	if _, messages := b.request(1); messages[1] != "Request: A program that says hi." {
		t.Errorf("%q", messages[1])
	}
	if n := b.notes(); strings.Contains(n, "already contains a project") {
		t.Errorf("the prompt counts as a project: %s", n)
	}
}

// Each of these ends the turn with what is wrong and what to do, and without a call of the model.
func TestNoPrompt(t *testing.T) {
	for name, test := range map[string]struct {
		disk map[string]string
		want string
	}{
		"missing":                 {nil, "The prompt is missing."},
		"empty":                   {map[string]string{"prompt": " \n"}, "The file prompt is empty."},
		"binary":                  {map[string]string{"prompt": "a\x00b\xff"}, "prompt was not sent to the model: the file is binary"},
		"a folder without a text": {map[string]string{"prompt/x": " \n"}, "The folder prompt contains no text."},
		"a secret":                {map[string]string{"prompt": "x", ".gitignore": "prompt\n"}, "prompt was not sent to the model"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, test.disk, "never asked")
			r := b.run("generate", pipeline.Args{})
			if r.State != event.TurnFailed || r.Err == nil || !strings.HasPrefix(r.Err.Error(), test.want) {
				t.Errorf("%s: %v", r.State, r.Err)
			}
			if n := len(b.server.Requests()); n > 0 {
				t.Errorf("the model was asked %d times", n)
			}
		})
	}
}

// What a model can get wrong: nothing whole is lost, and what is not taken is said.
func TestBadAnswers(t *testing.T) {
	const script = "run.sh\n```sh\necho mine\n```\n"
	for name, test := range map[string]struct {
		disk    map[string]string
		replies []string
		state   event.State
		files   map[string]string
		told    string // in the notes, the error or the refusals
	}{
		"no files":         {nil, []string{"What should it be written in?"}, event.TurnAnswered, map[string]string{}, "The answer contains no files"},
		"outside":          {nil, []string{"a.py\n```\nx\n```\n\n../b.py\n```\ny\n```\n", "../b.py\n```\ny\n```\n", aScript}, event.TurnProposed, map[string]string{"a.py": "x\n", "run.sh": "python3 main.py\n"}, "../b.py"},
		"outside, then in": {nil, []string{"a.py\n```\nx\n```\n\n../b.py\n```\ny\n```\n", "b.py\n```\ny\n```\n", aScript}, event.TurnProposed, map[string]string{"a.py": "x\n", "b.py": "y\n", "run.sh": "python3 main.py\n"}, "Used: generate (2 calls)"},
		"only outside":     {nil, []string{"../b.py\n```\ny\n```\n", "../b.py\n```\ny\n```\n"}, event.TurnFailed, map[string]string{}, "../b.py"},
		"a slash":          {nil, []string{"/a.py\n```\nx\n```\n\n/app/main.py\n```\ny\n```\n", aScript}, event.TurnProposed, map[string]string{"a.py": "x\n", "app/main.py": "y\n", "run.sh": "python3 main.py\n"}, ""},
		"blanks":           {nil, []string{"`Assets/Main Menu.cs`\n```\nx\n```\n\n文件：docs/日本 語.md\n```\ny\n```\n", aScript}, event.TurnProposed, map[string]string{"Assets/Main Menu.cs": "x\n", "docs/日本 語.md": "y\n", "run.sh": "python3 main.py\n"}, ""},
		"never named":      {nil, []string{"a.py\n```\nx\n```\n\nAssets/Main Menu.cs\n```\ny\n```\n", "b.py\n```\nz\n```\n", aScript}, event.TurnProposed, map[string]string{"a.py": "x\n", "b.py": "z\n", "run.sh": "python3 main.py\n"}, "the listing has no file name"},
		"bare blanks":      {nil, []string{"Assets/Main Menu.cs\n```\nx\n```\n", "`Assets/Main Menu.cs`\n```\nx\n```\n", aScript}, event.TurnProposed, map[string]string{"Assets/Main Menu.cs": "x\n", "run.sh": "python3 main.py\n"}, "Used: generate (2 calls)"},
		"a cut README":     {nil, []string{"README.md\n```\n# T\n```\nnpm i\n```\nEnd.\n```\n", "README.md\n````\n# T\n```\nnpm i\n```\nEnd.\n````\n", aScript}, event.TurnProposed, map[string]string{"README.md": "# T\n```\nnpm i\n```\nEnd.\n", "run.sh": "python3 main.py\n"}, "Used: generate (2 calls)"},
		"twice":            {nil, []string{"a.py\n```\nx\n```\n\na.py\n```\ny\n```\n", aScript}, event.TurnProposed, map[string]string{"a.py": "y\n", "run.sh": "python3 main.py\n"}, ""},
		"a project":        {map[string]string{"a.py": "old\n", "b.py": "mine\n"}, []string{"a.py\n```\nx\n```\n", aScript}, event.TurnProposed, map[string]string{"a.py": "x\n", "run.sh": "python3 main.py\n"}, "already contains a project (a.py, b.py)"},
		"a script":         {nil, []string{"a.py\n```\nx\n```\n\n" + script, aScript}, event.TurnProposed, map[string]string{"a.py": "x\n", "run.sh": "python3 main.py\n"}, ""},
		"old script":       {map[string]string{"run.sh": "old\n"}, []string{"a.py\n```\nx\n```\n", aScript}, event.TurnProposed, map[string]string{"a.py": "x\n", "run.sh": "python3 main.py\n"}, ""},
		"no script":        {nil, []string{"a.py\n```\nx\n```\n", "Run python3 a.py."}, event.TurnProposed, map[string]string{"a.py": "x\n"}, "The answer: Run python3 a.py."},
		"empty script":     {nil, []string{"a.py\n```\nx\n```\n", "```sh\n\n```\n"}, event.TurnProposed, map[string]string{"a.py": "x\n"}, "Cannot create run.sh"},
		"two blocks":       {nil, []string{"a.py\n```\nx\n```\n", "```sh\na\n```\nand\n```bash title\nb\n```\n"}, event.TurnProposed, map[string]string{"a.py": "x\n", "run.sh": "a\n\nb\n"}, ""},
		"a fence inside":   {nil, []string{"README.md\n````md\nUse:\n```sh\nrun\n```\n````\n", aScript}, event.TurnProposed, map[string]string{"README.md": "Use:\n```sh\nrun\n```\n", "run.sh": "python3 main.py\n"}, ""},
		"nothing at last":  {nil, []string{"a.py\n```\nx\n```\n", "  "}, event.TurnProposed, map[string]string{"a.py": "x\n"}, "returned an empty answer"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, test.disk, test.replies...)
			r := b.run("generate", pipeline.Args{Instruction: "Make it."})
			if r.State != test.state {
				t.Errorf("the turn ended %s: %v\n%s", r.State, r.Err, b.notes())
			}
			same(t, files(r), test.files)
			told := b.notes()
			if r.Err != nil {
				told += r.Err.Error()
			}
			for _, f := range r.Failures {
				told += f.Path + " " + f.Message
			}
			if !strings.Contains(told, test.told) {
				t.Errorf("%q is not told:\n%s", test.told, told)
			}
			if strings.HasPrefix(test.told, "Used: ") && len(r.Failures) > 0 {
				t.Errorf("what came again is told as refused: %+v", r.Failures)
			}
			for path, text := range test.disk {
				if got := onDisk(t, b.root)[path]; got != text {
					t.Errorf("%s is now %q", path, got)
				}
			}
		})
	}
}

// An answer that was cut keeps the files that came whole; the one that was cut is refused, and the user is told.
func TestCutAnswer(t *testing.T) {
	b := newBench(t, nil, "a.py\n```\nx\n```\n\nb.py\n```\nhalf of", aScript)
	b.user.MaxOutput = 64
	b.deliver(1, "finish: length\n")
	r := b.run("generate", pipeline.Args{Instruction: "Make it."})
	if r.State != event.TurnProposed || len(r.Failures) != 1 || r.Failures[0].Path != "b.py" {
		t.Fatalf("%s %v %+v\n%s", r.State, r.Err, r.Failures, b.notes())
	}
	same(t, files(r), map[string]string{"a.py": "x\n", "run.sh": "python3 main.py\n"})
}

// The script alone: for the files of the folder, or those that are named, with the user's own instruction.
func TestEntrypointAlone(t *testing.T) {
	b := newBench(t, map[string]string{"main.py": "print(1)\n", "other.py": "print(2)\n", ".env": "KEY=hidden", "gpt-engineer.toml": "[run]\ntest = \"pytest -q\"\n"}, aScript, aScript)
	r := b.run("entrypoint", pipeline.Args{Instruction: "Start it on port 80.", Files: []string{"main.py"}})
	same(t, files(r), map[string]string{"run.sh": "python3 main.py\n"})
	_, messages := b.request(1)
	if !strings.HasPrefix(messages[1], "Start it on port 80.") || !strings.Contains(messages[1], "print(1)") || strings.Contains(messages[1], "print(2)") || !strings.Contains(messages[1], "pytest -q") {
		t.Errorf("asked\n%s", messages[1])
	}
	r = b.run("entrypoint", pipeline.Args{})
	same(t, files(r), map[string]string{"run.sh": "python3 main.py\n"})
	_, messages = b.request(2)
	if !strings.Contains(messages[1], "print(2)") || strings.Contains(messages[1], "hidden") {
		t.Errorf("asked\n%s", messages[1])
	}
}

// A script needs files.
func TestEntrypointWithoutFiles(t *testing.T) {
	b := newBench(t, map[string]string{"prompt": "x"}, aScript)
	r := b.run("entrypoint", pipeline.Args{})
	if r.State != event.TurnFailed || !strings.HasPrefix(r.Err.Error(), "No files for the script") {
		t.Errorf("%s %v", r.State, r.Err)
	}
}

// The line that switches a model is the first of every request.
func TestTheLineThatSwitchesTheModel(t *testing.T) {
	b := newBench(t, nil, twoFiles, aScript)
	line := "/no_think"
	b.user.SystemPrefix = &line
	if r := b.run("generate", pipeline.Args{Instruction: "A program that says hi."}); r.State != event.TurnProposed {
		t.Fatalf("%s %v", r.State, r.Err)
	}
	for n := range b.server.Requests() {
		if _, texts := b.request(n + 1); !strings.HasPrefix(texts[0], line+"\n") {
			t.Errorf("request %d begins with\n%.200s", n+1, texts[0])
		}
	}
}
