package repomap

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"coauthor/repomap/draw"
	"coauthor/repomap/record"
	"coauthor/repomap/syntax/tag"
)

const (
	maxFiles  = 100 // the best ones that a plan looks at first, and one more for each
	restAfter = 16  // files of which all that is known was read; a touch here and there brings much memory
	perFile   = 8   // tokens of the budget, several times what it can show
	maxPicks  = 60  // the best definitions of a file, likewise

	// From the prototype's fit to 320 commits: how fast the likelihood of a file grows with its share.
	fileSharp = 2.0
	fileFlat  = 0.87
	testShown = 0.5 // the likelihood of a test that its name says is of a chat file, so that it is named: a judgement
)

// candidates scores definitions of the best files: of so many that the budget is filled for sure.
func (q *scoring) candidates(scores []float64) []draw.File {
	total := q.softTotal(scores)
	files := maxFiles + q.r.Budget/perFile
	order, cut := q.byScore(scores, max(files, useLookAt))
	tests := testsOf(q)
	d, u := newDefScoring(q), newUseScoring(q, scores, order[:min(len(order), useLookAt)], total)
	scored := func(order []int, picks int) []draw.File {
		list := make([]draw.File, len(order))
		each(len(list), func(part, _, _ int) {
			var memory defMemory
			for k := part; k < len(list); k += parts { // the first ones are the largest
				if q.rest != nil && k%restAfter < parts {
					q.rest()
				}
				f := q.files()[order[k]]
				share := shareOf(scores[order[k]]-scores[order[0]], total)
				c := draw.File{Number: order[k], Of: f, Likely: -math.Expm1(-fileSharp * share), Path: draw.OneLine(f.Path)}
				c.Cost = float64(utf8.RuneCountInString(c.Path) + 2)
				c.Defs = q.picks(f, wanted(c.Likely, d.scores(order[k], &memory), u.likely(order[k], share)), picks)
				if slices.Contains(tests, c.Number) {
					c.Likely = max(c.Likely, testShown)
				}
				list[k] = c
			}
		})
		return list
	}
	first := slices.Clone(order[:min(len(order), files)])
	for _, i := range tests {
		if !slices.Contains(first, i) {
			first = append(first, i)
		}
	}
	list := scored(first, maxPicks)
	cut = cut || len(order) > files || slices.ContainsFunc(list, func(c draw.File) bool { return len(c.Defs) == maxPicks })
	if cut && draw.CostOfAll(list) < 4*float64(q.r.Budget) {
		order, _ = q.byScore(scores, len(scores))
		list = scored(order, math.MaxInt)
	}
	return list
}

// byScore gives the best files that may be shown, the best first. cut says that there are more.
func (q *scoring) byScore(scores []float64, most int) (order []int, cut bool) {
	better := func(a, b int) int {
		switch {
		case scores[a] > scores[b]:
			return -1
		case scores[a] < scores[b]:
			return 1
		}
		return a - b // by path
	}
	bar := 0 // the worst one that may still be among the best, once there are too many
	for i := range scores {
		if q.skip[i] || cut && better(bar, i) < 0 {
			continue
		}
		order = append(order, i)
		if len(order) >= 2*most+1000 {
			slices.SortFunc(order, better)
			order, cut, bar = order[:most], true, order[most-1]
		}
	}
	slices.SortFunc(order, better)
	if len(order) > most {
		order, cut = order[:most], true
	}
	return order, cut
}

// shareOf is the likelihood of a file whose score is so much less than the best one's.
func shareOf(less, total float64) float64 { return math.Exp(fileFlat*less) / total }

// softTotal is what the likelihoods of all files are shares of, in units of the best one's.
func (q *scoring) softTotal(scores []float64) float64 {
	top, sum := math.Inf(-1), 0.0
	for i, s := range scores {
		if !q.skip[i] {
			top = max(top, s)
		}
	}
	for i, s := range scores {
		if !q.skip[i] {
			sum += math.Exp(fileFlat * (s - top))
		}
	}
	return sum
}

// wanted are the likelihoods of a file's definitions: each is changed, for which it competes with the
// others of its file, or newly used.
func wanted(file float64, scores, used []float64) []float64 {
	top, sum := math.Inf(-1), 0.0
	for _, x := range scores {
		top = max(top, x)
	}
	for _, x := range scores {
		sum += math.Exp(x - top)
	}
	out := make([]float64, len(scores))
	for i, x := range scores {
		changed := math.Exp(x-top) / sum
		out[i] = 1 - (1-file*changed)*(1-used[i])
	}
	return out
}

// picks are the likeliest definitions of a file, each name once.
func (q *scoring) picks(f *record.Record, likely []float64, most int) []draw.Definition {
	order := make([]int, len(likely))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case likely[a] > likely[b]:
			return -1
		case likely[a] < likely[b]:
			return 1
		}
		return a - b
	})
	out := make([]draw.Definition, 0, min(most, len(order)))
	seen := make(map[uint32]bool, cap(out))
	for _, i := range order {
		def := f.Defs[i]
		if seen[def.Name] || bareMember(q, f, i) {
			continue
		}
		seen[def.Name] = true
		if len(out) == most {
			break
		}
		p := draw.Definition{Number: i, Likely: likely[i], Name: draw.OneLine(q.s.names.String(def.Name)), Text: draw.OneLine(f.Signature(i))}
		if p.Text == "" {
			p.Text = p.Name
		}
		switch {
		case p.Text == p.Name:
			p.NameWorth = 1
		case q.overview():
			p.NameWorth = draw.NameAlone
		case draw.Says(p.Text, p.Name):
			p.NameWorth = draw.NameWorth
		default:
			p.NameWorth = draw.TypeWorth
		}
		if record.Value(def.Kind.Tag()) {
			p.Text = record.Shorten(p.Text, draw.LineWidth)
		}
		p.Text = draw.BreakLine(p.Text)
		p.LineCost = float64(utf8.RuneCountInString(p.Text) + 2)
		p.NameCost = float64(utf8.RuneCountInString(p.Name) + 2)
		out = append(out, p)
	}
	return out
}

// bareMember says that a definition is a member of an enumeration of which there is nothing to say but its name, and for
// which nobody asks: its type tells as much.
func bareMember(q *scoring, f *record.Record, i int) bool {
	def := f.Defs[i]
	if !record.Value(def.Kind.Tag()) || def.Parent < 0 || f.Defs[def.Parent].Kind.Tag() != tag.Enum {
		return false
	}
	text, name := f.Signature(i), q.s.names.String(def.Name)
	return (text == "" || strings.TrimRight(text, ",; ") == name) && !slices.Contains(q.r.MentionedIdents, name)
}
