package match

// Distance is the Levenshtein distance in bytes. Its time grows with the product of the lengths, of which up to 64
// bytes of the shorter text count as one.
func Distance(x, y string) int {
	n := SharedStart(x, y)
	x, y = x[n:], y[n:]
	n = SharedEnd(x, y)
	x, y = x[:len(x)-n], y[:len(y)-n]
	if len(x) > len(y) {
		x, y = y, x
	}
	switch {
	case x == "":
		return len(y)
	case len(x) <= 64:
		return distanceInBits(x, y)
	}
	return distanceInRows(x, y)
}

// distanceInBits keeps a column of the table of distances in words: each differs from the one above by one more, one
// less or nothing. The algorithm is that of G. Myers, "A fast bit-vector algorithm for approximate string matching"
// (1999), in the form for two whole texts of H. Hyyrö (2003). x has 1 to 64 bytes.
func distanceInBits(x, y string) int {
	var where [256]uint64 // where in x each byte stands
	for i := range len(x) {
		where[x[i]] |= 1 << i
	}
	more, less := ^uint64(0), uint64(0)
	last, d := uint64(1)<<(len(x)-1), len(x)
	for j := range len(y) {
		equal := where[y[j]]
		down := equal | less
		across := (equal&more + more) ^ more | equal
		rises, falls := less|^(across|more), more&across
		switch {
		case rises&last != 0:
			d++
		case falls&last != 0:
			d--
		}
		rises = rises<<1 | 1
		more, less = falls<<1|^(down|rises), rises&down
	}
	return d
}

// distanceInRows keeps a row of the table of distances.
func distanceInRows(x, y string) int {
	var space [maxCompared + 1]int
	row := space[:]
	if len(y) > maxCompared {
		row = make([]int, len(y)+1)
	}
	row = row[:len(y)+1]
	for j := range row {
		row[j] = j
	}
	for i := range len(x) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(y) {
			cost := diagonal
			if x[i] != y[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(y)]
}

// SharedStart is how many bytes two texts have in common at their beginning.
func SharedStart(a, b string) int {
	const step = 64
	n, most := 0, min(len(a), len(b))
	for n+step <= most && a[n:n+step] == b[n:n+step] {
		n += step
	}
	for n < most && a[n] == b[n] {
		n++
	}
	return n
}

// SharedEnd is how many bytes two texts have in common at their end.
func SharedEnd(a, b string) int {
	const step = 64
	n, most := 0, min(len(a), len(b))
	for n+step <= most && a[len(a)-n-step:len(a)-n] == b[len(b)-n-step:len(b)-n] {
		n += step
	}
	for n < most && a[len(a)-n-1] == b[len(b)-n-1] {
		n++
	}
	return n
}
