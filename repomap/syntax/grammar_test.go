//go:build cgo

package syntax

import (
	"maps"
	"slices"
	"strings"
	"testing"

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
