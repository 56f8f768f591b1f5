package review

import (
	"strings"
	"testing"

	"coauthor/agent/event"
)

// Where nobody could scroll the diff under a dialog there is none: a message that fits one line says how to decide, one that
// says where the diff is where it cannot be shown, and what was decided meanwhile is not told.
func TestNoDialogOverTheDiff(t *testing.T) {
	for name, c := range map[string]struct {
		user    user
		decided bool
		told    []string
		not     string
		plugin  string
	}{
		"shown":     {user{picks: []string{ChoiceApply}}, false, []string{"3 Coauthor: 2 files, +2 -1. Apply or discard with gra."}, "make it better", ""},
		"in Emacs":  {user{}, false, []string{"3 Coauthor: 2 files, +2 -1. Apply or discard with M-x coauthor-apply or M-x coauthor-discard."}, "gra", "eglot-module"},
		"not shown": {user{noShow: true, picks: []string{ChoiceApply}}, false, []string{"make it better", "a.diff", "with gra"}, "with a code action", ""},
		"decided":   {user{}, true, nil, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			u := &c.user
			r, d, p := newReview(t, u)
			r.DialogBlocks, r.Words.Menu, r.Words.Plugin = true, "gra", c.plugin
			if c.decided {
				if _, err := r.Root.Proposals.Discard(revision(p)); err != nil {
					t.Fatal(err)
				}
				r.dialog(t.Context(), p, seen{shown: true})
			} else {
				r.Preview(t.Context(), *p, "diff")
			}
			if len(u.asked) > 0 || d.plans > 0 {
				t.Errorf("asked %q, %d plans", u.asked, d.plans)
			}
			if len(u.told) != min(1, len(c.told)) {
				t.Fatalf("told %q", u.told)
			}
			if len(c.told) == 0 {
				return
			}
			mustHold(t, u.told[0], c.told...)
			if c.not != "" && strings.Contains(u.told[0], c.not) {
				t.Errorf("told %q", u.told)
			}
			if now, _ := r.Root.Proposals.Get(p.ID); now.State != event.ProposalPending || now.Shown != 1 {
				t.Errorf("it is %s, shown %d", now.State, now.Shown)
			}
		})
	}
}
