package edits_test

import (
	"strings"
	"testing"

	"coauthor/edits"

	"github.com/google/go-cmp/cmp"
)

// counting is a parser that counts what it is given.
type counting struct{ made, bytes, closed int }

func (c *counting) Write(piece string) []edits.Edit {
	c.bytes += len(piece)
	return nil
}

func (c *counting) Close(how edits.Ending) ([]edits.Edit, []edits.Problem) {
	c.closed++
	return []edits.Edit{{Path: string(how)}}, []edits.Problem{{Edit: -1}}
}

// A reply up to the limit goes to the parser as it is and ends as it did; a longer one goes nowhere.
func TestParseIsBounded(t *testing.T) {
	for _, how := range []edits.Ending{edits.Ended, edits.Cut} {
		for _, n := range []int{0, 1, edits.MaxReply, edits.MaxReply + 1} {
			var c counting
			var o edits.ParseOptions
			f := edits.Format{New: func(got edits.ParseOptions) edits.Parser { c.made++; o = got; return &c }}
			list, problems := edits.Parse(f, strings.Repeat("x", n), how, edits.ParseOptions{Chat: []string{"a"}})
			if n > edits.MaxReply {
				if c.made > 0 || len(list) > 0 || len(problems) != 1 || problems[0].Reason != edits.ReasonTooLong || problems[0].Edit != -1 || problems[0].First != 1 || problems[0].Last != 1 {
					t.Errorf("%d bytes: %+v, %+v, %+v", n, c, list, problems)
				}
				continue
			}
			if c != (counting{1, n, 1}) || len(o.Chat) != 1 || len(list) != 1 || list[0].Path != string(how) || len(problems) != 1 {
				t.Errorf("%d bytes: %+v, %+v, %+v", n, c, list, problems)
			}
		}
	}
}

// The names of a format's examples are those of the files before and after them, each once and in order.
func TestExampleFiles(t *testing.T) {
	f := edits.Format{Examples: []edits.Example{
		{Before: map[string]string{"b.py": "", "a.py": ""}, After: map[string]string{"b.py": "x"}},
		{After: map[string]string{"c/new.py": "", "a.py": ""}},
		{},
	}}
	if diff := cmp.Diff([]string{"a.py", "b.py", "c/new.py"}, f.ExampleFiles()); diff != "" {
		t.Error(diff)
	}
	if got := (edits.Format{}).ExampleFiles(); len(got) > 0 {
		t.Errorf("no example has %q", got)
	}
}

// A literal of several lines is open until the quotes come that opened it; other quotes in it are content,
// and fences are no quotes.
func TestOpensLiteral(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "x = 1\n": false, "x = '''\n": true, "x = '''a'''\n": false, "x = \"\"\"a\nb\n": true, "x = \"\"\"a\nb\"\"\"\n": false, "x = `a\n": true, "x = `a\nb`\n": false,
		"x = '''\n\"\"\"\n": true, "x = '''\n\"\"\"\n'''\n": false, "x = '''\n`\n'''\n": false, "x = `\n'''\n`\n": false, "x = ''\n": false, "x = 'a' + \"b\"\n": false, "x = ''''\n": true,
		"```\nx\n": false, "```python\n'''\n": true, "x = '''a''' + '''\n": true, "x = '''a''' + '''b'''\n": false, "x = ''''''\n": false, "it's `so` and `so\n": true, "'''": true, "''''''": false,
	} {
		if got := edits.OpensLiteral(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
