package pipeline

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseSelection(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want Selection
		bad  string
	}{
		"as gpt-engineer writes it": {
			text: "# a comment\n[linting]\n# \"linting\" = \"off\"\n\n[files]\n# \"a.py\" = \"selected\"\n\"b.py\" = \"selected\"\nMakefile = \"selected\"\n# \n",
			want: Selection{Entries: []string{"b.py", "Makefile"}}},
		"the order stays":         {text: "[files]\n\"z\" = \"selected\"\n\"a\" = \"selected\"\n", want: Selection{Entries: []string{"z", "a"}}},
		"the value means nothing": {text: "[files]\n\"a.py\" = \"deselected\"\n\"b\" = true\n", want: Selection{Entries: []string{"a.py", "b"}}},
		"lint is off":             {text: "[linting]\n\"linting\" = \"OFF\"\n[files]\n\"a\" = 1\n", want: Selection{Entries: []string{"a"}, LintOff: true}},
		"lint is on":              {text: "[linting]\n\"linting\" = \"on\"\n[files]\n\"a\" = 1\n", want: Selection{Entries: []string{"a"}}},
		"without quotes":          {text: "[files]\nmain.py = \"selected\"\n", want: Selection{Entries: []string{"main.py"}}},
		"no table in brackets":    {text: "files.a = 1\nfiles.\"b/c.py\" = 1\n", want: Selection{Entries: []string{"a", "b/c.py"}}},
		"escaped":                 {text: "[files]\n\"a\\\"b\\\\c\" = 1\n", want: Selection{Entries: []string{`a"b\c`}}},
		"none":                    {text: "[files]\n", want: Selection{}},
		"no files":                {text: "[linting]\n", bad: "no [files] table"},
		"no table":                {text: "files = 3\n", bad: "no [files] table"},
		"twice":                   {text: "[files]\na = 1\na = 2\n", bad: "read .gpteng/file_selection.toml"},
		"no TOML":                 {text: "[files\n", bad: "read .gpteng/file_selection.toml"},
		"empty":                   {text: "", bad: "no [files] table"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := ParseSelection(test.text)
			if test.bad != "" {
				if err == nil || !strings.Contains(err.Error(), test.bad) {
					t.Errorf("error %v, want %q", err, test.bad)
				}
				return
			}
			if diff := cmp.Diff(test.want, got); err != nil || diff != "" {
				t.Errorf("%v\n%s", err, diff)
			}
		})
	}
}

func TestMatchSelection(t *testing.T) {
	candidates := []string{"a.py", "pages/[id].tsx", "pages/x.tsx", "src/b.py", "src/deep/c.py"}
	for name, test := range map[string]struct{ entries, files, lost []string }{
		"names":              {[]string{"src/b.py", "a.py", "a.py"}, []string{"src/b.py", "a.py"}, nil},
		"a name in brackets": {[]string{"pages/[id].tsx"}, []string{"pages/[id].tsx"}, nil},
		"a glob of names":    {[]string{"*.py"}, []string{"a.py", "src/b.py", "src/deep/c.py"}, nil},
		"a glob of folders":  {[]string{"src/*.py", "src/**"}, []string{"src/b.py", "src/deep/c.py"}, nil},
		"braces":             {[]string{"{a,x}.{py,tsx}"}, []string{"a.py", "pages/x.tsx"}, nil},
		"backslashes":        {[]string{`src\b.py`, "./a.py"}, []string{"src/b.py", "a.py"}, nil},
		"gone":               {[]string{"gone.py", "*.rs", "a.py"}, []string{"a.py"}, []string{"gone.py", "*.rs"}},
		"outside":            {[]string{"../a.py", "/a.py"}, nil, []string{"../a.py", "/a.py"}},
		"broken":             {[]string{"[a.py"}, nil, []string{"[a.py"}},
	} {
		t.Run(name, func(t *testing.T) {
			files, lost := Selection{Entries: test.entries}.Match(candidates)
			if !slices.Equal(files, test.files) || !slices.Equal(lost, test.lost) {
				t.Errorf("%v, lost %v", files, lost)
			}
		})
	}
}

// What is written is read again as the same selection, whatever the names hold.
func TestFormatSelection(t *testing.T) {
	candidates := []string{"b.py", "Makefile", `odd "name"\x.py`, "tab\tname", "pages/[id].tsx", "src/ä.go"}
	s := Selection{Entries: []string{`odd "name"\x.py`, "pages/[id].tsx", "src/*.go", "gone.py", "Makefile", "tab\tname"}, LintOff: true}
	text := s.Format(candidates)
	got, err := ParseSelection(text)
	want := Selection{Entries: []string{"src/*.go", "Makefile", `odd "name"\x.py`, "pages/[id].tsx", "tab\tname"}, LintOff: true}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v\n%s\n%s", err, diff, text)
	}
	for _, line := range []string{"# \"b.py\" = \"selected\"\n", "\nMakefile = \"selected\"\n", "# \"src/ä.go\" = \"selected\"\n"} {
		if !strings.Contains(text, line) {
			t.Errorf("%q is missing in\n%s", line, text)
		}
	}
	if again := got.Format(candidates); again != text {
		t.Errorf("written again it differs:\n%s", again)
	}
}

func TestSelectable(t *testing.T) {
	for name, want := range map[string]bool{"a.py": true, "src/a.py": true, ".env": false, "x/.git/a": false, "venv/a.py": false, "a/node_modules/b.js": false,
		"prompt": false, "x/prompt": false, "prompt.md": true, "site-packages/a": false, "a/__pycache__/b": false} {
		if selectable(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
}

func FuzzSelection(f *testing.F) {
	f.Add("[linting]\n\"linting\" = \"off\"\n[files]\n\"a.py\" = \"selected\"\n# b = 1\n", "a.py\nb")
	f.Add("files.a.b = 1\n[files.x]\ny = 2\n", "x.y\na.b")
	f.Fuzz(func(t *testing.T, text, names string) {
		s, err := ParseSelection(text)
		if err != nil {
			return
		}
		candidates := slices.Compact(slices.Sorted(slices.Values(strings.Split(names, "\n"))))
		s.Match(candidates)
		again, err := ParseSelection(s.Format(candidates))
		if err != nil {
			t.Fatalf("what was written cannot be read: %v", err)
		}
		if third, err := ParseSelection(again.Format(candidates)); err != nil || !cmp.Equal(third, again) {
			t.Fatalf("%v, %v, %v", again, third, err)
		}
	})
}

// TestSelectionOfAnyEditor: marks and line ends are no part of a selection, and what is wrong has its line.
func TestSelectionOfAnyEditor(t *testing.T) {
	const text = "[files]\n\"a.py\" = \"selected\"\nb.py = \"selected\"\n"
	for _, mark := range []string{"", "\ufeff"} {
		for _, nl := range []string{"\n", "\r\n", "\r"} {
			s, err := ParseSelection(mark + strings.ReplaceAll(text, "\n", nl))
			if err != nil || !slices.Equal(s.Entries, []string{"a.py", "b.py"}) {
				t.Errorf("mark %q, ends %q: %q, %v", mark, nl, s.Entries, err)
			}
		}
	}
	if _, err := ParseSelection("[files]\r\n\"a.py\" = \"selected\"\r\nb.py\r\n"); err == nil || !strings.Contains(err.Error(), SelectionFile+":3:") {
		t.Errorf("without the line: %v", err)
	}
}
