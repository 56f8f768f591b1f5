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
	env := map[string]string{"HOME": h.home, "XDG_STATE_HOME": filepath.Join(h.home, "state"), "XDG_CONFIG_HOME": filepath.Join(h.home, "config"), "COAUTHOR_GIT_MODE": "commit"}
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

// TestCommitAmend: the last commit, also the first of all, is made anew with what is staged or named and nothing else. Author,
// date and trailers stay; the message is the model's, the user's own, or, where neither is to be had, the one that was there.
func TestCommitAmend(t *testing.T) {
	h := newGitShell(t, "-- 1.md --\nAdd the file b\n-- 2.md --\nAdd the file b, with a note\n-- 3.md --\nNo.\n-- 3.yaml --\nstatus: 400\n")
	h.git("commit", "-q", "--amend", "-m", "first\n\nSigned-off-by: Bob <bob@example.org>", "--author", "Bob <bob@example.org>", "--date", "2020-02-02T10:00:00 +0100")
	h.put("b.py", "b = 1\n")
	h.put("staged.py", "s = 1\n")
	h.git("add", "b.py", "staged.py")
	h.put("a.py", "changed, and not staged\n")
	h.put("staged.py", "s = 2\n")
	is := func(what string, code int, subject, files string, requests int) {
		t.Helper()
		if code != 0 {
			t.Fatalf("%s: exit %d, %s%s", what, code, h.out.String(), h.err.String())
		}
		got := h.git("log", "--format=%an %aI %s") + h.git("show", "--format=", "--name-only", "--root")
		if want := "Bob 2020-02-02T10:00:00+01:00 " + subject + "\n" + files; got != want || len(h.server.Requests()) != requests {
			t.Errorf("%s: %d requests\n%s\nwant\n%s", what, len(h.server.Requests()), got, want)
		}
		if status := h.git("status", "--porcelain"); status != " M a.py\n M staged.py\n" && what != "a file" {
			t.Errorf("%s: the rest is\n%s", what, status)
		}
	}
	is("the first of all", h.run("commit", "--amend"), "Add the file b", "a.py\nb.py\nstaged.py\n", 1)
	if !strings.Contains(h.out.String(), "Amended the last commit, which is now ") || !strings.Contains(h.git("log", "--format=%b"), "Signed-off-by: Bob") {
		t.Errorf("told %s, message\n%s", h.out.String(), h.git("log", "--format=%B"))
	}
	if asked := h.server.Requests()[0].Messages; !strings.Contains(asked[len(asked)-1].Content, "+b = 1") || !strings.Contains(asked[len(asked)-1].Content, "+x = 1") || strings.Contains(asked[len(asked)-1].Content, "first") {
		t.Errorf("asked %s", asked[len(asked)-1].Content)
	}
	is("the message alone", h.run("commit", "--amend", "--yes"), "Add the file b, with a note", "a.py\nb.py\nstaged.py\n", 2)
	is("a message of one's own", h.run("commit", "--amend", "-m", "Mine"), "Mine", "a.py\nb.py\nstaged.py\n", 2)
	is("without a model", h.run("commit", "--amend"), "Mine", "a.py\nb.py\nstaged.py\n", 3)
	if !strings.Contains(h.out.String(), "Coauthor kept the message of the last commit.") {
		t.Errorf("told %s", h.out.String())
	}
	if code := h.run("undo-commit"); code != 1 || !strings.Contains(h.err.String(), "was not made by Coauthor") {
		t.Errorf("undo-commit: exit %d, %s", code, h.err.String())
	}
	h.git("commit", "-q", "-m", "second", "staged.py", "--author", "Bob <bob@example.org>", "--date", "2020-02-02T10:00:00 +0100")
	var made commit.Committed
	if code := h.run("commit", "--amend", "--json", "-m", "Both", filepath.Join(h.root, "a.py")); code != 0 || json.Unmarshal(h.out.Bytes(), &made) != nil || !made.Amended || strings.Join(made.Files, " ") != "a.py staged.py" {
		t.Errorf("a file: exit %d, %s%s", code, h.out.String(), h.err.String())
	}
	if got := h.git("log", "--format=%s") + h.git("status", "--porcelain"); got != "Both\nMine\n" {
		t.Errorf("a file: %s", got)
	}
	h.git("revert", "--no-edit", "--no-commit", "HEAD")
	h.git("revert", "--quit")
	before := h.git("rev-parse", "HEAD")
	if code := h.run("commit", "--amend", "-m", "Nothing"); code != 1 || !strings.Contains(h.err.String(), "would change nothing") || h.git("rev-parse", "HEAD") != before {
		t.Errorf("to nothing: exit %d, %s", code, h.err.String())
	}
	h.git("checkout", "-q", "--orphan", "empty")
	if code := h.run("commit", "--amend", "-m", "x"); code != 1 || !strings.Contains(h.err.String(), "There is no commit to amend yet.") {
		t.Errorf("without a commit: exit %d, %s", code, h.err.String())
	}
}

// TestAmendOfWhatIsPushed is refused where nobody can be asked, whatever --yes says, and before a model is asked.
func TestAmendOfWhatIsPushed(t *testing.T) {
	h := newGitShell(t, "-- 1.md --\nNever asked.\n")
	h.pushed()
	before := h.git("rev-parse", "HEAD")
	for _, args := range [][]string{{"--yes"}, {"--yes", "-m", "x"}, {"--json"}} {
		code := h.run(append([]string{"commit", "--amend"}, args...)...)
		if code != 1 || !strings.Contains(h.err.String(), "(first), has been pushed. ") || !strings.Contains(h.err.String(), "Nothing was amended") || h.git("rev-parse", "HEAD") != before || len(h.server.Requests()) > 0 {
			t.Errorf("%q: exit %d, %d requests, %s", args, code, len(h.server.Requests()), h.err.String())
		}
	}
	h.git("commit", "-q", "--allow-empty", "-m", "merged") // a merge has more than one parent
	h.git("checkout", "-q", "-b", "side", "HEAD~1")
	h.put("b.py", "b\n")
	h.git("add", "b.py")
	h.git("commit", "-q", "-m", "side")
	h.git("merge", "-q", "--no-edit", "main")
	if code := h.run("commit", "--amend"); code != 1 || !strings.Contains(h.err.String(), "is a merge commit. Add -m") || len(h.server.Requests()) > 0 {
		t.Errorf("a merge: exit %d, %s", code, h.err.String())
	}
}

// pushed sends the branch to another repository.
func (h *gitShell) pushed() {
	other := h.t.TempDir()
	h.git("init", "-q", "--bare", other)
	h.git("push", "-q", other, "main")
	h.git("remote", "add", "origin", other)
	h.git("fetch", "-q", "origin")
}
