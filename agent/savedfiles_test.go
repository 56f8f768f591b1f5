package agent_test

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/agent/settings"
	"coauthor/agent/workspace"
)

// waitingFiles are the files of turns that wait for their commit.
func waitingFiles(t *testing.T, state string) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(state, "commits", "*.waiting", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// next begins a session of the same folder in another engine, and waits until what can be committed is. It returns
// what is told of commits.
func (b *bench) next(state string, now time.Time) (told []*event.Commit) {
	b.t.Helper()
	b.engine.Close()
	o := b.options(state)
	o.Clock = func() time.Time { return now }
	rec := &recorder{}
	o.Sink = func(_ *workspace.Workspace, e event.Event) { rec.sink(e) }
	b.engine = agent.NewEngine(o)
	b.t.Cleanup(b.engine.Close)
	b.session = b.engine.Session(b.ws)
	return b.commits(rec)
}

// A turn that was accepted and is saved when nobody is there any more, or in the moment in which the server ends, is
// committed by the one that comes next: by nobody else as long as its own server runs, and not when it was taken back,
// when the user does not want commits any more, or after a week.
func TestATurnIsCommittedByTheNextServer(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	dead := proposal.ThisProcess()
	dead.PID, dead.Start = 1<<30, "0"
	alive := proposal.ThisProcess()
	alive.PID, alive.Start = os.Getppid(), "0"
	far := proposal.ThisProcess()
	far.Host = "0000"
	owned := func(owner proposal.Owner) func(b *bench, turn, file string) {
		return func(b *bench, _, file string) {
			b.engine.Close()
			b.put("a.py", "x = 2\n")
			_, id, _ := strings.Cut(filepath.Base(file), ".")
			if err := os.Rename(file, filepath.Join(filepath.Dir(file), owner.Name()+"."+id)); err != nil {
				b.t.Fatal(err)
			}
		}
	}
	for name, c := range map[string]struct {
		before    func(b *bench, turn, file string)
		committed bool
		kept      int // files afterwards
	}{
		"saved later":             {func(b *bench, _, _ string) { b.engine.Close(); b.put("a.py", "x = 2\n") }, true, 0},
		"of a process that ended": {owned(dead), true, 0},
		"of a process that runs":  {owned(alive), false, 1},
		"of another machine":      {owned(far), false, 1},
		"not saved":               {func(b *bench, _, _ string) { b.engine.Close() }, false, 1},
		"committed by hand": {func(b *bench, _, _ string) {
			b.engine.Close()
			b.put("a.py", "x = 2\n")
			b.git("commit", "-qam", "mine")
		}, false, 0},
		"not to be committed": {func(b *bench, _, _ string) { b.put("a.py", "x = 2\n"); b.settings.Git.Mode = settings.GitOff }, false, 0},
		"a week ago": {func(b *bench, _, file string) {
			b.put("a.py", "x = 2\n")
			replaceIn(b.t, file, `"since":"2026-01-02`, `"since":"2025-12-25`)
		}, false, 0},
		"not quite a week ago": {func(b *bench, _, file string) {
			b.put("a.py", "x = 2\n")
			replaceIn(b.t, file, `"since":"2026-01-02`, `"since":"2025-12-26`)
		}, true, 0},
		"the file is cut": {func(b *bench, _, file string) { b.put("a.py", "x = 2\n"); b.cut(file) }, false, 0},
		"the file is another one's": {func(b *bench, _, file string) {
			b.put("a.py", "x = 2\n")
			replaceIn(b.t, file, `"proposal":"`, `"proposal":"x`)
		}, false, 0},
		"undone": {func(b *bench, turn, _ string) {
			if _, err := b.session.Proposals.Undo(b.t.Context(), turn, editorDelivery{b}); err != nil {
				b.t.Fatal(err)
			}
			b.commits(&recorder{})
			b.put("a.py", "x = 2\n")
		}, false, 0},
		"saved as the server ended": {func(b *bench, _, _ string) {
			b.save("a.py", "x = 2\n")
			if err := b.server.WaitHeld(b.t.Context(), 1); err != nil {
				b.t.Fatal(err)
			}
			b.engine.Close()
			b.server.Release()
		}, true, 0},
	} {
		t.Run(name, func(t *testing.T) {
			b := newGitBench(t, "-- 1.md --\n"+xIsTwo+"\n-- 2.yaml --\nhold: "+map[bool]string{true: "true", false: "false"}[name == "saved as the server ended"]+
				"\n-- 2.md --\nSet x to two\n-- 3.md --\nSet x to two\n", map[string]string{"a.py": "x = 1\n"})
			state := t.TempDir()
			b.next(state, now)
			b.ws.DidOpen("a.py", "x = 1\n", 1)
			started, rec := b.start(agent.Request{Instruction: "Make x two.", Files: []string{"a.py"}})
			b.accept(b.wait(started.Turn))
			if got := b.commits(rec); len(got) != 0 {
				t.Fatalf("committed before it was saved: %+v", got)
			}
			files := waitingFiles(t, state)
			if len(files) != 1 {
				t.Fatalf("kept: %v", files)
			}
			c.before(b, started.Turn, files[0])
			b.engine.Close()
			b.ws.DidClose("a.py")
			told := b.next(state, now)
			if committed := len(told) == 1 && told[0].Reason == "" && told[0].Subject == "Set x to two"; committed != c.committed || !committed && len(told) > 0 {
				t.Errorf("told %+v", told)
			}
			if log := b.git("log", "-1", "--format=%s"); (log == "Set x to two\n") != c.committed {
				t.Errorf("the last commit is %s", log)
			}
			if files := waitingFiles(t, state); len(files) != c.kept {
				t.Errorf("afterwards these wait: %v", files)
			}
		})
	}
}

// replaceIn changes a file on disk.
func replaceIn(t *testing.T, file, old, new string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err == nil && !strings.Contains(string(text), old) {
		t.Fatalf("no %s in %s", old, text)
	}
	if err == nil {
		err = os.WriteFile(file, []byte(strings.Replace(string(text), old, new, 1)), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// cut leaves the first half of a file.
func (b *bench) cut(file string) {
	b.t.Helper()
	info, err := os.Stat(file)
	if err == nil {
		err = os.Truncate(file, info.Size()/2)
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

// An editor that is started again is there before its old server has gone.
func TestATurnIsCommittedOnceItsServerEnds(t *testing.T) {
	b := newGitBench(t, replies(xIsTwo, "Set x to two"), map[string]string{"a.py": "x = 1\n"})
	state := t.TempDir()
	b.next(state, b.clock)
	b.ws.DidOpen("a.py", "x = 1\n", 1)
	b.commits(b.twoOfIt())
	b.engine.Close()
	b.put("a.py", "x = 2\n")
	b.ws.DidClose("a.py")
	old := exec.Command(os.Args[0], "-test.run", "^TestRunsUntilItIsEnded$", "-test.v")
	old.Env = append(os.Environ(), "COAUTHOR_TEST_RUNS=1")
	in, err := old.StdinPipe()
	if err == nil {
		err = old.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	owner := proposal.ThisProcess()
	owner.PID, owner.Start = old.Process.Pid, "0"
	file := waitingFiles(t, state)[0]
	_, id, _ := strings.Cut(filepath.Base(file), ".")
	if err := os.Rename(file, filepath.Join(filepath.Dir(file), owner.Name()+"."+id)); err != nil {
		t.Fatal(err)
	}
	o := b.options(state)
	o.Clock = func() time.Time { return b.clock }
	told := make(chan *event.Commit, 1)
	o.Sink = func(_ *workspace.Workspace, e event.Event) {
		if e.Kind == event.KindCommit {
			told <- e.Commit
		}
	}
	b.engine = agent.NewEngine(o)
	t.Cleanup(b.engine.Close)
	b.session = b.engine.Session(b.ws)
	if got := b.commits(&recorder{}); len(got) != 0 || b.git("log", "-1", "--format=%s") != "first\n" {
		t.Errorf("committed under the hands of a server that runs: %+v", got)
	}
	_ = in.Close()
	_ = old.Wait() // how it ended does not matter
	select {
	case c := <-told:
		if c.Subject != "Set x to two" {
			t.Errorf("told %+v", c)
		}
	case <-deadline(t).Done():
		t.Fatal("never committed")
	}
}

// TestRunsUntilItIsEnded is the other process of the test above.
func TestRunsUntilItIsEnded(t *testing.T) {
	if os.Getenv("COAUTHOR_TEST_RUNS") == "" {
		t.Log("only with another test")
		return
	}
	_, _ = io.Copy(io.Discard, os.Stdin)
}
