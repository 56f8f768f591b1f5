package command

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"coauthor/agent"
	"coauthor/agent/coder"
	"coauthor/agent/custom"
	"coauthor/agent/index"
	"coauthor/repomap"
)

// What a text of the user's may go on with, for editors that complete it.

// Candidates are files and definitions that a mention may mean, the likeliest first.
type Candidates struct {
	Paths       []string
	Definitions []repomap.Definition
	More        bool // there are others
}

// Most names of a kind that are offered at once: a list is not read beyond that.
const mostNames = 50

// leastSymbol is how many letters of a name must be there before definitions are offered.
const leastSymbol = 2

// Named lists what a mention that begins so may mean. It asks the disk only where there is no map of the root, and a
// model never.
func Named(ctx context.Context, s *agent.Session, typed string) (Candidates, error) {
	release, err := s.Life.Hold()
	if err != nil {
		return Candidates{}, err
	}
	defer release()
	var out Candidates
	var found []rankedPath
	take := func(path string) bool {
		if rank := rankPath(path, typed); rank > 0 {
			found = append(found, rankedPath{strings.Clone(path), rank})
		}
		return ctx.Err() == nil
	}
	n, known := s.Mapper.Namer()
	if known {
		n.EachPath(take)
		known = len(found) > 0 || n.Beginning("", 1) != nil
	}
	if root := s.Workspace.Root(); !known && root != "" {
		paths, err := index.Files(ctx, root)
		if err != nil {
			return out, err
		}
		for _, path := range paths {
			take(path)
		}
	}
	for _, d := range s.Workspace.Snapshot().Open() {
		take(d.Path)
	}
	slices.SortFunc(found, func(a, b rankedPath) int {
		return cmp.Or(cmp.Compare(b.rank, a.rank), cmp.Compare(len(a.path), len(b.path)), cmp.Compare(a.path, b.path))
	})
	found = slices.Compact(found)
	may := s.Workspace.Door().Lister(ctx) // nor is the name of a secret offered
	for _, f := range found {
		if len(out.Paths) == mostNames {
			out.More = true
			break
		}
		if may(f.path) {
			out.Paths = append(out.Paths, f.path)
		}
	}
	if n != nil && len(typed) >= leastSymbol && !strings.Contains(typed, "/") {
		out.Definitions = n.Beginning(typed, mostNames+1)
		if len(out.Definitions) > mostNames {
			out.Definitions, out.More = out.Definitions[:mostNames], true
		}
		slices.SortStableFunc(out.Definitions, func(a, b repomap.Definition) int {
			return cmp.Or(cmp.Compare(len(a.Name), len(b.Name)), cmp.Compare(a.Name, b.Name))
		})
	}
	return out, ctx.Err()
}

type rankedPath struct {
	path string
	rank int
}

// rankStep is how far the ways are apart in which a text can fit; between them counts in how many pieces its letters stand.
const rankStep = 1000

// rankPath says how well a path fits what was typed; 0 is not at all. The base name counts first, and letters that stand
// together count before letters that stand apart.
func rankPath(path, typed string) int {
	path, typed = strings.ToLower(path), strings.ToLower(typed)
	base := path[strings.LastIndexByte(path, '/')+1:]
	switch {
	case strings.HasPrefix(base, typed):
		return 7 * rankStep
	case strings.HasPrefix(path, typed):
		return 6 * rankStep
	case strings.Contains(path, "/"+typed):
		return 5 * rankStep
	case strings.Contains(base, typed):
		return 4 * rankStep
	case strings.Contains(path, typed):
		return 3 * rankStep
	case inOrder(base, typed):
		return 2*rankStep - pieces(base, typed)
	case inOrder(path, typed):
		return rankStep - pieces(path, typed)
	}
	return 0
}

// Rank says how well a name fits what was typed; 0 is not at all. Its beginning counts first, then the beginning of a word,
// then letters that stand together, and last letters that stand in order.
func Rank(name, typed string) int {
	name, typed = strings.ToLower(name), strings.ToLower(typed)
	at := strings.Index(name, typed)
	switch {
	case at == 0:
		return 4 * rankStep
	case at > 0 && strings.ContainsRune(" -_./:", rune(name[at-1])):
		return 3 * rankStep
	case at > 0:
		return 2 * rankStep
	case inOrder(name, typed):
		return rankStep - pieces(name, typed)
	}
	return 0
}

// inOrder says whether the letters of what was typed stand in a text one after the other, with others between them.
func inOrder(text, typed string) bool {
	for _, r := range typed {
		at := strings.IndexRune(text, r)
		if at < 0 {
			return false
		}
		text = text[at+utf8.RuneLen(r):]
	}
	return true
}

// pieces is the least number of pieces in which the letters of what was typed stand in a text in order; 0 if they do not.
func pieces(text, typed string) int {
	letters := []rune(text)
	before, now := make([]int, len(letters)), make([]int, len(letters)) // up to a letter that is the last so far; 0 is never
	for n, r := range []rune(typed) {
		least := 0 // of those before
		for i, letter := range letters {
			now[i] = 0
			switch {
			case letter != r:
			case n == 0:
				now[i] = 1
			case i > 0 && before[i-1] > 0 && before[i-1] <= least+1:
				now[i] = before[i-1]
			case least > 0:
				now[i] = least + 1
			}
			if before[i] > 0 && (least == 0 || before[i] < least) {
				least = before[i]
			}
		}
		before, now = now, before
	}
	least := 0
	for _, n := range before {
		if n > 0 && (least == 0 || n < least) {
			least = n
		}
	}
	return min(least, rankStep-1)
}

// Slash is a command that a text may begin with.
type Slash struct {
	Word, Doc string
	Hint      string // what is written behind it; "" says nothing
}

// Slashes lists the commands that may stand at the beginning of an instruction, behind a slash, in order: those of the
// tables, and the user's own.
func Slashes(actions []Action, coders coder.Table, own []custom.Command) []Slash {
	var list []Slash
	for _, a := range actions {
		if a.SlashWord() != "" {
			list = append(list, Slash{Word: a.SlashWord(), Doc: a.Doc})
		}
	}
	for _, c := range coders.Offered() {
		if !slices.ContainsFunc(list, func(s Slash) bool { return s.Word == c.Name }) {
			list = append(list, Slash{Word: c.Name, Doc: c.Doc})
		}
	}
	for _, c := range own {
		list = append(list, Slash{c.Name, c.Doc, c.Hint})
	}
	slices.SortFunc(list, func(a, b Slash) int { return cmp.Compare(a.Word, b.Word) })
	return list
}
