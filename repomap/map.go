package repomap

import (
	"context"
	"runtime"
	"unicode/utf8"

	"coauthor/repomap/draw"
	"coauthor/repomap/record"
)

// listed is how many files a Map tells the scores of, shown or not.
const listed = 300

// Map answers at once from what the index holds.
func (x *Index) Map(ctx context.Context, r Request) (Map, error) {
	if err := ctx.Err(); err != nil {
		return Map{}, err
	}
	s := x.current()
	defer runtime.KeepAlive(s) // and with it the memory of its records
	m := Map{Complete: s.complete, Generation: s.generation, Listing: s.listing, Files: []RankedFile{}}
	if r.Budget <= 0 || len(s.files) == 0 {
		return m, nil
	}
	if r.Counter == nil {
		r.Counter = chars4{}
	}
	q := newScoring(s, r)
	defer s.keeper.giveBack(q.memory)
	if err := ctx.Err(); err != nil {
		return Map{}, err
	}
	scores, parts := q.scores()
	list := q.candidates(scores)
	if err := ctx.Err(); err != nil {
		return Map{}, err
	}
	sheet := draw.Fitter{List: list, Budget: r.Budget, Counter: r.Counter, Before: r.Previous}
	d := sheet.Fill(ctx)
	m.Text, m.Tokens = d.Text, d.Tokens
	m.Files = q.ranked(list, sheet.Names(d), scores, parts)
	return m, ctx.Err()
}

// listing is a number for the paths of all files: the sum of one for each, so that a state of one more
// or one fewer need not look at the others.
func listing(files []*record.Record) uint64 {
	sum := uint64(0)
	for _, f := range files {
		sum += pathSum(f.Path)
	}
	return sum
}

// pathSum is FNV-1a, which hash/fnv makes an object for.
func pathSum(path string) uint64 {
	sum := uint64(14695981039346656037)
	for i := range len(path) {
		sum = (sum ^ uint64(path[i])) * 1099511628211
	}
	return sum
}

// ranked tells the story of the best files.
func (q *scoring) ranked(list []draw.File, shown map[int][]string, scores []float64, parts [][]float64) []RankedFile {
	out := make([]RankedFile, 0, min(len(list), listed))
	for k, c := range list {
		names, ok := shown[k]
		if !ok && k >= listed {
			continue
		}
		r := RankedFile{Path: q.files()[c.Number].Path, Score: scores[c.Number], Shown: ok, Names: names}
		for i, sig := range signals {
			if parts[i] != nil {
				r.Signals = append(r.Signals, Signal{Name: sig.name, Value: parts[i][c.Number], Weight: sig.weight})
			}
		}
		out = append(out, r)
	}
	return out
}

// chars4 counts four characters as one token.
type chars4 struct{}

func (chars4) Count(text string) int { return (utf8.RuneCountInString(text) + 3) / 4 }
