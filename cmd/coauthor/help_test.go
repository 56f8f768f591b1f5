package main

import (
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"coauthor/agent/coder"
)

// TestHelpIsShort: the help fits a screen, names each command once, and says of the most used what they do.
func TestHelpIsShort(t *testing.T) {
	out := runLine(t, nil, "", "--help").out
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) > 60 {
		t.Errorf("%d lines", len(lines))
	}
	for _, line := range lines {
		if len(line) > helpWidth {
			t.Errorf("%d columns: %s", len(line), line)
		}
	}
	if strings.Count(out, "\n\n") > 14 || strings.Contains(out, "`") {
		t.Errorf("the help is\n%s", out)
	}
	_, list, _ := strings.Cut(out, "Most used:")
	list, _, _ = strings.Cut(list, "\nRun \"")
	for _, n := range grammar(coder.All(), "").Model.Children {
		named := len(regexp.MustCompile(`(?m)^  ([a-z, -]*, )?`+n.Name+`(,|$|  )`).FindAllString(list, -1))
		if want := map[bool]int{true: 0, false: 1}[n.Hidden]; named != want {
			t.Errorf("%s is named %d times", n.Name, named)
		}
	}
	for i, name := range mostUsed {
		if fields := strings.Fields(lines[5+i]); fields[0] != name || len(fields) < 4 {
			t.Errorf("%s: %q", name, lines[5+i])
		}
	}
}

// TestHelpOfEachCommand: what it does, its flags with a line each, and examples that can be typed.
func TestHelpOfEachCommand(t *testing.T) {
	words := regexp.MustCompile(`[^\s"']*("[^"]*"|'[^']*')|\S+`)
	var known int
	for _, n := range grammar(coder.All(), "").Model.Children {
		if n.Hidden {
			continue
		}
		known++
		out := runLine(t, nil, "", n.Name, "--help").out
		if !strings.Contains(out, n.Help[:min(20, len(n.Help))]) || strings.Contains(out, "`") || !strings.Contains(out, "\nExamples:\n  coauthor "+n.Name) {
			t.Errorf("%s: the help is\n%s", n.Name, out)
		}
		_, flags, _ := strings.Cut(out, "\nFlags:\n")
		flags, _, _ = strings.Cut(flags, "\nExamples:")
		for _, line := range strings.Split(flags, "\n") {
			if line != "" && !regexp.MustCompile(`^  (-\w,|   ) --`).MatchString(line) || len(line) > helpWidth {
				t.Errorf("%s: a flag takes more than a line: %q", n.Name, line)
			}
		}
		for _, call := range examples[n.Name] {
			var args []string
			call, _, _ = strings.Cut(call, " < ")
			for _, word := range words.FindAllString(call, -1) {
				args = append(args, strings.NewReplacer(`"`, "", `'`, "").Replace(word))
			}
			if ctx, err := grammar(coder.All(), args[0], kong.Writers(io.Discard, io.Discard)).Parse(args); err != nil || ctx.Selected().Name != n.Name {
				t.Errorf("coauthor %s: %v", call, err)
			}
		}
	}
	if known != len(examples) {
		t.Errorf("%d commands, examples of %d", known, len(examples))
	}
}

// A line without a command is answered with the command that it lacks, as a shell reads it.
func TestTheCommandThatIsMeant(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"don't add $x", "a b.go", "c.go"}, `coauthor edit -m 'don'\''t add $x' 'a b.go' c.go`},
		{[]string{"help_test.go", "help.go"}, "coauthor chat help_test.go help.go"},
		{[]string{"nonsense"}, ""},
		{[]string{"chat"}, ""}, // a folder, which is a command's name
		{[]string{"-x y"}, ""},
	} {
		if got := meantBy(c.args); got != c.want {
			t.Errorf("%q: %s, want %s", c.args, got, c.want)
		}
	}
}

// A command with wrong arguments is a command, whatever files are called.
func TestAFileCalledLikeACommand(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("map", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	code := run(t.Context(), []string{"map", "--bogus"}, Streams{In: strings.NewReader(""), Out: &out, Err: &out, Env: func(string) string { return "" }})
	if code != 2 || !strings.Contains(out.String(), "unknown flag --bogus") {
		t.Errorf("exit %d: %s", code, out.String())
	}
}
