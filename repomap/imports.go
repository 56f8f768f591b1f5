package repomap

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"
)

const (
	maxImports = 400 // of a file
	maxImport  = 200 // bytes of one
	importHead = 256 << 10
)

// language is one whose imports are resolved as the language itself does.
type language uint8

const (
	otherLanguage language = iota
	goLanguage
	pythonLanguage
	scriptLanguage // TypeScript and JavaScript
	rustLanguage
	javaLanguage
)

func languageOf(file string) language {
	switch strings.ToLower(path.Ext(file)) {
	case ".go":
		return goLanguage
	case ".py", ".pyi":
		return pythonLanguage
	case ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte":
		return scriptLanguage
	case ".rs":
		return rustLanguage
	case ".java":
		return javaLanguage
	}
	return otherLanguage
}

// importsOf lists what a file says of modules, one a line: the names that it imports as they are written there, those of
// Python and Rust with each name that is taken from a module behind it (a.b and c of "from a.b import c" are a.b.c).
// After a "=" stands what the file says of itself: a package of Java, the module of a go.mod, the crate of a Cargo.toml,
// the name of a package.json, an alias of a tsconfig.json with what it stands for.
func importsOf(file string, src []byte) string {
	src = src[:min(len(src), importHead)]
	c := &importList{}
	switch languageOf(file) {
	case goLanguage:
		c.golang(src)
	case pythonLanguage:
		c.python(src)
	case scriptLanguage:
		c.script(src)
	case rustLanguage:
		c.rust(src)
	case javaLanguage:
		c.java(src)
	case otherLanguage:
		c.manifest(path.Base(file), src)
	}
	slices.Sort(c.list)
	return strings.Join(slices.Compact(c.list), "\n")
}

type importList struct{ list []string }

func (c *importList) add(name string) {
	if name != "" && len(name) <= maxImport && len(c.list) < maxImports && !strings.ContainsAny(name, "\n\r\x00") {
		c.list = append(c.list, name)
	}
}

// golang reads up to the first declaration that is no import, behind which there are none.
func (c *importList) golang(src []byte) {
	block := false
	for raw := range bytes.Lines(src) {
		line := strings.TrimSpace(string(raw))
		switch {
		case block && strings.HasPrefix(line, ")"):
			block = false
		case block:
			c.add(quoted(line))
		case strings.HasPrefix(line, "import ("):
			block = !strings.Contains(line, ")")
			c.add(quoted(line))
		case strings.HasPrefix(line, "import "):
			c.add(quoted(line))
		case strings.HasPrefix(line, "func "), strings.HasPrefix(line, "type "), strings.HasPrefix(line, "var "), strings.HasPrefix(line, "const "):
			return
		}
	}
}

// quoted is what stands between the first two quotes of a line that is no comment.
func quoted(line string) string {
	if strings.HasPrefix(line, "//") {
		return ""
	}
	_, rest, _ := strings.Cut(line, `"`)
	name, _, ok := strings.Cut(rest, `"`)
	if !ok {
		return ""
	}
	return name
}

var pythonImport = regexp.MustCompile(`(?m)^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import[ \t]+(\([^)]*\)|(?:[^\n\\]|\\\r?\n)*)|import[ \t]+((?:[^\n\\]|\\\r?\n)+))`)

func (c *importList) python(src []byte) {
	if !bytes.Contains(src, []byte("import")) {
		return
	}
	for _, m := range pythonImport.FindAllSubmatch(src, maxImports) {
		if len(m[1]) == 0 {
			for _, name := range namesIn(string(m[3])) {
				c.add(name)
			}
			continue
		}
		from := string(m[1])
		for _, name := range namesIn(string(m[2])) {
			if strings.HasSuffix(from, ".") { // from . import name
				c.add(from + name)
			} else {
				c.add(from + "." + name)
			}
		}
	}
}

// namesIn are those of a list with commas, without what they are called here.
func namesIn(list string) (out []string) {
	for line := range strings.Lines(strings.Trim(list, "() \t\r\n")) {
		line, _, _ = strings.Cut(line, "#")
		line, _, _ = strings.Cut(line, ";")
		for item := range strings.SplitSeq(strings.Trim(line, " \\\t\r\n"), ",") {
			if fields := strings.Fields(item); len(fields) > 0 {
				out = append(out, strings.Trim(fields[0], "()"))
			}
		}
	}
	return out
}

var scriptImport = regexp.MustCompile(`(?:\bfrom|\bimport|\brequire\s*\(|\bimport\s*\()\s*(?:"([^"\n]+)"|'([^'\n]+)')`)

func (c *importList) script(src []byte) {
	for _, m := range scriptImport.FindAllSubmatch(src, maxImports) {
		c.add(string(m[1]) + string(m[2]))
	}
}

var rustUse = regexp.MustCompile(`(?m)^[ \t]*(?:pub(?:\([^)]*\))?[ \t]+)?(?:use[ \t]+([^;]+);|mod[ \t]+(\w+);)`)

func (c *importList) rust(src []byte) {
	for _, m := range rustUse.FindAllSubmatch(src, maxImports) {
		if len(m[2]) > 0 {
			c.add("self::" + string(m[2]))
			continue
		}
		c.rustTree("", strings.Join(strings.Fields(string(m[1])), " "))
	}
}

// rustTree adds every path of a tree of them: a::{b, c::d}.
func (c *importList) rustTree(before, tree string) {
	depth, from := 0, 0
	for i := 0; i <= len(tree); i++ {
		if i < len(tree) && (tree[i] != ',' || depth > 0) {
			switch tree[i] {
			case '{':
				depth++
			case '}':
				depth--
			}
			continue
		}
		item := strings.TrimSpace(tree[from:i])
		from = i + 1
		head, inner, group := strings.Cut(item, "{")
		head, _, _ = strings.Cut(strings.TrimSpace(head), " as ")
		head = strings.TrimSpace(head)
		if group && strings.HasSuffix(inner, "}") {
			c.rustTree(before+head, inner[:len(inner)-1])
			continue
		}
		c.add(strings.TrimPrefix(strings.TrimSuffix(before+head, "::self"), "::"))
	}
}

var javaImport = regexp.MustCompile(`(?m)^[ \t]*(?:(package)|import)[ \t]+(?:static[ \t]+)?([\w.]+(?:\.\*)?)[ \t]*;`)

func (c *importList) java(src []byte) {
	for _, m := range javaImport.FindAllSubmatch(src, maxImports) {
		if len(m[1]) > 0 {
			c.add("=" + string(m[2]))
		} else {
			c.add(string(m[2]))
		}
	}
}
