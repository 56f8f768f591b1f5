package repomap

import (
	"math"
	"path"
	"slices"
	"strings"

	"coauthor/repomap/record"
)

// signal is one reason to show a file. Its values are scaled to 0..1 over the files of a request
// unless raw says that they are already on a scale of their own.
type signal struct {
	name   string
	weight float64
	raw    bool
	values func(q *scoring) []float64 // one for each file; nil: silent in this request
}

// signals is THE table. The weights are rounded from a fit of a prototype on 320 commits of eight real
// histories; those of open, selected and kind, which the histories cannot tell, are a judgement.
//
// That of role is chosen on commits that change what the benchmark does not look at (cmd/bench/README.md).
//
// Behind each stands what it brings: the points that leaving it out costs (coauthor map --without) of what
// the commit touched and of what it newly used, at 1024 tokens, first with the full request, then with none,
// on 136 tasks of the benchmark by its second labels. Below two points is noise.
var signals = []signal{
	{name: "rank", weight: 6, values: rankSignal},                   // +4.7 +8.0  +12.4 +20.9
	{name: "words", weight: 2, values: wordsSignal},                 // +2.7 -1.6   +0.0  +0.0
	{name: "recent", weight: 1.5, values: recentSignal},             // +1.7 +2.7   +3.0  +5.4
	{name: "together", weight: 1.5, values: togetherSignal},         // +0.3 +1.1   +1.6  +4.6
	{name: "like", weight: 1.5, values: likeSignal},                 // +1.4 +1.9   +2.1  +1.7
	{name: "import", weight: 0.75, raw: true, values: importSignal}, // +0.5 +0.8   +0.5  -0.3
	{name: "open", weight: 1.5, raw: true, values: openSignal},      // the benchmark has no editor
	{name: "selected", weight: 2, values: selectedSignal},           // the benchmark has no editor
	{name: "kind", weight: 1, raw: true, values: kindSignal},        // +0.5 +1.5   +0.8  +0.0
	{name: "role", weight: 6, raw: true, values: roleSignal},        // the benchmark has code alone
}

// scoring is one request on one state.
type scoring struct {
	s    *state
	g    *graph
	r    Request
	chat []int  // places of the chat files
	skip []bool // file -> it is a chat file, or hidden

	question question
	// how often each file has the request's stems in its text and in the names of its definitions: a
	// number for each stem of the first file, then of the second…
	inText, inName []uint16
	words, named   []uint32 // by file, the words of its text and its definitions
	stemMarks      []mark   // by stem; nil: none of them matters
	marks          []mark   // by symbol, then
	asked          asked

	body   []float64 // see inBody
	links  *linkage  // see linkageOf; nil: nobody has asked
	like   *likeness // nil: of nothing
	memory *scratch
	rest   func() // called when much was read that is not needed soon; nil: it may be
}

// overview says that nothing is asked and no file is shown: the map is of the repository as such.
func (q *scoring) overview() bool { return len(q.chat) == 0 && len(q.question.stems) == 0 }

func (q *scoring) files() []*record.Record { return q.s.files }

// eachFile calls f for every file, several beside each other; f must write to its own place only.
func (q *scoring) eachFile(f func(i int, r *record.Record)) {
	q.inSteps(len(q.files()), func(first, end int) {
		spread(end-first, 256, func(from, to int) {
			for i := first + from; i < first+to; i++ {
				f(i, q.files()[i])
			}
		})
	})
}

// newScoring reads the request against the state: one pass over all words.
func newScoring(s *state, r Request) *scoring {
	q := &scoring{s: s, g: s.linked(), r: r, question: question{request: r}, memory: s.keeper.borrow(), skip: make([]bool, len(s.files))}
	for _, p := range r.Chat {
		if i, ok := s.find(p); ok && !q.skip[i] {
			q.skip[i] = true
			q.chat = append(q.chat, i)
		}
	}
	for i, f := range s.files {
		q.skip[i] = q.skip[i] || f.Class == record.Made && !names(r, f.Path) || r.Hidden != nil && r.Hidden(f.Path)
	}
	if !s.keeper.asked.Swap(true) {
		q.rest = s.keeper.rest
	}
	q.readRequest()
	return q
}

// names says that a request names a file, which is then shown whatever it is.
func names(r Request, file string) bool {
	return slices.Contains(r.MentionedFiles, file) || strings.Contains(r.Message, path.Base(file))
}

// readFile looks at all words of a file.
func (q *scoring) readFile(i int, f *record.Record) {
	var text []uint16
	if len(q.question.stems) > 0 {
		text = q.counts(q.inText, i)
	}
	chat := float32(0)
	marks, counts := q.marks, f.Counts[:len(f.Terms)]
	for k, t := range f.Terms {
		m := marks[t]
		// Of many words it is 0, which changes no sum: a branch would be foretold wrongly too often.
		chat += likeWeights[counts[k]] * m.chat()
		if m.asked() {
			count(text, q.asked.of(t), uint16(counts[k]))
		}
	}
	if q.like != nil {
		q.like.set(i, f, chat)
	}
	if len(q.question.stems) > 0 {
		q.words[i], q.named[i] = uint32(f.Words), uint32(len(f.Defs))
		name := q.counts(q.inName, i)
		f.Defines(func(n uint32) {
			if q.asked.Bits.Has(n) {
				count(name, q.asked.of(n), 1)
			}
		})
	}
}

// counts are those of one file.
func (q *scoring) counts(of []uint16, file int) []uint16 {
	return of[file*len(q.question.stems) : (file+1)*len(q.question.stems)]
}

// inSteps calls f for parts of n things one after the other, and lets go of what each has read, so that the
// first map of a process needs no room for all that it reads. Later ones find it where they left it.
func (q *scoring) inSteps(n int, f func(from, to int)) {
	const steps = 8
	if q.rest == nil {
		f(0, n)
		return
	}
	for k := range steps {
		f(n*k/steps, n*(k+1)/steps)
		q.rest()
	}
}

// count adds n to the counts of some stems.
func count(to []uint16, stems []int16, n uint16) {
	for _, k := range stems {
		to[k] = min(to[k], math.MaxUint16-n) + n
	}
}

// scale maps values to 0..1 over all files but those that are in the chat.
func (q *scoring) scale(v []float64) {
	low, high := math.Inf(1), math.Inf(-1)
	for i, x := range v {
		if !q.skip[i] {
			low, high = min(low, x), max(high, x)
		}
	}
	for i := range v {
		if high > low {
			v[i] = min(1, max(0, (v[i]-low)/(high-low)))
		} else {
			v[i] = 0
		}
	}
}

// scores sums the signals of every file.
func (q *scoring) scores() (sum []float64, parts [][]float64) {
	sum = make([]float64, len(q.files()))
	parts = make([][]float64, len(signals))
	for k, sig := range signals {
		if slices.Contains(q.r.Without, sig.name) {
			continue
		}
		parts[k] = sig.values(q)
		if q.rest != nil {
			q.rest()
		}
	}
	// Each signal is scaled on its own, beside the others.
	spread(len(signals), 1, func(k, _ int) {
		if parts[k] != nil && !signals[k].raw {
			q.scale(parts[k])
		}
	})
	q.eachFile(func(i int, _ *record.Record) {
		for k, v := range parts {
			if v != nil {
				sum[i] += signals[k].weight * v[i]
			}
		}
	})
	return sum, parts
}
