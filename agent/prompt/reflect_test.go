package prompt_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/rogpeppe/go-internal/txtar"

	"coauthor/agent/prompt"
	"coauthor/edits"
	"coauthor/edits/formats"
)

// around are the files that a golden of a reflection gives. The definition around a line is the last line above that does
// not begin with a blank.
type around map[string]string

func (a around) Read(path string) (string, error) {
	text, ok := a[path]
	if !ok {
		return "", fs.ErrNotExist
	}
	return text, nil
}

func (a around) Around(path string, line int) (head string, at int) {
	for i, text := range strings.Split(a[path], "\n")[:line] {
		if text != "" && text[0] != ' ' {
			head, at = text, i+1
		}
	}
	return head, at
}

func TestReflections(t *testing.T) {
	names, err := filepath.Glob("testdata/reflect/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no goldens", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			var in struct {
				Applied, Added, Declined []string
				Similar                  []edits.Candidate
				Cut, Short               bool
				Format                   string // an edit format that users have, in place of words
				Failures                 []edits.Failure
				Questions                []prompt.Question
			}
			if err := yaml.UnmarshalWithOptions(a.Files[0].Data, &in, yaml.Strict()); err != nil {
				t.Fatal(err)
			}
			r := prompt.Reflection{Fence: edits.Fences[0], Format: &words, Applied: in.Applied, Similar: in.Similar, Added: in.Added, Declined: in.Declined, Cut: in.Cut, Short: in.Short}
			if f, ok := formats.ByName(in.Format); ok {
				r.Format = &f
			}
			for _, f := range in.Failures {
				r.Questions = append(r.Questions, prompt.Refused(f))
			}
			r.Questions = append(r.Questions, in.Questions...)
			if files := a.Files[1 : len(a.Files)-1]; len(files) > 0 {
				texts := around{}
				for _, f := range files {
					texts[f.Name] = string(f.Data)
				}
				r.Files = texts
			}
			if r.Empty() {
				t.Error("there is something to tell, and it says that it is empty")
			}
			got, err := r.Text()
			if err != nil {
				t.Fatal(err)
			}
			compare(t, name, a, got+"\n")
		})
	}
}

// reasons are the values of the Reason constants of package edits.
func reasons(t *testing.T) []string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "../../edits/result.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	ast.Inspect(f, func(n ast.Node) bool {
		if spec, is := n.(*ast.ValueSpec); is && strings.HasPrefix(spec.Names[0].Name, "Reason") {
			value, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, value)
		}
		return true
	})
	slices.Sort(list)
	return list
}

// TestEveryReason is the question for each reason for which an edit can be refused, as every model is asked it and as one
// that writes whole files is.
func TestEveryReason(t *testing.T) {
	const name = "testdata/asked/reasons.txtar"
	// What these edits want they may not have, however they are worded.
	final := []string{edits.ReasonBinary, edits.ReasonNotInChat, edits.ReasonReadOnly, edits.ReasonRefused, edits.ReasonTooLong, edits.ReasonUndecodable, edits.ReasonUnreadable}
	a, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	whole, _ := formats.ByName("whole")
	all := reasons(t)
	var got strings.Builder
	for _, reason := range all {
		f := edits.Failure{Path: "src/app.py", Reason: reason, Message: "why it is refused", Block: "old\n", Nearest: []edits.Candidate{{Path: "src/app.py", Line: 2, Text: "  odd\n"}}}
		if askable := prompt.Askable(f); askable == slices.Contains(final, reason) {
			t.Errorf("%s: the model is asked again: %v; give it a row in remedies, or name it here", reason, askable)
		}
		if !prompt.Askable(f) {
			continue
		}
		if prompt.Refused(f).Told() == "" {
			t.Errorf("%s: the user is told nothing", reason)
		}
		fmt.Fprintf(&got, "== %s: 1 edit %s\n\n", reason, prompt.Refused(f).Told())
		for _, format := range []*edits.Format{&words, &whole} {
			text, err := prompt.Reflection{Fence: edits.Fences[0], Format: format, Questions: []prompt.Question{prompt.Refused(f)},
				Files: around{"src/app.py": "def f():\n  odd\n\n```\n"}}.Text()
			if err != nil {
				t.Fatal(err)
			}
			text, _, _ = strings.Cut(text, "\n\nFILE ") // the rules of the format are its own
			fmt.Fprintf(&got, "== %s, %s\n%s\n\n", reason, format.Name, text)
		}
	}
	compare(t, name, a, got.String())
}

func TestNothingToTell(t *testing.T) {
	r := prompt.Reflection{Applied: []string{"a.go"}, Declined: []string{"b.go"}}
	if !r.Empty() {
		t.Error("what was applied or declined is no reason for another call")
	}
}

func TestHundredsOfFailuresAreNotAllTold(t *testing.T) {
	for _, format := range []string{"diff", "whole"} {
		f, _ := formats.ByName(format)
		r := prompt.Reflection{Format: &f, Fence: edits.Fences[0]}
		for i := range 1000 {
			r.Questions = append(r.Questions, prompt.Refused(edits.Failure{Edit: i, Path: fmt.Sprintf("a%d.py", i), Reason: edits.ReasonNoMatch, Message: "no such text", Block: "x\n"}))
		}
		text, err := r.Text()
		if err != nil {
			t.Fatal(err)
		}
		if len(text) > 15_000 || !strings.Contains(text, "950 more things") {
			t.Errorf("%s: %d bytes, ending in %q", format, len(text), text[max(0, len(text)-300):])
		}
	}
}
