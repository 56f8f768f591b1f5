// Package mention finds names in prose: files that a text speaks of, and identifiers.
//
// It compares text with text and knows neither disks nor models: package agent hands it a model's
// reply or a user's request together with the names it knows, to offer files and to steer the
// repository map. Start at Files.
package mention

import (
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Files returns the candidates that the text names, sorted. A candidate is named by its whole path,
// or by its base name when that looks like a file name (it has a dot, a dash or an underscore) and
// no other file shares it: no other candidate, and none of the known ones, which the text may as well mean.
func Files(text string, candidates []string, known ...string) []string {
	byPath, seen := map[string]bool{}, map[string]bool{}
	byBase := map[string][]string{}
	for i, c := range slices.Concat(candidates, known) {
		if i < len(candidates) {
			byPath[c] = true
		}
		if !seen[c] {
			seen[c] = true
			byBase[path.Base(c)] = append(byBase[path.Base(c)], c)
		}
	}
	found := map[string]bool{}
	for _, w := range Words(text) {
		switch {
		case byPath[w]:
			found[w] = true
		case !strings.Contains(w, "/") && strings.ContainsAny(w, ".-_") && len(byBase[w]) == 1 && byPath[byBase[w][0]]:
			found[byBase[w][0]] = true
		}
	}
	names := make([]string, 0, len(found))
	for f := range found {
		names = append(names, f)
	}
	slices.Sort(names)
	return names
}

// Words returns the words of a text that could be the name of a file, in their order, each once:
// cut at white space, quotes, brackets and commas, with decoration, a leading "./" and line numbers
// ("a.go:12") taken off and backslashes turned round.
func Words(text string) []string {
	seen := map[string]bool{}
	var list []string
	for _, w := range strings.FieldsFunc(text, separates) {
		for _, name := range []string{w, beforeColon(w)} {
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
