package vcs

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Where no process of git is started, git would have found no repository, and the other way round.
func TestOutsideIsWhatGitSays(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"plain/deep", "repo/deep", "separate", "store", "broken/.git"} {
		if err := os.MkdirAll(filepath.Join(top, filepath.FromSlash(dir)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env = top, environment(os.Environ())
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q", "repo")
	git("init", "-q", "--bare", "bare")
	git("init", "-q", "--separate-git-dir", "store/data", "separate")
	links := map[string]string{"link-in": "repo/deep", "repo/deep/link-out": "plain/deep"}
	for from, to := range links {
		if err := os.Symlink(filepath.Join(top, filepath.FromSlash(to)), filepath.Join(top, filepath.FromSlash(from))); err != nil {
			t.Skipf("links cannot be made here: %v", err)
		}
	}
	started := 0
	for _, dir := range []string{"plain", "plain/deep", "repo", "repo/deep", "repo/.git", "bare", "bare/refs", "separate", "store/data", "broken", "link-in", "repo/deep/link-out", "missing"} {
		at := filepath.Join(top, filepath.FromSlash(dir))
		cmd := exec.Command("git", "rev-parse", "--git-dir")
		cmd.Dir, cmd.Env = at, environment(os.Environ())
		found := cmd.Run() == nil
		if outside(t.Context(), at) {
			if found {
				t.Errorf("%s: taken for no repository, where git finds one", dir)
			}
		} else {
			started++
			if !found && (dir == "plain" || dir == "plain/deep" || dir == "repo/deep/link-out") {
				t.Errorf("%s: git would be started in vain", dir)
			}
		}
	}
	if started == 0 {
		t.Error("git would never be started")
	}
	ended, end := context.WithCancel(t.Context())
	end()
	_ = outside(ended, top) // does not wait
}
