package pipeline_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coauthor/agent/event"
	"coauthor/agent/pipeline"
)

// bare is a file set without the outer whitespace of its texts, of which recorded results have lost theirs.
func bare(list map[string]string) map[string]string {
	out := map[string]string{}
	for name, text := range list {
		out[name] = strings.TrimSpace(text)
	}
	return out
}

// conversation is one line of the recorded conversations.
type conversation struct {
	I      int               `json:"i"`
	Kind   string            `json:"kind"`
	Answer string            `json:"answer"`
	Files  map[string]string `json:"files"`
	Script string            `json:"run.sh"`
}

func recorded(t *testing.T) []conversation {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(shared(t), "corpus", "gpt-engineer-improve", "ai_cache.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var list []conversation
	for line := range strings.Lines(string(data)) {
		var c conversation
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		list = append(list, c)
	}
	return list
}

// The recorded conversations of generating, replayed: the files are those that were made of them, and the scripts, too.
func TestRecordedConversations(t *testing.T) {
	played := map[string]int{}
	for _, c := range recorded(t) {
		switch c.Kind {
		case "generate", "lite":
			b := newBench(t, nil, c.Answer, aScript)
			r := b.run("generate", pipeline.Args{Instruction: "Make it.", Lite: c.Kind == "lite"})
			got := bare(files(r))
			delete(got, "run.sh")
			if r.State != event.TurnProposed || len(r.Failures) > 0 {
				t.Errorf("%d: %s %v %v", c.I, r.State, r.Err, r.Failures)
			}
			same(t, got, bare(c.Files))
		case "entrypoint":
			b := newBench(t, map[string]string{"main.py": "print(1)\n"}, c.Answer)
			r := b.run("entrypoint", pipeline.Args{})
			same(t, files(r), map[string]string{"run.sh": c.Script})
		default:
			continue
		}
		played[c.Kind]++
	}
	if played["generate"] < 5 || played["lite"] < 2 || played["entrypoint"] < 25 {
		t.Errorf("played %v", played)
	}
}

// expectation is the file expect.json of a case.
type expectation struct {
	Kind     string            `json:"kind"`
	Files    map[string]string `json:"files"`
	Asserted struct {
		Files  map[string]string `json:"files"`
		Paths  []string          `json:"paths"`
		N      int               `json:"n_files"`
		Script *string           `json:"run.sh"`
	} `json:"asserted"`
}

// The cases of answers with files and with scripts: what their tests state is what is proposed. An answer without a block
// is no empty script here, but an error.
func TestCasesOfTheCorpus(t *testing.T) {
	dir := filepath.Join(shared(t), "corpus", "gpt-engineer-improve")
	names, err := filepath.Glob(filepath.Join(dir, "*", "expect.json"))
	if err != nil {
		t.Fatal(err)
	}
	played := 0
	for _, name := range names {
		var e expectation
		data, err := os.ReadFile(name)
		if err == nil {
			err = json.Unmarshal(data, &e)
		}
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind != "chat_to_files" && e.Kind != "entrypoint" {
			continue
		}
		played++
		t.Run(filepath.Base(filepath.Dir(name)), func(t *testing.T) {
			chat, err := os.ReadFile(filepath.Join(filepath.Dir(name), "chat.txt"))
			if err != nil {
				t.Fatal(err)
			}
			if e.Kind == "entrypoint" {
				b := newBench(t, map[string]string{"main.py": "print(1)\n"}, string(chat))
				r := b.run("entrypoint", pipeline.Args{})
				want := map[string]string{"run.sh": *e.Asserted.Script}
				if *e.Asserted.Script == "" {
					want = map[string]string{}
					if r.State != event.TurnFailed || !strings.Contains(r.Err.Error(), strings.TrimSpace(string(chat))) {
						t.Errorf("%s %v", r.State, r.Err)
					}
				}
				same(t, files(r), want)
				return
			}
			b := newBench(t, nil, string(chat), aScript)
			r := b.run("generate", pipeline.Args{Instruction: "Make it."})
			got := bare(files(r))
			delete(got, "run.sh")
			switch a := e.Asserted; {
			case a.Files != nil:
				same(t, got, bare(a.Files))
			case a.Paths != nil:
				for _, path := range a.Paths {
					if _, ok := got[path]; !ok || len(got) != len(a.Paths) {
						t.Errorf("%v, want %v", got, a.Paths)
					}
				}
			case a.N > 0 && len(got) != a.N:
				t.Errorf("%v, want %d files", got, a.N)
			}
		})
	}
	if played < 20 {
		t.Errorf("%d cases", played)
	}
}

// better is what is proposed where the recorded program loses files, spoils them or makes some that nobody named. A
// probe that is not here comes out as recorded.
var better = map[string]map[string]string{
	"trailing_space_after_name":    {"main.py": "x"},
	"crlf":                         {"main.py": "x"},
	"windows_path":                 {},
	"parent_path":                  {},
	"leading_dot_slash":            {"src/main.py": "x"},
	"url_like_special":             {},
	"prose_before_bash_block":      {"main.py": "x"},
	"empty_file_then_file":         {"__init__.py": "", "main.py": "print(1)"},
	"empty_file_last":              {"main.py": "print(1)", "requirements.txt": ""},
	"nested_fence_markdown":        {"README.md": "# T\n\n```bash\npip install x\n```\n\nDone", "main.py": "x"},
	"fence_in_string":              {"main.py": "s = '```'\nprint(s)", "b.py": "y"},
	"parenthesis":                  {},
	"absolute_path":                {"etc/evil": "x"},
	"name_in_info_string":          {},
	"run_sh_info":                  {},
	"spaces_in_name":               {},
	"colon_and_bracket_tail":       {},
	"unclosed":                     {},
	"adjacent_blocks_without_name": {},
	"unnamed_block_then_named":     {"main.py": "y = 2"},
	"tilde_fence":                  {"a.py": "x"},
	"comment_line_after_name":      {},
}

func TestProbesOfTheCorpus(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(shared(t), "corpus", "gpt-engineer-probes", "chat_to_files_probes.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	played := 0
	for line := range strings.Lines(string(data)) {
		var probe struct {
			Name, Chat string
			Files      map[string]string
		}
		if err := json.Unmarshal([]byte(line), &probe); err != nil {
			t.Fatal(err)
		}
		played++
		t.Run(probe.Name, func(t *testing.T) {
			want := probe.Files
			if w, ok := better[probe.Name]; ok {
				want = w
			}
			b := newBench(t, nil, probe.Chat, aScript)
			r := b.run("generate", pipeline.Args{Instruction: "Make it."})
			got := bare(files(r))
			delete(got, "run.sh")
			same(t, got, bare(want))
			if t.Failed() {
				t.Logf("%s %v %v\n%s", r.State, r.Err, r.Failures, b.notes())
			}
		})
	}
	if played < 40 {
		t.Errorf("%d probes", played)
	}
}
