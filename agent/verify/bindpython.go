package verify

import (
	"path"
	"regexp"
	"strings"
)

// pythonImport adds the import of a name from another file. line is what was added.
func (b *binder) pythonImport(file, text, from, name string) (out, line string, ok bool) {
	inPackage := b.in.Tree.Exists(path.Join(path.Dir(file), "__init__.py"))
	for _, m := range pythonFromLine.FindAllStringSubmatchIndex(text, -1) {
		module, list := text[m[2]:m[3]], text[m[4]:m[5]]
		for _, at := range candidates(file, module, inPackage) {
			if at == from && !strings.ContainsAny(list, "*\\") {
				return text[:m[5]] + ", " + name + text[m[5]:], "from " + module + " import " + name, true
			}
			if b.in.Tree.Exists(at) {
				break
			}
		}
	}
	module, ok := b.pythonModule(file, text, from)
	if !ok {
		return text, "", false
	}
	line = "from " + module + " import " + name
	return insertPython(text, line), line, true
}

// pythonFromLine is an import of names on one line at the top.
var pythonFromLine = regexp.MustCompile(`(?m)^from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]+([\w]+[\w, \t*\\]*[\w*\\])[ \t]*\r?$`)

// pythonModule is how a file names another one in an import: with dots within a package, unless the file names its
// package otherwise; by its name beside it; by its path from the root for a file there.
func (b *binder) pythonModule(file, text, from string) (string, bool) {
	if path.Base(from) == "__init__.py" {
		return "", false
	}
	bare := strings.TrimSuffix(from, ".py")
	dir, other := path.Dir(file), path.Dir(from)
	top, otherTop := b.packageOf(dir), b.packageOf(other)
	switch {
	case top != "" && top == otherTop: // one package
		if absolute := dotted(path.Base(top)); importsModule(text, absolute) && !importsModule(text, `\.+\w*`) {
			return dotted(strings.TrimPrefix(bare, slashed(path.Dir(top)))), true
		}
		dots := "."
		for !strings.HasPrefix(other+"/", dir+"/") {
			dir, dots = path.Dir(dir), dots+"."
		}
		return dots + dotted(strings.TrimPrefix(bare, dir+"/")), true
	case otherTop != "": // a package, from outside
		if base := path.Dir(otherTop); base == "." || base == dir || base == "src" {
			return dotted(strings.TrimPrefix(bare, slashed(base))), true
		}
	case top != "":
	case dir == other:
		return path.Base(bare), isIdentifier.MatchString(path.Base(bare))
	case dir == ".":
		module := dotted(bare)
		return module, isModule.MatchString(module)
	}
	return "", false
}

var (
	isIdentifier = regexp.MustCompile(`^[A-Za-z_]\w*$`)
	isModule     = regexp.MustCompile(`^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$`)
)

func dotted(p string) string { return strings.ReplaceAll(p, "/", ".") }

// slashed is a folder as the beginning of the paths in it.
func slashed(dir string) string {
	if dir == "." {
		return ""
	}
	return dir + "/"
}

// packageOf is the outermost package that a folder belongs to, "" for none.
func (b *binder) packageOf(dir string) string {
	top := ""
	for dir != "." && dir != "/" && b.in.Tree.Exists(path.Join(dir, "__init__.py")) {
		top, dir = dir, path.Dir(dir)
	}
	return top
}

// importsModule says whether a file imports from modules that begin like this.
func importsModule(text, begin string) bool {
	ok, err := regexp.MatchString(`(?m)^(?:from|import)[ \t]+`+begin+`(?:[. \t]|$)`, text)
	return err == nil && ok
}

// insertPython puts an import behind those at the top of a file, or where they would begin.
func insertPython(text, line string) string {
	eol := "\n"
	if strings.Contains(text, "\r\n") {
		eol = "\r\n"
	}
	head, last := pythonHead(text)
	if last >= 0 {
		return text[:last] + line + eol + text[last:]
	}
	before, rest := text[:head], text[head:]
	if before != "" && !strings.HasSuffix(before, eol+eol) && !strings.HasPrefix(before, "#!") {
		before += eol
	}
	switch blank := len(rest) - len(strings.TrimLeft(rest, "\r\n")); {
	case rest == "" || blank > 0:
	case strings.HasPrefix(rest, "def ") || strings.HasPrefix(rest, "class ") || strings.HasPrefix(rest, "@") || strings.HasPrefix(rest, "async "):
		rest = eol + eol + rest
	default:
		rest = eol + rest
	}
	return before + line + eol + rest
}

// pythonHead finds the imports at the top of a file: where the last one ends, -1 for none; head is where they would stand, behind the comments and the text at the top.
func pythonHead(text string) (head, last int) {
	last = -1
	at, until := 0, "" // what ends the statement that is open
	said := false      // the file's documentation was there
	for line := range strings.Lines(text) {
		at += len(line)
		trimmed := strings.TrimSpace(line)
		if until != "" {
			if strings.Contains(trimmed, until) {
				if until == ")" {
					last = at
				} else {
					head = at
				}
				until = ""
			}
			continue
		}
		indented := line != strings.TrimLeft(line, " \t")
		switch {
		case trimmed == "" || strings.HasPrefix(trimmed, "#"):
			if last < 0 && !said && strings.HasPrefix(trimmed, "#") {
				head = at
			}
		case !said && last < 0 && docText.MatchString(trimmed):
			said = true
			mark := docText.FindStringSubmatch(trimmed)[1]
			rest := trimmed[strings.Index(trimmed, mark)+len(mark):]
			if len(mark) == 3 && !strings.Contains(rest, mark) {
				until = mark
				continue
			}
			head = at
		case !indented && importLine.MatchString(trimmed):
			last = at
			if strings.Contains(trimmed, "(") && !strings.Contains(trimmed, ")") {
				until = ")"
			}
			if strings.HasSuffix(trimmed, `\`) {
				return head, -1 // more than one line: not read
			}
		default:
			return head, last
		}
	}
	return head, last
}

var (
	docText    = regexp.MustCompile(`^[rRuU]?("""|'''|"|')`)
	importLine = regexp.MustCompile(`^(?:import|from)[ \t]`)
)
