package rules

import (
	"fmt"
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// head is what stands between two lines of --- at the beginning of a rules file, by lower-cased name. It is
// read line by line and not as YAML, because the globs that people write there without quotes are none: a star
// begins an alias.
type head map[string][]string

// first is the one value of a field, "" for none.
func (h head) first(name string) string {
	if list := h[strings.ToLower(name)]; len(list) > 0 {
		return strings.Join(list, ", ")
	}
	return ""
}

// splitHead takes the head off a text. Without a closing line there is no head.
func splitHead(text string) (head, string) {
	text = strings.TrimPrefix(strings.ReplaceAll(text, "\r\n", "\n"), "\ufeff")
	rest, found := strings.CutPrefix(text, "---\n")
	if !found {
		return nil, text
	}
	lines := strings.SplitAfter(rest, "\n")
	h, at := head{}, ""
	for i, line := range lines {
		trimmed := strings.TrimSpace(line)
		if strings.TrimRight(line, " \t\n") == "---" {
			return h, strings.TrimLeft(strings.Join(lines[i+1:], ""), "\n")
		}
		if item, ok := strings.CutPrefix(trimmed, "- "); ok && at != "" {
			h[at] = append(h[at], values(item)...)
			continue
		}
		name, value, ok := strings.Cut(trimmed, ":")
		if !ok || strings.HasPrefix(trimmed, "#") {
			continue
		}
		at = strings.ToLower(strings.TrimSpace(name))
		if at == "description" {
			h[at] = []string{unquoted(value)}
		} else {
			h[at] = append(h[at], values(value)...)
		}
	}
	return nil, text
}

// values are the parts of a list that is written with commas, with or without brackets and quotes. A comma in
// braces belongs to its glob.
func values(s string) []string {
	s = strings.TrimSpace(s)
	if strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]") {
		s = s[1 : len(s)-1]
	}
	s = unquoted(s)
	var list []string
	depth, from := 0, 0
	for i := 0; i <= len(s); i++ {
		if i < len(s) {
			switch s[i] {
			case '{':
				depth++
			case '}':
				depth--
			}
			if s[i] != ',' || depth > 0 {
				continue
			}
		}
		if value := unquoted(s[from:i]); value != "" {
			list = append(list, value)
		}
		from = i + 1
	}
	return list
}

// unquoted takes a pair of quotes off, if it is one around the whole.
func unquoted(s string) string {
	s = strings.TrimSpace(s)
	if len(s) >= 2 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] && strings.Count(s, s[:1]) == 2 {
		return strings.TrimSpace(s[1 : len(s)-1])
	}
	return s
}

// anywhere is how a glob without a slash is meant in .cursor/rules: of a name in any folder.
func anywhere(glob string) string {
	if !strings.Contains(strings.TrimSuffix(glob, "/"), "/") {
		return "**/" + glob
	}
	return glob
}

// fromRoot is how all globs are meant in .github/instructions.
func fromRoot(glob string) string { return glob }

// fits says whether one of the globs fits one of the files, else why not.
func fits(globs, files []string, meant func(string) string) (bool, string) {
	var bad []string
	for _, glob := range globs {
		pattern := strings.TrimPrefix(strings.TrimPrefix(glob, "./"), "/")
		pattern = meant(pattern)
		if strings.HasSuffix(pattern, "/") {
			pattern += "**"
		}
		if !doublestar.ValidatePattern(pattern) {
			bad = append(bad, glob)
			continue
		}
		for _, file := range files {
			if ok, err := doublestar.Match(pattern, path.Clean(file)); ok && err == nil {
				return true, ""
			}
		}
	}
	if len(bad) > 0 {
		return false, fmt.Sprintf("its glob %q is invalid", bad[0])
	}
	return false, "it applies to " + strings.Join(globs, ", ") + ", but no file in the context matches"
}
