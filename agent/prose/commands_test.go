package prose

import (
	"slices"
	"strings"
	"testing"
)

// The commands of an answer are the lines of its last block for a shell; what makes sense only together is one.
func TestSuggested(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want []string
	}{
		"as the model is told": {"Done.\n\n```bash\ngo mod tidy\ngo test ./...\n```\n", []string{"go mod tidy", "go test ./..."}},
		"the last block":       {"```sh\none\n```\nor\n```Shell title\ntwo\n```\nas you like.", []string{"two"}},
		"other languages":      {"```go\nx := 1\n```\n```\nls\n```\n", nil},
		"none":                 {"Nothing to run.", nil},
		"not closed":           {"```bash\nrm -rf x\n", nil},
		"comments":             {"```bash\n# first\n\nmake\n```", []string{"make"}},
		"a session":            {"```console\n$ ls -l\ntotal 0\n$ make  \n```", []string{"ls -l", "make"}},
		"goes on":              {"```bash\ncurl a \\\n  -o b\n```", []string{"curl a \\\n  -o b"}},
		"a loop":               {"```bash\nfor f in *; do\n  echo $f\ndone\n```", []string{"for f in *; do\n  echo $f\ndone"}},
		"a text over lines":    {"```bash\ngit commit -m 'one\ntwo'\n```", []string{"git commit -m 'one\ntwo'"}},
		"many":                 {"```bash\na\nb\nc\nd\n```", []string{"a\nb\nc\nd"}},
		"a fence in it":        {"~~~~bash\necho '```'\n~~~~", []string{"echo '```'"}},
		"a longer fence":       {"````md\n```bash\nx\n```\n````\n", nil},
		"unseen characters":    {"```bash\nls \x1b[2K\nmake\n```", []string{"make"}},
	} {
		if got := Commands(test.text); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

// Whatever an answer says: what is offered stands in it, line by line, and is not empty.
func FuzzSuggested(f *testing.F) {
	f.Add("```bash\na\nb \\\n c\n```")
	f.Add("~~~sh\n$ a\nb\n~~~~\n```console\r\nx\r\n```")
	f.Fuzz(func(t *testing.T, text string) {
		list := Commands(text)
		if len(list) > mostSuggested {
			t.Errorf("%d commands", len(list))
		}
		for _, command := range list {
			if strings.TrimSpace(command) == "" {
				t.Errorf("an empty command of %q", text)
			}
			for line := range strings.SplitSeq(command, "\n") {
				if !strings.Contains(text, line) {
					t.Errorf("%q does not stand in %q", line, text)
				}
			}
		}
	})
}
