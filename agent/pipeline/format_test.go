package pipeline

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"coauthor/agent/settings"
)

func TestShellLine(t *testing.T) {
	files := []string{"a b.py", "it's.py", "-x.py", "plain.py", "$(touch x).py", "a\nb.py"}
	want := `black -q 'a b.py' 'it'\''s.py' ./-x.py plain.py '$(touch x).py' 'a` + "\n" + `b.py'`
	if got := shellLine([]string{"black", "-q", "{files}"}, files); got != want {
		t.Errorf("%s", got)
	}
	if got := shellLine([]string{"echo", "", "a{files}"}, nil); got != "echo '' 'a{files}'" {
		t.Errorf("%s", got)
	}
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no shell")
	}
	out, err := exec.Command(sh, "-c", shellLine([]string{"printf", "%s|", "{files}"}, files)).Output()
	if want := strings.Join(files, "|") + "|"; err != nil || string(out) != strings.Replace(want, "-x.py", "./-x.py", 1) {
		t.Errorf("%q, %v", out, err)
	}
}

func TestFormatted(t *testing.T) {
	files := []string{"a.py", "src/b.py", "c.go"}
	for want, globs := range map[string][]string{"a.py src/b.py c.go": nil, "a.py src/b.py": {"*.py"}, "src/b.py c.go": {"src/**", "*.go"}, "": {"*.rs"}} {
		if got := formatted(settings.CheckCommand{Run: []string{"x"}, Files: globs}, slices.Clone(files)); strings.Join(got, " ") != want {
			t.Errorf("%v: %v", globs, got)
		}
	}
}
