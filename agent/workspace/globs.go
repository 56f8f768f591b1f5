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
	stars   []stars         // "a*b*c"
	inside  []string        // "/a/b/" of "a/b/**"
	below   []string        // "/a/b" of "a/b"
	rest    []string
}

// stars is a glob of a name whose wildcards are stars alone.
type stars struct {
	glob          string
	before, after string
	inside        []string // between two stars
	first, last   byte     // of before and after; 0 for none
}

// fit says whether a name fits. Each piece is looked for behind the one before, the first place of it leaves
// the most for the others.
func (s *stars) fit(name string) bool {
	if name == "" || s.first != 0 && s.first != name[0] || s.last != 0 && s.last != name[len(name)-1] { // as of nearly all
		return false
	}
	if len(name) < len(s.before)+len(s.after) || !strings.HasPrefix(name, s.before) || !strings.HasSuffix(name, s.after) {
		return false
	}
	name = name[len(s.before) : len(name)-len(s.after)]
	for _, piece := range s.inside {
		at := strings.Index(name, piece)
		if at < 0 {
			return false
		}
		name = name[at+len(piece):]
	}
	return true
}

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
		return fmt.Errorf("the pattern %q is invalid", glob)
	}
	folder, isFolder := strings.CutSuffix(glob, "/**")
	plain := func(s string) bool { return s != "" && !strings.ContainsAny(s, `*?[]{}\`) }
	pieces := strings.Split(glob, "*")
	text := strings.Join(pieces, "")
	switch {
	case isFolder && plain(folder) && !strings.Contains(folder, "/"):
		g.folders[folder] = true
	case isFolder && plain(folder):
		g.inside = append(g.inside, "/"+folder+"/")
	case plain(glob) && !strings.Contains(glob, "/"):
		g.names[glob] = true
	case plain(glob):
		g.below = append(g.below, "/"+glob)
	case len(pieces) > 1 && (text == "" || plain(text)) && !strings.Contains(glob, "**") && !strings.Contains(glob, "/"):
		last := len(pieces) - 1
		s := stars{glob: glob, before: pieces[0], after: pieces[last], inside: pieces[1:last]}
		if s.before != "" {
			s.first = s.before[0]
		}
		if s.after != "" {
			s.last = s.after[len(s.after)-1]
		}
		g.stars = append(g.stars, s)
	default:
		g.rest = append(g.rest, "**/"+glob)
	}
	return nil
}

// match returns a glob that fits, "" when there is none.
func (g *globs) match(path string) string {
	path = folded(path)
	if glob := g.matchFolder(folderOf(path)); glob != "" {
		return glob
	}
	return g.matchFile(path)
}

// matchFolder returns a glob that fits all below a folder, whose path is folded: one of those that name a folder alone.
func (g *globs) matchFolder(folder string) string {
	for part := range strings.SplitSeq(folder, "/") {
		if g.folders[part] {
			return part + "/**"
		}
	}
	return ""
}

// matchFile returns a glob that fits a path, which is folded, and that matchFolder does not know of.
func (g *globs) matchFile(path string) string {
	base := path[strings.LastIndexByte(path, '/')+1:]
	if g.folders[base] {
		return base + "/**"
	}
	if g.names[base] {
		return base
	}
	for i := range g.stars {
		if g.stars[i].fit(base) {
			return g.stars[i].glob
		}
	}
	for _, in := range g.inside {
		if strings.Contains(path, in[1:len(in)-1]) && strings.Contains("/"+path+"/", in) {
			return in[1:] + "**"
		}
	}
	for _, name := range g.below {
		if strings.HasSuffix(path, name[1:]) && strings.HasSuffix("/"+path, name) {
			return name[1:]
		}
	}
	for _, glob := range g.rest {
		if ok, err := doublestar.Match(glob, path); err == nil && ok {
			return strings.TrimPrefix(glob, "**/")
		}
	}
	return ""
}
