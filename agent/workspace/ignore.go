package workspace

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// gitPatience is how long git may take to say what it ignores. It opens its ignore files as they are,
// and one above the root may be a pipe.
const gitPatience = 10 * time.Second

// ignoring says why paths are ignored.
type ignoring struct {
	d      *Door
	policy *policy
}

// reasons returns for each of the paths why it is ignored; those that are not have no entry. What
// cannot be found out counts as ignored.
func (g ignoring) reasons(ctx context.Context, paths []string) map[string]string {
	out := map[string]string{}
	if g.d.w.o.Ignore == nil {
		return g.byFiles(ctx, out, paths, ignoreFiles)
	}
	look := gitFiles{d: g.d, byDir: map[string]gitFile{}}
	state := make(map[string]gitFile, len(paths))
	var ask []string
	for _, p := range paths {
		f := look.above(p)
		state[p] = f
		if f.kind == gitHangs {
			out[p] = unreadableReason(p, f.name)
			continue
		}
		ask = append(ask, p)
	}
	limited, cancel := context.WithTimeout(ctx, gitPatience)
	defer cancel()
	answer, err := g.d.w.o.Ignore(limited, ask)
	switch {
	case err != nil && limited.Err() != nil:
		for _, p := range ask {
			out[p] = p + " is treated as ignored: git did not answer in time"
		}
		return out
	case err != nil:
		return g.byFiles(ctx, out, ask, ignoreFiles)
	}
	var ours, plain []string
	disk := newIgnoreReader(g.d, g.policy, ignoreFiles[:1])
	disk.saved = true
	for _, p := range ask {
		switch own := state[p].kind == weRead; {
		// git sees only the disk: where its reason is a file that is open and not saved, that one counts.
		case answer[p] && own && disk.reason(p) != "":
			ours = append(ours, p)
		case answer[p]:
			out[p] = p + " is ignored by git"
		case own:
			ours = append(ours, p)
		default:
			plain = append(plain, p)
		}
	}
	g.byFiles(ctx, out, ours, ignoreFiles)
	return g.byFiles(ctx, out, plain, ignoreFiles[1:])
}

// byFiles adds what the ignore files of these names, and those that the policy adds, say of the paths.
func (g ignoring) byFiles(ctx context.Context, out map[string]string, paths, files []string) map[string]string {
	readers := newIgnoreReaders(g.d, g.policy, files)
	for _, p := range paths {
		if ctx.Err() != nil {
			out[p] = p + " is treated as ignored: the check was stopped"
			continue
		}
		if reason := readers.reason(p); reason != "" {
			out[p] = reason
		}
	}
	return out
}

func unreadableReason(p, file string) string {
	return p + " is treated as ignored: cannot read " + file + "; fix or remove it"
}

// gitFile is a .gitignore as far as it decides who reads it.
type gitFile struct {
	name string
	kind gitKind
}

// gitKind says who reads a .gitignore. The larger one of several above a path counts.
type gitKind int

const (
	gitReads gitKind = iota // or there is none
	weRead                  // git would not understand it, or it is open and not saved
	gitHangs                // a pipe or a device, for which git would wait
)

// gitFiles looks at each .gitignore once for a set of paths.
type gitFiles struct {
	d     *Door
	byDir map[string]gitFile
}

// above judges the files of the folders above a path.
func (g gitFiles) above(p string) gitFile {
	dir, _ := path.Split(p)
	dir = strings.TrimSuffix(dir, "/")
	if known, ok := g.byDir[dir]; ok {
		return known
	}
	f := gitFile{name: path.Join(dir, ".gitignore")}
	f.kind = g.kind(f.name)
	if dir != "" {
		if up := g.above(dir); up.kind >= f.kind {
			f = up
		}
	}
	g.byDir[dir] = f
	return f
}

func (g gitFiles) kind(name string) gitKind {
	text, open := g.d.w.openText(name)
	info, err := os.Lstat(filepath.Join(g.d.w.root, filepath.FromSlash(name)))
	switch {
	case err != nil && !open, err == nil && info.IsDir():
		return gitReads
	case err == nil && info.Mode().Type() != 0 && !isLink(info):
		return gitHangs
	case err == nil && isLink(info), err == nil && info.Size() > maxIgnoreBytes:
		return weRead // git does not follow it, or takes long
	}
	raw, err := g.d.w.fs.ignoreBytes(name)
	if err != nil || open && string(raw) != text || !isPlain(raw) {
		return weRead
	}
	return gitReads
}
