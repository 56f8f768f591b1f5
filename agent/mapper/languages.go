package mapper

import (
	"cmp"
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"coauthor/repomap/syntax"
)

// mostLanguages is how many languages are told.
const mostLanguages = 5

// Languages are the languages that the program text of the root is in, as people write their names, with that of most files
// first. Only the names of files are looked at, and one that several languages use counts for none. It opens nothing, and lists
// none before every file is known.
func (k *Mapper) Languages(ctx context.Context) []string {
	if k == nil {
		return nil
	}
	known, ok := k.following().(interface {
		Namer
		Names
	})
	if !ok {
		return nil
	}
	if _, complete := known.Naming(ctx, ""); !complete {
		return nil
	}
	files := map[string]int{} // by extension, or by name where there is none
	known.EachPath(func(file string) bool {
		key := cmp.Or(path.Ext(file), path.Base(file))
		if _, seen := files[key]; !seen {
			key = strings.Clone(key)
		}
		files[key]++
		return ctx.Err() == nil
	})
	counts := map[string]int{}
	for name, n := range files {
		if spoken := syntax.Spoken(name); spoken != "" {
			counts[spoken] += n
		}
	}
	list := slices.SortedFunc(maps.Keys(counts), func(a, b string) int { return cmp.Or(counts[b]-counts[a], strings.Compare(a, b)) })
	return list[:min(len(list), mostLanguages)]
}
