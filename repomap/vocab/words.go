package vocab

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	minWord = 2  // shorter ones say nothing
	maxWord = 64 // longer ones are data
)

// wordByte marks the bytes of a word: letters, digits, underscore, dollar, and all of non-ASCII.
var wordByte = func() (t [256]bool) {
	for c := range t {
		t[c] = c == '_' || c == '$' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
	}
	return t
}()

// InWord says that a byte may stand in a word.
func InWord(c byte) bool { return wordByte[c] }

// Words calls f for every word of src, in order. A word begins with no digit.
func Words(src []byte, f func(start, end int)) {
	for i := 0; i < len(src); {
		if !wordByte[src[i]] {
			i++
			continue
		}
		start := i
		for i < len(src) && wordByte[src[i]] {
			i++
		}
		if n := i - start; n >= minWord && n <= maxWord && (src[start] < '0' || src[start] > '9') {
			f(start, i)
		}
	}
}

// Stems splits a word at its humps and underscores and gives the stem of each part: parseURLs is
// pars, url. Words of another script are one part.
func Stems(word string, f func(stem string)) {
	start := 0
	emit := func(end int) {
		if end-start >= minWord {
			f(stem(word[start:end]))
		}
	}
	for i := 0; i < len(word); i++ {
		c := word[i]
		switch {
		case c == '_' || c == '$' || '0' <= c && c <= '9':
			emit(i)
			start = i + 1
		case i > start && isUpper(c) && !isUpper(word[i-1]),
			i > start && isUpper(c) && i+1 < len(word) && isLower(word[i+1]) && !pluralEnds(word, i+1):
			emit(i)
			start = i
		}
	}
	emit(len(word))
}

// pluralEnds tells of the s in URLs: it belongs to the capitals before it.
func pluralEnds(word string, i int) bool {
	return word[i] == 's' && (i+1 == len(word) || !isLower(word[i+1]))
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
func isLower(c byte) bool { return 'a' <= c && c <= 'z' }

// stem takes off the endings of English, so that parse, parser, parsed and parsing are one. It is
// crude on purpose: request and code go through the same knife.
func stem(part string) string {
	s := strings.ToLower(part)
	if len(s) < 4 || !isLower(s[len(s)-1]) {
		return s
	}
	switch {
	case strings.HasSuffix(s, "ies"):
		s = s[:len(s)-3] + "y"
	case strings.HasSuffix(s, "sses"), strings.HasSuffix(s, "xes"), strings.HasSuffix(s, "ches"), strings.HasSuffix(s, "shes"):
		s = s[:len(s)-2]
	case strings.HasSuffix(s, "s") && !strings.HasSuffix(s, "ss") && !strings.HasSuffix(s, "us") && !strings.HasSuffix(s, "is"):
		s = s[:len(s)-1]
	}
	switch s[len(s)-1] {
	case 's', 'n', 'g', 'd', 'r': // most words end otherwise
		s = withoutEnding(s)
	}
	if len(s) > 3 && s[len(s)-1] == 'e' {
		s = s[:len(s)-1]
	}
	return s
}

// withoutEnding takes off the longest of the endings that leaves something like a word.
func withoutEnding(s string) string {
	for _, end := range [...]string{"ations", "ation", "ing", "ion", "ed", "er", "or"} {
		if base, ok := strings.CutSuffix(s, end); ok && len(base) >= 3 && strings.ContainsAny(base, "aeiouy") {
			if n := len(base); n > 3 && base[n-1] == base[n-2] && !strings.ContainsRune("lsz", rune(base[n-1])) {
				return base[:n-1]
			}
			return base
		}
	}
	return s
}

// Plainness holds back names that are words of any comment: is, last, show. A name that someone put
// together, or a long one, stands for itself.
func Plainness(name []byte) float32 {
	for i := 1; i < len(name); i++ {
		if isUpper(name[i]) || name[i] == '_' || '0' <= name[i] && name[i] <= '9' {
			return 1
		}
	}
	switch {
	case len(name) <= 3 || stopWords[string(name)]:
		return 0.1
	case isUpper(name[0]) || len(name) >= 8:
		return 0.8
	}
	return 0.4
}

// Query are the stems of a request, each once, in order of appearance.
func Query(text string) []string {
	var out []string
	seen := map[string]bool{}
	Words([]byte(text), func(start, end int) {
		word := text[start:end]
		if r, _ := utf8.DecodeRuneInString(word); !unicode.IsLetter(r) && r != '_' && r != '$' || stopWords[strings.ToLower(word)] {
			return
		}
		Stems(word, func(s string) {
			if !seen[s] && !stopWords[s] {
				seen[s] = true
				out = append(out, s)
			}
		})
	})
	return out[:min(len(out), MaxQuery)]
}

// MaxQuery bounds the work for a message that is a whole document.
const MaxQuery = 250

// stopWords are words of requests that name nothing in any code.
var stopWords = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`a an and are as at be been being but by can cannot could did do does doesn don for from had
		has have he her his how i if in into is isn it its just like make may me might more most must my need no nor not now of
		off on only or other our out over own please same she should so some such than that the their them then there these they
		this those through to too under until up us very want was way we were what when where which while who whom why will with
		would you your also about after again all any because before below between both down each few here once`) {
		m[w] = true
	}
	return m
}()
