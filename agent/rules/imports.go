package rules

import (
	"path"
	"regexp"
	"strings"
)

// MostImports is how deep imports of imports go.
const MostImports = 5

// imported is a path behind an @ that begins a word.
var imported = regexp.MustCompile(`(?:^|[\s(])@([A-Za-z0-9_.][A-Za-z0-9_./-]*)`)

// codeSpan is code within a line.
var codeSpan = regexp.MustCompile("`[^`]*`")

// Imports returns the files that a CLAUDE.md, or a file imported by one, takes in by @path, relative to the
// root. What stands in code is no import, and what leads out of the root or is an address of somebody is none.
func Imports(file, text string) []string {
	var list []string
	fence := ""
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		if mark := fenceMark(trimmed); mark != "" {
			switch {
			case fence == "":
				fence = mark
			case strings.HasPrefix(mark, fence) && strings.Trim(trimmed, fence[:1]) == "":
				fence = ""
			}
			continue
		}
		if fence != "" {
			continue
		}
		for _, m := range imported.FindAllStringSubmatch(codeSpan.ReplaceAllString(line, "`"), -1) {
			to := path.Join(path.Dir(file), strings.TrimRight(m[1], ".,;:"))
			if to != "." && to != ".." && !strings.HasPrefix(to, "../") {
				list = append(list, to)
			}
		}
	}
	return list
}

// fenceMark is the run of backticks or tildes that begins a fence; "" for none.
func fenceMark(line string) string {
	for _, c := range []string{"`", "~"} {
		if mark := line[:len(line)-len(strings.TrimLeft(line, c))]; len(mark) >= 3 {
			return mark
		}
	}
	return ""
}
