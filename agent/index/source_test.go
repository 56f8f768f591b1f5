package index

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"coauthor/repomap"
)

func sourceOf(t *testing.T, root string, door func(string) bool) *source {
	t.Helper()
	s, err := newSource(root, door)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.close)
	return s
}

func list(t *testing.T, s *source) []repomap.File {
	t.Helper()
	files, err := s.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func names(files []repomap.File) string {
	var out []string
	for _, f := range files {
		out = append(out, f.Path)
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// The identity of a file changes with whatever may change its text, and with nothing else.
func TestIdentityOfFiles(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{"a.go": "package a\n", "other.go": "package b\n"})
	s := sourceOf(t, root, nil)
	path := filepath.Join(root, "a.go")
	now := func() repomap.File {
		t.Helper()
		for _, f := range list(t, s) {
			if f.Path == "a.go" {
				return f
			}
		}
		t.Fatal("a.go is not listed")
		return repomap.File{}
	}
	when := time.Unix(1_600_000_000, 5)
	if err := os.Chtimes(path, when, when); err != nil {
		t.Fatal(err)
	}
	if a, b := now(), now(); a != b || a.Size != int64(len("package a\n")) {
		t.Errorf("nothing changed, but %v and %v", a, b)
	}
	for what, change := range map[string]func() error{
		"longer text":  func() error { return os.WriteFile(path, []byte("package long\n"), 0o644) },
		"another time": func() error { return os.Chtimes(path, when, when.Add(time.Nanosecond)) },
		"another file, of the same size and time": func() error {
			aside := filepath.Join(root, "aside")
			info, err := os.Stat(path)
			return errors.Join(err, os.WriteFile(aside, make([]byte, info.Size()), 0o644), os.Chtimes(aside, when, info.ModTime()), os.Rename(aside, path))
		},
		"another text, with the time set back": func() error {
			info, err := os.Stat(path)
			return errors.Join(err, os.WriteFile(path, make([]byte, info.Size()), 0o644), os.Chtimes(path, when, info.ModTime()))
		},
	} {
		before := now()
		tick(t, filepath.Join(root, "other.go"))
		if err := change(); err != nil {
			t.Fatal(err)
		}
		if after := now(); after.ID == before.ID {
			t.Errorf("%s: the identity is still %s", what, after.ID)
		}
	}
}

// tick waits until the clock of the file system has gone on.
func tick(t *testing.T, path string) {
	t.Helper()
	touched := func() (at time.Time) {
		err := os.WriteFile(path, []byte("package b\n"), 0o644)
		info, err2 := os.Stat(path)
		if err := errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
		return info.ModTime()
	}
	for start := touched(); touched().Equal(start); {
		time.Sleep(time.Millisecond)
	}
}

// What is listed can be read and named, and the door lets it out.
func TestListing(t *testing.T) {
	for _, gits := range []bool{false, true} {
		root := t.TempDir()
		write(t, root, map[string]string{"a.go": "package a\n", "sub/b.go": "package b\n", "secret/key.go": "package s\n", "gone.go": "package g\n",
			"tab\there.go": "package t\n", "del\x7f.go": "package d\n", "bytes\xff.go": "package x\n", "größe.go": "package g\n", "with space.go": "package w\n"})
		if err := os.Symlink("a.go", filepath.Join(root, "link.go")); err != nil {
			t.Fatal(err)
		}
		if gits {
			git(t, root, "init", "-q")
			git(t, root, "add", "-A")
		}
		if err := os.Remove(filepath.Join(root, "gone.go")); err != nil {
			t.Fatal(err)
		}
		s := sourceOf(t, root, func(p string) bool { return !strings.HasPrefix(p, "secret/") })
		n := 0
		s.note = func(string) { n++ }
		if got := names(list(t, s)); got != "a.go größe.go sub/b.go with space.go" {
			t.Errorf("git %v: %q", gits, got)
		}
		if n != 3 {
			t.Errorf("git %v: %d notes of what has no name", gits, n)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if files, err := s.List(ctx); !errors.Is(err, context.Canceled) || n != 3 {
			t.Errorf("git %v: cancelled: %v %v, %d notes", gits, files, err, n)
		}
	}
}

// A repository that git listed before and refuses now, as in the middle of a rebase, is not walked: that
// would bring in what is ignored. One that never worked is.
func TestListingInABadMoment(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{"a.go": "package a\n"})
	git(t, root, "init", "-q")
	git(t, root, "add", "-A")
	damage := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(root, ".git/config"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	good, err := os.ReadFile(filepath.Join(root, ".git/config"))
	if err != nil {
		t.Fatal(err)
	}
	s := sourceOf(t, root, nil)
	if got := names(list(t, s)); got != "a.go" {
		t.Errorf("%q", got)
	}
	damage("[nonsense")
	if files, err := s.List(t.Context()); err == nil {
		t.Errorf("git refuses, but %v are listed", files)
	}
	told := ""
	other := sourceOf(t, root, nil)
	other.note = func(text string) { told = text }
	if got := names(list(t, other)); got != "a.go" || told == "" {
		t.Errorf("never worked: %q, told %q", got, told)
	}
	damage(string(good))
	if got := names(list(t, s)); got != "a.go" {
		t.Errorf("afterwards %q", got)
	}
}

// Files are read whole up to the limit, behind what is in memory; what is larger is refused before it is read.
func TestSizeOfWhatIsRead(t *testing.T) {
	root := t.TempDir()
	s := sourceOf(t, root, nil)
	for size, want := range map[int64]bool{0: true, 1: true, 511: true, 512: true, 100_000: true, maxRead - 1: true, maxRead: false, maxRead + 1: false, 1 << 31: false} {
		text := strings.Repeat("0123456789abcdef", int(min(size, maxRead))/16+1)[:min(size, maxRead)]
		if err := os.WriteFile(filepath.Join(root, "f"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(filepath.Join(root, "f"), size); err != nil {
			t.Fatal(err)
		}
		got, err := s.Read(t.Context(), "f", []byte("before"))
		if (err == nil) != want || want && string(got) != "before"+text {
			t.Errorf("%d bytes: read %d, %v", size, len(got), err)
		}
	}
}

// A list is in order of path, with git and without: a folder stands behind a file whose name goes on with a dot.
func TestAListIsInOrder(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{"a/b.go": "package a\n", "a.go": "package a\n", "a-b.go": "package a\n", "z.go": "package a\n"})
	want := []string{"a-b.go", "a.go", "a/b.go", "z.go"}
	for _, repository := range []bool{false, true} {
		if repository {
			git(t, root, "init", "-q")
		}
		var got []string
		for _, f := range list(t, sourceOf(t, root, nil)) {
			got = append(got, f.Path)
		}
		if !slices.Equal(got, want) {
			t.Errorf("with git %v: %q", repository, got)
		}
	}
}

// Without git, what tools keep is left out wherever it lies, and ignore files hold from their folder down.
func TestWalkRules(t *testing.T) {
	root := t.TempDir()
	files := map[string]string{
		".gitignore": "# a comment\r\n\r\n*.tmp\r\n*~\n/only-here.go\nbuild/\n\\#odd\n", "x.tmp": "", "a.go~": "", "only-here.go": "", "sub/only-here.go": "", "sub/y.tmp": "",
		"build/c.go": "", "sub/build/d.go": "", "build.go": "", "#odd": "", "# a comment": "",
		"sub/.ignore": "private.go\n!y.tmp\n", "sub/private.go": "", "sub/deep/private.go": "", "private.go": "", "other/private.go": "",
		"tools/node_modules": "a file",
	}
	for dir := range skipped {
		files[dir+"/in.go"], files["other/"+dir+"/in.go"] = "", ""
	}
	write(t, root, files)
	write(t, root, map[string]string{"linked/kept.go": "", "linked/rules": "kept.go\n"})
	if err := os.Symlink("rules", filepath.Join(root, "linked/.gitignore")); err != nil { // git does not follow it either
		t.Fatal(err)
	}
	s := sourceOf(t, root, nil)
	told := 0
	s.note = func(string) { told++ }
	got, err := s.walk(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"# a comment", ".gitignore", "build.go", "linked/kept.go", "linked/rules", "other/private.go", "private.go", "sub/.ignore", "sub/only-here.go", "sub/y.tmp", "tools/node_modules"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	// An ignore file counts as far as it is read, which is a megabyte.
	write(t, root, map[string]string{"linked/.ignore": strings.Repeat("#\n", 1<<19-4) + "rules\n\n\nkept.go\n"})
	if got, err := s.walk(t.Context()); err != nil || slices.Contains(got, "linked/rules") || !slices.Contains(got, "linked/kept.go") {
		t.Errorf("with a large ignore file: %q, %v", got, err)
	}
	if err := os.Remove(filepath.Join(root, "linked/.ignore")); err != nil {
		t.Fatal(err)
	}
	// A folder of no end, such as a whole home, is listed as far as that is of use, and that is said.
	for most, notes := range map[int]int{1: 1, len(want): 1, len(want) + 1: 0} {
		told, s.most = 0, most
		if got, err := s.walk(t.Context()); err != nil || len(got) != min(most, len(want)) || told != notes {
			t.Errorf("at most %d files: %d, told %d times, %v", most, len(got), told, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.walk(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	s.close()
	if got, err := s.walk(t.Context()); len(got) != 0 || err != nil { // a folder that is gone has no files
		t.Errorf("given up: %q, %v", got, err)
	}
}

// A folder that is not there has no index, by whatever name it is asked for.
func TestOpenOfNoFolder(t *testing.T) {
	gone := filepath.Join(t.TempDir(), "gone")
	for _, root := range []string{gone, filepath.Join(gone, "below")} {
		if _, err := Open(t.Context(), root, Options{}); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: %v", root, err)
		}
	}
	if err := os.Mkdir(gone, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Chdir(gone)
	if err := os.Remove(gone); err != nil {
		t.Fatal(err)
	}
	for _, root := range []string{".", "project"} {
		if x, err := Open(t.Context(), root, Options{}); err == nil {
			x.Close()
			t.Error("the current folder is gone, and it was opened")
		} else if !strings.Contains(err.Error(), root) {
			t.Errorf("%v: of what?", err)
		}
	}
}
