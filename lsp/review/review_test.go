package review

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/protocol"

	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/agent/workspace"
	"coauthor/edits"
	"coauthor/lsp/document"
	"coauthor/lsp/wire"
)

// user sits at an editor and decides.
type user struct {
	virtual, noDialog, noShow bool
	picks                     []string // what the user chooses in the dialogs, in order; then nothing
	before                    func()   // what happens while a dialog is open; nil for nothing
	reads                     func()   // what happens before a message is on the screen; nil for nothing

	told      []string // with the kind of message before it
	logged    []string // the same
	refreshed []string
	asked     [][]string
	shown     []string
}

func (u *user) ShowMessage(kind protocol.MessageType, text string) {
	if u.reads != nil {
		u.reads()
	}
	u.told = append(u.told, fmt.Sprintf("%d %s", kind, text))
}

func (u *user) LogMessage(kind protocol.MessageType, text string) {
	u.logged = append(u.logged, fmt.Sprintf("%d %s", kind, text))
}

func (u *user) ShowMessageRequest(_ context.Context, kind protocol.MessageType, text string, choices []string) (string, error) {
	if u.noDialog {
		return "", wire.ErrUnsupported
	}
	u.asked = append(u.asked, append([]string{fmt.Sprintf("%d %s", kind, text)}, choices...))
	if u.before != nil {
		u.before()
	}
	if len(u.asked) > len(u.picks) {
		return "", nil
	}
	return u.picks[len(u.asked)-1], nil
}

func (u *user) ShowDocument(_ context.Context, uri string, _ bool, _ *protocol.Range) (bool, error) {
	if u.noShow {
		return false, wire.ErrUnsupported
	}
	u.shown = append(u.shown, uri)
	return true, nil
}

func (u *user) CanShowVirtual() bool { return u.virtual }

func (u *user) RefreshContent(_ context.Context, uri string) { u.refreshed = append(u.refreshed, uri) }

// landing delivers plans by saying what became of each file: what is not named has landed.
type landing struct {
	r       *Review
	states  map[string]proposal.LandState
	whole   []string
	partly  []string
	native  bool
	plans   int
	reports []proposal.Outcome
}

func (d *landing) Current() *workspace.Snapshot { return d.r.Root.Workspace.Snapshot() }

func (d *landing) Deliver(_ context.Context, _ string, plan []proposal.Step) (list []proposal.Landed, err error) {
	d.plans++
	for _, step := range plan {
		state, named := d.states[step.Change.Path]
		if !named {
			state = proposal.LandLanded
		}
		list = append(list, proposal.Landed{Path: step.Change.Path, State: state})
	}
	return list, nil
}

func (d *landing) LeftOut() (whole, partly []string) { return d.whole, d.partly }

func (d *landing) Report(out proposal.Outcome) { d.reports = append(d.reports, out) }

// newReview reviews a proposal for the files a, which exists, and n, which is new.
func newReview(t *testing.T, u *user, warnings ...string) (*Review, *landing, *proposal.Proposal) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a"), []byte("a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ws, err := workspace.Open(dir, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ws.Close() })
	store := proposal.NewStore(dir, proposal.StoreOptions{})
	p, err := store.Add("t-1", "make it better", []edits.Change{{Path: "a", Op: edits.OpUpdate, Before: "a\n", After: "A\n"},
		{Path: "new/n", Op: edits.OpCreate, After: "n\n"}}, ws.Snapshot(), proposal.Checked{Warnings: warnings})
	if err != nil {
		t.Fatal(err)
	}
	d := &landing{}
	r := &Review{
		Editor: u, Root: Root{Dir: dir, Workspace: ws, Proposals: store, Open: func(string) bool { return false }},
		DialogTime: time.Minute, Diffs: &Diffs{}, Log: slog.New(slog.DiscardHandler),
		Quiet: func(ctx context.Context) error { return ctx.Err() }, Asked: func(ctx context.Context) context.Context { return ctx },
		Deliver: func(native bool) Delivery { d.native = native; return d },
		Origin:  func(string) string { return "" }, Refused: func(string) []string { return nil },
		Name: func(_ *proposal.Proposal, about string) string { return about + ".diff" },
	}
	d.r = r
	return r, d, p
}

// Each choice of the dialog does what it says; whatever is none leaves the proposal as it is, and then one message says
// where the diff is and how to go on.
func TestChoicesOfTheDialog(t *testing.T) {
	for _, c := range []struct {
		name          string
		user          user
		state         event.ProposalState
		asked, shown  int
		plans, told   int
		pending, seen bool // a message says that it waits; it counts as shown
	}{
		{"apply", user{picks: []string{ChoiceApply}}, event.ProposalApplied, 1, 1, 1, 0, false, true},
		{"discard", user{picks: []string{ChoiceDiscard}}, event.ProposalDiscarded, 1, 1, 0, 1, false, true},
		{"keep", user{picks: []string{ChoiceKeep}}, event.ProposalPending, 1, 1, 0, 0, false, true},
		{"closed", user{picks: []string{""}}, event.ProposalPending, 1, 1, 0, 1, true, true},
		{"no choice of ours", user{picks: []string{"Perhaps"}}, event.ProposalPending, 1, 1, 0, 0, false, true},
		{"no dialog", user{noDialog: true}, event.ProposalPending, 0, 1, 0, 1, true, true},
		{"nothing can be shown", user{noShow: true, noDialog: true}, event.ProposalPending, 0, 0, 0, 1, true, true},
		{"apply what was not shown", user{noShow: true, picks: []string{ChoiceApply}}, event.ProposalApplied, 1, 0, 1, 0, false, true},
		{"keep what was not shown", user{noShow: true, picks: []string{ChoiceKeep}}, event.ProposalPending, 1, 0, 0, 1, true, true},
		{"show what cannot be", user{noShow: true, picks: []string{ChoiceShow}}, event.ProposalPending, 1, 0, 0, 1, true, true},
		{"a virtual document", user{virtual: true, picks: []string{ChoiceApply}}, event.ProposalApplied, 1, 1, 1, 0, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			u := &c.user
			r, d, p := newReview(t, u)
			u.reads = func() {
				now, _ := r.Root.Proposals.Get(p.ID)
				if c.pending && c.shown == 0 && now.Shown != 0 {
					t.Error("it counts as shown before the message that shows it")
				}
			}
			r.Preview(t.Context(), *p, "diff")
			now, _ := r.Root.Proposals.Get(p.ID)
			if now.State != c.state || (now.Shown == 1) != c.seen || d.plans != c.plans || d.native || len(d.reports) != c.plans {
				t.Errorf("state %s, shown %d, %d plans, native %v, reports %+v", now.State, now.Shown, d.plans, d.native, d.reports)
			}
			if len(u.asked) != c.asked || len(u.shown) != c.shown || len(u.told) != c.told {
				t.Errorf("asked %q, shown %q, told %q", u.asked, u.shown, u.told)
			}
			if c.pending {
				mustHold(t, u.told[0], "make it better", "2 files, +2 -1", "with a code action")
				if file := filepath.Join(".coauthor", "a.diff"); strings.Contains(u.told[0], file) != !u.virtual || strings.Contains(u.told[0], r.Root.Dir) {
					t.Errorf("told %q", u.told)
				}
			}
			for _, choices := range u.asked {
				if slices.Contains(choices, ChoiceShow) != u.noShow {
					t.Errorf("asked %q", choices)
				}
			}
			if c.shown > 0 {
				_, onDisk := document.PathOfURI(u.shown[0])
				if onDisk == u.virtual || filepath.Base(VirtualName(u.shown[0])) != "a.diff" {
					t.Errorf("shown %q", u.shown)
				}
			}
		})
	}
}

// A proposal that is decided, or replaced, while the dialog is open is left as it is, without a word.
func TestDecidedUnderTheDialog(t *testing.T) {
	for _, pick := range []string{ChoiceApply, ChoiceDiscard, ChoiceKeep, ""} {
		u := &user{picks: []string{pick}}
		r, d, p := newReview(t, u)
		u.before = func() {
			if _, err := r.Root.Proposals.Discard(revision(p)); err != nil {
				t.Error(err)
			}
		}
		r.Preview(t.Context(), *p, "diff")
		if now, _ := r.Root.Proposals.Get(p.ID); now.State != event.ProposalDiscarded || d.plans+len(u.told)+len(d.reports) != 0 {
			t.Errorf("%q: state %s, told %q, reports %+v", pick, now.State, u.told, d.reports)
		}
		r.Preview(t.Context(), *p, "diff")
		if len(u.asked) != 1 || len(u.shown) != 1 {
			t.Errorf("%q: it came again: asked %q, shown %q", pick, u.asked, u.shown)
		}
	}
}

// What is to be applied unseen is, without a dialog; the user stops typing first only where the editor asks. And in a
// client that previews itself, warnings are told before.
func TestWithoutADialog(t *testing.T) {
	typing := errors.New("the user types to the end")
	for _, c := range []struct {
		name, asked string
		views       Views
		asksItself  bool
		warning     string
		typing      bool
		plans, told int
		native      bool
	}{
		{"none", "none", Views{}, false, "", false, 1, 0, false},
		{"inline", "inline", Views{}, false, "", false, 1, 0, false},
		{"none, while the user types", "none", Views{}, false, "", true, 1, 0, false},
		{"none, in an editor that asks", "none", Views{}, true, "", true, 0, 0, false},
		{"native", "auto", Views{Native: true}, false, "", false, 1, 0, true},
		{"native, with a warning", "auto", Views{Native: true}, false, "f is gone", false, 1, 1, true},
		{"native, while the user types", "auto", Views{Native: true}, false, "f is gone", true, 0, 0, false},
		{"our own client", "auto", Views{Pending: true}, true, "f is gone", true, 0, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			u := &user{}
			var warnings []string
			if c.warning != "" {
				warnings = append(warnings, c.warning)
			}
			r, d, p := newReview(t, u, warnings...)
			r.Views, r.AsksItself = c.views, c.asksItself
			if c.typing {
				r.Quiet = func(context.Context) error { return typing }
			}
			r.Preview(t.Context(), *p, c.asked)
			if d.plans != c.plans || len(d.reports) != c.plans || len(u.told) != c.told || d.native != c.native || len(u.asked)+len(u.shown) != 0 {
				t.Errorf("%d plans, reports %+v, told %q, native %v, asked %q, shown %q", d.plans, d.reports, u.told, d.native, u.asked, u.shown)
			}
			if c.told > 0 {
				mustHold(t, u.told[0], fmt.Sprint(uint32(protocol.MessageTypeWarning)), c.warning)
			}
			now, _ := r.Root.Proposals.Get(p.ID)
			if shown := c.views.Native && !c.typing || c.views.Pending; (now.Shown == 1) != shown {
				t.Errorf("shown %d", now.Shown)
			}
		})
	}
}

// What the user leaves out in the client's own preview is discarded and named; where nothing was taken, that is all there is
// to say.
func TestLeftOutInTheClientsPreview(t *testing.T) {
	const refused = proposal.LandRefused
	for _, c := range []struct {
		name          string
		states        map[string]proposal.LandState
		whole, partly []string
		state         event.ProposalState
		reports, told int
		reason        string
	}{
		{"all taken", nil, nil, nil, event.ProposalApplied, 1, 0, ""},
		{"one left out", map[string]proposal.LandState{"a": refused}, []string{"a"}, nil, event.ProposalApplied, 1, 0, "Left out: a"},
		{"a part", nil, nil, []string{"a"}, event.ProposalApplied, 1, 0, "Left out: a"},
		{"a part, and one left out", map[string]proposal.LandState{"new/n": refused}, []string{"new/n"}, []string{"a"}, event.ProposalApplied, 1, 0, "Left out: new/n, a"},
		{"nothing", map[string]proposal.LandState{"a": refused, "new/n": refused}, []string{"a", "new/n"}, nil, event.ProposalDiscarded, 0, 1, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			u := &user{}
			r, d, p := newReview(t, u)
			d.states, d.whole, d.partly = c.states, c.whole, c.partly
			r.Views.Native = true
			r.Preview(t.Context(), *p, "native")
			now, _ := r.Root.Proposals.Get(p.ID)
			if now.State != c.state || now.Pending() || len(d.reports) != c.reports || len(u.told) != c.told {
				t.Fatalf("state %s, reports %+v, told %q", now.State, d.reports, u.told)
			}
			if c.reports > 0 && (d.reports[0].Status != proposal.StatusApplied || d.reports[0].Reason != c.reason || len(d.reports[0].Files) != 2-len(c.whole)) {
				t.Errorf("%+v", d.reports[0])
			}
		})
	}
}

// The diff names the new directory, what was refused, and the changes of every file.
func TestHeadOfTheDiff(t *testing.T) {
	r, _, p := newReview(t, &user{}, "f is gone")
	r.Refused = func(turn string) []string { return []string{turn + " left b"} }
	text := r.DiffDocument(p)
	mustHold(t, text, "# warning: f is gone\n", "# make it better\n# 2 files, +2 -1\n", "# new directory: new\n", "# not applied: t-1 left b\n", "\n+A\n", "\n+n\n")
	head, diff, _ := strings.Cut(text, "\n\n")
	for line := range strings.Lines(head) {
		if !strings.HasPrefix(line, "#") {
			t.Errorf("the head has the line %q", line)
		}
	}
	if !strings.HasPrefix(diff, "diff --git a/a b/a\n") {
		t.Errorf("the diff begins %.40q", diff)
	}
	if _, err := r.Discard(proposal.Selector{Proposal: p.ID, Revision: 1, Files: []string{"new/n"}}); err != nil {
		t.Fatal(err)
	}
	now, _ := r.Root.Proposals.Get(p.ID)
	if text = r.DiffDocument(&now); strings.Contains(text, "new") || !strings.Contains(text, "\n+A\n") {
		t.Errorf("after the discard:\n%s", text)
	}
}

// A path in a message is short where it is in the folder, and whole elsewhere.
func TestPathsInMessages(t *testing.T) {
	dir := t.TempDir()
	elsewhere := filepath.Join(filepath.Dir(dir), "elsewhere", "x")
	for abs, want := range map[string]string{
		filepath.Join(dir, "a"): "a", filepath.Join(dir, "sub", "b"): filepath.Join("sub", "b"), elsewhere: elsewhere,
	} {
		if got := within(dir, abs); got != want {
			t.Errorf("%s is displayed as %s", abs, got)
		}
	}
}
