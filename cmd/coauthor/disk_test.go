package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"coauthor/agent/llm/remote"
	"coauthor/agent/proposal"
	"coauthor/agent/settings"
	"coauthor/agent/workspace"
	"coauthor/edits"
)

// TestDiskTellsEveryStep: what becomes of each kind of step where the disk is not as it was planned; what
// goes wrong ends the delivery, and what another program wrote stays.
func TestDiskTellsEveryStep(t *testing.T) {
	const landed, absent, refused = proposal.LandLanded, proposal.LandAbsent, proposal.LandRefused
	create := func(path string) edits.Change { return edits.Change{Path: path, Op: edits.OpCreate, After: "2\n"} }
	update := func(path string) edits.Change {
		return edits.Change{Path: path, Op: edits.OpUpdate, Before: "1\n", After: "2\n"}
	}
	remove := func(path string) edits.Change { return edits.Change{Path: path, Op: edits.OpDelete, Before: "1\n"} }
	rename := func(path, to string) edits.Change {
		return edits.Change{Path: path, Op: edits.OpRename, To: to, Before: "1\n", After: "2\n"}
	}
	for what, x := range map[string]struct {
		change edits.Change
		state  proposal.LandState
		stale  bool
		later  proposal.LandState // of the next step
		tree   map[string]string  // beside "later"
	}{
		"a new file":                {create("n"), landed, false, landed, map[string]string{"a": "1\n", "b": "theirs\n", "n": "2\n"}},
		"a new file that is there":  {create("b"), absent, true, landed, map[string]string{"a": "1\n", "b": "theirs\n"}},
		"a new file below a file":   {create("a/n"), refused, false, absent, map[string]string{"a": "1\n", "b": "theirs\n"}},
		"a change":                  {update("a"), landed, false, landed, map[string]string{"a": "2\n", "b": "theirs\n"}},
		"a change of another text":  {update("b"), absent, true, landed, map[string]string{"a": "1\n", "b": "theirs\n"}},
		"a change of what is gone":  {update("x"), absent, true, landed, map[string]string{"a": "1\n", "b": "theirs\n"}},
		"a removal":                 {remove("a"), landed, false, landed, map[string]string{"b": "theirs\n"}},
		"a removal of another text": {remove("b"), absent, true, landed, map[string]string{"a": "1\n", "b": "theirs\n"}},
		"a removal of what is gone": {remove("x"), absent, true, landed, map[string]string{"a": "1\n", "b": "theirs\n"}},
		"a move":                    {rename("a", "sub/c"), landed, false, landed, map[string]string{"sub/c": "2\n", "b": "theirs\n"}},
		"a move of another text":    {rename("b", "c"), absent, true, landed, map[string]string{"a": "1\n", "b": "theirs\n"}},
		"a move alone":              {edits.Change{Path: "a", Op: edits.OpRename, To: "c", Before: "1\n", After: "1\n"}, landed, false, landed, map[string]string{"c": "1\n", "b": "theirs\n"}},
		"a move of what is gone":    {rename("x", "c"), absent, true, landed, map[string]string{"a": "1\n", "b": "theirs\n"}},
		"a change of no text":       {update("bin"), refused, false, absent, map[string]string{"a": "1\n", "b": "theirs\n"}},
		"a new file over no text":   {create("bin"), refused, false, absent, map[string]string{"a": "1\n", "b": "theirs\n"}},
		"a new file outside":        {create("../n"), refused, false, absent, map[string]string{"a": "1\n", "b": "theirs\n"}},
		"a move onto a file":        {rename("a", "b"), absent, false, absent, map[string]string{"a": "1\n", "b": "theirs\n"}},
		"something else":            {edits.Change{Path: "a", Op: "fold", Before: "1\n", After: "2\n"}, absent, false, absent, map[string]string{"a": "1\n", "b": "theirs\n"}},
	} {
		root := lay(t, map[string]string{"a": "1\n", "b": "theirs\n", "bin": "caf\xe9\xff\n"})
		ws, err := workspace.Open(root, workspace.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := (&disk{ws: ws}).Deliver(t.Context(), "test", []proposal.Step{{Change: x.change}, {Change: create("later")}})
		if err != nil || len(got) != 2 {
			t.Fatalf("%s: %v, %v", what, got, err)
		}
		if got[0].State != x.state || got[0].Stale != x.stale || got[0].Path != x.change.Path || (got[0].Reason == "") != (x.state == landed) {
			t.Errorf("%s: %+v", what, got[0])
		}
		if got[1].State != x.later || x.later == absent && !strings.Contains(got[1].Reason, x.change.Path) {
			t.Errorf("%s: then %+v", what, got[1])
		}
		want := map[string]string{"bin": "caf\xe9\xff\n"}
		for name, text := range x.tree {
			want[name] = text
		}
		if x.later == landed {
			want["later"] = "2\n"
		}
		if diff := cmp.Diff(want, treeOf(t, root)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
		_ = ws.Close()
	}
}

// TestDiskAsksAndStops: consent is asked for by name, for each file; an interrupt leaves the rest alone.
func TestDiskAsksAndStops(t *testing.T) {
	root := lay(t, map[string]string{"a": "1\n"})
	ws, err := workspace.Open(root, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	ctx, cancel := context.WithCancel(t.Context())
	var asked []string
	d := &disk{ws: ws, consent: func(_ context.Context, path string) bool {
		asked = append(asked, path)
		if path == "last" {
			cancel()
		}
		return path == "yes"
	}}
	var plan []proposal.Step
	for _, path := range []string{"plain", "yes", "no", "last", "never"} {
		plan = append(plan, proposal.Step{Change: edits.Change{Path: path, Op: edits.OpCreate, After: path}, Consent: path != "plain" && path != "never"})
	}
	got, err := d.Deliver(ctx, "test", plan)
	if err != nil {
		t.Fatal(err)
	}
	want := []proposal.LandState{proposal.LandLanded, proposal.LandLanded, proposal.LandRefused, proposal.LandRefused, proposal.LandAbsent}
	for i, l := range got {
		if l.State != want[i] || l.Path != plan[i].Change.Path || (l.Reason == "") != (l.State == proposal.LandLanded) || strings.Contains(l.Reason, "context canceled") {
			t.Errorf("%s: %+v, want %s", plan[i].Change.Path, l, want[i])
		}
	}
	if diff := cmp.Diff([]string{"yes", "no", "last"}, asked); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]string{"a": "1\n", "plain": "plain", "yes": "yes"}, treeOf(t, root)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestOneClientUntilALimitChanges: connections are kept over the calls, and new limits hold from the next
// call on.
func TestOneClientUntilALimitChanges(t *testing.T) {
	s := settings.Defaults()
	c := &callers{wiring: newWiring(Streams{Env: noEnvironment(t)}, nil, nil)}
	current := func() *remote.Client {
		t.Helper()
		client, err := c.client(s)
		if err != nil {
			t.Fatal(err)
		}
		return client
	}
	before := current()
	if current() != before {
		t.Error("a new client without a change")
	}
	for _, change := range []func(){
		func() { s.RequestTimeout += time.Second }, func() { s.Log.Level = settings.LogPrompts },
	} {
		change()
		after := current()
		if after == before || current() != after {
			t.Error("a change of a limit does not count, or counts twice")
		}
		before = after
	}
	s.Model = "another"
	if current() != before {
		t.Error("a setting that is no limit made a new client")
	}
	s.Log.Level = settings.Defaults().Log.Level // as another folder has it, whose connections are kept
	between := current()
	s.Log.Level = settings.LogPrompts
	if current() != before || between == before {
		t.Error("folders with different limits take each other's client")
	}
}

// TestTheIndexLearnsOfNewRules: what is known of the ignore files is kept for a moment only.
func TestTheIndexLearnsOfNewRules(t *testing.T) {
	root := lay(t, map[string]string{"a.py": "x\n"})
	ws, err := workspace.Open(root, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	now := time.Unix(1_000_000, 0)
	l := &lister{door: ws.Door(), clock: func() time.Time { return now }}
	if !l.allows("a.py") {
		t.Fatal("a.py is kept back")
	}
	if err := os.WriteFile(filepath.Join(root, ".coauthorignore"), []byte("a.py\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	now = now.Add(keepLister + time.Millisecond)
	if l.allows("a.py") {
		t.Error("the new rule does not hold")
	}
}
