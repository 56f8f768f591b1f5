package index

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coauthor/repomap"
	flat "coauthor/repomap/store"
	"coauthor/repomap/syntax"
)

// modes are what the test binary can be: the real worker, one that a file can kill or hold up, one that
// talks nonsense, and a whole index on a disk that is full.
var modes = map[string]func(args []string) error{
	"worker":  func([]string) error { return ServeWorker(context.Background(), os.Stdin, os.Stdout) },
	"fragile": func([]string) error { return ServeWorker(context.Background(), &fragile{in: os.Stdin}, os.Stdout) },
	"linger": func(args []string) error {
		return ServeWorker(context.Background(), &linger{in: os.Stdin, pipe: args[0]}, os.Stdout)
	},
	"listed": func(args []string) error { return listed(args[0]) },
	"nonsense": func([]string) error {
		_, _ = io.WriteString(os.Stdout, strings.Repeat("nonsense", 1000))
		_, _ = io.Copy(io.Discard, os.Stdin)
		return nil
	},
	"cramped": cramped,
}

// TestMain lets the test binary be one of modes.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		if f := modes[os.Args[1]]; f != nil {
			if err := f(os.Args[2:]); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			return
		}
	}
	os.Exit(m.Run())
}

// fragile dies of the word segfault, as a grammar would.
type fragile struct{ in io.Reader }

func (f *fragile) Read(p []byte) (int, error) {
	n, err := f.in.Read(p)
	if bytes.Contains(p[:n], []byte("segfault")) {
		crash()
	}
	return n, err
}

// linger stops at the word linger while its pipe is there, after it has told its process through it.
type linger struct {
	in   io.Reader
	pipe string
}

func (l *linger) Read(p []byte) (int, error) {
	n, err := l.in.Read(p)
	if bytes.Contains(p[:n], []byte("linger")) {
		if f, err := os.OpenFile(l.pipe, os.O_WRONLY, 0); err == nil {
			_, _ = fmt.Fprint(f, os.Getpid())
			_ = f.Close()
			select {} // until it is killed
		}
	}
	return n, err
}

// listed is the real worker, which first notes the names of the files that it is asked about.
func listed(list string) error {
	f, err := os.OpenFile(list, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	return ServeWorker(context.Background(), &noting{in: os.Stdin, to: f}, os.Stdout)
}

// noting notes the names of requests that were read to their end.
type noting struct {
	in   io.Reader
	to   io.Writer
	read bytes.Buffer
}

func (n *noting) Read(p []byte) (int, error) {
	k, err := n.in.Read(p)
	n.read.Write(p[:k])
	for {
		r := bufio.NewReader(bytes.NewReader(n.read.Bytes()))
		path, pathErr := readFrame(r)
		src, srcErr := readFrame(r)
		if pathErr != nil || srcErr != nil {
			return k, err
		}
		n.read.Next(4 + len(path) + 4 + len(src))
		if _, err := fmt.Fprintln(n.to, string(path)); err != nil {
			return k, err
		}
	}
}

// cramped indexes a tree where no file can grow beyond 2 KB, and prints the map.
func cramped(args []string) error {
	if err := limitFiles(2048); err != nil {
		return err
	}
	if _, _, err := newStore(args[1], args[0], ".map").Spill(make([]byte, 1<<20)); flat.CanMap && !errors.Is(err, errFileTooLarge) {
		return fmt.Errorf("a megabyte was kept: %w", err)
	}
	ctx := context.Background()
	x, err := Open(ctx, args[0], Options{StateDir: args[1], Worker: []string{os.Args[0], "fragile"},
		Log: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	if err != nil {
		return err
	}
	defer x.Close()
	if err := x.Wait(ctx); err != nil {
		return err
	}
	m, err := x.Map(ctx, repomap.Request{Budget: 10_000})
	fmt.Println(m.Complete, m.Text)
	return err
}

func workers(t *testing.T, mode, state string) *pool {
	t.Helper()
	p := newPool([]string{os.Args[0], mode}, state)
	t.Cleanup(p.close)
	return p
}

func TestWorkerTagsAsThisProcessDoes(t *testing.T) {
	p := workers(t, "worker", "")
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for name, src := range map[string]string{"a.go": "package a\n\ntype T struct{}\n\nfunc (t *T) Do() {}\n", "b.py": "class A:\n    def f(self): pass\n",
				"empty.go": "", "größe.c": "int main(void) { return 0; }", "x.unknown": "?"} {
				want, err := syntax.Tagger{}.Tags(t.Context(), name, []byte(src))
				if err != nil {
					t.Error(err)
				}
				got, err := p.Tags(t.Context(), name, []byte(src))
				if diff := cmp.Diff(want, got); err != nil || diff != "" {
					t.Errorf("%s: %v\n%s", name, err, diff)
				}
			}
		})
	}
	prompt(t, "who has files tagged", group.Wait)
	if all, free := p.counts(); all == 0 || all > 4 || free != all {
		t.Errorf("%d workers, %d free", all, free)
	}
}

func TestCrashIsRememberedAndTheServerGoesOn(t *testing.T) {
	state := t.TempDir()
	p := workers(t, "fragile", state)
	bad := []byte("package a // segfault\n")
	if _, err := p.Tags(t.Context(), "bad.go", bad); !errors.Is(err, errCrashed) {
		t.Errorf("the worker died, but: %v", err)
	}
	if tags, err := p.Tags(t.Context(), "good.go", good); err != nil || len(tags) != 1 {
		t.Errorf("after a crash: %v %v", tags, err)
	}
	again := workers(t, "absent-mode-that-is-never-started", state)
	if _, err := again.Tags(t.Context(), "bad.go", bad); !errors.Is(err, errCrashed) {
		t.Errorf("the crash was forgotten: %v", err)
	}

	root := t.TempDir()
	write(t, root, map[string]string{"good.go": string(good), "bad.go": string(bad)})
	n := &notes{}
	x := open(t, root, Options{Worker: []string{os.Args[0], "fragile"}, Log: n.log()})
	if got := complete(t, x); !strings.Contains(got, "func Good()") || !strings.Contains(got, "bad.go") {
		t.Errorf("got:\n%s", got)
	}
	if !n.has("tag bad.go: the parser crashed") {
		t.Error("nothing was noted of the file that kills its worker")
	}
}

// A worker that somebody else kills, such as a system without memory, condemns no file.
func TestWorkerKilledFromOutside(t *testing.T) {
	root, state, pipe := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "pipe")
	makePipe(t, pipe)
	files := map[string]string{"slow.go": "package a\n\nfunc Slow() {} // linger\n"}
	for i := range 20 {
		files[fmt.Sprintf("f%d.go", i)] = fmt.Sprintf("package a\n\nfunc F%d() {}\n", i)
	}
	write(t, root, files)
	n := &notes{}
	x, err := Open(t.Context(), root, Options{Worker: []string{os.Args[0], "linger", pipe}, Workers: 2, StateDir: state, Log: n.log()})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	pid, err := strconv.Atoi(readPipe(t, pipe))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Remove(pipe), fell(pid)); err != nil {
		t.Fatal(err)
	}
	wait(t, x)
	if got := complete(t, x); !strings.Contains(got, "func Slow()") || !strings.Contains(got, "func F19()") {
		t.Errorf("got:\n%s", got)
	}
	if n.has("crashed") {
		t.Error("the file was blamed")
	}

	// Workers that were killed while they had nothing to do are not the next files' fault either.
	p := workers(t, "worker", "")
	var group sync.WaitGroup
	for range 3 {
		group.Go(func() {
			if _, err := p.Tags(t.Context(), "a.go", []byte("package a\n"+strings.Repeat("\nfunc A() {}\n", 3000))); err != nil {
				t.Error(err)
			}
		})
	}
	prompt(t, "who has files tagged", group.Wait)
	p.mu.Lock()
	for w := range p.all {
		if err := fell(w.cmd.Process.Pid); err != nil {
			t.Error(err)
		}
		if _, err := w.out.Peek(1); !errors.Is(err, io.EOF) { // until it is dead
			t.Error(err)
		}
	}
	p.mu.Unlock()
	for range 4 {
		if tags, err := p.Tags(t.Context(), "a.go", good); err != nil || len(tags) != 1 {
			t.Errorf("%v %v", tags, err)
		}
	}
}

var good = []byte("package a\n\nfunc Good() {}\n")

// On a full disk the index is whole, the last snapshot stays as it was, and nothing is left lying about.
func TestFullDisk(t *testing.T) {
	root, state := t.TempDir(), t.TempDir()
	files := map[string]string{"bad.go": "package a // segfault\n"}
	for i := range 100 {
		files[fmt.Sprintf("f%d.go", i)] = fmt.Sprintf("package a\n\nfunc F%d() {}\n", i)
	}
	write(t, root, files)
	git(t, root, "init", "-q")
	git(t, root, "add", "-A")
	git(t, root, "commit", "-q", "-m", strings.Repeat("long ", 1000))
	open(t, root, Options{StateDir: state}).Close()
	before := contents(t, filepath.Join(state, "index"))
	write(t, root, map[string]string{"new.go": "package a\n\nfunc Newest() {}\n"})
	cmd := exec.CommandContext(t.Context(), os.Args[0], "cramped", root, state)
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, errs.String())
	}
	if got := out.String(); !strings.HasPrefix(got, "1 ") || !strings.Contains(got, "Newest") || !strings.Contains(got, "F99") {
		t.Errorf("got:\n%s", got)
	}
	if !strings.Contains(errs.String(), "save the index") {
		t.Errorf("nothing was noted:\n%s", errs.String())
	}
	after := contents(t, filepath.Join(state, "index"))
	for name := range after {
		if strings.HasPrefix(name, "crashed-") {
			delete(after, name)
		}
	}
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("the store changed:\n%s", diff)
	}
}

// contents gives the files of a folder.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, e := range list {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		out[e.Name()] = fmt.Sprintf("%x", sha256.Sum256(text))
	}
	return out
}

func TestWorkerThatCannotBeUsed(t *testing.T) {
	if _, err := workers(t, "nonsense", "").Tags(t.Context(), "a.go", []byte("package a")); err == nil {
		t.Error("nonsense was believed")
	}
	// Without the program this process parses: what failed to start must not leave a file without tags.
	absent := newPool([]string{"/absent/program"}, "")
	if tags, err := absent.Tags(t.Context(), "a.go", []byte("package a\n\nfunc A() {}\n")); err != nil || len(tags) != 1 {
		t.Errorf("%v %v", tags, err)
	}
	prompt(t, "closing a pool without workers", absent.close)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := workers(t, "worker", "")
	if _, err := p.Tags(ctx, "a.go", []byte("package a")); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	p.close()
	if _, err := p.Tags(t.Context(), "a.go", []byte("package a")); err == nil {
		t.Error("a closed pool tagged a file")
	}
}

func FuzzDecodeTags(f *testing.F) {
	tags, err := syntax.Tagger{}.Tags(f.Context(), "a.go", []byte("package a\n\nfunc A() {}\n"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(encodeTags(tags))
	f.Fuzz(func(t *testing.T, b []byte) {
		tags, err := decodeTags(b)
		if err != nil {
			return
		}
		again, err := decodeTags(encodeTags(tags))
		if diff := cmp.Diff(tags, again); err != nil || diff != "" {
			t.Errorf("%v\n%s", err, diff)
		}
		_, _ = readFrame(bufio.NewReader(bytes.NewReader(b)))
	})
}
