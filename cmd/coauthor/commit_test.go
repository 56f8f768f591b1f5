package main

import (
	"context"
	"encoding/json"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"coauthor/agent/coder"
	"coauthor/agent/codereview"
	"coauthor/agent/command"
	"coauthor/agent/commit"
	"coauthor/agent/pipeline"
)

// TestCommandsHaveTheirWords: each command of the table that has a word is one of the command line, and its word is no coder's.
func TestCommandsHaveTheirWords(t *testing.T) {
	parser := grammar(coder.All(), "", kong.Writers(io.Discard, io.Discard))
	words := map[string]int{}
	for _, command := range parser.Model.Children {
		words[command.Name]++
		for _, also := range command.Aliases {
			words[also]++
		}
	}
	n := 0
	for _, a := range pipeline.Actions() {
		if a.Word == "" {
			continue
		}
		n++
		if words[a.Word] != 1 {
			t.Errorf("coauthor %s is there %d times", a.Word, words[a.Word])
		}
		if found, rest, ok := command.CommandOf(pipeline.Actions(), " /"+a.Word+"\n some words "); !ok || found.ID != a.ID || rest != "some words" {
			t.Errorf("/%s is %q with %q", a.Word, found.ID, rest)
		}
		if _, _, ok := coder.All().Slash("/" + a.Word); ok {
			t.Errorf("/%s is a coder, too", a.Word)
		}
	}
	if n < 4 {
		t.Errorf("%d commands have words", n)
	}
	for _, text := range []string{"", "/", "commit", "/committed", "/commit/x", "//commit", "do /commit"} {
		if a, _, ok := command.CommandOf(pipeline.Actions(), text); ok {
			t.Errorf("%q is the command %s", text, a.ID)
		}
	}
}

// gitShell is a shell in a repository, whose commands share what they remember.
type gitShell struct {
	*shell
	home string
}

func newGitShell(t *testing.T, script string) *gitShell {
	t.Helper()
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	t.Setenv("GIT_TEMPLATE_DIR", "") // no sample hooks: copying them takes longer than the rest of init
	h := &gitShell{newShell(t, script), t.TempDir()}
	h.git("init", "-q", "-b", "main")
	h.put(".git/config", h.read(".git/config")+"[user]\nname = Ann\nemail = ann@example.org\n[maintenance]\nauto = false\n")
	h.git("add", "-A")
	h.git("commit", "-q", "-m", "first")
	return h
}

func (h *gitShell) git(args ...string) string {
	h.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = h.root
	out, err := cmd.CombinedOutput()
	if err != nil {
		h.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

func (h *gitShell) run(args ...string) int {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute) // only a hang takes so long
	defer cancel()
	h.out.Reset()
	h.err.Reset()
	env := map[string]string{"HOME": h.home, "XDG_STATE_HOME": filepath.Join(h.home, "state"), "XDG_CONFIG_HOME": filepath.Join(h.home, "config"), "COAUTHOR_GIT_AUTO_COMMIT": "true"}
	args = append(args, "--root", h.root, "--model", "local", "--api-base", h.server.URL)
	return run(ctx, args, Streams{In: strings.NewReader(""), Out: &h.out, Err: &h.err, Env: func(name string) string { return env[name] }})
}

// A turn on the command line becomes a commit, which another process shows and takes back, with the file that the
// turn created.
func TestATurnIsCommittedAndUndone(t *testing.T) {
	h := newGitShell(t, "-- 1.md --\n"+twoReply+"-- 2.md --\nMake it two\n")
	if code := h.run("edit", "-m", "Make x two.", "--format", "diff", "--yes", filepath.Join(h.root, "a.py")); code != 0 {
		t.Fatalf("exit %d: %s", code, h.err.String())
	}
	if !strings.Contains(h.err.String(), "Committed 2 files as ") || h.git("log", "--format=%s") != "Make it two\nfirst\n" {
		t.Errorf("told %s\n%s", h.err.String(), h.git("log"))
	}
	if code := h.run("diff"); code != 0 || !strings.Contains(h.out.String(), "+x = 2") || !strings.Contains(h.out.String(), "+y = 1") {
		t.Errorf("diff: exit %d\n%s%s", code, h.out.String(), h.err.String())
	}
	if code := h.run("undo-commit"); code != 0 || h.read("a.py") != "x = 1\r\nz = 1" || h.read("new/b.py") != "absent" {
		t.Errorf("undo-commit: exit %d, %s%s", code, h.out.String(), h.err.String())
	}
	if got := h.git("log", "--format=%s") + h.git("status", "--porcelain"); got != "first\n" {
		t.Errorf("afterwards %q", got)
	}
	if code := h.run("undo-commit"); code != 1 || !strings.Contains(h.err.String(), "was not made by Coauthor") {
		t.Errorf("once more: exit %d, %s", code, h.err.String())
	}
}

// The commands print text for people and one object for programs, and refuse by exit status 1.
func TestCommitCommands(t *testing.T) {
	h := newGitShell(t, "-- 1.md --\nMake it three\n")
	if code := h.run("commit"); code != 1 || !strings.Contains(h.err.String(), "nothing to commit") {
		t.Errorf("nothing: exit %d, %s", code, h.err.String())
	}
	h.put("a.py", "x = 3\n")
	h.put("b.py", "y\n")
	var c codereview.Changes
	if code := h.run("diff", "--json"); code != 0 || json.Unmarshal(h.out.Bytes(), &c) != nil || strings.Join(c.Files, " ") != "a.py b.py" {
		t.Errorf("diff: exit %d, %s%s", code, h.out.String(), h.err.String())
	}
	var made commit.Committed
	if code := h.run("commit", "--json"); code != 0 || json.Unmarshal(h.out.Bytes(), &made) != nil || made.Subject != "Make it three" || made.Hash == "" {
		t.Errorf("commit: exit %d, %s%s", code, h.out.String(), h.err.String())
	}
	if code := h.run("commit", "-m", "Mine", filepath.Join(h.root, "b.py")); code != 0 || !strings.Contains(h.out.String(), ": Mine") {
		t.Errorf("a file: exit %d, %s%s", code, h.out.String(), h.err.String())
	}
	var u undone
	if code := h.run("undo-commit", "--json"); code != 0 || json.Unmarshal(h.out.Bytes(), &u) != nil || !u.Done || u.Subject != "Mine" || h.read("b.py") != "y\n" {
		t.Errorf("undo: exit %d, %s%s", code, h.out.String(), h.err.String())
	}
	if code := h.run("edit", "-m", "/commit now"); code != 1 || !strings.Contains(h.err.String(), "coauthor commit") {
		t.Errorf("a slash command: exit %d, %s", code, h.err.String())
	}
	if code := h.run("diff", "nowhere"); code != 1 || !strings.Contains(h.err.String(), "nowhere") {
		t.Errorf("nowhere: exit %d, %s", code, h.err.String())
	}
	if n := len(h.server.Requests()); n != 1 {
		t.Errorf("%d requests", n)
	}
}

// A review prints what it found as compilers do, or as an object behind the events.
func TestReviewCommand(t *testing.T) {
	const answer = "Almost.\\n\\n```json\\n[{\"path\": \"a.py\", \"line\": 40, \"severity\": \"error\", \"message\": \"Three is too many.\"}, {\"path\": \"/etc/passwd\", \"line\": 1, \"message\": \"x\"}]\\n```\\n"
	text := strings.ReplaceAll(answer, "\\n", "\n")
	h := newGitShell(t, "-- 1.md --\n"+text+"-- 2.md --\n"+text)
	if code := h.run("review"); code != 1 || !strings.Contains(h.err.String(), "nothing to review") {
		t.Errorf("nothing: exit %d, %s", code, h.err.String())
	}
	h.put("a.py", "x = 3\n")
	if code := h.run("review", "-m", "Look for threes."); code != 0 || h.out.String() != "a.py:1: error: Three is too many.\nAlmost.\n" {
		t.Errorf("exit %d, %q, %s", code, h.out.String(), h.err.String())
	}
	h.git("commit", "-q", "-a", "-m", "three")
	code := h.run("review", "HEAD~1", "--json")
	lines := strings.Split(strings.TrimSpace(h.out.String()), "\n")
	var got struct{ Review codereview.Review }
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &got); err != nil || code != 0 || len(got.Review.Findings) != 1 || got.Review.About != "Changes since HEAD~1" {
		t.Errorf("exit %d, %v, %s", code, err, lines[len(lines)-1])
	}
}
