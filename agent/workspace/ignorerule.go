package workspace

import (
	"fmt"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// IgnoreRules are those of the ignore files of one folder, with the meaning that git gives them. The zero value has none.
type IgnoreRules struct {
	rules []ignoreRule
}

// Add reads the rules of a text behind those that are there. It fails where there are more than 10,000; those hold.
func (r *IgnoreRules) Add(text, file string) error {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		for strings.HasSuffix(line, " ") && !strings.HasSuffix(line, `\ `) {
			line = line[:len(line)-1]
		}
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if len(r.rules) == maxIgnoreRules {
			return fmt.Errorf("%s has more than %d rules", file, maxIgnoreRules)
		}
		r.rules = append(r.rules, parseRule(line, file))
	}
	return nil
}

// Judge gives the file whose rule has the last word on a path relative to the folder, "" where none speaks of it, and
// whether that ignores it. That nothing comes back below an ignored folder is for who asks.
func (r *IgnoreRules) Judge(rel string, isDir bool) (file string, ignored bool) {
	base := rel[strings.LastIndexByte(rel, '/')+1:]
	for k := len(r.rules) - 1; k >= 0; k-- {
		if rule := &r.rules[k]; rule.fits(rel, base, isDir) {
			return rule.file, !rule.negated
		}
	}
	return "", false
}

// ignoreRule is one line of an ignore file with the meaning that git gives it. A rule speaks of the path
// that it fits, not of what lies below: that nothing comes back below an ignored folder is for who asks.
type ignoreRule struct {
	file     string // in which it stands
	prefix   string // the text before the first wildcard, which git compares by itself
	glob     string // the rest, in the syntax of doublestar; "" for none
	negated  bool   // it takes back what an earlier one said
	dirOnly  bool
	anchored bool // it fits the whole path from the folder of its file on, else the last name
}

// parseRule reads a line without its end and its trailing blanks.
func parseRule(line, file string) ignoreRule {
	r := ignoreRule{file: file}
	line, r.negated = strings.CutPrefix(line, "!")
	line, r.dirOnly = strings.CutSuffix(line, "/")
	line, r.anchored = strings.CutPrefix(line, "/")
	r.anchored = r.anchored || strings.Contains(line, "/")
	if inside, all := strings.CutSuffix(line, "/**"); all {
		line = inside + "/**/*" // the folder itself is not meant
	}
	r.prefix = line
	if i := strings.IndexAny(line, `*?[\`); i >= 0 {
		r.prefix, r.glob = line[:i], posixClasses.Replace(braces.Replace(line[i:]))
	}
	return r
}

// git knows no alternatives in braces, and doublestar does not know the classes of POSIX.
var (
	braces       = strings.NewReplacer(`\{`, `\{`, `\}`, `\}`, `{`, `\{`, `}`, `\}`)
	posixClasses = strings.NewReplacer("[:alpha:]", "a-zA-Z", "[:digit:]", "0-9", "[:alnum:]", "a-zA-Z0-9", "[:upper:]", "A-Z", "[:lower:]", "a-z",
		"[:xdigit:]", "0-9A-Fa-f", "[:blank:]", " \t", "[:space:]", " \t\n\v\f\r", "[:punct:]", "!-,./:-@[-`{-~\\-")
)

// fits says whether the rule speaks of a path. rel is relative to the folder of the rule's file, base is its
// last name.
func (r *ignoreRule) fits(rel, base string, isDir bool) bool {
	if r.dirOnly && !isDir {
		return false
	}
	name := base
	if r.anchored {
		name = rel
	}
	rest, ok := strings.CutPrefix(name, r.prefix)
	if !ok || r.glob == "" {
		return ok && rest == ""
	}
	ok, err := doublestar.Match(r.glob, rest)
	return ok && err == nil // git, too, lets a malformed rule fit nothing
}
