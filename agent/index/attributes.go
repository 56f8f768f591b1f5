package index

import (
	"bytes"
	"context"
	"path"
	"strconv"
	"strings"

	"coauthor/agent/workspace"
	"coauthor/repomap"
)

// attributesFile is where git reads what a project says of its files.
const attributesFile = ".gitattributes"

// mostAttributes is how large such a file is that is read.
const mostAttributes = 256 << 10

// The attributes by which a project says which files a program or somebody else wrote. GitHub hides those from its diffs.
const (
	attributeMade     = "linguist-generated"
	attributeVendored = "linguist-vendored"
)

// markSeparator stands in the ID of a marked file behind the identity, which has none, so that the file is read again when
// its mark changes.
const markSeparator = "/"

// attributes are what the file of one folder says.
type attributes struct {
	dir            string // of the file, with a slash at the end; "" is the root
	made, vendored workspace.IgnoreRules
}

// mark notes of each file what the .gitattributes files among them say of it. They have the meaning that git gives them, but
// for macros, which are left out: a deeper file has the last word, in a file a later line.
func (s *source) mark(ctx context.Context, files []repomap.File) {
	var all []*attributes // by path, and so a folder before those below it
	for _, f := range files {
		if path.Base(f.Path) != attributesFile || f.Size > mostAttributes {
			continue
		}
		if text, err := s.Read(ctx, f.Path, nil); err == nil { // one that is gone says nothing
			if a := readAttributes(strings.TrimSuffix(f.Path, attributesFile), text); a != nil {
				all = append(all, a)
			}
		}
	}
	if len(all) == 0 {
		return
	}
	for i := range files {
		f := &files[i]
		for _, a := range all {
			if rest, below := strings.CutPrefix(f.Path, a.dir); below {
				judge(&a.made, rest, &f.Made)
				judge(&a.vendored, rest, &f.Vendored)
			}
		}
		switch {
		case f.Made:
			f.ID += markSeparator + attributeMade
		case f.Vendored:
			f.ID += markSeparator + attributeVendored
		}
	}
}

func judge(rules *workspace.IgnoreRules, rel string, to *bool) {
	if file, yes := rules.Judge(rel, false); file != "" {
		*to = yes
	}
}

// readAttributes reads what is said of files that somebody else or a program wrote; nil is nothing.
func readAttributes(dir string, text []byte) *attributes {
	if !bytes.Contains(text, []byte("linguist-")) {
		return nil
	}
	a := &attributes{dir: dir}
	for line := range strings.Lines(string(text)) {
		pattern, said := patternOf(line)
		if pattern == "" || strings.HasPrefix(pattern, "!") || strings.HasPrefix(pattern, "[attr]") { // git takes the first back, too
			continue
		}
		for _, word := range strings.Fields(said) {
			a.say(pattern, word)
		}
	}
	return a
}

// patternOf splits a line. A comment and an empty line have no pattern.
func patternOf(line string) (pattern, said string) {
	line = strings.TrimLeft(strings.TrimRight(line, "\r\n"), " \t")
	if strings.HasPrefix(line, "#") {
		return "", ""
	}
	if quoted, err := strconv.QuotedPrefix(line); err == nil && line[0] == '"' {
		if pattern, err = strconv.Unquote(quoted); err == nil && strings.TrimSpace(pattern) == pattern && !strings.ContainsAny(pattern, "\r\n") {
			return pattern, line[len(quoted):]
		}
		return "", ""
	}
	end := strings.IndexAny(line, " \t")
	if end < 0 {
		return "", ""
	}
	return line[:end], line[end:]
}

// say takes in one attribute of a pattern: name, name=value, -name or !name.
func (a *attributes) say(pattern, word string) {
	name, value, _ := strings.Cut(strings.TrimLeft(word, "-!"), "=")
	rules := &a.made
	switch name {
	case attributeMade:
	case attributeVendored:
		rules = &a.vendored
	default:
		return
	}
	if word[0] == '-' || word[0] == '!' || value == "false" {
		pattern = "!" + pattern
	}
	_ = rules.Add(pattern, attributesFile) // beyond ten thousand lines it is not worth a word
}
