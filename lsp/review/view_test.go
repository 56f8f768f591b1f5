package review

import (
	"slices"
	"strings"
	"testing"

	"coauthor/agent/proposal"
	"coauthor/edits"
)

// The way is the one that was asked for where the client has it, else the best one that it has; and what has warnings is
// never applied unseen.
func TestChoose(t *testing.T) {
	asked := []string{"", "auto", "native", "diff", "none", "inline", "nonsense"}
	for _, c := range []struct {
		views        Views
		want, warned string // of each that is asked for
	}{
		{Views{}, "diff diff diff diff none inline diff", "diff diff diff diff diff diff diff"},
		{Views{Plugin: true}, "diff diff diff diff none inline diff", "diff diff diff diff diff diff diff"},
		{Views{Native: true}, "native native native diff none inline native", "native native native diff native native native"},
		{Views{Native: true, Plugin: true}, "diff diff native diff none inline diff", "diff diff native diff diff diff diff"},
		{Views{NoActions: true}, "diff diff diff diff none diff diff", "diff diff diff diff diff diff diff"},
		{Views{Pending: true}, "client client client client none inline client", "client client client client client client client"},
		{Views{Pending: true, Native: true}, "client client native client none inline client", "client client native client client client client"},
	} {
		for _, warned := range []bool{false, true} {
			want := c.want
			if warned {
				want = c.warned
			}
			var got []string
			for _, a := range asked {
				got = append(got, string(c.views.Choose(a, warned)))
			}
			if strings.Join(got, " ") != want {
				t.Errorf("%+v, warned %v: %q, want %q", c.views, warned, got, want)
			}
		}
	}
}

// A person looks first at the file that the request came from, then at what was there, then at what is new; each by name.
func TestInOrder(t *testing.T) {
	p := &proposal.Proposal{}
	for _, c := range []edits.Change{{Path: "c", Op: edits.OpCreate}, {Path: "z", Op: edits.OpUpdate}, {Path: "m", To: "n", Op: edits.OpRename},
		{Path: "a", Op: edits.OpCreate}, {Path: "b", Op: edits.OpDelete}} {
		p.Files = append(p.Files, proposal.File{Change: c})
	}
	for origin, want := range map[string]string{"": "b n z a c", "z": "z b n a c", "c": "c b n z a", "m": "n b z a c", "n": "n b z a c", "none": "b n z a c"} {
		var got []string
		for _, f := range InOrder(p, origin) {
			got = append(got, f.Path())
		}
		if strings.Join(got, " ") != want {
			t.Errorf("from %q: %q, want %q", origin, got, want)
		}
	}
	if !slices.EqualFunc(p.Files, []string{"c", "z", "n", "a", "b"}, func(f proposal.File, path string) bool { return f.Path() == path }) {
		t.Error("the proposal itself was sorted")
	}
}
