//go:build cgo

package syntax

import (
	"go/build"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coauthor/repomap/syntax/tag"
)

// Every grammar that is built in has a row in the table, a query that compiles, and captures that
// are kinds.
func TestQueriesCompile(t *testing.T) {
	names := slices.Sorted(maps.Keys(core))
	names = append(names, slices.Sorted(maps.Keys(more))...)
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			row := slices.IndexFunc(languages, func(l Language) bool { return l.Grammar == name })
			if row < 0 {
				t.Fatal("no language has this grammar")
			}
			g, err := grammarOf(&languages[row])
			if err != nil {
				t.Fatal(err)
			}
			all, err := g.all()
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range all.captures {
				if c != "name" && c[0] != '_' && !slices.Contains(kinds, tag.Kind(c)) {
					t.Errorf("@%s is no kind", c)
				}
			}
		})
	}
}

var kinds = []tag.Kind{tag.Function, tag.Method, tag.Class, tag.Interface, tag.Type, tag.Enum, tag.Module, tag.Constant,
	tag.Variable, tag.Field, tag.Macro, tag.Heading, tag.Key, tag.Call, tag.Use}

func TestPredicates(t *testing.T) {
	src := []byte("package a\n\nfunc one() { two(); three(); one() }\n")
	language := core["go"]()
	for _, c := range []struct{ predicate, want string }{
		{``, "two three one"}, {`(#eq? @call "two")`, "two"}, {`(#not-eq? @call "two")`, "three one"}, {`(#any-of? @call "two" "one")`, "two one"},
		{`(#not-any-of? @call "two" "one")`, "three"}, {`(#match? @call "^t")`, "two three"}, {`(#not-match? @call "^t")`, "one"},
		{`(#match? @call "t") (#not-eq? @call "two")`, "three"},
	} {
		m, err := newMatcher([]byte(`((call_expression function: (identifier) @call) `+c.predicate+`)`), language)
		if err != nil {
			t.Fatal(err)
		}
		g := &grammar{language: language, defs: m, tables: tablesOf(language)}
		tags, err := g.tags(t.Context(), src, definitions)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, tag := range tags {
			got = append(got, tag.Name)
		}
		slices.Sort(got)
		want := strings.Fields(c.want)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", c.predicate, got, want)
		}
	}
	// Two captures: a function that calls itself.
	m, err := newMatcher([]byte(`((function_declaration name: (identifier) @_f body: (block (expression_statement (call_expression function: (identifier) @call)))) (#eq? @call @_f))`), language)
	if err != nil {
		t.Fatal(err)
	}
	g := &grammar{language: language, defs: m, tables: tablesOf(language)}
	if tags, err := g.tags(t.Context(), src, definitions); err != nil || len(tags) != 1 || tags[0].Name != "one" {
		t.Errorf("%v %v", tags, err)
	}
	for _, bad := range []string{`(#is-not? local)`, `(#set! k v)`, `(#lua-match? @call "x")`, `(#match? @call "[")`, `(#match? @call "a" "b")`, `(#unknown? @call "x")`, `(#eq? "x" @call)`} {
		if _, err := newMatcher([]byte(`((call_expression function: (identifier) @call) `+bad+`)`), language); err == nil {
			t.Errorf("%s was taken", bad)
		}
	}
}

// What is found without looking into bodies is what is found with, but for what lies in bodies.
func TestOpaqueNodesHideNothingElse(t *testing.T) {
	const c = `#ifndef A_H
#define A_H
#include <b.h>
struct pair { int left; struct inner { int x; } right; };
static struct out { int y; } make(void) { struct local_one { int z; } a; return (struct out){1}; }
enum color { RED, GREEN };
typedef int (*callback)(int);
typedef struct { enum { IN, OUT } way; } flow;
#ifdef X
#define MAX(a, b) ((a) > (b) ? (a) : (b))
char *name(void)
{
#define local_two 2
	enum { local_three } x = local_three;
	return 0;
}
#endif
static const char *const table[] = { [RED] = "red" };
union any { int i; float f; };
int broken(int x { return x;
int after(void) { return 1; }
#endif
`
	const cpp = `namespace a { namespace b {
class Shape : public Base {
 public:
  Shape() { struct local_four {}; }
  virtual double area() const = 0;
  struct Point { int x; };
  enum class Kind { Round, Square };
};
template <typename T> T twice(T x) { auto f = [](int local) { enum { local_five }; return local; }; return x; }
} }
double a::b::Shape::area() const { return 1; }
using Number = int;
int counter = 0;
extern "C" { int plain(void) { return 0; } }
`
	const golang = `package a

type (
	Shape interface{ Area() float64 }
	Point struct{ X, Y int }
	Number int
)

const One, Two = 1, 2

var table = map[string]func(){"x": func() { type local_six struct{} }}

func (p Point) Area() float64 { type local_seven struct{ z int }; return 0 }

func Make[T any](x T) T { const local_eight = 1; return x }

type Alias = Point

var a, b = 1, 2

type Deep struct{ in struct{ X int }; F func() error }

type Last interface { Point; Done() }

func ok() (err error) { defer func() { type local_nine int }(); return nil }
func one() {}
func two() {}
`
	for path, src := range map[string]string{"a.go": golang, "a.c": c, "a.cpp": cpp + c} {
		g, err := grammarOf(Detect(path, []byte(src)))
		if err != nil {
			t.Fatal(err)
		}
		if g == nil || g.defs.kinds == nil {
			if g != nil {
				t.Errorf("%s: nothing is opaque", path)
			}
			continue // the grammar is not in this build
		}
		whole := *g
		defs := *g.defs
		defs.kinds = nil
		whole.defs = &defs
		all, err := whole.tags(t.Context(), []byte(src), definitions)
		if err != nil {
			t.Fatal(err)
		}
		want := slices.DeleteFunc(slices.Clone(all), func(x tag.Tag) bool { return strings.HasPrefix(x.Name, "local_") })
		got, err := g.tags(t.Context(), []byte(src), definitions)
		if err != nil {
			t.Fatal(err)
		}
		if len(want) == len(all) || len(want) < 15 {
			t.Errorf("%s: the sample shows too little:\n%s", path, printed(all))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s:\n%s", path, diff)
		}
	}
}

// Go's own parser finds what the grammar finds, in every file of the standard library that it can read.
// Beyond that it finds all names of a line, and variables in groups; it leaves blank ones out.
func TestGoParserFindsWhatTheGrammarFinds(t *testing.T) {
	g, err := grammarOf(named("go"))
	if err != nil || g == nil {
		t.Fatal(err)
	}
	files := 0
	compare := func(path string, src []byte) {
		got, ok := goTags(src)
		if !ok {
			return
		}
		want, err := g.tags(t.Context(), src, definitions)
		if err != nil {
			t.Fatal(err)
		}
		files++
		for _, x := range want {
			if x.Name != "_" && !slices.Contains(got, x) {
				t.Errorf("%s: only the grammar finds %+v", path, x)
			}
		}
		for _, x := range got {
			if x.Kind != tag.Variable && x.Kind != tag.Constant && !slices.Contains(want, x) {
				t.Errorf("%s: only the parser finds %+v", path, x)
			}
		}
	}
	compare("a.go", []byte("\ufeffpackage a\r\n\r\n//line b.go:90\r\nfunc One() {}\r\n\r\ntype (\r\n\tTwo struct{ in interface{ Three() } }\r\n\tFour = Two\r\n)\r\n"))
	folders, least := []string{"go/ast", "testing", "slices", "text/template", "encoding/json"}, 50
	if os.Getenv("COAUTHOR_LARGE") != "" {
		folders, least = append(folders, "net/http", "runtime", "go/types"), 300
	}
	for _, folder := range folders {
		paths, err := filepath.Glob(filepath.Join(build.Default.GOROOT, "src", folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			compare(path, src)
		}
	}
	if files < least {
		t.Errorf("only %d files were compared", files)
	}
	if _, ok := goTags([]byte("package a\n\nfunc broken( {\n")); ok {
		t.Error("a broken file is left to the grammar")
	}
}
