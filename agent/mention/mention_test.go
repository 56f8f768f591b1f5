package mention_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"coauthor/agent/mention"
)

func TestFiles(t *testing.T) {
	all := []string{"cmd/main.go", "lib/parse.go", "web/parse.go", "Makefile", "a-b/c_d.txt", "src/répertoire.py", "x/README.md"}
	for _, c := range []struct {
		text string
		want []string
	}{
		{"Look at `cmd/main.go`, please.", []string{"cmd/main.go"}},
		{"(cmd/main.go)", []string{"cmd/main.go"}},
		{"**lib/parse.go**: change it", []string{"lib/parse.go"}},
		{"see ./lib/parse.go:12 and web\\parse.go.", []string{"lib/parse.go", "web/parse.go"}},
		{"main.go is the entry", []string{"cmd/main.go"}},
		{"parse.go is in two places", []string{}},
		{"the Makefile", []string{"Makefile"}},
		{"make a file named cmd", []string{}},
		{"src/répertoire.py?", []string{"src/répertoire.py"}},
		{"c_d.txt!", []string{"a-b/c_d.txt"}},
		{"otherlib/parse.go", []string{}},
		{"[README.md](x/README.md)", []string{"x/README.md"}},
		{"", []string{}},
	} {
		if diff := cmp.Diff(c.want, mention.Files(c.text, all)); diff != "" {
			t.Errorf("Files(%q): -want +got\n%s", c.text, diff)
		}
	}
}

// A base name that a known file has as well may mean that one.
func TestFilesBesideKnownOnes(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"util.go is fine", []string{}},
		{"b/util.go is not", []string{"b/util.go"}},
		{"a/util.go is shown", []string{}},
		{"other.go", []string{"b/other.go"}},
		{"here.go", []string{}},
	} {
		if diff := cmp.Diff(c.want, mention.Files(c.text, []string{"b/util.go", "b/other.go"}, "a/util.go", "here.go")); diff != "" {
			t.Errorf("Files(%q): -want +got\n%s", c.text, diff)
		}
	}
}

func TestIdentifiers(t *testing.T) {
	got := mention.Identifiers("Rename parse_args() to parseArgs; x 2nd größe parse_args a.b_c")
	want := []string{"Rename", "parse_args", "to", "parseArgs", "größe", "b_c"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func FuzzFiles(f *testing.F) {
	f.Add("see `a/b.go`: **c**", "a/b.go")
	f.Fuzz(func(t *testing.T, text, name string) {
		for _, got := range mention.Files(text, []string{name}) {
			if got != name {
				t.Fatalf("Files(%q, %q) made up %q", text, name, got)
			}
		}
	})
}
