package index

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"

	"coauthor/repomap"
)

// openFiles names what this process has open.
func openFiles(t *testing.T) map[string]string {
	t.Helper()
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, e := range list {
		if target, err := os.Readlink("/proc/self/fd/" + e.Name()); err == nil && !strings.HasPrefix(target, "anon_inode:[event") { // those are the runtime's
			all[e.Name()] = target
		}
	}
	return all
}

// A server runs for weeks: whatever an index does, and however that ends, no file and no memory stays taken.
func TestNothingStaysOpen(t *testing.T) {
	root, state := t.TempDir(), t.TempDir()
	git(t, root, "init", "-q", "-b", "main")
	commit(t, root, "first", map[string]string{"a.go": string(good), "dir/.gitignore": "*.log\n", "bad.go": "package a // segfault\n"})
	if err := os.WriteFile(filepath.Join(root, "large.go"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(root, "large.go"), maxRead); err != nil {
		t.Fatal(err)
	}
	kept := newStore(state, root, ".map")
	save(t, kept, "a snapshot")
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // the collector closes what was forgotten
	for what, f := range map[string]func() error{
		"index": func() error {
			x, err := Open(t.Context(), root, Options{StateDir: t.TempDir(), Worker: []string{os.Args[0], "fragile"}})
			if err != nil {
				return err
			}
			defer x.Close()
			wait(t, x)
			_, err = x.Map(t.Context(), repomap.Request{Budget: 100})
			return err
		},
		"no index": func() error {
			if _, err := Open(t.Context(), filepath.Join(root, "a.go"), Options{}); err == nil {
				return errors.New("a file was opened as a root")
			}
			return nil
		},
		"read": func() error {
			s, err := newSource(root, nil)
			if err != nil {
				return err
			}
			defer s.close()
			for _, name := range []string{"large.go", "dir", "gone.go"} {
				if _, err := s.Read(t.Context(), name, nil); err == nil {
					return fmt.Errorf("%s was read", name)
				}
			}
			if _, err := s.walk(t.Context()); err != nil {
				return err
			}
			_, err = s.Read(t.Context(), "a.go", nil)
			return err
		},
		"save": func() error {
			failed := kept.Save(func(io.Writer) error { return errors.New("full") })
			return errors.Join(kept.Save(func(w io.Writer) error { _, err := io.WriteString(w, "more"); return err }), map[bool]error{true: errors.New("nothing failed")}[failed == nil])
		},
		"pages": func() error {
			for _, take := range []func() ([]byte, func(), error){kept.Page, func() ([]byte, func(), error) { return kept.Spill([]byte("spilled")) }} {
				_, free, err := take()
				if err != nil {
					return err
				}
				if n := len(mapped(t, state)); n != 1 {
					return fmt.Errorf("%d files are mapped", n)
				}
				free()
			}
			if n := len(mapped(t, state)); n != 0 {
				return fmt.Errorf("%d files are still mapped", n)
			}
			return nil
		},
		"crashes": func() error {
			p := newPool([]string{os.Args[0], "fragile"}, state)
			defer p.close()
			if _, err := p.Tags(t.Context(), "bad.go", fmt.Appendf(nil, "// segfault in %s", t.Name())); !errors.Is(err, errCrashed) {
				return err
			}
			_, err := p.Tags(t.Context(), "a.go", good)
			return err
		},
		"cancelled": func() error {
			p := newPool([]string{os.Args[0], "worker"}, "")
			defer p.close()
			for n := range int64(6) {
				ctx := fadingAfter(t.Context(), n+1)
				if _, err := p.Tags(ctx, "a.go", good); err != nil && !errors.Is(err, context.Canceled) {
					return err
				}
				ctx.cancel()
			}
			return nil
		},
	} {
		before := openFiles(t)
		if err := f(); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		for fd, target := range openFiles(t) {
			if before[fd] != target {
				t.Errorf("%s: %s is still open", what, target)
			}
		}
	}
}

// mapped gives the lines of what is mapped of the files below dir.
func mapped(t *testing.T, dir string) (lines []string) {
	t.Helper()
	text, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, dir) {
			lines = append(lines, line)
		}
	}
	return lines
}

// resident says how many kilobytes of the one file that is mapped below dir are in memory.
func resident(t *testing.T, dir string) (kb int) {
	t.Helper()
	text, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(text), dir)
	if !ok {
		t.Fatal("nothing is mapped")
	}
	_, rest, _ = strings.Cut(rest, "\nRss:")
	if _, err := fmt.Sscan(rest, &kb); err != nil {
		t.Fatal(err)
	}
	return kb
}

// Between two maps the pages of a snapshot need no memory, and they read as before when they are needed again.
func TestRestGivesMemoryBack(t *testing.T) {
	dir := t.TempDir()
	s := newStore(dir, "/root", ".map")
	text := strings.Repeat("0123456789abcdef", 1<<16)
	save(t, s, text)
	data, free, err := s.Page()
	if err != nil || free == nil {
		t.Fatal(err)
	}
	defer free()
	for range 2 {
		if string(data) != text {
			t.Error("it reads otherwise")
		}
		if kb := resident(t, dir); kb < len(text)>>11 {
			t.Errorf("%d kB are in memory while they are read", kb)
		}
		s.Rest()
		if kb := resident(t, dir); kb != 0 {
			t.Errorf("%d kB are in memory afterwards", kb)
		}
	}
}

// Where the process may open no more files, what cannot be started is parsed here, and nothing is left open.
func TestWithoutFileDescriptors(t *testing.T) {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for room := range uint64(12) {
		p := newPool([]string{os.Args[0], "worker"}, "")
		before := openFiles(t)
		cramped := syscall.Rlimit{Cur: limitFor(t, room), Max: limit.Max}
		if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &cramped); err != nil {
			t.Fatal(err)
		}
		tags, err := p.Tags(t.Context(), "a.go", good)
		if back := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); back != nil {
			t.Fatal(back)
		}
		if err != nil || len(tags) != 1 {
			t.Errorf("room for %d: %v %v", room, tags, err)
		}
		p.mu.Lock()
		started := len(p.all) > 0
		p.mu.Unlock()
		if room == 0 && started || room == 11 && !started { // what is in between is the system's affair
			t.Errorf("room for %d: a worker was started: %t", room, started)
		}
		p.close()
		for fd, target := range openFiles(t) {
			if before[fd] != target {
				t.Errorf("room for %d: %s is still open", room, target)
			}
		}
	}
}

// limitFor gives the limit with which so many files more can be opened. What is open has numbers of any size:
// a shell hands down some of its own.
func limitFor(t *testing.T, room uint64) (limit uint64) {
	t.Helper()
	for ; ; limit++ {
		if _, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", limit)); err == nil {
			continue
		} else if !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		if room == 0 {
			return limit
		}
		room--
	}
}
