package agent_test

import (
	"errors"
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/aicomment"
	"coauthor/agent/event"
	"coauthor/agent/settings"
	"coauthor/agent/workspace"
)

// doComments begins a turn for comments and waits for its end; "" and false is none.
func (b *bench) doComments(at aicomment.Place) (agent.Result, []event.Event, bool) {
	b.t.Helper()
	rec := &recorder{}
	started, err := begin(b.session, agent.Ports{Sink: rec.sink, Ask: b})(b.session.DoComments(b.t.Context(), at, agent.Request{}, nil))
	if errors.Is(err, aicomment.ErrNone) {
		return agent.Result{}, nil, false
	}
	if err != nil {
		b.t.Fatal(err)
	}
	r := b.wait(started.Turn)
	b.checkEvents(rec.list(), r)
	return r, rec.list(), true
}

// request is what the last request said, without what stood before it.
func (b *bench) request() string {
	list := b.server.Requests()
	messages := list[len(list)-1].Messages
	return messages[len(messages)-1].Content
}

// whole is a place that is a file.
func whole(path string) aicomment.Place { return aicomment.Place{Path: path, Last: -1} }

const twoComments = "a.py\n```python\n<<<<<<< SEARCH\n# Set it to two. AI!\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n```\n\n" +
	"b.py\n```python\n<<<<<<< SEARCH\ny = 1  # ai: this as well\n=======\ny = 2\n>>>>>>> REPLACE\n```\n"

// A turn does what the marked comments say, those of unsaved documents and of files that are not committed, and the
// comments are taken out. What is committed counts only where the whole folder is asked for.
func TestCommentsAreDone(t *testing.T) {
	b := newGitBench(t, replies(twoComments, twoComments, "x"), map[string]string{
		"a.py": "x = 1\n", "b.py": "y = 1\n", "old.py": "# Theirs. AI!\n", ".env": "# mine AI!\nKEY=1\n"})
	b.put("b.py", "y = 1  # ai: this as well\n")
	b.put(".env", "# mine AI!\nKEY=hunter2\n")
	b.put("ask.py", "# Why? AI?\n")
	b.ws.Put(workspace.NewDocument("a.py", "# Set it to two. AI!\nx = 1\n", 1, b.clock))
	r, _, ok := b.doComments(whole("a.py"))
	if !ok || r.State != event.TurnProposed || len(r.Proposal.Files) != 2 || len(r.Proposal.Warnings) > 0 {
		t.Fatalf("%v %+v", ok, r)
	}
	said := b.request()
	for _, part := range []string{"a.py:\nline 1: # Set it to two. AI!", "b.py:\nline 1: y = 1  # ai: this as well", "are instructions to you"} {
		if !strings.Contains(said, part) {
			t.Errorf("%q was not said:\n%s", part, said)
		}
	}
	for _, part := range []string{"Theirs", "Why?", "mine AI!"} {
		if strings.Contains(said, part) {
			t.Errorf("%q was said:\n%s", part, said)
		}
	}
	if r.Proposal.Label != "Set it to two." {
		t.Errorf("the turn is called %q", r.Proposal.Label)
	}
	if _, _, ok = b.doComments(aicomment.Place{}); !ok || !strings.Contains(b.request(), "old.py:\nline 1: # Theirs. AI!") {
		t.Errorf("the whole folder has no old comment:\n%s", b.request())
	}
	if b.sent("hunter2") {
		t.Error("a secret was sent")
	}
}

// sent says whether any request held a text.
func (b *bench) sent(text string) bool {
	for _, r := range b.server.Requests() {
		for _, m := range r.Messages {
			if strings.Contains(m.Content, text) {
				return true
			}
		}
	}
	return false
}

// A question is answered and changes nothing; a comment that is pointed at stands alone.
func TestOneCommentIsMeant(t *testing.T) {
	b := newBench(t, replies("Because.", "Two.", "x", "x"), map[string]string{"a.py": "# One? AI?\n\nx = 1  # Two? AI?\n\n# Three AI!\n\n# hint AI\n"})
	r, _, ok := b.doComments(aicomment.Place{Path: "a.py", First: 2, Last: 2})
	if !ok || r.State != event.TurnAnswered || r.Answer != "Because." {
		t.Fatalf("%v %+v", ok, r)
	}
	said := b.request()
	if !strings.Contains(said, "line 3: x = 1  # Two? AI?\nline 7: # hint AI") || strings.Contains(said, "line 1:") || strings.Contains(said, "line 5:") {
		t.Errorf("said:\n%s", said)
	}
	if _, _, ok := b.doComments(aicomment.Place{Path: "a.py", First: 6, Last: 6}); ok {
		t.Error("a hint began a turn")
	}
	if _, _, ok := b.doComments(whole("a.py")); !ok || !strings.Contains(b.request(), "line 5: # Three AI!") || strings.Contains(b.request(), "line 1:") {
		t.Errorf("an instruction comes before questions; said:\n%s", b.request())
	}
}

// The model is asked again about a comment that it left in a file that it changed.
func TestACommentThatStaysIsAskedAbout(t *testing.T) {
	b := newBench(t, replies("a.py\n```python\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n```\n",
		"a.py\n```python\n<<<<<<< SEARCH\n# Set it to two. AI!\n=======\n>>>>>>> REPLACE\n```\n"), map[string]string{"a.py": "# Set it to two. AI!\nx = 1\n"})
	r, _, _ := b.doComments(whole("a.py"))
	if r.State != event.TurnProposed || r.Proposal.Files[0].Change.After != "x = 2\n" || len(r.Proposal.Warnings) > 0 {
		t.Errorf("%+v", r)
	}
	if said := b.request(); !strings.Contains(said, "take the comment out") {
		t.Errorf("asked again:\n%s", said)
	}
}

// write writes a file as the user does in an editor.
func (b *bench) write(path, text string) {
	b.t.Helper()
	b.session.Comments.Wrote(b.t.Context(), path, b.disk(path), text)
	b.put(path, text)
	b.session.FileChanged(path)
}

// What the file has before the editor tells of it, by a stash, a patch or anything else, begins no turn when it is saved,
// and is told once; nor does it go along with another's turn.
func TestCommentsThatCameWithTheFileBeginNoTurn(t *testing.T) {
	b := newBench(t, replies("One.", "Two.", "Three."), map[string]string{"a.py": "x = 1\n", "b.py": "# theirs AI?\n"})
	wrote := func(path, before, after string) {
		b.ws.Put(workspace.NewDocument(path, after, 2, b.clock))
		b.session.Comments.Wrote(t.Context(), path, before, after)
	}
	save := func(path string, count int, starts string) {
		t.Helper()
		at := whole(path)
		at.Saved = true
		started, err := begin(b.session, agent.Ports{Ask: b})(b.session.DoComments(t.Context(), at, agent.Request{}, nil))
		var came *aicomment.CameWithFileError
		switch {
		case starts != "":
			if err != nil {
				t.Fatalf("nothing started: %v", err)
			}
			b.wait(started.Turn)
			if said := b.request(); !strings.Contains(said, starts) || strings.Contains(said, "line 1:") {
				t.Errorf("not %q alone:\n%s", starts, said)
			}
		case count > 0 && (!errors.As(err, &came) || came.Count != count || came.Path != path), count == 0 && !errors.Is(err, aicomment.ErrNone):
			t.Errorf("%+v %v, want %d comments that came", started, err, count)
		}
	}
	theirs := "# one AI!\nx = 1  # two AI?\n"
	b.put("a.py", theirs)
	wrote("a.py", "x = 1\n", theirs) // read again
	save("a.py", 2, "")
	save("a.py", 0, "")
	for before, after := range map[string]string{
		theirs: "#one AI!\nx = 1 # two AI?\n", // a formatter
		"":     theirs,                        // taken back and repeated
	} {
		wrote("a.py", before, after)
		if save("a.py", 0, ""); t.Failed() {
			t.Logf("from %q to %q", before, after)
		}
	}
	wrote("a.py", theirs, theirs+"# mine AI?\n")
	save("a.py", 0, "line 3: # mine AI?")
	b.put("a.py", theirs+"# mine AI?\n")
	wrote("a.py", theirs+"# mine AI?\n", theirs+"# mine AI?\n\n# more AI?\n")
	b.session.Comments.ForgetWritten("a.py") // opened again
	save("a.py", 1, "")
	wrote("b.py", "# theirs AI?\n", "# theirs AI?\nx = 1\n") // was there when it was opened
	save("b.py", 1, "")
	wrote("new.py", "", "\n# mine AI?\n") // is no file yet
	save("new.py", 0, "line 2: # mine AI?")
}

// Saving a file again begins no other turn, until a comment is new or its turn has failed.
func TestACommentBeginsOneTurnWhenItIsSaved(t *testing.T) {
	b := newBench(t, "-- 1.md --\nOne.\n-- 2.yaml --\nstatus: 400\n-- 2.md --\nbad\n-- 3.md --\nThree.\n-- 4.md --\nFour.\n", map[string]string{"a.py": "x = 0\n"})
	at := whole("a.py")
	at.Saved = true
	for _, step := range []struct {
		text  string
		state event.State // "" is no turn
	}{
		{"# Why? AI?\n", event.TurnAnswered},
		{"# Why? AI?\n", ""},
		{"x = 1\n# Why? AI?\n", ""},
		{"# Why? AI?\n# How? AI?\n", event.TurnFailed},
		{"# Why? AI?\n# How? AI?\n", event.TurnAnswered},
		{"# Why? AI?\n# How? AI?\n", ""},
		{"x = 1\n", ""},
		{"# How? AI?\n", event.TurnAnswered},
	} {
		b.write("a.py", step.text)
		r, _, ok := b.doComments(at)
		if ok != (step.state != "") || r.State != step.state {
			t.Errorf("%q: %v %s, want %q", step.text, ok, r.State, step.state)
		}
	}
}

// What is committed, and what the model wrote itself, begins no turn when the file is saved.
func TestOnlyTheUsersOwnCommentsBeginTurns(t *testing.T) {
	b := newGitBench(t, replies("a.py\n```python\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2  # more AI!\n>>>>>>> REPLACE\n```\n", "x"),
		map[string]string{"a.py": "# Theirs AI!\nx = 1\n"})
	b.settings.Git.Mode = settings.GitOff
	at := whole("a.py")
	at.Saved = true
	if _, _, ok := b.doComments(at); ok {
		t.Error("a comment that is committed began a turn")
	}
	r, _ := b.run(agent.Request{Instruction: "Set it to two.", Target: &agent.Target{Path: "a.py"}})
	b.accept(r)
	if text := b.disk("a.py"); text != "# Theirs AI!\nx = 2  # more AI!\n" {
		t.Fatalf("the file is %q", text)
	}
	if _, _, ok := b.doComments(at); ok {
		t.Error("a comment of the model began a turn")
	}
	b.write("a.py", "# Theirs AI!\nx = 2  # more AI!\n# mine AI!\n")
	if _, _, ok := b.doComments(at); !ok {
		t.Error("the user's comment began none")
	}
}
