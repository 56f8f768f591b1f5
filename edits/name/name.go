// Package name reads the names of files as models write them: on a line above a fence, in a header, on a
// fence, in a comment, as an argument.
//
// A name is the whole of what the format says, blanks and any script included. What is put around it is
// taken off (Clean has the list), and nothing else is a name: prose is not searched for one. Which file a
// name stands for, and what becomes of one that is no file, is decided in package edits. The package knows
// no format and no file but through Known; the format folders of package edits and edits itself call it.
// Start at Line and Argument.
package name

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Known says whether a path, relative to the root, is a file of the project.
type Known func(path string) bool

// longest is how many bytes a line with a name may have: no path is longer.
const longest = 1024

// Line reads a line that stands above a fence or a block. It holds a name if what is left of it is a known
// file, or looks like a path and has no blank or was quoted or labelled as a whole. Everything else is prose.
func Line(text string, known Known) (string, bool) {
	name, around, ok := clean(text, known)
	switch {
	case !ok:
		return "", false
	case known(name):
		return name, true
	case !LooksLikePath(name) && (!around.quoted && name != text || !inDirectory(name)):
		return "", false // "Input/Output:" is a heading, "bin/run" alone on its line is none
	case !strings.ContainsFunc(name, unicode.IsSpace):
		return name, true
	case !around.quoted && !around.labelled:
		return "", false
	}
	if first, _, _ := strings.Cut(name, " "); programs[first] {
		return "", false
	}
	return name, true
}

// programs begin commands, which models quote as they quote names: `python app.py`.
var programs = wordSet("python python3 py pip pip3 pytest node npm npx yarn pnpm bun deno tsc go cargo rustc ruby rails bundle php composer java javac mvn gradle dotnet " +
	"git bash sh zsh source sudo cat cp mv rm mkdir touch cd ls chmod curl wget make cmake gcc g++ clang docker kubectl perl lua swift kotlinc R julia psql mysql sqlite3 open code vim nano echo sed awk grep patch diff $ > %")

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

// InProse says whether a word of a line looks like a path, or is a known file, and is not the one given: the line may
// be meant to name it.
func InProse(text, but string, known Known) bool {
	if len(text) > longest {
		return false
	}
	return slices.ContainsFunc(strings.Fields(text), func(word string) bool {
		word = strings.Trim(word, "`*_\"'()[]{}<>.,:;!?：，。“”‘’«»「」")
		return word != but && (LooksLikePath(word) || word != "" && known(Slashed(word)))
	})
}

// inDirectory says whether a name has a directory, and what is no word otherwise could be the name in it.
func inDirectory(name string) bool {
	return name[0] != '$' && LooksLikePath("./"+name) && strings.Contains(name, "/")
}

// Argument reads what stands where the format has a name and nothing else: behind "*** Update File:", in an
// argument of a tool call. It is "" if nothing is left.
func Argument(text string, known Known) string {
	name, _, ok := clean(text, known)
	if !ok {
		return ""
	}
	return name
}

// Pair reads the two names in the header of a diff. Also the date behind a tab is taken off them, the quotes
// of git are undone, and "a/" and "b/" go where both have them, or where one has it and is no file.
func Pair(old, new string, known Known) (string, string) {
	old, new = header(old), header(new)
	o, isA := strings.CutPrefix(old, "a/")
	n, isB := strings.CutPrefix(new, "b/")
	if (isA || old == null) && (isB || new == null) {
		return Argument(o, known), Argument(n, known)
	}
	return sided(old, known), sided(new, known)
}

// header is a name with what only diffs put around it taken off. It is not clean yet: "b/../x" is "../x".
func header(text string) string {
	text, _, _ = strings.Cut(text, "\t")
	return strings.Trim(unquoted(strings.TrimSpace(text)), "`\"")
}

// sided takes "a/" or "b/" off a name that is no file.
func sided(text string, known Known) string {
	whole := Argument(text, known)
	for _, side := range []string{"a/", "b/"} {
		if rest, ok := strings.CutPrefix(text, side); ok && rest != "" && !known(whole) {
			return Argument(rest, known)
		}
	}
	return whole
}

// Info reads what follows an opening fence. It names a file only if all of it, one of its words or the value
// of an attribute is exactly a known one: "python app.py", "python:app.py", `title="app.py"`.
func Info(info string, known Known) (string, bool) {
	if info == "" || len(info) > longest {
		return "", false
	}
	for _, m := range attribute.FindAllStringSubmatch(info, -1) {
		if name := Slashed(m[1] + m[2]); name != "" && known(name) {
			return name, true
		}
	}
	try := []string{info}
	if _, rest, ok := strings.Cut(info, " "); ok {
		try = append(try, strings.TrimSpace(rest))
	}
	for _, word := range append(try, strings.Fields(info)...) {
		word = strings.Trim(word, "\"'`{}")
		if _, value, ok := strings.Cut(word, "="); ok {
			word = strings.Trim(value, "\"'`{}")
		}
		if _, after, ok := strings.Cut(word, ":"); ok && !known(Slashed(word)) {
			word = after
		}
		if word = Slashed(word); word != "" && known(word) {
			return word, true
		}
	}
	return "", false
}

var attribute = regexp.MustCompile(`[\w-]+\s*=\s*(?:"([^"]+)"|'([^']+)')`)

// Comment reads the first line of a listing. It names a file if it is only a comment with a known path.
func Comment(text string, known Known) (string, bool) {
	text = strings.TrimSpace(text)
	if len(text) > longest || strings.HasPrefix(text, "#!") {
		return "", false
	}
	inner, ok := uncomment(text)
	if !ok {
		if inner, ok = strings.CutPrefix(text, "#"); !ok {
			return "", false
		}
	}
	name, _, ok := clean(inner, known)
	return name, ok && known(name)
}

// Slashed is a path with slashes, without "./" before it and with nothing in it that path.Clean takes out.
func Slashed(text string) string {
	if text = strings.ReplaceAll(text, `\`, "/"); text == "" {
		return ""
	}
	return path.Clean(text)
}

// Below is a name as a path relative to the root. An absolute one must lie below the root, which may be ""
// where nobody knows it; rooted says that a leading slash stands for the root itself. It is false for a
// name that is no file below the root: one outside of it, the root, the null device.
func Below(name, root string, rooted bool) (string, bool) {
	name = Slashed(name)
	if absolute(name) {
		rest, ok := strings.CutPrefix(name, strings.TrimSuffix(Slashed(root), "/")+"/")
		switch {
		case ok && root != "":
			name = rest
		case rooted && name[0] == '/' && name != null:
			name = strings.TrimLeft(name, "/")
		default:
			return name, false
		}
	}
	outside := name == "" || name == "." || name == ".." || strings.HasPrefix(name, "../") || name == "~" || strings.HasPrefix(name, "~/")
	return name, !outside
}

// null is what diffs write for a file that is not there.
const null = "/dev/null"

// absolute says whether a path with slashes begins at a root, of a drive too.
func absolute(name string) bool {
	return strings.HasPrefix(name, "/") || drive(name)
}

// drive says whether a path with slashes begins with the letter of a drive.
func drive(name string) bool {
	return len(name) > 2 && name[1] == ':' && name[2] == '/' && 'a' <= name[0]|0x20 && name[0]|0x20 <= 'z'
}

// bare are files that have neither an extension nor a directory.
var bare = wordSet("makefile dockerfile containerfile readme license licence copying changelog notice authors contributing procfile gemfile rakefile vagrantfile jenkinsfile justfile " +
	"brewfile codeowners build workspace caddyfile podfile")

// LooksLikePath says whether a text looks like the path of a file: its last part has an extension, or is one
// of the few that need none, or it begins with the sign of a directory. Words with a slash between them do not.
func LooksLikePath(text string) bool {
	text = strings.ReplaceAll(text, `\`, "/")
	if drive(text) {
		text = text[2:]
	}
	if text == "" || len(text) > 255 || !utf8.ValidString(text) || strings.ContainsAny(text, "*?\"<>|;:：!=\x00") || text[0] == '$' || strings.Contains(text, "](") || strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		return false
	}
	base := path.Base(text)
	if strings.HasSuffix(text, "/") || strings.HasSuffix(text, ".") || strings.HasSuffix(text, ",") || base == ".." {
		return false
	}
	if bare[strings.ToLower(base)] {
		return true
	}
	ext := path.Ext(base)
	if n := utf8.RuneCountInString(ext); n > 1 && n <= 16 && isWord(ext[1:]) {
		return true
	}
	for _, sign := range []string{"./", "../", "/", "."} {
		if rest, ok := strings.CutPrefix(text, sign); ok {
			return strings.Contains(rest, "/")
		}
	}
	return false
}

// isWord says whether an extension is one: letters, digits and a few signs, but not digits alone.
func isWord(s string) bool {
	for _, c := range s {
		if c != '_' && c != '-' && c != '+' && c != '~' && !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			return false
		}
	}
	return strings.Trim(s, "0123456789") != ""
}
