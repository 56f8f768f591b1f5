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

// insertPython puts an import behind those at the top of a file, or where they would begin. A module of the library
// goes before them.
func insertPython(text, line string) string {
	eol := "\n"
	if strings.Contains(text, "\r\n") {
		eol = "\r\n"
	}
	head, first, last := pythonHead(text)
	library := strings.HasPrefix(line, "import ")
	switch {
	case library && first >= 0:
		return text[:first] + line + eol + text[first:]
	case last >= 0:
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

// pythonHead finds the imports at the top of a file: where the first one that is not of __future__ begins, and where
// the last one ends, both -1 for none; head is where they would stand, behind the comments and the text at the top.
func pythonHead(text string) (head, first, last int) {
	first, last = -1, -1
	at, until := 0, "" // what ends the statement that is open
	said := false      // the file's documentation was there
	for line := range strings.Lines(text) {
		start := at
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
			if first < 0 && !strings.HasPrefix(trimmed, "from __future__") {
				first = start
			}
			last = at
			if strings.Contains(trimmed, "(") && !strings.Contains(trimmed, ")") {
				until = ")"
			}
			if strings.HasSuffix(trimmed, `\`) {
				return head, first, -1 // more than one line: not read
			}
		default:
			return head, first, last
		}
	}
	return head, first, last
}

var (
	docText    = regexp.MustCompile(`^[rRuU]?("""|'''|"|')`)
	importLine = regexp.MustCompile(`^(?:import|from)[ \t]`)
)

// pythonLibrary are the modules of Python's library that are used by their members. Left out are those that hold
// something of their own name (datetime.datetime, time.time) and those that are often a variable's.
var pythonLibrary = func() map[string]bool {
	out := map[string]bool{}
	for name := range strings.FieldsSeq(`
		argparse ast asyncio atexit base64 bisect cmath collections concurrent configparser contextlib csv ctypes dataclasses
		decimal difflib errno fnmatch fractions functools getpass gzip hashlib heapq hmac importlib inspect io ipaddress
		itertools json logging lzma math multiprocessing operator os pathlib pickle pkgutil random re sched secrets shelve shlex
		shutil smtplib socket sqlite3 ssl statistics struct subprocess sys sysconfig tarfile tempfile textwrap threading
		traceback typing unicodedata urllib uuid warnings weakref zipfile zlib zoneinfo`) {
		out[name] = true
	}
	return out
}()
