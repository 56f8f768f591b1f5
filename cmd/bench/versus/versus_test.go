package versus

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestCases(t *testing.T) {
	cases, err := Cases()
	if err != nil {
		t.Fatal(err)
	}
	formats := map[string]int{}
	for _, c := range cases {
		formats[c.Format]++
		if !strings.HasPrefix(c.Name, c.Format+"-") {
			t.Errorf("%s: its name does not begin with its format, %s", c.Name, c.Format)
		}
		if c.Tree.differs(c.Want) == "" {
			t.Errorf("%s: nothing is to be done", c.Name)
		}
		for _, name := range c.Files {
			if _, there := c.Tree[name]; !there {
				t.Errorf("%s: its tree has no %s", c.Name, name)
			}
		}
	}
	for _, f := range []string{"diff", "whole", "udiff"} {
		if formats[f] < 4 {
			t.Errorf("%d cases of %s", formats[f], f)
		}
	}
}

func TestWhatACaseMustHave(t *testing.T) {
	const head, files = "Shows it.\nformat: diff\nrequest: Do it.\n", "-- tree/a --\none\n-- 1.md --\ntext\n"
	c, err := ParseCase("x", []byte(head+"files: a\ncrlf: a\ngone: b\n"+files+"-- tree/b --\nb\n-- want/c --\nc\n"))
	if err != nil || c.Shows != "Shows it." || c.Request != "Do it." || c.Format != "diff" || len(c.Files) != 1 ||
		c.Tree["a"] != "one\r\n" || c.Want["a"] != "one\r\n" || c.Want["c"] != "c\n" || len(c.Want) != 2 {
		t.Errorf("%+v, %v", c, err)
	}
	for what, text := range map[string]string{
		"no answer":    head + "-- tree/a --\none\n",
		"no format":    "Shows it.\nrequest: Do it.\n" + files,
		"no request":   "Shows it.\nformat: diff\n" + files,
		"a second one": head + "what is this?\n" + files,
		"a stray file": head + files + "-- other/a --\n",
		"a bad answer": head + files + "-- 1.yaml --\nno-such-key: 1\n",
	} {
		if _, err := ParseCase("x", []byte(text)); err == nil {
			t.Errorf("%s: taken", what)
		}
	}
}

func TestTreesDiffer(t *testing.T) {
	want := Tree{"a": "a\n", "b": "b\n"}
	for _, c := range []struct {
		got  Tree
		says string
	}{
		{Tree{"a": "a\n", "b": "b\n"}, ""},
		{Tree{"a": "a\n"}, "no b"},
		{Tree{"a": "a\r\n", "b": "b\n"}, "different line endings in a"},
		{Tree{"a": "A\n", "b": "b\n", "c": "x"}, "stray c, a differs"},
		{Tree{"a": "a\n", "b": "b\n", "../c": ""}, "empty stray ../c"},
	} {
		if got := c.got.differs(want); got != c.says {
			t.Errorf("%v: %q, want %q", c.got, got, c.says)
		}
	}
}

// shell is a program that does what its script says, after it has called the model as often as it is told.
type shell struct {
	calls  int
	script string
}

func (shell) Name() string { return "shell" }

func (p shell) Command(ctx context.Context, c Case, url, home string) (*exec.Cmd, error) {
	if err := os.WriteFile(filepath.Join(home, "own"), nil, 0o600); err != nil {
		return nil, err
	}
	for range p.calls {
		req := `{"model": "m", "stream": true, "messages": [{"role": "user", "content": "` + c.Request + `"}]}`
		out, err := exec.CommandContext(ctx, "curl", "-s", "-d", req, url+"/v1/chat/completions").Output()
		if err != nil || !strings.Contains(string(out), "[DONE]") {
			return nil, err
		}
	}
	return exec.CommandContext(ctx, "sh", "-c", p.script), nil
}

func TestPlay(t *testing.T) {
	for _, name := range []string{"curl", "git", "sh"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip(name, "is not here")
		}
	}
	c, err := ParseCase("x", []byte("Shows it.\nformat: diff\nrequest: Do it.\n-- tree/sub/a --\none\n-- 1.md --\ntext\n-- want/sub/a --\ntwo\n"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	r, err := play(ctx, t.TempDir(), c, shell{calls: 3, script: "git status --porcelain > ../seen; echo two > sub/a; mkdir .aider.x; echo x > .aider.x/y; exit 1"})
	if err != nil || r.Calls != 3 || r.CPU <= 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	// The tree was clean, what a program keeps for itself is no part of it, and what lies beside it is.
	if d := r.Tree.differs(c.Want); d != "empty stray ../seen" {
		t.Error(d)
	}
	if _, err := play(ctx, t.TempDir(), c, shell{script: "true"}); err == nil {
		t.Error("a program that never calls the model has played")
	}
	var out strings.Builder
	table := &table{out: &out, rivals: true}
	table.row(c, [][]Played{{r}, {{Tree: c.Want, Calls: 1, Wall: 3 * time.Second, Work: time.Second, CPU: time.Second}}})
	table.foot()
	for _, say := range []string{"1 / 3", "differ", "| right | empty stray ../seen |", "0 same | 1 right | 0 right"} {
		if !strings.Contains(out.String(), say) {
			t.Errorf("the table does not say %q:\n%s", say, out.String())
		}
	}
	if len(table.wrong) != 1 {
		t.Errorf("wrong: %v", table.wrong)
	}
}
