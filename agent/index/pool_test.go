package index

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
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
	"coauthor/repomap/syntax"
)

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
		"tags":                    {appendFrame([]byte{0}, appendTags(nil, tags)), tags, "", nil},
		"no tags":                 {appendFrame([]byte{0}, nil), nil, "", nil},
		"a refusal":               {appendFrame([]byte{1}, []byte("too deep")), nil, "too deep", nil},
		"nothing":                 {nil, nil, "", io.EOF},
		"no body":                 {[]byte{0}, nil, "", io.EOF},
		"a refusal without words": {[]byte{1}, nil, "", io.EOF},
		"half of the tags":        {appendFrame([]byte{0}, appendTags(nil, tags))[:5+len(appendTags(nil, tags[:1]))], nil, "", io.ErrUnexpectedEOF},
		"half of a refusal":       {appendFrame([]byte{1}, []byte("too deep"))[:8], nil, "", io.ErrUnexpectedEOF},
		"nonsense":                {appendFrame([]byte{0}, []byte("nonsense")), nil, "", errTags},
	} {
		w, err := p.take(t.Context(), true)
		if err != nil {
			t.Fatal(err)
		}
		w.out.Reset(bytes.NewReader(c.said))
		var got repomap.Tagged
		err = w.ask(t.Context(), []repomap.Text{{Path: "a.go", Src: good}}, hung, func(t repomap.Tagged) { got = t })
		if diff := cmp.Diff(c.tags, got.Tags); diff != "" || !errors.Is(err, c.err) || (got.Err != nil) != (c.refused != "") || got.Err != nil && got.Err.Error() != c.refused {
			t.Errorf("%s: refused %v, %v\n%s", what, got.Err, err, diff)
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
	f.Add(appendTags(nil, tags))
	f.Fuzz(func(t *testing.T, b []byte) {
		tags, err := decodeTags(b)
		if err != nil {
			return
		}
		again, err := decodeTags(appendTags(nil, tags))
		if diff := cmp.Diff(tags, again); err != nil || diff != "" {
			t.Errorf("%v\n%s", err, diff)
		}
		_, _ = readFrame(bufio.NewReader(bytes.NewReader(b)), nil)
	})
}
