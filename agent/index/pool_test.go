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
	"time"

	"github.com/google/go-cmp/cmp"

	"coauthor/repomap"
	flat "coauthor/repomap/store"
	"coauthor/repomap/syntax"
)

// modes are what the test binary can be: the real worker, one that a file can kill or hold up, one that
// talks nonsense, and a whole index on a disk that is full.
var modes = map[string]func(args []string) error{
	"worker": func([]string) error { return ServeWorker(context.Background(), os.Stdin, os.Stdout) },
	"fragile": func(args []string) error {
		return ServeWorker(context.Background(), &fragile{os.Stdin, strings.Join(args, "")}, os.Stdout)
	},
	"linger": func(args []string) error {
		return ServeWorker(context.Background(), &linger{in: os.Stdin, pipe: args[0]}, os.Stdout)
	},
	"listed":      func(args []string) error { return listed(args[0]) },
	"stubborn":    func(args []string) error { return ServeWorker(context.Background(), &stubborn{args[0]}, os.Stdout) },
	"refusing":    func([]string) error { return refuse(os.Stdin, os.Stdout) },
	"environment": func(args []string) error { return showEnvironment(args[0]) },
	"nonsense": func([]string) error {
		_, _ = io.WriteString(os.Stdout, strings.Repeat("nonsense", 1000))
		_, _ = io.Copy(io.Discard, os.Stdin)
		return nil
	},
	"cramped":  cramped,
	"halting":  func(args []string) error { return halting(args[0], args[1]) },
	"indexing": indexing,
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

// fragile dies of the word segfault, as a grammar would, after it has noted that in its list, if it has one.
type fragile struct {
	in   io.Reader
	list string
}

func (f *fragile) Read(p []byte) (int, error) {
	n, err := f.in.Read(p)
	if bytes.Contains(p[:n], []byte("segfault")) {
		if f.list != "" {
			before, _ := os.ReadFile(f.list)
			_ = os.WriteFile(f.list, fmt.Appendln(before, "segfault"), 0o600)
		}
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
			time.Sleep(time.Hour) // until it is killed; select {} would be a deadlock, which ends a program without C
		}
	}
	return n, err
}

// stubborn dies of the first word segfault and stops for ever at the next, or at the word endless, after it has
// noted the word in a list.
type stubborn struct{ list string }

func (s *stubborn) Read(p []byte) (int, error) {
	n, err := os.Stdin.Read(p)
	for _, word := range []string{"segfault", "endless"} {
		if !bytes.Contains(p[:n], []byte(word)) {
			continue
		}
		before, _ := os.ReadFile(s.list)
		if err := os.WriteFile(s.list, fmt.Appendln(before, word), 0o600); err != nil {
			return 0, err
		}
		if word == "segfault" && len(before) == 0 {
			crash()
		}
		time.Sleep(time.Hour) // until it is killed; select {} would be a deadlock, which ends a program without C
	}
	return n, err
}

// refuse answers each request with an error in words.
func refuse(in io.Reader, out io.Writer) error {
	for r := bufio.NewReader(in); ; {
		_, pathErr := readFrame(r)
		_, srcErr := readFrame(r)
		_, err := out.Write(appendFrame([]byte{1}, []byte("too deep")))
		if err := errors.Join(pathErr, srcErr, err); err != nil {
			return err
		}
	}
}

// showEnvironment is the real worker, which first writes its environment to a file.
func showEnvironment(file string) error {
	if err := os.WriteFile(file, []byte(strings.Join(os.Environ(), "\n")), 0o600); err != nil {
		return err
	}
	return ServeWorker(context.Background(), os.Stdin, os.Stdout)
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
	for what, p := range map[string]*pool{"with": p, "without": absent} { // neither starts anything any more
		p.close()
		if tags, err := p.Tags(t.Context(), "a.go", []byte("package a")); !errors.Is(err, errClosed) || tags != nil {
			t.Errorf("closed, %s the program: %v %v", what, tags, err)
		}
	}
}

// A file of no known language is no worker's: none is asked, and none can be killed by it.
func TestFilesWithoutALanguage(t *testing.T) {
	p := workers(t, "nonsense", "")
	for _, path := range []string{"board.dts", "Kconfig", "data"} {
		if tags, err := p.Tags(t.Context(), path, []byte("int f(void) { return 1; }\n")); err != nil || len(tags) != 0 {
			t.Errorf("%s: %v, %v", path, tags, err)
		}
	}
	if len(p.all) != 0 {
		t.Errorf("%d workers were started", len(p.all))
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Tags(ended, "board.dts", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// What a worker says about a file is passed on, also where it refuses the file; what is no whole answer is none.
func TestAnswersOfWorkers(t *testing.T) {
	p := workers(t, "worker", "")
	tags := []repomap.Tag{{Kind: tagKinds[0], Name: "One", Def: true, Line: 1}, {Kind: tagKinds[1], Name: "Two", Line: 7}}
	for what, c := range map[string]struct {
		said    []byte
		tags    []repomap.Tag
		refused string
		err     error
	}{
		"tags":                    {appendFrame([]byte{0}, encodeTags(tags)), tags, "", nil},
		"no tags":                 {appendFrame([]byte{0}, nil), nil, "", nil},
		"a refusal":               {appendFrame([]byte{1}, []byte("too deep")), nil, "too deep", nil},
		"nothing":                 {nil, nil, "", io.EOF},
		"no body":                 {[]byte{0}, nil, "", io.EOF},
		"a refusal without words": {[]byte{1}, nil, "", io.EOF},
		"half of the tags":        {appendFrame([]byte{0}, encodeTags(tags))[:5+len(encodeTags(tags[:1]))], nil, "", io.ErrUnexpectedEOF},
		"half of a refusal":       {appendFrame([]byte{1}, []byte("too deep"))[:8], nil, "", io.ErrUnexpectedEOF},
		"nonsense":                {appendFrame([]byte{0}, []byte("nonsense")), nil, "", errTags},
	} {
		w, err := p.take(t.Context(), true)
		if err != nil {
			t.Fatal(err)
		}
		w.out.Reset(bytes.NewReader(c.said))
		got, refused, err := w.ask(t.Context(), "a.go", good, hung)
		if diff := cmp.Diff(c.tags, got); diff != "" || !errors.Is(err, c.err) || (refused != nil) != (c.refused != "") || refused != nil && refused.Error() != c.refused {
			t.Errorf("%s: refused %v, %v\n%s", what, refused, err, diff)
		}
		p.end(w)
	}
	refusing := workers(t, "refusing", t.TempDir())
	for range 3 {
		if tags, err := refusing.Tags(t.Context(), "a.go", good); err == nil || err.Error() != "too deep" || tags != nil {
			t.Errorf("%v %v", tags, err)
		}
		if all, free := refusing.counts(); all != 1 || free != 1 || len(refusing.crashed) != 0 {
			t.Errorf("%d workers, %d free, %d crashes", all, free, len(refusing.crashed))
		}
	}
}

// A file whose worker dies is tried once more, and one that its worker does not get done with is not.
func TestHowOftenAFileIsTried(t *testing.T) {
	for word, want := range map[string]int{"segfault": tries, "endless": 1} {
		list := filepath.Join(t.TempDir(), "list")
		p := newPool([]string{os.Args[0], map[string]string{"segfault": "fragile", "endless": "stubborn"}[word], list}, "")
		if _, err := p.Tags(t.Context(), "good.go", good); err != nil { // it has started and is quick
			t.Error(err)
		}
		p.fileTime = map[string]time.Duration{"segfault": hung, "endless": 300 * time.Millisecond}[word]
		if _, err := p.Tags(t.Context(), "a.go", []byte("package a // "+word)); !errors.Is(err, errCrashed) {
			t.Errorf("%s: %v", word, err)
		}
		p.close()
		text, err := os.ReadFile(list)
		if n := strings.Count(string(text), word); n > want || n < want && word == "segfault" { // one that is ended in time notes nothing
			t.Errorf("%s: tried %q, %v", word, text, err)
		}
	}
}

// A file is not to blame where its worker ends because somebody is cancelled or the pool is closed, also when
// another worker has died of it before.
func TestNoBlameForWhoStops(t *testing.T) {
	for what, c := range map[string]struct {
		stop func(p *pool, cancel func())
		err  error
	}{
		"cancelled": {func(_ *pool, cancel func()) { cancel() }, context.Canceled},
		"closed":    {func(p *pool, _ func()) { p.close() }, errClosed},
	} {
		for word, times := range map[string]int{"segfault": 2, "endless": 1} {
			list := filepath.Join(t.TempDir(), "list")
			p := newPool([]string{os.Args[0], "stubborn", list}, t.TempDir())
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() { _, err := p.Tags(ctx, "a.go", []byte("package a // "+word)); ended <- err }()
			until(t, "the file is not tried", func() bool {
				text, _ := os.ReadFile(list)
				return strings.Count(string(text), word) == times
			})
			c.stop(p, cancel)
			if err := answer(t, "who asked", ended); !errors.Is(err, c.err) || errors.Is(err, errCrashed) {
				t.Errorf("%s: %v", what, err)
			}
			cancel()
			p.close()
			if _, err := os.Stat(p.list); len(p.crashed) != 0 || !errors.Is(err, os.ErrNotExist) {
				t.Errorf("%s: %d files are blamed, %v", what, len(p.crashed), err)
			}
		}
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
