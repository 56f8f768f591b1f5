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
