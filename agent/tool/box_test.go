package tool_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"coauthor/agent/tool"
	"coauthor/agent/vcs"
	"coauthor/agent/workspace"
	"coauthor/edits"
	"coauthor/repomap"
	"coauthor/repomap/syntax"
)

// place is a workspace with the files that its test gives.
type place struct {
	t    *testing.T
	root string
	ws   *workspace.Workspace
	o    tool.Options
}

func newPlace(t *testing.T, files map[string]string) *place {
	t.Helper()
	p := &place{t: t, root: t.TempDir()}
	for name, text := range files {
		p.put(name, text)
	}
	ws, err := workspace.Open(p.root, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ws.Close() })
	p.ws = ws
	p.o = tool.Options{Door: ws.Door(), Files: func(ctx context.Context) ([]string, error) { return vcs.Files(ctx, p.root) }}
	p.git("init", "-q")
	return p
}

func (p *place) put(name, text string) {
	p.t.Helper()
	abs := filepath.Join(p.root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(abs), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(abs, []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

func (p *place) git(args ...string) {
	p.t.Helper()
	cmd := exec.CommandContext(p.t.Context(), "git", append([]string{"-c", "user.name=Ada", "-c", "user.email=a@example.org"}, args...)...)
	cmd.Dir = p.root
	if out, err := cmd.CombinedOutput(); err != nil {
		p.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// box looks at what is there now, with changes on top.
func (p *place) box(changes ...edits.Change) *tool.Box {
	o := p.o
	o.Snapshot = p.ws.Snapshot().With(changes)
	return tool.NewBox(o)
}

func (p *place) run(b *tool.Box, name string, args tool.Args) tool.Result {
	p.t.Helper()
	r, err := b.Run(p.t.Context(), tool.Call{Tool: name, Args: args})
	if err != nil {
		p.t.Fatal(err)
	}
	return r
}

// check runs a call and looks for parts of its result; one that begins with ! must not be in it.
func (p *place) check(b *tool.Box, name string, args tool.Args, want ...string) tool.Result {
	p.t.Helper()
	r := p.run(b, name, args)
	for _, w := range want {
		if absent, not := strings.CutPrefix(w, "!"); strings.Contains(r.Text, absent) == not {
			p.t.Errorf("%s %v: wanted %q in\n%s", name, args, w, r.Text)
		}
	}
	return r
}

func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %d\n", i+1)
	}
	return b.String()
}

// TestDoorOfTools: what may not be sent no tool shows, nor says what is in it, whichever way it is asked for.
func TestDoorOfTools(t *testing.T) {
	p := newPlace(t, map[string]string{
		"a.go": "package a\n\n// needle\nfunc A() {}\n", ".env": "KEY=needle\n", "sub/id_rsa": "needle\n",
		"ignored.txt": "needle\n", ".gitignore": "ignored.txt\n", "hidden.md": "needle\n", ".coauthorignore": "hidden.md\n",
		"bin.dat": "needle\x00\x01\n",
	})
	p.git("add", "-A")
	p.git("add", "-f", "ignored.txt")
	p.git("commit", "-q", "-m", "all")
	p.put(".env", "KEY=needle2\n")
	p.put("hidden.md", "needle2\n")
	outside := filepath.Join(t.TempDir(), "x.txt")
	if err := os.WriteFile(outside, []byte("needle"), 0o600); err != nil {
		t.Fatal(err)
	}
	b := p.box()
	for _, name := range []string{".env", "sub/id_rsa", "hidden.md", "bin.dat", "../x.txt", outside, "sub/../../x", ".git/config"} {
		for _, call := range []struct {
			tool string
			args tool.Args
		}{{tool.Read, tool.Args{"path": name}}, {tool.Search, tool.Args{"pattern": "needle", "path": name}},
			{tool.Git, tool.Args{"what": "blame", "path": name}}, {tool.Git, tool.Args{"what": "diff", "path": name}}, {tool.Diagnostics, tool.Args{"path": name}}} {
			if r := p.run(b, call.tool, call.args); strings.Contains(r.Text, "needle2") || strings.Contains(r.Text, "|needle") || strings.Contains(r.Text, "KEY") {
				t.Errorf("%s of %s: %s", call.tool, name, r.Text)
			}
		}
	}
	for _, name := range []string{".env", "sub/id_rsa", "hidden.md", "bin.dat"} {
		p.check(b, tool.Read, tool.Args{"path": name}, name+" is not sent to the model: ")
	}
	p.check(b, tool.Search, tool.Args{"pattern": "needle"}, "a.go", "1 hit in 1 file", "!KEY", "!id_rsa", "!hidden", "!bin.dat")
	p.check(b, tool.Git, tool.Args{"what": "diff"}, "!KEY", "!needle2")
	p.check(b, tool.List, tool.Args{}, "a.go", "!id_rsa", "!.env", "!hidden.md")
	p.o.Agreed = []string{".env"}
	p.check(p.box(), tool.Read, tool.Args{"path": ".env"}, "1|KEY=needle2")
}

// TestList: pages, folders with their numbers of files, what is asked for wrongly.
func TestList(t *testing.T) {
	files := map[string]string{"README.md": "x", "src/a.go": "x", "src/deep/b.go": "x", "src/deep/er/c.go": "x"}
	for i := range 130 {
		files[fmt.Sprintf("many/f%03d.txt", i)] = "x"
	}
	p := newPlace(t, files)
	b := p.box(edits.Change{Path: "src/new.go", Op: edits.OpCreate, After: "x"}, edits.Change{Path: "README.md", Op: edits.OpDelete, Before: "x"})
	p.check(b, tool.List, tool.Args{"depth": 1}, "src/ (4 files)\n", "many/ (130 files)\n", "Entries 1-2 of 2.", "!README", "!a.go")
	p.check(b, tool.List, tool.Args{"path": "src"}, "src/a.go", "src/new.go", "src/deep/ (2 files)", "src/deep/b.go", "src/deep/er/ (1 file)", "!c.go")
	p.check(b, tool.List, tool.Args{"path": "./src/deep/", "depth": 5}, "src/deep/er/c.go")
	p.check(b, tool.List, tool.Args{"path": "many"}, "many/f099.txt", "!f100", "Entries 1-100 of 130.", `Next: list {"path": "many", "depth": 2, "offset": 100}.`)
	p.check(b, tool.List, tool.Args{"path": "many", "offset": 100}, "many/f129.txt", "Entries 101-130 of 130.", "!Next")
	p.check(b, tool.List, tool.Args{"path": "many", "offset": 500}, "only 130 entries")
	p.check(b, tool.List, tool.Args{"path": "src/a.go"}, `is a file. Next: read {"path": "src/a.go"}`)
	if r := p.check(b, tool.List, tool.Args{"path": "source"}, "There is no file source."); !r.Bad {
		t.Error("no such folder is no error")
	}
	p.o.Small = true
	p.check(p.box(), tool.List, tool.Args{"path": "many"}, "Entries 1-50 of 130.")
	p.check(newPlace(t, nil).box(), tool.List, tool.Args{}, "There are no files.")
}

// TestTree: folders with what is in them, as deep as there is room for.
func TestTree(t *testing.T) {
	files := map[string]string{"README.md": "x", "Makefile": "x", "src/a.go": "x", "src/b.go": "x", "src/a.c": "x", "src/x.md": "x", "src/deep/er/c.go": "x", "src-gen/g.go": "x", "secret/.env": "x"}
	p := newPlace(t, files)
	b := p.box(edits.Change{Path: "new/n.py", Op: edits.OpCreate, After: "x"})
	p.check(b, tool.Tree, tool.Args{}, ". 9 files (4 .go, 2 .md)\n  new/ 1 file (1 .py)\n  src/ 5 files (3 .go, 1 .c)\n    deep/ 1 file (1 .go)\n      er/ 1 file (1 .go)\n  src-gen/ 1 file", "6 of 6 folders.", "!secret", "!level")
	p.check(b, tool.Tree, tool.Args{"path": "src"}, "src/ 5 files", "\n  deep/ 1 file", "3 of 3 folders.", "!src-gen")
	p.check(b, tool.Tree, tool.Args{"depth": 1}, "  src/ 5 files", "4 of 6 folders. Those below level 1 are not shown", "!deep")
	p.check(b, tool.Tree, tool.Args{"path": "src/a.go"}, `is a file. Next: read {"path": "src/a.go"}`)
	for i := range 20 {
		for j := range 20 {
			p.put(fmt.Sprintf("many/f%02d/g%02d/x.txt", i, j), "x")
		}
	}
	p.check(p.box(), tool.Tree, tool.Args{}, "    f19/ 20 files (20 .txt)\n", "Those below level 2 are not shown", "!g00/")
	p.check(p.box(), tool.Tree, tool.Args{"path": "many/f03"}, "  g19/ 1 file", "21 of 21 folders.")
}

// TestRead: ranges, limits, outlines, names that are not there, the text of this turn.
func TestRead(t *testing.T) {
	var big strings.Builder
	big.WriteString("package big\n\n")
	for i := range 400 {
		fmt.Fprintf(&big, "func F%d() int {\n\treturn %d // some words to fill the line\n}\n\n", i, i)
	}
	p := newPlace(t, map[string]string{
		"lines.txt": numbered(1400), "short.txt": "one\r\ntwo", "empty.txt": "", "big.go": big.String(),
		"wide.txt": strings.Repeat("ä", 600) + "\nx\n", "src/config.go": "package src\n", "huge.txt": strings.Repeat("0123456789 words and words\n", 3000),
	})
	b := p.box(edits.Change{Path: "short.txt", Op: edits.OpUpdate, Before: "one\r\ntwo", After: "1\n2\n3\n"}, edits.Change{Path: "new.txt", Op: edits.OpCreate, After: "fresh\n"})
	r := p.check(b, tool.Read, tool.Args{"path": "lines.txt"}, "1|line 1\n", "200|line 200\n", "!201|", "Lines 1-200 of 1400 of lines.txt.", `Next: read {"path": "lines.txt", "start": 201}.`)
	if len(r.Shown) != 1 || r.Shown[0] != (tool.Shown{Path: "lines.txt", First: 1, Last: 200, Of: 1400}) {
		t.Errorf("%+v", r.Shown)
	}
	p.check(b, tool.Read, tool.Args{"path": "lines.txt", "start": 1390}, "1400|line 1400", "Lines 1390-1400 of 1400", "!Next")
	p.check(b, tool.Read, tool.Args{"path": "lines.txt", "start": 5, "lines": 2}, "5|line 5\n6|line 6\n", "!7|")
	p.check(b, tool.Read, tool.Args{"path": "lines.txt", "start": 1000, "lines": 9999}, "1400|line 1400", "!Next")
	if r := p.check(b, tool.Read, tool.Args{"path": "lines.txt", "start": 1401}, "has only 1400 lines"); !r.Bad {
		t.Error("beyond the end is no error")
	}
	p.check(b, tool.Read, tool.Args{"path": "lines.txt", "start": -4, "lines": -1}, "1|line 1\n")
	p.check(b, tool.Read, tool.Args{"path": "short.txt"}, "1|1\n2|2\n3|3\n", "Lines 1-3 of 3")
	p.check(b, tool.Read, tool.Args{"path": "new.txt"}, "1|fresh")
	p.check(b, tool.Read, tool.Args{"path": "empty.txt"}, "empty.txt is empty.")
	p.check(b, tool.Read, tool.Args{"path": "big.go"}, "3-5 function F0", "!return 7", "big.go has 1602 lines", "of its 400 definitions", `Next: read {"path": "big.go", "start": 1, "lines": 200}`)
	p.check(b, tool.Read, tool.Args{"path": "big.go", "start": 1, "lines": 3}, "3|func F0() int {", "Lines 1-3 of 1602")
	p.check(b, tool.Read, tool.Args{"path": "wide.txt"}, "1|"+strings.Repeat("ä", 500)+"… (600 characters)", "2|x")
	if r := p.check(b, tool.Read, tool.Args{"path": "huge.txt", "lines": 1000}, "of 3000", "Next: read"); len(r.Text) > 12_000 || len(r.Text) < 9000 {
		t.Errorf("%d characters", len(r.Text))
	}
	if r := p.run(b, tool.Read, tool.Args{"path": "wide.txt"}); len(r.Shown) > 0 {
		t.Errorf("a line that was cut counts as shown: %+v", r.Shown)
	}
	p.check(b, tool.Read, tool.Args{"path": "config.go"}, "There is no file config.go. Similar names: src/config.go")
	p.check(b, tool.Read, tool.Args{"path": "lib/configuration/config.go.bak"}, "Similar names: src/config.go")
	p.check(b, tool.Read, tool.Args{"path": "nothing.alike"}, `There is no file nothing.alike. Next: list {"path": "."}.`)
	p.check(b, tool.Read, tool.Args{"path": "src"}, `src is a folder. Next: list {"path": "src"}.`)
	r = p.check(b, tool.Read, tool.Args{"path": "lines.txt", "ranges": "700-702, 5-6, 6-7, 1390-2000"}, "5|line 5\n6|line 6\n7|line 7\n…\n700|line 700\n701|", "702|line 702\n…\n1390|", "1400|line 1400\nLines 5-7, 700-702, 1390-1400 of 1400 of lines.txt.", "!Next")
	if len(r.Shown) != 3 || r.Shown[1] != (tool.Shown{Path: "lines.txt", First: 700, Last: 702, Of: 1400}) {
		t.Errorf("%+v", r.Shown)
	}
	p.check(b, tool.Read, tool.Args{"path": "huge.txt", "ranges": "1-300, 400-700, 900-1000"}, "…\n400|", "!900|", "Lines 1-300, 400-", `Next: read {"path": "huge.txt", "ranges": "`, `, 900-1000"}.`)
	p.o.Room = 64_000
	large := p.box()
	if r := p.check(large, tool.Read, tool.Args{"path": "huge.txt", "lines": 3000}, "of 3000", "Next: read"); len(r.Text) > 32_000 || len(r.Text) < 30_000 {
		t.Errorf("a window of 64,000 tokens shows %d characters", len(r.Text))
	}
	p.o.Room = 128_000
	p.check(p.box(), tool.Read, tool.Args{"path": "big.go"}, "1|package big", "1602|", "Lines 1-1602 of 1602", "!Next")
	p.check(large, tool.Read, tool.Args{"path": "lines.txt", "start": 1}, "533|line 533", `"start": 534`)
	p.o.Small, p.o.Room = true, 0
	small := p.box()
	p.check(small, tool.Read, tool.Args{"path": "lines.txt"}, "Lines 1-100 of 1400")
	p.check(small, tool.Read, tool.Args{"path": "lines.txt", "lines": 1000}, "of 1400", "Next: read")
}

// TestSearch: expressions, plain text, pages, places, the text of this turn.
func TestSearch(t *testing.T) {
	files := map[string]string{
		"a.go": "package a\n\nfunc One() {\n\tneedle()\n\tx := 1\n\ty := 2\n\tz := 3\n\t_ = x\n\tneedle()\n}\n",
		"b.md": "Some needle(s) here\n(a|b\n",
		"d.go": "package a\n\nfunc Two() {\n\tpin()\n}\n\n// Three is\n// far from it.\n//\n\nfunc Three() {\n\tpin()\n}\n",
	}
	for i := range 30 {
		files[fmt.Sprintf("pages/p%02d.txt", i)] = "common word\n"
	}
	for i := range 110 {
		files[fmt.Sprintf("lots/l%03d.txt", i)] = "everywhere\n"
	}
	p := newPlace(t, files)
	b := p.box(edits.Change{Path: "c.txt", Op: edits.OpCreate, After: "my needle\n"})
	p.check(b, tool.Search, tool.Args{"pattern": `pin\(\)`, "context": 1}, "d.go (2 hits)\n  Two › L3-5\n3|func Two() {\n4:\tpin()\n5|}\n  …\n  Three › L11-13\n11|")
	p.check(b, tool.Search, tool.Args{"pattern": `needle\(\)`}, "a.go (2 hits)\n  One › L3-10\n", "2|\n3|func One() {\n4:\tneedle()\n5|\tx := 1\n6|", "7|", "9:\tneedle()\n", "2 hits in 1 file", "!b.md")
	p.check(b, tool.Search, tool.Args{"pattern": "^my needle$"}, "c.txt", "1:my needle")
	p.check(b, tool.Search, tool.Args{"pattern": "(a|b"}, "b.md", "as plain text, since it is no regular expression", "2:(a|b")
	p.check(b, tool.Search, tool.Args{"pattern": "needle(s)"}, "b.md", "as plain text, since nothing fits it")
	p.check(b, tool.Search, tool.Args{"pattern": "needle", "glob": "*.md"}, "b.md", "!a.go")
	p.check(b, tool.Search, tool.Args{"pattern": "common", "glob": "pages/**/p0?.txt"}, "10 hits in 10 files")
	p.check(b, tool.Search, tool.Args{"pattern": "needle", "glob": "*.{md,txt}"}, "b.md", "c.txt", "!a.go")
	p.check(b, tool.Search, tool.Args{"pattern": "needle", "path": "a.go"}, "a.go", "!b.md")
	p.check(b, tool.Search, tool.Args{"pattern": "common"}, "20 of 30 hits in 30 files", "The others: pages/p20.txt (1), ", `Next: search {"pattern": "common", "offset": 20}.`)
	p.check(b, tool.Search, tool.Args{"pattern": "common", "offset": 20}, "p20.txt", "p29.txt", "10 of 30 hits", "!Next")
	p.check(b, tool.Search, tool.Args{"pattern": "everywhere"}, "lots/ 110 hits", "110 hits in 110 files", "too many to show", "!l010")
	if r := p.check(b, tool.Search, tool.Args{"pattern": "not in there"}, "Nothing found"); r.Bad {
		t.Error("nothing found is an error")
	}
	p.check(b, tool.Search, tool.Args{"pattern": strings.Repeat("a", 1001)}, "at most 1000")
	p.check(b, tool.Search, tool.Args{"pattern": "x", "glob": "*.none"}, "No file fits the glob")
	p.o.Small = true
	p.check(p.box(), tool.Search, tool.Args{"pattern": "common"}, "10 of 30 hits")
}

// TestSearchOrder: code comes before tests, these before documents, and these before lists of changes; of a file that has many hits five
// are shown, and how many there are.
func TestSearchOrder(t *testing.T) {
	p := newPlace(t, map[string]string{
		"CHANGELOG.md": strings.Repeat("word\n\n\n\n\n\n", 30), "a.md": "word\n", "a_test.go": "package a\n\n// word\n", "vendor/x/x.go": "package x\n\n// word\n",
		"z.go": "package a\n\nfunc z() {\n" + strings.Repeat("\n\n\n\n\n\n// word\n", 8) + "}\n",
	})
	b := p.box()
	r := p.check(b, tool.Search, tool.Args{"pattern": "word"}, "z.go (8 hits)\n  z › L3-60\n8|\n", "a_test.go (1 hit)\n", "CHANGELOG.md (30 hits)\n", "13 of 41 hits in 5 files", "Of one file 5 hits are shown", "!Next", "!45:")
	last := -1
	for _, name := range []string{"z.go (", "a_test.go (", "a.md (", "CHANGELOG.md (", "vendor/x/x.go ("} {
		at := strings.Index(r.Text, name)
		if at <= last {
			t.Errorf("%s is not behind the one before:\n%s", name, r.Text)
		}
		last = at
	}
	if len(r.Shown) == 0 || r.Shown[0] != (tool.Shown{Path: "z.go", First: 8, Last: 12, Of: 60}) {
		t.Errorf("shown: %+v", r.Shown)
	}
	p.check(b, tool.Search, tool.Args{"pattern": "word", "path": "z.go", "context": 0}, "8 hits in 1 file", "59:// word\n", "!|")
	p.check(b, tool.Search, tool.Args{"pattern": "word", "path": "z.go", "context": 4}, "6|\n7|\n8|\n9|\n10:// word\n11|\n")
}

// TestSearchEnds: an expression that is slow elsewhere takes linear time, the clock ends a search, and so
// does the user.
func TestSearchEnds(t *testing.T) {
	files := map[string]string{}
	for i := range 200 {
		files[fmt.Sprintf("f%03d.txt", i)] = strings.Repeat("a", 20_000) + "b\n"
	}
	p := newPlace(t, files)
	p.o.Patience = 50 * time.Millisecond
	begin := time.Now()
	r := p.check(p.box(), tool.Search, tool.Args{"pattern": `(a+)+$`}, "of 200 files, since time ran out")
	if d := time.Since(begin); !r.Limited || d > 3*time.Second {
		t.Errorf("%v: %+v", d, r)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.box().Run(ctx, tool.Call{Tool: tool.Search, Args: tool.Args{"pattern": "a"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestSymbol: definitions with their whole text, those of one type, names that are nowhere.
func TestSymbol(t *testing.T) {
	files := map[string]string{
		"a.go":    "package a\n\n// Run runs.\nfunc Run() int {\n\treturn help()\n}\n\ntype T struct{}\n\nfunc (T) Do() { Run() }\n",
		"b.go":    "package a\n\nfunc help() int {\n" + strings.Repeat("\t_ = 1\n", 160) + "\treturn 1\n}\n",
		"long.go": "package a\n\nfunc long() {\n" + strings.Repeat("\t_ = 1\n", 146) + "\t_ = 2\n}\n",
		"u.go":    "package a\n\nfunc (*U) Do() T { return T{} }\n", "pkg/x.go": "package pkg\n\nfunc Do() {}\n", "n.md": "Run in words\n", "t.ts": "const a = 1\n\n/**\n * Says it.\n */\n// @deprecated\nfunction told() {}\n", "c.py": "class U:\n    def Do(self):\n        pass\n",
	}
	for i := range 7 {
		files[fmt.Sprintf("m%d.py", i)] = "def main():\n    return Run()\n"
	}
	p := newPlace(t, files)
	b := p.box(edits.Change{Path: "z.go", Op: edits.OpCreate, After: "package a\n\nfunc Fresh() { Run() }\n"})
	r := p.check(b, tool.Symbol, tool.Args{"name": "Run"}, "a.go:3-6\n3|// Run runs.\n4|func Run() int {\n5|\treturn help()\n6|}\n", "1 definition of Run.", "!n.md")
	if want := []tool.Shown{{Path: "a.go", First: 3, Last: 6, Of: 10}}; !slices.Equal(r.Shown, want) {
		t.Errorf("shown: %+v", r.Shown)
	}
	p.check(b, tool.Symbol, tool.Args{"name": "told"}, "t.ts:3-7\n3|/**\n4| * Says it.\n5| */\n6|// @deprecated\n7|function told()", "!a = 1")
	p.check(b, tool.Symbol, tool.Args{"name": "T.Do()"}, "func (T) Do()", "1 definition of Do", "!u.go", "!c.py")
	p.check(b, tool.Symbol, tool.Args{"name": "(*U).Do"}, "func (*U) Do()", "c.py:2-3", "2 definitions of Do", "!a.go")
	p.check(b, tool.Symbol, tool.Args{"name": "pkg.Do"}, "pkg/x.go:3-3", "1 definition of Do")
	p.check(b, tool.Symbol, tool.Args{"name": "Do"}, "4 definitions of Do")
	p.check(b, tool.Symbol, tool.Args{"name": "Fresh"}, "z.go:3-3")
	p.check(b, tool.Symbol, tool.Args{"name": "long"}, "long.go:3-151", "150|\t_ = 2\n151|}\n", "!more")
	p.check(b, tool.Symbol, tool.Args{"name": "help"}, "b.go:3-165", "152|", "!153|", `(13 lines more; next: read {"path": "b.go", "start": 153, "lines": 13})`)
	p.check(b, tool.Symbol, tool.Args{"name": "main"}, "m0.py", "m4.py:1-2\n1|", "!1|def main():\n2|    return Run()\nm5.py", "5 of 7 definitions of main. The others: m5.py:1-2, m6.py:1-2.")
	if r := p.check(b, tool.Symbol, tool.Args{"name": "Nowhere"}, "No definition of Nowhere found.", `Next: uses {"name": "Nowhere"}.`); r.Bad {
		t.Error("nothing found is an error")
	}
}

// TestUses: who calls or mentions a name, in which definition, code first; how to see the rest.
func TestUses(t *testing.T) {
	files := map[string]string{
		"z.go": "package a\n\nfunc Run() {}\n\nfunc all() {\n\tRun()\n\tRunner()\n}\n", "a_test.go": "package a\n\nfunc TestRun() { Run() }\n",
		"README.md": "Call Run first.\n", ".env": "KEY=Run\n", "many.go": "package a\n\nfunc many() {\n" + strings.Repeat("\tRun()\n", 13) + "}\n",
	}
	for i := range 60 {
		files[fmt.Sprintf("lots/l%02d.go", i)] = "package lots\n\nfunc f() { common() }\n"
	}
	p := newPlace(t, files)
	b := p.box(edits.Change{Path: "new.go", Op: edits.OpCreate, After: "package a\n\nvar x = Run\n"})
	r := p.check(b, tool.Uses, tool.Args{"name": "a.Run()"}, "z.go\n  all › L5-8\n6|\tRun()\n", "new.go\n  x › L3-3\n3|var x = Run\n", "a_test.go\n  TestRun › L3-3\n3|", "README.md\n", "1|Call Run first.",
		"13|\tRun()\n(3 lines more, from line 14 on)\n", "14 lines with Run in 5 files.", "!3|func Run()", "!KEY", "!Runner()", "!Next")
	if code, tests, docs := strings.Index(r.Text, "z.go"), strings.Index(r.Text, "a_test.go"), strings.Index(r.Text, "README.md"); code > tests || tests > docs {
		t.Errorf("the order is not code, tests, documents:\n%s", r.Text)
	}
	p.check(b, tool.Uses, tool.Args{"name": "common"}, "lots/l39.go\n", "40 lines with common in 40 files. It also stands in lots/l40.go (1), ", "lots/l59.go (1). ", `Next: uses {"name": "common", "offset": 40}.`)
	p.check(b, tool.Uses, tool.Args{"name": "common", "offset": 40}, "lots/l40.go\n", "20 lines with common in 20 files.", "!Next")
	p.check(b, tool.Uses, tool.Args{"name": "common", "path": "lots/l07.go"}, "1 line with common in 1 file.")
	p.check(b, tool.Uses, tool.Args{"name": "Nowhere"}, `No use of Nowhere found. Next: search {"pattern": "Nowhere"}.`)
}

// names is an index that outlines a.go alone.
type names func(name string) ([]repomap.Naming, bool)

func (n names) Naming(_ context.Context, name string) ([]repomap.Naming, bool) { return n(name) }

func (n names) Outline(path string) ([]repomap.Definition, bool) {
	return []repomap.Definition{{Name: "Run", Kind: "function", Path: path, Line: 1, Last: 2}}, path == "a.go"
}

// TestNamesByIndex: an index that knows all files spares looking through them; what this turn changed is looked at itself, and
// what the index lists opens no door.
func TestNamesByIndex(t *testing.T) {
	p := newPlace(t, map[string]string{"a.go": "package a\n\nfunc Run() {}\n", "b.go": "package a\n\nfunc other() { Run() }\n", "c.go": "package a\n\nfunc third() { Run() }\n", ".env": "Run\n"})
	p.o.Files = func(context.Context) ([]string, error) { return nil, errors.New("the files were listed") }
	complete := true
	p.o.Names = names(func(string) ([]repomap.Naming, bool) {
		return []repomap.Naming{{Path: "a.go", Times: 1, Defined: []int{2}}, {Path: "b.go", Times: 1}, {Path: ".env", Times: 1}, {Path: "gone.go", Times: 1, Defined: []int{1}}}, complete
	})
	b := p.box(edits.Change{Path: "b.go", Op: edits.OpUpdate, Before: "package a\n\nfunc other() { Run() }\n", After: "package a\n"},
		edits.Change{Path: "new.go", Op: edits.OpCreate, After: "package a\n\nfunc fresh() { Run() }\n"})
	p.check(b, tool.Symbol, tool.Args{"name": "Run"}, "a.go:2-3\n2|\n3|func Run", "1 definition of Run.", "!more")
	p.check(b, tool.Uses, tool.Args{"name": "Run"}, "new.go\n", "1 line with Run in 1 file.", "!a.go", "!b.go", "!.env", "!more")
	complete = false
	p.o.Files = func(context.Context) ([]string, error) { return []string{"a.go", "b.go", "c.go"}, nil }
	p.check(p.box(), tool.Uses, tool.Args{"name": "Run"}, "b.go\n", "c.go\n", "2 lines with Run in 2 files.", "!more")
	p.o.Patience = 1
	if r := p.check(p.box(), tool.Uses, tool.Args{"name": "Run"}, "b.go\n", "There may be more, since the files are still being indexed"); !r.Limited {
		t.Error("the call may not be made again")
	}
}

// TestMapAndDiagnostics: what is handed in, in its order and within its limits.
// TestSymbolKnowsCodeFromData: a key of data and a heading answer where no code has the name, also where the code is others'.
func TestSymbolKnowsCodeFromData(t *testing.T) {
	files := map[string]string{"package.json": "{\n  \"scripts\": {\n    \"build\": \"make\",\n    \"lint\": \"x\"\n  }\n}\n", "vendor/b.py": "def build():\n    pass\n", "doc.md": "# build\n\nText.\n"}
	p := newPlace(t, files)
	p.o.Names = names(func(name string) (list []repomap.Naming, all bool) {
		for path, text := range files {
			tags, err := syntax.Tags(t.Context(), path, []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			one := repomap.Naming{Path: path, Times: strings.Count(text, name)}
			for _, x := range tags {
				if x.Def && x.Name == name {
					one.Defined = append(one.Defined, x.Line)
				}
			}
			if one.Times > 0 {
				list = append(list, one)
			}
		}
		return list, true
	})
	b := p.box()
	p.check(b, tool.Symbol, tool.Args{"name": "build"}, "vendor/b.py:1-2", "1 definition of build.", "!package.json", "!doc.md")
	p.check(b, tool.Symbol, tool.Args{"name": "lint"}, "package.json:4-4", "1 definition of lint.")
	p.check(b, tool.Symbol, tool.Args{"name": "scripts.build"}, "package.json:3-3", "1 definition of build.", "!vendor")
}

func TestMapAndDiagnostics(t *testing.T) {
	p := newPlace(t, map[string]string{"a.go": "package a\n", "b.go": "package a\n", ".env": "x\n"})
	p.check(p.box(), tool.Map, tool.Args{"words": "x"}, `There is no map of this repository. Next: list {"path": "."}.`)
	p.check(p.box(), tool.Diagnostics, tool.Args{}, "told of no problems")
	p.o.Map = func(_ context.Context, words string, tokens int) (string, error) {
		return fmt.Sprintf("map of %q in %d tokens", words, tokens), nil
	}
	p.o.Diagnostics = []tool.Diagnostic{{"b.go", 9, "warning", "unused", "lint"}, {"b.go", 3, "error", "undefined:\nx", ""}, {"a.go", 1, "hint", "h", ""}, {".env", 1, "error", "secret", ""}}
	p.check(p.box(), tool.Map, tool.Args{"words": "two words"}, `map of "two words" in 1000 tokens`)
	p.check(p.box(), tool.Diagnostics, tool.Args{}, "b.go:3: error: undefined: x\nb.go:9: warning: unused (lint)\na.go:1: hint: h\n3 of 3 problems, errors first, of the text before this turn.", "!secret")
	p.check(p.box(), tool.Diagnostics, tool.Args{"path": "a.go"}, "a.go:1", "!b.go", "1 of 1 problem,")
	for i := range 30 {
		p.o.Diagnostics = append(p.o.Diagnostics, tool.Diagnostic{Path: "a.go", Line: i + 2, Severity: "error", Message: "m"})
	}
	p.check(p.box(), tool.Diagnostics, tool.Args{"path": "a.go"}, "20 of 31 problems")
	p.o.Small = true
	p.check(p.box(), tool.Diagnostics, tool.Args{}, "10 of 33 problems")
	p.check(p.box(), tool.Map, tool.Args{}, "500 tokens")
}

// TestCheck: what the checks say, where there are any.
func TestCheck(t *testing.T) {
	p := newPlace(t, nil)
	if r := p.check(p.box(), tool.Check, tool.Args{}, "There are no checks here."); !r.Bad {
		t.Error("without checks a call is carried out")
	}
	p.o.Check = func(context.Context) (string, error) { return "Checked: lint ✓", nil }
	p.check(p.box(), tool.Check, tool.Args{}, "Checked: lint ✓")
}

// TestGit: log, diff and blame of the text as it is in this turn, without running anything that the
// repository names.
func TestGit(t *testing.T) {
	p := newPlace(t, map[string]string{"a.txt": numbered(5), "b.txt": "b\n", "gone.txt": "g\n"})
	p.check(p.box(), tool.Git, tool.Args{"what": "log"}, "There are no commits.")
	ran := filepath.Join(t.TempDir(), "ran")
	for _, key := range []string{"filter.evil.clean", "filter.evil.process", "filter.e=v.clean", "filter.evil.smudge", "diff.evil.textconv", "diff.evil.command", "diff.external", "core.pager", "core.fsmonitor", "gpg.program"} {
		p.git("config", key, "echo "+key+" >> "+ran+"; cat")
	}
	p.git("add", "-A")
	p.git("commit", "-q", "-m", "First things")
	p.put(".gitattributes", "*.txt filter=evil diff=evil\nb.txt filter=e=v\n")
	p.put("b.txt", "changed\n")
	if err := os.Remove(filepath.Join(p.root, "gone.txt")); err != nil {
		t.Fatal(err)
	}
	_ = os.Remove(ran)
	before := numbered(5)
	b := p.box(edits.Change{Path: "a.txt", Op: edits.OpUpdate, Before: before, After: "zero\n" + strings.Replace(before, "line 4\n", "line four\n", 1)},
		edits.Change{Path: "new.txt", Op: edits.OpCreate, After: "n\n"})
	p.check(b, tool.Git, tool.Args{"what": "log"}, "Ada: First things", "All 1 commit.")
	p.check(b, tool.Git, tool.Args{"what": "log", "path": "a.txt"}, "First things")
	p.check(b, tool.Git, tool.Args{"what": "diff"}, "+zero", "-line 4\n+line four", "-b\n+changed", "--- a/gone.txt\n+++ /dev/null", "+++ b/new.txt", "to the last commit, with what is not saved.")
	p.check(b, tool.Git, tool.Args{"what": "diff", "path": "b.txt"}, "+changed", "!zero", "in 1 file")
	p.check(b, tool.Git, tool.Args{"what": "blame", "path": "a.txt"}, "not committed 1|zero", "Ada 2|line 1", "Ada 4|line 3", "not committed 5|line four", "Ada 6|line 5")
	p.check(b, tool.Git, tool.Args{"what": "blame", "path": "a.txt", "lines": "2-3"}, "2|line 1", "!1|zero", "!4|", "Lines 2-3 of 6")
	p.check(b, tool.Git, tool.Args{"what": "blame"}, "blame needs a path")
	p.check(b, tool.Git, tool.Args{"what": "blame", "path": "new.txt"}, "not committed 1|n")
	if by, err := os.ReadFile(ran); err == nil {
		t.Errorf("programs that the repository names were run:\n%s", by)
	}
	if r := p.run(b, tool.Git, tool.Args{"what": "log", "path": "--output=x"}); !r.Bad {
		t.Errorf("%+v", r)
	}
	long := newPlace(t, map[string]string{"a.txt": "x\n"})
	long.git("add", "-A")
	for i := range 25 {
		long.put("n.txt", fmt.Sprintln(i))
		long.git("add", "-A")
		long.git("commit", "-q", "-m", fmt.Sprintf("Number %d", i))
	}
	long.put("a.txt", numbered(400))
	long.check(long.box(), tool.Git, tool.Args{"what": "log"}, "Number 24", "Number 5\n", "!Number 4\n", "The latest 20 commits. Earlier ones: git {")
	long.check(long.box(), tool.Git, tool.Args{"what": "log", "rev": "HEAD~20"}, "Number 4\n", "Number 0\n", "!Number 5", "All 5 commits.")
	long.check(long.box(), tool.Git, tool.Args{"what": "diff"}, "200 of 404 lines", "Name a path")
	none, err := workspace.Open(t.TempDir(), workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer none.Close()
	r, err := tool.NewBox(tool.Options{Snapshot: none.Snapshot(), Door: none.Door()}).Run(t.Context(), tool.Call{Tool: tool.Git, Args: tool.Args{"what": "log"}})
	if err != nil || !r.Bad || !strings.Contains(r.Text, "no git repository") {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestGitShow: a commit with what it says and changed, a difference to any commit, and the state of the branch. What names a commit is
// no option, no path and no range.
func TestGitShow(t *testing.T) {
	p := newPlace(t, map[string]string{"a.txt": numbered(5), ".env": "KEY=1\n", "sub/b.txt": "b\n"})
	p.check(p.box(), tool.Git, tool.Args{"what": "status"}, "Branch ", "No commits yet", "2 files on disk not committed: a.txt, sub/b.txt", "!.env")
	p.check(p.box(), tool.Git, tool.Args{"what": "show"}, "There are no commits.")
	p.git("checkout", "-q", "-b", "work")
	p.git("add", "-A")
	p.git("commit", "-q", "-m", "First things")
	p.put("a.txt", strings.Replace(numbered(5), "line 4\n", "line four\n", 1))
	p.put(".env", "KEY=2\n")
	p.put("sub/b.txt", "bb\n")
	p.git("add", "-A")
	p.git("commit", "-q", "-m", "Second\n\nWhy it was done.")
	p.git("tag", "v1")
	p.put("a.txt", "all new\n")
	b := p.box()
	p.check(b, tool.Git, tool.Args{"what": "show"}, " Ada\nSecond\n\nWhy it was done.\n", "-line 4\n+line four", "-b\n+bb", "of what it changed in 2 files.", "1 file may not be sent to the model and is left out.", "!KEY", "!all new")
	p.check(b, tool.Git, tool.Args{"what": "show", "rev": "v1", "path": "sub"}, "+bb", "!line four", "in 1 file.")
	p.check(b, tool.Git, tool.Args{"what": "show", "rev": "HEAD~1"}, "First things", "+++ b/a.txt", "+line 4")
	p.check(b, tool.Git, tool.Args{"what": "diff", "rev": "HEAD~1"}, "-line 4", "+all new", "+bb", "in 2 files to HEAD~1, with what is not saved.", "!KEY")
	p.check(b, tool.Git, tool.Args{"what": "status"}, "Branch work\n", "Last commit: ", ": Second\n", "1 file on disk not committed: a.txt.", "!Follows", "!shallow")
	p.check(b, tool.Git, tool.Args{"what": "log", "path": "a.txt"}, "All 2 commits.")
	made := filepath.Join(p.root, "made")
	for _, rev := range []string{"--output=" + made, "-p", "HEAD..v1", "HEAD:a.txt", ":/First", "v1 --output=" + made, "HEAD^{/First}", "no-such", "../x", "HEAD\nv1"} {
		for _, what := range []string{"show", "log", "diff"} {
			if r := p.run(b, tool.Git, tool.Args{"what": what, "rev": rev}); !r.Bad {
				t.Errorf("%s %q: %s", what, rev, r.Text)
			}
		}
	}
	if _, err := os.Stat(made); err == nil {
		t.Error("an option came through")
	}
	p.check(b, tool.Git, tool.Args{"what": "show", "rev": strings.Repeat("é", 201)}, "There is no commit")
	p.check(b, tool.Git, tool.Args{"what": "show", "rev": strings.Repeat("é", 202)}, "no name of a commit")
	p.put("a.txt", numbered(400))
	p.git("commit", "-q", "-a", "-m", "Long")
	p.check(p.box(), tool.Git, tool.Args{"what": "show"}, "200 of 404 lines", `Next: git {"what": "show", "rev": "`, `"path": "a.txt"}.`)
	p.git("checkout", "-q", "--detach")
	p.check(p.box(), tool.Git, tool.Args{"what": "status"}, "No branch is checked out")
}

// TestShallowClone: of a history that was cut off nothing is said that is not known.
func TestShallowClone(t *testing.T) {
	from := newPlace(t, map[string]string{"a.txt": "one\n"})
	for i := range 4 {
		from.put("a.txt", strings.Repeat(fmt.Sprintf("line %d\n", i), i+1))
		from.git("add", "-A")
		from.git("commit", "-q", "-m", fmt.Sprintf("Number %d", i))
	}
	p := newPlace(t, nil)
	p.git("fetch", "-q", "--depth=2", "file://"+filepath.ToSlash(from.root), "HEAD")
	p.git("checkout", "-q", "-b", "work", "FETCH_HEAD")
	b := p.box()
	p.check(b, tool.Git, tool.Args{"what": "log"}, "Number 2", "2 commits. This is a shallow clone: what was before is not in it.", "!All")
	p.check(b, tool.Git, tool.Args{"what": "show", "rev": "HEAD~1"}, "Number 2", "what it changed is not known", "!+line")
	p.check(b, tool.Git, tool.Args{"what": "show"}, "Number 3", "+line 3")
	p.check(b, tool.Git, tool.Args{"what": "status"}, "A shallow clone")
	p.put("a.txt", "line 2\nline 2\nline 2\nnew\n")
	p.git("commit", "-q", "-a", "-m", "Back")
	p.check(p.box(), tool.Git, tool.Args{"what": "blame", "path": "a.txt"}, "Ada 4|new", "This is a shallow clone")
}

// TestStatusFollows: how far the branch is from the one that it follows.
func TestStatusFollows(t *testing.T) {
	from := newPlace(t, map[string]string{"a.txt": "one\n"})
	from.git("checkout", "-q", "-b", "main")
	from.git("add", "-A")
	from.git("commit", "-q", "-m", "One")
	p := newPlace(t, nil)
	p.git("remote", "add", "origin", from.root)
	p.git("fetch", "-q", "origin")
	p.git("checkout", "-q", "-b", "main", "--track", "origin/main")
	p.git("commit", "-q", "--allow-empty", "-m", "Two")
	p.check(p.box(), tool.Git, tool.Args{"what": "status"}, "Branch main\nFollows origin/main: 1 commit ahead, 0 behind\n", "Nothing on disk differs from the last commit.")
}
