package repomap

import (
	"math"
	"path"
	"slices"
	"strings"
	"sync"
)

// paths are the paths of all files of a state, and what they say whatever stands in the files. States share
// them for as long as no file comes, goes, or gets another name, so an edit leaves them as they are.
type paths struct {
	list []string // not the records: those of one state would stay for as long as all of these

	once sync.Once
	made *pathTable

	mu      sync.Mutex
	history *history  // of recent; guarded by mu
	recent  []float64 // guarded by mu
}

// pathTable is what signals ask of each path. It is immutable.
type pathTable struct {
	stems     map[string]uint32 // of base names
	baseStems lists             // file -> the stems of its base name, in order
	begins    []beginning       // file -> how its base name begins

	words   map[string]uint32 // of modules
	modules lists             // file -> the words of its module: those of its folder, then its own
	own     []uint32          // file -> where its own begin among them
	alone   []bool            // file -> it has a name of its own, by which neighbours import it
	folders []uint32          // file -> a number for its folder

	folder    map[string]uint32 // the numbers of folders, by their paths with a slash at the end
	inFolder  lists             // folder -> its files
	manifests []int             // files that say how modules are named
}

// lists are lists of numbers, one behind the other.
type lists struct{ all, ends []uint32 }

func (l *lists) of(i int) []uint32 {
	start := uint32(0)
	if i > 0 {
		start = l.ends[i-1]
	}
	return l.all[start:l.ends[i]]
}

// byNumber lists for each number the places where it stands, in order.
func byNumber(numbers []uint32, n int) lists {
	l := lists{all: make([]uint32, len(numbers)), ends: make([]uint32, n)}
	for _, k := range numbers {
		l.ends[k]++
	}
	at := uint32(0)
	for k, count := range l.ends {
		l.ends[k], at = at, at+count
	}
	for i, k := range numbers {
		l.all[l.ends[k]] = uint32(i)
		l.ends[k]++
	}
	return l
}

// numberOf gives the number of a text, a new one if it has none.
func numberOf(table map[string]uint32, text string) uint32 {
	n, ok := table[text]
	if !ok {
		n = uint32(len(table))
		table[text] = n
	}
	return n
}

// table looks at the paths when it is first asked.
func (p *paths) table() *pathTable {
	p.once.Do(func() { p.made = newPathTable(p.list) })
	return p.made
}

func newPaths(files []*record) *paths {
	p := &paths{list: make([]string, len(files))}
	for i, f := range files {
		p.list[i] = f.path
	}
	return p
}

func newPathTable(list []string) *pathTable {
	t := &pathTable{stems: map[string]uint32{}, words: map[string]uint32{}, begins: make([]beginning, len(list)),
		own: make([]uint32, len(list)), alone: make([]bool, len(list)), folders: make([]uint32, len(list))}
	t.folder = map[string]uint32{}
	dir, folder := "", []uint32(nil) // of the path before, which most share, and the words of its name
	for i, p := range list {
		base := path.Base(p)
		stem := strings.TrimSuffix(base, path.Ext(base))
		words([]byte(stem), func(start, end int) {
			stems(stem[start:end], func(s string) { t.baseStems.all = append(t.baseStems.all, numberOf(t.stems, s)) })
		})
		t.baseStems.ends = append(t.baseStems.ends, uint32(len(t.baseStems.all)))
		t.begins[i] = beginningOf(base)

		m := moduleOf(p)
		begin := len(t.modules.all)
		if in := p[:len(p)-len(base)]; i == 0 || in != dir {
			dir = in
			t.enter(m.dir)
			folder = t.modules.all[begin:]
			t.folders[i] = numberOf(t.folder, in)
		} else {
			t.modules.all = append(t.modules.all, folder...)
			t.folders[i] = t.folders[i-1]
		}
		t.own[i], t.alone[i] = uint32(len(t.modules.all)), m.base != ""
		t.enter(m.base)
		t.modules.ends = append(t.modules.ends, uint32(len(t.modules.all)))
		if _, ok := manifests[base]; ok {
			t.manifests = append(t.manifests, i)
		}
	}
	t.inFolder = byNumber(t.folders, len(t.folder))
	return t
}

// enter puts the words of a name behind those of the modules.
func (t *pathTable) enter(name string) {
	words([]byte(name), func(start, end int) {
		t.modules.all = append(t.modules.all, numberOf(t.words, name[start:end]))
	})
}

// module gives the words by which file i is imported in file c: a neighbour needs no folder.
func (t *pathTable) module(i, c int) []uint32 {
	if t.alone[i] && t.folders[i] == t.folders[c] {
		return t.modules.all[t.own[i]:t.modules.ends[i]]
	}
	return t.modules.of(i)
}

// ages tell how long ago a commit touched each file. Nobody may write to them.
func (p *paths) ages(h *history) []float64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.history == h {
		return p.recent
	}
	list := make([]float64, len(p.list))
	spread(len(list), 256, func(from, to int) {
		for i := from; i < to; i++ {
			age, ok := h.rank[p.list[i]]
			if !ok {
				age = len(h.commits)
			}
			list[i] = -math.Log(float64(1 + age))
		}
	})
	p.history, p.recent = h, list
	return list
}

// beginning is a hash of the first four bytes of a base name in lower case, by which most names are seen not to
// stand in a message without a search for each.
type beginning uint32

const (
	hashedBeginnings           = 1 << 16
	neverSaid        beginning = hashedBeginnings     // too short a name to be meant
	maybeSaid        beginning = hashedBeginnings + 1 // it has to be searched for
)

func beginningOf(base string) beginning {
	lower := strings.ToLower(base)
	switch {
	case len(base) <= 4:
		return neverSaid
	case len(lower) < 4:
		return maybeSaid
	}
	return hashBeginning(lower)
}

func hashBeginning(s string) beginning {
	n := uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
	return beginning(n * 2654435761 >> 16)
}

// beginnings are those of all places of a message.
type beginnings set

func beginningsOf(message string) beginnings {
	b := newSet(hashedBeginnings + 2)
	b.add(uint32(maybeSaid))
	for i := range max(0, len(message)-3) {
		b.add(uint32(hashBeginning(message[i:])))
	}
	return beginnings(b)
}

func (b beginnings) mayHave(n beginning) bool { return set(b).has(uint32(n)) }

// resolver says which files the name of a module means in a file, as its language does. What it does not know for
// certain it leaves out.
type resolver struct {
	s *state
	t *pathTable

	manifests map[language][]manifest // deepest first
	roots     []string                // of Java's sources
	rooted    bool
}

// manifest is what a file says of how modules are named in its folder and below.
type manifest struct {
	dir  string // with a slash at the end, or ""
	says []string
}

func newResolver(s *state) *resolver {
	v := &resolver{s: s, t: s.paths.table(), manifests: map[language][]manifest{}}
	for _, i := range v.t.manifests {
		f := s.files[i]
		m := manifest{dir: dirOf(f.path)}
		for line := range strings.SplitSeq(f.imports(), "\n") {
			if says, ok := strings.CutPrefix(line, "="); ok {
				m.says = append(m.says, says)
			}
		}
		if l := manifests[path.Base(f.path)]; len(m.says) > 0 {
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
		if f := v.s.files[i]; strings.HasSuffix(f.path, ext) && f.class != test {
			out = append(out, int(i))
		}
	}
	return out
}

// targets are the files that a name means in file from.
func (v *resolver) targets(from int, name string) []int {
	file := v.s.files[from].path
	switch languageOf(file) {
	case goLanguage:
		return v.golang(name)
	case pythonLanguage:
		return v.python(file, name)
	case scriptLanguage:
		return v.script(file, name)
	case rustLanguage:
		return v.rust(file, name)
	case javaLanguage:
		return v.java(name)
	case otherLanguage:
	}
	return nil
}

// knows says whether it is known what a file imports: Go and Rust need a file that names the module or crate.
func (v *resolver) knows(file string) bool {
	switch l := languageOf(file); l {
	case goLanguage, rustLanguage:
		return slices.ContainsFunc(v.manifests[l], func(m manifest) bool { return strings.HasPrefix(file, m.dir) })
	case pythonLanguage, scriptLanguage, javaLanguage:
		return true
	case otherLanguage:
	}
	return false
}

func (v *resolver) golang(name string) []int {
	best, dir := "", ""
	for _, m := range v.manifests[goLanguage] {
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
	for _, m := range v.manifests[scriptLanguage] {
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
	for _, m := range v.manifests[scriptLanguage] {
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
	for _, m := range v.manifests[rustLanguage] {
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
	for _, m := range v.manifests[rustLanguage] {
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
			if !strings.HasSuffix(f.path, ".java") {
				continue
			}
			for line := range strings.SplitSeq(f.imports(), "\n") {
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
