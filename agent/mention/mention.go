// Package mention finds names in prose: files that a text speaks of, and identifiers.
//
// It compares text with text and knows neither disks nor models: package agent hands it a model's
// reply or a user's request together with the names it knows, to offer files and to steer the
// repository map. Start at Files.
package mention

import (
	"iter"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Files returns the candidates that the text names, sorted. A candidate is named by its whole path,
// or by its base name when that looks like a file name (it has a dot, a dash or an underscore) and
// no other file shares it: no other candidate, and none of the known ones, which the text may as well mean.
func Files(text string, candidates []string, known ...string) []string {
	return FilesOf(text, slices.Values(candidates), known...)
}

// FilesOf is Files for candidates that come one by one, such as all files of a large repository. Only those that
// are named are kept.
func FilesOf(text string, candidates iter.Seq[string], known ...string) []string {
	words := map[string]bool{} // true: may be a base name
	for _, w := range Words(text) {
		words[w] = !strings.Contains(w, "/") && strings.ContainsAny(w, ".-_")
	}
	found := map[string]bool{}
	sharing := map[string]map[string]bool{} // the paths that a word is the base name of; true: a candidate
	look := func(path string, candidate bool) {
		base := path[strings.LastIndexByte(path, '/')+1:]
		if mayBe := words[base]; mayBe && !sharing[base][path] {
			if sharing[base] == nil {
				sharing[base] = map[string]bool{}
			}
			sharing[strings.Clone(base)][strings.Clone(path)] = candidate
		}
		if _, named := words[path]; named && candidate {
			found[strings.Clone(path)] = true
		}
	}
	if len(words) > 0 {
		for path := range candidates {
			look(path, true)
		}
	}
	for _, path := range known {
		look(path, false)
	}
	for _, paths := range sharing {
		for path, candidate := range paths {
			if candidate && len(paths) == 1 {
				found[path] = true
			}
		}
	}
	names := slices.AppendSeq(make([]string, 0, len(found)), maps.Keys(found))
	slices.Sort(names)
	return names
}

// Explicit returns what a text names behind an at sign, as in "@agent/map.go" and "@Session", in its order, each
// once. An address of mail names nothing.
func Explicit(text string) []string {
	var list []string
	for _, m := range explicit.FindAllStringSubmatch(text, -1) {
		name := strings.TrimRight(strings.ReplaceAll(m[1], `\`, "/"), ".,:;!?*_~")
		for strings.HasPrefix(name, "./") {
			name = name[2:]
		}
		if name != "" && !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

var explicit = regexp.MustCompile("(?:^|[\\s(\\[{\"'`*,;])@([^\\s@()\\[\\]{}<>\"'`,;|]+)")

// Words returns the words of a text that could be the name of a file, in their order, each once:
// cut at white space, quotes, brackets and commas, with decoration, a leading "./" and line numbers
// ("a.go:12") taken off and backslashes turned round.
func Words(text string) []string {
	seen := map[string]bool{}
	var list []string
	for _, w := range strings.FieldsFunc(text, separates) {
		for _, name := range []string{w, beforeColon(w), strings.TrimPrefix(w, "@"), strings.TrimPrefix(beforeColon(w), "@")} {
			name = clean(name)
			if name != "" && !seen[name] && strings.ContainsFunc(name, unicode.IsLetter) {
				seen[name] = true
				list = append(list, name)
			}
		}
	}
	return list
}

// Identifiers returns the maximal runs of letters, digits and underscores that do not begin with a
// digit and are at least two long, in their order, each once.
func Identifiers(text string) []string {
	seen := map[string]bool{}
	var list []string
	for _, w := range strings.FieldsFunc(text, func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		first, size := utf8.DecodeRuneInString(w)
		if size == len(w) || unicode.IsDigit(first) || seen[w] {
			continue
		}
		seen[w] = true
		list = append(list, w)
	}
	return list
}

func separates(r rune) bool {
	return unicode.IsSpace(r) || strings.ContainsRune("`'\"“”‘’«»()[]{}<>,;|", r)
}

func beforeColon(w string) string {
	name, _, _ := strings.Cut(w, ":")
	return name
}

func clean(w string) string {
	w = strings.TrimRight(w, ".!?:*_~")
	w = strings.TrimLeft(w, "*~")
	w = strings.ReplaceAll(w, `\`, "/")
	for strings.HasPrefix(w, "./") {
		w = w[2:]
	}
	return w
}
