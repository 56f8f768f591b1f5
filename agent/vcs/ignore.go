package vcs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// Ignore answers which paths below a root git ignores, as CheckIgnore does, and remembers the
// answers while what they rest on stays as it was. Every path of a turn is asked for several times,
// and a git process takes ten times as long as all else that happens to a reply.
//
// An answer rests on the .gitignore files above the path, on the repository's index, config and
// info/exclude, and on the user's own configuration and excludes file, which are looked at by stat
// each time. A configuration may include others, which are not: that is why no answer is older than
// rememberFor. Safe for concurrent use.
type Ignore struct {
	root  string
	clock func() time.Time

	mu      sync.Mutex
	where   *gitDirs          // guarded by mu; nil: not asked yet
	answers map[string]answer // guarded by mu; by path
}

const (
	rememberFor = 2 * time.Minute
	rememberMax = 100_000 // paths; then all is forgotten
)

type answer struct {
	ignored bool
	stamp   string
	until   time.Time
}

// gitDirs is where git keeps what belongs to a root.
type gitDirs struct {
	git, common string   // absolute; "" when the root is in no work tree
	users       []string // the user's own configuration and excludes file
	stamp       string   // which .git stand above the root
}

// NewIgnore makes an empty memory for a root. clock nil is the wall clock.
func NewIgnore(root string, clock func() time.Time) *Ignore {
	if clock == nil {
		clock = time.Now
	}
	return &Ignore{root: root, clock: clock, answers: map[string]answer{}}
}

// Check says which of paths (relative to the root) git ignores. ErrNotGit: the root is in no work
// tree.
func (g *Ignore) Check(ctx context.Context, paths []string) (map[string]bool, error) {
	dirs, err := g.dirs(ctx)
	if err != nil {
		return nil, err
	}
	if dirs.git == "" {
		return nil, fmt.Errorf("ignore rules of %s: %w", g.root, ErrNotGit)
	}
	ignored := make(map[string]bool, len(paths))
	stamps := make(map[string]string, len(paths))
	var ask []string
	now := g.clock()
	s := stamper{root: g.root, base: dirs.base(), byDir: map[string]string{}}
	g.mu.Lock()
	for _, p := range paths {
		stamps[p] = s.stamp(path.Dir(p))
		a, known := g.answers[p]
		switch {
		case !known || a.stamp != stamps[p] || now.After(a.until):
			ask = append(ask, p)
		case a.ignored:
			ignored[p] = true
		}
	}
	g.mu.Unlock()
	if len(ask) == 0 {
		return ignored, nil
	}
	fresh, err := CheckIgnore(ctx, g.root, ask)
	if err != nil {
		return nil, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.answers)+len(ask) > rememberMax {
		clear(g.answers)
	}
	for _, p := range ask {
		g.answers[p] = answer{ignored: fresh[p], stamp: stamps[p], until: now.Add(rememberFor)}
		if fresh[p] {
			ignored[p] = true
		}
	}
	return ignored, nil
}

// dirs finds the repository, again whenever a .git above the root comes or goes.
func (g *Ignore) dirs(ctx context.Context) (gitDirs, error) {
	stamp := dotGits(g.root)
	g.mu.Lock()
	known := g.where
	g.mu.Unlock()
	if known != nil && known.stamp == stamp {
		return *known, nil
	}
	found := gitDirs{stamp: stamp}
	out, err := output(ctx, g.root, nil, "rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir")
	var fail *failure
	switch lines := strings.Split(strings.TrimSpace(string(out)), "\n"); {
	case err == nil && len(lines) == 2:
		found.git, found.common = lines[0], lines[1]
	case err == nil || errors.As(err, &fail) || errors.Is(err, ErrNotGit):
	default:
		return gitDirs{}, err
	}
	if found.git != "" {
		found.users = usersFiles(ctx, g.root)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.where = &found
	clear(g.answers)
	return found, nil
}

// usersFiles names the files of the user's on which an answer of git rests.
func usersFiles(ctx context.Context, root string) []string {
	var files []string
	home, err := os.UserHomeDir()
	if err == nil {
		files = append(files, filepath.Join(home, ".gitconfig"))
	}
	config := os.Getenv("XDG_CONFIG_HOME")
	if config == "" && home != "" {
		config = filepath.Join(home, ".config")
	}
	if config != "" {
		files = append(files, filepath.Join(config, "git", "config"), filepath.Join(config, "git", "ignore"))
	}
	named, err := output(ctx, root, nil, "config", "--type=path", "--get", "core.excludesFile")
	if name := strings.TrimSuffix(string(named), "\n"); err == nil && filepath.IsAbs(name) {
		files = append(files, name)
	}
	return files
}

// base is the stamp of what every answer of the repository rests on.
func (d gitDirs) base() string {
	users := ""
	for _, name := range d.users {
		if info, err := os.Stat(name); err == nil { // people link these from elsewhere
			users += stampOf(info)
		}
		users += "-"
	}
	return users + stat(filepath.Join(d.git, "index")) + stat(filepath.Join(d.common, "config")) + stat(filepath.Join(d.common, "info", "exclude"))
}

// dotGits tells where a .git stands in the root or above it.
func dotGits(root string) string {
	var b strings.Builder
	for dir := root; ; dir = filepath.Dir(dir) {
		b.WriteString(stat(filepath.Join(dir, ".git", "HEAD")) + stat(filepath.Join(dir, ".git")))
		if dir == filepath.Dir(dir) {
			return b.String()
		}
	}
}

// stamper makes the stamps of folders, each once.
type stamper struct {
	root, base string
	byDir      map[string]string
}

func (s *stamper) stamp(dir string) string {
	if known, ok := s.byDir[dir]; ok {
		return known
	}
	above := s.base
	if dir != "." && dir != "/" && dir != ".." {
		above = s.stamp(path.Dir(dir))
	} else { // .gitignore files between the top of the work tree and the root count as well
		for d := filepath.Dir(s.root); d != filepath.Dir(d); d = filepath.Dir(d) {
			above += stat(filepath.Join(d, ".gitignore"))
		}
	}
	made := above + stat(filepath.Join(s.root, filepath.FromSlash(dir), ".gitignore"))
	s.byDir[dir] = made
	return made
}

// stat is short for a file's identity as far as stat tells it.
func stat(name string) string {
	info, err := os.Lstat(name)
	if err != nil {
		return "-"
	}
	if info.IsDir() {
		return "d" // a folder's own time changes with everything in it
	}
	return stampOf(info)
}

func stampOf(info os.FileInfo) string {
	return fmt.Sprintf("%d.%d;", info.ModTime().UnixNano(), info.Size())
}
