package match

import (
	"cmp"
	"slices"
)

// What a place must have to be taken as the one that was meant although lines differ.
const (
	similarSteps  = 4 << 20 // bound of work for one edit
	similarLine   = 0.6     // each differing line that goes; one that stays keeps the file's bytes, whatever it is
	similarBlock  = 0.85    // the lines on average
	similarSingle = 0.85    // a block of one line
	shortLine     = 10      // a removed line shorter than this must be equal
	shortestName  = 3       // a shorter one is found in every file
	maxCandidates = 16
	maxCompared   = 400 // longer lines are compared by their common ends only
)

// candidate is a window of the body that resembles the old text.
type candidate struct {
	at    int
	equal int     // old lines that are there, but for blanks around them
	score float64 // how alike the lines are on average
	fits  bool    // every differing line is alike enough
}

// equalScore is up to how far apart two scores are the same: they are sums of the same terms in any order.
const equalScore = 1e-9

// Similar returns the best place that resembles the old text, if it is alike enough and no other
// is nearly as good. Between several that are exactly as good the user's selection decides. It is not complete
// when it gave up before it had seen everything.
func Similar(b *Text, p *Pattern, w Where) (pl Place, ok, complete bool) {
	list, complete := candidates(b, p, b.all())
	best := equallyGood(list)
	if !complete || len(best) == 0 {
		return Place{}, false, complete
	}
	chosen, tie := best[0], Tie("")
	if len(best) > 1 {
		if chosen, complete = newSearch(b, w).similar(p, list); chosen == nil {
			return Place{}, false, complete
		}
		tie = TieSelection
	}
	pl, ok = chosen.place(b, p)
	pl.Tie = tie
	return pl, ok, complete
}

// mostResembling is how many places Resembling returns, and leastResembling how alike they are on average.
const (
	mostResembling  = 3
	leastResembling = 0.4
)

// Resembling returns the lines, from 0, at which the old text of a pattern may have been meant to stand, the likeliest first.
func Resembling(b *Text, p *Pattern) []int {
	list, _ := candidates(b, p, b.all())
	var out []int
	for _, c := range list {
		if len(out) < mostResembling && c.score >= leastResembling && !slices.Contains(out, c.at) {
			out = append(out, c.at)
		}
	}
	return out
}

// equallyGood returns the candidates with the highest score, in file order, if no other is nearly as good.
func equallyGood(list []candidate) []*candidate {
	var best []*candidate
	highest, second := 0.0, -1.0
	for i := range list {
		highest = max(highest, list[i].score)
	}
	seen := map[int]bool{}
	for i := range list {
		c := &list[i]
		switch {
		case c.score < highest-equalScore:
			second = max(second, c.score)
		case !seen[c.at]: // two of its lines may have found it
			best = append(best, c)
			seen[c.at] = true
		}
	}
	if second >= 0 && 1-second < 2*(1-highest)+equalScore {
		return nil
	}
	slices.SortFunc(best, func(x, y *candidate) int { return cmp.Compare(x.at, y.at) })
	return best
}

// similar returns the one of several equally good candidates that is in the user's selection, nil
// when it says nothing. Where the text repeats very often, the list has not all of them; those around the
// selection are added here.
func (s *search) similar(p *Pattern, list []candidate) (chosen *candidate, complete bool) {
	b := s.b
	if b.selected.from == b.selected.to {
		return nil, true
	}
	m := len(p.old)
	near, complete := candidates(b, p, limits{max(0, b.selected.from-m+1), min(len(b.lines), b.selected.to+m-1)})
	if !complete {
		return nil, false
	}
	best := equallyGood(slices.Concat(list, near))
	spots := make([]spot, len(best))
	for i, c := range best {
		spots[i] = spot{int32(c.at), int32(c.at + m)}
	}
	if i, ok := s.chooseSelected(spots); ok {
		chosen = best[i]
	}
	return chosen, true
}

// place is where the old text stands for the candidate, if it is alike enough.
func (c *candidate) place(b *Text, p *Pattern) (Place, bool) {
	if !c.fits {
		return Place{}, false
	}
	need := similarBlock
	if n := nonBlank(p); n == 1 {
		need = similarSingle
	} else if c.equal*2 < n {
		return Place{}, false // held by too few lines
	}
	if c.score < need {
		return Place{}, false
	}
	pl := straight(c.at, len(p.old), RungSimilar)
	var ok bool
	if pl.indent, ok = indentation(b, p, pl); !ok && p.hunk {
		ok = uneven(b, p, c.at) && slippedAlike(b, p, c.at)
	}
	if !ok || !p.hunk && p.depthOf(b, pl) != likeSearch {
		return Place{}, false
	}
	return pl, true
}

// slippedAlike says whether the lines of a hunk that are further in or out than those of the file are otherwise alike.
func slippedAlike(b *Text, p *Pattern, at int) bool {
	for k := range p.old {
		want, have := p.text(k), b.lines[at+k]
		if !IsBlank(want) && Indent(want) != Indent(have) && (IsBlank(have) || Alike(Trim(want), Trim(have)) < similarLine) {
			return false
		}
	}
	return true
}

func nonBlank(p *Pattern) int {
	n := 0
	for k := range p.old {
		if !IsBlank(p.text(k)) {
			n++
		}
	}
	return n
}

// candidates returns the windows that share the most lines with the old text, best first.
func candidates(b *Text, p *Pattern, w limits) (list []candidate, complete bool) {
	m := len(p.old)
	if m == 0 || m > w.to-w.from || p.Blank() {
		return nil, true
	}
	starts, complete := votes(b, p, w)
	if len(starts) == 0 {
		starts = alikeLines(b, p, w)
	}
	steps := similarSteps
	for _, c := range starts {
		if !c.compare(b, p, &steps) {
			return list, false
		}
		list = append(list, c)
	}
	slices.SortStableFunc(list, func(x, y candidate) int { return cmp.Compare(y.score, x.score) })
	return list, complete
}

// ballot is the scratch of votes: all zero between two calls.
type ballot struct {
	first, count []int32
	voted        []int32 // the windows that are not zero in count
}

// votes lets each old line that is somewhere in the body vote for the window in which it would
// stand at its place.
func votes(b *Text, p *Pattern, w limits) (list []candidate, complete bool) {
	ids, n, m := b.folded(foldTrim), w.to-w.from, len(p.old)
	b.votes.first = zeroes(b.votes.first, b.in.size())
	first := b.votes.first
	next := make([]int32, m+1)
	for k := m - 1; k >= 0; k-- {
		if id := p.folded(foldTrim)[k]; id > 0 {
			next[k+1] = first[id]
			first[id] = int32(k + 1)
		}
	}
	defer func() {
		for _, id := range p.folded(foldTrim) {
			if id > 0 {
				first[id] = 0
			}
		}
	}()
	b.votes.count = zeroes(b.votes.count, n-m+1)
	count, voted := b.votes.count, b.votes.voted[:0]
	defer func() {
		for _, at := range voted {
			count[at] = 0
		}
		b.votes.voted = voted
	}()
	steps := similarSteps
	for i, id := range ids[w.from:w.to] {
		for k := first[id]; k > 0; k = next[k] {
			if steps--; steps < 0 {
				return nil, false
			}
			at := i - int(k-1)
			if at < 0 || at >= len(count) {
				continue
			}
			if count[at]++; count[at] == 1 {
				voted = append(voted, int32(at))
			}
		}
	}
	return mostVotes(count, voted, w.from), true
}

// mostVotes returns the windows with the most votes, which are counted from a line on, but for those with less
// than half as many as the first; with very many of them the rest does not matter.
func mostVotes(count, voted []int32, from int) []candidate {
	list := make([]candidate, 0, maxCandidates+1)
	for _, at := range voted {
		c := candidate{at: from + int(at), equal: int(count[at])}
		i := len(list)
		for i > 0 && (list[i-1].equal < c.equal || list[i-1].equal == c.equal && list[i-1].at > c.at) {
			i--
		}
		if i < maxCandidates {
			list = slices.Insert(list, i, c)
			list = list[:min(len(list), maxCandidates)]
		}
	}
	for i, c := range list {
		if 2*c.equal < list[0].equal {
			return list[:i]
		}
	}
	return list
}

// zeroes returns a list of that many zeroes, reusing one that is all zero.
func zeroes(list []int32, n int) []int32 {
	if cap(list) < n {
		return make([]int32, n, n+n/8)
	}
	return list[:n]
}

// alikeLines looks for the longest lines of a pattern by what their ends share with the lines of the
// body.
func alikeLines(b *Text, p *Pattern, w limits) []candidate {
	order := make([]int, len(p.old))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(len(p.text(y)), len(p.text(x))) })
	var list []candidate
	for _, k := range order[:min(len(order), 4)] {
		want := Trim(p.text(k))
		if len(want) < shortLine {
			break
		}
		for i, text := range b.lines[w.from+k : w.to-(len(p.old)-1-k)] {
			if endsAlike(want, Trim(text)) < similarLine {
				continue
			}
			list = append(list, candidate{at: w.from + i})
			if len(list) == 4*maxCandidates {
				return list
			}
		}
	}
	return list
}

// compare fills in how alike the window is. It reports false when the steps are used up.
func (c *candidate) compare(b *Text, p *Pattern, steps *int) bool {
	sum, n := 0.0, 0
	c.fits = true
	c.equal = 0
	for k := range p.old {
		want, have := foldUnicode.apply(p.text(k)), foldUnicode.apply(b.lines[c.at+k])
		if want == "" && have == "" {
			continue
		}
		n++
		if want == have {
			c.equal++
			sum++
			continue
		}
		*steps -= len(b.lines)/64 + 1
		*steps -= min(len(want), maxCompared)*min(len(have), maxCompared) + 1
		if *steps < 0 {
			return false
		}
		like := Alike(want, have)
		sum += like
		short := len(want) < shortLine || len(have) < shortLine
		removed := p.Lines[p.old[k]].Sign == '-'
		if b.standsIn(p.text(k), limits{c.at, c.at + len(p.old)}) || removed && b.standsIn(p.text(k), b.all()) {
			c.fits = false // it is another line of the file, and no typo
		}
		if removed && like < similarLine || short && removed || c.fits && namesAnother(b, want, have) {
			c.fits = false
		}
	}
	if n > 0 {
		c.score = sum / float64(n)
	}
	return true
}

// namesAnother says whether want has a name in the place of another one of have, and the file has that
// name elsewhere: who writes Withdraw means no misspelt Deposit.
func namesAnother(b *Text, want, have string) bool {
	ours, theirs := namesIn(want), namesIn(have)
	if !slices.ContainsFunc(theirs, func(name string) bool { return !slices.Contains(ours, name) }) {
		return false // it only has more names
	}
	for _, name := range ours {
		if !slices.Contains(theirs, name) && b.names()[name] {
			return true
		}
	}
	return false
}

func namesIn(text string) []string { return slices.Collect(eachName(text)) }

// eachName yields the identifiers of a text that are long enough to mean something.
func eachName(text string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for i := 0; i < len(text); {
			if !IsName(text[i]) {
				i++
				continue
			}
			start := i
			for i < len(text) && IsName(text[i]) {
				i++
			}
			if i-start >= shortestName && (text[start] < '0' || text[start] > '9') && !yield(text[start:i]) {
				return
			}
		}
	}
}

// Alike is 1 for equal texts and falls with the number of single-byte edits between them. One of them has
// something in it.
func Alike(x, y string) float64 {
	longest := max(len(x), len(y))
	ends := endsAlike(x, y)
	if longest > maxCompared {
		return ends
	}
	return max(ends, 1-float64(Distance(x, y))/float64(longest))
}

// endsAlike is the share of the longer text, which has something in it, that common ends make up.
func endsAlike(x, y string) float64 {
	shortest, longest := min(len(x), len(y)), max(len(x), len(y))
	n := SharedStart(x, y)
	m := min(SharedEnd(x, y), shortest-n)
	return float64(n+m) / float64(longest)
}
