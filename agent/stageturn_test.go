package agent_test

import (
	"testing"

	"coauthor/agent/settings"
)

// With git.mode stageYours, what the user had not committed in the files of a turn is staged before they are overwritten, and
// nothing else.
func TestTheUsersChangesAreStagedBefore(t *testing.T) {
	for _, when := range []string{settings.GitStageYours, settings.GitOff} {
		b := newGitBench(t, replies("I do it.\n\n"+xIsTwo), map[string]string{"a.py": "x = 1\n", "other.py": "y = 1\n"})
		b.settings.Git.Mode = when
		b.put("a.py", "x = 1\nmine = 1\n")
		b.put("other.py", "y = 2\n")
		b.ws.DidOpen("a.py", "x = 1\nmine = 1\n", 1)
		rec := b.twoOfIt()
		b.commits(rec)
		b.save("a.py", "x = 2\nmine = 1\n")
		b.commits(rec)
		want := ""
		if when == settings.GitStageYours {
			want = "a.py\n"
		}
		if got := b.git("diff", "--cached", "--name-only"); got != want {
			t.Errorf("%s: staged are %q", when, got)
		}
		if got := b.git("show", ":a.py"); want != "" && got != "x = 1\nmine = 1\n" {
			t.Errorf("staged is %q", got)
		}
	}
}

// With git.mode stage, the files of a turn are staged once they are accepted and saved; not before, and not without it.
func TestASavedTurnIsStaged(t *testing.T) {
	for _, when := range []string{settings.GitStage, settings.GitOff} {
		b := newGitBench(t, replies("I do it.\n\n"+xIsTwo), map[string]string{"a.py": "x = 1\n", "other.py": "y = 1\n"})
		b.settings.Git.Mode = when
		b.put("other.py", "y = 2\n")
		b.ws.DidOpen("a.py", "x = 1\n", 1)
		rec := b.twoOfIt()
		if b.commits(rec); b.git("diff", "--cached", "--name-only") != "" {
			t.Error("staged before it was saved")
		}
		b.save("a.py", "x = 2\n")
		b.commits(rec)
		want := ""
		if when == settings.GitStage {
			want = "a.py\n"
		}
		if got := b.git("diff", "--cached", "--name-only"); got != want || b.git("rev-list", "--count", "HEAD") != "1\n" {
			t.Errorf("git.mode %s: staged are %q", when, got)
		}
	}
}
