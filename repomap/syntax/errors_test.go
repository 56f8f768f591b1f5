package syntax

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Each case breaks one line of a program that is fine, inside the definition two.
func TestErrorsOfEachLanguage(t *testing.T) {
	for _, c := range []struct{ path, src, good, bad string }{
		{"a.go", "package a\n\nfunc one() {}\n\nfunc two() {\n\tx := 1\n\t_ = x\n}\n", "x := 1", "x := := 1"},
		{"a.py", "def one():\n    return 1\n\n\ndef two():\n    x = 1\n    return x\n", "x = 1", "x = = 1"},
		{"a.js", "function one() {}\n\nfunction two() {\n  let x = 1;\n  return x;\n}\n", "let x = 1", "let x = = 1"},
		{"a.ts", "function one(): void {}\n\nfunction two(): number {\n  let x = 1;\n  return x;\n}\n", "let x = 1", "let x = = 1"},
		{"a.tsx", "function one() {}\n\nfunction two() {\n  let x = 1;\n  return <b>{x}</b>;\n}\n", "let x = 1", "let x = = 1"},
		{"a.c", "void one(void) {}\n\nint two(void) {\n  int x = 1;\n  return x;\n}\n", "int x = 1", "int x = = 1"},
		{"a.cpp", "void one() {}\n\nint two() {\n  int x = 1;\n  return x;\n}\n", "int x = 1", "int x = = 1"},
		{"a.rs", "fn one() {}\n\nfn two() -> i32 {\n    let x = 1;\n    x\n}\n", "let x = 1", "let x = = 1"},
		{"a.java", "class A {\n  void one() {}\n\n  int two() {\n    int x = 1;\n    return x;\n  }\n}\n", "int x = 1", "int x = = 1"},
		{"a.rb", "def one\nend\n\ndef two\n  x = 1\n  x\nend\n", "x = 1", "x = = 1"},
		{"a.php", "<?php\nfunction one() {}\n\nfunction two() {\n  $x = 1;\n  return $x;\n}\n", "$x = 1", "$x = = 1"},
		{"a.sh", "one() {\n  true\n}\n\ntwo() {\n  if true; then echo; fi\n}\n", "then echo; fi", "then echo; ) fi"},
	} {
		if g, err := grammarOf(Detect(c.path, nil)); g == nil {
			t.Skipf("this build has no grammars: %v", err)
		}
		if got, err := Errors(t.Context(), c.path, []byte(c.src)); err != nil || len(got) != 0 {
			t.Errorf("%s is fine, but: %v %v", c.path, got, err)
		}
		bad := strings.Replace(c.src, c.good, c.bad, 1)
		line := strings.Count(bad[:strings.Index(bad, c.bad)], "\n")
		got, err := Errors(t.Context(), c.path, []byte(bad))
		if err != nil || !slices.ContainsFunc(got, func(e SyntaxError) bool {
			return e.Line <= line && line <= e.EndLine && e.Scope == "two" && e.Message != ""
		}) {
			t.Errorf("%s: nothing at line %d in two: %+v %v", c.path, line, got, err)
		}
	}
}

func TestMissingTokens(t *testing.T) {
	if g, _ := grammarOf(named("c")); g == nil {
		t.Skip("this build has no grammars")
	}
	for _, c := range []struct {
		path, src, want string
		line            int
	}{
		{"a.c", "int one(void) {\n  return 0\n}\n", `missing ";"`, 1},
		{"a.java", "class A {\n  int one() {\n    return 0\n  }\n}\n", `missing ";"`, 2},
		{"a.go", "package a\n\nfunc one() {\n\tf(1, 2\n}\n", "", 3},
		{"a.js", "function one() {\n  f(1;\n}\n", `missing ")"`, 1},
	} {
		got, err := Errors(t.Context(), c.path, []byte(c.src))
		if err != nil || len(got) == 0 || got[0].Line != c.line || !strings.HasPrefix(got[0].Message, c.want) || got[0].Scope != "one" {
			t.Errorf("%s: %+v %v", c.path, got, err)
		}
	}
}

func TestErrorsInPlaces(t *testing.T) {
	if g, _ := grammarOf(named("go")); g == nil {
		t.Skip("this build has no grammars")
	}
	var b strings.Builder
	b.WriteString("package a\n")
	const each = 5
	for i := range 300 {
		fmt.Fprintf(&b, "\nfunc f%d() {\n\tx := := %d\n\t_ = x\n}\n", i, i)
	}
	src := []byte(b.String())
	all, err := Errors(t.Context(), "a.go", src)
	if err != nil || len(all) < 100 || !slices.IsSortedFunc(all, func(a, b SyntaxError) int { return a.Line - b.Line }) {
		t.Fatalf("%d errors, %v", len(all), err)
	}
	last := 1 + each*299 + 2 // beyond what all of them would list
	for _, c := range []struct {
		in   []Lines
		want []string
	}{
		{[]Lines{{last, last}}, []string{"f299"}},
		{[]Lines{{3, 3}, {last, last}}, []string{"f0", "f299"}},
		{[]Lines{{last - each, last}}, []string{"f298", "f299"}},
		{[]Lines{{1, 2}}, nil},
		{[]Lines{{1_000_000, 2_000_000}}, nil},
		{[]Lines{{-5, 3}}, []string{"f0"}},
	} {
		got, err := Errors(t.Context(), "a.go", src, c.in...)
		var names []string
		for _, e := range got {
			names = append(names, e.Scope)
		}
		if err != nil || !slices.Equal(slices.Compact(names), c.want) {
			t.Errorf("%v: %v %v, want %v", c.in, names, err, c.want)
		}
	}
}
