package workspace

import (
	"fmt"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// globs is a list of globs that are matched at any depth and without regard to case. Tens of thousands
// of paths pass it for each map, so the forms that nearly all globs have are looked up or compared, and
// only the rest is matched.
type globs struct {
	names   map[string]bool // "name"
	folders map[string]bool // "name/**": the folder itself and all below it
	ends    []end           // "a*b"
	inside  []string        // "/a/b/" of "a/b/**"
	below   []string        // "/a/b" of "a/b"
	rest    []string
}

// end is a glob with one star in a name.
type end struct{ before, after string }

func newGlobs(lists ...[]string) (*globs, error) {
	g := &globs{names: map[string]bool{}, folders: map[string]bool{}}
	for _, list := range lists {
		for _, glob := range list {
			if err := g.add(glob); err != nil {
				return nil, err
			}
		}
	}
	return g, nil
}

func (g *globs) add(glob string) error {
	glob = folded(strings.TrimPrefix(glob, "/"))
	if !doublestar.ValidatePattern("**/" + glob) {
		return fmt.Errorf("the pattern %q is malformed", glob)
	}
	folder, isFolder := strings.CutSuffix(glob, "/**")
	plain := func(s string) bool { return s != "" && !strings.ContainsAny(s, `*?[]{}\`) }
	before, after, star := strings.Cut(glob, "*")
	switch {
	case isFolder && plain(folder) && !strings.Contains(folder, "/"):
		g.folders[folder] = true
	case isFolder && plain(folder):
		g.inside = append(g.inside, "/"+folder+"/")
	case plain(glob) && !strings.Contains(glob, "/"):
		g.names[glob] = true
	case plain(glob):
		g.below = append(g.below, "/"+glob)
	case star && (before == "" || plain(before)) && (after == "" || plain(after)) && !strings.Contains(glob, "/"):
		g.ends = append(g.ends, end{before, after})
	default:
		g.rest = append(g.rest, glob)
	}
	return nil
}

// match returns a glob that fits, "" when there is none.
func (g *globs) match(path string) string {
	path = folded(path)
	for part := range strings.SplitSeq(path, "/") {
		if g.folders[part] {
			return part + "/**"
		}
	}
	base := path[strings.LastIndexByte(path, '/')+1:]
	if g.names[base] {
		return base
	}
	for _, e := range g.ends {
		if len(base) >= len(e.before)+len(e.after) && strings.HasPrefix(base, e.before) && strings.HasSuffix(base, e.after) {
			return e.before + "*" + e.after
		}
	}
	for _, in := range g.inside {
		if whole := "/" + path + "/"; strings.Contains(whole, in) {
			return in[1:] + "**"
		}
	}
	for _, name := range g.below {
		if strings.HasSuffix("/"+path, name) {
			return name[1:]
		}
	}
	for _, glob := range g.rest {
		if ok, err := doublestar.Match("**/"+glob, path); err == nil && ok {
			return glob
		}
	}
	return ""
}
