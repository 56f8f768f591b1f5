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
