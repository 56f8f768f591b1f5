package index

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"log/slog"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"coauthor/repomap"
)

// notes keeps what the index logs.
type notes struct {
	mu   sync.Mutex
	text strings.Builder // guarded by mu
}

func (n *notes) Write(b []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.text.Write(b)
}

func (n *notes) has(word string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return strings.Contains(n.text.String(), word)
}

func (n *notes) log() *slog.Logger {
	return slog.New(slog.NewTextHandler(n, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// complete checks that everything was looked at, and gives the map of it all.
func complete(t *testing.T, x *Index) string {
	t.Helper()
	m, err := x.Map(t.Context(), repomap.Request{Budget: 20_000})
	if err != nil {
		t.Fatal(err)
	}
	if m.Complete != 1 {
		t.Errorf("the index says that it has read %v of the files", m.Complete)
	}
	return m.Text
}

// Whatever lies in a tree, the rest of it is indexed: without git in this process, with git in workers.
func TestBadFiles(t *testing.T) {
	root := t.TempDir()
	raw := map[string][]byte{
		"good.go":          []byte("package a\n\nfunc Good() {}\n"),
		"minified.js":      []byte(strings.Repeat("function a(b){return b+1};", 40_000)), // one line of 1 MB
		"small.min.js":     []byte(strings.Repeat("var c=function(d){return d};", 2_000)),
		"deep.c":           []byte("int x = " + strings.Repeat("(", 200_000)),
		"deep.json":        []byte(strings.Repeat("[", 300_000)),
		"deep.py":          []byte(strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)),
		"deep.js":          []byte(strings.Repeat("if(a){", 50_000)),
		"deep.html":        []byte(strings.Repeat("<div>", 100_000)),
		"indented.py":      []byte(indented(2_000)),
		"invalid.py":       []byte("def \xff\xfe(): pass\nclass \x80\xbf: pass\n"),
		"latin.c":          []byte("/* gr\xfc\xdfe */ int caf\xe9(void) { return 0; }\n"),
		"utf16.go":         []byte("\xff\xfep\x00a\x00c\x00k\x00a\x00g\x00e\x00 \x00a\x00\n\x00"),
		"elf.go":           append([]byte("\x7fELF\x02\x01\x01"), bytes.Repeat([]byte{0, 1, 2, 0xff}, 50_000)...),
		"picture.py":       append([]byte("\x89PNG\r\n\x1a\n"), bytes.Repeat([]byte{0x13, 0x37, 0}, 20_000)...),
		"page.rs":          []byte("<html><body>not rust</body></html>\n"),
		"nul.js":           []byte("function a\x00() {}\n"),
		"empty.go":         nil,
		"cr.go":            []byte("package a\r\rfunc OldMac() {}\r"),
		"no-end.go":        []byte("package a\n\nfunc NoEnd() {"),
		"long-name.go":     []byte("package a\n\nfunc " + strings.Repeat("N", 100_000) + "() {}\n"),
		"many-names.c":     []byte(manyNames(60_000)),
		"shebang":          []byte("#!" + strings.Repeat("x", 70_000)),
		"größe/ünïcode.go": []byte("package a\n\nfunc Größe() {}\n"),
		"new\nline.go":     []byte("package a\n\nfunc InOddName() {}\n"),
		"bytes\xff.go":     []byte("package a\n\nfunc InBadName() {}\n"),
	}
	for name, text := range raw {
		write(t, root, map[string]string{name: string(text)})
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.WriteFile(filepath.Join(root, "huge.c"), []byte("int huge(void);\n"), 0o644))
	must(os.Truncate(filepath.Join(root, "huge.c"), 100<<20))
	must(os.Symlink("loop-b", filepath.Join(root, "loop-a")))
	must(os.Symlink("loop-a", filepath.Join(root, "loop-b")))
	must(os.Symlink("..", filepath.Join(root, "größe/up")))
	must(os.Symlink("/", filepath.Join(root, "everything")))
	must(os.Symlink("/dev/zero", filepath.Join(root, "zero.go")))
	makePipe(t, filepath.Join(root, "pipe.go"))
	if err := makeDevice(filepath.Join(root, "device.go")); err != nil {
		t.Logf("no device can be made here: %v", err) // a user may not
	}
	t.Chdir(root) // a socket's path must be short
	socket, err := (&net.ListenConfig{}).Listen(t.Context(), "unix", "socket.go")
	must(err)
	defer socket.Close()

	for _, way := range []struct {
		git    bool
		worker []string
	}{{false, nil}, {true, []string{os.Args[0], "worker"}}} {
		if way.git {
			git(t, root, "init", "-q")
		}
		t.Run(fmt.Sprintf("git and worker %v", way.git), func(t *testing.T) {
			n := &notes{}
			x := open(t, root, Options{Worker: way.worker, Workers: 2, Log: n.log(), StateDir: t.TempDir()})
			got := complete(t, x)
			for _, word := range []string{"Good", "Größe", "huge.c", "latin.c"} {
				if !strings.Contains(got, word) {
					t.Errorf("%s is not in the map", word)
				}
			}
			for _, word := range []string{"pipe", "device", "socket", "loop", "everything", "zero", "InOddName", "InBadName"} {
				if strings.Contains(got, word) {
					t.Errorf("%s is in the map", word)
				}
			}
			if strings.ToValidUTF8(got, "") != got {
				t.Error("the map is no UTF-8")
			}
			for _, word := range []string{"huge.c", "line.go", "bytes"} {
				if !n.has(word) {
					t.Errorf("nothing was noted of %s", word)
				}
			}
		})
	}
}

func indented(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%sif x%d:\n", strings.Repeat(" ", i%400), i)
	}
	return b.String()
}

func manyNames(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "int n%d;\n", i)
	}
	return b.String()
}

// The disk changes between the listing and the reading; the door, which is asked in between, does it.
func TestFilesThatChangeUnderTheListing(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	write(t, outside, map[string]string{"secret.go": "package s\n\nfunc Secret() {}\n", "dir/b.go": "package s\n\nfunc Secret2() {}\n"})
	write(t, root, map[string]string{"good.go": "package a\n\nfunc Good() {}\n", "gone.go": "package a\n", "pipe.go": "package a\n", "link.go": "package a\n",
		"grown.go": "package a\n", "folder.go": "package a\n", "dir/b.go": "package b\n", "shrunk.go": "package a\n\nfunc Shrunk() {}\n"})
	git(t, root, "init", "-q")
	in := func(name string) string { return filepath.Join(root, name) }
	change := map[string]func() error{
		"gone.go":   func() error { return nil },
		"pipe.go":   func() error { makePipe(t, in("pipe.go")); return nil },
		"link.go":   func() error { return os.Symlink(filepath.Join(outside, "secret.go"), in("link.go")) },
		"grown.go":  func() error { return os.WriteFile(in("grown.go"), make([]byte, 5<<20), 0o644) },
		"folder.go": func() error { return os.Mkdir(in("folder.go"), 0o755) },
		"shrunk.go": func() error { return os.WriteFile(in("shrunk.go"), nil, 0o644) },
		"dir/b.go": func() error {
			if err := os.Remove(in("dir")); err != nil {
				return err
			}
			return os.Symlink(filepath.Join(outside, "dir"), in("dir"))
		},
	}
	var mu sync.Mutex
	done := map[string]bool{}
	door := func(name string) bool {
		mu.Lock()
		defer mu.Unlock()
		if f := change[name]; f != nil && !done[name] {
			done[name] = true
			if err := os.Remove(in(name)); err != nil {
				t.Error(err)
			}
			if err := f(); err != nil {
				t.Error(err)
			}
		}
		return true
	}
	n := &notes{}
	x := open(t, root, Options{Door: door, Log: n.log()})
	got := complete(t, x)
	if len(done) != len(change) {
		t.Errorf("only %v changed", done)
	}
	if !strings.Contains(got, "Good") || strings.Contains(got, "Secret") || strings.Contains(got, "Shrunk") {
		t.Errorf("got:\n%s", got)
	}
	for _, name := range []string{"gone.go", "pipe.go", "link.go", "grown.go", "folder.go", "dir/b.go"} {
		if !n.has(name) {
			t.Errorf("nothing was noted of %s", name)
		}
	}
	there(t, x, "gone.go", false)
}

func TestNoPermission(t *testing.T) {
	root := t.TempDir()
	for dir := root; dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write(t, root, map[string]string{"good.go": "package a\n", "locked.go": "package a\n", "dir/b.go": "package b\n", "rules/.gitignore": "*.go\n", "rules/c.go": "package c\n"})
	s, err := newSource(root, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	for name, mode := range map[string]os.FileMode{"locked.go": 0, "dir": 0, "rules/.gitignore": 0} {
		full := filepath.Join(root, name)
		if err := os.Chmod(full, mode); err != nil {
			t.Fatal(err)
		}
		defer func() { _ = os.Chmod(full, 0o755) }() // so that the folder can be removed
	}
	unprivileged(t, func() {
		if _, err := s.Read(t.Context(), "locked.go", nil); !os.IsPermission(err) {
			t.Errorf("locked.go: %v", err)
		}
		if text, err := s.Read(t.Context(), "good.go", nil); err != nil || string(text) != "package a\n" {
			t.Errorf("good.go: %q %v", text, err)
		}
		got, err := s.walk(t.Context())
		if err != nil || strings.Join(got, " ") != "good.go locked.go rules/.gitignore rules/c.go" {
			t.Errorf("walk: %q %v", got, err)
		}
	})
}

// Whatever lies where the snapshot should be, the index is whole, says so, and fixes the store.
func TestDamagedStore(t *testing.T) {
	root, state := t.TempDir(), t.TempDir()
	write(t, root, map[string]string{"a.go": "package a\n\nfunc Alpha() { Beta() }\n", "b.go": "package a\n\nfunc Beta() {}\n"})
	x := open(t, root, Options{StateDir: state})
	want := complete(t, x)
	x.Close()
	name := newStore(state, x.source.dir, ".map").file
	good, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	sealed := func(change func(b []byte)) []byte { // with the right sum
		b := bytes.Clone(good)
		change(b)
		binary.NativeEndian.PutUint32(b[len(b)-4:], crc32.Checksum(b[:len(b)-4], crc32.MakeTable(crc32.Castagnoli)))
		return b
	}
	random := rand.New(rand.NewPCG(7, 7))
	damages := map[string][]byte{
		"empty": {}, "short": good[:10], "half": good[:len(good)/2], "one byte less": good[:len(good)-1], "longer": append(bytes.Clone(good), "tail"...),
		"foreign": []byte("SQLite format 3\x00" + strings.Repeat("x", 5000)), "text": []byte("hello\n"), "zeros": make([]byte, len(good)),
		"newer": sealed(func(b []byte) { b[20]++ }), "other byte order": sealed(func(b []byte) { b[16], b[19] = b[19], b[16] }),
		"other grammars": sealed(func(b []byte) { b[28] ^= 1 }),
	}
	for i := range 20 {
		b := bytes.Clone(good)
		b[random.IntN(len(b))] ^= 1 << random.IntN(8)
		damages[fmt.Sprintf("flip %d", i)] = b
	}
	for what, data := range damages {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
		n := &notes{}
		x := open(t, root, Options{StateDir: state, Log: n.log()})
		if got := complete(t, x); got != want {
			t.Errorf("%s: the map is\n%s", what, got)
		}
		x.Close()
		if len(data) > 0 && !n.has("load the index") {
			t.Errorf("%s: nothing was noted", what)
		}
		if fixed, err := os.ReadFile(name); err != nil || !bytes.Equal(fixed, good) {
			t.Errorf("%s: the store was not fixed: %v", what, err)
		}
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(name, "in the way"), 0o700); err != nil {
		t.Fatal(err)
	}
	n := &notes{}
	if got := complete(t, open(t, root, Options{StateDir: state, Log: n.log()})); got != want || !n.has("save the index") {
		t.Errorf("a folder in the way: noted %v, the map is\n%s", n.has("save the index"), got)
	}
}

// Two windows may write the store of one root at once; whoever reads gets one of them whole.
func TestStoreIsShared(t *testing.T) {
	root, state := t.TempDir(), t.TempDir()
	write(t, root, map[string]string{"a.go": "package a\n\nfunc Alpha() {}\n"})
	var group sync.WaitGroup
	for i := range 6 {
		group.Go(func() {
			n := &notes{}
			x, err := Open(t.Context(), root, Options{StateDir: state, Log: n.log()})
			if err != nil {
				t.Error(err)
				return
			}
			defer x.Close()
			for k := range 5 {
				if err := os.WriteFile(filepath.Join(root, fmt.Sprintf("f%d.go", i)), fmt.Appendf(nil, "package a\n\nfunc F%d_%d() {}\n", i, k), 0o644); err != nil {
					t.Error(err)
				}
				x.Changed("")
				ctx, cancel := context.WithTimeout(t.Context(), hung)
				defer cancel()
				if err := x.Wait(ctx); err != nil {
					t.Error(err)
				}
			}
			if n.has("load the index") {
				t.Error("a snapshot was damaged")
			}
		})
	}
	prompt(t, "six windows of one root", group.Wait)
	if got := complete(t, open(t, root, Options{StateDir: state})); !strings.Contains(got, "Alpha") || !strings.Contains(got, "F5_4") {
		t.Errorf("got:\n%s", got)
	}
}

// A repository that git refuses or cannot read has a map all the same, and no history.
func TestBrokenRepositoryIsWalked(t *testing.T) {
	for what, damage := range map[string]func(root string) error{
		"index": func(root string) error {
			return os.WriteFile(filepath.Join(root, ".git/index"), []byte("nonsense"), 0o644)
		},
		"head": func(root string) error { return os.Remove(filepath.Join(root, ".git/HEAD")) },
		"link": func(root string) error {
			return errors.Join(os.RemoveAll(filepath.Join(root, ".git")), os.WriteFile(filepath.Join(root, ".git"), []byte("gitdir: /absent\n"), 0o644))
		},
		"history": func(root string) error {
			return errors.Join(os.RemoveAll(filepath.Join(root, ".git/objects")), os.Mkdir(filepath.Join(root, ".git/objects"), 0o755))
		},
		"config": func(root string) error {
			return os.WriteFile(filepath.Join(root, ".git/config"), []byte("[nonsense"), 0o644)
		},
		"owner": func(root string) error {
			if os.Getuid() != 0 {
				return nil // only root can give files away
			}
			return errors.Join(os.Chown(root, 65534, 65534), os.Chown(filepath.Join(root, ".git"), 65534, 65534))
		},
	} {
		root := t.TempDir()
		write(t, root, map[string]string{"a.go": "package a\n\nfunc Alpha() {}\n", ".gitignore": "out/\n", "out/b.go": "package out\n\nfunc Built() {}\n"})
		git(t, root, "init", "-q")
		git(t, root, "add", "-A")
		git(t, root, "commit", "-q", "-m", "first")
		if err := damage(root); err != nil {
			t.Fatal(err)
		}
		if got := complete(t, open(t, root, Options{})); !strings.Contains(got, "func Alpha()") || strings.Contains(got, "Built") {
			t.Errorf("%s: the map is\n%s", what, got)
		}
	}
}
