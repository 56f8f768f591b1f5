package workspace_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"coauthor/agent/workspace"
)

// TestThePolicyIsAskedForLate opens a root whose settings hang: opening and what the editor tells do not
// wait for them, and a check ends with its context.
func TestThePolicyIsAskedForLate(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"a.txt", "a.sql"} {
		if err := os.WriteFile(filepath.Join(root, name), []byte("caf\xe9\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	begun, free := make(chan struct{}), make(chan struct{})
	asked := 0
	w, err := workspace.Open(root, workspace.Options{Policy: func() workspace.Policy {
		asked++
		close(begun)
		<-free
		return workspace.Policy{Encoding: "windows-1252", DenyGlobs: []string{"*.sql"}}
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	w.DidOpen("open.txt", "x\n", 1)
	w.DidChange("open.txt", "y\n", 2)
	if text, err := w.Snapshot().Read("open.txt"); err != nil || text != "y\n" {
		t.Errorf("%q, %v", text, err)
	}
	select {
	case <-begun:
		t.Fatal("the policy was asked for before a file was judged")
	default:
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan workspace.Decision, 1)
	go func() { done <- w.Door().Check(ctx, "a.txt", workspace.OpSend) }()
	await(t, "the settings are not asked for", begun)
	cancel()
	select {
	case d := <-done:
		if d.Verdict != workspace.Refuse || d.Code != workspace.CodeUnasked {
			t.Errorf("%+v", d)
		}
	case <-time.After(time.Minute):
		t.Fatal("hung: the check waits for the settings")
	}
	close(free)
	if d := w.Door().Check(context.Background(), "a.txt", workspace.OpSend); d.Verdict != workspace.Allow {
		t.Errorf("a.txt: %+v", d)
	}
	if d := w.Door().Check(context.Background(), "a.sql", workspace.OpSend); d.Code != workspace.CodeDenied {
		t.Errorf("a.sql: %+v", d)
	}
	if text, err := w.Snapshot().Read("a.txt"); err != nil || text != "café\n" {
		t.Errorf("%q, %v", text, err)
	}
	if asked != 1 {
		t.Errorf("asked %d times", asked)
	}
}

// TestAPolicyThatCannotBeUsedAllowsNothing holds for wrong settings and for a reader that panics.
func TestAPolicyThatCannotBeUsedAllowsNothing(t *testing.T) {
	for what, policy := range map[string]func() workspace.Policy{
		"klingon": func() workspace.Policy { return workspace.Policy{Encoding: "klingon"} },
		"[":       func() workspace.Policy { return workspace.Policy{DenyGlobs: []string{"a[["}} },
		"broken":  func() workspace.Policy { panic("broken") },
	} {
		root := t.TempDir()
		if err := os.WriteFile(filepath.Join(root, "a.txt"), []byte("a\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		w, err := workspace.Open(root, workspace.Options{Policy: policy})
		if err != nil {
			t.Fatal(err)
		}
		d := w.Door().Check(context.Background(), "a.txt", workspace.OpSend)
		if d.Verdict != workspace.Refuse || d.Code != workspace.CodeSettings || !strings.Contains(d.Reason, what) {
			t.Errorf("%s: %+v", what, d)
		}
		if got := w.Door().Withheld(context.Background(), []string{"a.txt"}); len(got) != 1 {
			t.Errorf("%s: a map may show it", what)
		}
		if w.Door().Lister(t.Context())("a.txt") || !w.Door().Named(t.Context())("a.txt") {
			t.Errorf("%s: a listing may show it", what)
		}
		if _, err := w.Snapshot().Read("a.txt"); !errors.Is(err, workspace.ErrRefused) {
			t.Errorf("%s: read: %v", what, err)
		}
		if err := w.Door().With(workspace.Agreed()).WriteNew(context.Background(), "b.txt", "b\n", ""); !errors.Is(err, workspace.ErrRefused) {
			t.Errorf("%s: write: %v", what, err)
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestAPolicyIsRenewed: what the settings say of files later counts after Renew and not before; one that is given as it
// is stays.
func TestAPolicyIsRenewed(t *testing.T) {
	for what, renewed := range map[string]bool{"asked for": true, "given": false} {
		root := t.TempDir()
		for _, name := range []string{"a.sql", ".mine"} {
			if err := os.WriteFile(filepath.Join(root, name), []byte("a.sql\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		now := workspace.Policy{}
		o := workspace.Options{}
		if renewed {
			o.Policy = func() workspace.Policy { return now }
		}
		w, err := workspace.Open(root, o)
		if err != nil {
			t.Fatal(err)
		}
		check := func(want workspace.Verdict) {
			t.Helper()
			if d := w.Door().Check(context.Background(), "a.sql", workspace.OpSend); d.Verdict != want {
				t.Errorf("%s: %+v", what, d)
			}
		}
		check(workspace.Allow)
		now.IgnoreFiles = []string{".mine"}
		check(workspace.Allow)
		w.Renew()
		if !renewed {
			check(workspace.Allow)
			continue
		}
		check(workspace.Ask)
		now.AllowIgnored = true
		w.Renew()
		check(workspace.Allow)
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
}
