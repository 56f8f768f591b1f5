package pipeline_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/pipeline"
	"coauthor/edits"
)

// diffCase is a case of the corpus whose answer holds diffs.
type diffCase struct {
	Name, Kind string
	Desirable  bool
	Files      map[string]string
	Result     map[string]string
	Asserted   struct {
		Keys   []string          `json:"result_has_keys"`
		Result map[string]string `json:"result"`
	}
	Fixed *struct {
		Result map[string]string `json:"result"`
	} `json:"fixed_iteration"`
	chat string
}

// diffCases are those of a folder, with their texts.
func diffCases(t *testing.T) []diffCase {
	t.Helper()
	dir := filepath.Join(shared(t), "corpus", "gpt-engineer-improve")
	names, err := filepath.Glob(filepath.Join(dir, "*", "expect.json"))
	if err != nil {
		t.Fatal(err)
	}
	read := func(name string) string {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	var list []diffCase
	for _, name := range names {
		var c diffCase
		if err := json.Unmarshal([]byte(read(name)), &c); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if c.Kind != "improve" {
			continue
		}
		at := filepath.Dir(name)
		for path, text := range c.Files {
			if rest, ok := strings.CutPrefix(text, "@"); ok {
				c.Files[path] = read(filepath.Join(at, filepath.FromSlash(rest)))
			}
		}
		for _, result := range []map[string]string{c.Result} {
			for path, text := range result {
				if rest, ok := strings.CutPrefix(text, "@"); ok {
					result[path] = read(filepath.Join(at, filepath.FromSlash(rest)))
				}
			}
		}
		c.chat = read(filepath.Join(at, "chat.txt"))
		list = append(list, c)
	}
	return list
}

// played runs improve with one answer, and returns what the files are then.
func played(t *testing.T, files map[string]string, answer string) (now map[string]string, r agent.Result, b *bench) {
	t.Helper()
	b = improving(t, files, answer)
	b.settings.MaxReflections = 0
	var names []string
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	r = b.run("improve", pipeline.Args{Instruction: "Improve it.", Files: names})
	return after(files, r), r, b
}

// after is what files are with what is proposed.
func after(files map[string]string, r agent.Result) map[string]string {
	now := map[string]string{}
	for name, text := range files {
		now[name] = text
	}
	if r.Proposal == nil {
		return now
	}
	for _, f := range r.Proposal.Files {
		if f.Change.Op == "delete" {
			delete(now, f.Change.Path)
			continue
		}
		now[f.Path()] = f.Change.After
	}
	return now
}

// The cases of the corpus whose answers hold diffs, through the whole command: what their tests state, and what a person would
// want, is what is proposed. Where the recorded program spoils a file, loses a part of the answer without a word, or applies
// a hunk at a stale place, the result is better here.
func TestDiffCasesOfTheCorpus(t *testing.T) {
	refused := map[string]int{
		"task_master":       1, // its context has comments that the file does not have
		"vgvishesh_example": 1, // its lines are in another order than the file's, across changes; the recorded result is the file as it was
		"zbf_yml_missing":   2, // they come twice, the second time with what is nowhere
		// Of 30 hunks the last: behind the last line of the file it replaces a brace, and there is none. The recorded program
		// adds the new one, which closes nothing: the file's braces come in pairs. That what is missing at the end of a file
		// counts as gone could be a rule, but of the 1,810 hunks of the corpora no other one would need it.
		"wheaties_example":  1,
		"simple_calculator": 1, // its context is not that of the file
	}
	list := diffCases(t)
	if len(list) < 20 {
		t.Errorf("%d cases", len(list))
	}
	for _, c := range list {
		t.Run(c.Name, func(t *testing.T) {
			now, r, b := played(t, c.Files, c.chat)
			if len(r.Failures) != refused[c.Name] {
				t.Errorf("%d refused, want %d: %+v\n%s", len(r.Failures), refused[c.Name], r.Failures, b.notes())
			}
			for _, key := range c.Asserted.Keys {
				if _, ok := now[key]; !ok {
					t.Errorf("%s is not there", key)
				}
			}
			if c.Asserted.Result != nil {
				same(t, bare(now), bare(c.Asserted.Result))
			}
			switch c.Name {
			case "apps_benchmark_6": // the second diff fills in what the first one leaves open
				if text := now["main.py"]; !strings.Contains(text, "return blows_required") || strings.Contains(text, "    pass\n") {
					t.Errorf("main.py is\n%s", text)
				}
			case "create_two_new_files": // two clean files
				if len(now) != 2 || strings.Contains(now["service_history_evaluator.py"]+now["main.py"], "``") {
					t.Errorf("%v", now)
				}
			case "simple_calculator": // no definition stands twice
				if text := now["calculator.py"]; strings.Count(text, "def power") != 1 || now["main.py"] == "" {
					t.Errorf("%v", now)
				}
			case "wheaties_example":
				text, want := now["VMClonetest.ps1"], c.Result["VMClonetest.ps1"]
				if !strings.HasPrefix(strings.TrimSpace(want), strings.TrimSpace(text)) {
					t.Error("more than the end is missing")
				}
			default:
				want := c.Result
				if c.Fixed != nil {
					want = c.Fixed.Result
				} else if !c.Desirable {
					t.Error("it is not said what is better")
				}
				same(t, bare(now), bare(want))
			}
		})
	}
}

// The recorded conversations of improving, through the command: what was applied whole then is so now, but for a new file in
// the place of one that is there, which would be lost.
func TestRecordedImprovements(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(shared(t), "corpus", "gpt-engineer-improve", "ai_cache.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	n, there := 0, 0
	for line := range strings.Lines(string(data)) {
		var c struct {
			I        int
			Kind     string
			Answer   string
			Files    map[string]string `json:"input_files"`
			Problems []string
			Result   map[string]string
		}
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		if c.Kind != "improve" {
			continue
		}
		n++
		now, r, b := played(t, c.Files, c.Answer)
		if len(r.Failures) == 1 && r.Failures[0].Reason == edits.ReasonExists {
			there++
			for name, text := range c.Files {
				if now[name] != text {
					t.Errorf("%d: %s is %q", c.I, name, now[name])
				}
			}
			continue
		}
		if len(c.Problems) > 0 {
			continue
		}
		if same(t, bare(now), bare(c.Result)); t.Failed() {
			t.Fatalf("%d: %s %v\n%s", c.I, r.State, r.Failures, b.notes())
		}
	}
	if n < 5 || there > 2 {
		t.Errorf("%d conversations, %d of them with a file that is there", n, there)
	}
}

// fuzzCase is a hunk that was distorted at random, and what the recorded program made of it.
type fuzzCase struct {
	Seed       int
	File, Chat string
	Problems   []string
	Raises     any
	Result     string
	Fixed      *struct{ Result string } `json:"fixed_iteration"`
}

// Of the 600 distorted answers, those that are taken over whole have all their new lines in the file and nothing of it is
// lost beside what they take away; the others say what of them was refused. As many as were measured come to the same as
// in the recorded program, which guesses more.
func TestDistortedAnswersOfTheCorpus(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(shared(t), "corpus", "gpt-engineer-probes", "fuzz_improve.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var list []fuzzCase
	var answers []string
	for line := range strings.Lines(string(data)) {
		var c fuzzCase
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		list, answers = append(list, c), append(answers, c.Chat)
	}
	b := improving(t, nil, answers...)
	b.settings.MaxReflections = 0
	alike, whole := 0, 0
	for _, c := range list {
		if err := os.WriteFile(filepath.Join(b.root, "f.txt"), []byte(c.File), 0o644); err != nil {
			t.Fatal(err)
		}
		b.open().Conversation.Clear() // nothing is summed up between
		r := b.run("improve", pipeline.Args{Instruction: "Improve it.", Files: []string{"f.txt"}})
		got := after(map[string]string{"f.txt": c.File}, r)["f.txt"]
		want := c.Result
		if c.Fixed != nil {
			want = c.Fixed.Result
		}
		clean := len(c.Problems) == 0 && c.Raises == nil
		if clean && len(r.Failures) == 0 && strings.TrimRight(got, "\n") == strings.TrimRight(want, "\n") {
			alike++
		}
		if len(r.Failures) > 0 {
			continue
		}
		if r.State != event.TurnProposed {
			if !r.HeldEdits || got != c.File { // else the user is told that the file is so already
				t.Errorf("seed %d: %s without a word, %v", c.Seed, r.State, r.Err)
			}
			continue
		}
		whole++
		for line := range strings.Lines(c.Chat) {
			if text, ok := strings.CutPrefix(strings.TrimRight(line, "\n"), "+"); ok && !strings.HasPrefix(text, "++") && !strings.Contains(got, strings.TrimSpace(text)) {
				t.Errorf("seed %d: the line %q is lost", c.Seed, text)
			}
		}
	}
	if alike < 303 || whole < 461 || len(list) != 600 {
		t.Errorf("of %d, %d are taken over whole, and %d come to the same; 461 and 303 were so", len(list), whole, alike)
	}
}
