package display_test

import (
	"os/exec"
	"strings"
	"testing"

	"coauthor/agent/display"
)

// TestShellWord: a shell reads each word as it is.
func TestShellWord(t *testing.T) {
	words := []string{"plain.py", "a b.py", "it's.py", "$(touch x).py", "a\nb.py", ""}
	var line []string
	for _, w := range words {
		line = append(line, display.ShellWord(w))
	}
	if got, want := strings.Join(line, " "), `plain.py 'a b.py' 'it'\''s.py' '$(touch x).py' 'a`+"\n"+`b.py' ''`; got != want {
		t.Errorf("%s", got)
	}
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no shell")
	}
	out, err := exec.Command(sh, "-c", "printf '%s|' "+strings.Join(line, " ")).Output()
	if err != nil || string(out) != strings.Join(words, "|")+"|" {
		t.Errorf("%q, %v", out, err)
	}
}
