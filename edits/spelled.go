package edits

import "slices"

// Bounds of what is read from a new text in the place of dots.
const (
	minSpelled = 3 // that many lines with something in them tell how far dots reach
	maxSpelled = 400
)

// spelledOut fills in dots above or below the old text from a new text that writes those lines out:
// its first or last lines are then those of the file right above or below the rest. Without that
// there is no telling where the dots end.
func (b *body) spelledOut(search, replace []string) ([]string, bool) {
	rest, above := dropDots(search)
	rest = reversed(rest)
	rest, below := dropDots(rest)
	rest = reversed(rest)
	if !above && !below || slices.ContainsFunc(rest, isDots) || slices.ContainsFunc(replace, isDots) {
		return nil, false
	}
	p := newPattern(replacePattern(joined(rest), "", &b.in.spare), b.in)
	if p.blank() {
		return nil, false
	}
	places := lineByOne(b, p, limits{0, len(b.lines)}, foldRight, RungTrailing).spots
	if len(places) != 1 {
		return nil, false
	}
	file := b.texts()
	from, to := int(places[0].from), int(places[0].to)
	if above {
		n := repeated(reversed(file[max(0, from-maxSpelled):from]), replace, false)
		if n == 0 {
			return nil, false
		}
		from -= n
	}
	if below {
		n := repeated(file[to:min(len(file), to+maxSpelled)], replace, true)
		if n == 0 {
			return nil, false
		}
		to += n
	}
	return file[from:to], true
}

// dropDots takes a line of dots off the beginning of a text, with the blank lines around it.
func dropDots(list []string) ([]string, bool) {
	at := 0
	for at < len(list) && isBlank(list[at]) {
		at++
	}
	if at == len(list) || !isDots(list[at]) {
		return list, false
	}
	for at++; at < len(list) && isBlank(list[at]); at++ {
	}
	return list[at:], true
}

func reversed(list []string) []string {
	list = slices.Clone(list)
	slices.Reverse(list)
	return list
}

// repeated returns how many lines of the file, counted away from the old text, are the first or the
// last lines of the new one; 0 when they say too little or there is more than one such number.
func repeated(away, replace []string, last bool) int {
	found, telling := 0, 0
	for n := 1; n <= min(len(away), len(replace)); n++ {
		some, equal := 0, true
		for i := range n {
			new := replace[n-1-i]
			if last {
				new = replace[len(replace)-n+i]
			}
			if equal = foldRight.apply(away[i]) == foldRight.apply(new); !equal {
				break
			}
			if !isBlank(new) {
				some++
			}
		}
		if !equal || some == 0 {
			continue
		}
		if telling > 0 {
			return 0
		}
		found, telling = n, some
	}
	if telling < minSpelled {
		return 0
	}
	return found
}
