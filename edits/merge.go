package edits

import "strings"

// Conflict is a place that both sides of a merge changed in different ways.
type Conflict struct {
	BaseLine, BaseCount int // 0-based first line and number of lines in the base
	Base, Ours, Theirs  string
	OursLine, OursCount int // where Ours stands in ours, in the same way
}

// Merge joins two sets of changes to one base, line by line. Changes that overlap or touch each
// other and are not the same are conflicts; then there is no merged text.
func Merge(base, ours, theirs string) (string, []Conflict) {
	merged, conflicts := MergeBy(base, ours, theirs, nil)
	if len(conflicts) > 0 {
		return "", conflicts
	}
	return merged, nil
}

// MergeBy is Merge for who decides what is written in the place of a conflict: what settle returns. Without settle
// there is no merged text where there are conflicts.
func MergeBy(base, ours, theirs string, settle func(Conflict) string) (string, []Conflict) {
	switch {
	case ours == theirs, theirs == base:
		return ours, nil
	case ours == base:
		return theirs, nil
	}
	b, o, t := splitLines(base), splitLines(ours), splitLines(theirs)
	so, st := diffLines(b, o), diffLines(b, t)
	var (
		merged    strings.Builder
		conflicts []Conflict
		at        int // the first base line that is not yet written
		shift     int // how much further down the lines of ours are
	)
	for len(so) > 0 || len(st) > 0 {
		from, to, no, nt := region(so, st)
		oursHere, theirsHere := side(so[:no], o, from, to, b), side(st[:nt], t, from, to, b)
		write(&merged, b[at:from])
		switch baseHere := strings.Join(b[from:to], ""); {
		case no == 0:
			merged.WriteString(theirsHere)
		case nt == 0, oursHere == theirsHere:
			merged.WriteString(oursHere)
		default:
			c := Conflict{
				BaseLine: from, BaseCount: to - from, Base: baseHere, Ours: oursHere, Theirs: theirsHere,
				OursLine: from + shift, OursCount: to - from + grown(so[:no]),
			}
			if conflicts = append(conflicts, c); settle != nil {
				merged.WriteString(settle(c))
			}
		}
		shift += grown(so[:no])
		so, st, at = so[no:], st[nt:], to
	}
	if len(conflicts) > 0 && settle == nil {
		return "", conflicts
	}
	write(&merged, b[at:])
	return merged.String(), conflicts
}

// grown is how many lines some changed runs add.
func grown(spans []span) (n int) {
	for _, s := range spans {
		n += (s.b1 - s.b0) - (s.a1 - s.a0)
	}
	return n
}

// region takes the first changed run of either side and all that overlap or touch it. It returns
// its base lines and how many runs of each side lie in it.
func region(so, st []span) (from, to, no, nt int) {
	if len(st) == 0 || len(so) > 0 && so[0].a0 <= st[0].a0 {
		from, to, no = so[0].a0, so[0].a1, 1
	} else {
		from, to, nt = st[0].a0, st[0].a1, 1
	}
	for {
		switch {
		case no < len(so) && so[no].a0 <= to:
			to = max(to, so[no].a1)
			no++
		case nt < len(st) && st[nt].a0 <= to:
			to = max(to, st[nt].a1)
			nt++
		default:
			return from, to, no, nt
		}
	}
}

// side is what base[from:to] became on one side.
func side(spans []span, lines []string, from, to int, base []string) string {
	var out strings.Builder
	for _, s := range spans {
		write(&out, base[from:s.a0])
		write(&out, lines[s.b0:s.b1])
		from = s.a1
	}
	write(&out, base[from:to])
	return out.String()
}

func write(out *strings.Builder, lines []string) {
	for _, line := range lines {
		out.WriteString(line)
	}
}
