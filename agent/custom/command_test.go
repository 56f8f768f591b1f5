package custom

import (
	"regexp"
	"strings"
	"testing"

	"coauthor/agent/coder"
)

// What is wrong in the file of a command is said with its line; what harms nothing does not keep the command from its work.
func TestReadOwn(t *testing.T) {
	for name, test := range map[string]struct {
		path, text string
		want       string // of the problem, with the place; "" is none
		used       bool
	}{
		"plain":         {"a.md", "Do it.", "", true},
		"windows":       {"a.md", "\ufeff---\r\ncoder: ask\r\n---\r\nDo it.\r\n", "", true},
		"no end":        {"a.md", "---\ncoder: ask\nDo it.\n", "f:1: the front matter that starts here has no end", false},
		"not a head":    {"a.md", "--- coder\nDo it.\n", "", true},
		"empty":         {"a.md", "---\ncoder: ask\n---\n \n", "f: missing instruction", false},
		"a bad name":    {"a b.md", "Do it.", "f: a command name can have", false},
		"a dot":         {".md", "Do it.", "f: a command name can have", false},
		"too large":     {"a.md", strings.Repeat("x", mostText+1), "f: the file exceeds the limit of 64 KiB", false},
		"unknown field": {"a.md", "---\ncoder: ask\n\n# why\nallowed-tools:\n  - Bash\n---\nDo it.", `f:5: unknown field "allowed-tools"`, true},
		"no field":      {"a.md", "---\nask\n---\nDo it.", `f:2: "ask" is not a valid field`, true},
		"twice":         {"a.md", "---\ncoder: ask\nCoder: code\n---\nDo it.", "f:3: coder is already set on line 2", true},
		"no such coder": {"a.md", "---\n\ncoder: painter\n---\nDo it.", "f:3: ", false},
	} {
		c, problems := read(File{Path: test.path, Name: "f", Text: test.text}, coder.All())
		got := ""
		for _, p := range problems {
			got += p.String()
		}
		if test.want == "" && got != "" || !strings.HasPrefix(got, test.want) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
		if used := len(problems) == 0 || !problems[len(problems)-1].Unused; used != test.used || used && c.body != "Do it." && name != "not a head" {
			t.Errorf("%s: used: %v, as %+v", name, used, c)
		}
	}
}

// Whatever a file says: the head and the text behind it are all of it, each problem names a line that there is, and without
// places nothing of the words is lost.
func FuzzReadOwn(f *testing.F) {
	for _, seed := range []string{"Do $1 and $ARGUMENTS.", "---\ncoder: ask\ndescription: 'x'\n---\n\n# Title\nDo it.", "---\n---\n", "---\na\n", "\ufeff---\r\nmodel: m\r\n---\r\n$9", "---\rcoder: ask\r---\rDo\rit."} {
		f.Add(seed, `one "two three" four`)
	}
	all := regexp.MustCompile(`\$ARGUMENTS\b`)
	f.Fuzz(func(t *testing.T, text, rest string) {
		c, problems := read(File{Path: "a.md", Name: "f", Text: text}, coder.All())
		lines := strings.Count(lineEnds.Replace(text), "\n") + 1
		for _, p := range problems {
			if p.Line < 0 || p.Line > lines || p.Text == "" {
				t.Errorf("%q: %+v", text, p)
			}
		}
		if len(problems) > 0 && problems[len(problems)-1].Unused {
			return
		}
		if c.body == "" || !strings.Contains(lineEnds.Replace(text), c.body) {
			t.Errorf("%q: the text is %q", text, c.body)
		}
		rest = strings.TrimSpace(rest)
		got := c.fill(rest)
		if (!c.Takes() || all.MatchString(c.body)) && !strings.Contains(got, rest) {
			t.Errorf("%q with %q is %q", c.body, rest, got)
		}
	})
}
