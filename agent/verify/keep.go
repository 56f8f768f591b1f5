package verify

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"coauthor/edits"
)

// Kept is a file in which definitions were put back.
type Kept struct {
	Path  string
	Text  string   // all of it
	Names []string // of what was put back
}

// String names what was put back, and where.
func (k Kept) String() string { return listed(k.Names) + " of " + k.Path }

// Keep puts back what listings of whole files left out: definitions of the old file that the new one lacks,
// although nothing in the request speaks of it and nothing new is much like them. They go where they stood,
// behind the definition that was before them. A listing of nothing but definitions, without the rest of the
// file, is taken for these definitions, each in the place of the old one. listed are the files that the reply
// wrote out. What cannot be put back so that everything is there and nothing is broken is left alone, for Lost
// to tell.
func Keep(ctx context.Context, in Input, listed []string) ([]Kept, error) {
	crlf := map[string]bool{}
	in.Changes = slices.Clone(in.Changes)
	for i, c := range in.Changes {
		crlf[c.Path] = strings.Contains(c.Before, "\r\n")
		in.Changes[i].Before, in.Changes[i].After = strings.ReplaceAll(c.Before, "\r\n", "\n"), strings.ReplaceAll(c.After, "\r\n", "\n")
	}
	lostIn, err := missingIn(ctx, in)
	if err != nil {
		return nil, err
	}
	fresh, err := freshIn(ctx, in)
	if err != nil {
		return nil, err
	}
	var list []Kept
	for _, c := range in.Changes {
		missing := lostIn[c.Path]
		if slices.ContainsFunc(missing, func(d definition) bool { return renamed(d, fresh) }) {
			continue
		}
		if c.Op != edits.OpUpdate || len(missing) == 0 || !slices.Contains(listed, c.Path) {
			continue
		}
		text, err := keep(ctx, c, missing)
		if err != nil {
			return list, err
		}
		if text == "" {
			continue
		}
		found, err := syntaxErrorsOf(ctx, edits.Change{Path: c.Path, Op: c.Op, Before: c.Before, After: text})
		if err != nil || len(found) > 0 {
			continue
		}
		if crlf[c.Path] {
			text = strings.ReplaceAll(text, "\n", "\r\n")
		}
		k := Kept{Path: c.Path, Text: text}
		for _, d := range missing {
			if !slices.ContainsFunc(missing, func(o definition) bool { return d.owner == o.full() }) {
				k.Names = append(k.Names, d.full())
			}
		}
		list = append(list, k)
	}
	return list, nil
}

// freshIn lists the definitions of the new files whose names no old one has.
func freshIn(ctx context.Context, in Input) ([]definition, error) {
	known := map[string]bool{}
	var fresh []definition
	for _, c := range in.Changes {
		before, err := definitionsOf(ctx, c.Path, c.Before)
		if err != nil {
			return nil, err
		}
		for _, d := range before {
			known[d.name] = true
		}
	}
	for _, c := range in.Changes {
		after, err := definitionsOf(ctx, c.Path, c.After)
		if err != nil {
			return nil, err
		}
		for _, d := range after {
			if !known[d.name] {
				fresh = append(fresh, d)
			}
		}
	}
	return fresh, nil
}

// keep is the new text of a file with what is missing in it; "" where that cannot be done.
func keep(ctx context.Context, c edits.Change, missing []definition) (string, error) {
	old, err := definitionsOf(ctx, c.Path, c.Before)
	if err != nil {
		return "", err
	}
	new, err := definitionsOf(ctx, c.Path, c.After)
	if err != nil || len(new) == 0 {
		return "", err
	}
	text := c.After
	if has(outside(c.After, new), outside(c.Before, old)) < mostOutside {
		if has(outside(c.Before, old), outside(c.After, new)) < 1 {
			return "", nil
		}
		text = replaceDefinitions(c.Before, c.After, old, new)
	} else {
		text = undelete(c.Before, text, missing)
	}
	if new, err = definitionsOf(ctx, c.Path, text); err != nil {
		return "", err
	}
	left := mostPutBack
	for _, d := range missing {
		if indexOfDefinition(new, d.full()) >= 0 {
			continue // it came with what is around it
		}
		if left--; left < 0 {
			return "", nil
		}
		var ok bool
		if text, ok = putBack(text, c.Before, d, old, new); !ok {
			return "", nil
		}
		if new, err = definitionsOf(ctx, c.Path, text); err != nil {
			return "", err
		}
		if indexOfDefinition(new, d.full()) < 0 {
			return "", nil
		}
	}
	return text, nil
}

// mostPutBack is how many definitions are put back one by one: for each the file is parsed once more.
const mostPutBack = 40

// mostOutside is how much of what stands outside of definitions a listing must have to be a file's.
const mostOutside = 0.8

// outside lists the lines of a text that are in no definition, without blank ones.
func outside(text string, list []definition) []string {
	var lines []string
	at := 0
	for line := range strings.Lines(text) {
		from, to := at, at+len(line)
		at = to
		inside := slices.ContainsFunc(list, func(d definition) bool { return d.from < to && from < d.to })
		if line = strings.TrimSpace(line); !inside && line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// has is how much of some lines another text has, 1 for none.
func has(text, lines []string) float64 {
	if len(lines) == 0 {
		return 1
	}
	known := map[string]bool{}
	for _, l := range text {
		known[l] = true
	}
	n := 0
	for _, l := range lines {
		if known[l] {
			n++
		}
	}
	return float64(n) / float64(len(lines))
}

func indexOfDefinition(list []definition, full string) int {
	return slices.IndexFunc(list, func(d definition) bool { return d.full() == full })
}

// replaceDefinitions is the old text with the outermost definitions of the new one.
func replaceDefinitions(before, after string, old, new []definition) string {
	type piece struct {
		from, to int
		text     string
	}
	var pieces []piece
	next := len(before) // where the new ones go that come before any that the file knows
	for _, d := range new {
		if at := indexOfDefinition(old, d.full()); at >= 0 && enclosingOf(new, d) == "" {
			next = headOf(before, old[at])
			break
		}
	}
	for _, d := range new {
		if enclosingOf(new, d) != "" {
			continue
		}
		from := headOf(after, d)
		if at := indexOfDefinition(old, d.full()); at >= 0 {
			pieces = append(pieces, piece{old[at].from, old[at].to, after[d.from:d.to]})
			next = lineEnd(before, old[at].to)
		} else {
			pieces = append(pieces, piece{next, next, blankLines(after[:from]) + strings.TrimSuffix(after[from:lineEnd(after, d.to)], "\n") + "\n"})
		}
	}
	slices.SortStableFunc(pieces, func(a, b piece) int { return a.from - b.from })
	for _, p := range slices.Backward(pieces) {
		before = before[:p.from] + p.text + before[p.to:]
	}
	return before
}

// undelete puts back what the new text simply lacks: runs of lines that are missing definitions and nothing else.
func undelete(before, after string, missing []definition) string {
	for _, h := range slices.Backward(edits.Diff(before, after)) {
		if h.NewCount > 0 {
			continue
		}
		var lines []string // of the definitions that make up most of the run; it may begin a few lines earlier
		for _, d := range missing {
			from, to := headOf(before, d), lineEnd(before, d.to)
			if enclosingOf(missing, d) == "" && 2*(min(to, h.OldEnd)-max(from, h.OldStart)) > to-from {
				lines = append(lines, filledOf(before[from:to])...)
			}
		}
		if run := filledOf(h.Old); len(run) > 0 && slices.Equal(slices.Sorted(slices.Values(run)), slices.Sorted(slices.Values(lines))) {
			after = after[:h.NewStart] + h.Old + after[h.NewEnd:]
		}
	}
	return after
}

// filledOf lists the lines of a text that are not blank.
func filledOf(text string) []string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, "\n"); strings.TrimSpace(line) != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// putBack puts a definition of the old text into the new one: behind the definition that stood before it, else
// before the one behind it, else at the end of the file.
func putBack(text, before string, d definition, old, new []definition) (string, bool) {
	from, to := headOf(before, d), lineEnd(before, d.to)
	chunk := strings.TrimSuffix(before[from:to], "\n") + "\n"
	blanks := blankLines(before[:from])
	parent := enclosingOf(old, d)
	var siblings []definition
	for _, o := range old {
		if enclosingOf(old, o) == parent {
			siblings = append(siblings, o)
		}
	}
	k := slices.IndexFunc(siblings, func(o definition) bool { return o.from == d.from })
	for i := k - 1; i >= 0; i-- {
		if at := indexOfDefinition(new, siblings[i].full()); at >= 0 {
			end := lineEnd(text, new[at].to)
			head := text[:end]
			if !strings.HasSuffix(head, "\n") {
				head += "\n"
			}
			if rest := text[end:]; rest != "" && !strings.HasPrefix(rest, "\n") {
				chunk += before[to : len(before)-len(strings.TrimLeft(before[to:], "\n"))]
			}
			return head + blanks + chunk + text[end:], true
		}
	}
	for _, o := range siblings[k+1:] {
		if at := indexOfDefinition(new, o.full()); at >= 0 {
			start := headOf(text, new[at])
			return text[:start] + chunk + blankLines(before[:headOf(before, o)]) + text[start:], true
		}
	}
	if parent != "" {
		return "", false
	}
	text = strings.TrimRight(text, "\n") + "\n"
	return text + blanks + chunk, true
}

// enclosingOf names the definition that one stands in, "" for none.
func enclosingOf(list []definition, d definition) string {
	name, size := "", 0
	for _, o := range list {
		if o.from <= d.from && d.to <= o.to && o.to-o.from > d.to-d.from && (size == 0 || o.to-o.from < size) {
			name, size = o.full(), o.to-o.from
		}
	}
	return name
}

// blankLines are the blank lines at the end of a text.
func blankLines(text string) string {
	n := 0
	for strings.HasSuffix(text, "\n") {
		line := text[strings.LastIndexByte(text[:len(text)-1], '\n')+1:]
		if strings.TrimSpace(line) != "" {
			break
		}
		n++
		text = text[:len(text)-len(line)]
	}
	return strings.Repeat("\n", n)
}

// lineEnd is where the line of a place ends, with its line break.
func lineEnd(text string, at int) int {
	if at > 0 && text[at-1] == '\n' {
		return at
	}
	if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(text)
}

// aboveDefinition are the comments and decorators that belong to the definition below; directive are lines of the
// C preprocessor.
var (
	aboveDefinition = regexp.MustCompile(`^(?:#|//|/\*|\*|--|;|@)`)
	directive       = regexp.MustCompile(`^#(?:!|\s*(?:include|define|undef|if|ifdef|ifndef|elif|else|endif|import|pragma|error)\b)`)
)

// headOf is where a definition begins with the comments and decorators above it.
func headOf(text string, d definition) int {
	from := strings.LastIndexByte(text[:d.from], '\n') + 1
	for from > 0 {
		start := strings.LastIndexByte(text[:from-1], '\n') + 1
		line := strings.TrimSpace(text[start:from])
		if !aboveDefinition.MatchString(line) || directive.MatchString(line) {
			break
		}
		from = start
	}
	return from
}

// renamed says whether one of some new definitions is much like an old one.
func renamed(d definition, fresh []definition) bool {
	body := func(text string) []string {
		var lines []string
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); len(line) > 3 {
				lines = append(lines, line)
			}
		}
		return lines[min(1, len(lines)):] // the first one has the name
	}
	old := body(d.text)
	return slices.ContainsFunc(fresh, func(f definition) bool {
		new := body(f.text)
		return len(old) == 0 || len(new) == 0 || has(new, old) >= 0.5 || has(old, new) >= 0.5
	})
}
