package edits_test

import (
	"slices"
	"strings"
	"testing"

	"coauthor/edits"

	"github.com/google/go-cmp/cmp"
)

// What several changes of a file come to.
func TestComposedChanges(t *testing.T) {
	up := func(path, before, after string) edits.Change {
		return edits.Change{Path: path, Op: edits.OpUpdate, Before: before, After: after}
	}
	move := func(path, to, before, after string) edits.Change {
		return edits.Change{Path: path, To: to, Op: edits.OpRename, Before: before, After: after}
	}
	made := func(path, after string) edits.Change {
		return edits.Change{Path: path, Op: edits.OpCreate, After: after}
	}
	gone := func(path, before string) edits.Change {
		return edits.Change{Path: path, Op: edits.OpDelete, Before: before}
	}
	type list = []edits.Change
	for what, c := range map[string]struct{ first, then, want list }{
		"nothing":                 {nil, nil, nil},
		"only the first":          {list{up("a", "1", "2")}, nil, list{up("a", "1", "2")}},
		"only the second":         {nil, list{up("a", "1", "2")}, list{up("a", "1", "2")}},
		"one after the other":     {list{up("a", "1", "2")}, list{up("a", "2", "3")}, list{up("a", "1", "3")}},
		"there and back":          {list{up("a", "1", "2")}, list{up("a", "2", "1")}, nil},
		"onto its own name":       {nil, list{move("a", "a", "1", "2")}, list{up("a", "1", "2")}},
		"made and changed":        {list{made("a", "1")}, list{up("a", "1", "2")}, list{made("a", "2")}},
		"made and gone":           {list{made("a", "1")}, list{gone("a", "1")}, nil},
		"made and moved":          {list{made("a", "1")}, list{move("a", "b", "1", "2")}, list{made("b", "2")}},
		"changed and gone":        {list{up("a", "1", "2")}, list{gone("a", "2")}, list{gone("a", "1")}},
		"gone and made":           {list{gone("a", "1")}, list{made("a", "2")}, list{up("a", "1", "2")}},
		"gone and made as it was": {list{gone("a", "1")}, list{made("a", "1")}, nil},
		"changed and moved":       {list{up("a", "1", "2")}, list{move("a", "b", "2", "3")}, list{move("a", "b", "1", "3")}},
		"moved and changed":       {list{move("a", "b", "1", "1")}, list{up("b", "1", "2")}, list{move("a", "b", "1", "2")}},
		"moved and moved":         {list{move("a", "b", "1", "1")}, list{move("b", "c", "1", "1")}, list{move("a", "c", "1", "1")}},
		"moved and back":          {list{move("a", "b", "1", "1")}, list{move("b", "a", "1", "1")}, nil},
		"moved and back, changed": {list{move("a", "b", "1", "1")}, list{move("b", "a", "1", "2")}, list{up("a", "1", "2")}},
		"moved and gone":          {list{move("a", "b", "1", "2")}, list{gone("b", "2")}, list{gone("a", "1")}},
		"moved to where one went": {list{gone("b", "2")}, list{move("a", "b", "1", "3")}, list{gone("a", "1"), up("b", "2", "3")}},
		"two that change places":  {nil, list{move("a", "b", "1", "1"), move("b", "a", "2", "2")}, list{move("a", "b", "1", "1"), move("b", "a", "2", "2")}},
		"two files":               {list{up("a", "1", "2")}, list{up("b", "1", "2")}, list{up("a", "1", "2"), up("b", "1", "2")}},
	} {
		got := edits.Compose(c.first, c.then)
		slices.SortFunc(got, func(x, y edits.Change) int { return strings.Compare(x.Path, y.Path) })
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", what, diff)
		}
	}
}

// A diff that gives a file two names means the one that is there; where its format says so, the file moves.
func TestTheOtherNameOfAFile(t *testing.T) {
	of := func(path, from, to string) edits.Edit {
		e := hunk(chunk("-two", "+2"))
		e.Path, e.From, e.To = path, from, to
		return e
	}
	tree := files{"a": "one\ntwo\n", "b": "two\n"}
	for what, c := range map[string]struct {
		e     edits.Edit
		want  files
		moves int // -1 for a refusal
	}{
		"only the old one is there":      {of("n", "a", ""), files{"a": "one\n2\n", "b": "two\n"}, 0},
		"only the old one, and it moves": {of("n", "a", "n"), files{"n": "one\n2\n", "b": "two\n"}, 1},
		"both are there":                 {of("b", "a", "b"), files{"a": "one\ntwo\n", "b": "2\n"}, 0},
		"only the new one is there":      {of("a", "n", "a"), files{"a": "one\n2\n", "b": "two\n"}, 0},
		"neither is there":               {of("n", "m", "n"), files{"a": "one\ntwo\n", "b": "two\n"}, -1},
		"one name":                       {of("a", "", ""), files{"a": "one\n2\n", "b": "two\n"}, 0},
	} {
		r := edits.Apply(tree, []edits.Edit{c.e}, nil, edits.Options{})
		if diff := cmp.Diff(c.want, tree.After(r.Changes)); diff != "" || r.Rungs[edits.RungRename] != max(c.moves, 0) || (len(r.Failures) > 0) != (c.moves < 0) {
			t.Errorf("%s: %+v\n%s", what, r, diff)
		}
	}
	// A move that the caller does not allow leaves the file where it is.
	for _, refused := range []edits.Op{edits.OpRename, edits.OpCreate} {
		r := edits.Apply(tree, []edits.Edit{of("n", "a", "n")}, nil, edits.Options{Check: func(_ string, op edits.Op) error {
			if op == refused {
				return edits.ErrRefused
			}
			return nil
		}})
		if got := tree.After(r.Changes); got["n"] != "" || got["a"] == "" || len(r.Failures) == 0 {
			t.Errorf("%s refused: %+v", refused, r)
		}
	}
	if r := edits.Apply(broken{"a": edits.ErrBinary}, []edits.Edit{of("n", "a", "n")}, nil, edits.Options{}); len(r.Failures) != 1 || len(r.Changes) > 0 {
		t.Errorf("a file that cannot be read: %+v", r)
	}
}

// The changes come in the order in which their files were first touched, but a file that moves to where
// another one was comes after that one: so they can be made one by one.
func TestTheOrderOfComposedChanges(t *testing.T) {
	move := func(path, to string) edits.Change {
		return edits.Change{Path: path, To: to, Op: edits.OpRename, Before: path, After: path}
	}
	up := func(path string) edits.Change {
		return edits.Change{Path: path, Op: edits.OpUpdate, Before: "1", After: "2"}
	}
	gone := func(path string) edits.Change {
		return edits.Change{Path: path, Op: edits.OpDelete, Before: path}
	}
	made := func(path string) edits.Change { return edits.Change{Path: path, Op: edits.OpCreate, After: "1"} }
	type list = []edits.Change
	for what, c := range map[string]struct {
		first, then list
		want        string
	}{
		"as they were touched":          {list{up("c"), up("a")}, list{up("b"), made("d"), gone("e")}, "c a b d e"},
		"touched again":                 {list{up("b"), up("a")}, list{{Path: "a", Op: edits.OpUpdate, Before: "2", After: "3"}, {Path: "b", Op: edits.OpUpdate, Before: "2", After: "3"}}, "b a"},
		"a move to where another was":   {nil, list{move("b", "c"), move("a", "b")}, "b a"},
		"one that was touched before":   {list{{Path: "a", Op: edits.OpUpdate, Before: "0", After: "a"}}, list{move("b", "c"), move("a", "b")}, "b a"},
		"a row of them":                 {list{{Path: "a", Op: edits.OpUpdate, Before: "0", After: "a"}, {Path: "b", Op: edits.OpUpdate, Before: "0", After: "b"}}, list{move("c", "d"), move("b", "c"), move("a", "b")}, "c b a"},
		"all at once, in another order": {nil, list{move("a", "b"), move("b", "c")}, "b a"},
		"a new file where one was":      {nil, list{move("a", "b"), made("a")}, "a a"},
	} {
		var got []string
		there := map[string]bool{}
		all := edits.Compose(c.first, c.then)
		for _, x := range all {
			got = append(got, x.Path)
			there[x.Path] = x.Op != edits.OpCreate
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", what, got, c.want)
		}
		for _, x := range all {
			if to := map[edits.Op]string{edits.OpRename: x.To, edits.OpCreate: x.Path}[x.Op]; to != "" && there[to] {
				t.Errorf("%s: %s is still there: %+v", what, to, all)
			}
			switch there[x.Path] = x.Op == edits.OpCreate || x.Op == edits.OpUpdate; x.Op {
			case edits.OpRename:
				there[x.To] = true
			case edits.OpCreate, edits.OpUpdate, edits.OpDelete:
			}
		}
	}
}

// What takes a change of each kind back.
func TestInverse(t *testing.T) {
	for _, c := range []struct{ of, want edits.Change }{
		{edits.Change{Path: "a", Op: edits.OpUpdate, Before: "1", After: "2"}, edits.Change{Path: "a", Op: edits.OpUpdate, Before: "2", After: "1"}},
		{edits.Change{Path: "a", Op: edits.OpCreate, After: "2"}, edits.Change{Path: "a", Op: edits.OpDelete, Before: "2"}},
		{edits.Change{Path: "a", Op: edits.OpDelete, Before: "1"}, edits.Change{Path: "a", Op: edits.OpCreate, After: "1"}},
		{edits.Change{Path: "a", To: "b", Op: edits.OpRename, Before: "1", After: "2"}, edits.Change{Path: "b", To: "a", Op: edits.OpRename, Before: "2", After: "1"}},
	} {
		if got := edits.Inverse(c.of); got != c.want || edits.Inverse(got) != c.of {
			t.Errorf("%+v: %+v", c.of, got)
		}
	}
}
