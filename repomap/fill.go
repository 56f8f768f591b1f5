package repomap

import (
	"math"
	"slices"
	"unicode/utf8"
)

// How the budget is filled. Each definition can be left out, named, or shown by its signature; each
// file can be left out or named. A plan maximises the expected worth less a price for each
// character, and the price is the one at which the plan just fits: the likeliest definitions come
// out with signatures, the less likely by name, the rest not at all.
const (
	maxFiles  = 100 // the best ones that a plan looks at, and one more for each
	perFile   = 8   // tokens of the budget, several times what it can show
	maxPicks  = 60  // the best definitions of a file, likewise
	lineWidth = 80  // of a signature; longer ones cost more than they tell

	fileSharp = 2.0 // how fast the likelihood of a file grows with its score
	defSharp  = 1.6
	defFlat   = 0.75 // scores of definitions are surer of themselves than they should be
	pathWorth = 0.5  // of a file that is named without the right definition
	nameWorth = 0.5  // of a definition that is named without its signature
)

// candidate is one file that may be shown.
type candidate struct {
	file int
	p    float64 // likelihood that the file is wanted
	cost float64 // of its path
	defs []pick  // the likeliest first
}

// pick is one definition that may be shown.
type pick struct {
	def                int
	p                  float64
	text, name         string
	lineCost, nameCost float64
}

// shape is how a definition is shown.
type shape uint8

const (
	hidden shape = iota
	named
	signed
)

// plan is a choice of files with the shape of each of their picks.
type plan struct {
	files  []int // places among the candidates
	shapes [][]shape
	cost   float64
}

// candidates scores definitions of the best files. Softmax turns scores into likelihoods.
func (q *scoring) candidates(scores []float64) []candidate {
	order := make([]int, 0, len(scores))
	for i := range scores {
		if !q.skip[i] {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case scores[a] > scores[b]:
			return -1
		case scores[a] < scores[b]:
			return 1
		}
		return a - b // by path
	})
	share := softmax(scores, order)
	order = order[:min(len(order), maxFiles+q.r.Budget/perFile)]
	d := newDefScoring(q)
	out := make([]candidate, 0, len(order))
	for k, file := range order {
		f := q.files()[file]
		c := candidate{file: file, p: 1 - math.Exp(-fileSharp*share[k]), cost: float64(utf8.RuneCountInString(f.path) + 2)}
		c.defs = q.picks(f, d.scores(file))
		out = append(out, c)
	}
	return out
}

func softmax(scores []float64, order []int) []float64 {
	out := make([]float64, len(order))
	if len(order) == 0 {
		return out
	}
	top, sum := scores[order[0]], 0.0
	for k, i := range order {
		top = max(top, scores[i])
		out[k] = scores[i]
	}
	for k := range out {
		out[k] = math.Exp(out[k] - top)
		sum += out[k]
	}
	for k := range out {
		out[k] /= sum
	}
	return out
}

// picks are the likeliest definitions of a file, each name once.
func (q *scoring) picks(f *record, scores []float64) []pick {
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case scores[a] > scores[b]:
			return -1
		case scores[a] < scores[b]:
			return 1
		}
		return a - b
	})
	flat := make([]float64, len(scores))
	for i, x := range scores {
		flat[i] = defFlat * x
	}
	share := softmax(flat, order)
	var out []pick
	seen := map[uint32]bool{}
	for k, i := range order {
		def := f.defs[i]
		if seen[def.name] {
			continue
		}
		seen[def.name] = true
		if len(out) == maxPicks {
			break
		}
		p := pick{def: i, p: 1 - math.Exp(-defSharp*share[k]), name: q.s.names.string(def.name), text: shorten(f.signature(i), lineWidth)}
		if p.text == "" {
			p.text = p.name
		}
		p.lineCost = float64(utf8.RuneCountInString(p.text) + 2)
		p.nameCost = float64(utf8.RuneCountInString(p.name) + 2)
		out = append(out, p)
	}
	return out
}

// at makes the best plan for a price.
func at(list []candidate, price float64) plan {
	var out plan
	for k, c := range list {
		worth, cost := pathWorth*c.p, c.cost
		var shapes []shape
		for n, d := range c.defs {
			v := c.p * d.p
			shown := hidden
			gain := 0.0
			if g := nameWorth*v - price*d.nameCost; g > gain || n == 0 {
				shown, gain = named, g
			}
			if g := v - price*d.lineCost; g > gain {
				shown = signed
			}
			switch shown {
			case hidden:
			case named:
				worth, cost = worth+nameWorth*v, cost+d.nameCost
			case signed:
				worth, cost = worth+v, cost+d.lineCost
			}
			shapes = append(shapes, shown)
		}
		if worth >= price*cost {
			out.files = append(out.files, k)
			out.shapes = append(out.shapes, shapes)
			out.cost += cost
		}
	}
	return out
}

// fit finds the price at which the plan costs at most room, in characters.
func fit(list []candidate, room float64) plan {
	if all := at(list, 0); all.cost <= room {
		return all
	}
	low, high := math.Log(1e-12), 0.0 // too cheap, too dear
	best := plan{}
	for range 30 {
		mid := (low + high) / 2
		if p := at(list, math.Exp(mid)); p.cost <= room {
			best, high = p, mid
		} else {
			low = mid
		}
	}
	return best
}
