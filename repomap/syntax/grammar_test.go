//go:build cgo

package syntax

import (
	"maps"
	"os"
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
			for _, c := range g.all.captures {
				if c != "name" && c[0] != '_' && !slices.Contains(kinds, tag.Kind(c)) {
					t.Errorf("@%s is no kind", c)
				}
			}
		})
	}
}

var kinds = []tag.Kind{tag.Function, tag.Method, tag.Class, tag.Interface, tag.Type, tag.Enum, tag.Module, tag.Constant,
	tag.Variable, tag.Field, tag.Macro, tag.Heading, tag.Key, tag.Call, tag.Use}

// Every query file has a sample.
func TestEveryQueryHasASample(t *testing.T) {
	files, err := os.ReadDir("queries")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		name := strings.TrimSuffix(f.Name(), ".scm")
		if name == "tsx" {
			name = "typescript" // shares its archive
		}
		if _, err := os.Stat("testdata/" + name + ".txtar"); err != nil {
			t.Errorf("%s: %v", f.Name(), err)
		}
	}
}
