package workspace_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"coauthor/agent/workspace"
	"coauthor/agent/workspace/hangtest"
	"coauthor/edits"
)

// whoWaits is everything of the door and of a snapshot that looks at the disk and has a context. Each says
// whether it did what it was asked.
var whoWaits = map[string]func(ctx context.Context, w *workspace.Workspace) bool{
	"check": func(ctx context.Context, w *workspace.Workspace) bool {
		return w.Door().Check(ctx, "a.txt", workspace.OpSend).Verdict == workspace.Allow
	},
	"check of many": func(ctx context.Context, w *workspace.Workspace) bool {
		return w.Door().CheckAll(ctx, []string{"x/y", "a.txt"}, workspace.OpEdit)[1].Verdict == workspace.Allow
	},
	"withheld": func(ctx context.Context, w *workspace.Workspace) bool {
		return len(w.Door().Withheld(ctx, []string{"a.txt"})) == 0
	},
	"guard": func(ctx context.Context, w *workspace.Workspace) bool {
		return w.Door().Guard(ctx)("a.txt", edits.OpUpdate) == nil
	},
	"lister": func(ctx context.Context, w *workspace.Workspace) bool { return w.Door().Lister(ctx)("a.txt") },
	"named":  func(ctx context.Context, w *workspace.Workspace) bool { return !w.Door().Named(ctx)("sub/a.txt") },
	"disk text": func(ctx context.Context, w *workspace.Workspace) bool {
		_, err := w.Door().DiskText(ctx, "a.txt")
		return err == nil
	},
	"read": func(ctx context.Context, w *workspace.Workspace) bool {
		_, err := w.Snapshot().Within(ctx).Read("a.txt")
		return err == nil
	},
	"read of a derived one": func(ctx context.Context, w *workspace.Workspace) bool {
		_, err := w.Snapshot().Within(ctx).With([]edits.Change{{Path: "n", Op: edits.OpCreate}}).Document("a.txt")
		return err == nil
	},
	"write": func(ctx context.Context, w *workspace.Workspace) bool {
		return w.Door().With(workspace.Agreed()).Write(ctx, "w1", "x", "") == nil
	},
	"write new": func(ctx context.Context, w *workspace.Workspace) bool {
		return w.Door().With(workspace.Agreed()).WriteNew(ctx, "w2", "x", "") == nil
	},
	"write over": func(ctx context.Context, w *workspace.Workspace) bool {
		return w.Door().With(workspace.Agreed()).WriteOver(ctx, "over.txt", "x\n", "y\n", "") == nil
	},
	"remove": func(ctx context.Context, w *workspace.Workspace) bool {
		return w.Door().With(workspace.Agreed()).Remove(ctx, "r1") == nil
	},
	"remove if": func(ctx context.Context, w *workspace.Workspace) bool {
		return w.Door().With(workspace.Agreed()).RemoveIf(ctx, "r2", "x\n") == nil
	},
	"rename": func(ctx context.Context, w *workspace.Workspace) bool {
		return w.Door().With(workspace.Agreed()).Rename(ctx, "r3", "r4") == nil
	},
}

// leaves fails the test unless f returns false soon after the context that it is given has ended.
func leaves(t *testing.T, what string, waiting func(), f func(ctx context.Context) bool) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan bool, 1)
	go func() { done <- f(ctx) }()
	waiting()
	select {
	case <-done:
		t.Errorf("%s: it did not wait", what)
		return
	default:
	}
	start := time.Now()
	cancel()
	select {
	case did := <-done:
		if took := time.Since(start); took > 200*time.Millisecond && !busy() {
			t.Errorf("%s: it left %v after the end of its context", what, took)
		}
		if did {
			t.Errorf("%s: it says that it did it", what)
		}
	case <-time.After(hung):
		t.Fatalf("%s: it outlives its context", what)
	}
}

// busy says whether this machine is too slow at the moment for a limit of time to tell anything.
func busy() bool {
	start := time.Now()
	for range 20 {
		done := make(chan struct{})
		go close(done)
		<-done
		time.Sleep(time.Millisecond)
	}
	return time.Since(start) > 100*time.Millisecond
}

// TestCancelWhileTheSettingsHang: nobody waits for the settings of a root longer than their context lasts.
func TestCancelWhileTheSettingsHang(t *testing.T) {
	files := map[string]string{"a.txt": "x\n", "sub/a.txt": "x\n", "over.txt": "x\n", "r1": "x\n", "r2": "x\n", "r3": "x\n"}
	for what, f := range whoWaits {
		root := t.TempDir()
		for path, text := range files {
			put(t, root, path, text)
		}
		asked, free := make(chan struct{}), make(chan struct{})
		w, err := workspace.OpenLater(root, workspace.Options{Policy: func() workspace.Policy {
			close(asked)
			<-free
			return workspace.Policy{}
		}})
		if err != nil {
			t.Fatal(err)
		}
		before := tree(t, root)
		leaves(t, what, func() { await(t, "the settings are not asked for", asked) }, func(ctx context.Context) bool { return f(ctx, w) })
		if after := tree(t, root); len(after) != len(before) {
			t.Errorf("%s left %v", what, after)
		}
		close(free)
		if !f(t.Context(), w) {
			t.Errorf("%s: it does not work when the settings have come", what)
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestCancelWhileTheDiskHangs is the same for a file system that does not answer, from the opening of the
// folder on; giving it up waits for nothing, and what is open in the editor reads as always.
func TestCancelWhileTheDiskHangs(t *testing.T) {
	for what, f := range whoWaits {
		dir, release := hangtest.Mount(t)
		for _, root := range []string{dir, filepath.Join(dir, "sub")} {
			w, err := workspace.OpenLater(root, workspace.Options{})
			if err != nil {
				t.Fatal(err)
			}
			w.DidOpen("open.txt", "o\n", 1)
			leaves(t, what, func() {}, func(ctx context.Context) bool {
				select { // long enough to be on its way
				case <-time.After(5 * time.Millisecond):
				case <-ctx.Done():
				}
				return f(ctx, w)
			})
			mustRead(t, w.Snapshot(), "open.txt", "o\n")
			within(t, "closing", func() {
				if err := w.Close(); err != nil {
					t.Error(err)
				}
			})
		}
		release()
	}
}

// TestAFolderThatComesLater: a folder that cannot be opened refuses everything, says why, and is tried again.
func TestAFolderThatComesLater(t *testing.T) {
	root := filepath.Join(t.TempDir(), "later")
	w, err := workspace.OpenLater(root, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w.DidOpen("open.txt", "o\n", 1)
	for range 2 {
		mustRead(t, w.Snapshot(), "open.txt", "o\n")
		for _, op := range []workspace.Operation{workspace.OpSend, workspace.OpRead, workspace.OpCreate, workspace.OpEdit} {
			if d := w.Door().Check(t.Context(), "a.txt", op); d.Verdict != workspace.Refuse || d.Code != workspace.CodeNoFolder || d.Path != "a.txt" || d.Reason == "" {
				t.Errorf("%s: %+v", op, d)
			}
		}
		for what, f := range whoWaits {
			if what != "lister" && what != "named" && f(t.Context(), w) { // those judge names
				t.Errorf("%s: it was done in a folder that is not there", what)
			}
		}
		if w.Door().OnDisk("a.txt") || w.Snapshot().Exists("a.txt") {
			t.Error("a file of no folder exists")
		}
		if _, err := w.StateDocument("prompt.md", "x"); err == nil {
			t.Error("a document was written to no folder")
		}
		put(t, filepath.Dir(root), "other", "x") // the second time round its parent has changed
	}
	put(t, root, "a.txt", "now\n")
	mustRead(t, w.Snapshot(), "a.txt", "now\n")
	if d := w.Door().Check(t.Context(), "a.txt", workspace.OpSend); d.Verdict != workspace.Allow {
		t.Errorf("%+v", d)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if err := w.Close(); err != nil {
		t.Errorf("closing twice: %v", err)
	}
	file := filepath.Join(root, "a.txt")
	if _, err := workspace.Open(file, workspace.Options{}); err == nil {
		t.Error("a file was opened as a folder")
	}
	if _, err := workspace.Open(filepath.Join(root, "none"), workspace.Options{}); err == nil {
		t.Error("a folder that is not there was opened")
	}
}
