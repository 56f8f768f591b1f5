package main

import (
	"testing"

	"coauthor/agent/workspace"
	"coauthor/repomap"
)

// A folder that is opened again while its first index is still to be closed gets an index of its own, which
// outlives the first.
func TestEachWorkspaceHasItsIndex(t *testing.T) {
	s := newScene(t, map[string]string{"a.py": "def a(x):\n    return x\n", "b.py": "from a import a\n\ndef b(x):\n    return a(x)\n"})
	w := newWiring(Streams{Err: s.log, Env: func(n string) string { return s.env[n] }}, nil, nil)
	defer w.close()
	var first, second *workspace.Workspace
	for _, ws := range []**workspace.Workspace{&first, &second} {
		opened, err := w.workspace(s.root, w.plain(s.root))
		if err != nil {
			t.Fatal(err)
		}
		defer opened.Close()
		*ws = opened
	}
	old := w.mapper(first).(*rootIndex)
	x := w.mapper(second).(*rootIndex)
	old.Close()
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if err := x.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	m, err := x.Map(t.Context(), repomap.Request{Budget: 1000})
	if err != nil || len(m.Files) != 2 || m.Complete != 1 {
		t.Errorf("%d files, %v complete, %v", len(m.Files), m.Complete, err)
	}
}
