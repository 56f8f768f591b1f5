package imports

import (
	"bytes"
	"regexp"
	"strings"
)

// golang reads up to the first declaration that is no import, behind which there are none.
func (c *list) golang(src []byte) {
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

func (c *list) python(src []byte) {
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

func (c *list) script(src []byte) {
	for _, m := range scriptImport.FindAllSubmatch(src, maxImports) {
		c.add(string(m[1]) + string(m[2]))
	}
}

var rustUse = regexp.MustCompile(`(?m)^[ \t]*(?:pub(?:\([^)]*\))?[ \t]+)?(?:use[ \t]+([^;]+);|mod[ \t]+(\w+);)`)

func (c *list) rust(src []byte) {
	for _, m := range rustUse.FindAllSubmatch(src, maxImports) {
		if len(m[2]) > 0 {
			c.add("self::" + string(m[2]))
			continue
		}
		c.rustTree("", strings.Join(strings.Fields(string(m[1])), " "), mostNested)
	}
}

// mostNested is how deep the braces of a use may stand in each other: each level is read again for the one around it.
const mostNested = 16

// rustTree adds every path of a tree of them: a::{b, c::d}.
func (c *list) rustTree(before, tree string, most int) {
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
			if most > 0 {
				c.rustTree(before+head, inner[:len(inner)-1], most-1)
			}
			continue
		}
		c.add(strings.TrimPrefix(strings.TrimSuffix(before+head, "::self"), "::"))
	}
}

var javaImport = regexp.MustCompile(`(?m)^[ \t]*(?:(package)|import)[ \t]+(?:static[ \t]+)?([\w.]+(?:\.\*)?)[ \t]*;`)

func (c *list) java(src []byte) {
	for _, m := range javaImport.FindAllSubmatch(src, maxImports) {
		if len(m[1]) > 0 {
			c.add("=" + string(m[2]))
		} else {
			c.add(string(m[2]))
		}
	}
}
