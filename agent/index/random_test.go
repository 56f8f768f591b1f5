package index

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"coauthor/repomap"
)

// However an index came to know a tree, what it knows is the same, byte for byte: after any edits,
// renames and deletions, what git does to a tree, restarts from the disk, and unsaved documents that
// came and went. Where COAUTHOR_LARGE is set, as .ci/run does, it is shown of four trees, else of two.
func TestIncrementalEqualsFreshOnDisk(t *testing.T) {
	seeds := []uint64{1, uint64(time.Now().UnixNano())}
	if os.Getenv("COAUTHOR_LARGE") != "" {
		seeds = append(seeds, 2, 3)
	}
	if again, err := strconv.ParseUint(os.Getenv("COAUTHOR_SEED"), 10, 64); err == nil {
		seeds = []uint64{again} // of a failure
	}
	for _, seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			w := newWanderer(t, seed)
			for step := range 15 {
				var did []string
				for range 1 + w.random.IntN(3) {
					did = append(did, w.act())
				}
				w.compare(fmt.Sprintf("step %d, after %s", step, strings.Join(did, ", ")))
				if t.Failed() {
					return
				}
			}
		})
	}
}

// wanderer changes a tree at random beside an index that follows it.
type wanderer struct {
	t           *testing.T
	random      *rand.Rand
	root, state string
	x           *Index
	branches    int
	names       int
}

func newWanderer(t *testing.T, seed uint64) *wanderer {
	w := &wanderer{t: t, random: rand.New(rand.NewPCG(seed, 1)), root: t.TempDir(), state: t.TempDir()}
	git(t, w.root, "init", "-q", "-b", "main")
	files := map[string]string{".gitignore": "*.log\nout/\n", "README.md": "# Wander\n\nAbout Name1.\n"}
	for range 8 {
		files[w.path()] = w.text()
	}
	write(t, w.root, files)
	git(t, w.root, "add", "-A")
	git(t, w.root, "commit", "-q", "-m", "first")
	w.x = open(t, w.root, Options{StateDir: w.state, Workers: 3})
	return w
}

// path is a new one; few names make for renames over what was there before.
func (w *wanderer) path() string {
	dirs := []string{"", "a/", "b/", "a/deep/er/", "größe/", "out/"}
	return fmt.Sprintf("%sf%d%s", dirs[w.random.IntN(len(dirs))], w.random.IntN(8), []string{".go", ".py", ".c", ".txt", ".log", ""}[w.random.IntN(6)])
}

// text is a file that defines a few names and uses others.
func (w *wanderer) text() string {
	var b strings.Builder
	for range w.random.IntN(5) {
		w.names++
		fmt.Fprintf(&b, "func Name%d() { Name%d(); helperOf%d(x) }\n\ndef name_%d(x):\n    return Name%d\n\n", w.names%40, w.random.IntN(40),
			w.random.IntN(9), w.names%40, w.random.IntN(40))
	}
	if w.random.IntN(12) == 0 {
		b.WriteString("\xff\xfe broken \x00")
	}
	return b.String()
}

// files lists what lies in the tree, without git's own.
func (w *wanderer) files() []string {
	var out []string
	_ = filepath.WalkDir(w.root, func(name string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.Name() == ".git" {
			return filepath.SkipDir
		}
		if !d.IsDir() {
			rel, _ := filepath.Rel(w.root, name)
			out = append(out, filepath.ToSlash(rel))
		}
		return nil
	})
	return out
}

func (w *wanderer) one() string {
	list := w.files()
	if len(list) == 0 {
		write(w.t, w.root, map[string]string{"a.go": "package a\n"})
		return "a.go"
	}
	return list[w.random.IntN(len(list))]
}

// try runs git where it may have nothing to do or may refuse.
func (w *wanderer) try(args ...string) string {
	cmd := exec.Command("git", args...)
	cmd.Dir = w.root
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a",
		"GIT_COMMITTER_EMAIL=a@example.org", "GIT_CONFIG_GLOBAL=/dev/null")
	_ = cmd.Run() // a refusal is a legal step as well: nothing changes
	return "git " + strings.Join(args, " ")
}

// act does one thing and says which.
func (w *wanderer) act() string {
	in := func(p string) string { return filepath.Join(w.root, filepath.FromSlash(p)) }
	switch p := w.one(); w.random.IntN(20) {
	case 0, 1, 2:
		old, _ := os.ReadFile(in(p))
		_ = os.WriteFile(in(p), append([]byte(w.text()), old[:len(old)/2]...), 0o644)
		return "edit " + p
	case 3:
		_ = os.Remove(in(p))
		return "remove " + p
	case 4, 5:
		to := w.path()
		_ = os.MkdirAll(filepath.Dir(in(to)), 0o755)
		_ = os.Rename(in(p), in(to))
		return "rename " + p + " to " + to
	case 6, 7:
		to := w.path()
		write(w.t, w.root, map[string]string{to: w.text()})
		return "create " + to
	case 8:
		now := time.Unix(1_600_000_000+w.random.Int64N(1000), 0)
		_ = os.Chtimes(in(p), now, now)
		return "touch " + p
	case 9:
		_ = os.Remove(in(p))
		_ = os.Symlink("README.md", in(p))
		return "link " + p
	case 10:
		_ = os.Remove(in(".gitignore")) // which may be a link to itself by now
		write(w.t, w.root, map[string]string{".gitignore": []string{"*.log\nout/\n", "*.py\n", "a/\n!a/deep/\n", ""}[w.random.IntN(4)]})
		return "ignore others"
	case 11, 12:
		_ = w.try("add", "-A")
		return w.try("commit", "-q", "-m", fmt.Sprint("commit ", w.names))
	case 13:
		w.branches++
		return w.try("checkout", "-q", "-b", fmt.Sprint("branch", w.branches))
	case 14, 15:
		return w.try("checkout", "-q", "-f", []string{"main", "main~1", "HEAD~1", fmt.Sprint("branch", 1+w.random.IntN(w.branches+1))}[w.random.IntN(4)])
	case 16:
		return w.try("reset", "-q", "--hard")
	case 17:
		_ = w.try("stash", "-q", "-u")
		return w.try("stash", "pop", "-q")
	case 18:
		w.x.Close()
		how := "restart"
		if w.random.IntN(3) == 0 { // with a snapshot that a crash or another program left
			how = "restart over damage"
			maps, _ := filepath.Glob(filepath.Join(w.state, "index", "*.map"))
			for _, m := range maps {
				if data, err := os.ReadFile(m); err == nil && len(data) > 0 {
					data[w.random.IntN(len(data))] ^= 0x40
					_ = os.WriteFile(m, data, 0o600)
				}
			}
		}
		w.x = open(w.t, w.root, Options{StateDir: w.state, Workers: 1 + w.random.IntN(4)})
		return how
	default:
		_ = text(w.t, w.x, repomap.Request{Overlays: map[string]string{p: w.text(), "never/saved.go": w.text()}})
		return "unsaved " + p
	}
}

// compare makes a new index of the tree as it is and sets the two side by side.
func (w *wanderer) compare(when string) {
	w.t.Helper()
	w.x.Changed("")
	wait(w.t, w.x)
	fresh, err := Open(w.t.Context(), w.root, Options{StateDir: w.t.TempDir()})
	if err != nil {
		w.t.Fatal(err)
	}
	defer fresh.Close()
	wait(w.t, fresh)
	overlay := map[string]string{w.one(): w.text()}
	for _, r := range []repomap.Request{
		{Budget: 400}, {Budget: 5000, Message: "change Name1 and helperOf3", Chat: []string{w.one()}, Recent: []string{w.one()}},
		{Budget: 1000, MentionedIdents: []string{"Name2"}, Overlays: overlay}, {Budget: 300, MentionedFiles: []string{w.one()}},
	} {
		got, err := w.x.Map(w.t.Context(), r)
		if err != nil {
			w.t.Fatal(err)
		}
		want, err := fresh.Map(w.t.Context(), r)
		if err != nil {
			w.t.Fatal(err)
		}
		got.Generation, want.Generation = 0, 0
		if diff := cmp.Diff(want, got); diff != "" {
			w.t.Errorf("%s: the map of %+v differs from a fresh one:\n%s", when, r, diff)
		}
	}
	var got, want bytes.Buffer
	if err := w.x.maps.WriteSnapshot(&got); err != nil {
		w.t.Fatal(err)
	}
	if err := fresh.maps.WriteSnapshot(&want); err != nil {
		w.t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want.Bytes()) {
		w.t.Errorf("%s: the index differs from a fresh one: %d bytes, %d bytes; the tree is %q", when, got.Len(), want.Len(), w.files())
	}
}
