package agent_test

import (
	"strings"
	"testing"

	"coauthor/agent/commit"
	"coauthor/agent/settings"
)

// Who stands in a commit as its author and committer, and what the model is told about writing its message, is what the
// user's file of settings says: for the commit of a turn, and for one that the user asks for.
func TestSettingsReachTheCommit(t *testing.T) {
	const own = "git.commitPrompt: Write the subject as a question.\n"
	for file, want := range map[string]struct{ turn, asked string }{
		"":                                 {"Ann|Ann", "Ann|Ann (coauthor)"},
		"git.attribution: name\n":          {"Ann (coauthor)|Ann (coauthor)", "Ann|Ann (coauthor)"},
		"git.attribution: off\n":           {"Ann|Ann", "Ann|Ann"},
		"git.attribution: trailer\n" + own: {"Ann|Ann", "Ann|Ann (coauthor)"},
	} {
		t.Run(file, func(t *testing.T) {
			b := newGitBench(t, replies(xIsTwo, "Is x two now?", "Why not three?"), map[string]string{"a.py": "x = 1\n"})
			set, warnings := settings.Load(settings.LoadOptions{UserFile: []byte("git.mode: commit\n" + file)})
			if len(warnings) > 0 {
				t.Fatal(warnings)
			}
			b.settings.Git = set.Git
			if got := b.commits(b.twoOfIt()); len(got) != 1 || got[0].Reason != "" {
				t.Fatalf("told %+v", got)
			}
			b.put("a.py", "x = 3\n")
			if _, err := b.session.Commits.Commit(t.Context(), commit.Request{}); err != nil {
				t.Fatal(err)
			}
			if got, want := b.git("log", "-2", "--format=%s|%an|%cn"), "Why not three?|"+want.asked+"\nIs x two now?|"+want.turn+"\n"; got != want {
				t.Errorf("the log is\n%swant\n%s", got, want)
			}
			requests := b.server.Requests()
			if len(requests) != 3 {
				t.Fatalf("%d requests", len(requests))
			}
			for i, r := range requests {
				told := r.Messages[0].Content == "Write the subject as a question."
				if told != (i > 0 && strings.Contains(file, own)) {
					t.Errorf("request %d begins with %q", i+1, r.Messages[0].Content)
				}
			}
		})
	}
}
