package settings

import (
	"slices"
	"strings"
	"sync"
)

// Rows returns the table, in the order of the documentation.
func Rows() []Row { return slices.Clone(table().list) }

// index is the table with its rows by their names, and by the group that alone stands for a row.
type index struct {
	list         []Row
	named, short map[string]Row
	examples     map[string]string // group -> the first of its settings by name
}

// table is made once, because settings are read often and each time from all of it. Nobody changes it.
var table = sync.OnceValue(func() index {
	x := index{named: map[string]Row{}, short: map[string]Row{}, examples: map[string]string{},
		list: slices.Concat(modelRows(), envRows(), turnRows(), contextRows(), webRows(), historyRows(), gitRows(), pipelineRows(), editorRows(), systemRows())}
	for i := range x.list {
		r := &x.list[i]
		r.Env = envName(r.Short())
		x.named[r.Name] = *r
		if r.Bare {
			x.short[r.Short()] = *r
		}
		if group := r.Group(); group != "" && (x.examples[group] == "" || r.Name < x.examples[group]) {
			x.examples[group] = r.Name
		}
	}
	return x
})

// envName makes COAUTHOR_REPO_MAP_TOKENS of repoMap.tokens.
func envName(name string) string {
	var b strings.Builder
	b.WriteString("COAUTHOR_")
	for i, r := range name {
		switch {
		case r == '.':
			b.WriteByte('_')
		case r >= 'A' && r <= 'Z' && i > 0:
			if prev := name[i-1]; prev >= 'a' && prev <= 'z' {
				b.WriteByte('_')
			}
			b.WriteRune(r)
		default:
			b.WriteString(strings.ToUpper(string(r)))
		}
	}
	return b.String()
}
