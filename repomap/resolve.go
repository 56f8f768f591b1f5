package repomap

import (
	"path"
	"slices"
	"strings"

	"coauthor/repomap/imports"
	"coauthor/repomap/record"
)

// resolver says which files the name of a module means in a file, as its language does. What it does not know for
// certain it leaves out.
type resolver struct {
	s *state
	t *pathTable

	manifests map[imports.Language][]manifest // deepest first
	roots     []string                        // of Java's sources
	rooted    bool
}

// manifest is what a file says of how modules are named in its folder and below.
type manifest struct {
	dir  string // with a slash at the end, or ""
	says []string
}

func newResolver(s *state) *resolver {
	v := &resolver{s: s, t: s.paths.table(), manifests: map[imports.Language][]manifest{}}
	for _, i := range v.t.manifests {
		f := s.files[i]
		m := manifest{dir: dirOf(f.Path)}
		for line := range strings.SplitSeq(f.Imports(), "\n") {
			if says, ok := strings.CutPrefix(line, "="); ok {
				m.says = append(m.says, says)
			}
		}
		if l := imports.ManifestOf(f.Path); len(m.says) > 0 {
			v.manifests[l] = append(v.manifests[l], m)
		}
	}
	for _, list := range v.manifests {
		slices.SortStableFunc(list, func(a, b manifest) int { return len(b.dir) - len(a.dir) })
	}
	return v
}

// dirOf is the folder of a file as paths begin with it.
func dirOf(file string) string { return file[:strings.LastIndexByte(file, '/')+1] }

// up is the folder around a folder.
func up(dir string) string { return dirOf(strings.TrimSuffix(dir, "/")) }

// file finds the first of some paths that there is.
func (v *resolver) file(paths ...string) []int {
	for _, p := range paths {
		if i, ok := v.s.find(p); ok {
			return []int{i}
		}
	}
	return nil
}

// folder lists the files of one folder that end so.
func (v *resolver) folder(dir, ext string) (out []int) {
	n, ok := v.t.folder[dir]
	if !ok {
		return nil
	}
	for _, i := range v.t.inFolder.of(int(n)) {
		if f := v.s.files[i]; strings.HasSuffix(f.Path, ext) && f.Class != record.Test {
			out = append(out, int(i))
		}
	}
	return out
}

// targets are the files that a name means in file from.
func (v *resolver) targets(from int, name string) []int {
	file := v.s.files[from].Path
	switch imports.LanguageOf(file) {
	case imports.Go:
		return v.golang(name)
	case imports.Python:
		return v.python(file, name)
	case imports.Script:
		return v.script(file, name)
	case imports.Rust:
		return v.rust(file, name)
	case imports.Java:
		return v.java(name)
	case imports.Other:
	}
	return nil
}

// knows says whether it is known what a file imports: Go and Rust need a file that names the module or crate.
func (v *resolver) knows(file string) bool {
	switch l := imports.LanguageOf(file); l {
	case imports.Go, imports.Rust:
		return slices.ContainsFunc(v.manifests[l], func(m manifest) bool { return strings.HasPrefix(file, m.dir) })
	case imports.Python, imports.Script, imports.Java:
		return true
	case imports.Other:
	}
	return false
}

func (v *resolver) golang(name string) []int {
	best, dir := "", ""
	for _, m := range v.manifests[imports.Go] {
		if module := m.says[0]; len(module) > len(best) && (name == module || strings.HasPrefix(name, module+"/")) {
			best, dir = module, m.dir+strings.TrimPrefix(name[len(module):]+"/", "/")
		}
	}
	if best == "" {
		return nil
	}
	return v.folder(dir, ".go")
}

func (v *resolver) python(file, name string) []int {
	dir := dirOf(file)
	if rest := strings.TrimLeft(name, "."); rest != name {
		for range len(name) - len(rest) - 1 {
			dir = up(dir)
		}
		if found := v.pythonIn(dir, strings.Split(rest, ".")); found != nil {
			return found
		}
		return v.file(dir + "__init__.py")
	}
	parts := strings.Split(name, ".")
	for {
		if _, inside := v.s.find(dir + "__init__.py"); !inside { // modules of a package are not found by their own names alone
			if found := v.pythonIn(dir, parts); found != nil {
				return found
			}
			if found := v.pythonIn(dir+"src/", parts); found != nil {
				return found
			}
		}
		if dir == "" {
			return nil
		}
		dir = up(dir)
	}
}

// pythonIn looks for a module or, behind it, for what it defines.
func (v *resolver) pythonIn(dir string, parts []string) []int {
	for n := len(parts); n > 0; n-- {
		p := dir + strings.Join(parts[:n], "/")
		if found := v.file(p+".py", p+"/__init__.py", p+".pyi"); found != nil {
			return found
		}
	}
	return nil
}

var scriptEnds = []string{"", ".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts", ".vue", ".svelte",
	"/index.ts", "/index.tsx", "/index.js", "/index.jsx", "/index.mjs", "/index.d.ts"}

// scriptAt finds the module at a path.
func (v *resolver) scriptAt(p string) []int {
	p = strings.TrimPrefix(path.Clean(p), "./")
	if strings.HasPrefix(p, "../") {
		return nil
	}
	for _, end := range scriptEnds {
		if found := v.file(p + end); found != nil {
			return found
		}
	}
	for _, ext := range []string{".js", ".jsx", ".mjs", ".cjs"} { // TypeScript is imported as what it becomes
		if stem, ok := strings.CutSuffix(p, ext); ok {
			t := strings.Replace(ext, "js", "ts", 1)
			return v.file(stem+t, stem+".tsx")
		}
	}
	return nil
}

func (v *resolver) script(file, name string) []int {
	if strings.HasPrefix(name, ".") {
		return v.scriptAt(dirOf(file) + name)
	}
	for _, m := range v.manifests[imports.Script] {
		if !strings.HasPrefix(file, m.dir) {
			continue
		}
		for _, says := range m.says {
			alias, to, ok := strings.Cut(says, " ")
			before, after, star := strings.Cut(alias, "*")
			if !ok || !star && alias != name || star && (len(name) < len(before)+len(after) || !strings.HasPrefix(name, before) || !strings.HasSuffix(name, after)) {
				continue
			}
			if star {
				to = strings.Replace(to, "*", name[len(before):len(name)-len(after)], 1)
			}
			if found := v.scriptAt(m.dir + to); found != nil {
				return found
			}
		}
	}
	for _, m := range v.manifests[imports.Script] {
		for _, says := range m.says {
			if rest, ok := strings.CutPrefix(name+"/", says+"/"); ok && !strings.Contains(says, " ") {
				for _, dir := range []string{"", "src/"} {
					if found := v.scriptAt(m.dir + dir + rest); found != nil {
						return found
					}
				}
			}
		}
	}
	return nil
}

func (v *resolver) rust(file, name string) []int {
	parts := strings.Split(name, "::")
	src, module, ok := v.rustModule(file)
	switch parts[0] {
	case "crate":
		return v.rustIn(src, parts[1:], ok)
	case "self":
		return v.rustIn(src, append(module, parts[1:]...), ok)
	case "super":
		for len(parts) > 0 && parts[0] == "super" {
			if len(module) == 0 {
				return nil
			}
			module, parts = module[:len(module)-1], parts[1:]
		}
		return v.rustIn(src, append(module, parts...), ok)
	}
	for _, m := range v.manifests[imports.Rust] {
		if m.says[0] == parts[0] {
			return v.rustIn(m.dir+"src/", parts[1:], true)
		}
	}
	child := append(module, parts[0])
	if p := src + strings.Join(child, "/"); v.file(p+".rs", p+"/mod.rs") == nil {
		return nil
	}
	return v.rustIn(src, append(child, parts[1:]...), false)
}

// rustModule tells where the modules of a file's crate begin, and which of them the file is. Those of a test, an example
// or a program of its own stand beside it. crate says that there is a library or a program around it.
func (v *resolver) rustModule(file string) (src string, module []string, crate bool) {
	for _, m := range v.manifests[imports.Rust] {
		if rest, ok := strings.CutPrefix(file, m.dir+"src/"); ok && !strings.HasPrefix(rest, "bin/") {
			src, file, crate = m.dir+"src/", rest, true
			break
		}
	}
	if !crate {
		src, file = dirOf(file), path.Base(file)
	}
	stem := strings.TrimSuffix(file, ".rs")
	switch base := path.Base(stem); {
	case stem == "lib" || stem == "main" || !crate && stem != "mod":
		return src, nil, crate
	case base == "mod":
		stem = strings.TrimSuffix(strings.TrimSuffix(stem, "mod"), "/")
	}
	if stem == "" {
		return src, nil, crate
	}
	return src, strings.Split(stem, "/"), crate
}

// rustIn looks for a module or, behind it, for what it defines.
func (v *resolver) rustIn(src string, parts []string, crate bool) []int {
	for n := len(parts); n > 0; n-- {
		p := src + strings.Join(parts[:n], "/")
		if found := v.file(p+".rs", p+"/mod.rs"); found != nil {
			return found
		}
	}
	if !crate {
		return nil
	}
	return v.file(src+"lib.rs", src+"main.rs")
}

func (v *resolver) java(name string) []int {
	if dir, ok := strings.CutSuffix(name, ".*"); ok {
		var out []int
		for _, root := range v.javaRoots() {
			out = append(out, v.folder(root+strings.ReplaceAll(dir, ".", "/")+"/", ".java")...)
		}
		return out
	}
	for p := strings.ReplaceAll(name, ".", "/"); p != "" && p != "."; p = path.Dir(p) { // a class in a class, what is static
		for _, root := range v.javaRoots() {
			if found := v.file(root + p + ".java"); found != nil {
				return found
			}
		}
	}
	return nil
}

// javaRoots are the folders in which packages begin.
func (v *resolver) javaRoots() []string {
	if v.rooted {
		return v.roots
	}
	v.rooted = true
	seen := map[string]bool{}
	for dir, n := range v.t.folder {
		for _, i := range v.t.inFolder.of(int(n)) {
			f := v.s.files[i]
			if !strings.HasSuffix(f.Path, ".java") {
				continue
			}
			for line := range strings.SplitSeq(f.Imports(), "\n") {
				if pkg, ok := strings.CutPrefix(line, "="); ok {
					if root, ok := strings.CutSuffix(dir, strings.ReplaceAll(pkg, ".", "/")+"/"); ok && !seen[root] {
						seen[root] = true
						v.roots = append(v.roots, root)
					}
				}
			}
			break
		}
	}
	slices.Sort(v.roots)
	return v.roots
}
