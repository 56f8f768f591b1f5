package match

import "slices"

// maxReordered is the longest hunk whose lines are looked for in another order.
const maxReordered = 64

// findReordered finds the places at which the lines of a hunk stand in another order than the hunk has them. Only lines
// without a change between them may have changed places, so that it is known what goes and what stays, and new lines
// must have a line beside them that stands where the hunk has it.
func findReordered(b *Text, p *Pattern, w limits) found {
	n := len(p.old)
	if !p.hunk || n < 2 || n > maxReordered || n > w.to-w.from || nonBlank(p) < 2 {
		return found{}
	}
	keys, hay := p.folded(foldRight), b.folded(foldRight)[w.from:w.to]
	want := uint64(0)
	for _, id := range keys {
		if id == unknown {
			return found{}
		}
		want += scattered(id)
	}
	var places []Place
	sum := uint64(0)
	for i, id := range hay {
		if sum += scattered(id); i >= n {
			sum -= scattered(hay[i-n])
		}
		if i >= n-1 && sum == want && p.reordered(keys, hay[i+1-n:i+1]) {
			places = append(places, straight(w.from+i+1-n, n, RungReordered))
		}
	}
	return whole(places)
}

// scattered is a number whose sums tell sets of lines apart.
func scattered(id int32) uint64 {
	x := (uint64(id) + 1) * 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// reordered says whether the old lines stand there, stretch by stretch in any order.
func (p *Pattern) reordered(keys, there []int32) bool {
	for k := 0; k < len(p.old); {
		end := k + 1
		for end < len(p.old) && p.old[end] == p.old[end-1]+1 && p.Lines[p.old[end]].Sign == p.Lines[p.old[k]].Sign {
			end++
		}
		if !slices.Equal(slices.Sorted(slices.Values(keys[k:end])), slices.Sorted(slices.Values(there[k:end]))) {
			return false
		}
		k = end
	}
	return p.heldThere(keys, there)
}

// heldThere says whether each stretch of new lines stands beside a line that goes, or beside one that stays where the hunk
// has it.
func (p *Pattern) heldThere(keys, there []int32) bool {
	k := 0 // the old line below the new ones
	for i, l := range p.Lines {
		if l.Sign != '+' {
			k++
			continue
		}
		if i > 0 && p.Lines[i-1].Sign == '+' {
			continue
		}
		below := i
		for below < len(p.Lines) && p.Lines[below].Sign == '+' {
			below++
		}
		held := i > 0 && (p.Lines[i-1].Sign == '-' || keys[k-1] == there[k-1]) ||
			below < len(p.Lines) && (p.Lines[below].Sign == '-' || keys[k] == there[k])
		if !held {
			return false
		}
	}
	return true
}
