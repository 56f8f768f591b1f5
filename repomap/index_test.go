package repomap

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"coauthor/repomap/syntax"
	"coauthor/repomap/vocab"
)

// memory is a Source, Store and CoChange without a disk.
type memory struct {
	mu      sync.Mutex
	files   map[string]string
	version map[string]int
	hold    chan struct{} // Read waits for it, if it is there
	commits []Commit
	stored  []byte
}

func newMemory(files map[string]string) *memory {
	m := &memory{files: map[string]string{}, version: map[string]int{}}
	for p, text := range files {
		m.write(p, text)
	}
	return m
}

func (m *memory) write(p, text string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.files[p] = text
	m.version[p]++
}

func (m *memory) remove(p string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.files, p)
}

func (m *memory) List(context.Context) ([]File, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out []File
	for p, text := range m.files {
		out = append(out, File{Path: p, Size: int64(len(text)), ID: fmt.Sprint(m.version[p], "/", len(text))})
	}
	slices.SortFunc(out, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}

func (m *memory) Read(ctx context.Context, p string, memory []byte) ([]byte, error) {
	if m.hold != nil {
		select {
		case <-m.hold:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	text, ok := m.files[p]
	if !ok {
		return nil, errors.New("gone")
	}
	return append(memory, text...), nil
}

func (m *memory) Key(context.Context) (string, error) { return fmt.Sprint(len(m.commits)), nil }

func (m *memory) Commits(_ context.Context, limit int) ([]Commit, error) {
	return m.commits[:min(limit, len(m.commits))], nil
}

func (m *memory) Load() ([]byte, error) { return m.stored, nil }

func (m *memory) Save(write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	m.stored = b.Bytes()
	return nil
}

func open(t testing.TB, m *memory, workers int) *Index {
	t.Helper()
	x := New(Options{Source: m, Tagger: syntax.Tagger{}, CoChange: m, Store: m, Code: syntax.Code, Workers: workers,
		Note: func(s string) { t.Log(s) }})
	if err := errors.Join(x.Refresh(t.Context()), x.RefreshHistory(t.Context())); err != nil {
		t.Fatal(err)
	}
	return x
}

func mapOf(t testing.TB, x *Index, r Request) Map {
	t.Helper()
	m, err := x.Map(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// project makes a repository of n Go files that call each other.
func project(n int) map[string]string {
	files := map[string]string{"README.md": "# Project\n\nAll about parsing.\n", "data.bin": "\x00\x01\x02"}
	for i := range n {
		var b strings.Builder
		fmt.Fprintf(&b, "package p%d\n\n// Node%d is a node.\ntype Node%d struct { next *Node%d }\n", i%7, i, i, (i+1)%n)
		for k := range 5 {
			fmt.Fprintf(&b, "\nfunc (n *Node%d) Visit%dStep%d(depth int) error {\n\treturn run%d(n, depth+%d)\n}\n", i, i, k, (i*3+k)%n, k)
		}
		fmt.Fprintf(&b, "\nfunc run%d(n any, depth int) error { return nil }\n", i)
		files[fmt.Sprintf("pkg%d/file%d.go", i%7, i)] = b.String()
	}
	return files
}

func TestBudgetIsFilledAndNeverExceeded(t *testing.T) {
	x := open(t, newMemory(project(120)), 2)
	for _, budget := range []int{1, 10, 50, 100, 256, 1000, 1024, 2048, 3000} {
		m := mapOf(t, x, Request{Budget: budget, Chat: []string{"pkg0/file0.go"}, Message: "visit the next node"})
		if n := (chars4{}).Count(m.Text); n != m.Tokens || n > budget {
			t.Errorf("budget %d: says %d tokens, has %d", budget, m.Tokens, n)
		}
		if budget >= 256 && m.Tokens < budget*95/100 {
			t.Errorf("budget %d: only %d tokens used", budget, m.Tokens)
		}
	}
	all := mapOf(t, x, Request{Budget: 1 << 20})
	for _, want := range []string{"pkg1/file1.go:\n", " type Node1 struct", "README.md", " func run119(n any, depth int) error"} {
		if !strings.Contains(all.Text, want) {
			t.Errorf("everything fits, but %q is not in the map", want)
		}
	}
	if m := mapOf(t, x, Request{}); m.Text != "" {
		t.Errorf("no budget, but %q", m.Text)
	}
}

func TestMapDependsOnNothingButFilesAndRequest(t *testing.T) {
	files := project(60)
	requests := []Request{
		{Budget: 700, Chat: []string{"pkg3/file3.go"}, Message: "Visit4Step2 fails on an empty node"},
		{Budget: 400, MentionedIdents: []string{"run17"}, MentionedFiles: []string{"pkg2/file9.go"}},
		{Budget: 500},
		{Budget: 400, Message: "Go on.", Besides: "Visit4Step2 and run17, and file9.go", Earlier: []string{"Now.", "visit an empty node in run18"}},
	}
	var first []string
	for _, workers := range []int{1, 2, 8} {
		x := open(t, newMemory(files), workers)
		for i, r := range requests {
			got := mapOf(t, x, r).Text
			if workers == 1 {
				first = append(first, got)
			} else if diff := cmp.Diff(first[i], got); diff != "" {
				t.Errorf("%d workers, request %d:\n%s", workers, i, diff)
			}
		}
	}
}

// An index that followed random edits gives the maps of one that was made of the result.
func TestIncrementalEqualsFresh(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 8 {
		m := newMemory(project(30))
		x := open(t, m, 2)
		for range 25 {
			step(t, random, m, x)
		}
		if err := x.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		fresh := open(t, newMemory(m.files), 1)
		for _, r := range []Request{{Budget: 600, Chat: []string{"pkg1/file1.go"}, Message: "node step"}, {Budget: 300}} {
			if diff := cmp.Diff(mapOf(t, fresh, r).Text, mapOf(t, x, r).Text); diff != "" {
				t.Fatalf("round %d:\n%s", round, diff)
			}
		}
	}
}

func step(t *testing.T, random *rand.Rand, m *memory, x *Index) {
	paths := slices.Sorted(func(yield func(string) bool) {
		for p := range m.files {
			if !yield(p) {
				return
			}
		}
	})
	p := paths[random.IntN(len(paths))]
	switch random.IntN(5) {
	case 0:
		m.remove(p)
	case 1:
		m.write("moved/"+p, m.files[p])
		m.remove(p)
	case 2:
		m.write(p, m.files[p]+fmt.Sprintf("\nfunc added%d() { run3(nil, 1) }\n", random.IntN(100)))
	case 3:
		if _, err := x.Update(t.Context(), p, "package unsaved\n\nfunc Unsaved() {}\n"); err != nil {
			t.Fatal(err)
		}
		if got := mapOf(t, x, Request{Budget: 1 << 20}).Text; strings.HasSuffix(p, ".go") && !strings.Contains(got, "Unsaved") {
			t.Error("the overlay is not in the map")
		}
		x.Forget(p)
	case 4:
		if err := x.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

func TestColdIndexAnswersAtOnce(t *testing.T) {
	m := newMemory(project(10))
	m.hold = make(chan struct{})
	x := New(Options{Source: m, Tagger: syntax.Tagger{}, Workers: 2})
	done := make(chan error, 1) // one result
	ctx, cancel := context.WithCancel(t.Context())
	go func() { done <- x.Refresh(ctx) }()
	for range 3 {
		if got := mapOf(t, x, Request{Budget: 100}); got.Complete != 0 || got.Text != "" {
			t.Errorf("nothing can be known yet: %+v", got)
		}
		select {
		case m.hold <- struct{}{}:
		case <-time.After(time.Minute):
			t.Fatal("hung: no file is read")
		}
	}
	cancel()
	if err := receive(t, "the refresh does not end", done); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled refresh: %v", err)
	}
	if c := x.current().complete; c <= 0 || c >= 1 {
		t.Errorf("after some files complete is %v", c)
	}
	close(m.hold)
	if err := x.Refresh(t.Context()); err != nil || x.current().complete != 1 {
		t.Errorf("%v, complete %v", err, x.current().complete)
	}
}

func TestNothingIsAllThereIs(t *testing.T) {
	x := New(Options{Source: newMemory(nil), Tagger: syntax.Tagger{}, Workers: 1})
	if _, err := x.Update(t.Context(), "new.go", "package a\n"); err != nil || x.current().complete != 0 {
		t.Errorf("before the first look: %v, complete %v", err, x.current().complete)
	}
	if err := x.Refresh(t.Context()); err != nil || x.current().complete != 1 {
		t.Errorf("an empty folder: %v, complete %v", err, x.current().complete)
	}
}

func TestWhatTheRequestSaysDecides(t *testing.T) {
	files := project(80)
	files["billing/invoice.go"] = "package billing\n\n// PrintInvoice renders totals.\nfunc PrintInvoice(total int) string { return \"\" }\n\nfunc unrelated() {}\n"
	m := newMemory(files)
	m.commits = []Commit{{Paths: []string{"pkg5/file5.go", "pkg6/file6.go"}}, {Paths: []string{"pkg6/file6.go", "pkg5/file5.go", "README.md"}}}
	x := open(t, m, 2)
	first := func(r Request) string {
		r.Budget = 200
		return mapOf(t, x, r).Files[0].Path
	}
	for _, c := range []struct {
		say  string
		r    Request
		want string
	}{
		{"words of the text", Request{Message: "totals of an invoice are rendered wrong"}, "billing/invoice.go"},
		{"an identifier", Request{MentionedIdents: []string{"PrintInvoice"}}, "billing/invoice.go"},
		{"a path", Request{MentionedFiles: []string{"billing/invoice.go"}}, "billing/invoice.go"},
		{"changed together", Request{Chat: []string{"pkg5/file5.go"}}, "pkg6/file6.go"},
	} {
		if got := first(c.r); got != c.want {
			t.Errorf("%s: %s comes first, not %s", c.say, got, c.want)
		}
	}
	for _, f := range mapOf(t, x, Request{Budget: 1 << 20, Chat: []string{"pkg5/file5.go"}}).Files {
		if f.Path == "pkg5/file5.go" {
			t.Error("a chat file is in the map")
		}
	}
}

func TestHostileFiles(t *testing.T) {
	files := map[string]string{
		"empty.go": "", "nul.go": "package a\x00func A() {}", "bad.py": "def \xff(): pass\n\xfe", "long.js": strings.Repeat("var a=1;", 300_000),
		"lines.c": strings.Repeat("int x;\n", 200_000), "sub/:odd, name.go": "package odd\n\nfunc Odd() {}\n",
		"weird\nname.go": "package a\n", "wide.go": "package a\n\nfunc W(" + strings.Repeat("a int, ", 10_000) + "b int) {}\n",
	}
	x := open(t, newMemory(files), 4)
	m := mapOf(t, x, Request{Budget: 2000, Message: "odd \xff name"})
	if m.Complete != 1 || !strings.Contains(m.Text, "Odd") {
		t.Errorf("complete %v:\n%s", m.Complete, m.Text)
	}
	for line := range strings.Lines(m.Text) {
		if len(line) > 4*80 {
			t.Errorf("a line of %d bytes", len(line))
		}
	}
}

func FuzzWords(f *testing.F) {
	f.Add("parseURLs HTTPServer snake_case x1 größe _")
	f.Add("\xff\xfe$_$")
	f.Fuzz(func(t *testing.T, text string) {
		vocab.Words([]byte(text), func(start, end int) {
			if start >= end || end > len(text) {
				t.Fatalf("%d-%d of %d", start, end, len(text))
			}
			vocab.Stems(text[start:end], func(s string) {
				if s == "" {
					t.Error("empty stem")
				}
			})
		})
		vocab.Query(text)
	})
}

func TestStems(t *testing.T) {
	for _, c := range []struct{ word, want string }{
		{"parseURLs", "pars url"}, {"HTTPServer", "http serv"}, {"parsing", "pars"}, {"parser", "pars"}, {"configuration", "configur"},
		{"get_all_entries", "get all entry"}, {"x", ""}, {"stopped", "stop"}, {"completion", "complet"}, {"complete", "complet"},
	} {
		var got []string
		vocab.Stems(c.word, func(s string) { got = append(got, s) })
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: %q, want %q", c.word, s, c.want)
		}
	}
}

func TestSignatures(t *testing.T) {
	for _, c := range []struct{ path, src, want string }{
		{"a.go", "package a\n\nfunc (d *T) Type() Kind { return d.k }\n", "func (d *T) Type() Kind"},
		{"a.go", "package a\n\nfunc F(\n\ta int,\n\tb map[string]interface{},\n) (n int, err error) {\n}\n", "func F(a int, b map[string]interface{}) (n int, err error)"},
		{"a.js", "export const add = (a, b) => a + b;\n", "export const add = (a, b)"},
		{"a.py", "class A:\n    @property\n    def f(self) -> int: return 1\n", "class A"},
		{"a.c", "static int\nmain(void)\n{\n\treturn 0;\n}\n", "main(void)"},
	} {
		x := open(t, newMemory(map[string]string{c.path: c.src}), 1)
		if got := x.current().files[0].Signature(0); got != c.want {
			t.Errorf("%q: %q, want %q", c.src, got, c.want)
		}
	}
}

func TestSelectionFollowsItsCalls(t *testing.T) {
	files := project(60)
	files["a/main.go"] = "package a\n\nfunc One() { helperForOne() }\n\nfunc Two() { helperForTwo() }\n"
	files["z/one.go"] = "package z\n\nfunc helperForOne() {}\n"
	files["z/two.go"] = "package z\n\nfunc helperForTwo() {}\n"
	x := open(t, newMemory(files), 2)
	for line, want := range map[int]string{2: "z/one.go", 4: "z/two.go"} {
		m := mapOf(t, x, Request{Budget: 200, Chat: []string{"a/main.go"}, Selection: &Selection{Path: "a/main.go", First: line, Last: line}})
		if m.Files[0].Path != want {
			t.Errorf("line %d: %s comes first", line, m.Files[0].Path)
		}
	}
}

func TestPreviousMapKeepsItsOrder(t *testing.T) {
	x := open(t, newMemory(project(60)), 2)
	before := mapOf(t, x, Request{Budget: 400, Chat: []string{"pkg1/file1.go"}, Message: "visit"}).Text
	after := mapOf(t, x, Request{Budget: 400, Chat: []string{"pkg1/file1.go"}, Message: "visit run step", Previous: before}).Text
	heads := func(text string) (out []string) {
		for line := range strings.Lines(text) {
			if line[0] != ' ' {
				path, _, _ := strings.Cut(strings.TrimSpace(line), ":")
				out = append(out, path)
			}
		}
		return out
	}
	old, last := heads(before), -1
	for _, p := range heads(after) {
		at := slices.Index(old, p)
		if at < 0 {
			at = len(old)
		}
		if at < last {
			t.Fatalf("%s moved:\n%s\n---\n%s", p, before, after)
		}
		last = at
	}
}

func TestLayout(t *testing.T) {
	x := open(t, newMemory(map[string]string{"a.py": "class Cart:\n    def add(self, item):\n        pass\n\ndef main():\n    Cart().add(1)\n", "b.txt": "x"}), 1)
	want := "a.py:\n class Cart\n  def add(self, item)\n def main()\nb.txt\n"
	if diff := cmp.Diff(want, mapOf(t, x, Request{Budget: 1000}).Text); diff != "" {
		t.Error(diff)
	}
}

// The listing is a number of the paths alone, however the index came to them.
func TestListingIsOfThePaths(t *testing.T) {
	m := newMemory(map[string]string{"a.go": "package a\n", "b.go": "package a\n"})
	x := open(t, m, 1)
	listing := func() uint64 { return mapOf(t, x, Request{}).Listing }
	two := listing()
	lay := func(path, text string) {
		if _, err := x.Update(t.Context(), path, text); err != nil {
			t.Fatal(err)
		}
	}
	if lay("a.go", "package a\n\nfunc New() {}\n"); listing() != two {
		t.Error("another text is another listing")
	}
	if lay("c.go", "package a\n"); listing() == two {
		t.Error("a new file is not heard of")
	}
	three := listing()
	if x.Forget("c.go"); listing() != two {
		t.Error("a forgotten file is still there")
	}
	m.write("c.go", "package a\n")
	if err := x.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if listing() != three {
		t.Error("a file on disk is another listing than an unsaved one")
	}
}
