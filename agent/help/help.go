// Package help finds the passages of our own documentation that answer a question.
//
// The texts are handed in: it opens no file, and knows neither models nor prompts. Package agent asks it for
// the passages of a turn whose coder answers questions about the program. Start at New and Best.
package help

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
)

// Text is one document in Markdown; Name is its path from the root of the project.
type Text struct{ Name, Text string }

// Passage is a part of a document: a section, or a piece of a long one.
type Passage struct {
	Name    string // of the document
	Heading string // the headings above it, the outermost first, with " › " between them
	Text    string // without its heading
}

// Index is a set of passages that can be searched. It does not change and is safe for concurrent use.
type Index struct {
	passages []Passage
	words    []map[string]int // of each passage, how often it has them
	lengths  []int            // of each passage, in words
	in       map[string]int   // how many passages have a word
	mean     float64          // of lengths
}

// headingWeight is how often a word of a heading counts.
const headingWeight = 3

// New reads documents.
func New(texts []Text) *Index {
	x := &Index{in: map[string]int{}}
	total := 0
	for _, t := range texts {
		for _, p := range passages(t) {
			counts := map[string]int{}
			n := 0
			for _, w := range words(p.Text) {
				counts[w]++
				n++
			}
			for _, w := range words(p.Heading) {
				counts[w] += headingWeight
				n += headingWeight
			}
			for w := range counts {
				x.in[w]++
			}
			x.passages, x.words, x.lengths = append(x.passages, p), append(x.words, counts), append(x.lengths, n)
			total += n
		}
	}
	x.mean = float64(total) / float64(max(1, len(x.passages)))
	return x
}

// framing is what a prompt puts around a passage, in tokens.
const framing = 16

// The constants of BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009) as most
// search engines set them: how soon a word's repetition counts no more, and how much length counts against.
const (
	saturation = 1.2
	byLength   = 0.75
)

// Best returns the passages that fit a question best, the best first, as many as take at most so many tokens
// together with their names. Passages without a word of the question are never among them.
func (x *Index) Best(question string, most int, count func(string) int) []Passage {
	asked := map[string]bool{}
	for _, w := range words(question) {
		asked[w] = true
	}
	type scored struct {
		at    int
		score float64
	}
	var list []scored
	for i := range x.passages {
		if s := x.score(i, asked); s > 0 {
			list = append(list, scored{i, s})
		}
	}
	slices.SortStableFunc(list, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	var best []Passage
	for _, s := range list {
		p := x.passages[s.at]
		size := count(p.Name+p.Heading+p.Text) + framing
		if size > most {
			continue
		}
		most -= size
		best = append(best, p)
	}
	return best
}

// score sums over sorted words, so that the same question gets the same bits.
func (x *Index) score(i int, asked map[string]bool) float64 {
	var found []string
	for w := range asked {
		if x.words[i][w] > 0 {
			found = append(found, w)
		}
	}
	slices.Sort(found)
	sum, n := 0.0, float64(len(x.passages))
	for _, w := range found {
		with, here := float64(x.in[w]), float64(x.words[i][w])
		rare := math.Log(1 + (n-with+0.5)/(with+0.5))
		sum += rare * here * (saturation + 1) / (here + saturation*(1-byLength+byLength*float64(x.lengths[i])/x.mean))
	}
	return sum
}

// words are the runs of letters and digits in small letters, each also in its parts where it is written in
// camel case, without a plural s.
func words(text string) []string {
	var list []string
	for _, run := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		list = append(list, stem(run))
		if parts := humps(run); len(parts) > 1 {
			for _, p := range parts {
				list = append(list, stem(p))
			}
		}
	}
	return list
}

func stem(word string) string {
	word = strings.ToLower(word)
	if len(word) > 3 && strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") {
		return word[:len(word)-1]
	}
	return word
}

// humps cuts before each capital that follows a small letter.
func humps(word string) []string {
	var parts []string
	from, small := 0, false
	for i, r := range word {
		if unicode.IsUpper(r) && small {
			parts = append(parts, word[from:i])
			from = i
		}
		small = unicode.IsLower(r)
	}
	return append(parts, word[from:])
}
