package review

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/agent/workspace"
)

// A text is shown where the client shows texts; one that it has already is fetched again when it is another one. Where
// nothing is shown the user is told where the text is, or the text.
func TestShowingAText(t *testing.T) {
	var answers Answers
	u := &user{virtual: true}
	r, _, _ := newReview(t, u)
	for i, text := range []string{"one", "one", "two"} {
		if got := r.ShowMarkdown(t.Context(), &answers, "answer-1.md", text); got != "" || len(u.shown) != i+1 || u.shown[i] != VirtualURI("answer-1.md") {
			t.Errorf("%q, shown %q", got, u.shown)
		}
		if kept, ok := answers.Get(VirtualURI("answer-1.md")); !ok || kept != text || len(u.refreshed) != max(0, i-1) {
			t.Errorf("%q, refreshed %q", kept, u.refreshed)
		}
	}
	u.noShow = true
	if got := r.ShowMarkdown(t.Context(), &answers, "answer-2.md", "x"); !strings.Contains(got, VirtualURI("answer-2.md")) {
		t.Errorf("%q", got)
	}

	u = &user{}
	r, _, _ = newReview(t, u)
	file := filepath.Join(r.Root.Dir, OwnFolder, "answer-1.md")
	if got := r.ShowMarkdown(t.Context(), &answers, "answer-1.md", "text"); got != "" || len(u.shown) != 1 || len(u.refreshed) > 0 {
		t.Errorf("%q, shown %q", got, u.shown)
	}
	if raw, err := os.ReadFile(file); err != nil || string(raw) != "text" {
		t.Errorf("%q, %v", raw, err)
	}
	u.noShow = true
	if got := r.ShowMarkdown(t.Context(), &answers, "answer-1.md", "text"); !strings.Contains(got, file) {
		t.Errorf("%q", got)
	}
	rootless, err := workspace.Open("", workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r.Root.Workspace = rootless
	if got := r.ShowMarkdown(t.Context(), &answers, "answer-1.md", "\n text\n"); got != "text" {
		t.Errorf("%q", got)
	}
}

// The newest answers stay below the folder, those that are open, and what is no answer.
func TestOldAnswersGo(t *testing.T) {
	var answers Answers
	r, _, _ := newReview(t, &user{})
	r.Root.Open = func(path string) bool { return filepath.Base(path) == "answer-0.md" }
	r.ShowMarkdown(t.Context(), &answers, "other.md", "text")
	for i := range KeptAnswerFiles + 3 {
		name := fmt.Sprintf("answer-%d.md", i)
		r.ShowMarkdown(t.Context(), &answers, name, "text")
		then := time.Now().Add(time.Duration(i-1000) * time.Second)
		if err := os.Chtimes(filepath.Join(r.Root.Dir, OwnFolder, name), then, then); err != nil {
			t.Fatal(err)
		}
	}
	r.ShowMarkdown(t.Context(), &answers, "map.md", "text") // which takes none away
	for i := range KeptAnswerFiles + 3 {
		_, err := os.Stat(filepath.Join(r.Root.Dir, OwnFolder, fmt.Sprintf("answer-%d.md", i)))
		if kept := i == 0 || i >= 3; (err == nil) != kept {
			t.Errorf("answer %d: %v", i, err)
		}
	}
	if _, err := os.Stat(filepath.Join(r.Root.Dir, OwnFolder, "other.md")); err != nil {
		t.Error(err)
	}
}

// A proposal is shown again when the user asks for it: that counts as seen, and where no document opens a message says
// where it is.
func TestShowingAgain(t *testing.T) {
	for _, test := range []struct {
		name  string
		user  user
		views Views
		shown int
		told  int
		uri   bool
	}{
		{"a document", user{}, Views{}, 1, 0, true},
		{"no file", user{virtual: true}, Views{}, 1, 0, true},
		{"nothing opens", user{noShow: true}, Views{}, 0, 1, true},
		{"our own client", user{}, Views{Pending: true}, 0, 0, false},
	} {
		u := &test.user
		r, _, p := newReview(t, u)
		r.Views = test.views
		got, uri, err := r.Show(t.Context(), proposal.Selector{})
		if err != nil || got.ID != p.ID || (uri != "") != test.uri || len(u.shown) != test.shown || len(u.told) != test.told {
			t.Errorf("%s: %q, %v, shown %q, told %q", test.name, uri, err, u.shown, u.told)
		}
		if now, _ := r.Root.Proposals.Get(p.ID); now.Shown != now.Revision || !now.Pending() {
			t.Errorf("%s: shown %d", test.name, now.Shown)
		}
		if _, err := r.Discard(proposal.Selector{}); err != nil || len(u.told) != test.told+1 {
			t.Errorf("%s: %v, told %q", test.name, err, u.told)
		}
		if _, _, err := r.Show(t.Context(), proposal.Selector{}); !errors.Is(err, proposal.ErrNone) {
			t.Errorf("%s: nothing is pending: %v", test.name, err)
		}
		if _, err := r.Discard(proposal.Selector{}); err == nil || len(u.told) != test.told+1 {
			t.Errorf("%s: discarded again: %v, told %q", test.name, err, u.told)
		}
	}
	u := &user{}
	r, _, _ := newReview(t, u)
	if err := os.WriteFile(filepath.Join(r.Root.Dir, OwnFolder), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := r.Show(t.Context(), proposal.Selector{}); err == nil || len(u.shown)+len(u.told) > 0 {
		t.Errorf("where no document can be written: %v, told %q", err, u.told)
	}
}

// What became of it is told by its kind: done, or something to look at.
func TestReportOfAnOutcome(t *testing.T) {
	for status, kind := range map[proposal.Status]string{
		proposal.StatusApplied: "3 ", proposal.StatusUndone: "3 ", proposal.StatusPartial: "2 ", proposal.StatusConflict: "2 ", proposal.StatusUnverified: "2 ", proposal.StatusPending: "2 ",
	} {
		u := &user{}
		r, _, p := newReview(t, u)
		r.Report(proposal.Outcome{Proposal: p.ID, Status: status, Files: []proposal.FileOutcome{{Path: "a", State: proposal.LandLanded}}, Reason: "why"})
		if len(u.told) != 1 || !strings.HasPrefix(u.told[0], kind) || len(u.logged) != 1 || !strings.HasPrefix(u.logged[0], kind) {
			t.Errorf("%s: told %q, logged %q", status, u.told, u.logged)
		}
		if done := kind == "3 "; strings.Contains(u.told[0], CountFiles(2)) != done { // which are still open
			t.Errorf("%s: told %q", status, u.told)
		}
		if _, err := r.Root.Proposals.Discard(revision(p)); err != nil {
			t.Fatal(err)
		}
		r.Report(proposal.Outcome{Proposal: p.ID, Status: status, Files: []proposal.FileOutcome{{Path: "a", State: proposal.LandLanded}}})
		if strings.Contains(u.told[1], CountFiles(2)) {
			t.Errorf("%s: told %q", status, u.told)
		}
	}
}

// failing is a delivery that fails.
type failing struct {
	*landing
	err error
}

func (d failing) Deliver(context.Context, string, []proposal.Step) ([]proposal.Landed, error) {
	return nil, d.err
}

// A proposal that cannot be applied is told with its reason; one that is decided, or who gave up, is not.
func TestApplyingFails(t *testing.T) {
	u := &user{}
	r, d, p := newReview(t, u)
	stale := *p
	stale.Revision++
	r.Apply(t.Context(), &stale, false)
	if len(u.told) != 1 || !strings.HasPrefix(u.told[0], "1 ") || len(d.reports) > 0 {
		t.Errorf("told %q, reports %+v", u.told, d.reports)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r.Deliver = func(bool) Delivery { return failing{d, ctx.Err()} }
	r.Apply(ctx, p, false)
	if len(u.told) != 1 || len(d.reports) > 0 {
		t.Errorf("told %q, reports %+v", u.told, d.reports)
	}
}

// The dialog, and what says that a proposal waits, tell what is against it: a warning, and what the model wanted and is
// no part of it. Who is gone is asked nothing.
func TestWhatIsAgainstIt(t *testing.T) {
	for _, test := range []struct {
		warnings []string
		refused  []string
		kind     string
		says     []string
	}{
		{nil, nil, "3 ", nil},
		{[]string{"f is gone."}, nil, "2 ", []string{"f is gone. "}},
		{[]string{"f is gone", "g is gone"}, nil, "2 ", []string{"2 ", "f is gone"}},
		{nil, []string{"b was not read."}, "3 ", []string{"b was not read"}},
		{nil, []string{"b was not read", "c was not read"}, "3 ", []string{"2 edits"}},
	} {
		u := &user{picks: []string{""}}
		r, _, p := newReview(t, u, test.warnings...)
		r.Refused = func(turn string) []string {
			if turn != p.Turn {
				t.Errorf("asked about the turn %s", turn)
			}
			return test.refused
		}
		r.Preview(t.Context(), *p, "diff")
		if len(u.asked) != 1 || len(u.told) != 1 || !strings.HasPrefix(u.asked[0][0], test.kind) || !strings.HasPrefix(u.told[0], test.kind) {
			t.Fatalf("asked %q, told %q", u.asked, u.told)
		}
		for _, text := range []string{u.asked[0][0], u.told[0]} {
			mustHold(t, text, test.says...)
			mustHold(t, text, "make it better", "2 files, +2 -1")
			if strings.Contains(text, "..") {
				t.Errorf("%q", text)
			}
		}
		if gone := strings.Contains(u.asked[0][0], "gone"); gone != (len(test.warnings) > 0) || len(test.warnings) > 1 && strings.Contains(u.asked[0][0], "g is gone") {
			t.Errorf("asked %q", u.asked[0])
		}
	}
	for _, when := range []int{1, 2} {
		u := &user{picks: []string{ChoiceApply}}
		r, d, p := newReview(t, u)
		calls := 0
		r.Quiet = func(context.Context) error {
			if calls++; calls == when {
				return errors.New("gone")
			}
			return nil
		}
		r.Preview(t.Context(), *p, "diff")
		if len(u.asked)+len(u.told)+d.plans > 0 || len(u.shown) != when-1 {
			t.Errorf("gone at %d: asked %q, told %q, shown %q", when, u.asked, u.told, u.shown)
		}
	}
	u := &user{picks: []string{ChoiceApply}}
	r, d, p := newReview(t, u)
	ctx, cancel := context.WithCancel(t.Context())
	u.before = cancel
	r.Preview(ctx, *p, "diff")
	if now, _ := r.Root.Proposals.Get(p.ID); now.State != event.ProposalPending || d.plans+len(u.told) > 0 {
		t.Errorf("gone in the dialog: %s, told %q", now.State, u.told)
	}
}

// The question stands above its answer as a quote; neither gets the user's editor to do anything.
func TestDocumentOfAnAnswer(t *testing.T) {
	text := AnswerDocument(" what is\nthis?\n", "\n![x](https://example.com/x.png)\ntext\n\n")
	lines := strings.Split(text, "\n")
	if !slices.Equal(lines[:3], []string{"> what is", "> this?", ""}) || !strings.HasSuffix(text, "\ntext\n") || strings.Contains(text, "![x](https") {
		t.Errorf("%q", text)
	}
	for _, uri := range []string{"coauthor:/%zz", "coauthor"} {
		if got := VirtualName(uri); got != "" {
			t.Errorf("%s is %q", uri, got)
		}
	}
}
