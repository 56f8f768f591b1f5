package index

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"coauthor/repomap"
)

func write(t *testing.T, root string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		full := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "maintenance.auto=false"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a",
		"GIT_COMMITTER_EMAIL=a@example.org", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_TEMPLATE_DIR=")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func open(t *testing.T, root string, o Options) *Index {
	t.Helper()
	x, err := Open(t.Context(), root, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(x.Close)
	wait(t, x)
	return x
}

func wait(t *testing.T, x *Index) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), hung)
	defer cancel()
	if err := x.Wait(ctx); err != nil {
		t.Fatal(err)
	}
}

func text(t *testing.T, x *Index, r repomap.Request) string {
	t.Helper()
	r.Budget = 10_000
	m, err := x.Map(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return m.Text
}

// there asks whether a map has the word, after another look at the disk.
func there(t *testing.T, x *Index, word string, want bool) {
	t.Helper()
	x.Changed("")
	wait(t, x)
	if got := text(t, x, repomap.Request{}); strings.Contains(got, word) != want {
		t.Errorf("%q there: want %v:\n%s", word, want, got)
	}
}

func TestIndexFollowsTheDisk(t *testing.T) {
	root := t.TempDir()
	git(t, root, "init", "-q", "-b", "main")
	write(t, root, map[string]string{"a.go": "package a\n\nfunc Alpha() { Beta() }\n", "b.py": "def beta_one():\n    pass\n",
		".gitignore": "*.gen.go\n", "x.gen.go": "package a\n\nfunc Generated() {}\n"})
	git(t, root, "add", "-A")
	git(t, root, "commit", "-q", "-m", "first")
	x := open(t, root, Options{StateDir: t.TempDir()})
	got := text(t, x, repomap.Request{})
	if !strings.Contains(got, "func Alpha()") || !strings.Contains(got, "def beta_one()") || strings.Contains(got, "Generated") {
		t.Errorf("got:\n%s", got)
	}

	write(t, root, map[string]string{"a.go": "package a\n\nfunc Gamma() {}\n", "new/c.ts": "export class Delta {}\n"})
	there(t, x, "Gamma", true)
	there(t, x, "Delta", true)
	if err := os.Rename(filepath.Join(root, "b.py"), filepath.Join(root, "new/b.py")); err != nil {
		t.Fatal(err)
	}
	there(t, x, "new/b.py", true)
	git(t, root, "stash", "-q", "-u")
	there(t, x, "Alpha", true)
	there(t, x, "Delta", false)

	over := repomap.Request{Overlays: map[string]string{"a.go": "package a\n\nfunc Unsaved() {}\n"}}
	if got := text(t, x, over); !strings.Contains(got, "Unsaved") || strings.Contains(got, "Alpha") {
		t.Errorf("overlay:\n%s", got)
	}
	if got := text(t, x, repomap.Request{}); strings.Contains(got, "Unsaved") || !strings.Contains(got, "Alpha") {
		t.Errorf("overlay is gone:\n%s", got)
	}
}

// Two questions may come before the first look has begun, and be answered by it.
func TestOneLookForTwoQuestions(t *testing.T) {
	x := open(t, t.TempDir(), Options{})
	x.kick <- struct{}{} // as the second of them does, behind the look that was for both
	until(t, "nobody refreshes", func() bool { return len(x.kick) == 0 })
	there(t, x, "anything", false)
	x.Changed("")
	x.Changed("")
	wait(t, x)
}

// A map that is asked for long after the last look finds what changed meanwhile, if the tree is small;
// a large one is not waited for.
func TestMapLooksFirst(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{"a.go": "package a\n\nfunc Before() {}\n"})
	var mu sync.Mutex
	now := time.Unix(1_700_000_000, 0)
	clock := func() time.Time { mu.Lock(); defer mu.Unlock(); return now }
	later := func() { mu.Lock(); defer mu.Unlock(); now = now.Add(time.Minute) }
	x := open(t, root, Options{Clock: clock})
	patience := func(d time.Duration) { x.mu.Lock(); defer x.mu.Unlock(); x.patience = d }
	patience(2 * hung)
	write(t, root, map[string]string{"a.go": "package a\n\nfunc After() {}\n"})
	if got := text(t, x, repomap.Request{}); !strings.Contains(got, "Before") {
		t.Errorf("the last look was just now, but:\n%s", got)
	}
	later()
	prompt(t, "a map", func() { // not for as long as it might
		if got := text(t, x, repomap.Request{}); !strings.Contains(got, "After") {
			t.Errorf("the last look was long ago, but:\n%s", got)
		}
	})
	wait(t, x)
	patience(-1)
	write(t, root, map[string]string{"a.go": "package a\n\nfunc Later() {}\n"})
	later()
	if got := text(t, x, repomap.Request{}); !strings.Contains(got, "After") {
		t.Errorf("it waited:\n%s", got)
	}
	wait(t, x)
	if got := text(t, x, repomap.Request{}); !strings.Contains(got, "Later") {
		t.Errorf("it looked not at all:\n%s", got)
	}
	x.mu.Lock()
	x.took = time.Minute // as in a huge tree
	x.mu.Unlock()
	write(t, root, map[string]string{"a.go": "package a\n\nfunc Last() {}\n"})
	later()
	text(t, x, repomap.Request{})
	wait(t, x)
	if got := text(t, x, repomap.Request{}); strings.Contains(got, "Last") {
		t.Errorf("it looked again after as long as a look takes:\n%s", got)
	}
}

func TestDoorDecides(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{"a.go": "package a\n\nfunc Open() {}\n", "secret.go": "package a\n\nfunc Secret() {}\n"})
	x := open(t, root, Options{Door: func(p string) bool { return p != "secret.go" }})
	got := text(t, x, repomap.Request{Overlays: map[string]string{"secret.go": "package a\n\nfunc Secret2() {}\n"}})
	if strings.Contains(got, "ecret") || !strings.Contains(got, "Open") {
		t.Errorf("got:\n%s", got)
	}
}

func TestWithoutGitIgnoreFilesHold(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{"a.go": "package a\n", ".gitignore": "out/\n*.log\n!keep.log\n", "out/b.go": "package b\n", "x.log": "x",
		"keep.log": "x", "sub/.gitignore": "/c.go\n", "sub/c.go": "package c\n", "sub/deep/c.go": "package c\n", "node_modules/d.js": "d()"})
	s, err := newSource(root, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	got, err := s.walk(t.Context())
	want := []string{".gitignore", "a.go", "keep.log", "sub/.gitignore", "sub/deep/c.go"}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
}

func TestHostileTree(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	write(t, outside, map[string]string{"out.go": "package out\n\nfunc Outside() {}\n"})
	write(t, root, map[string]string{"a.go": "package a\n\nfunc Inside() {}\n", "locked.go": "package a\n", "dir/b.go": "package b\n"})
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.Symlink(outside, filepath.Join(root, "link")))
	must(os.Symlink(filepath.Join(outside, "out.go"), filepath.Join(root, "link.go")))
	must(os.Symlink(".", filepath.Join(root, "dir/loop")))
	makePipe(t, filepath.Join(root, "pipe.go"))
	must(os.Chmod(filepath.Join(root, "locked.go"), 0))
	must(os.WriteFile(filepath.Join(root, "huge.c"), nil, 0o644))
	must(os.Truncate(filepath.Join(root, "huge.c"), 100<<20))
	for _, init := range []bool{false, true} {
		if init {
			git(t, root, "init", "-q")
		}
		x := open(t, root, Options{StateDir: filepath.Join(root, "dir/b.go/not-a-folder")})
		if got := text(t, x, repomap.Request{}); !strings.Contains(got, "Inside") || strings.Contains(got, "Outside") || strings.Contains(got, "pipe") {
			t.Errorf("git %v:\n%s", init, got)
		}
	}
}

func TestReadRefusesWhatIsNoFile(t *testing.T) {
	root := t.TempDir()
	makePipe(t, filepath.Join(root, "pipe"))
	s, err := newSource(root, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	for _, name := range []string{"pipe", "absent", "../x", "."} {
		if _, err := s.Read(t.Context(), name, nil); err == nil {
			t.Errorf("%s was read", name)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Read(ctx, "pipe", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// As many files are tagged at a time as there are workers, and for want of a number as there are processors.
func TestFilesAtATime(t *testing.T) {
	const processors = 3
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
	for asked, want := range map[int]int{0: processors, -1: processors, 1: 1, 3: 3} {
		root, pipe := t.TempDir(), filepath.Join(t.TempDir(), "pipe")
		makePipe(t, pipe)
		for i := range want + 3 {
			write(t, root, map[string]string{fmt.Sprintf("f%d.go", i): "package a // linger\n"})
		}
		x, err := Open(t.Context(), root, Options{Workers: asked, Worker: []string{os.Args[0], "linger", pipe}})
		if err != nil {
			t.Fatal(err)
		}
		until(t, "files are not tagged at once", func() bool { return x.Load().Running == want })
		if runtime.GOMAXPROCS(0) != processors {
			t.Errorf("the process has %d processors, had %d", runtime.GOMAXPROCS(0), processors)
		}
		if err := os.Remove(pipe); err != nil { // those that read from now on do not linger
			t.Fatal(err)
		}
		prompt(t, "closing", x.Close)
		if load := x.Load(); load != (Load{Most: want}) {
			t.Errorf("%d workers: %+v, want %d", asked, load, want)
		}
		if all, free := x.workers.counts(); all != 0 || free != 0 {
			t.Errorf("closed: %d workers, %d free", all, free)
		}
	}
}

// Never more files are tagged at a time than there are workers.
func TestNoMoreFilesAtATime(t *testing.T) {
	root := t.TempDir()
	for i := range 60 {
		write(t, root, map[string]string{fmt.Sprintf("f%d.go", i): strings.Repeat("package a\n\nfunc A() {}\n", 50)})
	}
	for _, asked := range []int{1, 2} {
		if load := open(t, root, Options{Workers: asked, Worker: []string{os.Args[0], "worker"}}).Load(); load.Running != 0 || load.Most < 1 || load.Most > asked {
			t.Errorf("%d workers: %+v", asked, load)
		}
	}
}

// A look at the disk is old after two seconds, and where looking takes long after twenty times as long; only one that
// is quick is waited for.
func TestWhenTheDiskIsLookedAt(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{"a.go": "package a\n"})
	now := time.Unix(1_700_000_000, 0)
	x := open(t, root, Options{Clock: func() time.Time { return now }})
	const never = time.Duration(-1 << 63)
	for _, c := range []struct {
		took, age    time.Duration
		looks, waits bool
	}{
		{0, 0, false, false}, {0, 2 * time.Second, false, false}, {0, 2*time.Second + 1, true, true},
		{patience, 2 * time.Second, false, false}, {patience, 2*time.Second + 1, true, true}, {patience + 1, 2*time.Second + 21, true, false},
		{time.Second, 20 * time.Second, false, false}, {time.Second, 20*time.Second + 1, true, false}, {0, -time.Second, false, false},
		{0, never, false, false}, {patience, never, false, false}, {patience + 1, never, false, false},
	} {
		x.mu.Lock()
		x.looked, x.took = now.Add(-c.age), c.took
		if c.age == never {
			x.looked = time.Time{} // the first look is still to end
		}
		before := x.round
		x.mu.Unlock()
		later := x.look(t.Context())
		x.mu.Lock()
		asked := x.round != before
		x.mu.Unlock()
		if later != (c.looks && !c.waits) || asked != c.waits {
			t.Errorf("it took %v, %v ago: later %v, at once %v, want %v, %v", c.took, c.age, later, asked, c.looks && !c.waits, c.waits)
		}
		wait(t, x)
	}
	// One that was asked for and has not begun is nobody's to ask for again, nor to wait for.
	x.mu.Lock()
	x.looked, x.took, x.round = now.Add(-time.Hour), 0, newRound()
	asked := x.round
	x.mu.Unlock()
	later := x.look(t.Context())
	x.mu.Lock()
	defer x.mu.Unlock()
	if later || x.round != asked || asked.started {
		t.Errorf("later %v, another one %v, begun %v", later, x.round != asked, asked.started)
	}
}

// A look that no map waits for begins when none is drawn any more, and not beside the next one; but not for ever.
func TestALookWaitsForMaps(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{"a.go": "package a\n\nfunc Before() {}\n"})
	now := time.Unix(1_700_000_000, 0)
	var mu sync.Mutex
	x := open(t, root, Options{Clock: func() time.Time { mu.Lock(); defer mu.Unlock(); return now }})
	write(t, root, map[string]string{"a.go": "package a\n\nfunc After() {}\n"})
	x.letGo(false)
	if x.behind.Stop() {
		t.Error("a map had a look begin that is not due")
	}
	x.hold()
	x.letGo(true) // the first map, whose look is due from here on
	x.hold()
	if x.behind.Stop() {
		t.Error("the look may begin beside the second map")
	}
	x.letGo(true)
	if !x.behind.Stop() {
		t.Error("the look does not begin after the second map")
	}
	if got := text(t, x, repomap.Request{}); !strings.Contains(got, "Before") {
		t.Errorf("it was not waited for, but:\n%s", got)
	}
	mu.Lock()
	now = now.Add(lookLast)
	mu.Unlock()
	x.behind.Reset(time.Hour)
	x.hold()
	if !x.behind.Stop() {
		t.Error("the look waits for more maps than it may")
	}
	x.letGo(false)
	wait(t, x)
	if got := text(t, x, repomap.Request{}); !strings.Contains(got, "After") {
		t.Errorf("it looked not at all:\n%s", got)
	}
	x.letGo(false)
	if x.behind.Stop() {
		t.Error("another look is due")
	}
}

// What goes wrong with a refresh is told to those who wait and to the log, and the next one can go right.
func TestRefreshThatFails(t *testing.T) {
	root := t.TempDir()
	git(t, root, "init", "-q", "-b", "main")
	write(t, root, map[string]string{"a.go": "package a\n\nfunc Alpha() {}\n"})
	git(t, root, "add", "-A")
	git(t, root, "commit", "-q", "-m", "first")
	n := &notes{}
	x := open(t, root, Options{Log: n.log()})
	if n.has("level=WARN") {
		t.Error("a warning of nothing")
	}
	config := filepath.Join(root, ".git/config")
	good, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	for _, written := range [][]byte{[]byte("[nonsense"), good} {
		if err := os.WriteFile(config, written, 0o644); err != nil {
			t.Fatal(err)
		}
		x.Changed("")
		ctx, cancel := context.WithTimeout(t.Context(), hung)
		defer cancel()
		if err := x.Wait(ctx); (err == nil) != (len(written) == len(good)) || errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%q: %v", written, err)
		}
		if !n.has("level=WARN") {
			t.Error("nothing is in the log")
		}
		if got := text(t, x, repomap.Request{}); !strings.Contains(got, "Alpha") {
			t.Errorf("%q: the map is\n%s", written, got)
		}
	}
}

// Who has waited has the history too, also in the next process; nothing of it is kept without a place.
func TestWaitIsForTheHistory(t *testing.T) {
	root, state := t.TempDir(), t.TempDir()
	git(t, root, "init", "-q", "-b", "main")
	files := map[string]string{}
	for i := range 12 {
		files[string(rune('a'+i))+".go"] = "package a\n"
	}
	commit(t, root, "first", files)
	for i := range 3 {
		commit(t, root, "together", map[string]string{"c.go": strings.Repeat("package a\n", i+2), "k.go": strings.Repeat("package a\n", i+2)})
	}
	for _, o := range []Options{{}, {StateDir: state}, {StateDir: state}} {
		x := open(t, root, o)
		m, err := x.Map(t.Context(), repomap.Request{Budget: 1000, Chat: []string{"c.go"}})
		if err != nil || m.Files[0].Path != "k.go" {
			t.Errorf("%v first, %v", m.Files, err)
		}
		x.Close()
	}
	kept := contents(t, filepath.Join(state, "index"))
	for _, ext := range []string{".map", ".log"} {
		if _, ok := kept[filepath.Base(newStore(state, root, ext).file)]; !ok || len(kept) != 2 {
			t.Errorf("kept: %v", kept)
		}
	}
}

// Where a name stands is known from the files on disk and from what was laid over them, as far as the door lets through.
func TestNaming(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{"a.go": "package a\n\nfunc Run() {}\n", "b.go": "package a\n\nvar _ = Run\n", "secret.go": "package a\n\nvar _ = Run\n"})
	x := open(t, root, Options{Door: func(path string) bool { return path != "secret.go" }})
	text(t, x, repomap.Request{Overlays: map[string]string{"new.go": "package a\n\nvar _ = Run\n"}})
	list, complete := x.Naming(t.Context(), "Run")
	var got []string
	for _, n := range list {
		got = append(got, n.Path)
	}
	if diff := cmp.Diff([]string{"a.go", "b.go", "new.go"}, got); diff != "" || !complete {
		t.Errorf("complete %v (-want +got):\n%s", complete, diff)
	}
	write(t, root, map[string]string{"b.go": "package a\n\nvar Other = Run\n"}) // nobody told of it
	if list, ok := x.Outline("a.go"); !ok || len(list) != 1 || list[0] != (repomap.Definition{Name: "Run", Kind: "function", Path: "a.go", Line: 2, Last: 2}) {
		t.Errorf("%+v %v", list, ok)
	}
	for _, path := range []string{"b.go", "new.go", "none.go", "secret.go"} {
		if list, ok := x.Outline(path); ok {
			t.Errorf("%s is not as it is on disk, or nobody may know: %+v", path, list)
		}
	}
}
