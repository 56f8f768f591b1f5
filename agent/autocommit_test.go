package agent_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/agent/settings"
	"coauthor/agent/workspace"
	"coauthor/edits"
)

// newGitBench is a bench in a repository with one commit of its files.
func newGitBench(t *testing.T, script string, disk map[string]string) *bench {
	t.Helper()
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	t.Setenv("GIT_TEMPLATE_DIR", "") // no sample hooks: copying them takes longer than the rest of init
	b := newBench(t, script, disk)
	b.settings.Git.Mode, b.settings.Git.Hooks = settings.GitCommit, true
	b.settings.Git.Attribution = settings.AttributionOff
	b.git("init", "-q", "-b", "main")
	b.put(".git/config", b.disk(".git/config")+"[user]\nname = Ann\nemail = ann@example.org\n[maintenance]\nauto = false\n")
	b.git("add", "-A")
	b.git("commit", "-q", "-m", "first")
	return b
}

// git runs git in the bench's folder and gives what it prints.
func (b *bench) git(args ...string) string {
	b.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = b.root
	out, err := cmd.CombinedOutput()
	if err != nil {
		b.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// hook makes a hook of the bench's repository.
func (b *bench) hook(name, script string) {
	b.t.Helper()
	if runtime.GOOS == "windows" {
		b.t.Skip("hooks here are shell scripts")
	}
	b.put(".git/hooks/"+name, "#!/bin/sh\n"+script)
	if err := os.Chmod(filepath.Join(b.root, ".git", "hooks", name), 0o755); err != nil {
		b.t.Fatal(err)
	}
}

// editorDelivery delivers as an editor does: what is open is changed there and not on disk, the rest on disk.
type editorDelivery struct{ b *bench }

func (d editorDelivery) Current() *workspace.Snapshot { return d.b.ws.Snapshot() }

func (d editorDelivery) Deliver(_ context.Context, _ string, plan []proposal.Step) (list []proposal.Landed, err error) {
	for _, step := range plan {
		c := step.Change
		switch {
		case step.Open:
			d.b.ws.DidOpen(c.Path, c.After, step.Version+1)
		case c.Op == edits.OpDelete:
			err = os.Remove(filepath.Join(d.b.root, filepath.FromSlash(c.Path)))
		default:
			d.b.put(c.Path, c.After)
		}
		list = append(list, proposal.Landed{Path: c.Path, State: proposal.LandLanded})
	}
	return list, err
}

// accept applies what a turn proposes.
func (b *bench) accept(r agent.Result) {
	b.t.Helper()
	if r.Proposal == nil {
		b.t.Fatalf("nothing is proposed: %+v", r)
	}
	store := b.session.Proposals
	store.MarkShown(r.Proposal.ID, r.Proposal.Revision)
	out, err := store.Apply(b.t.Context(), proposal.Selector{Proposal: r.Proposal.ID, Revision: r.Proposal.Revision}, editorDelivery{b})
	if err != nil || out.Status != proposal.StatusApplied {
		b.t.Fatalf("%+v, %v", out, err)
	}
}

// commits waits until all that can be committed is, and gives what the turn tells of that.
func (b *bench) commits(rec *recorder) (list []*event.Commit) {
	b.t.Helper()
	b.session.Commits.Wait(deadline(b.t))
	for _, e := range rec.list() {
		if e.Kind == event.KindCommit {
			list = append(list, e.Commit)
		}
	}
	return list
}

// twoOfIt asks for x to become two, and accepts.
func (b *bench) twoOfIt() *recorder {
	b.t.Helper()
	started, rec := b.start(agent.Request{Instruction: "Make x two.", Files: []string{"a.py"}})
	b.accept(b.wait(started.Turn))
	return rec
}

// save writes the open document to disk, as its editor does.
func (b *bench) save(path, text string) {
	b.t.Helper()
	b.put(path, text)
	b.ws.DidOpen(path, text, 99)
	b.ws.DidSave(path)
	b.session.FileChanged(path)
}

// A turn that was accepted and saved becomes one commit with a message from the weak model, which saw the diff and
// what was said; not before it is saved, and not without the setting.
func TestASavedTurnBecomesACommit(t *testing.T) {
	b := newGitBench(t, replies("I do it.\n\n"+xIsTwo, "Set x to two\n\nOne was too few."), map[string]string{"a.py": "x = 1\n", "other.py": "y = 1\n"})
	b.threeModels()
	b.settings.Git.Attribution = settings.AttributionTrailer
	b.put("other.py", "y = 2\n")
	b.ws.DidOpen("a.py", "x = 1\n", 1)
	rec := b.twoOfIt()
	if got := b.commits(rec); len(got) != 0 || b.git("rev-list", "--count", "HEAD") != "1\n" {
		t.Fatalf("committed before it was saved: %+v", got)
	}
	b.save("a.py", "x = 2\n")
	got := b.commits(rec)
	if len(got) != 1 || got[0].Reason != "" || got[0].Subject != "Set x to two" || strings.Join(got[0].Files, " ") != "a.py" {
		t.Fatalf("told %+v", got)
	}
	want := "Set x to two\n\nOne was too few.\n\nCo-authored-by: coauthor (scripted) <noreply@coauthor.invalid>\n\nAnn Ann\n"
	if log := b.git("log", "-1", "--format=%B%n%an %cn"); log != want {
		t.Errorf("the log says %q", log)
	}
	if status := b.git("status", "--porcelain"); status != " M other.py\n" {
		t.Errorf("afterwards %q", status)
	}
	sent := b.server.Requests()[1]
	text := sent.Messages[0].Content + sent.Messages[len(sent.Messages)-1].Content
	for _, part := range []string{"+x = 2", "Make x two.", "I do it.", "first"} {
		if !strings.Contains(text, part) {
			t.Errorf("the model did not see %q:\n%s", part, text)
		}
	}
	if sent.Model != "thrifty" || strings.Contains(text, "y = 2") {
		t.Errorf("%s saw\n%s", sent.Model, text)
	}
	if b.session.Turns.Usage().Prompt <= 0 {
		t.Error("the call is not counted")
	}
}

// Without the setting nothing is ever written.
func TestNothingIsCommittedByDefault(t *testing.T) {
	b := newGitBench(t, replies(xIsTwo), map[string]string{"a.py": "x = 1\n"})
	b.settings.Git.Mode = settings.GitOff
	rec := b.twoOfIt()
	if got := b.commits(rec); len(got) != 0 || b.git("log", "--format=%s") != "first\n" || b.git("status", "--porcelain") != " M a.py\n" {
		t.Errorf("told %+v\n%s", got, b.git("log"))
	}
	if len(b.server.Requests()) != 1 {
		t.Error("a model was asked for a message")
	}
}

// The parts of a commit that the user made, staged, typed before or types after are not in it.
func TestOnlyTheTurnsChangesAreCommitted(t *testing.T) {
	const head = "x = 1\na\nb\nc\nd\ne\nf\ng\n"
	edited := strings.Replace(head, "x = 1", "x = 2", 1)
	for _, c := range []struct {
		name          string
		before, saved string // what the file holds at the request and when it is saved
		commit        string // what the commit has; "" for none
		staged        string
		reason        string
	}{
		{"as it landed", head, edited, edited, "", ""},
		{"the user had changed another place", strings.Replace(head, "g", "G", 1), strings.Replace(edited, "g", "G", 1), edited, "", ""},
		{"the user types on elsewhere before saving", head, strings.Replace(edited, "g", "G", 1), edited, "", ""},
		{"a formatter changes the change", head, strings.Replace(edited, "x = 2", "x = 2  # two", 1), strings.Replace(edited, "x = 2", "x = 2  # two", 1), "", ""},
		{"part of the file is staged", strings.Replace(head, "g", "G", 1), strings.Replace(edited, "g", "G", 1), edited, strings.Replace(head, "g", "G", 1), ""},
		{"the change builds on what is not committed", strings.Replace(head, "a\n", "A\n", 1), strings.Replace(edited, "a\n", "A\n", 1), "", "", "builds on your uncommitted changes"},
		{"the user took it back by hand", head, head, "", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newGitBench(t, replies(xIsTwo, "Set x"), map[string]string{"a.py": head})
			if c.staged != "" {
				b.put("a.py", c.staged)
				b.git("add", "a.py")
			}
			b.put("a.py", c.before)
			b.ws.DidOpen("a.py", c.before, 1)
			rec := b.twoOfIt()
			b.save("a.py", c.saved)
			got := b.commits(rec)
			if c.commit == "" {
				if n := b.git("rev-list", "--count", "HEAD"); n != "1\n" {
					t.Errorf("%s commits", n)
				}
				if (c.reason != "") != (len(got) == 1) || len(got) == 1 && !strings.Contains(got[0].Reason, c.reason) {
					t.Errorf("told %+v", got)
				}
				return
			}
			if len(got) != 1 || got[0].Reason != "" {
				t.Fatalf("told %+v", got)
			}
			if text := b.git("show", "HEAD:a.py"); text != c.commit {
				t.Errorf("the commit has\n%s", text)
			}
			if raw, err := os.ReadFile(filepath.Join(b.root, "a.py")); err != nil || string(raw) != c.saved {
				t.Errorf("the file holds %q, %v", raw, err)
			}
			staged := c.commit
			if c.staged != "" {
				staged = strings.Replace(c.staged, "x = 1", "x = 2", 1)
			}
			if text := b.git("show", ":a.py"); text != staged {
				t.Errorf("staged is\n%s", text)
			}
		})
	}
}

// With git.mode commitAll the user's own changes of the files become a commit of their own before; those of other files
// do not.
func TestDirtyFilesAreCommittedFirst(t *testing.T) {
	b := newGitBench(t, replies(strings.Replace(xIsTwo, "x = 1", "x = 0", 1), "Set x to zero", "Set x to two"), map[string]string{"a.py": "x = 1\n", "b.py": "x\n"})
	b.settings.Git.Mode, b.settings.Git.Attribution = settings.GitCommitAll, settings.AttributionTrailer
	b.put("a.py", "x = 0\n")
	b.put("b.py", "y\n")
	rec := b.twoOfIt()
	got := b.commits(rec)
	if len(got) != 1 || got[0].Reason != "" || len(got[0].Notes) == 0 {
		t.Fatalf("told %+v", got)
	}
	if log := b.git("log", "--format=%s|%an|%cn", "-p", "--unified=0", "-2"); !strings.Contains(log, "Set x to two|Ann|Ann\n") || !strings.Contains(log, "Set x to zero|Ann|Ann (coauthor)\n") || strings.Index(log, "+x = 2") > strings.Index(log, "+x = 0") {
		t.Errorf("the log is\n%s", log)
	}
	if status := b.git("status", "--porcelain"); status != " M b.py\n" {
		t.Errorf("afterwards %q", status)
	}
}

// Files that a turn creates, moves and deletes are in its commit, also from a root below the top.
func TestACommitOfEveryKindOfChange(t *testing.T) {
	b := newGitBench(t, replies("new/b.py\n```\n<<<<<<< SEARCH\n=======\ny = 1\n>>>>>>> REPLACE\n```\n\n"+xIsTwo, "Do it"), map[string]string{"a.py": "x = 1\n", ".gitignore": "*.log\n"})
	rec := b.twoOfIt()
	if got := b.commits(rec); len(got) != 1 || got[0].Reason != "" {
		t.Fatalf("told %+v", got)
	}
	if got := b.git("show", "--name-status", "--format=", "HEAD"); got != "M\ta.py\nA\tnew/b.py\n" {
		t.Errorf("the commit has %q", got)
	}
}

// Where the model writes nothing, refuses or fails, the message is what the user asked for, and that is said.
func TestMessagesWithoutAModel(t *testing.T) {
	for name, script := range map[string]string{
		"fails":   "-- 1.md --\n" + xIsTwo + "-- 2.md --\n-- 2.yaml --\nstatus: 500\n-- 3.md --\n-- 3.yaml --\nstatus: 500\n",
		"nothing": "-- 1.md --\n" + xIsTwo + "-- 2.md --\nSigned-off-by: Boss <b@example.org>\n",
	} {
		t.Run(name, func(t *testing.T) {
			b := newGitBench(t, script, map[string]string{"a.py": "x = 1\n"})
			rec := b.twoOfIt()
			got := b.commits(rec)
			if len(got) != 1 || got[0].Hash == "" || len(got[0].Notes) != 1 {
				t.Fatalf("told %+v", got)
			}
			if log := b.git("log", "-1", "--format=%B"); log != "Make x two.\n\n" {
				t.Errorf("the message is %q", log)
			}
		})
	}
}

// In a repository that cannot take a commit now, or whose hook says no, nothing is lost and the reason is told.
func TestATurnThatCannotBeCommitted(t *testing.T) {
	for reason, begin := range map[string]func(b *bench){
		"A rebase is in progress": func(b *bench) { b.put(".git/rebase-merge/done", "") },
		"detached HEAD":           func(b *bench) { b.git("checkout", "-q", "--detach") },
		"x must not be two":       func(b *bench) { b.hook("pre-commit", "echo x must not be two >&2; exit 1\n") },
		"was not in git before":   func(b *bench) { b.git("rm", "-q", "--cached", "a.py"); b.git("commit", "-q", "-m", "away") },
	} {
		t.Run(reason, func(t *testing.T) {
			b := newGitBench(t, replies(xIsTwo, "Set x"), map[string]string{"a.py": "x = 1\n", "b.py": "y\n"})
			begin(b)
			before := b.git("rev-parse", "HEAD")
			rec := b.twoOfIt()
			got := b.commits(rec)
			if len(got) != 1 || got[0].Hash != "" || !strings.Contains(got[0].Reason, reason) {
				t.Errorf("told %+v", got)
			}
			if raw, err := os.ReadFile(filepath.Join(b.root, "a.py")); err != nil || string(raw) != "x = 2\n" {
				t.Errorf("the file holds %q, %v", raw, err)
			}
			if b.git("rev-parse", "HEAD") != before || b.git("diff", "--cached", "--name-only") != "" {
				t.Error("something was written into the repository")
			}
		})
	}
}

// A repository without a commit gets its first one; outside of any nothing is said.
func TestTheFirstCommitIsATurns(t *testing.T) {
	b := newGitBench(t, replies("n.py\n```\n<<<<<<< SEARCH\n=======\ny = 1\n>>>>>>> REPLACE\n```\n", "Begin"), map[string]string{"a.py": "x = 1\n"})
	b.git("update-ref", "-d", "refs/heads/main")
	b.git("rm", "-q", "--cached", "-r", ".")
	rec := b.twoOfIt()
	if got := b.commits(rec); len(got) != 1 || got[0].Reason != "" || b.git("ls-tree", "-r", "--name-only", "HEAD") != "n.py\n" {
		t.Errorf("told %+v", got)
	}
	other := newBench(t, replies(xIsTwo), map[string]string{"a.py": "x = 1\n"})
	other.settings.Git.Mode = settings.GitCommit
	rec = other.twoOfIt()
	if got := other.commits(rec); len(got) != 0 {
		t.Errorf("outside of git: %+v", got)
	}
}

// A turn that is undone before it is saved is not committed.
func TestAnUndoneTurnIsNotCommitted(t *testing.T) {
	b := newGitBench(t, replies(xIsTwo, "Set x"), map[string]string{"a.py": "x = 1\n"})
	b.ws.DidOpen("a.py", "x = 1\n", 1)
	started, rec := b.start(agent.Request{Instruction: "Make x two.", Files: []string{"a.py"}})
	b.accept(b.wait(started.Turn))
	if _, err := b.session.Proposals.Undo(t.Context(), started.Turn, editorDelivery{b}); err != nil {
		t.Fatal(err)
	}
	b.save("a.py", "x = 2\n")
	if got := b.commits(rec); len(got) != 0 {
		t.Errorf("told %+v", got)
	}
}
