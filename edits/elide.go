package edits

import (
	"regexp"
	"strings"
)

// findElided reads a line of dots in the old text as "some lines that stay as they are". The pieces
// between the dots must stand in the file in that order, and there must be one way only.
func findElided(b *body, p *pattern, w limits) []place {
	pieces, dots := cutPieces(p)
	if dots == 0 || len(pieces) == 0 {
		return nil
	}
	hay := b.folded(foldTrim)[w.from:w.to]
	all := make([][]int, len(pieces))
	for i, piece := range pieces {
		all[i] = occurrences(hay, p.folded(foldTrim)[piece.from:piece.to])
	}
	first, ok := inOrder(all, pieces)
	if !ok {
		return nil
	}
	last := latest(all, pieces)
	out := elidedAt(b, p, pieces, first, w)
	for i := range first {
		if first[i] != last[i] {
			return append(out, elidedAt(b, p, pieces, last, w)...) // more than one: ambiguous
		}
	}
	return out
}

// cutPieces returns the runs of old lines between lines of dots, without blank lines at their ends.
func cutPieces(p *pattern) (pieces []rows, dots int) {
	from := 0
	add := func(to int) {
		a, z := from, to
		for a < z && isBlank(p.text(a)) {
			a++
		}
		for z > a && isBlank(p.text(z-1)) {
			z--
		}
		if a < z {
			pieces = append(pieces, rows{a, z})
		}
	}
	for k := range p.old {
		if isDots(p.text(k)) {
			dots++
			add(k)
			from = k + 1
		}
	}
	add(len(p.old))
	return pieces, dots
}

// inOrder chooses for each piece the earliest place after the piece before it.
func inOrder(all [][]int, pieces []rows) ([]int, bool) {
	out := make([]int, len(all))
	at := 0
	for i, places := range all {
		j := 0
		for j < len(places) && places[j] < at {
			j++
		}
		if j == len(places) {
			return nil, false
		}
		out[i] = places[j]
		at = out[i] + pieces[i].to - pieces[i].from
	}
	return out, true
}

// latest is inOrder from the end; it is called when there is an order.
func latest(all [][]int, pieces []rows) []int {
	out := make([]int, len(all))
	limit := int(^uint(0) >> 1)
	for i := len(all) - 1; i >= 0; i-- {
		j := len(all[i]) - 1
		for all[i][j]+pieces[i].to-pieces[i].from > limit {
			j--
		}
		out[i] = all[i][j]
		limit = out[i]
	}
	return out
}

// elidedAt makes the place, if all pieces were moved in or out by the same and no dots swallow code.
func elidedAt(b *body, p *pattern, pieces []rows, at []int, w limits) []place {
	pl := place{rung: RungElision, rows: make([]rows, len(p.old))}
	pl.from = w.from + at[0]
	row, k := pl.from, 0
	for i, piece := range pieces {
		start := w.from + at[i]
		if i == 0 {
			for ; k < piece.from; k++ {
				pl.rows[k] = rows{row, row}
			}
		}
		gap := rows{row, start}
		for ; k < piece.from; k++ {
			pl.rows[k] = rows{row, row}
			if isDots(p.text(k)) {
				pl.rows[k] = gap
				row, gap = start, rows{start, start}
			}
		}
		for row = start; k < piece.to; k++ {
			pl.rows[k] = rows{row, row + 1}
			row++
		}
	}
	for ; k < len(p.old); k++ {
		pl.rows[k] = rows{row, row}
	}
	pl.to = row
	for k, r := range pl.rows {
		if p.lines[p.old[k]].Sign == '-' && isDots(p.text(k)) && !recurs(b.lines[r.from:r.to], p) {
			return nil
		}
	}
	var ok bool
	if pl.indent, ok = indentation(b, p, pl); !ok {
		return nil
	}
	return []place{pl}
}

// recurs says whether most lines of a gap that is to be removed come back in the new text: then the
// search text was only shortened, and nothing is lost.
func recurs(gap []line, p *pattern) bool {
	added := map[string]bool{}
	for _, l := range p.lines {
		if l.Sign == '+' {
			added[foldTrim.apply(l.Text)] = true
		}
	}
	all, back := 0, 0
	for _, l := range gap {
		if text := foldTrim.apply(l.text); text != "" {
			all++
			if added[text] {
				back++
			}
		}
	}
	return back*5 >= all*4
}

// isDots says whether a line stands for others.
func isDots(text string) bool {
	text = foldTrim.apply(text)
	return text == "..." || text == "…" || isElisionComment(text)
}

// Comments that stand for code, in two shapes: dots and a telling word, or a telling phrase alone.
var (
	commentOpen  = `(?:#|//|/\*|\{/\*|<!--|--|;|%|"|'|\*)`
	elisionDots  = regexp.MustCompile(`(?i)^` + commentOpen + `+\s*(?:\.{3}|…)\s*(?:[^.]*\b(?:rest|remain\w*|existing|unchanged|other|previous|same|omitted|code|implementation|methods?|functions?|as before|more|here)\b.*)?$`)
	elisionTail  = regexp.MustCompile(`(?i)^` + commentOpen + `+\s*(?:(?:the )?rest\b|remaining\b|existing\b|other\b|previous\b|same\b|unchanged\b|your\b|keep\b)[^.…]*(?:\.{3}|…)`)
	elisionWords = regexp.MustCompile(`(?i)^` + commentOpen + `+\s*\(?(?:(?:the )?rest of (?:the |your )?(?:code|file|function|class|methods?|implementation)|(?:existing|unchanged|remaining|previous) (?:code|methods|functions|imports|implementation)(?: (?:here|remains?.*|unchanged|stays?.*|goes here))?|(?:other|all other) (?:code|methods|functions|imports)(?: (?:remain|stay|here|unchanged|are unchanged).*)|same as before|code (?:remains|stays) (?:the same|unchanged))\b[^;{}=]*$`)
)

// maxElision is the longest line that is looked at as an elision.
const maxElision = 160

func isElisionComment(text string) bool {
	if len(text) > maxElision || text == "" || !strings.ContainsAny(text[:1], "#/{<-;%\"'*") {
		return false
	}
	return elisionDots.MatchString(text) || elisionTail.MatchString(text) || elisionWords.MatchString(text)
}

// newElision returns the first line of the new text that stands for code and was not there before.
func newElision(before []line, added []string) (string, bool) {
	var old map[string]bool
	for i, text := range added {
		trimmed := foldTrim.apply(text)
		bare := trimmed == "..." || trimmed == "…"
		if !bare && !isElisionComment(trimmed) || bare && stubBody(added[:i]) {
			continue
		}
		if old == nil {
			old = map[string]bool{}
			for _, l := range before {
				old[foldTrim.apply(l.text)] = true
			}
		}
		if !old[trimmed] {
			return trimmed, true
		}
	}
	return "", false
}

// stubBody says whether the lines so far end in a head that takes "..." as its whole body, as in
// Python.
func stubBody(lines []string) bool {
	for i := len(lines) - 1; i >= 0; i-- {
		text := foldTrim.apply(lines[i])
		if text == "" {
			continue
		}
		return strings.HasSuffix(text, ":") || strings.HasPrefix(text, "@") || strings.HasSuffix(text, `"""`) || strings.HasPrefix(text, "#")
	}
	return false
}
