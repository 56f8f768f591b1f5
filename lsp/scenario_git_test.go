package lsp_test

import (
	"os"
	"os/exec"
	"strings"

	"github.com/google/go-cmp/cmp"
)

// git runs git in the first root, as nobody in particular, and gives what it prints.
func (s *scene) git(args ...string) string {
	s.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = s.place(".")
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_OPTIONAL_LOCKS=0")
	out, err := cmd.CombinedOutput()
	if err != nil {
		s.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// stepGitSays waits until git prints a text.
func stepGitSays(s *scene, p playStep) {
	got := ""
	if !s.soon(func() bool { got = s.git(p.args[1:]...); return got == p.args[0] }) {
		s.t.Errorf("line %d: git %s (-want +got):\n%s", p.line, strings.Join(p.args[1:], " "), cmp.Diff(p.args[0], got))
	}
}
