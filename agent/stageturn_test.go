package agent_test

import (
	"testing"
)

// With git.stage the files of a turn are staged once they are accepted and saved; not before, and not without it.
func TestASavedTurnIsStaged(t *testing.T) {
	for _, on := range []bool{true, false} {
		b := newGitBench(t, replies("I do it.\n\n"+xIsTwo), map[string]string{"a.py": "x = 1\n", "other.py": "y = 1\n"})
		b.settings.Git.AutoCommit, b.settings.Git.Stage = false, on
		b.put("other.py", "y = 2\n")
		b.ws.DidOpen("a.py", "x = 1\n", 1)
		rec := b.twoOfIt()
		if b.commits(rec); b.git("diff", "--cached", "--name-only") != "" {
			t.Error("staged before it was saved")
		}
		b.save("a.py", "x = 2\n")
		b.commits(rec)
		want := ""
		if on {
			want = "a.py\n"
		}
		if got := b.git("diff", "--cached", "--name-only"); got != want || b.git("rev-list", "--count", "HEAD") != "1\n" {
			t.Errorf("git.stage %v: staged are %q", on, got)
		}
	}
}
