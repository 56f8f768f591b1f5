package repomap

import (
	"context"
	"runtime"

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
	d := q.fill(ctx, list)
	m.Text, m.Tokens = d.text, d.tokens
	m.Files = q.ranked(list, d.plan, scores, parts)
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

// leastFill is the share of the budget that a map takes if there is enough to show.
const leastFill = 0.95

// drawing is a plan with its text.
type drawing struct {
	plan   plan
	text   string
	tokens int
}

func (q *scoring) draw(list []candidate, p plan) drawing {
	d := drawing{plan: p, text: q.render(list, p)}
	d.tokens = q.r.Counter.Count(d.text)
	return d
}

// fill makes the plan that fits the budget as the request counts it. The plan is made in
// characters, and the rate between characters and tokens is learned from the text itself.
func (q *scoring) fill(ctx context.Context, list []candidate) drawing {
	budget := q.r.Budget
	room := 4 * float64(budget)
	low, high := 0.0, 0.0 // rooms known to fit and not to fit
	var best drawing
	var over plan // the next larger one
	for range 12 {
		p, larger := fit(list, room)
		d := q.draw(list, p)
		if d.tokens <= budget {
			if d.tokens >= best.tokens {
				best, over = d, larger
			}
			if len(larger.files) == 0 || d.tokens >= budget-budget/100 {
				break
			}
			low = room
		} else {
			high, over = room, p
		}
		next := room * float64(budget) / float64(max(1, d.tokens)) * 0.998
		if high > 0 && next >= high || next <= low {
			if high == 0 {
				break
			}
			next = (low + high) / 2
		}
		if room = next; high > 0 && high-low < 4 || ctx.Err() != nil {
			break
		}
	}
	if len(over.files) > 0 && float64(best.tokens) < leastFill*float64(budget) {
		best = q.topUp(ctx, list, best, over)
	}
	if kept, ok := q.previous(list, best); ok {
		return kept
	}
	return best
}

// topUp goes on line by line where a plan is worth as much as a much larger one, as when nothing tells
// files apart: as far as the budget goes.
func (q *scoring) topUp(ctx context.Context, list []candidate, best drawing, over plan) drawing {
	_, steps := between(list, best.plan, over, 0)
	from := best.plan
	fits, not := 0, steps+1
	for not-fits > 1 && ctx.Err() == nil {
		mid := (fits + not) / 2
		p, _ := between(list, from, over, mid)
		if d := q.draw(list, p); d.tokens <= q.r.Budget {
			best, fits = d, mid
		} else {
			not = mid
		}
	}
	return best
}

// ranked tells the story of the best files.
func (q *scoring) ranked(list []candidate, p plan, scores []float64, parts [][]float64) []RankedFile {
	out := make([]RankedFile, 0, min(len(list), listed))
	shown := make(map[int]int, len(p.files))
	for n, k := range p.files {
		shown[k] = n
	}
	for k, c := range list {
		n, ok := shown[k]
		if !ok && k >= listed {
			continue
		}
		r := RankedFile{Path: q.files()[c.file].Path, Score: scores[c.file], Shown: ok}
		if ok {
			for i, s := range p.shapes[n] {
				if s != hidden {
					r.Names = append(r.Names, c.defs[i].name)
				}
			}
		}
		for i, sig := range signals {
			if parts[i] != nil {
				r.Signals = append(r.Signals, Signal{Name: sig.name, Value: parts[i][c.file], Weight: sig.weight})
			}
		}
		out = append(out, r)
	}
	return out
}
