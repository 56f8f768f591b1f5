package verify

import (
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"coauthor/edits"
)

// Imports returns the check for names that one file imports from another and that the other does not
// have, where a change is what parted them: a definition was renamed in one file alone, or a new module
// exports nothing. It reads the files that the turn shows, and takes a name for had if the other file
// has the word anywhere.
func Imports() Check { return Check{Name: "imports", From: Syntax, Run: imports} }

func imports(ctx context.Context, in Input) ([]Finding, error) {
	before := map[string]string{} // of the changed files
	var files []string
	for _, c := range in.Changes {
		file := pathOf(c)
		before[file] = c.Before
		if c.Op != edits.OpDelete {
			files = append(files, file)
		}
	}
	for _, file := range in.Shown {
		if !slices.Contains(files, file) {
			files = append(files, file)
		}
	}
	more, err := importers(ctx, in)
	if err != nil {
		return nil, err
	}
	for _, file := range more {
		if !slices.Contains(files, file) {
			files = append(files, file)
		}
	}
	now := func(file string) (string, bool) {
		if !slices.Contains(files, file) || !in.Tree.Exists(file) {
			return "", false
		}
		text, err := in.Tree.Read(file)
		return text, err == nil
	}
	was := func(file string) (string, bool) {
		if text, changed := before[file]; changed {
			return text, true
		}
		return now(file)
	}
	var list []Finding
	for _, file := range files {
		if err := ctx.Err(); err != nil {
			return list, err
		}
		text, ok := now(file)
		if !ok {
			continue
		}
		missing := notThere(file, text, in.Tree.Exists, now)
		if len(missing) == 0 {
			continue
		}
		old, _ := was(file)
		known := notThere(file, old, in.Tree.Exists, was)
		var parted []imported // those of one import as one
		for _, m := range missing {
			if slices.ContainsFunc(known, func(k imported) bool { return k.name == m.name && k.from == m.from }) {
				continue
			}
			if n := len(parted); n > 0 && parted[n-1].line == m.line && parted[n-1].from == m.from {
				parted[n-1].name += ", " + m.name
				continue
			}
			parted = append(parted, m)
		}
		for _, m := range parted {
			names := listed(strings.Split(m.name, ", "))
			what := "has no " + names
			if m.nothing {
				what = "exports nothing; export " + itOrThem(m.name) + " there"
			}
			list = append(list, Finding{Check: "imports", Path: file, First: m.line, Last: m.line,
				Text: fmt.Sprintf("line %d imports %s from %s, which %s", m.line, names, m.from, what)})
		}
	}
	return list, nil
}

// importers are files beside those of the change in which a name stands that it took out of a file.
func importers(ctx context.Context, in Input) (files []string, err error) {
	if in.Using == nil {
		return nil, nil
	}
	gone, err := missingIn(ctx, in)
	if err != nil {
		return nil, err
	}
	tried := 0
	for _, c := range in.Changes {
		for _, d := range gone[c.Path] {
			if d.owner != "" || !bindsNames(c.Path) {
				continue
			}
			if tried++; tried > mostGone {
				return files, ctx.Err()
			}
			if using, ok := in.Using(ctx, d.name); ok {
				files = append(files, using...)
			}
		}
	}
	return files, ctx.Err()
}

// imported is a name that a file imports from another one.
type imported struct {
	name, from string
	line       int  // of the import, from 1
	nothing    bool // the other file exports nothing at all
}

// notThere lists what a file imports from others and these do not have. read returns the files that may
// be looked at.
func notThere(file, text string, exists func(string) bool, read func(string) (string, bool)) []imported {
	var list []imported
	inPackage := exists(path.Join(path.Dir(file), "__init__.py"))
	for _, i := range importsOf(file, text) {
		for _, at := range candidates(file, i.from, inPackage) {
			other, ok := read(at)
			if !ok {
				continue
			}
			i.from = at
			script := path.Ext(file) != ".py"
			i.nothing = script && !exports.MatchString(other)
			open := !script && brings.MatchString(other) || script && passesOn.MatchString(other)
			if i.nothing || !open && !uses(other, i.name) {
				list = append(list, i)
			}
			break
		}
	}
	return list
}

var (
	fromPython = regexp.MustCompile(`(?m)^[ \t]*from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]+(?:\(([^)]*)\)|([^\n(]+))`)
	fromScript = regexp.MustCompile(`\bimport\s+(?:type\s+)?(?:[\w$]+\s*,\s*)?\{([^{}]*)\}\s*from\s*["'](\.[^"'\n]*)["']`)
	fromNode   = regexp.MustCompile(`\b(?:const|let|var)\s*\{([^{}]*)\}\s*=\s*require\(\s*["'](\.[^"'\n]*)["']\s*\)`)
	// exports is what each script has that others can import from.
	exports = regexp.MustCompile(`\bexports?\b`)
	// passesOn brings names into what a script exports without writing them out.
	passesOn = regexp.MustCompile(`\bexport\s*\*|\bexports\s*=\s*(?:require|[\w$.]+\()|\.\.\.|\bObject\.assign\b`)
	comment  = regexp.MustCompile(`#[^\n]*|//[^\n]*`)
)

// importsOf lists the names that a file imports, with the module as it is written.
func importsOf(file, text string) []imported {
	var list []imported
	add := func(at int, names, from string) {
		line := 1 + strings.Count(text[:at], "\n")
		for name := range strings.SplitSeq(comment.ReplaceAllString(names, ""), ",") {
			name, _, _ = strings.Cut(strings.TrimPrefix(strings.TrimSpace(name), "type "), ":")
			fields := strings.Fields(strings.ReplaceAll(name, "=", " = "))
			if len(fields) > 0 && word.FindString(fields[0]) == fields[0] && fields[0] != "default" {
				list = append(list, imported{name: fields[0], from: from, line: line})
			}
		}
	}
	group := func(m []int, n int) string {
		if m[2*n] < 0 {
			return ""
		}
		return text[m[2*n]:m[2*n+1]]
	}
	switch {
	case !bindsNames(file):
	case path.Ext(file) == ".py":
		for _, m := range fromPython.FindAllStringSubmatchIndex(text, -1) {
			add(m[0], group(m, 2)+group(m, 3), group(m, 1))
		}
	default:
		for _, re := range []*regexp.Regexp{fromScript, fromNode} {
			for _, m := range re.FindAllStringSubmatchIndex(text, -1) {
				add(m[0], group(m, 1), group(m, 2))
			}
		}
	}
	return list
}

// candidates lists the files that a module's name can mean, the likeliest first. A Python file in a
// package does not see the modules beside it without a dot.
func candidates(file, module string, inPackage bool) []string {
	dir := path.Dir(file)
	if path.Ext(file) == ".py" {
		dots := len(module) - len(strings.TrimLeft(module, "."))
		if dots == len(module) {
			return nil // a package and what is in it
		}
		rest := strings.ReplaceAll(module[dots:], ".", "/")
		for range dots - 1 {
			dir = path.Dir(dir)
		}
		var list []string
		if dots > 0 || !inPackage {
			list = append(list, path.Join(dir, rest+".py"))
		}
		if dots == 0 {
			list = append(list, rest+".py")
		}
		return list
	}
	at := path.Join(dir, module)
	list := []string{at}
	for _, ext := range []string{".js", ".mjs", ".cjs", ".ts", ".tsx", ".jsx", ".mts", "/index.js", "/index.ts"} {
		list = append(list, at+ext)
	}
	if bare, ok := strings.CutSuffix(at, ".js"); ok {
		list = append(list, bare+".ts", bare+".tsx")
	}
	return list
}

func itOrThem(names string) string {
	if strings.Contains(names, ",") {
		return "them"
	}
	return "it"
}

var word = regexp.MustCompile(`[\pL\pN_$][\pL\pN_$'-]*`)

// uses says whether a text has a name as a word of its own.
func uses(text, name string) bool { return len(placesOf(text, name)) > 0 }

func isWord(c byte) bool {
	return c == '_' || c >= 0x80 || unicode.IsLetter(rune(c)) || unicode.IsDigit(rune(c))
}
