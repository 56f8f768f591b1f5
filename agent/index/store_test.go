package index

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	flat "coauthor/repomap/store"
)

func save(t *testing.T, s store, text string) {
	t.Helper()
	if err := s.Save(func(w io.Writer) error { _, err := io.WriteString(w, text); return err }); err != nil {
		t.Fatal(err)
	}
}

// A save that fails leaves what was there, and nothing else.
func TestSaveThatFails(t *testing.T) {
	s := newStore(t.TempDir(), "/root", ".map")
	save(t, s, "good")
	full := errors.New("no space left on device")
	err := s.Save(func(w io.Writer) error { _, err := io.WriteString(w, "half"); return errors.Join(err, full) })
	if !errors.Is(err, full) {
		t.Errorf("%v", err)
	}
	if data, err := s.Load(); string(data) != "good" || err != nil {
		t.Errorf("%q %v", data, err)
	}
	if left, _ := os.ReadDir(filepath.Dir(s.file)); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
	info, err := os.Stat(s.file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	if info, err = os.Stat(filepath.Dir(s.file)); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	in := filepath.Join(t.TempDir(), "file")
	write(t, filepath.Dir(in), map[string]string{"file": ""})
	nowhere := newStore(in, "/root", ".map")
	if err := nowhere.Save(func(io.Writer) error { t.Error("it wrote"); return nil }); err == nil {
		t.Error("a snapshot was saved below a file")
	}
	if _, _, err := nowhere.Spill(make([]byte, 4096)); err == nil {
		t.Error("memory was lent below a file")
	}
	if _, _, err := nowhere.Page(); err == nil {
		t.Error("a snapshot was read below a file")
	}
}

// Every root and every kind has a file of its own, the same at every start.
func TestStoresOfRoots(t *testing.T) {
	dir := t.TempDir()
	if got, want := newStore(dir, "/home/a/project", ".map").file, filepath.Join(dir, "index", "12e16c2f90d46febc5550871.map"); got != want { // else what was kept is lost
		t.Errorf("%s, was %s", got, want)
	}
	seen := map[string]string{}
	for _, root := range []string{"/a", "/b", "/a/b", "/a/", ""} {
		for _, ext := range []string{".map", ".log"} {
			file := newStore(dir, root, ext).file
			if other, ok := seen[file]; ok || !strings.HasSuffix(file, ext) || file != newStore(dir, root, ext).file {
				t.Errorf("%s %s and %s are kept in %s", root, ext, other, file)
			}
			seen[file] = root + " " + ext
		}
	}
}

// What a store lends is what it holds, and stays so when another window saves.
func TestPages(t *testing.T) {
	s := newStore(t.TempDir(), "/root", ".map")
	if data, free, err := s.Page(); data != nil || free != nil || err != nil {
		t.Errorf("nothing was saved: %q, %v", data, err)
	}
	var pages [][]byte
	var frees []func()
	var want []string
	take := func(text string, data []byte, free func(), err error) {
		t.Helper()
		if err != nil || string(data) != text {
			t.Fatalf("%d bytes of %d, %v", len(data), len(text), err)
		}
		if flat.CanMap && text != "" && free == nil {
			t.Error("it was copied, not mapped")
		}
		want, pages, frees = append(want, text), append(pages, data), append(frees, free)
	}
	for _, n := range []int{0, 1, 4096, 5000, 100_000} {
		text := strings.Repeat(string(rune('a'+n%26)), n)
		save(t, s, text)
		data, free, err := s.Page()
		take(text, data, free, err)
		if flat.CanMap && n > 0 {
			spilled := bytes.Repeat([]byte{byte(n), 2, 3, 4, 5, 6, 7, 8}, n)
			data, free, err := s.Spill(spilled)
			take(string(spilled), data, free, err)
			clear(spilled) // it is no longer needed
		}
		s.Rest()
	}
	for i, free := range frees {
		for k, text := range want {
			if k >= i && string(pages[k]) != text {
				t.Errorf("page %d of %d bytes changed when others were given back", k, len(text))
			}
		}
		if free != nil {
			free()
		}
		s.Rest()
	}
	if flat.CanMap {
		if n := s.pages.Count(); n != 0 {
			t.Errorf("%d pages are still mapped", n)
		}
	}
	if left, _ := os.ReadDir(filepath.Dir(s.file)); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
	if _, _, err := s.Spill(nil); err == nil {
		t.Error("nothing was lent")
	}
}

// In a folder where nothing may be written, nothing is, and that is said.
func TestStoreWithoutPermission(t *testing.T) {
	s := newStore(t.TempDir(), "/root", ".map")
	save(t, s, "good")
	for dir := filepath.Dir(s.file); dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Dir(s.file), 0o555); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.Chmod(filepath.Dir(s.file), 0o755) }() // so that it can be removed
	unprivileged(t, func() {
		err := s.Save(func(io.Writer) error { t.Error("it wrote"); return nil })
		if !errors.Is(err, os.ErrPermission) {
			t.Errorf("save: %v", err)
		}
		if _, _, err := s.Spill(make([]byte, 4096)); flat.CanMap && !errors.Is(err, os.ErrPermission) {
			t.Errorf("spill: %v", err)
		}
		fresh := newStore(filepath.Join(filepath.Dir(s.file), "no", "folder"), "/root", ".map") // which cannot be made
		if err := fresh.Save(func(io.Writer) error { return nil }); !errors.Is(err, os.ErrPermission) {
			t.Errorf("save without a folder: %v", err)
		}
		if _, _, err := fresh.Spill(make([]byte, 4096)); flat.CanMap && !errors.Is(err, os.ErrPermission) {
			t.Errorf("spill without a folder: %v", err)
		}
	})
	if data, err := s.Load(); string(data) != "good" || err != nil {
		t.Errorf("%q %v", data, err)
	}
}

// A snapshot is mapped up to the largest size that there may be, and one beyond that is refused, however it got there.
func TestSizeOfSnapshots(t *testing.T) {
	if !flat.CanMap {
		t.Skip("snapshots are read here")
	}
	s := newStore(t.TempDir(), "/root", ".map")
	save(t, s, "x")
	for size, want := range map[int64]bool{maxSnapshotBytes: true, maxSnapshotBytes + 1: false} {
		if err := os.Truncate(s.file, size); err != nil {
			t.Skip("no file of that size can be made here:", err)
		}
		data, free, err := s.Page()
		if (err == nil) != want || want && int64(len(data)) != size {
			t.Errorf("%d bytes: %d, %v", size, len(data), err)
		}
		if free != nil {
			free()
		}
		if n := s.pages.Count(); n != 0 {
			t.Errorf("%d pages are still mapped", n)
		}
	}
}
