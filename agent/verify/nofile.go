package verify

import (
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"coauthor/edits"
	"coauthor/repomap/syntax"
)

// NoFile returns the check for files that a change counts on and that do not exist: a module that it newly imports by a
// path of the project, and a file that the request asks to make. What is made by a build may be missing here and be
// right all the same, so the model is asked once.
func NoFile() Check { return Check{Name: "files", From: Syntax, Run: noFile} }

func noFile(ctx context.Context, in Input) ([]Finding, error) {
	if in.Partly || len(in.Changes) == 0 || ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var list []Finding
	for _, c := range in.Changes {
		file := pathOf(c)
		if c.Op == edits.OpDelete || c.Before == c.After || !bindsNames(file) {
			continue
		}
		before := projectModules(c.Path, c.Before)
		for _, m := range projectModules(file, c.After) {
			if slices.ContainsFunc(before, func(o module) bool { return o.name == m.name }) || slices.ContainsFunc(m.files, in.Tree.Exists) {
				continue
			}
			list = append(list, Finding{Check: "files", Path: file, First: m.line, Last: m.line, Once: true,
				Text: fmt.Sprintf("line %d imports %s, and there is no such file.", m.line, m.name)})
		}
	}
	for _, name := range wantedFiles(in.Request) {
		if !in.made(name) && !slices.ContainsFunc(list, func(f Finding) bool { return strings.Contains(f.Text, base(name)) }) {
			list = append(list, Finding{Check: "files", Once: true, Text: fmt.Sprintf("The request asks for a file %s, and there is none.", name)})
		}
	}
	return list, nil
}

// made says whether there is a file of a name, in whatever folder of those that the turn knows.
func (in Input) made(name string) bool {
	same := func(file string) bool { return file == name || strings.HasSuffix(file, "/"+name) }
	return in.Tree.Exists(name) || slices.ContainsFunc(in.Shown, same) ||
		slices.ContainsFunc(in.Changes, func(c edits.Change) bool {
			return same(c.Path) || same(c.To) || in.Tree.Exists(path.Join(path.Dir(c.Path), name))
		})
}

// module is what a file imports by a path of the project.
type module struct {
	name  string // as it is written
	line  int    // from 1
	files []string
}

var (
	scriptModule = regexp.MustCompile(`(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)["'](\.{1,2}/[^"'\n]+)["']`)
	pythonModule = regexp.MustCompile(`(?m)^[ \t]*from[ \t]+(\.+\w[\w.]*)[ \t]+import\b`)
)

// projectModules lists the modules that a file imports by a path. Those that a bundler makes of something else are left out.
func projectModules(file, text string) []module {
	form, texts := scriptModule, scriptTexts
	if path.Ext(file) == ".py" {
		form, texts = pythonModule, pythonTexts
	}
	spoken := texts.FindAllStringIndex(text, -1) // an import in a string or a comment is none
	var list []module
	for _, m := range form.FindAllStringSubmatchIndex(text, -1) {
		name := text[m[2]:m[3]]
		if strings.ContainsAny(name, "?!*$") || slices.ContainsFunc(spoken, func(at []int) bool { return at[0] <= m[0] && m[0] < at[1] }) {
			continue
		}
		list = append(list, module{name: name, line: 1 + strings.Count(text[:m[2]], "\n"), files: filesOf(file, name)})
	}
	return list
}

// filesOf lists the files that a module's path can mean.
func filesOf(file, name string) []string {
	list := candidates(file, name, true)
	if path.Ext(file) == ".py" {
		for _, at := range slices.Clone(list) {
			bare := strings.TrimSuffix(at, ".py")
			list = append(list, bare+"/__init__.py", bare, bare+".pyi", bare+".pyx", bare+".so")
		}
		return list
	}
	at := path.Join(path.Dir(file), name)
	for _, ext := range []string{".json", ".node", ".vue", ".svelte", ".cts", ".d.ts", ".css", "/package.json", "/index.mjs", "/index.cjs", "/index.tsx", "/index.jsx"} {
		list = append(list, at+ext)
	}
	for _, ext := range []string{".mjs", ".cjs", ".jsx"} { // TypeScript names what will be compiled
		if bare, ok := strings.CutSuffix(at, ext); ok {
			list = append(list, bare+strings.Replace(ext, "js", "ts", 1))
		}
	}
	return list
}

var (
	// newFile says that the name of a file that follows is one to make.
	newFile = regexp.MustCompile(`(?i)\b(?:new\s+(?:[\w-]+\s+)?(?:file|module|script|header)|creat(?:e|ing)\s+(?:(?:a|an|the|new|source|file|module|script|header)\s+)*|` +
		`(?:mov(?:e|ing)|extract(?:ing)?|split(?:ting)?)\s[^.\n]{1,120}\s(?:in)?to\s+(?:(?:a|an|the|its|their|own|new|separate|file|module|of)\s+)*)` +
		`\s*(?:(?:called|named|at)\s+)?[,:(]?\s*["'` + "`" + `]?$`)
	fileName = regexp.MustCompile(`[\w./-]*\w\.\w{1,8}\b`)
)

// wantedFiles lists the source files that a request asks to make.
func wantedFiles(request string) []string {
	var list []string
	text := wrapped.ReplaceAllString(request[:min(len(request), mostWanted)], "$1 ")
	for _, at := range fileName.FindAllStringIndex(text, -1) {
		name := strings.TrimPrefix(path.Clean(text[at[0]:at[1]]), "./")
		if !syntax.Code(name) || path.IsAbs(name) || strings.HasPrefix(name, "..") || slices.Contains(list, name) {
			continue
		}
		if newFile.MatchString(text[:at[0]]) {
			list = append(list, name)
		}
	}
	return list[:min(len(list), mostNamed)]
}
