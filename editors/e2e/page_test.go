package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the table of ../README.md, from the results that COAUTHOR_E2E_RESULTS names")

// tableFile keeps the results that the table was written from: a line for each test in each cell.
const tableFile = "testdata/table.jsonl"

// The table stands between these in ../README.md.
const (
	tableBegins = "<!-- written by editors/e2e/all.sh -->\n"
	tableEnds   = "<!-- end of what is written -->\n"
)

// readResults reads a file of results, one a line; none where there is no file.
func readResults(name string) ([]result, error) {
	file, err := os.Open(name)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var list []result
	in := bufio.NewScanner(file)
	for in.Scan() {
		var r result
		if err := json.Unmarshal(in.Bytes(), &r); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		list = append(list, r)
	}
	return list, in.Err()
}

// merged takes a run's results in place of the older ones of the same editors. A run in which something failed, or did
// not run, is none to write a table from.
func merged(old, run []result) ([]result, error) {
	var list []result
	for _, r := range run {
		if r.Result != "passed" {
			return nil, fmt.Errorf("%s %s: %q of %s", r.Test, r.Result, r.Row, r.Editor)
		}
		if !slices.Contains(list, r) { // a test that ran twice
			list = append(list, r)
		}
	}
	for _, r := range old {
		if !slices.ContainsFunc(run, func(n result) bool { return n.Editor == r.Editor }) {
			list = append(list, r)
		}
	}
	slices.SortFunc(list, func(a, b result) int {
		if by := slices.Index(columns, a.Editor) - slices.Index(columns, b.Editor); by != 0 {
			return by
		}
		if by := slices.Index(rows, a.Row) - slices.Index(rows, b.Row); by != 0 {
			return by
		}
		return strings.Compare(a.Test, b.Test)
	})
	return list, nil
}

// page is the table as text, from results that all passed. An editor without a result is no column yet.
func page(list []result, why []reason) string {
	tried := slices.DeleteFunc(slices.Clone(columns), func(editor string) bool {
		return !slices.ContainsFunc(list, func(r result) bool { return r.Editor == editor })
	})
	var b strings.Builder
	line := func(cells ...string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	line(append([]string{""}, tried...)...)
	b.WriteString("|---|" + strings.Repeat(":-:|", len(tried)) + "\n")
	var notes []string
	for _, r := range rows {
		cells := []string{string(r)}
		for _, editor := range tried {
			at := slices.IndexFunc(why, func(c reason) bool { return c.editor == editor && c.row == r })
			switch {
			case slices.ContainsFunc(list, func(l result) bool { return l.Editor == editor && l.Row == r }):
				cells = append(cells, "✓")
			case at >= 0:
				n := slices.Index(notes, why[at].why)
				if n < 0 {
					n = len(notes)
					notes = append(notes, why[at].why)
				}
				cells = append(cells, fmt.Sprintf("(%d)", n+1))
			default:
				cells = append(cells, "")
			}
		}
		line(cells...)
	}
	dates := []string{"last run"}
	for _, editor := range tried {
		last := ""
		for _, r := range list {
			if r.Editor == editor {
				last = max(last, r.Date)
			}
		}
		dates = append(dates, last)
	}
	line(dates...)
	if len(notes) > 0 {
		b.WriteByte('\n')
	}
	for i, note := range notes {
		fmt.Fprintf(&b, "%d. %s\n", i+1, note)
	}
	return b.String()
}

// TestTablePage holds the table of ../README.md against the code and the results that are kept. With -update it takes the
// results of a run and writes both.
func TestTablePage(t *testing.T) {
	list, err := readResults(tableFile)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		run, err := readResults(os.Getenv("COAUTHOR_E2E_RESULTS"))
		if err != nil {
			t.Fatal(err)
		}
		if len(run) == 0 {
			t.Fatal("COAUTHOR_E2E_RESULTS names no results")
		}
		if list, err = merged(list, run); err != nil {
			t.Fatal(err)
		}
		var text []byte
		for _, r := range list {
			one, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			text = append(append(text, one...), '\n')
		}
		if err := os.WriteFile(tableFile, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	above, rest, begins := strings.Cut(string(readme), tableBegins)
	old, below, ends := strings.Cut(rest, tableEnds)
	if !begins || !ends {
		t.Fatal("README.md has no place for the table")
	}
	want := "\n" + page(list, reasons) + "\n"
	if old == want {
		return
	}
	if !*update {
		t.Fatalf("the table of README.md is not that of the results: run editors/e2e/all.sh, or write it from %s.\nIt is\n%s\nwant\n%s", tableFile, old, want)
	}
	if err := os.WriteFile("../README.md", []byte(above+tableBegins+want+tableEnds+below), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestTable: each result that is kept is of a test that there is and that says it shows this, and an editor with a
// result has a result or a reason for each scenario.
func TestTable(t *testing.T) {
	list, err := readResults(tableFile)
	if err != nil {
		t.Fatal(err)
	}
	shows := shownBy(t)
	for _, r := range list {
		name, _, _ := strings.Cut(r.Test, "/")
		switch of, there := shows[name]; {
		case !slices.Contains(columns, r.Editor) || !slices.Contains(rows, r.Row):
			t.Errorf("the table has no cell for %+v", r)
		case r.Result != "passed":
			t.Errorf("the table was written from a run in which %s %s", r.Test, r.Result)
		case !there:
			t.Errorf("%s is no test any more, and %q of %s rests on it", name, r.Row, r.Editor)
		case !slices.Contains(of, r.Row):
			t.Errorf("%s says no more that it shows %q", name, r.Row)
		}
	}
	for _, editor := range columns {
		if !slices.ContainsFunc(list, func(r result) bool { return r.Editor == editor }) {
			continue
		}
		for _, of := range rows {
			shown := slices.ContainsFunc(list, func(r result) bool { return r.Editor == editor && r.Row == of })
			excused := slices.ContainsFunc(reasons, func(c reason) bool { return c.editor == editor && c.row == of })
			if !shown && !excused {
				t.Errorf("%s has neither a test nor a reason for %q", editor, of)
			}
			if shown && excused {
				t.Errorf("%s has a test and a reason for %q", editor, of)
			}
		}
	}
	for _, c := range reasons {
		if !slices.Contains(columns, c.editor) || !slices.Contains(rows, c.row) || !strings.HasSuffix(c.why, ".") {
			t.Errorf("no reason of the table: %+v", c)
		}
	}
}

// shownBy reads this package's tests: the rows that each says to show, by itself or in a function that it calls.
func shownBy(t *testing.T) map[string][]row {
	t.Helper()
	names, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	constants := map[string]row{}
	uses := map[string][]string{} // of each function, the names that stand in it
	covered := map[string][]string{}
	for _, n := range names {
		if !strings.HasSuffix(n.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), n.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if v, ok := s.(*ast.ValueSpec); ok && len(v.Names) == 1 && len(v.Values) == 1 && strings.HasPrefix(v.Names[0].Name, "row") {
						if text, ok := v.Values[0].(*ast.BasicLit); ok {
							constants[v.Names[0].Name] = row(strings.Trim(text.Value, `"`))
						}
					}
				}
			case *ast.FuncDecl:
				name := d.Name.Name
				ast.Inspect(d, func(n ast.Node) bool {
					switch n := n.(type) {
					case *ast.Ident:
						uses[name] = append(uses[name], n.Name)
					case *ast.CallExpr:
						if called, ok := n.Fun.(*ast.Ident); ok && called.Name == "covers" {
							for _, arg := range n.Args {
								if id, ok := arg.(*ast.Ident); ok {
									covered[name] = append(covered[name], id.Name)
								}
							}
						}
					}
					return true
				})
			}
		}
	}
	shows := map[string][]row{}
	for test := range uses {
		if !strings.HasPrefix(test, "Test") {
			continue
		}
		seen := map[string]bool{test: true}
		for next := []string{test}; len(next) > 0; next = next[1:] {
			for _, c := range covered[next[0]] {
				if r, ok := constants[c]; ok {
					shows[test] = append(shows[test], r)
				}
			}
			for _, u := range uses[next[0]] {
				if _, isFunc := uses[u]; isFunc && !seen[u] {
					seen[u] = true
					next = append(next, u)
				}
			}
		}
	}
	return shows
}

// The table is made of what passed, a run's editors take the place of what was known of them, and one failure is enough
// to write none.
func TestPage(t *testing.T) {
	old := []result{{"Neovim 0.12", rowHunk, "TestOld", "passed", "2026-01-02"}, {"Kakoune", rowUndo, "TestKakoune", "passed", "2026-01-02"}}
	run := []result{{"Neovim 0.12", rowUndo, "TestB", "passed", "2026-02-03"}, {"Neovim 0.12", rowUndo, "TestA", "passed", "2026-02-03"}, {"Neovim 0.12", rowUndo, "TestB", "passed", "2026-02-03"}}
	list, err := merged(old, run)
	if err != nil {
		t.Fatal(err)
	}
	var tests []string
	for _, r := range list {
		tests = append(tests, r.Test)
	}
	if got := strings.Join(tests, " "); got != "TestA TestB TestKakoune" {
		t.Errorf("kept are %s", got)
	}
	for _, became := range []string{"failed", "skipped"} {
		if _, err := merged(old, append(run, result{"Kakoune", rowHunk, "TestX", became, "2026-02-03"})); err == nil {
			t.Errorf("a table is written although a test %s", became)
		}
	}
	got := page(list, []reason{cannot("Kakoune", rowHunk, "It has no hunks."), cannot("Neovim 0.12", rowFix, "It has no others."), cannot("Kakoune", rowFix, "It has no hunks.")})
	for _, want := range []string{
		"|  | Neovim 0.12 | Kakoune |\n|---|:-:|:-:|\n",
		"| " + string(rowHunk) + " |  | (1) |\n",
		"| " + string(rowUndo) + " | ✓ | ✓ |\n",
		"| " + string(rowFix) + " | (2) | (1) |\n",
		"| last run | 2026-02-03 | 2026-01-02 |\n\n1. It has no hunks.\n2. It has no others.\n",
	} {
		if !bytes.Contains([]byte(got), []byte(want)) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}
