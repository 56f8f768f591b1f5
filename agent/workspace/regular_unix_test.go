//go:build unix

package workspace_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"coauthor/agent/workspace"
)

// special makes a named pipe, links to it and to a device, and a folder below root.
func special(t *testing.T, root string) []string {
	t.Helper()
	if err := syscall.Mkfifo(filepath.Join(root, "pipe"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("pipe", filepath.Join(root, "link-to-pipe")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/zero", filepath.Join(root, "zero")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(root, "folder"), 0o755); err != nil {
		t.Fatal(err)
	}
	return []string{"pipe", "link-to-pipe", "zero", "folder"}
}

// A pipe or a device is refused at once by everything that reads, and nobody waits for it.
func TestSpecialFilesAreNeverOpened(t *testing.T) {
	w := open(t, map[string]string{"a": "x"}, workspace.Options{})
	for _, name := range special(t, w.Root()) {
		within(t, name, func() {
			for how, read := range map[string]func() error{
				"snapshot": func() error { _, err := w.Snapshot().Read(name); return err },
				"disk":     func() error { _, err := w.Door().DiskText(t.Context(), name); return err },
				"below":    func() error { _, err := workspace.ReadBelow(w.Root(), name, 100); return err },
				"machine":  func() error { _, err := workspace.ReadRegular(filepath.Join(w.Root(), name), 100); return err },
			} {
				var refused *workspace.RefusedError
				err := read()
				outside := name == "zero" && how == "below" && err != nil // os.Root says so
				if !errors.As(err, &refused) && !outside {
					t.Errorf("%s of %s: %v", how, name, err)
				}
			}
			if d := w.Door().Check(t.Context(), name, workspace.OpSend); d.Verdict != workspace.Refuse || d.Reason == "" {
				t.Errorf("%s may be sent: %+v", name, d)
			}
		})
	}
	within(t, "a message", func() {
		if _, err := w.Snapshot().Read("link-to-pipe"); err == nil || err.Error() != "link-to-pipe: it is a named pipe, not a regular file" {
			t.Errorf("%v", err)
		}
	})
}

// An ignore file that is a pipe hides what it may speak of, at once.
func TestIgnoreFileThatIsAPipe(t *testing.T) {
	w := open(t, map[string]string{"a": "x", "sub/b": "y"}, workspace.Options{})
	if err := syscall.Mkfifo(filepath.Join(w.Root(), "sub", ".gitignore"), 0o644); err != nil {
		t.Fatal(err)
	}
	within(t, "an ignore file", func() {
		if d := w.Door().Check(t.Context(), "sub/b", workspace.OpSend); d.Verdict != workspace.Ask {
			t.Errorf("sub/b: %+v", d)
		}
		if d := w.Door().Check(t.Context(), "a", workspace.OpSend); d.Verdict != workspace.Allow {
			t.Errorf("a: %+v", d)
		}
	})
}

// A pipe that takes the place of a file between the look and the opening does not stop the reader
// either: a swapper exchanges both as fast as it can while the file is read.
func TestPipeInTheRace(t *testing.T) {
	w := open(t, map[string]string{"text": "x"}, workspace.Options{})
	dir := w.Root()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o644); err != nil {
		t.Fatal(err)
	}
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			from := []string{"text", "pipe"}[i%2]
			_ = os.Remove(filepath.Join(dir, "next")) // the first time there is none
			if os.Link(filepath.Join(dir, from), filepath.Join(dir, "next")) == nil {
				_ = os.Rename(filepath.Join(dir, "next"), filepath.Join(dir, "target")) // the next round tries again
			}
		}
	}()
	within(t, "the reader", func() {
		for range 3000 {
			text, err := workspace.ReadBelow(dir, "target", 10)
			if err == nil && string(text) != "x" {
				t.Errorf("read %q", text)
			}
		}
	})
	close(stop)
	await(t, "who swaps the files does not end", stopped)
}

func TestReadRegularHasALimit(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "sub/a", strings.Repeat("x", 100))
	put(t, dir, "b", "")
	if err := os.Symlink("sub/a", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(t.TempDir(), "sub"), filepath.Join(dir, "out")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"sub/a", "link"} {
		for limit, good := range map[int64]bool{99: false, 100: true, 101: true} {
			one, err1 := workspace.ReadBelow(dir, name, limit)
			two, err2 := workspace.ReadRegular(filepath.Join(dir, name), limit)
			if (err1 == nil) != good || (err2 == nil) != good || good && (len(one) != 100 || len(two) != 100) {
				t.Errorf("%s, limit %d: %d %v, %d %v", name, limit, len(one), err1, len(two), err2)
			}
			var refused *workspace.RefusedError
			if !good && (!errors.As(err1, &refused) || refused.Decision.Code != workspace.CodeTooLarge) {
				t.Errorf("%s, limit %d: %v", name, limit, err1)
			}
		}
	}
	if text, err := workspace.ReadBelow(dir, "b", 0); err != nil || len(text) != 0 {
		t.Errorf("an empty file: %q, %v", text, err)
	}
	for _, name := range []string{"gone", "sub/gone", "no/folder"} {
		if _, err := workspace.ReadBelow(dir, name, 10); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if text, err := workspace.ReadBelow(filepath.Join(dir, "no/folder"), "b", 10); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that is not there: %q, %v", text, err)
	}
	if text, err := os.ReadFile("/proc/self/status"); err == nil { // it says that it is empty
		var refused *workspace.RefusedError
		if short, err := workspace.ReadRegular("/proc/self/status", 10); !errors.As(err, &refused) || refused.Decision.Code != workspace.CodeTooLarge {
			t.Errorf("read %q of %d bytes, %v", short, len(text), err)
		}
	}
	put(t, dir, "sparse", "")
	if err := os.Truncate(filepath.Join(dir, "sparse"), 1<<40); err == nil { // more than there is memory
		if _, err := workspace.ReadRegular(filepath.Join(dir, "sparse"), 1<<39); err == nil {
			t.Error("a file of a terabyte was read")
		}
	}
	for _, name := range []string{"../x", "/etc/passwd", "out/x", ""} {
		if text, err := workspace.ReadBelow(dir, name, 10000); err == nil {
			t.Errorf("%q was read: %q", name, text)
		}
	}
}
