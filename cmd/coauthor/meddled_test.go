package main

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coauthor/agent/proposal"
	"coauthor/agent/settings"
	"coauthor/agent/workspace"
	"coauthor/edits"
)

// meddler is another program: it works when our temporary file is about to be made, and when it is gone.
type meddler struct{ before, after func() }

func (m meddler) Begin(string) (func(), error) {
	if m.before != nil {
		m.before()
	}
	return m.after, nil
}

// TestDiskBesideAnotherProgram that works on the file in the middle of a delivery, before ours takes its place
// or right behind it: nothing of its work is lost, what stands there is told, and only what was left alone
// lets the delivery go on.
func TestDiskBesideAnotherProgram(t *testing.T) {
	const absent, unknown, differs = proposal.LandAbsent, proposal.LandUnknown, proposal.LandDiffers
	create := edits.Change{Path: "n", Op: edits.OpCreate, After: "2\n"}
	update := edits.Change{Path: "a", Op: edits.OpUpdate, Before: "1\n", After: "2\n"}
	rename := edits.Change{Path: "a", Op: edits.OpRename, To: "b", Before: "1\n", After: "2\n"}
	for what, x := range map[string]struct {
		change edits.Change
		late   bool              // it comes when ours is in its place
		theirs map[string]string // what it writes; "" removes
		state  proposal.LandState
		stale  bool
		reason string
		tree   map[string]string
	}{
		"a change, and another":             {update, false, map[string]string{"a": "3\n"}, absent, true, "another program changed the file", map[string]string{"a": "3\n"}},
		"a change, and the same":            {update, false, map[string]string{"a": "2\n"}, absent, true, "another program changed the file", map[string]string{"a": "2\n"}},
		"a change, and a removal":           {update, false, map[string]string{"a": ""}, absent, true, "another program changed the file", map[string]string{}},
		"a new file, and another":           {create, false, map[string]string{"n": "3\n"}, absent, true, "another program changed the file", map[string]string{"a": "1\n", "n": "3\n"}},
		"a move, and a change":              {rename, false, map[string]string{"b": "3\n"}, differs, false, "another program", map[string]string{"b": "3\n"}},
		"a move, and a removal":             {rename, false, map[string]string{"b": ""}, differs, false, "another program", map[string]string{}},
		"a change, and no text":             {update, false, map[string]string{"a": "caf\xe9\xff\n"}, unknown, false, "a", map[string]string{"a": "caf\xe9\xff\n"}},
		"a change, then another":            {update, true, map[string]string{"a": "3\n"}, differs, false, "does not contain the new text", map[string]string{"a": "3\n"}},
		"a change, then taken back":         {update, true, map[string]string{"a": "1\n"}, differs, false, "does not contain the new text", map[string]string{"a": "1\n"}},
		"a change, then a removal":          {update, true, map[string]string{"a": ""}, differs, false, "does not contain the new text", map[string]string{}},
		"a change, then no text":            {update, true, map[string]string{"a": "caf\xe9\xff\n"}, unknown, false, "does not contain the new text", map[string]string{"a": "caf\xe9\xff\n"}},
		"a new file, then a removal":        {create, true, map[string]string{"n": ""}, differs, false, "does not contain the new text", map[string]string{"a": "1\n"}},
		"a move, then a change":             {rename, true, map[string]string{"b": "3\n"}, differs, false, "does not contain the new text", map[string]string{"b": "3\n"}},
		"a move, then the old file again":   {rename, true, map[string]string{"a": "1\n"}, differs, false, "does not contain the new text", map[string]string{"a": "1\n", "b": "2\n"}},
		"a move, then a removal":            {rename, true, map[string]string{"b": ""}, differs, false, "does not contain the new text", map[string]string{}},
		"a move, then no text":              {rename, true, map[string]string{"b": "caf\xe9\xff\n"}, unknown, false, "does not contain the new text", map[string]string{"b": "caf\xe9\xff\n"}},
		"a move, then no text where it was": {rename, true, map[string]string{"a": "caf\xe9\xff\n"}, unknown, false, "does not contain the new text", map[string]string{"a": "caf\xe9\xff\n", "b": "2\n"}},
	} {
		root := lay(t, map[string]string{"a": "1\n"})
		once := func() {
			for name, text := range x.theirs {
				name = filepath.Join(root, name)
				err := os.Remove(name)
				if text != "" {
					err = os.WriteFile(name, []byte(text), 0o644)
				}
				if err != nil {
					t.Errorf("%s: %v", what, err)
				}
			}
			x.theirs = nil
		}
		m := meddler{before: once}
		if x.late {
			m = meddler{after: once}
		}
		ws, err := workspace.Open(root, workspace.Options{Temps: m})
		if err != nil {
			t.Fatal(err)
		}
		got, err := (&disk{ws: ws}).Deliver(t.Context(), "test", []proposal.Step{{Change: x.change}, {Change: edits.Change{Path: "later", Op: edits.OpCreate, After: "2\n"}}})
		if err != nil || len(got) != 2 {
			t.Fatalf("%s: %v, %v", what, got, err)
		}
		if got[0].State != x.state || got[0].Stale != x.stale || got[0].Path != x.change.Path || !strings.Contains(got[0].Reason, x.reason) {
			t.Errorf("%s: %+v", what, got[0])
		}
		if x.stale {
			x.tree["later"] = "2\n"
		}
		if diff := cmp.Diff(x.tree, treeOf(t, root)); diff != "" || (got[1].State == proposal.LandLanded) != x.stale {
			t.Errorf("%s: then %+v (-want +got):\n%s", what, got[1], diff)
		}
		_ = ws.Close()
	}
}

// TestOnlyWhatWasReadIsReplaced: a change is carried out on the text that it began with, and on no other.
func TestOnlyWhatWasReadIsReplaced(t *testing.T) {
	for _, c := range []edits.Change{
		{Path: "a", Op: edits.OpUpdate, Before: "1\n", After: "2\n"}, {Path: "a", Op: edits.OpDelete, Before: "1\n"},
		{Path: "a", Op: edits.OpRename, To: "b", Before: "1\n", After: "2\n"}, {Path: "a", Op: edits.OpRename, To: "b", Before: "1\n", After: "1\n"},
	} {
		for what, x := range map[string]struct {
			now map[string]string
			err error
		}{
			"as it was": {map[string]string{"a": "1\n"}, nil}, "changed": {map[string]string{"a": "3\n"}, workspace.ErrChanged}, "gone": {nil, workspace.ErrChanged},
			"taken": {map[string]string{"a": "1\n", "b": "theirs\n"}, map[edits.Op]error{edits.OpRename: workspace.ErrChanged}[c.Op]},
		} {
			root := lay(t, map[string]string{"a": "1\n"})
			ws, err := workspace.Open(root, workspace.Options{})
			if err != nil {
				t.Fatal(err)
			}
			snapshot := ws.Snapshot()
			if _, err := snapshot.Text("a"); err != nil {
				t.Fatal(err)
			}
			if err := os.Remove(filepath.Join(root, "a")); err != nil {
				t.Fatal(err)
			}
			h := shell{t: t, root: root}
			for name, text := range x.now {
				h.put(name, text)
			}
			err = carryOut(t.Context(), ws.Door(), workspace.Agreed(), snapshot, c, "")
			if !errors.Is(err, x.err) || (err == nil) != (x.err == nil) {
				t.Errorf("%s, %s: %v", c.Op, what, err)
			}
			want := x.now
			if err == nil {
				want = map[string]string{}
				for name, text := range x.now {
					want[name] = text
				}
				delete(want, "a")
				switch c.Op {
				case edits.OpUpdate:
					want["a"] = c.After
				case edits.OpRename:
					want["b"] = c.After
				}
			}
			if want == nil {
				want = map[string]string{}
			}
			if diff := cmp.Diff(want, treeOf(t, root)); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", c.Op, what, diff)
			}
			_ = ws.Close()
		}
	}
}

// TestWithoutTheRoot: where the folder of a workspace is gone there is no map, and nothing ends for it.
func TestWithoutTheRoot(t *testing.T) {
	var told strings.Builder
	w := newWiring(Streams{Env: noEnvironment(t)}, nil, slog.New(slog.NewTextHandler(&told, nil)))
	defer w.close()
	root := lay(t, map[string]string{"sub/a.go": "package a\n"})
	ws, err := w.workspace(filepath.Join(root, "sub"), settings.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	if err := os.RemoveAll(filepath.Join(root, "sub")); err != nil {
		t.Fatal(err)
	}
	if m := w.mapper(ws); m != nil || !strings.Contains(told.String(), filepath.Join(root, "sub")) {
		t.Errorf("a map of what is gone: %v, told %s", m, told.String())
	}
	if m := newWiring(Streams{Env: noEnvironment(t)}, nil, nil).mapper(ws); m != nil {
		t.Errorf("without a log a map of what is gone: %v", m)
	}
	if x, err := w.index(ws); x != nil || err == nil {
		t.Errorf("an index of what is gone: %v", err)
	}
}

// TestTemporariesAreTold: what stands in the way of the records of temporary files is told, and files are
// written all the same.
func TestTemporariesAreTold(t *testing.T) {
	for what, files := range map[string]map[string]string{"": nil, "not a directory": {"coauthor/temporary": "a file\n"}} {
		state := lay(t, files)
		var told strings.Builder
		w := newWiring(Streams{Env: func(name string) string { return map[string]string{"XDG_STATE_HOME": state}[name] }}, nil, slog.New(slog.NewTextHandler(&told, nil)))
		root := lay(t, map[string]string{"a": "1\n"})
		ws, err := w.workspace(root, settings.Defaults())
		if err != nil {
			t.Fatal(err)
		}
		if (what == "") != (told.Len() == 0) || !strings.Contains(told.String(), what) {
			t.Errorf("%q is told %q", what, told.String())
		}
		err = ws.Door().With(workspace.Agreed()).WriteOver(t.Context(), "a", "1\n", "2\n", workspace.UTF8)
		if got := (&shell{root: root}).read("a"); err != nil || got != "2\n" {
			t.Errorf("%q: %v, the file has %q", what, err, got)
		}
		_ = ws.Close()
		w.close()
	}
}
