package chat

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"coauthor/edits"
)

// markChanges marks the words that changed, in the lines of a hunk that stand in the place of others.
func markChanges(lines []diffLine) {
	var gone, come []int
	flush := func() {
		for _, pair := range pairs(lines, gone, come) {
			a, b := &lines[pair[0]], &lines[pair[1]]
			a.marks, b.marks = changedWords(a.text, b.text)
		}
		gone, come = nil, nil
	}
	for i, l := range lines {
		switch l.sign {
		case "-":
			if len(come) > 0 {
				flush()
			}
			gone = append(gone, i)
		case "+":
			come = append(come, i)
		case " ":
			flush()
		}
	}
	flush()
}

// mostPaired is how many lines are compared with one another.
const mostPaired = 4000

// pairs says which line that comes stands in the place of which one that goes: as many as there are one after the other, and
// otherwise those that are alike.
func pairs(lines []diffLine, gone, come []int) (list [][2]int) {
	if len(gone) == len(come) {
		for i := range gone {
			list = append(list, [2]int{gone[i], come[i]})
		}
		return list
	}
	if len(gone)*len(come) > mostPaired {
		return nil
	}
	next := 0
	for _, g := range gone {
		for k := next; k < len(come); k++ {
			if alike(lines[g].text, lines[come[k]].text) {
				list = append(list, [2]int{g, come[k]})
				next = k + 1
				break
			}
		}
	}
	return list
}

// alike says that two lines begin and end alike, over half of their length.
func alike(a, b string) bool {
	a, b = strings.TrimSpace(a), strings.TrimSpace(b)
	if len(a) > mostMarkedLine || len(b) > mostMarkedLine {
		return false
	}
	from, tail := ends(a, b)
	return 2*(from+tail) > max(len(a), len(b))
}

// ends is how much two texts have in common where they begin and where they end.
func ends(a, b string) (from, tail int) {
	for from < len(a) && from < len(b) && a[from] == b[from] {
		from++
	}
	for tail < len(a)-from && tail < len(b)-from && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	return from, tail
}

// changedWords is where two lines differ, in whole words. Lines that share little have no such places.
func changedWords(a, b string) (inA, inB []span) {
	if len(a) > mostMarkedLine || len(b) > mostMarkedLine {
		from, tail := ends(a, b)
		if from+tail == 0 {
			return nil, nil
		}
		return outer(a, from, tail), outer(b, from, tail)
	}
	wordsA, wordsB := wordsOf(a), wordsOf(b)
	startsA, startsB := starts(wordsA), starts(wordsB)
	gone := 0
	for _, h := range edits.Diff(oneALine(wordsA), oneALine(wordsB)) {
		gone += filled(wordsA[h.OldLine : h.OldLine+h.OldCount])
		inA = joined(a, inA, span{startsA[h.OldLine], startsA[h.OldLine+h.OldCount]})
		inB = joined(b, inB, span{startsB[h.NewLine], startsB[h.NewLine+h.NewCount]})
	}
	if shared := filled(wordsA) - gone; 3*shared < max(filled(wordsA), filled(wordsB)) {
		return nil, nil
	}
	return inA, inB
}

// outer is what of a long line differs from another one with which it shares so much where it begins and where it ends. Signs
// stay whole.
func outer(line string, from, tail int) []span {
	to := len(line) - tail
	for from > 0 && from < len(line) && !utf8.RuneStart(line[from]) {
		from--
	}
	for to < len(line) && !utf8.RuneStart(line[to]) {
		to++
	}
	return joined(line, nil, span{from, to})
}

// wordsOf are the words of a line, and what stands between them: blanks at once, any other sign alone.
func wordsOf(line string) (list []string) {
	from, kind := 0, rune(0)
	for i, r := range line {
		now := r
		switch {
		case isWord(r), unicode.IsMark(r):
			now = 'w'
		case unicode.IsSpace(r):
			now = ' '
		}
		if i > 0 && (now != kind || now != 'w' && now != ' ') {
			list = append(list, line[from:i])
			from = i
		}
		kind = now
	}
	if line == "" {
		return nil
	}
	return append(list, line[from:])
}

// starts is where each word begins, and where the last one ends.
func starts(words []string) []int {
	list := []int{0}
	for i, w := range words {
		list = append(list, list[i]+len(w))
	}
	return list
}

func oneALine(words []string) string {
	return strings.Join(append(words[:len(words):len(words)], ""), "\n")
}

// filled is how many words are no blanks.
func filled(words []string) (n int) {
	for _, w := range words {
		if strings.TrimSpace(w) != "" {
			n++
		}
	}
	return n
}

// joined adds a span to those of a line. Two with nothing but blanks between are one.
func joined(line string, list []span, s span) []span {
	if s.from == s.to {
		return list
	}
	if n := len(list); n > 0 && strings.TrimSpace(line[list[n-1].to:s.from]) == "" {
		list[n-1].to = s.to
		return list
	}
	return append(list, s)
}
