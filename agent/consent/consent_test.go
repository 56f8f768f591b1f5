package consent

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coauthor/agent/event"
	"coauthor/agent/settings"
	"coauthor/agent/verify"
	"coauthor/agent/workspace"
)

// opened is a Store for a folder, as each start of the program makes one.
func opened(t *testing.T, root, state string) *Store {
	t.Helper()
	ws, err := workspace.Open(root, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := ws.Close(); err != nil {
			t.Error(err)
		}
	})
	return New(Options{Workspace: ws, StateDir: state, Settings: settings.Defaults, Log: slog.New(slog.DiscardHandler)})
}

// answers puts questions to a user who always says the same, and counts them.
type answers struct {
	choice string
	asked  []event.Question
}

func (a *answers) ask(_ context.Context, q event.Question) (event.Answer, error) {
	a.asked = append(a.asked, q)
	return event.Answer{Choice: a.choice}, nil
}

// TestACommandIsAllowedForItsTextAndFolder: a yes is kept for the next start, a no for this one, and neither counts for
// another argument or another folder at the same path.
func TestACommandIsAllowedForItsTextAndFolder(t *testing.T) {
	state, root := t.TempDir(), filepath.Join(t.TempDir(), "project")
	if err := os.Mkdir(root, 0o700); err != nil {
		t.Fatal(err)
	}
	run := func(s *Store, a *answers, argv ...string) bool {
		t.Helper()
		yes, err := s.Commands(a.ask)(t.Context(), verify.Wanted{Command: argv})
		if err != nil {
			t.Fatal(err)
		}
		return yes
	}
	yes, no := &answers{choice: "run"}, &answers{choice: "skip"}
	first := opened(t, root, state)
	if run(first, no, "make", "lint") || run(first, yes, "make", "lint") || len(no.asked) != 1 || len(yes.asked) != 0 {
		t.Errorf("a no counts as long as the session: asked %d and %d times", len(no.asked), len(yes.asked))
	}
	if !run(first, yes, "make", "test") || !strings.Contains(yes.asked[0].Text, "make test") {
		t.Errorf("asked %+v", yes.asked)
	}
	second := opened(t, root, state)
	if !run(second, no, "make", "test") || len(no.asked) != 1 {
		t.Error("a yes counts after a new start")
	}
	if run(second, no, "make", "test", "-k") || len(no.asked) != 2 {
		t.Error("another argument is another question")
	}
	if err := os.Rename(root, root+".old"); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(root, 0o700); err != nil {
		t.Fatal(err)
	}
	if run(opened(t, root, state), no, "make", "test") || len(no.asked) != 3 {
		t.Error("another folder at the same path is another question")
	}
}

// TestOnceAsksUntilSomebodyAnswers: silence and errors are no answers.
func TestOnceAsksUntilSomebodyAnswers(t *testing.T) {
	s := opened(t, t.TempDir(), "")
	asked := 0
	once := func(yes, answered bool, err error) (bool, bool, error) {
		return s.Once("rules", func() (bool, bool, error) { asked++; return yes, answered, err })
	}
	broken := errors.New("broken")
	if _, _, err := once(true, true, broken); !errors.Is(err, broken) {
		t.Error(err)
	}
	if yes, answered, _ := once(true, false, nil); yes || answered {
		t.Error("nobody answered")
	}
	once(false, true, nil)
	if yes, answered, err := once(true, true, nil); yes || !answered || err != nil || asked != 3 {
		t.Errorf("%v, %v, %v after %d questions", yes, answered, err, asked)
	}
}

// TestALongCommandStandsBelowTheQuestion: nothing of what is agreed to is cut.
func TestALongCommandStandsBelowTheQuestion(t *testing.T) {
	long := strings.Repeat("x", 500)
	q := question(verify.Wanted{Command: verify.Command{"make", long}, Script: "rm -rf build"})
	if !strings.Contains(q.Body, long) || !strings.Contains(q.Body, "rm -rf build") || strings.Contains(q.Text, long) || q.Titles[0] != "run it" {
		t.Errorf("%+v", q)
	}
}
