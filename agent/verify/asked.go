package verify

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// request is what a user asked for, read for one question only: does it explain that a definition is
// gone? Words are English, and the answer is meant for a question back or a warning, never a refusal.
type request struct {
	clauses []clause
	all     []definition // of the old files
}

// clause is a sentence that speaks of taking away, renaming, moving or rewriting.
type clause struct {
	words []string // all of the sentence
	stems map[string]bool
	free  bool // it leaves open of what, or speaks of code as such
	moves bool // it speaks of moving alone: what moves stands elsewhere afterwards
}

// The words for it, from their first letters on. Many also say what a program shall do ("strip the
// blanks", "move to the next line"), so they explain only what their sentence names.
var (
	// rewritten are words for writing code again: alone, or about "this", they mean all of it.
	rewritten = regexp.MustCompile(`(?i)^(?:re-?writ|re-?wrote|refactor|restructur|reorgani[sz]|re-?work|redesign|overhaul|re-?implement|moderni[sz]|` +
		`clean|cleanup$|tidy|simplif|shorten|condens|streamlin|dedup|revert|undo$|scratch$)`)
	// away are words for taking away and renaming: about "it", they mean what was spoken of before.
	away = regexp.MustCompile(`(?i)^(?:remov|delet|drop(?:s|ped|ping)?$|eliminat|discard|purg(?:e|ing)|prun(?:e|ing)|eras(?:e|ing)|wip(?:e|ing)|rid$|retir|abandon|renam)`)
	// otherwise says it only together with what is taken away, moved, or turned into something else.
	otherwise = regexp.MustCompile(`(?i)^(?:replac|substitut|swap|instead$|rather$|supersed|becom|` +
		`merg|inlin|extract|factor|hoist|split|combin|unif(?:y|ied|ies)|consolidat|collaps|fold(?:s|ed|ing)?$|reduc|` +
		`convert|transform|migrat|port(?:s|ed|ing)?$|turn$|switch|strip|throw$|kill|cut$|without$|hid(?:e|den)$|` +
		`privat|public$|export|unexport|` +
		`unused$|dead$|obsolete$|deprecat|redundant|superfluous|unneeded$|unnecessary$|needless|legacy$|outdated$|stale$|longer$)`)
	// moving are words for another place. What they are about is found there, so they explain only the
	// end of what they name: never of code as such, nor of all that stands in a file.
	moving = regexp.MustCompile(`(?i)^(?:mov(?:e|es|ed|ing)$|relocat|transfer)`)
)

// exception stands before what is to stay.
var exception = regexp.MustCompile(`(?i)^(?:except|but|besides|keep)`)

// stops end what such a word is about.
var stops = map[string]bool{"from": true, "in": true, "into": true, "to": true, "with": true, "by": true, "for": true, "on": true, "at": true,
	"so": true, "that": true, "which": true, "when": true, "if": true, "inside": true, "within": true, "before": true, "after": true,
	"as": true, "because": true, "since": true, "using": true, "where": true}

// passed stand before what a word is about and say nothing.
var passed = map[string]bool{"the": true, "a": true, "an": true, "of": true, "up": true, "out": true, "away": true, "some": true, "our": true,
	"my": true, "its": true, "their": true, "old": true, "any": true, "back": true, "down": true, "needed": true, "required": true, "used": true,
	"please": true, "too": true, "also": true, "only": true}

// codeWords stand for definitions without naming one.
var codeWords = stemSet("function method class struct type interface enum trait module macro definition declaration code helper routine " +
	"procedure subroutine implementation wrapper handler feature support api file test " +
	"duplicate duplication boilerplate stub abstraction constructor getter setter accessor property endpoint command component hook " +
	"mixin base layer variant overload shim backend mock fixture stuff logic")

// pointing are words for what was spoken of before, or for all there is.
var pointing = stemSet("it them this these those both that everything all rest thing part")

// plain are words of names that say too little to know a definition by.
var plain = stemSet("get set is has do new make to from of on in at by for with and or the a an not run add all test main init")

func stemSet(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[stem(w)] = true
	}
	return m
}

var (
	sentence = regexp.MustCompile(`[.!?;:]\s|\n`)
	wrapped  = regexp.MustCompile(`([^\n]{50}[^\s.!?;:])\n`) // a long line goes on in the next one
	word     = regexp.MustCompile(`[\pL\pN_$][\pL\pN_$'-]*`)
	part     = regexp.MustCompile(`\p{Lu}+[\p{Ll}\pN]*|[\p{Ll}\pN]+`)
)

func readRequest(asked string, all []definition) request {
	r := request{all: all}
	known := map[string]bool{}
	for _, d := range all {
		known[d.name] = true
	}
	alone := len(word.FindAllString(asked, 2)) == 1 // the request is one word
	for _, text := range sentence.Split(wrapped.ReplaceAllString(asked, "$1 "), -1) {
		words := word.FindAllString(text, -1)
		c := clause{words: words, stems: map[string]bool{}}
		speaks, moves, names, spares := false, false, false, false
		for i, w := range words {
			spares = spares || exception.MatchString(w)
			names = names || known[w] && !codeWords[stem(w)] && !pointing[stem(w)]
			for _, p := range parts(w) {
				c.stems[p] = true
			}
			if known[w] {
				continue
			}
			nothing, points, code := about(words[i+1:])
			switch {
			case rewritten.MatchString(w):
				speaks, c.free = true, c.free || nothing || points || code
			case away.MatchString(w):
				speaks, c.free = true, c.free || points || code || alone
			case otherwise.MatchString(w):
				speaks, c.free = true, c.free || code
			case moving.MatchString(w):
				moves = true
			}
		}
		if names && !spares {
			c.free = false // it says which ones
		}
		if c.moves = moves && !speaks; c.moves || speaks {
			r.clauses = append(r.clauses, c)
		}
	}
	return r
}

// about says what follows such a word: nothing, a word that points at something, or code as such.
func about(rest []string) (nothing, points, code bool) {
	n := 0
	for _, w := range rest {
		low := strings.ToLower(w)
		if passed[low] {
			continue
		}
		if stops[low] || low == "and" && n == 0 {
			break
		}
		if n++; n > 6 {
			break
		}
		points = points || n == 1 && pointing[stem(w)]
		code = code || slices.ContainsFunc(parts(w), func(p string) bool { return codeWords[p] })
	}
	return n == 0, points, code
}

// unasked leaves out the definitions whose end the request explains: those it speaks of, what
// belongs to them, and what they alone were there for.
func (r *request) unasked(gone []definition) []definition {
	if slices.ContainsFunc(r.clauses, func(c clause) bool { return c.free }) {
		return nil
	}
	explained := make([]bool, len(gone))
	for i, d := range gone {
		explained[i] = slices.ContainsFunc(r.clauses, func(c clause) bool { return c.means(d) })
	}
	for again := true; again; {
		again = false
		for i, d := range gone {
			for k, by := range gone {
				if !explained[i] && explained[k] && uses(by.text, d.name) {
					explained[i], again = true, true
				}
			}
		}
	}
	var list []definition
	for i, d := range gone {
		if !explained[i] {
			list = append(list, d)
		}
	}
	return list
}

// means says whether a sentence speaks of a definition, of what it belongs to, or of its file.
func (c *clause) means(d definition) bool {
	names := append(strings.Split(d.owner, "."), d.name)
	if !c.moves {
		names = append(names, base(d.file))
	}
	for _, name := range names {
		if name == "" {
			continue
		}
		if slices.Contains(c.words, name) {
			return true
		}
		for _, p := range parts(name) {
			if c.stems[p] && !plain[p] && len(p) > 2 {
				return true
			}
		}
	}
	return false
}

func uses(text, name string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		i += at
		at = i + len(name)
		if (i == 0 || !isWord(text[i-1])) && (at == len(text) || !isWord(text[at])) {
			return true
		}
	}
}

func isWord(c byte) bool {
	return c == '_' || c >= 0x80 || unicode.IsLetter(rune(c)) || unicode.IsDigit(rune(c))
}

// parts cuts a name into the stems of its words.
func parts(name string) []string {
	list := part.FindAllString(name, -1)
	for i, p := range list {
		list[i] = stem(p)
	}
	return list
}

// stem takes the usual endings off a word, so that parser, parsing and parse are one.
func stem(w string) string {
	w = strings.ToLower(w)
	for _, end := range []string{"izations", "ization", "ations", "ation", "ings", "ing", "ions", "ion", "ers", "er", "ies", "es", "ed", "s", "y", "e"} {
		if rest, ok := strings.CutSuffix(w, end); ok && len(rest) >= 3 {
			if n := len(rest); n > 3 && rest[n-1] == rest[n-2] && strings.IndexByte("aeiouls", rest[n-1]) < 0 {
				rest = rest[:n-1] // dropped, logging
			}
			return rest
		}
	}
	return w
}
