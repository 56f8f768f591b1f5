package index

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

// halting is a worker that notes each file in a list. Once the list has so many lines it stops until the process
// that it works for is gone.
func halting(list, most string) error {
	n, err := strconv.Atoi(most)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(list, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	return ServeWorker(context.Background(), &halt{noting{in: os.Stdin, to: f}, list, n}, os.Stdout)
}

type halt struct {
	noting
	list string
	most int
}

func (h *halt) Read(p []byte) (int, error) {
	n, err := h.noting.Read(p)
	if noted, _ := os.ReadFile(h.list); bytes.Count(noted, []byte("\n")) >= h.most {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}
	return n, err
}

// indexing is a process that has an index of a root until it is killed.
func indexing(args []string) error {
	x, err := Open(context.Background(), args[0], Options{StateDir: args[1], Workers: 2, Worker: []string{os.Args[0], "halting", args[2], args[3]}})
	if err != nil {
		return err
	}
	defer x.Close()
	if err := x.Wait(context.Background()); err != nil {
		return err
	}
	fmt.Println("done")
	time.Sleep(time.Hour) // until it is killed
	return nil
}

// others is a process of indexing.
type other struct {
	t    *testing.T
	cmd  *exec.Cmd
	list string
	out  bytes.Buffer
}

// begin starts a process that has so many files tagged and then no more.
func begin(t *testing.T, root, state string, most int) *other {
	t.Helper()
	o := &other{t: t, list: filepath.Join(t.TempDir(), "list")}
	o.cmd = exec.Command(os.Args[0], "indexing", root, state, o.list, strconv.Itoa(most))
	o.cmd.Stdout, o.cmd.Stderr = &o.out, os.Stderr
	if err := o.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(o.kill)
	return o
}

// tagged counts the files that the process has begun to tag.
func (o *other) tagged() int {
	noted, _ := os.ReadFile(o.list)
	return bytes.Count(noted, []byte("\n"))
}

func (o *other) reaches(n int) {
	o.t.Helper()
	until(o.t, fmt.Sprintf("%d files are not tagged", n), func() bool { return o.tagged() >= n })
}

func (o *other) kill() {
	_ = o.cmd.Process.Kill()
	_ = o.cmd.Wait()
}

// finish indexes a root to the end, here, and gives how many files it tagged for that.
func finish(t *testing.T, root, state string) int {
	t.Helper()
	list := filepath.Join(t.TempDir(), "list")
	x, err := Open(t.Context(), root, Options{StateDir: state, Workers: 2, Worker: []string{os.Args[0], "halting", list, "1000000"}})
	if err != nil {
		t.Fatal(err)
	}
	wait(t, x)
	x.Close()
	noted, _ := os.ReadFile(list)
	return bytes.Count(noted, []byte("\n"))
}

// stored gives the snapshot in a state directory, and the other files there.
func stored(t *testing.T, state string) (snapshot []byte, rest []string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(state, "index"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".map") {
			rest = append(rest, e.Name())
			continue
		}
		if snapshot, err = os.ReadFile(filepath.Join(state, "index", e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return snapshot, rest
}

// manyFiles is a root of n small programs.
func manyPrograms(t *testing.T, n int) string {
	t.Helper()
	files := map[string]string{}
	for i := range n {
		files[fmt.Sprintf("d%d/f%03d.go", i%9, i)] = fmt.Sprintf("package d\n\n// Node%d is one.\ntype Node%d struct{ next *Node%d }\n\nfunc (n *Node%d) Visit() { n.next.Visit() }\n", i, i, (i+1)%n, i)
	}
	root := t.TempDir()
	write(t, root, files)
	return root
}

// lost is how many files a kill may cost at most: what is on its way of two workers and of the one who reads more than
// there are workers (see Open), sixteen each. While the two are asked, the answers before may still be being noted.
const lost = (2 + 1) * 16

// A process that is killed leaves what it has tagged to the next one, which tags the rest and no more.
func TestKilledIndexIsGoneOnWith(t *testing.T) {
	const files = 240
	root, state := manyPrograms(t, files), t.TempDir()
	sum := 0
	for run, most := range []int{90, 1, 60, 3} {
		o := begin(t, root, state, most)
		o.reaches(most)
		o.kill()
		sum += o.tagged()
		if snapshot, _ := stored(t, state); snapshot != nil {
			t.Fatalf("run %d was not stopped in the middle", run)
		}
	}
	sum += finish(t, root, state)
	if most := files + 4*lost; sum < files || sum > most {
		t.Errorf("%d files were tagged in all, at most %d should be", sum, most)
	}
	sameAsNew(t, root, state)
	if n := finish(t, root, state); n != 0 {
		t.Errorf("%d files were tagged though all are known", n)
	}
}

// sameAsNew checks that a state directory holds what an index that was never stopped has stored, and nothing else.
func sameAsNew(t *testing.T, root, state string) {
	t.Helper()
	fresh := t.TempDir()
	finish(t, root, fresh)
	want, _ := stored(t, fresh)
	got, rest := stored(t, state)
	if !bytes.Equal(want, got) {
		t.Errorf("the snapshot differs from a new one's: %d and %d bytes", len(got), len(want))
	}
	if len(rest) != 0 {
		t.Errorf("left behind: %v", rest)
	}
}

// Two processes that work at once on one root do not disturb each other: what either has tagged is there for the
// next, and nothing of a process that still works is taken away.
func TestTwoProcessesThatAreKilled(t *testing.T) {
	const files = 240
	root, state := manyPrograms(t, files), t.TempDir()
	one, two := begin(t, root, state, 60), begin(t, root, state, 120)
	one.reaches(60)
	two.reaches(120)
	one.kill()
	two.kill()
	if n, most := finish(t, root, state), files-120+lost; n > most {
		t.Errorf("%d files were tagged again, at most %d should be", n, most)
	}
	sameAsNew(t, root, state)

	write(t, root, map[string]string{"d1/f001.go": "package d\n\nfunc Changed() {}\n"})
	state = t.TempDir()
	slow := begin(t, root, state, 50)
	slow.reaches(50)
	_, before := stored(t, state)
	if n, most := finish(t, root, state), files-50+lost; n > most {
		t.Errorf("%d files were tagged beside the other process, at most %d should be", n, most)
	}
	if _, rest := stored(t, state); len(rest) != len(before) {
		t.Errorf("of the process that still works there was %v, now %v", before, rest)
	}
	slow.kill()
	if n := finish(t, root, state); n != 0 {
		t.Errorf("%d files were tagged again", n)
	}
	sameAsNew(t, root, state)
}

// What processes that were killed while they saved have left goes after a day, and nothing else does.
func TestRestsOfKilledProcesses(t *testing.T) {
	state := t.TempDir()
	s := newStore(state, "/root", ".map")
	dir := filepath.Join(state, "index")
	old := time.Now().Add(-2 * leftFor)
	for _, name := range []string{"new-1", "part-2", "new-3", "part-4", "crashed-5", filepath.Base(s.file), "other.map", "other.map.new-6"} {
		write(t, dir, map[string]string{name: "x"})
		if !strings.HasSuffix(name, "3") && !strings.HasSuffix(name, "4") {
			if err := os.Chtimes(filepath.Join(dir, name), old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	s.Clear()
	_, rest := stored(t, state)
	if got, want := strings.Join(rest, " "), "crashed-5 new-3 other.map.new-6 part-4"; got != want {
		t.Errorf("left are %s, want %s", got, want)
	}
}

// A part is taken away when its process has closed it, or is gone, and not before.
func TestPartsHaveOwners(t *testing.T) {
	s := newStore(t.TempDir(), "/root", ".map")
	one, err := s.Append()
	if err != nil {
		t.Fatal(err)
	}
	two, err := s.Append()
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range []io.Writer{one, two} {
		if _, err := fmt.Fprint(w, "part ", i); err != nil {
			t.Fatal(err)
		}
	}
	read := func() (all []string) {
		if err := s.Parts(func(part io.Reader) error {
			text, err := io.ReadAll(part)
			all = append(all, string(text))
			return err
		}); err != nil {
			t.Fatal(err)
		}
		return all
	}
	if got := read(); len(got) != 2 {
		t.Errorf("parts: %q", got)
	}
	s.Clear()
	if got := read(); len(got) != 2 {
		t.Errorf("parts that are written to: %q", got)
	}
	if err := one.Close(); err != nil {
		t.Fatal(err)
	}
	s.Clear()
	if got := read(); len(got) != 1 || got[0] != "part 1" {
		t.Errorf("parts: %q", got)
	}
	if err := two.Close(); err != nil {
		t.Fatal(err)
	}
	s.Clear()
	if got := read(); len(got) != 0 {
		t.Errorf("parts: %q", got)
	}
	if runtime.GOOS == "windows" {
		return
	}
	if info, err := os.Stat(filepath.Dir(s.file)); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("others may look at it: %v, %v", info.Mode(), err)
	}
}
