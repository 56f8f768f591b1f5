package agent_test

import (
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/codereview"
	"coauthor/agent/event"
)

const reviewed = "It looks unfinished.\n\n```json\n[" +
	`{"path":"a.py","line":7,"code":"x = 2","severity":"error","message":"Too\nfew."},` +
	`{"path":"b/a.py","line":99,"severity":"fatal","message":"At the end."},` +
	`{"path":"../../etc/passwd","line":1,"message":"x"},{"path":"/etc/passwd","line":1,"message":"x"},{"path":"c.py","line":1,"message":"not changed"},{"path":".env","line":1,"message":"secret"},` +
	`{"path":"a.py","line":"1","severity":"INFO","message":"uses a[0] and []"},` +
	`{"path":"a.py","line":-4,"message":""}` + "]\n```\n"

// A review sees what is not committed, or what a branch has changed, and nothing that is not to be sent; what it finds
// is in files of the changes and on lines that they have.
func TestReview(t *testing.T) {
	b := newGitBench(t, replies(reviewed, "All is well.\n\n[]", "Nothing to say."), map[string]string{"a.py": "# a\n# b\nx = 1\n", "c.py": "z\n", ".env": "KEY=1\n"})
	b.put("a.py", "# a\n# b\nx = 2\n")
	b.put(".env", "KEY=hunter2\n")
	b.put("new.py", "n = 1\n")
	review := func(base string, r agent.Request) (agent.Result, []event.Event) {
		t.Helper()
		rec := &recorder{}
		started, err := begin(b.session, agent.Ports{Sink: rec.sink})(b.session.Review(t.Context(), base, r))
		if err != nil {
			t.Fatal(err)
		}
		got := b.wait(started.Turn)
		b.checkEvents(rec.list(), got)
		if got.State != event.TurnAnswered || got.Review == nil || got.Proposal != nil {
			t.Fatalf("%+v", got)
		}
		return got, rec.list()
	}
	sent := func() string {
		list := b.server.Requests()
		var text strings.Builder
		for _, m := range list[len(list)-1].Messages {
			text.WriteString(m.Content)
		}
		return text.String()
	}
	got, _ := review("", agent.Request{Instruction: "Look for races."})
	want := []codereview.Finding{
		{Path: "a.py", Line: 3, Severity: "error", Message: "Too few."},
		{Path: "a.py", Line: 3, Severity: "warning", Message: "At the end."},
		{Path: "a.py", Line: 1, Severity: "information", Message: "uses a[0] and []"},
	}
	if len(got.Review.Findings) != len(want) {
		t.Fatalf("found %+v", got.Review.Findings)
	}
	for i, f := range got.Review.Findings {
		if f != want[i] {
			t.Errorf("found %+v, want %+v", f, want[i])
		}
	}
	if got.Review.Summary != "It looks unfinished." || !strings.Contains(got.Answer, "a.py:3: error: Too few.") {
		t.Errorf("it says %q\n%s", got.Review.Summary, got.Answer)
	}
	text := sent()
	for _, part := range []string{"Look for races.", "+x = 2", "+n = 1"} {
		if !strings.Contains(text, part) {
			t.Errorf("%q was not sent:\n%s", part, text)
		}
	}
	if strings.Contains(text, "hunter2") {
		t.Error("a secret was sent")
	}
	b.git("checkout", "-q", "-b", "side")
	b.git("commit", "-q", "-a", "-m", "mine", "-m", "Because x was too few.")
	b.git("checkout", "-q", "main")
	b.git("commit", "-q", "--allow-empty", "-m", "theirs")
	b.put("theirs.py", "t\n")
	b.git("add", "theirs.py")
	b.git("commit", "-q", "-m", "theirs")
	b.git("checkout", "-q", "side")
	if got, _ := review("main", agent.Request{}); len(got.Review.Findings) != 0 || got.Review.Summary != "All is well." || strings.Contains(sent(), "theirs") || !strings.Contains(sent(), "Because x was too few.") || !strings.Contains(sent(), "+x = 2") {
		t.Errorf("of the branch: %+v\n%s", got.Review, sent())
	}
	got, events := review("main", agent.Request{})
	warned := false
	for _, e := range events {
		warned = warned || e.Kind == event.KindNote && strings.Contains(e.Note.Text, "valid list of findings")
	}
	if got.Review.Summary != "Nothing to say." || !warned {
		t.Errorf("without a list: %+v, warned %v", got.Review, warned)
	}
	if x, ok := b.session.Conversation.History.Last(); !ok || strings.Contains(x.User, "+x = 2") {
		t.Errorf("the history has %+v", x)
	}
	b.git("stash", "-q", "-u")
	for _, base := range []string{"", "nowhere", "--all"} {
		if _, err := begin(b.session, agent.Ports{})(b.session.Review(t.Context(), base, agent.Request{})); err == nil {
			t.Errorf("%q was reviewed", base)
		}
	}
}

// Changes that are too many for the model are cut, and that is said.
func TestAReviewOfTooMuch(t *testing.T) {
	b := newGitBench(t, replies("Fine.\n\n[]"), map[string]string{"a.py": "x\n"})
	b.user.ContextWindow = 4000
	b.put("a.py", strings.Repeat("a line of the change\n", 5000))
	rec := &recorder{}
	started, err := begin(b.session, agent.Ports{Sink: rec.sink})(b.session.Review(t.Context(), "", agent.Request{}))
	if err != nil {
		t.Fatal(err)
	}
	if got := b.wait(started.Turn); got.State != event.TurnAnswered {
		t.Fatalf("%+v", got)
	}
	said := ""
	for _, e := range rec.list() {
		if e.Kind == event.KindNote {
			said += e.Note.Text
		}
	}
	if !strings.Contains(said, "reviews only the first part") || len(b.server.Requests()[0].Messages[0].Content) > 16000 {
		t.Errorf("said %q", said)
	}
}
