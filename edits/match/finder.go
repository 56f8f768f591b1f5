package match

import "iter"

// finder searches runs of numbers in time linear in both, however they repeat. It keeps its scratch
// from one search to the next, so it serves one search at a time.
type finder struct{ border []int32 }

// prepare computes for each prefix of the needle its longest border: what is known of the hay when the
// next number does not fit. It reports false for a needle that can be nowhere.
func (f *finder) prepare(needle []int32, at func(i int) int32) bool {
	n := len(needle)
	if n == 0 {
		return false
	}
	for _, id := range needle {
		if id == unknown {
			return false
		}
	}
	if cap(f.border) < n {
		f.border = make([]int32, n)
	}
	f.border = f.border[:n]
	f.border[0] = 0
	for i, k := 1, int32(0); i < n; i++ {
		for k > 0 && at(i) != at(int(k)) {
			k = f.border[k-1]
		}
		if at(i) == at(int(k)) {
			k++
		}
		f.border[i] = k
	}
	return true
}

// all yields every index at which the needle stands in the hay, overlapping ones too. The finder may
// not be used for anything else meanwhile.
func (f *finder) all(hay, needle []int32) iter.Seq[int] {
	return func(yield func(int) bool) {
		n := len(needle)
		if n > len(hay) || !f.prepare(needle, func(i int) int32 { return needle[i] }) {
			return
		}
		k, head := 0, needle[0]
		for i := 0; i < len(hay); i++ {
			if k == 0 {
				for i < len(hay) && hay[i] != head { // most of the time goes here
					i++
				}
				if i == len(hay) {
					return
				}
			}
			id := hay[i]
			for k > 0 && (k == n || id != needle[k]) {
				k = int(f.border[k-1])
			}
			if id == needle[k] {
				k++
			}
			if k == n && !yield(i-n+1) {
				return
			}
		}
	}
}

// first returns the first index from that one on, or -1.
func (f *finder) first(hay, needle []int32, from int) int {
	if from <= len(hay) {
		for i := range f.all(hay[from:], needle) {
			return from + i
		}
	}
	return -1
}

// last returns the last index at which the needle stands and ends before the limit, or -1.
func (f *finder) last(hay, needle []int32, limit int) int {
	n := len(needle)
	if n > limit || !f.prepare(needle, func(i int) int32 { return needle[n-1-i] }) {
		return -1
	}
	k := 0
	for i := limit - 1; i >= 0; i-- {
		for k > 0 && hay[i] != needle[n-1-k] {
			k = int(f.border[k-1])
		}
		if hay[i] == needle[n-1-k] {
			k++
		}
		if k == n {
			return i
		}
	}
	return -1
}

// occurrences returns every index at which the needle stands in the hay, overlapping ones too.
func occurrences(hay, needle []int32) []int {
	var f finder
	var out []int
	for i := range f.all(hay, needle) {
		out = append(out, i)
	}
	return out
}
