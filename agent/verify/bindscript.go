package verify

import (
	"context"
	"path"
	"regexp"
	"slices"
	"strings"

	"coauthor/edits"
)

// The two kinds of modules that scripts are.
var (
	esModule = regexp.MustCompile(`(?m)^[ \t]*(?:import\b[^(\n]*["']|import\s*\{|import\s+[\w$*]|export\b)`)
	commonJS = regexp.MustCompile(`\brequire\(|\bmodule\.exports\b|^[ \t]*exports\.`)
)

// moduleKind is "es", "node", or "" where a script does not say, or says both.
func moduleKind(file, text string) string {
	switch path.Ext(file) {
	case ".mjs", ".mts", ".ts", ".tsx":
		return "es"
	case ".cjs", ".cts":
		return "node"
	}
	es, node := esModule.MatchString(text), commonJS.MatchString(text)
	switch {
	case es == node:
		return ""
	case es:
		return "es"
	}
	return "node"
}

// scriptImport adds the import of a name that another script exports. line is what was added.
func (b *binder) scriptImport(file, text, from, name string) (out, line string, ok bool) {
	other, _ := b.read(from)
	kind, its := moduleKind(file, text), moduleKind(from, other)
	if (its == "" || its == kind) && !exports.MatchString(other) && b.isNew(from) {
		its = kind // it is given its exports behind this
	} else if its == "" || !exportsName(its, other, name) {
		return text, "", false
	}
	if kind == "" && !esModule.MatchString(text) && !commonJS.MatchString(text) {
		kind = its
	}
	if kind != its || kind == "" {
		return text, "", false
	}
	re := fromScript
	if kind == "node" {
		re = fromNode
	}
	for _, m := range re.FindAllStringSubmatchIndex(text, -1) {
		names, module := text[m[2]:m[3]], text[m[4]:m[5]]
		for _, at := range candidates(file, module, false) {
			if at != from {
				if b.in.Tree.Exists(at) {
					break
				}
				continue
			}
			trimmed := strings.TrimRight(names, " \t\r\n")
			end := m[2] + len(trimmed)
			comma, after := ", ", ""
			if strings.HasSuffix(trimmed, ",") {
				comma, after = " ", ","
			}
			return text[:end] + comma + name + after + text[end:], name, true
		}
	}
	quote, semicolon := scriptStyle(text, other)
	module := quote + scriptPath(file, text, from, kind) + quote
	line = "import { " + name + " } from " + module + semicolon
	if kind == "node" {
		line = "const { " + name + " } = require(" + module + ")" + semicolon
	}
	return insertScript(text, line), line, true
}

// isNew says whether the change made a file.
func (b *binder) isNew(file string) bool {
	return slices.ContainsFunc(b.in.Changes, func(c edits.Change) bool { return c.Op == edits.OpCreate && c.Path == file })
}

// exportsName says whether a script exports a name as such.
func exportsName(kind, text, name string) bool {
	quoted := regexp.QuoteMeta(name)
	patterns := []string{
		`(?m)^[ \t]*export\s+(?:default\s+)?(?:async\s+)?(?:function\*?|class|const|let|var|enum|abstract\s+class)\s+` + quoted + `\b`,
		`\bexport\s*\{[^}]*\b` + quoted + `\b[^}]*\}`,
	}
	if kind == "node" {
		patterns = []string{
			`\bmodule\.exports\s*=\s*\{[^}]*\b` + quoted + `\b[^}]*\}`,
			`\bexports\.` + quoted + `\s*=`,
		}
	}
	return slices.ContainsFunc(patterns, func(p string) bool { return regexp.MustCompile(p).MatchString(text) }) &&
		!regexp.MustCompile(`\bexport\s+default\s+(?:async\s+)?(?:function\*?|class)\s+`+quoted+`\b`).MatchString(text)
}

var (
	relativeModule = regexp.MustCompile(`["'](\.{1,2}/[^"'\n]+)["']`)
	scriptEnding   = regexp.MustCompile(`\.(?:[cm]?[jt]s|[jt]sx)$`)
)

// scriptPath is how a script names another one.
func scriptPath(file, text, from, kind string) string {
	rel := from
	if dir := path.Dir(file); dir != "." {
		up := ""
		for dir != "." && !strings.HasPrefix(from, dir+"/") {
			dir, up = path.Dir(dir), up+"../"
		}
		rel = up + strings.TrimPrefix(from, slashed(dir))
	}
	if !strings.HasPrefix(rel, "../") {
		rel = "./" + rel
	}
	ending := kind == "es" && !strings.Contains(path.Ext(from), "ts")
	if m := relativeModule.FindAllStringSubmatch(text, -1); len(m) > 0 {
		ending = slices.ContainsFunc(m, func(m []string) bool { return scriptEnding.MatchString(m[1]) })
	}
	if path.Ext(from) == ".mjs" || path.Ext(from) == ".cjs" {
		ending = true // not found without
	}
	if !ending {
		return scriptEnding.ReplaceAllString(rel, "")
	}
	for ts, js := range map[string]string{".ts": ".js", ".tsx": ".js", ".mts": ".mjs", ".cts": ".cjs"} {
		if bare, is := strings.CutSuffix(rel, ts); is {
			return bare + js
		}
	}
	return rel
}

// scriptStyle is the quote and the end of statements that a script uses, or else another one.
func scriptStyle(texts ...string) (quote, semicolon string) {
	quote, semicolon = "'", ";"
	for _, text := range texts {
		single, double := strings.Count(text, "'"), strings.Count(text, `"`)
		if single+double == 0 {
			continue
		}
		if double > single {
			quote = `"`
		}
		break
	}
	for _, text := range texts {
		if strings.TrimSpace(text) == "" {
			continue
		}
		if !strings.Contains(text, ";\n") && !strings.HasSuffix(text, ";") && !strings.Contains(text, ";\r") {
			semicolon = ""
		}
		break
	}
	return quote, semicolon
}

// insertScript puts an import behind those at the top of a script, or where they would begin.
func insertScript(text, line string) string {
	eol := "\n"
	if strings.Contains(text, "\r\n") {
		eol = "\r\n"
	}
	head, last := scriptHead(text)
	if last >= 0 {
		return text[:last] + line + eol + text[last:]
	}
	rest := text[head:]
	if rest != "" && !strings.HasPrefix(rest, "\n") && !strings.HasPrefix(rest, "\r\n") {
		rest = eol + rest
	}
	return text[:head] + line + eol + rest
}

var (
	requireLine = regexp.MustCompile(`^(?:const|let|var)\b.*=\s*require\(|^require\(`)
	importStart = regexp.MustCompile(`^import\b`)
	openImport  = regexp.MustCompile(`^(?:import\b[^"']*|(?:const|let|var)\s*\{[^}]*)$`)
)

// scriptHead finds where the last import at the top of a script ends, -1 for none; head is where one would stand.
func scriptHead(text string) (head, last int) {
	last = -1
	at, open, comment := 0, false, false
	for line := range strings.Lines(text) {
		at += len(line)
		trimmed := strings.TrimSpace(line)
		switch {
		case comment:
			if comment = !strings.Contains(trimmed, "*/"); !comment && last < 0 {
				head = at
			}
		case open:
			if strings.ContainsAny(trimmed, `"'`) {
				open, last = false, at
			}
		case trimmed == "":
		case strings.HasPrefix(trimmed, "/*"):
			if last >= 0 {
				return head, last
			}
			if comment = !strings.Contains(trimmed, "*/"); !comment {
				head = at
			}
		case strings.HasPrefix(trimmed, "//"), strings.HasPrefix(trimmed, "#!"):
			// A comment right above code belongs to it.
			if last < 0 && (strings.HasPrefix(trimmed, "#!") || strings.HasPrefix(strings.TrimLeft(text[at:], "\r"), "\n")) {
				head = at
			}
		case strings.HasPrefix(trimmed, `"use `), strings.HasPrefix(trimmed, `'use `):
			head = at
		case openImport.MatchString(trimmed):
			open = true
		case importStart.MatchString(trimmed), requireLine.MatchString(trimmed):
			last = at
		default:
			return head, last
		}
	}
	return head, last
}

// exports gives a new script that exports nothing the exports of what others import from it.
func (b *binder) exports(ctx context.Context, file string) error {
	text, ok := b.read(file)
	if !ok || exports.MatchString(text) {
		return nil
	}
	top, err := topNames(ctx, file, text)
	if err != nil {
		return err
	}
	var names []string
	kind := ""
	others := slices.Clone(b.in.Shown)
	for _, c := range b.in.Changes {
		if c.Op != edits.OpDelete && !slices.Contains(others, pathOf(c)) {
			others = append(others, pathOf(c))
		}
	}
	for _, other := range others {
		its, ok := b.read(other)
		if other == file || !ok || !sameLanguage(file, other) {
			continue
		}
		for _, i := range importsOf(other, its) {
			if !slices.Contains(candidates(other, i.from, false), file) || !slices.Contains(top, i.name) {
				continue
			}
			of := moduleKind(other, its)
			if of == "" || kind != "" && of != kind {
				return nil
			}
			kind = of
			if !slices.Contains(names, i.name) {
				names = append(names, i.name)
			}
		}
	}
	if own := moduleKind(file, text); len(names) == 0 || own != "" && own != kind {
		return nil
	}
	_, semicolon := scriptStyle(text)
	line := "export { " + strings.Join(names, ", ") + " }" + semicolon
	if kind == "node" {
		line = "module.exports = { " + strings.Join(names, ", ") + " }" + semicolon
	}
	eol := "\n"
	if strings.Contains(text, "\r\n") {
		eol = "\r\n"
	}
	b.put(file, strings.TrimRight(text, "\r\n")+eol+eol+line+eol, "added `"+line+"`")
	return nil
}
