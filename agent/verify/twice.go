package verify

import (
	"context"
	"fmt"
	"path"
	"strings"

	"coauthor/edits"
	"coauthor/repomap/syntax"
)

// Twice returns the check for definitions that a change makes a second time in the same place: the copy of a
// function that was to be replaced, or one that took the name of its neighbour. In Go the compiler refuses it; in
// Python and in scripts the later one silently wins, so there the model is asked once. Languages with overloading
// are left out, and so is what stands under a condition or a decorator.
func Twice() Check { return Check{Name: "duplicates", From: Syntax, Run: twice} }

func twice(ctx context.Context, in Input) ([]Finding, error) {
	var list []Finding
	for _, c := range in.Changes {
		file := pathOf(c)
		if err := ctx.Err(); err != nil {
			return list, err
		}
		sure := path.Ext(file) == ".go"
		if c.Op == edits.OpDelete || c.Before == c.After || !sure && !bindsNames(file) {
			continue
		}
		before, err := definitionsOf(ctx, c.Path, c.Before)
		if err != nil {
			return list, err
		}
		after, err := definitionsOf(ctx, file, c.After)
		if err != nil {
			return list, err
		}
		had := map[string]int{}
		for _, d := range before {
			if plainDefinition(c.Before, d) {
				had[d.full()]++
			}
		}
		first := map[string]int{} // line
		count := map[string]int{}
		for _, d := range after {
			if !plainDefinition(c.After, d) {
				continue
			}
			line, name := 1+strings.Count(c.After[:d.from], "\n"), d.full()
			if count[name]++; count[name] == 1 {
				first[name] = line
				continue
			}
			if count[name] == 2 && had[name] < 2 {
				broken, err := syntax.Errors(ctx, file, []byte(c.After))
				if err != nil || len(broken) > 0 {
					break // what a file that does not parse defines is a guess
				}
				list = append(list, Finding{Check: "duplicates", Path: file, First: line, Last: line, Once: !sure,
					Text: twiceText(line, name, first[name], sure)})
			}
		}
	}
	return list, nil
}

func twiceText(line int, name string, first int, sure bool) string {
	text := fmt.Sprintf("line %d defines %s, which line %d defines already", line, name, first)
	if !sure {
		text += "." // a question follows
	}
	return text
}

// plainDefinition says whether a definition stands by itself, so that a second one of its name takes its place.
func plainDefinition(text string, d definition) bool {
	from := strings.LastIndexByte(text[:d.from], '\n') + 1
	above := strings.TrimSpace(text[strings.LastIndexByte(text[:max(0, from-1)], '\n')+1 : max(0, from-1)])
	indented := strings.TrimLeft(text[from:d.from], " \t") != text[from:d.from]
	switch ext := path.Ext(d.file); {
	case ext == ".go":
		return d.name != "_" && d.name != "init"
	case strings.HasPrefix(strings.TrimSpace(d.text), "@"), strings.HasPrefix(above, "@"):
		return false
	case ext == ".py":
		return strings.HasPrefix(strings.TrimPrefix(d.line, "async "), "def ") && (d.owner != "") == indented &&
			!underCondition(text[:from], indentOf(text[from:]))
	}
	// A signature without a body is an overload, and a property has a getter and a setter.
	for _, w := range strings.Fields(d.line) {
		if w == "get" || w == "set" || w == "static" || w == "declare" || w == "interface" || w == "namespace" || w == "type" {
			return false
		}
	}
	return strings.Contains(d.text, "{") && (d.owner != "") == indented
}

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// underCondition says whether the statement above of which a Python line is a part is anything but a class.
func underCondition(above string, indent int) bool {
	for indent > 0 && above != "" {
		end := strings.TrimRight(above, "\n")
		from := strings.LastIndexByte(end, '\n') + 1
		line := end[from:]
		above = end[:from]
		if strings.TrimSpace(line) == "" || indentOf(line) >= indent {
			continue
		}
		if !strings.HasPrefix(strings.TrimSpace(line), "class ") {
			return !strings.HasPrefix(strings.TrimSpace(line), ")") // the end of a head over several lines
		}
		return false
	}
	return false
}
