package agent_test

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/commit"
)

// withOther puts another repository into the folder lib of a bench: a submodule, or one that is merely there.
func withOther(t *testing.T, b *bench, submodule bool) {
	t.Helper()
	run := func(dir string, args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "protocol.file.allow=always"}, args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	from := t.TempDir()
	run(from, "init", "-q", "-b", "main")
	run(from, "commit", "-q", "--allow-empty", "-m", "first")
	if submodule {
		run(b.root, "submodule", "--quiet", "add", from, "lib")
		run(b.root, "commit", "-q", "-m", "lib")
	} else {
		run(b.root, "clone", "-q", from, "lib")
	}
	b.put("lib/a.py", "x = 1\n")
	run(filepath.Join(b.root, "lib"), "add", "-A")
	run(filepath.Join(b.root, "lib"), "commit", "-q", "-m", "second")
	if submodule {
		run(b.root, "commit", "-q", "-a", "-m", "lib")
	}
}

// TestFilesOfAnotherRepository: a file of a submodule is not committed with the folder's, and whoever asked for that is
// told which repository it belongs to, in words of ours.
func TestFilesOfAnotherRepository(t *testing.T) {
	for name, x := range map[string]struct {
		submodule bool
		want      string
	}{"a submodule": {true, "lib/a.py belongs to the submodule lib"}, "a repository": {false, "lib/a.py belongs to another git repository, lib"}} {
		for _, both := range []bool{false, true} {
			reply := strings.Replace(xIsTwo, "a.py", "lib/a.py", 1)
			if both {
				name, reply = name+", and a file of ours", reply+"\n\n"+xIsTwo
			}
			t.Run(name, func(t *testing.T) {
				b := newGitBench(t, replies(reply, "Set x"), map[string]string{"a.py": "x = 1\n", ".gitignore": "lib/*.log\n"})
				withOther(t, b, x.submodule)
				before := b.git("rev-list", "--count", "HEAD")
				started, rec := b.start(agent.Request{Instruction: "Make x two.", Files: []string{"a.py", "lib/a.py"}})
				b.accept(b.wait(started.Turn))
				got := b.commits(rec)
				if len(got) != 1 || !strings.Contains(got[0].Reason+strings.Join(got[0].Notes, " "), x.want) || (got[0].Hash == "") != !both {
					t.Fatalf("told %+v", got)
				}
				if after := b.git("rev-list", "--count", "HEAD"); (after == before) == both {
					t.Errorf("%s commits, then %s", before, after)
				}
				_, err := b.session.Commits.Commit(context.Background(), commit.Request{Message: "m", Files: []string{"lib/a.py"}})
				if err == nil || !strings.Contains(err.Error(), x.want) || strings.Contains(err.Error(), "exit 128") {
					t.Errorf("by name: %v", err)
				}
			})
		}
	}
}
