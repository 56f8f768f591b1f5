package repomap

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"coauthor/repomap/record"
	"coauthor/repomap/syntax/tag"
)

// How the budget is filled. Each definition can be left out, named, or shown by its signature; each
// file can be left out or named. A plan maximises the expected worth less a price for each
// character, and the price is the one at which the plan just fits: the likeliest definitions come
// out with signatures, the less likely by name, the rest not at all.
const (
	maxFiles  = 100 // the best ones that a plan looks at first, and one more for each
	restAfter = 16  // files of which all that is known was read; a touch here and there brings much memory
	perFile   = 8   // tokens of the budget, several times what it can show
	maxPicks  = 60  // the best definitions of a file, likewise
	lineWidth = 80  // of a line; a longer signature goes on in the next one

	// How many characters more than its name a signature may take to stand in its place where a file has nothing else to show:
	// a name alone says little of a file. Without it 15 of the 48 files of a map of 1,024 tokens have one name each, with it 10; of
	// what the benchmark looks for nothing changes by more than the noise. With no bound 2 points of its files are lost.
	cheapSignature = 25

	// From the prototype's fit to 320 commits: how fast the likelihood of a file grows with its share.
	fileSharp = 2.0
	fileFlat  = 0.87
	// With one half for both, as a reader may weigh them, a point of the benchmark's files is lost at 1024
	// tokens, two of what a commit touched and five of what it newly used; with more, signatures give way.
	pathWorth = 0.7  // of a file that is named without the right definition
	nameWorth = 0.65 // of a definition that is named without its signature
	testShown = 0.5  // the likelihood of a test that its name says is of a chat file, so that it is named: a judgement
	typeWorth = 0.9  // the same where the signature says no more than that it is a type: a judgement
	nameAlone = 0.1  // the same in an overview, where nobody knows what to look for: a judgement
)

// candidate is one file that may be shown.
type candidate struct {
	file int
	path string
	p    float64 // likelihood that the file is wanted
	cost float64 // of its path
	defs []pick  // the likeliest first
}

// pick is one definition that may be shown.
type pick struct {
	def                int
	p                  float64 // likelihood that it is wanted
	text, name         string  // text is as the map has it: see breakLine
	nameWorth          float64 // as a share of p
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

// candidates scores definitions of the best files: of so many that the budget is filled for sure.
func (q *scoring) candidates(scores []float64) []candidate {
	total := q.softTotal(scores)
	files := maxFiles + q.r.Budget/perFile
	order, cut := q.byScore(scores, max(files, useLookAt))
	tests := testsOf(q)
	d, u := newDefScoring(q), newUseScoring(q, scores, order[:min(len(order), useLookAt)], total)
	scored := func(order []int, picks int) []candidate {
		list := make([]candidate, len(order))
		each(len(list), func(part, _, _ int) {
			var memory defMemory
			for k := part; k < len(list); k += parts { // the first ones are the largest
				if q.rest != nil && k%restAfter < parts {
					q.rest()
				}
				f := q.files()[order[k]]
				share := shareOf(scores[order[k]]-scores[order[0]], total)
				c := candidate{file: order[k], p: -math.Expm1(-fileSharp * share), path: oneLine(f.Path)}
				c.cost = float64(utf8.RuneCountInString(c.path) + 2)
				c.defs = q.picks(f, wanted(c.p, d.scores(order[k], &memory), u.likely(order[k], share)), picks)
				if slices.Contains(tests, c.file) {
					c.p = max(c.p, testShown)
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
	cut = cut || len(order) > files || slices.ContainsFunc(list, func(c candidate) bool { return len(c.defs) == maxPicks })
	if cut && at(list, 0).cost < 4*float64(q.r.Budget) {
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
func (q *scoring) picks(f *record.Record, likely []float64, most int) []pick {
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
	out := make([]pick, 0, min(most, len(order)))
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
		p := pick{def: i, p: likely[i], name: oneLine(q.s.names.String(def.Name)), text: oneLine(f.Signature(i))}
		if p.text == "" {
			p.text = p.name
		}
		switch {
		case p.text == p.name:
			p.nameWorth = 1
		case q.overview():
			p.nameWorth = nameAlone
		case says(p.text, p.name):
			p.nameWorth = nameWorth
		default:
			p.nameWorth = typeWorth
		}
		if record.Value(def.Kind.Tag()) {
			p.text = record.Shorten(p.text, lineWidth)
		}
		p.text = breakLine(p.text)
		p.lineCost = float64(utf8.RuneCountInString(p.text) + 2)
		p.nameCost = float64(utf8.RuneCountInString(p.name) + 2)
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

// at makes the best plan for a price.
func at(list []candidate, price float64) plan {
	var out plan
	for k, c := range list {
		worth, cost := pathWorth*c.p, c.cost
		shapes := make([]shape, 0, len(c.defs))
		for n, d := range c.defs {
			v := d.p
			shown := hidden
			gain := 0.0
			if g := d.nameWorth*v - price*d.nameCost; g > gain || n == 0 {
				shown, gain = named, g
			}
			if g := v - price*d.lineCost; g > gain {
				shown = signed
			}
			switch shown {
			case hidden:
			case named:
				worth, cost = worth+d.nameWorth*v, cost+d.nameCost
			case signed:
				worth, cost = worth+v, cost+d.lineCost
			}
			shapes = append(shapes, shown)
		}
		if d, n := lonely(c, shapes); n >= 0 && d.lineCost-d.nameCost <= cheapSignature && says(d.text, d.name) {
			shapes[n] = signed
			worth, cost = worth+(1-d.nameWorth)*d.p, cost+d.lineCost-d.nameCost
		}
		if worth >= price*cost {
			out.files = append(out.files, k)
			out.shapes = append(out.shapes, shapes)
			out.cost += cost
		}
	}
	return out
}

// lonely is the definition of which a file shows nothing but the name, if that is all that it shows; else n is -1.
func lonely(c candidate, shapes []shape) (d pick, n int) {
	n = -1
	for i, s := range shapes {
		switch {
		case s == signed || s == named && n >= 0:
			return pick{}, -1
		case s == named:
			n = i
		}
	}
	if n >= 0 {
		d = c.defs[n]
	}
	return d, n
}

// fit finds the price at which the plan costs at most room, in characters. over is the next larger
// plan, for which the room is too small; it has no files when everything fits.
func fit(list []candidate, room float64) (best, over plan) {
	if all := at(list, 0); all.cost <= room {
		return all, plan{}
	}
	low, high := math.Log(1e-15), 0.0 // too cheap, too dear
	over = at(list, 0)
	for range 24 { // the last step is a millionth of the price
		mid := (low + high) / 2
		if p := at(list, math.Exp(mid)); p.cost <= room {
			best, high = p, mid
		} else {
			over, low = p, mid
		}
	}
	return best, over
}

// worth is what a plan is expected to be good for.
func worth(list []candidate, p plan) float64 {
	sum := 0.0
	for n, k := range p.files {
		sum += pathWorth * list[k].p
		for i, s := range p.shapes[n] {
			v := list[k].defs[i].p
			switch s {
			case hidden:
			case named:
				sum += list[k].defs[i].nameWorth * v
			case signed:
				sum += v
			}
		}
	}
	return sum
}

// between gives the plan that has the first steps of those that lead from p to the larger plan over,
// line by line, and how many steps there are in all.
func between(list []candidate, p, over plan, steps int) (out plan, all int) {
	have := make(map[int][]shape, len(p.files))
	for n, k := range p.files {
		have[k] = p.shapes[n]
	}
	next := make(map[int][]shape, len(over.files))
	for n, k := range over.files {
		next[k] = over.shapes[n]
	}
	for k := range list {
		now, then := have[k], next[k]
		if now == nil && then == nil {
			continue
		}
		shapes := slices.Clone(now)
		if now == nil {
			if all++; all > steps {
				all += len(then)
				continue
			}
			shapes = make([]shape, len(then))
		}
		for i := range then {
			if then[i] > shapes[i] {
				if all++; all <= steps {
					shapes[i] = then[i]
				}
			}
		}
		out.files, out.shapes = append(out.files, k), append(out.shapes, shapes)
	}
	return out, all
}

// oneLine keeps what a file's name or text says from looking like lines of the map.
func oneLine(s string) string {
	if plainASCII(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return '\uFFFD'
		}
		return r
	}, s)
}

// plainASCII says that a text has nothing that oneLine would change, as nearly all have.
func plainASCII(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}
