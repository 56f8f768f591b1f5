package edits_test

import (
	"fmt"
	"strings"
	"testing"

	"coauthor/edits"
)

// Edits that take away what the file still calls are refused with all that hangs on them, however long the
// row of calls is, and a reply is gone through twice at the most.
func TestWhatIsStillCalledStays(t *testing.T) {
	for _, n := range []int{1, 2, 5, 12} {
		var before strings.Builder
		var list []edits.Edit
		before.WriteString("def main():\n    step_0()\n")
		for i := range n {
			def := fmt.Sprintf("def step_%d():\n    step_%d()\n", i, i+1)
			if i == n-1 {
				def = fmt.Sprintf("def step_%d():\n    pass\n", i)
			}
			before.WriteString("\n" + def)
			e := replaceEdit(def, "")
			e.Path, e.Index = "f.py", i
			list = append(list, e)
		}
		last := replaceEdit("def main():\n", "def main():\n    begin = 1\n")
		last.Path, last.Index = "f.py", n
		list = append(list, last)
		asked := 0
		r := edits.Apply(files{"f.py": before.String()}, list, nil, edits.Options{Stop: func() bool { asked++; return false }})
		want := strings.Replace(before.String(), "def main():\n", "def main():\n    begin = 1\n", 1)
		if len(r.Changes) != 1 || r.Changes[0].After != want || len(r.Failures) != n {
			t.Errorf("%d definitions: %+v", n, r)
		}
		for _, f := range r.Failures {
			if f.Reason != edits.ReasonDropped {
				t.Errorf("%d definitions: %+v", n, f)
			}
		}
		if asked > 2*len(list) {
			t.Errorf("%d definitions: %d edits were tried for %d", n, asked, len(list))
		}
	}
}

// Each rule can be left out by itself, which changes nothing else: what lands as it is written lands without
// any of them.
func TestRulesCanBeLeftOut(t *testing.T) {
	const before = "one\ntwo\nthree\n"
	seen := map[edits.Rule]bool{}
	for _, row := range edits.Rules {
		rule := row.Rule
		if rule == "" || seen[rule] {
			t.Errorf("the rule %q is there twice", rule)
		}
		seen[rule] = true
		r := edits.Apply(files{"f": before}, []edits.Edit{replaceEdit("two\n", "2\n"), hunk(chunk(" 2", "-three", "+3"))}, nil, edits.Options{Without: rule})
		if len(r.Failures) > 0 || len(r.Changes) != 1 || r.Changes[0].After != "one\n2\n3\n" {
			t.Errorf("without %s: %+v", rule, r)
		}
	}
	for rule, e := range map[edits.Rule]edits.Edit{
		edits.RuleTrailing: replaceEdit("two  \nthree\n", "2\n"),
		edits.RuleJoined:   hunk(chunk(" one", "-three", "+3")), edits.RuleFences: replaceEdit("```\ntwo\n```\n", "```\n2\n```\n"),
	} {
		with := edits.Apply(files{"f": before}, []edits.Edit{e}, nil, edits.Options{})
		without := edits.Apply(files{"f": before}, []edits.Edit{e}, nil, edits.Options{Without: rule})
		if len(with.Failures) > 0 || len(without.Failures) == 0 && without.Rungs[edits.RungTrailing] > 0 || rule != edits.RuleTrailing && len(without.Failures) == 0 {
			t.Errorf("%s: with it %+v, without it %+v", rule, with, without)
		}
	}
}
