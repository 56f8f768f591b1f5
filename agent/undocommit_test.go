package agent_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coauthor/agent/vcs"
)

// The last commit of a turn goes together with its changes, also with the files that it created.
func TestUndoCommit(t *testing.T) {
	b := newGitBench(t, replies(xIsTwo+"\nnew/b.py\n```\n<<<<<<< SEARCH\n=======\ny = 1\n>>>>>>> REPLACE\n```\n", "Do it"), map[string]string{"a.py": "x = 1\n", "c.py": "z\n"})
	rec := b.twoOfIt()
	if got := b.commits(rec); len(got) != 1 || got[0].Reason != "" {
		t.Fatalf("told %+v", got)
	}
	b.put("c.py", "staged\n")
	b.git("add", "c.py")
	u, err := b.session.Commits.Undo(t.Context(), editorDelivery{b})
	if err != nil || !u.Done || u.Kept || u.Subject != "Do it" {
		t.Fatalf("%+v, %v", u, err)
	}
	if got := b.git("log", "--format=%s") + b.git("status", "--porcelain"); got != "first\nM  c.py\n" {
		t.Errorf("afterwards %q", got)
	}
	if _, err := os.Stat(filepath.Join(b.root, "new", "b.py")); err == nil {
		t.Error("the file that the commit created is there")
	}
	if got := b.commits(rec); len(got) != 1 {
		t.Errorf("the undoing was committed: %+v", got)
	}
	if _, err := b.session.Commits.Undo(t.Context(), editorDelivery{b}); err == nil {
		t.Error("a commit of the user's was undone")
	}
}

// What is not ours, pushed, merged, the first, or built upon is left alone.
func TestCommitsThatAreNotUndone(t *testing.T) {
	for reason, then := range map[string]func(b *bench){
		"was not made by Coauthor": func(b *bench) { b.git("commit", "-q", "--allow-empty", "-m", "mine") },
		"has been pushed":          func(b *bench) { b.git("update-ref", "refs/remotes/origin/main", "HEAD") },
		"was changed after":        func(b *bench) { b.put("a.py", "x = 3\n") },
		"unsaved changes":          func(b *bench) { b.ws.DidOpen("a.py", "x = 4\n", 7) },
		"A merge is in progress":   func(b *bench) { b.put(".git/MERGE_HEAD", strings.TrimSpace(b.git("rev-parse", "HEAD"))+"\n") },
		"detached":                 func(b *bench) { b.git("checkout", "-q", "--detach") },
	} {
		t.Run(reason, func(t *testing.T) {
			b := newGitBench(t, replies(xIsTwo, "Set x"), map[string]string{"a.py": "x = 1\n"})
			rec := b.twoOfIt()
			if got := b.commits(rec); len(got) != 1 || got[0].Reason != "" {
				t.Fatalf("told %+v", got)
			}
			then(b)
			before := b.git("rev-parse", "HEAD")
			file, _ := os.ReadFile(filepath.Join(b.root, "a.py"))
			u, err := b.session.Commits.Undo(t.Context(), editorDelivery{b})
			if r := (*vcs.Refused)(nil); !errors.As(err, &r) || !strings.Contains(r.Text, reason) || u.Done {
				t.Errorf("%+v, %v", u, err)
			}
			if now, _ := os.ReadFile(filepath.Join(b.root, "a.py")); string(now) != string(file) || b.git("rev-parse", "HEAD") != before {
				t.Error("something was changed")
			}
		})
	}
}

// A turn that was taken back in the files before is no hindrance: only the commit goes.
func TestUndoCommitAfterTheTurn(t *testing.T) {
	b := newGitBench(t, replies(xIsTwo, "Set x"), map[string]string{"a.py": "x = 1\n"})
	b.commits(b.twoOfIt())
	b.put("a.py", "x = 1\n")
	if u, err := b.session.Commits.Undo(t.Context(), editorDelivery{b}); err != nil || !u.Done || u.Files != nil {
		t.Errorf("%+v, %v", u, err)
	}
	if got := b.git("log", "--format=%s") + b.git("status", "--porcelain"); got != "first\n" {
		t.Errorf("afterwards %q", got)
	}
}
