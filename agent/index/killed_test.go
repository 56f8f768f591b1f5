package index

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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

// manyPrograms is a root of n small programs.
func manyPrograms(t *testing.T, n int) string {
	t.Helper()
	files := map[string]string{}
	for i := range n {
		files[fmt.Sprintf("d%d/f%05d.go", i%9, i)] = fmt.Sprintf("package d\n\n// Node%d is one.\ntype Node%d struct{ next *Node%d }\n\nfunc (n *Node%d) Visit() { n.next.Visit() }\n", i, i, (i+1)%n, i)
	}
	root := t.TempDir()
	write(t, root, files)
	return root
}

// A process that is killed while it indexes a large tree for the first time leaves what its last snapshot has to the next one,
// which tags the rest and no more.
func TestKilledIndexIsGoneOnWith(t *testing.T) {
	const files, saved = 10_100, 5_000 // and 5,000 more are to come then
	root, state := manyPrograms(t, files), t.TempDir()
	o := begin(t, root, state, saved+100) // more than are on their way: see Open
	o.reaches(saved + 100)
	o.kill()
	if n := finish(t, root, state); n != files-saved {
		t.Errorf("%d files were tagged after that, should be %d", n, files-saved)
	}
	sameAsNew(t, root, state)
}

// sameAsNew checks that a state directory holds what an index that was never stopped has stored, and nothing else.
func sameAsNew(t *testing.T, root, state string) {
	t.Helper()
	fresh := t.TempDir()
	finish(t, root, fresh)
	want, others := stored(t, fresh)
	got, rest := stored(t, state)
	if !bytes.Equal(want, got) {
		t.Errorf("the snapshot differs from a new one's: %d and %d bytes", len(got), len(want))
	}
	if !slices.Equal(rest, others) {
		t.Errorf("beside it lie %v, and %v after a new one", rest, others)
	}
}

// What processes that were killed while they saved have left goes after a day, and nothing else does.
func TestRestsOfKilledProcesses(t *testing.T) {
	state := t.TempDir()
	s := newStore(state, "/root", ".map")
	dir := filepath.Join(state, "index")
	old := time.Now().Add(-2 * leftFor)
	for _, name := range []string{"new-1", "part-2", "new-3", "part-4", "crashed-5", filepath.Base(s.file), "other.map"} {
		write(t, dir, map[string]string{name: "x"})
		if !strings.HasSuffix(name, "3") && !strings.HasSuffix(name, "4") {
			if err := os.Chtimes(filepath.Join(dir, name), old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	save(t, s, "snapshot")
	_, rest := stored(t, state)
	if got, want := strings.Join(rest, " "), "crashed-5 new-3 part-4"; got != want {
		t.Errorf("left are %s, want %s", got, want)
	}
}
