package draw

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"coauthor/repomap/record"
)

// How the budget is filled. Each definition can be left out, named, or shown by its signature; each
// file can be left out or named. A plan maximises the expected worth less a price for each
// character, and the price is the one at which the plan just fits: the likeliest definitions come
// out with signatures, the less likely by name, the rest not at all.
const (
	LineWidth = 80 // of a line; a longer signature goes on in the next one

	// How many characters more than its name a signature may take to stand in its place where a file has nothing else to show:
	// a name alone says little of a file. Without it 15 of the 48 files of a map of 1,024 tokens have one name each, with it 10; of
	// what the benchmark looks for nothing changes by more than the noise. With no bound 2 points of its files are lost.
	cheapSignature = 25

	// With one half for both, as a reader may weigh them, a point of the benchmark's files is lost at 1024
	// tokens, two of what a commit touched and five of what it newly used; with more, signatures give way.
	pathWorth = 0.7  // of a file that is named without the right definition
	NameWorth = 0.65 // of a definition that is named without its signature
	TypeWorth = 0.9  // the same where the signature says no more than that it is a type: a judgement
	NameAlone = 0.1  // the same in an overview, where nobody knows what to look for: a judgement
)

// File is one file that may be shown.
type File struct {
	Number int            // a number of the caller's
	Of     *record.Record // the file
	Path   string
	Likely float64      // likelihood that the file is wanted
	Cost   float64      // of its path
	Defs   []Definition // the likeliest first
}

// Definition is one definition that may be shown.
type Definition struct {
	Number             int
	Likely             float64 // likelihood that it is wanted
	Text, Name         string  // text is as the map has it: see BreakLine
	NameWorth          float64 // as a share of Likely
	LineCost, NameCost float64
}

// shape is how a definition is shown.
type shape uint8

const (
	hidden shape = iota
	named
	signed
)

// plan is a choice of files with the shape of each of their definitions.
type plan struct {
	files  []int // places in the list
	shapes [][]shape
	cost   float64
}

// CostOfAll is how many characters it takes to show all that is worth anything.
func CostOfAll(list []File) float64 { return at(list, 0).cost }

// at makes the best plan for a price.
func at(list []File, price float64) plan {
	var out plan
	for k, c := range list {
		worth, cost := pathWorth*c.Likely, c.Cost
		shapes := make([]shape, 0, len(c.Defs))
		for n, d := range c.Defs {
			v := d.Likely
			shown := hidden
			gain := 0.0
			if g := d.NameWorth*v - price*d.NameCost; g > gain || n == 0 {
				shown, gain = named, g
			}
			if g := v - price*d.LineCost; g > gain {
				shown = signed
			}
			switch shown {
			case hidden:
			case named:
				worth, cost = worth+d.NameWorth*v, cost+d.NameCost
			case signed:
				worth, cost = worth+v, cost+d.LineCost
			}
			shapes = append(shapes, shown)
		}
		if d, n := lonely(c, shapes); n >= 0 && d.LineCost-d.NameCost <= cheapSignature && Says(d.Text, d.Name) {
			shapes[n] = signed
			worth, cost = worth+(1-d.NameWorth)*d.Likely, cost+d.LineCost-d.NameCost
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
func lonely(c File, shapes []shape) (d Definition, n int) {
	n = -1
	for i, s := range shapes {
		switch {
		case s == signed || s == named && n >= 0:
			return Definition{}, -1
		case s == named:
			n = i
		}
	}
	if n >= 0 {
		d = c.Defs[n]
	}
	return d, n
}

// fit finds the price at which the plan costs at most room, in characters. over is the next larger
// plan, for which the room is too small; it has no files when everything fits.
func fit(list []File, room float64) (best, over plan) {
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
func worth(list []File, p plan) float64 {
	sum := 0.0
	for n, k := range p.files {
		sum += pathWorth * list[k].Likely
		for i, s := range p.shapes[n] {
			v := list[k].Defs[i].Likely
			switch s {
			case hidden:
			case named:
				sum += list[k].Defs[i].NameWorth * v
			case signed:
				sum += v
			}
		}
	}
	return sum
}

// between gives the plan that has the first steps of those that lead from p to the larger plan over,
// line by line, and how many steps there are in all.
func between(list []File, p, over plan, steps int) (out plan, all int) {
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

// OneLine keeps what a file's name or text says from looking like lines of the map.
func OneLine(s string) string {
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

// plainASCII says that a text has nothing that OneLine would change, as nearly all have.
func plainASCII(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}
