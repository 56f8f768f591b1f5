package repomap

import (
	"math"
	"path"
	"strings"
)

// rankSignal is the file's place in the graph, seen from the chat files and from what the request
// says: half of the walks start at the chat files, half at files whose text, name or definitions
// match. So this is where names of paths and of definitions count.
func rankSignal(q *scoring) []float64 {
	rank := q.g.rank(q.restart(), q.memory)
	q.eachFile(func(i int, _ *record) { rank[i] = math.Log(1e-5 + rank[i]) })
	return rank
}

// restart is where the walks begin.
func (q *scoring) restart() []float64 {
	n := len(q.files())
	restart := make([]float64, n)
	lexical := q.lexical()
	sum := 0.0
	for i, x := range lexical {
		lexical[i] = x * x
		sum += lexical[i]
	}
	chat, words := 0.5, 0.5
	switch {
	case len(q.chat) == 0 && sum == 0:
		for i := range restart {
			restart[i] = 1 / float64(n)
		}
		return restart
	case len(q.chat) == 0:
		chat, words = 0, 1
	case sum == 0:
		chat, words = 1, 0
	}
	for _, i := range q.chat {
		restart[i] += chat / float64(len(q.chat))
	}
	if sum > 0 {
		for i := range restart {
			restart[i] += words * lexical[i] / sum
		}
	}
	return restart
}

// lexical is how much of the request a file has, in every place where words can match.
func (q *scoring) lexical() []float64 {
	out := make([]float64, len(q.files()))
	if body := q.bm25(q.inText, func(f *record) int { return f.words }); body != nil {
		copy(out, body)
	}
	if names := q.bm25(q.inName, func(f *record) int { return len(f.defs) }); names != nil {
		for i, x := range names {
			out[i] += x
		}
	}
	for i, x := range q.baseNames() {
		out[i] += 2 * x
	}
	for i, x := range q.mentioned() {
		out[i] += 2 * x
	}
	return out
}

// baseNames matches the request with the base name of each file: the idf of the stems that both
// have, by the share of the name that they make up.
func (q *scoring) baseNames() []float64 {
	out := make([]float64, len(q.files()))
	for _, p := range q.r.MentionedFiles {
		if i, ok := q.s.find(p); ok {
			out[i] += 10
		}
	}
	if len(q.stems) == 0 {
		return out
	}
	place := make(map[string]int, len(q.stems))
	for k, s := range q.stems {
		place[s.text] = k
	}
	message := strings.ToLower(q.r.Message)
	q.eachFile(func(i int, f *record) {
		base := path.Base(f.path)
		stem := strings.TrimSuffix(base, path.Ext(base))
		parts, hits := 0, 0.0
		words([]byte(stem), func(start, end int) {
			stems(stem[start:end], func(s string) {
				parts++
				if k, ok := place[s]; ok {
					hits += q.stems[k].idf
				}
			})
		})
		if parts > 0 {
			out[i] += hits / float64(parts)
		}
		if len(base) > 4 && strings.Contains(message, strings.ToLower(base)) {
			out[i] += 5
		}
	})
	return out
}

// mentioned counts the mentioned identifiers that a file defines, rare ones more.
func (q *scoring) mentioned() []float64 {
	out := make([]float64, len(q.files()))
	want := q.mentionedNames()
	if len(want) == 0 {
		return out
	}
	for i, f := range q.files() {
		for _, d := range f.defs {
			if n := q.g.ndef.at(d.name); n > 0 && want[string(q.s.names.bytes(d.name))] {
				out[i] += float64(q.g.idf(d.name)) / float64(n)
			}
		}
	}
	return out
}

// mentionedNames are the names in the identifiers that the request mentions: a.b has two.
func (q *scoring) mentionedNames() map[string]bool {
	names := map[string]bool{}
	for _, id := range q.r.MentionedIdents {
		for _, part := range strings.FieldsFunc(id, func(r rune) bool { return r < 0x80 && !wordByte[r] }) {
			names[part] = true
		}
	}
	return names
}
